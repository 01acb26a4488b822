// All that is kept about one person.

#include <vector>

#include "apps/library/library_internal.h"
#include "platform/items.h"
#include "platform/jobs.h"
#include "platform/mount.h"
#include "platform/values.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

}  // namespace

Status VisitEverything(const platform::Mount& mount, const std::string& sub,
                       const platform::AppPeople::Visit& visit) {
  design::Runtime& runtime = *mount.runtime;
  const std::string me = OwnerIdOf(sub);
  const auto visit_all = [&](std::string_view access, const Record& arguments) -> Status {
    const std::vector<TypedItem> items = TRY(platform::RunWhole(runtime, access, arguments));
    for (const TypedItem& item : items)
      TRY(visit(item));
    return Ok();
  };
  const Record owner = TextRecord({{"OwnerId", me}});
  TRY(visit_all("getOwner", owner));
  const std::vector<TypedItem> libraries =
      TRY(platform::RunWhole(runtime, "librariesOfOwner", owner));
  for (const TypedItem& library : libraries) {
    TRY(visit(library));
    const Record of_library = LibraryIdentity(me, TextOf(library.record, "LibraryId"));
    TRY(visit_all("collectionsOfLibrary", of_library));
    TRY(visit_all("itemsOfLibrary", of_library));
    TRY(visit_all("historyOfLibrary", of_library));
  }
  TRY(visit_all("sharesOfOwner", TextRecord({{"SharedFromId", me}})));
  return visit_all("sharedLibraries", TextRecord({{"SharedToId", me}}));
}

// Libraries go with what is in them and with the pointers of others, because they are the owner's.
Result<platform::JobStep> Erase(const platform::Mount& mount, platform::JobState& job) {
  design::Runtime& runtime = *mount.runtime;
  constexpr auto kRemove = platform::DeleteIfThere;
  const std::string me = OwnerIdOf(job.sub);
  const Record owner = TextRecord({{"OwnerId", me}});
  const platform::JobList lists[] = {{"sharedLibraries", TextRecord({{"SharedToId", me}}),
                                      [](design::Runtime& of_app, const TypedItem& pointer) {
                                        return Leave(of_app, pointer.record, {});
                                      }},
                                     {"librariesOfOwner", owner, kRemove},
                                     {"sharesOfOwner", TextRecord({{"SharedFromId", me}}), kRemove},
                                     {"getOwner", owner, kRemove}};
  const platform::JobStep step = TRY(platform::UseLists(runtime, job, lists));
  if (step == platform::JobStep::kEnd && mount.known != nullptr) mount.known->Remove(job.sub);
  return step;
}

}  // namespace trestle::apps::library
