// Finding stories: the newest, and all that the search index knows.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "base/check.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/search/feed.h"
#include "platform/search/index.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;
using platform::TextsOf;
using platform::search::Document;
using platform::search::FieldRank;

constexpr double kUpvoteWeight = 5;  // of a read

std::vector<std::string> HiddenWarnings(const Call& call) {
  Record settings;
  const auto hidden = call.facts().Find(design::Path{{}, {"settings", "hiddenWarnings"}});
  if (hidden) settings.Set("hiddenWarnings", std::string(hidden->bytes()));
  std::vector<std::string> words = TextsOf(settings, "hiddenWarnings");
  std::ranges::move(TextsOf(call.arguments(), "warningsExclude"), std::back_inserter(words));
  return words;
}

// Whether a story is one of those that the query asks for.
bool IsAskedFor(const Call& call, const std::vector<std::string>& hidden, const Record& story) {
  const Record& asked = call.arguments();
  const auto differs = [&](std::string_view name) {
    const auto wanted = asked.FindText(name);
    return wanted && TextOf(story, name) != *wanted;
  };
  if (!MaySeeStory(call, story) || differs("ageRating") || differs("status")) return false;
  const std::vector<std::string> genres = TextsOf(story, "genres");
  const auto genre = asked.FindText("genre");
  if (genre && TextOf(story, "genre") != *genre &&
      std::ranges::find(genres, *genre) == genres.end()) {
    return false;
  }
  const std::vector<std::string> warnings = TextsOf(story, "contentWarnings");
  return std::ranges::find_first_of(warnings, hidden) == warnings.end();
}

Status ReplyFound(Call& call, std::string_view order, json::Writer& reply) {
  CHECK(call.mount().search != nullptr, "an app that can be searched");
  platform::search::Query query{.text = TextOf(call.arguments(), "q"),
                                .may_see = TRY(Visible(call)),
                                .types = {"story"},
                                .facets = {},
                                .order = std::string(order),
                                .limit = platform::LimitOf(call),
                                .position = TRY(platform::OpenCursor(call))};
  for (const std::string_view name : {"genre", "ageRating", "status"}) {
    const auto value = call.arguments().FindText(name);
    if (value) query.facets.push_back({std::string(name), std::string(*value)});
  }
  const platform::search::Hits hits = TRY(call.mount().search->Find(query));
  if (call.mount().feed != nullptr) {
    call.AddHeader("Index-Lag-Ms", fmt::format("{}", call.mount().feed->LagMs()));
  }
  const std::vector<std::string> hidden = HiddenWarnings(call);
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (const platform::search::Hit& hit : hits.items) {
    const auto story = TRY(Fetch(call, hit));
    if (story && IsAskedFor(call, hidden, story->record)) platform::WriteItem(call, *story, reply);
  }
  reply.EndArray();
  platform::WriteCursor(call, hits.next, reply);
  reply.EndObject();
  return Ok();
}

double TimeOf(const Record& item, std::string_view name) {
  return static_cast<double>(design::ParseTimestamp(TextOf(item, name)).value_or(0));
}

struct Place {
  std::string_view author;
  std::string_view status;
  bool is_hidden;
  bool is_adult;
};
std::vector<std::string> VisibleTo(const Place& place) {
  std::vector<std::string> words = {fmt::format("user:{}", place.author)};
  if (place.status != "PUBLISHED" && place.status != "COMPLETED") return words;
  words.emplace_back("moderator");
  if (!place.is_hidden) words.emplace_back(place.is_adult ? "adult" : "public");
  return words;
}

Document DescribeStory(const Record& story) {
  Document document{.id = {},
                    .type = "story",
                    .visible_to = VisibleTo({.author = story.FindText("authorId").value_or(""),
                                             .status = story.FindText("status").value_or(""),
                                             .is_hidden = IsTrue(story, "hidden"),
                                             .is_adult = TextOf(story, "ageRating") == kAdult}),
                    .fields = {},
                    .facets = {},
                    .sort_values = {},
                    .payload = TextOf(story, "storyId")};
  std::string tags = TextOf(story, "genre");
  document.facets.push_back({"genre", tags});
  for (const std::string& genre : TextsOf(story, "genres")) {
    tags += " " + genre;
    document.facets.push_back({"genre", genre});
  }
  document.facets.push_back({"ageRating", TextOf(story, "ageRating")});
  document.facets.push_back({"status", TextOf(story, "status")});
  document.fields = {{"title", FieldRank::kTitle, TextOf(story, "title")},
                     {"authorName", FieldRank::kPeople, TextOf(story, "authorName")},
                     {"genre", FieldRank::kTags, tags},
                     {"synopsis", FieldRank::kText, TextOf(story, "synopsis")}};
  const auto stat = [&](std::string_view name) { return static_cast<double>(StatOf(story, name)); };
  document.sort_values = {{"published", TimeOf(story, "publishedAt")},
                          {"popular", stat("totalUpvotes") * kUpvoteWeight + stat("totalReads")},
                          {"branches", stat("totalBranches")},
                          {"updated", TimeOf(story, "updatedAt")}};
  return document;
}

Document DescribeChapter(const Record& chapter) {
  const bool is_adult =
      TextOf(chapter, "ageRating") == kAdult || TextOf(chapter, "storyAgeRating") == kAdult;
  return {.id = {},
          .type = "chapter",
          .visible_to =
              VisibleTo({.author = chapter.FindText("authorId").value_or(""),
                         .status = chapter.FindText("storyStatus").value_or(""),
                         .is_hidden = IsTrue(chapter, "hidden") || IsTrue(chapter, "storyHidden"),
                         .is_adult = is_adult}),
          .fields = {{"title", FieldRank::kTitle, TextOf(chapter, "title")},
                     {"authorName", FieldRank::kPeople, TextOf(chapter, "authorName")},
                     {"content", FieldRank::kText, TextOf(chapter, "content")}},
          .facets = {},
          .sort_values = {{"published", TimeOf(chapter, "createdAt")},
                          {"popular", static_cast<double>(StatOf(chapter, "upvotes"))},
                          {"branches", static_cast<double>(StatOf(chapter, "childCount"))},
                          {"updated", TimeOf(chapter, "updatedAt")}},
          .payload = TextOf(chapter, "storyId") + " " + TextOf(chapter, "nodeId")};
}

Document DescribeUser(const Record& user) {
  return {.id = {},
          .type = "user",
          .visible_to = {"public"},
          .fields = {{"displayName", FieldRank::kTitle, TextOf(user, "displayName")},
                     {"bio", FieldRank::kText, TextOf(user, "bio")}},
          .facets = {},
          .sort_values = {},
          .payload = TextOf(user, "userId")};
}

Result<std::optional<TypedItem>> FetchChapter(const Call& call, std::string_view payload) {
  const std::size_t end = payload.find(' ');
  auto chapter = TRY(call.runtime().Get(
      platform::EntityNamed(call, "Chapter"),
      TextRecord({{"storyId", payload.substr(0, end)}, {"nodeId", payload.substr(end + 1)}})));
  const bool is_visible =
      chapter && MaySeeChapter(call, chapter->record) && MayRead(call, chapter->record);
  if (!is_visible) return std::optional<TypedItem>();
  chapter->record.Remove("content");  // the highlights show what was found
  return chapter;
}

}  // namespace

Status ListStories(Call& call, json::Writer& reply) {
  const std::string sort = TextOf(call.arguments(), "sort");
  const bool has_words = call.arguments().Find("q").has_value();
  if (has_words || (!sort.empty() && sort != "newest")) {
    return ReplyFound(call, sort == "newest" ? "published" : sort, reply);
  }
  const std::vector<std::string> hidden = HiddenWarnings(call);
  return platform::ReplyList(
      call, "browseStories", {},
      {.keep = [&](const TypedItem& story) { return IsAskedFor(call, hidden, story.record); }},
      reply);
}

std::optional<Document> Describe(const TypedItem& item) {
  if (item.kind.entity == nullptr) return std::nullopt;
  const std::string& entity = item.kind.entity->name;
  if (entity == "Story") return DescribeStory(item.record);
  if (entity == "Chapter" && !IsTrue(item.record, "removed")) return DescribeChapter(item.record);
  if (entity == "User" && !IsTrue(item.record, "erased")) return DescribeUser(item.record);
  return std::nullopt;
}

Result<std::vector<std::string>> Visible(const Call& call) {
  std::vector<std::string> words = {"public"};
  if (!call.principal()) return words;
  words.push_back("user:" + call.sub());
  if (SeesAdult(call)) words.emplace_back("adult");
  if (IsModerator(call)) words.emplace_back("moderator");
  return words;
}

Result<std::optional<TypedItem>> Fetch(const Call& call, const platform::search::Hit& hit) {
  if (hit.type == "chapter") return FetchChapter(call, hit.payload);
  const bool is_user = hit.type == "user";
  auto item = TRY(call.runtime().Get(platform::EntityNamed(call, is_user ? "User" : "Story"),
                                     TextRecord({{is_user ? "userId" : "storyId", hit.payload}})));
  if (item && !is_user && !MaySeeStory(call, item->record)) item.reset();
  return item;
}

}  // namespace trestle::apps::stories
