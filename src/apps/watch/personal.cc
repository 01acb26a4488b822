// What people keep for themselves: saved lists, ratings, and what they have seen.

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/watch/contents.h"
#include "apps/watch/watch_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

Record MarkIdentity(const Call& call, const Content& content) {
  return TextRecord(
      {{"userId", call.sub()}, {"contentType", content.type}, {"contentId", content.id}});
}

Record SavedIdentity(const Call& call) {
  return TextRecord({{"userId", call.sub()}, {"watchlistId", call.PathValue("id")}});
}

// Later times first.
std::string Downwards(std::string_view time) {
  constexpr std::int64_t kLast = 253'402'300'800'000;  // the year 10000
  return fmt::format("{:016}", kLast - design::ParseTimestamp(time).value_or(0));
}

Result<TypedItem> ChangeRating(Call& call, const Content& content) {
  Changes changes;
  const Record& fields = call.fields();
  platform::SetInteger(changes, "rating", IntegerOf(fields, "rating").value_or(0));
  if (const auto review = fields.FindText("review")) {
    platform::SetText(changes, "review", *review);
  } else {
    platform::Remove(changes, "review");
  }
  return platform::UpdateItem(call, "Rating", MarkIdentity(call, content), changes);
}

Result<TypedItem> CreateRating(Call& call, const Content& content) {
  Record rating = MarkIdentity(call, content);
  platform::SetInteger(rating, "rating", IntegerOf(call.fields(), "rating").value_or(0));
  if (const auto review = call.fields().FindText("review")) rating.SetText("review", *review);
  return platform::CreateItem(call, "Rating", rating);
}

bool IsThere(const Error& error) {
  return error.details() != nullptr && error.details()->name == "already-exists";
}

// With the title that it is about.
void WriteMark(const Call& call, const TypedItem& mark, json::Writer& writer) {
  writer.BeginObject();
  platform::WriteItemMembers(call, mark, writer);
  const auto title = TitleOf(call, ContentOf(mark.record));
  if (title.ok()) {
    writer.Key("content");
    WriteTitleSummary(*title, writer);
  }
  writer.EndObject();
}

void WriteSaved(const Call& call, const TypedItem& saved, const TypedItem* list,
                json::Writer& writer) {
  writer.BeginObject();
  platform::WriteItemMembers(call, saved, writer);
  const bool is_available = list != nullptr && MaySeeList(call, list->record);
  writer.Key("available");
  writer.Bool(is_available);
  if (is_available) {
    const std::string seen(
        saved.record.FindText("lastSeenAt").value_or(TextOf(saved.record, "savedAt")));
    writer.Key("changed");
    writer.Bool(TextOf(list->record, "updatedAt") > seen);
    writer.Key("watchlist");
    platform::WriteItem(call, *list, writer);
  }
  writer.EndObject();
}

}  // namespace

Status PutSaved(Call& call, json::Writer& /*reply*/) {
  TRY(VisibleList(call));
  Record saved = SavedIdentity(call);
  saved.SetText("lastSeenAt", NowText(call));
  const auto written = platform::RunOperation(call, "saveWatchlist", saved);
  if (!written.ok() && written.error().code() == ErrorCode::kConditionalCheckFailed) {
    return platform::NotFound("Watchlist");  // it became private a moment ago
  }
  TRY(written);
  return platform::ReplyNothing(call);
}

Status DeleteSaved(Call& call, json::Writer& /*reply*/) {
  const auto deleted = platform::DeleteItem(call, "SavedWatchlist", SavedIdentity(call));
  if (!deleted.ok() && deleted.error().code() != ErrorCode::kResourceNotFound) {
    return deleted.error();
  }
  return platform::ReplyNothing(call);
}

Status ListSaved(Call& call, json::Writer& reply) {
  const std::vector<TypedItem> saved = TRY(
      platform::RunWhole(call.runtime(), "savedWatchlists", TextRecord({{"userId", call.sub()}})));
  std::vector<Record> identities;
  identities.reserve(saved.size());
  for (const TypedItem& one : saved)
    identities.push_back(TextRecord({{"watchlistId", TextOf(one.record, "watchlistId")}}));
  std::map<std::string, TypedItem> lists;
  for (TypedItem& list : TRY(platform::GetMany(call.runtime(), "Watchlist", identities)))
    lists.emplace(TextOf(list.record, "watchlistId"), std::move(list));
  const auto write = [&](const TypedItem& one, json::Writer& writer) {
    const auto list = lists.find(TextOf(one.record, "watchlistId"));
    WriteSaved(call, one, list == lists.end() ? nullptr : &list->second, writer);
  };
  return platform::ReplySorted(
      call, saved, [](const TypedItem& one) { return Downwards(TextOf(one.record, "savedAt")); },
      {.write = write}, reply);
}

Status PutRating(Call& call, json::Writer& reply) {
  const Content content = TRY(ContentOfPath(call));
  TRY(TitleOf(call, content));
  if (call.fields().Find("review")) TRY(call.TakePublicWrite());
  const auto there =
      TRY(call.runtime().Get(platform::EntityNamed(call, "Rating"), MarkIdentity(call, content)));
  if (!there) {
    const auto created = CreateRating(call, content);
    if (created.ok()) {
      return platform::ReplyCreated(
          call, *created, fmt::format("/me/ratings/{}/{}", content.type, content.id), reply);
    }
    if (!IsThere(created.error())) return created.error();
  }
  return platform::ReplyItem(call, TRY(ChangeRating(call, content)), reply);
}

Status DeleteRating(Call& call, json::Writer& /*reply*/) {
  const Content content = TRY(ContentOfPath(call));
  TRY(platform::DeleteItem(call, "Rating", MarkIdentity(call, content)));
  return platform::ReplyNothing(call);
}

Status ListRatings(Call& call, json::Writer& reply) {
  const auto type = call.arguments().FindText("type");
  const std::int64_t min = IntegerOf(call.arguments(), "min").value_or(0);
  const auto keep = [&](const TypedItem& rating) {
    return (!type || TextOf(rating.record, "contentType") == *type) &&
           IntegerOf(rating.record, "rating").value_or(0) >= min;
  };
  const auto write = [&](const TypedItem& rating, json::Writer& writer) {
    WriteMark(call, rating, writer);
  };
  return platform::ReplyList(call, "ratingsOfUser", TextRecord({{"userId", call.sub()}}),
                             {.keep = keep, .write = write}, reply);
}

Status PutWatched(Call& call, json::Writer& /*reply*/) {
  const Content content = TRY(ContentOfPath(call));
  TRY(TitleOf(call, content));
  const Record identity = MarkIdentity(call, content);
  Record mark = identity;
  if (const auto at = call.fields().FindText("watchedAt")) mark.SetText("watchedAt", *at);
  TRY(platform::UpsertItem(call, "Watched", identity, mark));
  return platform::ReplyNothing(call);
}

Status DeleteWatched(Call& call, json::Writer& /*reply*/) {
  const Content content = TRY(ContentOfPath(call));
  const auto deleted = platform::DeleteItem(call, "Watched", MarkIdentity(call, content));
  if (!deleted.ok() && deleted.error().code() != ErrorCode::kResourceNotFound) {
    return deleted.error();
  }
  return platform::ReplyNothing(call);
}

Status ListWatched(Call& call, json::Writer& reply) {
  const auto write = [&](const TypedItem& mark, json::Writer& writer) {
    WriteMark(call, mark, writer);
  };
  return platform::ReplyList(call, "watchedOfUser", TextRecord({{"userId", call.sub()}}),
                             {.write = write}, reply);
}

}  // namespace trestle::apps::watch
