#include "apps/library/account.h"

#include <vector>

#include "apps/library/library_internal.h"
#include "platform/items.h"
#include "platform/mount.h"
#include "platform/values.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

// What went meanwhile needs no new address; what has it already is not written again.
template <typename Written>
Status UnlessGone(const Result<Written>& written) {
  if (written.ok() || written.error().code() == ErrorCode::kResourceNotFound ||
      written.error().code() == ErrorCode::kConditionalCheckFailed) {
    return Ok();
  }
  return written.error();
}

}  // namespace

// The address is the account's, and so is the name unless the person has chosen another one here.
Status FollowAccount(const platform::Mount& mount, const platform::Person& person) {
  design::Runtime& runtime = *mount.runtime;
  const std::string me = OwnerIdOf(person.sub);
  design::Changes changes;
  platform::SetText(changes, "Email", person.email);
  design::WriteOptions options{.is_maintenance = true};
  options.rule = [&](const Record& now, design::Changes& wanted) -> Status {
    const bool is_same = !person.old_name.empty() && TextOf(now, "OwnerName") == person.old_name;
    if (is_same) platform::SetText(wanted, "OwnerName", person.name);
    return Ok();
  };
  TRY(UnlessGone(runtime.Update(*runtime.model().FindEntity("Owner"), TextRecord({{"OwnerId", me}}),
                                changes, options)));
  const std::vector<TypedItem> pointers =
      TRY(platform::RunWhole(runtime, "sharedLibraries", TextRecord({{"SharedToId", me}})));
  for (const TypedItem& pointer : pointers) {
    const std::string before = TextOf(pointer.record, "SharedToEmail");
    if (before == person.email) continue;
    TRY(UnlessGone(runtime.Run(*runtime.model().FindOperation("moveShare"),
                               TextRecord({{"SharedToId", me},
                                           {"LibraryId", TextOf(pointer.record, "LibraryId")},
                                           {"SharedFromId", TextOf(pointer.record, "SharedFromId")},
                                           {"before", before},
                                           {"email", person.email}}))));
  }
  return Ok();
}

}  // namespace trestle::apps::library
