// Chapters as they are written: continued, changed, removed, and marked by the story's author.

#include <algorithm>

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
using platform::ProblemError;
using platform::TextOf;

constexpr std::string_view kRemovedText = "[removed]";

// A branch may be for fewer people than its story, never for more.
std::optional<FieldFailure> CheckRating(const Record& story, std::string_view rating) {
  if (rating.empty() || RatingRank(rating) >= RatingRank(TextOf(story, "ageRating"))) return {};
  return FieldFailure{
      .field = "ageRating",
      .message = fmt::format("must not be below the story's, {}", TextOf(story, "ageRating")),
      .code = "rating-lowered"};
}

Status CheckOpen(const Record& story) {
  if (TextOf(story, "status") != "COMPLETED" || IsTrue(story, "branchesWhenCompleted")) return Ok();
  return ProblemError("conflict", "the story is complete, and takes no more branches");
}

// A branch of the parent as it is now.
Result<Record> NewBranch(const Call& call, const Record& story, const Record& parent) {
  const std::int64_t depth = IntegerOf(parent, "depth").value_or(0) + 1;
  const std::int64_t order = StatOf(parent, "childCount");
  if (depth > kDepthMax) {
    return ProblemError("conflict", fmt::format("a story is at most {} deep", kDepthMax));
  }
  if (order >= kChildrenMax) {
    return ProblemError("conflict", fmt::format("a chapter has at most {} branches", kChildrenMax));
  }
  Record branch = call.fields();
  branch.SetText("storyId", call.PathValue("storyId"));
  branch.SetText("parentNodeId", call.PathValue("nodeId"));
  branch.SetText("authorId", call.sub());
  branch.SetText("editableUntil", EditableUntil(call.mount()));
  platform::SetBool(branch, "byStoryAuthor", TextOf(story, "authorId") == call.sub());
  platform::SetInteger(branch, "depth", depth);
  platform::SetInteger(branch, "order", order);
  return branch;
}

Status CheckEditable(const Call& call, const Record& chapter, const Record& story) {
  if (IsTrue(chapter, "removed")) return ProblemError("conflict", "the chapter was removed");
  // Nobody else has read a draft.
  if (TextOf(story, "status") == "DRAFT") return Ok();
  if (call.shared().edit_window_ms == 0) {
    if (StatOf(chapter, "childCount") == 0) return Ok();
    return ProblemError("edit-window-closed", "others have continued the chapter");
  }
  if (TextOf(chapter, "editableUntil") > TimeText(call.now_unix_ms())) return Ok();
  return ProblemError("edit-window-closed", "the time in which the chapter may be changed is over");
}

void CheckRatingOfEdit(const Record& now, const Record& next, const Record& story,
                       std::vector<FieldFailure>& failures) {
  const std::string rating = TextOf(next, "ageRating");
  const std::string before = TextOf(now, "ageRating");
  if (rating == before) return;
  const bool is_lower =
      !before.empty() && (rating.empty() || RatingRank(rating) < RatingRank(before));
  if (auto wrong = CheckRating(story, rating)) {
    failures.push_back(*std::move(wrong));
  } else if (is_lower) {
    failures.push_back(
        {.field = "ageRating", .message = "may only rise", .code = "rating-lowered"});
  }
}

// What others have continued stays as a place in the tree.
Status LeaveStub(Call& call) {
  Changes changes;
  platform::SetText(changes, "title", kRemovedText);
  platform::SetText(changes, "content", kRemovedText);
  platform::Remove(changes, "branchDescription");
  platform::SetBool(changes, "removed", true);
  TRY(platform::UpdateItem(call, "Chapter", ChapterIdentity(call), changes));
  return platform::ReplyNothing(call);
}

Status RemoveLeaf(Call& call, const Record& chapter) {
  Record arguments = ChapterIdentity(call);
  if (!IsTrue(chapter, "matchesVision")) {
    design::WriteOptions options;
    options.where = DeleteConditionOf(call, "removeBranch");
    TRY(platform::DeleteItem(call, "Chapter", arguments, std::move(options)));
  } else {
    arguments.SetText("parentNodeId", TextOf(chapter, "parentNodeId"));
    TRY(platform::RunOperation(call, "removeVisionBranch", arguments));
  }
  return platform::ReplyNothing(call);
}

}  // namespace

void CheckChapter(const Record& now, const Record& next, std::vector<FieldFailure>& failures) {
  const std::string content = TextOf(next, "content");
  const bool is_new = content != TextOf(now, "content") && !IsTrue(next, "removed");
  if (!is_new || CharacterCount(content) >= kContentCharactersMin) return;
  failures.push_back(
      {.field = "content",
       .message = fmt::format("must have at least {} characters", kContentCharactersMin),
       .code = "length"});
}

std::string EditableUntil(const Mount& mount) {
  return TimeText(mount.shared->clock->NowUnixMs() + mount.shared->edit_window_ms);
}

Status PostBranch(Call& call, json::Writer& reply) {
  const TypedItem seen = TRY(StoryOf(call));
  if (auto wrong = CheckRating(seen.record, TextOf(call.fields(), "ageRating"))) {
    return platform::FieldError(*std::move(wrong));
  }
  TRY(call.TakePublicWrite());
  for (int i = 0;; ++i) {
    const TypedItem story = TRY(StoryOf(call));
    const TypedItem parent = TRY(ChapterOf(call));
    TRY(CheckOpen(story.record));
    const Record branch = TRY(NewBranch(call, story.record, parent.record));
    const auto written = platform::RunOperation(call, "addBranch", branch);
    if (!written.ok()) {
      // Somebody else was faster, and has the place.
      const bool is_race = written.error().code() == ErrorCode::kConditionalCheckFailed;
      if (is_race && i < kTriesMax) continue;
      return written.error();
    }
    const auto created = std::ranges::find_if(*written, [&](const TypedItem& item) {
      return item.kind.entity->name == "Chapter" &&
             TextOf(item.record, "parentNodeId") == call.PathValue("nodeId");
    });
    return platform::ReplyCreated(call, *created,
                                  fmt::format("/stories/{}/chapters/{}", call.PathValue("storyId"),
                                              TextOf(created->record, "nodeId")),
                                  reply);
  }
}

Status PatchChapter(Call& call, json::Writer& reply) {
  const TypedItem story = TRY(StoryOf(call));
  const TypedItem chapter = TRY(ChapterOf(call));
  if (!IsCaller(call, TextOf(chapter.record, "authorId"))) {
    return Forbidden("only the author of the chapter may do this");
  }
  TRY(CheckEditable(call, chapter.record, story.record));
  const Changes changes = TRY(platform::ItemChanges(call, "Chapter"));
  design::WriteOptions options;
  options.rule = [&](const Record& now, Changes& /*wanted*/) {
    return CheckEditable(call, now, story.record);
  };
  options.fields = [&](const Record& now, const Record& next, auto& failures) {
    CheckRatingOfEdit(now, next, story.record, failures);
  };
  return platform::ReplyItem(call,
                             TRY(platform::UpdateItem(call, "Chapter", ChapterIdentity(call),
                                                      changes, std::move(options))),
                             reply);
}

Status DeleteChapter(Call& call, json::Writer& /*reply*/) {
  const TypedItem chapter = TRY(ChapterOf(call));
  const bool is_author = IsCaller(call, TextOf(chapter.record, "authorId"));
  if (!is_author && !IsModerator(call)) {
    return Forbidden("only the author of the chapter may do this");
  }
  const bool is_root = !chapter.record.Find("parentNodeId");
  const bool is_leaf = StatOf(chapter.record, "childCount") == 0;
  if (is_leaf && !is_root) {
    auto removed = RemoveLeaf(call, chapter.record);
    const bool is_overtaken = !removed.ok() && removed.error().details() == nullptr &&
                              removed.error().code() == ErrorCode::kConditionalCheckFailed;
    if (!is_overtaken) return removed;
  }
  if (IsModerator(call)) return LeaveStub(call);
  return ProblemError("conflict", is_root ? "a story keeps its first chapter"
                                          : "others have continued the chapter");
}

Status PutApproval(Call& call, json::Writer& reply) {
  TRY(OwnStoryOf(call));
  const Record& given = call.fields();
  for (int i = 0;; ++i) {
    const TypedItem chapter = TRY(ChapterOf(call));
    const Record& now = chapter.record;
    const auto parent = now.FindText("parentNodeId");
    if (!parent) return ProblemError("semantic", "the first chapter is no branch");
    const bool was_vision = IsTrue(now, "matchesVision");
    const bool is_vision = platform::BoolOf(given, "matchesVision").value_or(was_vision);
    Record arguments = ChapterIdentity(call);
    arguments.SetText("me", call.sub());
    platform::SetBool(
        arguments, "authorApproved",
        platform::BoolOf(given, "authorApproved").value_or(IsTrue(now, "authorApproved")));
    if (was_vision != is_vision) arguments.SetText("parentNodeId", *parent);
    const std::string_view operation = was_vision == is_vision ? "approveBranch"
                                       : is_vision             ? "markVision"
                                                               : "unmarkVision";
    const auto changed = platform::RunOperation(call, operation, arguments);
    if (changed.ok()) return platform::ReplyItem(call, changed->back(), reply);
    if (changed.error().code() != ErrorCode::kConditionalCheckFailed) return changed.error();
    const auto now_parent = TRY(FindChapter(call, *parent));
    const std::string vision = now_parent ? TextOf(now_parent->record, "visionChildId") : "";
    if (is_vision && !vision.empty() && vision != call.PathValue("nodeId")) {
      return ProblemError("conflict", "another branch of the chapter matches the vision already");
    }
    if (i >= kTriesMax) return changed.error();
  }
}

}  // namespace trestle::apps::stories
