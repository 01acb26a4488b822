// Reports, and what moderators do about them.

#include <fmt/format.h>

#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using platform::TextOf;
using platform::TextRecord;

Error NoTarget() {
  return platform::FieldError({.field = "targetId",
                               .message = "must be something that the caller can see",
                               .code = "not-found"});
}

// Whether what is reported is there, and the caller may see it.
Status CheckTarget(const Call& call, const Record& given) {
  const std::string type = TextOf(given, "targetType");
  const std::string target = TextOf(given, "targetId");
  const auto exists = [&](std::string_view entity, const Record& identity) -> Status {
    const auto found = call.runtime().Get(platform::EntityNamed(call, entity), identity);
    return found.ok() && *found ? Ok() : Status(NoTarget());
  };
  if (type == "USER") return exists("User", TextRecord({{"userId", target}}));
  const std::string story_id = type == "STORY" ? target : TextOf(given, "storyId");
  const auto story = platform::GetItem(call, "Story", TextRecord({{"storyId", story_id}}));
  if (!story.ok() || !MaySeeStory(call, story->record)) return NoTarget();
  if (type == "CHAPTER") {
    return exists("Chapter", TextRecord({{"storyId", story_id}, {"nodeId", target}}));
  }
  if (type == "COMMENT") {
    return exists("StoryComment", TextRecord({{"storyId", story_id},
                                              {"nodeId", TextOf(given, "nodeId")},
                                              {"commentId", target}}));
  }
  return Ok();
}

Status SetHidden(Call& call, std::string_view entity, const Record& identity, json::Writer& reply) {
  const bool is_hidden = platform::BoolOf(call.fields(), "hidden").value_or(true);
  Changes changes;
  platform::SetBool(changes, "hidden", is_hidden);
  if (entity == "Story") {
    const auto reason = call.fields().FindText("reason");
    if (is_hidden && reason) {
      platform::SetText(changes, "hiddenReason", *reason);
    } else {
      platform::Remove(changes, "hiddenReason");
    }
  }
  return platform::ReplyItem(call, TRY(platform::UpdateItem(call, entity, identity, changes)),
                             reply);
}

}  // namespace

void CheckReport(const Call& /*call*/, const Record& given, std::vector<FieldFailure>& failures) {
  const std::string type = TextOf(given, "targetType");
  for (const std::string_view name : {"storyId", "nodeId"}) {
    const bool is_needed = type == "COMMENT" || (type == "CHAPTER" && name == "storyId");
    if (!is_needed || given.Find(name)) continue;
    failures.push_back({.field = std::string(name),
                        .message = "is needed to find what is reported",
                        .code = "required"});
  }
}

Status PostReport(Call& call, json::Writer& reply) {
  TRY(CheckTarget(call, call.fields()));
  Record report = call.fields();
  report.SetText("reporterId", call.sub());
  TRY(call.TakePublicWrite());
  call.SetStatus(201);
  return platform::ReplyItem(call, TRY(platform::CreateItem(call, "Report", report)), reply);
}

Status ListReports(Call& call, json::Writer& reply) {
  return platform::ReplyList(call, "reportsByState",
                             TextRecord({{"state", TextOf(call.arguments(), "state")}}), {}, reply);
}

Status DecideReport(Call& call, json::Writer& reply) {
  Changes changes;
  platform::SetText(changes, "state", TextOf(call.fields(), "state"));
  platform::SetText(changes, "decidedBy", call.sub());
  const Record identity = TextRecord({{"reporterId", call.PathValue("reporterId")},
                                      {"targetType", call.PathValue("targetType")},
                                      {"targetId", call.PathValue("targetId")}});
  TRY(platform::GetItem(call, "Report", identity));
  return platform::ReplyItem(call, TRY(platform::UpdateItem(call, "Report", identity, changes)),
                             reply);
}

Status HideStory(Call& call, json::Writer& reply) {
  TRY(StoryOf(call));
  return SetHidden(call, "Story", StoryIdentity(call), reply);
}

Status HideChapter(Call& call, json::Writer& reply) {
  TRY(ChapterOf(call));
  return SetHidden(call, "Chapter", ChapterIdentity(call), reply);
}

Status HideComment(Call& call, json::Writer& reply) {
  TRY(ChapterOf(call));
  Record identity = ChapterIdentity(call);
  identity.SetText("commentId", call.PathValue("commentId"));
  TRY(platform::GetItem(call, "StoryComment", identity));
  return SetHidden(call, "StoryComment", identity, reply);
}

}  // namespace trestle::apps::stories
