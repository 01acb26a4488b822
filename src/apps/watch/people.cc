// All that is known of one person: to show it to them, and to remove it.

#include <string>
#include <vector>

#include "apps/watch/watch_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Record;
using design::TypedItem;
using platform::JobStep;
using platform::TextOf;
using platform::TextRecord;

constexpr std::size_t kListsPerStep = 5;
constexpr std::size_t kItemsPerStep = 100;

Record CommentIdentity(const Record& mirror) {
  return TextRecord({{"watchlistId", TextOf(mirror, "watchlistId")},
                     {"createdAt", TextOf(mirror, "createdAt")},
                     {"userId", TextOf(mirror, "userId")}});
}

Record AuditArguments(const std::string& sub) {
  return TextRecord(
      {{"actorId", sub}, {"from", "0000-01-01T00:00:00.000Z"}, {"to", "9999-12-31T23:59:59.999Z"}});
}

Result<std::vector<TypedItem>> FirstOf(design::Runtime& runtime, std::string_view access,
                                       const Record& arguments, std::size_t items_max) {
  design::PageOptions options;
  options.limit = static_cast<std::uint32_t>(items_max);
  return TRY(runtime.Run(*runtime.model().FindAccess(access), arguments, options)).items;
}

// What is gone already is fine.
Status Remove(design::Runtime& runtime, std::string_view entity, const Record& identity,
              const design::WriteOptions& options = {}) {
  const auto deleted = runtime.Delete(EntityOf(runtime, entity), identity, options);
  if (deleted.ok() || deleted.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return deleted.error();
}

// Each says whether there was something to remove.
Result<bool> RemoveLists(design::Runtime& runtime, platform::JobState& job) {
  const auto lists = TRY(
      FirstOf(runtime, "watchlistsByCurator", TextRecord({{"curatorId", job.sub}}), kListsPerStep));
  for (const TypedItem& list : lists) {
    TRY(Remove(runtime, "Watchlist",
               TextRecord({{"watchlistId", TextOf(list.record, "watchlistId")}})));
    ++job.done;
  }
  return !lists.empty();
}

Result<bool> RemoveComments(design::Runtime& runtime, platform::JobState& job) {
  const auto comments =
      TRY(FirstOf(runtime, "commentsOfUser", TextRecord({{"userId", job.sub}}), kItemsPerStep));
  for (const TypedItem& comment : comments) {
    TRY(Remove(runtime, "Comment", CommentIdentity(comment.record)));
    ++job.done;
  }
  return !comments.empty();
}

Result<bool> RemoveAudit(design::Runtime& runtime, platform::JobState& job) {
  const auto entries = TRY(FirstOf(runtime, "auditOfUser", AuditArguments(job.sub), kItemsPerStep));
  design::WriteOptions options;
  options.is_maintenance = true;  // entries are else never deleted
  for (const TypedItem& entry : entries) {
    TRY(Remove(runtime, "AuditEntry",
               TextRecord({{"actorId", job.sub},
                           {"at", TextOf(entry.record, "at")},
                           {"entryId", TextOf(entry.record, "entryId")}}),
               options));
    ++job.done;
  }
  return !entries.empty();
}

}  // namespace

std::string OwnerOf(const TypedItem& item) {
  return TextOf(item.record, IsOf(item, "Watchlist") ? "curatorId" : "userId");
}

Status VisitPerson(const platform::Mount& mount, const std::string& sub,
                   const platform::AppPeople::Visit& visit) {
  design::Runtime& runtime = *mount.runtime;
  const Record user = TextRecord({{"userId", sub}});
  if (const auto profile = TRY(runtime.Get(EntityOf(runtime, "User"), user))) TRY(visit(*profile));
  for (const TypedItem& list :
       TRY(platform::RunWhole(runtime, "watchlistsByCurator", TextRecord({{"curatorId", sub}})))) {
    TRY(visit(list));
    for (const TypedItem& item :
         TRY(platform::RunWhole(runtime, "watchlistItems",
                                TextRecord({{"watchlistId", TextOf(list.record, "watchlistId")}}))))
      TRY(visit(item));
  }
  for (const std::string_view access :
       {"savedWatchlists", "ratingsOfUser", "watchedOfUser", "feedOfUser"})
    for (const TypedItem& item : TRY(platform::RunWhole(runtime, access, user)))
      TRY(visit(item));
  for (const TypedItem& mirror : TRY(platform::RunWhole(runtime, "commentsOfUser", user))) {
    const auto comment =
        TRY(runtime.Get(EntityOf(runtime, "Comment"), CommentIdentity(mirror.record)));
    if (comment) TRY(visit(*comment));
  }
  for (const TypedItem& entry :
       TRY(platform::RunWhole(runtime, "auditOfUser", AuditArguments(sub))))
    TRY(visit(entry));
  return Ok();
}

// Lists with all that is in them, then comments, then the profile, which takes saved lists,
// ratings, marks and the feed along. Titles stay: they are everybody's.
Result<JobStep> ErasePerson(const platform::Mount& mount, platform::JobState& job) {
  design::Runtime& runtime = *mount.runtime;
  if (TRY(RemoveLists(runtime, job))) return JobStep::kMore;
  if (TRY(RemoveComments(runtime, job))) return JobStep::kMore;
  TRY(Remove(runtime, "User", TextRecord({{"userId", job.sub}})));
  if (TRY(RemoveAudit(runtime, job))) return JobStep::kMore;
  if (mount.known != nullptr) mount.known->Remove(job.sub);
  return JobStep::kEnd;
}

}  // namespace trestle::apps::watch
