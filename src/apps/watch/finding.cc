// What can be found: titles, lists and curators.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/watch/watch_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/search/feed.h"
#include "platform/search/index.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;
using platform::TextsOf;
using platform::search::Document;
using platform::search::FieldRank;

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts)
    joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

void AddField(Document& document, std::string name, FieldRank rank, std::string text) {
  if (text.empty()) return;
  document.fields.push_back({.name = std::move(name), .rank = rank, .text = std::move(text)});
}

double Milliseconds(const Record& record, std::string_view name) {
  return static_cast<double>(design::ParseTimestamp(TextOf(record, name)).value_or(0));
}

double Number(const Record& record, std::string_view name) {
  return static_cast<double>(IntegerOf(record, name).value_or(0));
}

Document DescribeList(const Record& list) {
  Document document{.id = {}, .type = "watchlist"};
  document.visible_to = {fmt::format("user:{}", TextOf(list, "curatorId"))};
  if (BoolOf(list, "isPublic").value_or(false)) document.visible_to.emplace_back("public");
  AddField(document, "title", FieldRank::kTitle, TextOf(list, "title"));
  AddField(document, "curatorName", FieldRank::kPeople, TextOf(list, "curatorName"));
  const std::vector<std::string> tags = TextsOf(list, "tags");
  AddField(document, "tags", FieldRank::kTags, Joined(tags));
  AddField(document, "description", FieldRank::kText, TextOf(list, "description"));
  for (const std::string& tag : tags)
    document.facets.push_back({"tag", tag});
  document.sort_values = {{"newest", Milliseconds(list, "createdAt")},
                          {"popular", Number(list, "saveCount")}};
  document.payload = fmt::format("Watchlist {}", TextOf(list, "watchlistId"));
  return document;
}

Document DescribeTitle(const TypedItem& item) {
  const Record& title = item.record;
  const Content content = ContentOfTitle(item);
  Document document{.id = {}, .type = content.type == "SHOW" ? "show" : "movie"};
  document.visible_to = {"public"};
  AddField(document, "title", FieldRank::kTitle, TextOf(title, "title"));
  for (const char* people : {"directors", "creators", "cast"})
    AddField(document, people, FieldRank::kPeople, Joined(TextsOf(title, people)));
  const std::vector<std::string> genres = TextsOf(title, "genres");
  AddField(document, "genres", FieldRank::kTags, Joined(genres));
  AddField(document, "synopsis", FieldRank::kText, TextOf(title, "synopsis"));
  for (const std::string& genre : genres)
    document.facets.push_back({"genre", genre});
  const auto year = IntegerOf(title, content.type == "SHOW" ? "startYear" : "releaseYear");
  if (year) document.facets.push_back({"year", std::to_string(*year)});
  const double count = Number(title, "ratingCount");
  document.sort_values = {{"newest", Milliseconds(title, "createdAt")},
                          {"popular", Number(title, "listCount")},
                          {"rating", count > 0 ? Number(title, "ratingSum") / count : 0},
                          {"year", static_cast<double>(year.value_or(0))}};
  document.payload = fmt::format("{} {}", TitleEntity(content.type), content.id);
  return document;
}

std::optional<Document> DescribeCurator(const Record& user) {
  if (TextOf(user, "curatorStatus") != "approved") return std::nullopt;
  Document document{.id = {}, .type = "curator"};
  document.visible_to = {"public"};
  AddField(document, "username", FieldRank::kTitle, TextOf(user, "username"));
  AddField(document, "bio", FieldRank::kText, TextOf(user, "bio"));
  document.sort_values = {{"newest", Milliseconds(user, "createdAt")}};
  document.payload = fmt::format("User {}", TextOf(user, "userId"));
  return document;
}

// Which list a title is in. Nobody who searches sees it: only ListsWith asks for it.
constexpr std::string_view kEntryWord = "entry";

Document DescribeEntry(const Record& item) {
  Document document{.id = {}, .type = std::string(kEntryWord)};
  document.visible_to = {std::string(kEntryWord)};
  const Content content = ContentOf(item);
  const std::string name = fmt::format("{}/{}", content.type, content.id);
  document.facets = {{"content", name}};
  document.sort_values = {{"newest", Milliseconds(item, "addedAt")}};
  document.payload = fmt::format("{} {}", name, TextOf(item, "watchlistId"));
  return document;
}

}  // namespace

std::optional<Document> Describe(const TypedItem& item) {
  if (IsOf(item, "Watchlist")) return DescribeList(item.record);
  if (IsOf(item, "Movie") || IsOf(item, "Show")) return DescribeTitle(item);
  if (IsOf(item, "User")) return DescribeCurator(item.record);
  if (IsOf(item, "WatchlistItem")) return DescribeEntry(item.record);
  return std::nullopt;
}

Result<std::vector<std::string>> Visible(const Call& call) {
  std::vector<std::string> words = {"public"};
  if (call.principal()) words.push_back(fmt::format("user:{}", call.sub()));
  return words;
}

Result<std::optional<TypedItem>> Fetch(const Call& call, const platform::search::Hit& hit) {
  const std::size_t blank = hit.payload.find(' ');
  if (blank == std::string::npos) return std::optional<TypedItem>();
  const std::string entity = hit.payload.substr(0, blank);
  const std::string id = hit.payload.substr(blank + 1);
  const std::string_view name = entity == "Watchlist" ? "watchlistId"
                                : entity == "Movie"   ? "movieId"
                                : entity == "Show"    ? "showId"
                                                      : "userId";
  auto item = TRY(call.runtime().Get(EntityOf(call.runtime(), entity), TextRecord({{name, id}})));
  const bool is_hidden =
      item && ((entity == "Watchlist" && !MaySeeList(call, item->record)) ||
               (entity == "User" && TextOf(item->record, "curatorStatus") != "approved"));
  if (is_hidden) return std::optional<TypedItem>();
  return item;
}

Status ReplyFound(Call& call, platform::search::Query query, json::Writer& reply) {
  platform::search::Index* const index = call.mount().search;
  if (index == nullptr) {
    return platform::ProblemError("unavailable", "nothing can be searched for here");
  }
  query.limit = platform::LimitOf(call);
  query.position = TRY(platform::OpenCursor(call));
  const platform::search::Hits hits = TRY(index->Find(query));
  if (call.mount().feed != nullptr) {
    call.AddHeader("Index-Lag-Ms", std::to_string(call.mount().feed->LagMs()));
  }
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (const platform::search::Hit& hit : hits.items) {
    const auto item = TRY(Fetch(call, hit));
    if (item) platform::WriteItem(call, *item, reply);
  }
  reply.EndArray();
  WriteInteger("total", static_cast<std::int64_t>(hits.total), reply);
  platform::WriteCursor(call, hits.next, reply);
  reply.EndObject();
  return Ok();
}

Result<std::vector<TypedItem>> ListsWith(const Call& call, std::string_view content,
                                         std::uint32_t lists_max) {
  std::vector<TypedItem> lists;
  if (call.mount().search == nullptr) return lists;
  const platform::search::Query query{.text = {},
                                      .may_see = {std::string(kEntryWord)},
                                      .types = {std::string(kEntryWord)},
                                      .facets = {{"content", std::string(content)}},
                                      .order = "newest",
                                      .limit = platform::kPageItemsMax};
  const std::string begin = fmt::format("{} ", content);
  const platform::search::Hits hits = TRY(call.mount().search->Find(query));
  std::vector<Record> identities;
  identities.reserve(hits.items.size());
  for (const platform::search::Hit& hit : hits.items) {
    // Facets do not tell upper and lower case apart; ids do.
    if (!hit.payload.starts_with(begin)) continue;
    identities.push_back(TextRecord({{"watchlistId", hit.payload.substr(begin.size())}}));
  }
  for (TypedItem& list : TRY(platform::GetMany(call.runtime(), "Watchlist", identities))) {
    if (lists.size() < lists_max && MaySeeList(call, list.record)) lists.push_back(std::move(list));
  }
  std::ranges::sort(lists, std::greater(),
                    [](const TypedItem& list) { return TextOf(list.record, "createdAt"); });
  return lists;
}

}  // namespace trestle::apps::watch
