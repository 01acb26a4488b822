// What readers say of chapters.

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kComment = "StoryComment";
constexpr std::string_view kRemovedText = "[removed]";

Record CommentIdentity(const Call& call, std::string_view comment_id) {
  Record identity = ChapterIdentity(call);
  identity.SetText("commentId", comment_id);
  return identity;
}

Result<TypedItem> CommentOf(const Call& call) {
  TRY(ChapterOf(call));
  return platform::GetItem(call, kComment, CommentIdentity(call, call.PathValue("commentId")));
}

Result<TypedItem> OpenCommentOf(const Call& call) {
  TypedItem comment = TRY(CommentOf(call));
  if (IsTrue(comment.record, "removed")) {
    return platform::ProblemError("conflict", "the comment was removed");
  }
  return comment;
}

// One deeper than what it answers.
Result<std::int64_t> DepthOf(const Call& call) {
  const auto parent = call.fields().FindText("parentCommentId");
  if (!parent) return 0;
  const auto found =
      call.runtime().Get(platform::EntityNamed(call, kComment), CommentIdentity(call, *parent));
  if (!found.ok() || !*found) {
    return platform::FieldError({.field = "parentCommentId",
                                 .message = "must be a comment on the same chapter",
                                 .code = "not-found"});
  }
  const std::int64_t depth = IntegerOf((*found)->record, "depth").value_or(0) + 1;
  if (depth > kCommentDepthMax) {
    return platform::ProblemError("semantic",
                                  fmt::format("replies are at most {} deep", kCommentDepthMax));
  }
  return depth;
}

Record CommentVoteIdentity(const Call& call) {
  return TextRecord({{"userId", call.sub()}, {"commentId", call.PathValue("commentId")}});
}

// The caller's own votes on comments.
using Votes = std::map<std::string, std::int64_t, std::less<>>;

Status ReadVotes(const Call& call, std::span<const TypedItem> comments, Votes& votes) {
  if (!call.principal()) return Ok();
  std::vector<Record> wanted;
  wanted.reserve(comments.size());
  for (const TypedItem& comment : comments) {
    if (IsCaller(call, TextOf(comment.record, "authorId"))) continue;
    wanted.push_back(
        TextRecord({{"userId", call.sub()}, {"commentId", TextOf(comment.record, "commentId")}}));
  }
  for (const TypedItem& vote : TRY(platform::GetMany(call.runtime(), "CommentVote", wanted, true)))
    votes[TextOf(vote.record, "commentId")] = IntegerOf(vote.record, "value").value_or(0);
  return Ok();
}

// A page of comments, each with the caller's vote.
Status ReplyComments(Call& call, std::string_view access, const Record& arguments,
                     json::Writer& reply) {
  Votes votes;
  const platform::ListOptions options{
      .prepare = [&](std::span<const TypedItem> comments) -> Status {
        return ReadVotes(call, comments, votes);
      },
      .write =
          [&](const TypedItem& comment, json::Writer& writer) {
            writer.BeginObject();
            platform::WriteItemMembers(call, comment, writer);
            const auto vote = votes.find(TextOf(comment.record, "commentId"));
            if (vote != votes.end()) WriteInteger("myVote", vote->second, writer);
            writer.EndObject();
          }};
  return platform::ReplyList(call, access, arguments, options, reply);
}

Result<bool> HasReplies(const Call& call, const std::string& comment_id) {
  const auto replies = TRY(platform::RunAccess(
      call, "repliesOfComment", TextRecord({{"parentCommentId", comment_id}}), {.limit = 1}));
  if (!replies.items.empty()) return true;
  // The index may not know yet what was answered a moment ago.
  const auto newest = TRY(platform::RunAccess(call, "commentsOfChapter", ChapterIdentity(call),
                                              {.limit = 100, .is_descending = true}));
  return std::ranges::any_of(newest.items, [&](const TypedItem& comment) {
    return TextOf(comment.record, "parentCommentId") == comment_id;
  });
}

Status ReplyScore(Call& call, json::Writer& reply) {
  const TypedItem comment = TRY(CommentOf(call));
  reply.BeginObject();
  WriteInteger("score", IntegerOf(comment.record, "score").value_or(0), reply);
  reply.EndObject();
  return Ok();
}

}  // namespace

Status ListComments(Call& call, json::Writer& reply) {
  TRY(ChapterOf(call));
  return ReplyComments(call, "commentsOfChapter", ChapterIdentity(call), reply);
}

Status GetComment(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(CommentOf(call)), reply);
}

Status ListReplies(Call& call, json::Writer& reply) {
  TRY(CommentOf(call));
  return ReplyComments(call, "repliesOfComment",
                       TextRecord({{"parentCommentId", call.PathValue("commentId")}}), reply);
}

Status PostComment(Call& call, json::Writer& reply) {
  const TypedItem chapter = TRY(ChapterOf(call));
  if (!MayRead(call, chapter.record)) return Forbidden("this chapter is not for the caller");
  Record comment = ChapterIdentity(call);
  for (const auto& [name, value] : call.fields().attributes())
    comment.Set(name, value);
  platform::SetInteger(comment, "depth", TRY(DepthOf(call)));
  comment.SetText("authorId", call.sub());
  TRY(call.TakePublicWrite());
  const TypedItem created = TRY(platform::CreateItem(call, kComment, comment));
  return platform::ReplyCreated(
      call, created,
      fmt::format("/stories/{}/chapters/{}/comments/{}", call.PathValue("storyId"),
                  call.PathValue("nodeId"), TextOf(created.record, "commentId")),
      reply);
}

Status PatchComment(Call& call, json::Writer& reply) {
  const TypedItem comment = TRY(OpenCommentOf(call));
  if (!IsCaller(call, TextOf(comment.record, "authorId"))) {
    return Forbidden("only the author of the comment may do this");
  }
  const Changes changes = TRY(platform::ItemChanges(call, kComment));
  design::WriteOptions options;
  options.rule = [](const Record& now, Changes&) -> Status {
    if (!IsTrue(now, "removed")) return Ok();
    return platform::ProblemError("conflict", "the comment was removed");
  };
  return platform::ReplyItem(
      call,
      TRY(platform::UpdateItem(call, kComment, CommentIdentity(call, call.PathValue("commentId")),
                               changes, std::move(options))),
      reply);
}

// A comment with replies stays as their place.
Status DeleteComment(Call& call, json::Writer& /*reply*/) {
  const TypedItem comment = TRY(CommentOf(call));
  if (!IsCaller(call, TextOf(comment.record, "authorId")) && !IsModerator(call)) {
    return Forbidden("only the author of the comment may do this");
  }
  const std::string& id = call.PathValue("commentId");
  if (!TRY(HasReplies(call, id))) {
    TRY(platform::DeleteItem(call, kComment, CommentIdentity(call, id)));
  } else {
    Changes changes;
    platform::SetText(changes, "text", kRemovedText);
    platform::SetBool(changes, "removed", true);
    TRY(platform::UpdateItem(call, kComment, CommentIdentity(call, id), changes));
  }
  return platform::ReplyNothing(call);
}

void CheckCommentVote(const Call& /*call*/, const Record& given,
                      std::vector<FieldFailure>& failures) {
  if (IntegerOf(given, "value") != 0) return;
  failures.push_back({.field = "value", .message = "must be 1 or -1", .code = "range"});
}

Status PutCommentVote(Call& call, json::Writer& reply) {
  const TypedItem comment = TRY(OpenCommentOf(call));
  if (IsCaller(call, TextOf(comment.record, "authorId"))) {
    return Forbidden("nobody votes on what they have written");
  }
  const auto number = IntegerOf(call.fields(), "value");
  Record vote = CommentVoteIdentity(call);
  vote.SetText("storyId", call.PathValue("storyId"));
  vote.SetText("nodeId", call.PathValue("nodeId"));
  platform::SetInteger(vote, "value", number.value_or(1));
  TRY(platform::UpsertItem(call, "CommentVote", CommentVoteIdentity(call), vote));
  return ReplyScore(call, reply);
}

Status DeleteCommentVote(Call& call, json::Writer& reply) {
  TRY(CommentOf(call));
  const auto deleted = platform::DeleteItem(call, "CommentVote", CommentVoteIdentity(call));
  if (!deleted.ok() && deleted.error().code() != ErrorCode::kResourceNotFound) {
    return deleted.error();
  }
  return ReplyScore(call, reply);
}

}  // namespace trestle::apps::stories
