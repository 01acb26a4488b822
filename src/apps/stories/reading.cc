// What readers do: they read, vote, and remember where they are.

#include <fmt/format.h>

#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kNoVote = "NONE";  // no vote is so

Record VoteIdentity(const Call& call) {
  return TextRecord({{"userId", call.sub()}, {"nodeId", call.PathValue("nodeId")}});
}

Result<std::optional<TypedItem>> VoteOf(const Call& call) {
  return call.runtime().Get(platform::EntityNamed(call, "Vote"), VoteIdentity(call));
}

bool IsUpvote(std::string_view type) { return type == "UPVOTE"; }

// Runs one of the operations on a vote as it is now. A day counts the votes that were first cast
// on it, as long as they are for the chapter.
Status ChangeVote(Call& call, std::string_view operation, std::string_view type) {
  for (int i = 0;; ++i) {
    const std::optional<TypedItem> vote = TRY(VoteOf(call));
    const std::string before = vote ? TextOf(vote->record, "voteType") : std::string(kNoVote);
    if (before == type) return Ok();
    Record arguments = VoteIdentity(call);
    arguments.SetText("storyId", call.PathValue("storyId"));
    arguments.SetText("before", before);
    if (type != kNoVote) arguments.SetText("voteType", type);
    arguments.SetText("date", vote ? TextOf(vote->record, "createdAt").substr(0, 10)
                                   : TimeText(call.now_unix_ms()).substr(0, 10));
    platform::SetInteger(arguments, "upvotes",
                         (IsUpvote(type) ? 1 : 0) - (IsUpvote(before) ? 1 : 0));
    auto changed = platform::RunOperation(call, operation, arguments);
    if (!changed.ok() && vote && changed.error().code() != ErrorCode::kConditionalCheckFailed) {
      // A vote that came another way is in no day.
      platform::SetInteger(arguments, "upvotes", 0);
      changed = platform::RunOperation(call, operation, arguments);
    }
    if (changed.ok()) return Ok();
    const bool is_race = changed.error().code() == ErrorCode::kConditionalCheckFailed ||
                         changed.error().code() == ErrorCode::kResourceNotFound;
    if (!is_race || i >= kTriesMax) return changed.error();
  }
}

Status ReplyCounts(Call& call, std::string_view type, json::Writer& reply) {
  const TypedItem chapter = TRY(ChapterOf(call));
  reply.BeginObject();
  if (type != kNoVote) WriteText("voteType", type, reply);
  WriteInteger("upvotes", StatOf(chapter.record, "upvotes"), reply);
  WriteInteger("downvotes", StatOf(chapter.record, "downvotes"), reply);
  WriteInteger("score", StatOf(chapter.record, "upvotes") - StatOf(chapter.record, "downvotes"),
               reply);
  reply.EndObject();
  return Ok();
}

Record BookmarkIdentity(const Call& call) {
  return TextRecord({{"userId", call.sub()}, {"storyId", call.PathValue("storyId")}});
}

}  // namespace

Status PostRead(Call& call, json::Writer& /*reply*/) {
  const TypedItem chapter = TRY(ChapterOf(call));
  if (!MayRead(call, chapter.record)) return Forbidden("this chapter is not for the caller");
  call.SetStatus(204);
  if (!call.principal()) return Ok();  // guests are not counted: they cannot be told apart
  Record arguments = ChapterIdentity(call);
  arguments.SetText("userId", call.sub());
  const auto counted = platform::RunOperation(call, "readChapter", arguments);
  const bool is_known =
      !counted.ok() && counted.error().code() == ErrorCode::kConditionalCheckFailed;
  if (is_known || counted.ok()) return Ok();
  return counted.error();
}

Status PutVote(Call& call, json::Writer& reply) {
  const TypedItem chapter = TRY(ChapterOf(call));
  if (IsCaller(call, TextOf(chapter.record, "authorId"))) {
    return Forbidden("nobody votes on what they have written");
  }
  if (!MayRead(call, chapter.record)) return Forbidden("this chapter is not for the caller");
  if (IsTrue(chapter.record, "removed")) {
    return platform::ProblemError("conflict", "the chapter was removed");
  }
  const std::string type = TextOf(call.fields(), "voteType");
  TRY(ChangeVote(call, "castVote", type));
  return ReplyCounts(call, type, reply);
}

Status DeleteVote(Call& call, json::Writer& reply) {
  TRY(ChapterOf(call));
  TRY(ChangeVote(call, "withdrawVote", kNoVote));
  return ReplyCounts(call, kNoVote, reply);
}

Status ListBookmarks(Call& call, json::Writer& reply) {
  const auto write = [&](const TypedItem& bookmark, json::Writer& writer) {
    writer.BeginObject();
    platform::WriteItemMembers(call, bookmark, writer);
    const auto story =
        call.runtime().Get(platform::EntityNamed(call, "Story"),
                           TextRecord({{"storyId", TextOf(bookmark.record, "storyId")}}), false);
    if (story.ok() && *story && MaySeeStory(call, (*story)->record)) {
      writer.Key("story");
      platform::WriteItem(call, **story, writer);
    }
    writer.EndObject();
  };
  return platform::ReplyList(call, "bookmarksOfUser", TextRecord({{"userId", call.sub()}}),
                             {.write = write}, reply);
}

Status GetBookmark(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(platform::GetItem(call, "Bookmark", BookmarkIdentity(call))),
                             reply);
}

Status PutBookmark(Call& call, json::Writer& reply) {
  TRY(StoryOf(call));
  const std::string node = TextOf(call.fields(), "currentNodeId");
  const auto chapter = FindChapter(call, node);
  if (!chapter.ok() || !*chapter) {
    return platform::FieldError({.field = "currentNodeId",
                                 .message = "must be a chapter of the story",
                                 .code = "not-found"});
  }
  const Record identity = BookmarkIdentity(call);
  const bool is_new = !TRY(call.runtime().Get(platform::EntityNamed(call, "Bookmark"), identity));
  Record bookmark = identity;
  bookmark.SetText("currentNodeId", node);
  const TypedItem stored = TRY(platform::UpsertItem(call, "Bookmark", identity, bookmark));
  if (!is_new) return platform::ReplyItem(call, stored, reply);
  return platform::ReplyCreated(call, stored, "/me/bookmarks/" + call.PathValue("storyId"), reply);
}

Status DeleteBookmark(Call& call, json::Writer& /*reply*/) {
  TRY(platform::DeleteItem(call, "Bookmark", BookmarkIdentity(call)));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::stories
