// All that is known of one person: to show it to them, and to remove it.

#include <initializer_list>
#include <string>
#include <string_view>
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

constexpr std::uint32_t kListsPerStep = 5;

Record CommentIdentity(const Record& mirror) {
  return TextRecord({{"watchlistId", TextOf(mirror, "watchlistId")},
                     {"createdAt", TextOf(mirror, "createdAt")},
                     {"userId", TextOf(mirror, "userId")}});
}

Record AuditArguments(const std::string& sub) {
  return TextRecord(
      {{"actorId", sub}, {"from", "0000-01-01T00:00:00.000Z"}, {"to", "9999-12-31T23:59:59.999Z"}});
}

// The entity and the identity of a title that somebody has added.
struct AddedTitle {
  std::string_view entity;
  Record identity;
};
AddedTitle TitleOfMirror(const Record& mirror) {
  if (const auto movie = mirror.FindText("movieId")) {
    return {.entity = "Movie", .identity = TextRecord({{"movieId", *movie}})};
  }
  return {.entity = "Show", .identity = TextRecord({{"showId", TextOf(mirror, "showId")}})};
}

// Takes a name off what stays.
Status Forget(design::Runtime& runtime, const design::Entity& entity, const Record& identity,
              std::initializer_list<std::string_view> names) {
  design::Changes changes;
  for (const std::string_view name : names)
    platform::Remove(changes, name);
  design::WriteOptions options;
  options.is_maintenance = true;
  const auto updated = runtime.Update(entity, identity, changes, options);
  if (updated.ok() || updated.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return updated.error();
}

Status ForgetTitle(design::Runtime& runtime, const TypedItem& mirror) {
  const AddedTitle title = TitleOfMirror(mirror.record);
  return Forget(runtime, EntityOf(runtime, title.entity), title.identity,
                {"createdBy", "updatedBy"});
}

// Entries, which are else never deleted, and who had lists, which an index may still show.
Status RemoveAnyway(design::Runtime& runtime, const TypedItem& item) {
  const auto removed =
      runtime.Delete(item.kind.of(), platform::IdentityOf(item), {.is_maintenance = true});
  if (removed.ok() || removed.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return removed.error();
}

Status RemoveAct(design::Runtime& runtime, const TypedItem& entry) {
  TRY(ForgetActor(runtime, entry.record));
  return RemoveAnyway(runtime, entry);
}

}  // namespace

Status ForgetActor(design::Runtime& runtime, const Record& entry) {
  const std::string key = TextOf(entry, "entityKey");
  const std::size_t blank = key.find(' ');
  if (blank == std::string::npos) return Ok();
  const design::Table& table = runtime.model().table;
  const Record keys = TextRecord(
      {{table.partition_key, key.substr(0, blank)}, {table.sort_key, key.substr(blank + 1)}});
  const auto stored = TRY(runtime.backend().Get(
      {.table = runtime.table(), .key = keys.ToItem(), .is_consistent = true}));
  const auto item = stored ? runtime.Recognise(stored->view()) : std::nullopt;
  if (!item || item->kind.entity == nullptr ||
      TextOf(item->record, "updatedBy") != TextOf(entry, "actorId")) {
    return Ok();
  }
  const design::Entity& entity = *item->kind.entity;
  return Forget(runtime, entity, platform::IdentityOf(entity, item->record), {"updatedBy"});
}

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
  for (const TypedItem& mirror :
       TRY(platform::RunWhole(runtime, "titlesOfUser", TextRecord({{"createdBy", sub}})))) {
    const AddedTitle added = TitleOfMirror(mirror.record);
    const auto title = TRY(runtime.Get(EntityOf(runtime, added.entity), added.identity));
    if (title) TRY(visit(*title));
  }
  for (const TypedItem& entry :
       TRY(platform::RunWhole(runtime, "auditOfUser", AuditArguments(sub))))
    TRY(visit(entry));
  return Ok();
}

// Lists with all that is in them, then comments, then the profile, which takes saved lists,
// ratings, marks and the feed along. Titles stay: they are everybody's, and forget who added them.
// What others have changed in the profile goes last.
Result<JobStep> ErasePerson(const platform::Mount& mount, platform::JobState& job) {
  design::Runtime& runtime = *mount.runtime;
  constexpr auto kRemove = platform::DeleteIfThere;
  const Record user = TextRecord({{"userId", job.sub}});
  const platform::JobList lists[] = {
      {.access = "watchlistsByCurator",
       .arguments = TextRecord({{"curatorId", job.sub}}),
       .use = kRemove,
       .step_items = kListsPerStep},
      {"commentsOfUser", user, kRemove},
      {"titlesOfUser", TextRecord({{"createdBy", job.sub}}), ForgetTitle},
      {"getUser", user, RemoveAnyway},
      {"auditOfUser", AuditArguments(job.sub), RemoveAct},
      {"auditAbout", TextRecord({{"target", job.sub}}), RemoveAnyway}};
  const JobStep step = TRY(platform::UseLists(runtime, job, lists));
  if (step == JobStep::kEnd && mount.known != nullptr) mount.known->Remove(job.sub);
  return step;
}

}  // namespace trestle::apps::watch
