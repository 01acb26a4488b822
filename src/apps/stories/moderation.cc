// Reports, and what moderators do about them.

#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
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

// Who has decided, by their ids.
using Names = std::map<std::string, std::string, std::less<>>;

Status ReadDeciders(const Call& call, std::span<const TypedItem> reports, Names& names) {
  std::vector<Record> wanted;
  wanted.reserve(reports.size());
  for (const TypedItem& report : reports) {
    const auto decider = report.record.FindText("decidedBy");
    if (decider) wanted.push_back(TextRecord({{"userId", *decider}}));
  }
  for (const TypedItem& person : TRY(platform::GetMany(call.runtime(), "User", wanted)))
    names[TextOf(person.record, "userId")] = TextOf(person.record, "displayName");
  return Ok();
}

// A report that is open again was not decided.
Changes Decision(const Call& call) {
  Changes changes;
  const std::string state = TextOf(call.fields(), "state");
  platform::SetText(changes, "state", state);
  if (state == "OPEN") {
    for (const std::string_view name : {"decidedBy", "decidedAt", "note"})
      platform::Remove(changes, name);
    return changes;
  }
  platform::SetText(changes, "decidedBy", call.sub());
  platform::SetText(changes, "decidedAt", TimeText(call.now_unix_ms()));
  const std::string note = TextOf(call.fields(), "note");
  if (note.empty()) {
    platform::Remove(changes, "note");
  } else {
    platform::SetText(changes, "note", note);
  }
  return changes;
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
  Names names;
  const platform::ListOptions options{.prepare = [&](std::span<const TypedItem> reports) -> Status {
                                        return ReadDeciders(call, reports, names);
                                      },
                                      .write =
                                          [&](const TypedItem& report, json::Writer& writer) {
                                            writer.BeginObject();
                                            platform::WriteItemMembers(call, report, writer);
                                            const auto decider =
                                                names.find(TextOf(report.record, "decidedBy"));
                                            if (decider != names.end())
                                              WriteText("decidedByName", decider->second, writer);
                                            writer.EndObject();
                                          }};
  return platform::ReplyList(call, "reportsByState",
                             TextRecord({{"state", TextOf(call.arguments(), "state")}}), options,
                             reply);
}

Status DecideReport(Call& call, json::Writer& reply) {
  const Record identity = TextRecord({{"reporterId", call.PathValue("reporterId")},
                                      {"targetType", call.PathValue("targetType")},
                                      {"targetId", call.PathValue("targetId")}});
  TRY(platform::GetItem(call, "Report", identity));
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "Report", identity, Decision(call))), reply);
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
