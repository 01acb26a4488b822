// All that the app knows of one person, and how it is forgotten.

#include <array>
#include <vector>

#include "apps/stories/digest.h"
#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::Runtime;
using design::TypedItem;
using platform::JobList;
using platform::JobState;
using platform::JobStep;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kRemovedText = "[removed]";

struct Own {
  std::string_view access;
  std::string_view parameter;
};
// What only the person ever sees: it goes.
constexpr std::array kOwn = {
    Own{"bookmarksOfUser", "userId"},    Own{"votesOfUser", "userId"},
    Own{"readsOfUser", "userId"},        Own{"notificationsOfUser", "userId"},
    Own{"commentVotesOfUser", "userId"}, Own{"reportsOfUser", "reporterId"}};

// Gone meanwhile is as good as removed.
template <typename T>
Status Unless404(const Result<T>& result) {
  if (result.ok() || result.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return result.error();
}

Status ClearComment(Runtime& runtime, const TypedItem& found) {
  const design::Entity& entity = *runtime.model().FindEntity("StoryComment");
  Changes changes;
  platform::SetText(changes, "text", kRemovedText);
  platform::SetBool(changes, "removed", true);
  return Unless404(runtime.Update(entity, platform::IdentityOf(entity, found.record), changes));
}

// Stories that nobody else has continued go with all their chapters.
Status RemoveStory(Runtime& runtime, const TypedItem& found) {
  const auto removed = runtime.Run(*runtime.model().FindOperation("removeStory"),
                                   TextRecord({{"storyId", TextOf(found.record, "storyId")}}));
  if (!removed.ok() && removed.error().code() == ErrorCode::kConditionalCheckFailed) return Ok();
  return Unless404(removed);
}

// So do branches that nobody has continued.
Status RemoveBranch(Runtime& runtime, const TypedItem& item) {
  const Record& chapter = item.record;
  const auto parent = chapter.FindText("parentNodeId");
  if (!parent) return Ok();
  Record arguments =
      TextRecord({{"storyId", TextOf(chapter, "storyId")}, {"nodeId", TextOf(chapter, "nodeId")}});
  const bool is_vision = IsTrue(chapter, "matchesVision");
  if (is_vision) arguments.SetText("parentNodeId", *parent);
  const auto removed = runtime.Run(
      *runtime.model().FindOperation(is_vision ? "removeVisionBranch" : "removeBranch"), arguments);
  if (!removed.ok() && removed.error().code() == ErrorCode::kConditionalCheckFailed) return Ok();
  return Unless404(removed);
}

// The profile stays as a stub: its name is copied to what others have continued.
Status ClearProfile(const Mount& mount, const std::string& sub) {
  const design::Entity& entity = *mount.runtime->model().FindEntity("User");
  Changes changes;
  platform::SetText(changes, "displayName", "Deleted user");
  for (const std::string_view name : {"email", "bio", "profilePictureUrl"})
    platform::Remove(changes, name);
  platform::SetBool(changes, "erased", true);
  TRY(Unless404(mount.runtime->Update(entity, TextRecord({{"userId", sub}}), changes)));
  if (mount.known != nullptr) mount.known->Remove(sub);
  return Ok();
}

using Visit = platform::AppPeople::Visit;

Status VisitEntity(Runtime& runtime, std::string_view entity, const Record& found,
                   const Visit& visit) {
  const design::Entity& kind = *runtime.model().FindEntity(entity);
  const auto item = TRY(runtime.Get(kind, platform::IdentityOf(kind, found)));
  return item ? visit(*item) : Ok();
}

// Reports stay decided, and say no more by whom.
Status ForgetDecision(Runtime& runtime, const TypedItem& report) {
  const design::Entity& entity = *runtime.model().FindEntity("Report");
  Changes changes;
  platform::Remove(changes, "decidedBy");
  return Unless404(runtime.Update(entity, platform::IdentityOf(entity, report.record), changes,
                                  {.is_maintenance = true}));
}

}  // namespace

Status VisitPerson(const Mount& mount, const std::string& sub, const Visit& visit) {
  Runtime& runtime = *mount.runtime;
  const Record user = TextRecord({{"userId", sub}});
  TRY(VisitEntity(runtime, "User", user, visit));
  for (const Own& own : kOwn) {
    for (TypedItem& item :
         TRY(platform::RunWhole(runtime, own.access, TextRecord({{own.parameter, sub}})))) {
      // What a moderator thought of a report is the moderators' own.
      for (const std::string_view name : {"decidedBy", "note"})
        if (item.kind.kind().name == "Report") item.record.Remove(name);
      TRY(visit(item));
    }
  }
  for (const TypedItem& comment :
       TRY(platform::RunWhole(runtime, "commentsOfUser", TextRecord({{"authorId", sub}}))))
    TRY(VisitEntity(runtime, "StoryComment", comment.record, visit));
  for (const TypedItem& story : TRY(platform::RunWhole(runtime, "storiesOfUser", user)))
    TRY(VisitEntity(runtime, "Story", story.record, visit));
  for (const TypedItem& chapter : TRY(platform::RunWhole(runtime, "branchesOfUser", user)))
    TRY(visit(chapter));
  for (const TypedItem& decided :
       TRY(platform::RunWhole(runtime, "reportsDecidedBy", TextRecord({{"decidedBy", sub}})))) {
    const bool is_own = TextOf(decided.record, "reporterId") == sub;
    if (!is_own) TRY(VisitEntity(runtime, "Report", decided.record, visit));
  }
  for (const TypedItem& digest : TRY(DigestsOf(mount, sub)))
    TRY(visit(digest));
  return Ok();
}

// Drafts and what is written about others are not for open pages of others.
std::string OwnerOf(const TypedItem& item) {
  if (item.kind.entity == nullptr) return {};
  const std::string& entity = item.kind.entity->name;
  if (entity == "Story" || entity == "Chapter") return TextOf(item.record, "authorId");
  const bool is_own = entity == "Bookmark" || entity == "Notification" || entity == "User";
  return is_own ? TextOf(item.record, "userId") : std::string();
}

// The address is the account's, and so is the name unless the person has chosen another one here.
Status ChangeAccount(const Mount& mount, const platform::Person& person) {
  const design::Entity& entity = *mount.runtime->model().FindEntity("User");
  Changes changes;
  platform::SetText(changes, "email", person.email);
  design::WriteOptions options{.is_maintenance = true};
  options.rule = [&](const Record& now, Changes& wanted) -> Status {
    const bool is_same = !person.old_name.empty() && TextOf(now, "displayName") == person.old_name;
    if (is_same) platform::SetText(wanted, "displayName", person.name);
    if (IsTrue(now, "erased")) wanted.set.clear();
    return Ok();
  };
  return Unless404(
      mount.runtime->Update(entity, TextRecord({{"userId", person.sub}}), changes, options));
}

Result<JobStep> ErasePerson(const Mount& mount, JobState& job) {
  Runtime& runtime = *mount.runtime;
  constexpr auto kRemove = platform::DeleteIfThere;
  const Record user = TextRecord({{"userId", job.sub}});
  std::vector<JobList> lists;
  for (const Own& own : kOwn)
    lists.push_back({own.access, TextRecord({{own.parameter, job.sub}}), kRemove});
  lists.push_back({"commentsOfUser", TextRecord({{"authorId", job.sub}}), ClearComment});
  // Children before their parents.
  lists.push_back({"storiesOfUser", user, RemoveStory, true});
  lists.push_back({"branchesOfUser", user, RemoveBranch, true});
  // What others were told about the person.
  lists.push_back({"notificationsByUser", TextRecord({{"relatedUserId", job.sub}}), kRemove});
  lists.push_back({"reportsDecidedBy", TextRecord({{"decidedBy", job.sub}}), ForgetDecision});
  const JobStep step = TRY(platform::UseLists(runtime, job, lists));
  if (step != JobStep::kEnd) return step;
  TRY(ClearProfile(mount, job.sub));
  // From now on nobody puts them down.
  for (const TypedItem& digest : TRY(DigestsOf(mount, job.sub)))
    TRY(platform::DeleteIfThere(runtime, digest));
  return step;
}

}  // namespace trestle::apps::stories
