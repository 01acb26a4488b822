// Watchlists.

#include <algorithm>
#include <string>
#include <vector>

#include "apps/watch/contents.h"
#include "apps/watch/rules.h"
#include "apps/watch/watch_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

Record Identity(const Call& call) { return TextRecord({{"watchlistId", call.PathValue("id")}}); }

// A curator who is suspended may go on with lists, but not show them.
Status CheckPublisher(const Call& call, const Record& list) {
  const TypedItem curator =
      TRY(platform::GetItem(call, "User", TextRecord({{"userId", TextOf(list, "curatorId")}})));
  if (TextOf(curator.record, "curatorStatus") == "approved") return Ok();
  return ProblemError("curator-required", "only lists of approved curators are public");
}

Result<std::string> ItemsJson(const Call& call, const std::string& list_id) {
  const std::vector<TypedItem> items = TRY(
      platform::RunWhole(call.runtime(), "watchlistItems", TextRecord({{"watchlistId", list_id}})));
  std::vector<Content> contents;
  contents.reserve(items.size());
  for (const TypedItem& item : items)
    contents.push_back(ContentOf(item.record));
  const Contents read = TRY(Contents::Read(call.runtime(), contents, SubOf(call)));
  std::string text;
  json::Writer writer(text);
  writer.BeginArray();
  for (const TypedItem& item : items) {
    writer.BeginObject();
    platform::WriteItemMembers(call, item, writer);
    read.Write(ContentOf(item.record), writer);
    writer.EndObject();
  }
  writer.EndArray();
  return text;
}

}  // namespace

void NormaliseTags(Record& list) {
  const auto tags = TextListOf(list, "tags");
  if (tags) platform::SetTexts(list, "tags", NormalisedTags(*tags));
}

void AddToList(const Call& call, const TypedItem& list, json::Writer& writer) {
  // What GetList has found out.
  if (TextOf(call.facts(), "watchlistId") != TextOf(list.record, "watchlistId")) return;
  if (const auto saved = BoolOf(call.facts(), "saved")) {
    writer.Key("me");
    writer.BeginObject();
    writer.Key("saved");
    writer.Bool(*saved);
    writer.EndObject();
  }
  if (const auto items = call.facts().FindText("items")) {
    writer.Key("items");
    writer.Raw(*items);
  }
}

Status ListPublic(Call& call, json::Writer& reply) {
  const Record& given = call.arguments();
  const bool has_words = given.Find("q").has_value();
  const std::string sort(given.FindText("sort").value_or(has_words ? "best" : "newest"));
  const bool is_plain = !given.Find("tag") && !has_words && sort == "newest";
  if (is_plain) {
    const auto keep = [](const TypedItem& list) {
      return BoolOf(list.record, "isPublic").value_or(false);
    };
    return platform::ReplyList(call, "publicWatchlists", {}, {.keep = keep}, reply);
  }
  platform::search::Query query{.text = TextOf(given, "q"),
                                .may_see = {"public"},
                                .types = {"watchlist"},
                                .order = sort == "best" ? "" : sort};
  if (const auto tag = given.FindText("tag")) query.facets.push_back({"tag", std::string(*tag)});
  return ReplyFound(call, std::move(query), reply);
}

Status ListOfCurator(Call& call, json::Writer& reply) {
  const std::string& curator = call.PathValue("id");
  TRY(platform::GetItem(call, "User", TextRecord({{"userId", curator}})));
  return platform::ReplyList(
      call, "watchlistsByCurator", TextRecord({{"curatorId", curator}}),
      {.is_descending = true,
       .keep = [&](const TypedItem& list) { return MaySeeList(call, list.record); }},
      reply);
}

Status PostList(Call& call, json::Writer& reply) {
  Record list = TRY(platform::NewItem(call, "Watchlist"));
  list.SetText("curatorId", call.sub());
  if (BoolOf(list, "isPublic").value_or(true)) TRY(call.TakePublicWrite());
  auto created = platform::RunOperation(call, "createWatchlist", list);
  if (!created.ok() && created.error().code() == ErrorCode::kConditionalCheckFailed) {
    return ProblemError("curator-required", "only approved curators have lists");
  }
  const std::vector<TypedItem> items = TRY(std::move(created));
  const TypedItem& item = PickItem(items, "Watchlist");
  return platform::ReplyCreated(call, item, "/watchlists/" + TextOf(item.record, "watchlistId"),
                                reply);
}

Status GetList(Call& call, json::Writer& reply) {
  const TypedItem list = TRY(VisibleList(call));
  const std::string& list_id = call.PathValue("id");
  call.facts().SetText("watchlistId", list_id);
  if (call.principal()) {
    const auto saved =
        TRY(call.runtime().Get(platform::EntityNamed(call, "SavedWatchlist"),
                               TextRecord({{"userId", call.sub()}, {"watchlistId", list_id}})));
    platform::SetBool(call.facts(), "saved", saved.has_value());
  }
  if (TextOf(call.arguments(), "include") == "items") {
    call.facts().SetText("items", TRY(ItemsJson(call, list_id)));
  }
  return platform::ReplyItem(call, list, reply);
}

Status PatchList(Call& call, json::Writer& reply) {
  TRY(EditableList(call, Editor::kCuratorOrAdmin));
  Changes changes = TRY(platform::ItemChanges(call, "Watchlist"));
  platform::SetText(changes, "updatedBy", call.sub());
  design::WriteOptions options;
  options.rule = [&](const Record& now, Changes& wanted) -> Status {
    const Record next = platform::RecordAfter(now, wanted);
    const bool was_public = BoolOf(now, "isPublic").value_or(false);
    const bool is_public = BoolOf(next, "isPublic").value_or(false);
    if (is_public && !was_public) TRY(CheckPublisher(call, now));
    // What the curator says of it now counts when a suspension ends.
    const bool is_said = std::ranges::any_of(
        wanted.set, [](const Changes::Set& set) { return set.path.parts.front() == "isPublic"; });
    if (is_said && now.Find("restorePublic")) platform::Remove(wanted, "restorePublic");
    return Ok();
  };
  return platform::ReplyItem(
      call,
      TRY(platform::UpdateItem(call, "Watchlist", Identity(call), changes, std::move(options))),
      reply);
}

Status DeleteList(Call& call, json::Writer& /*reply*/) {
  TRY(EditableList(call, Editor::kCuratorOrAdmin));
  TRY(platform::DeleteItem(call, "Watchlist", Identity(call)));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::watch
