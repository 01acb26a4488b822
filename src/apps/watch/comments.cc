// Comments on watchlists.

#include <string>

#include <fmt/format.h>

#include "apps/watch/rules.h"
#include "apps/watch/watch_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

// The comment that the path names.
Result<TypedItem> CommentOf(const Call& call) {
  const auto name = ReadToken(call.PathValue("token"));
  if (!name) return platform::NotFound("Comment");
  return platform::GetItem(call, "Comment",
                           TextRecord({{"watchlistId", call.PathValue("id")},
                                       {"createdAt", name->created_at},
                                       {"userId", name->user_id}}));
}

std::string TextOfBody(const Call& call) {
  return std::string(text::Trim(TextOf(call.fields(), "commentText")));
}

}  // namespace

void CheckComment(const Call& /*call*/, const Record& given, std::vector<FieldFailure>& failures) {
  const auto text = given.FindText("commentText");
  if (!text || !text::Trim(*text).empty()) return;
  failures.push_back({.field = "commentText", .message = "must not be empty", .code = "length"});
}

void AddToComment(const Call& /*call*/, const TypedItem& comment, json::Writer& writer) {
  WriteText("token",
            TokenOf({.created_at = TextOf(comment.record, "createdAt"),
                     .user_id = TextOf(comment.record, "userId")}),
            writer);
}

Status ListComments(Call& call, json::Writer& reply) {
  TRY(VisibleList(call));
  Names names(call.runtime());
  const auto write = [&](const TypedItem& comment, json::Writer& writer) {
    writer.BeginObject();
    platform::WriteItemMembers(call, comment, writer);
    const std::string& name = names.Of(TextOf(comment.record, "userId"));
    if (!name.empty()) WriteText("username", name, writer);
    writer.EndObject();
  };
  return platform::ReplyList(call, "commentsOfWatchlist",
                             TextRecord({{"watchlistId", call.PathValue("id")}}),
                             {.is_descending = true, .write = write}, reply);
}

Status PostComment(Call& call, json::Writer& reply) {
  const TypedItem list = TRY(VisibleList(call));
  const bool may_write = platform::BoolOf(list.record, "isPublic").value_or(false) ||
                         IsCaller(call, TextOf(list.record, "curatorId"));
  if (!may_write) return ProblemError("forbidden", "the list is private");
  TRY(call.TakePublicWrite());
  Record comment = TextRecord({{"watchlistId", call.PathValue("id")}, {"userId", call.sub()}});
  comment.SetText("commentText", TextOfBody(call));
  auto written = platform::RunOperation(call, "addComment", comment);
  if (!written.ok() && written.error().code() == ErrorCode::kConditionalCheckFailed) {
    return platform::NotFound("Watchlist");  // it became private a moment ago
  }
  const std::vector<TypedItem> items = TRY(std::move(written));
  const TypedItem& created = PickItem(items, "Comment");
  const std::string token = TokenOf({.created_at = TextOf(created.record, "createdAt"),
                                     .user_id = TextOf(created.record, "userId")});
  return platform::ReplyCreated(
      call, created, fmt::format("/watchlists/{}/comments/{}", call.PathValue("id"), token), reply);
}

Status PatchComment(Call& call, json::Writer& reply) {
  TRY(VisibleList(call));
  const TypedItem comment = TRY(CommentOf(call));
  if (!IsCaller(call, TextOf(comment.record, "userId"))) {
    return ProblemError("forbidden", "the comment is somebody else's");
  }
  Changes changes;
  platform::SetText(changes, "commentText", TextOfBody(call));
  platform::SetText(changes, "updatedAt", NowText(call));
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "Comment", platform::IdentityOf(comment), changes)),
      reply);
}

Status DeleteComment(Call& call, json::Writer& /*reply*/) {
  const TypedItem comment = TRY(CommentOf(call));
  // Authors take back what they wrote, also where they may not look any more.
  if (!IsCaller(call, TextOf(comment.record, "userId"))) {
    const TypedItem list = TRY(VisibleList(call));
    if (!IsAdmin(call) && !IsCaller(call, TextOf(list.record, "curatorId"))) {
      return ProblemError("forbidden", "only its author, the curator and administrators may");
    }
  }
  TRY(platform::DeleteItem(call, "Comment", platform::IdentityOf(comment)));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::watch
