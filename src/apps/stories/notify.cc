// What people hear of. Ids and times of notifications follow from the change, so that a change that
// comes again tells nobody twice.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "base/crypto.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/live.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::ItemChange;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kHourMs = 60LL * 60 * 1000;
constexpr std::size_t kIdCharacters = 32;
constexpr std::string_view kNotification = "Notification";

bool IsOf(const std::optional<TypedItem>& item, std::string_view entity) {
  return item && item->kind.entity != nullptr && item->kind.entity->name == entity;
}

struct News {
  std::string_view type;
  std::string recipient;
  std::string title;
  std::string message;
  std::string story_id;
  std::string node_id = {};
  std::string user_id = {};  // who did it
};

std::string IdOf(std::string_view words) {
  return HexEncode(AsBytes(Sha256(words))).substr(0, kIdCharacters);
}

Record NotificationOf(const News& news, std::string_view id, std::int64_t time_unix_ms) {
  Record item = TextRecord({{"notificationId", id},
                            {"userId", news.recipient},
                            {"type", news.type},
                            {"title", news.title},
                            {"message", news.message},
                            {"relatedStoryId", news.story_id},
                            {"createdAt", TimeText(time_unix_ms)}});
  if (!news.node_id.empty()) item.SetText("relatedNodeId", news.node_id);
  if (!news.user_id.empty()) item.SetText("relatedUserId", news.user_id);
  return item;
}

// Whether somebody is there and wants to hear of such things.
Result<bool> Listens(const ItemChange& change, const News& news) {
  const auto user = TRY(change.runtime.Get(*change.runtime.model().FindEntity("User"),
                                           TextRecord({{"userId", news.recipient}})));
  if (!user || IsTrue(user->record, "erased")) return false;
  Record settings;
  const auto muted = user->record.Find(design::Path{{}, {"settings", "mutedTypes"}});
  if (muted) settings.Set("mutedTypes", std::string(muted->bytes()));
  const std::vector<std::string> types = platform::TextsOf(settings, "mutedTypes");
  return std::ranges::find(types, news.type) == types.end();
}

Status Tell(const ItemChange& change, const News& news) {
  if (!TRY(Listens(change, news))) return Ok();
  const std::string id =
      IdOf(fmt::format("{}\n{}\n{}", change.change.sequence, news.type, news.recipient));
  const auto told = change.runtime.Create(*change.runtime.model().FindEntity(kNotification),
                                          NotificationOf(news, id, change.change.time_unix_ms));
  if (told.ok() || told.error().code() == ErrorCode::kConditionalCheckFailed) return Ok();
  return told.error();
}

std::string Quoted(std::string_view title) { return fmt::format("“{}”", title); }

Result<std::optional<TypedItem>> Find(const ItemChange& change, std::string_view entity,
                                      const Record& identity) {
  return change.runtime.Get(*change.runtime.model().FindEntity(entity), identity);
}

Status TellOfBranch(const ItemChange& change, const Record& chapter) {
  const std::string story_id = TextOf(chapter, "storyId");
  const std::string writer = TextOf(chapter, "authorId");
  const auto story = TRY(Find(change, "Story", TextRecord({{"storyId", story_id}})));
  const auto parent =
      TRY(Find(change, "Chapter",
               TextRecord({{"storyId", story_id}, {"nodeId", TextOf(chapter, "parentNodeId")}})));
  if (!story) return Ok();
  std::set<std::string> recipients = {TextOf(story->record, "authorId")};
  if (parent) recipients.insert(TextOf(parent->record, "authorId"));
  recipients.erase(writer);
  for (const std::string& recipient : recipients) {
    TRY(Tell(change, {.type = "NEW_BRANCH",
                      .recipient = recipient,
                      .title = fmt::format("{} continued {}", TextOf(chapter, "authorName"),
                                           Quoted(TextOf(story->record, "title"))),
                      .message = fmt::format("A new branch: {}", Quoted(TextOf(chapter, "title"))),
                      .story_id = story_id,
                      .node_id = TextOf(chapter, "nodeId"),
                      .user_id = writer}));
  }
  return Ok();
}

Status TellOfApproval(const ItemChange& change, const Record& chapter, bool is_vision) {
  if (IsTrue(chapter, "byStoryAuthor")) return Ok();
  return Tell(change, {.type = "AUTHOR_APPROVED",
                       .recipient = TextOf(chapter, "authorId"),
                       .title = fmt::format("{} was approved", Quoted(TextOf(chapter, "title"))),
                       .message = is_vision ? "It matches the vision of the story's author"
                                            : "The story's author has approved it",
                       .story_id = TextOf(chapter, "storyId"),
                       .node_id = TextOf(chapter, "nodeId")});
}

Status TellOfCompletion(const ItemChange& change, const Record& story) {
  const Record identity = TextRecord({{"storyId", TextOf(story, "storyId")}});
  std::set<std::string> recipients;
  for (const TypedItem& bookmark :
       TRY(platform::RunWhole(change.runtime, "bookmarksOfStory", identity)))
    recipients.insert(TextOf(bookmark.record, "userId"));
  for (const TypedItem& chapter : TRY(platform::RunWhole(change.runtime, "chaptersOfStory",
                                                         identity, {.attributes = {"authorId"}})))
    recipients.insert(TextOf(chapter.record, "authorId"));
  recipients.erase(TextOf(story, "authorId"));
  for (const std::string& recipient : recipients) {
    TRY(Tell(change, {.type = "STORY_COMPLETED",
                      .recipient = recipient,
                      .title = fmt::format("{} is complete", Quoted(TextOf(story, "title"))),
                      .message = "A story that you follow has come to its end",
                      .story_id = TextOf(story, "storyId"),
                      .user_id = TextOf(story, "authorId")}));
  }
  return Ok();
}

std::string UpvoteMessage(std::int64_t count) {
  return count == 1 ? "One reader likes it" : fmt::format("{} readers like it", count);
}

// One item for all of an hour.
Status AddUpvote(const ItemChange& change, const News& news, std::int64_t hour_unix_ms) {
  const std::string id =
      IdOf(fmt::format("UPVOTE\n{}\n{}\n{}", news.node_id, news.recipient, TimeText(hour_unix_ms)));
  const design::Entity& entity = *change.runtime.model().FindEntity(kNotification);
  Record item = NotificationOf(news, id, hour_unix_ms);
  item.SetText("lastSequence", change.change.sequence);
  const auto created = change.runtime.Create(entity, item);
  if (created.ok()) return Ok();
  if (created.error().code() != ErrorCode::kConditionalCheckFailed) return created.error();
  bool is_known = false;
  design::WriteOptions options;
  options.rule = [&](const Record& now, Changes& changes) -> Status {
    is_known = !IsLaterSequence(change.change.sequence, TextOf(now, "lastSequence"));
    if (is_known) return Error(ErrorCode::kDuplicateItem, "told already");
    const std::int64_t count = platform::IntegerOf(now, "eventCount").value_or(1) + 1;
    platform::SetInteger(changes, "eventCount", count);
    platform::SetText(changes, "message", UpvoteMessage(count));
    platform::SetText(changes, "lastSequence", change.change.sequence);
    platform::SetBool(changes, "read", false);
    return Ok();
  };
  const auto counted = change.runtime.Update(entity, item, {}, options);
  if (counted.ok() || is_known) return Ok();
  return counted.error();
}

Status TellOfUpvote(const ItemChange& change, const Record& vote) {
  const auto chapter = TRY(
      Find(change, "Chapter",
           TextRecord({{"storyId", TextOf(vote, "storyId")}, {"nodeId", TextOf(vote, "nodeId")}})));
  if (!chapter || TextOf(chapter->record, "authorId") == TextOf(vote, "userId")) return Ok();
  const News news{.type = "UPVOTE",
                  .recipient = TextOf(chapter->record, "authorId"),
                  .title = fmt::format("Readers like {}", Quoted(TextOf(chapter->record, "title"))),
                  .message = UpvoteMessage(1),
                  .story_id = TextOf(vote, "storyId"),
                  .node_id = TextOf(vote, "nodeId")};
  if (!TRY(Listens(change, news))) return Ok();
  const std::int64_t time = change.change.time_unix_ms;
  return AddUpvote(change, news, time - time % kHourMs);
}

bool Became(const ItemChange& change, std::string_view name) {
  return IsTrue(change.new_item->record, name) &&
         !(change.old_item && IsTrue(change.old_item->record, name));
}

}  // namespace

Status Notify(const Mount& /*mount*/, const ItemChange& change) {
  if (IsOf(change.new_item, "Chapter")) {
    const Record& chapter = change.new_item->record;
    if (!change.old_item) {
      return chapter.Find("parentNodeId") ? TellOfBranch(change, chapter) : Ok();
    }
    const bool is_vision = Became(change, "matchesVision");
    if (is_vision || Became(change, "authorApproved")) {
      return TellOfApproval(change, chapter, is_vision);
    }
  } else if (IsOf(change.new_item, "Vote")) {
    const auto is_upvote = [](const std::optional<TypedItem>& item) {
      return item && TextOf(item->record, "voteType") == "UPVOTE";
    };
    if (is_upvote(change.new_item) && !is_upvote(change.old_item)) {
      return TellOfUpvote(change, change.new_item->record);
    }
  } else if (IsOf(change.new_item, "Story") && change.old_item) {
    const bool is_completed = TextOf(change.new_item->record, "status") == "COMPLETED" &&
                              TextOf(change.old_item->record, "status") != "COMPLETED";
    if (is_completed) return TellOfCompletion(change, change.new_item->record);
  }
  return Ok();
}

// Pages that are open hear of notifications, and of branches of the stories that they follow.
Status PublishLive(const Mount& mount, const ItemChange& change) {
  platform::LiveHub* live = mount.shared->live;
  if (live == nullptr || !change.new_item) return Ok();
  const Record& item = change.new_item->record;
  std::string data;
  json::Writer writer(data);
  writer.BeginObject();
  if (IsOf(change.new_item, kNotification)) {
    for (const std::string_view name : {"notificationId", "type", "title", "message"})
      WriteText(name, TextOf(item, name), writer);
    WriteBool("read", IsTrue(item, "read"), writer);
    writer.EndObject();
    live->Publish({.app = mount.app->name,
                   .audience = TextOf(item, "userId"),
                   .type = "notification",
                   .data = data});
  } else if (IsOf(change.new_item, "Chapter") && !change.old_item && item.Find("parentNodeId") &&
             TextOf(item, "storyStatus") != "DRAFT") {
    for (const std::string_view name : {"storyId", "nodeId", "parentNodeId", "title", "authorName"})
      WriteText(name, TextOf(item, name), writer);
    writer.EndObject();
    live->Publish({.app = mount.app->name,
                   .audience = "story:" + TextOf(item, "storyId"),
                   .type = "branch",
                   .data = data});
  }
  return Ok();
}

}  // namespace trestle::apps::stories
