// Owners and their libraries.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/library/library_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/collation.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

Record OwnerIdentity(const Call& call) { return TextRecord({{"OwnerId", OwnerIdOf(call)}}); }

// Libraries that are shared with the caller, and who shares them by the libraries' ids.
struct SharedWithMe {
  std::vector<TypedItem> libraries;
  std::map<std::string, std::string> names;
};
Result<SharedWithMe> SharedWith(const Call& call) {
  const std::vector<TypedItem> pointers = TRY(platform::RunWhole(
      call.runtime(), "sharedLibraries", TextRecord({{"SharedToId", OwnerIdOf(call)}})));
  SharedWithMe shared;
  shared.libraries.reserve(pointers.size());
  for (const TypedItem& pointer : pointers) {
    const std::string library_id = TextOf(pointer.record, "LibraryId");
    auto library = platform::GetItem(
        call, "Library", LibraryIdentity(TextOf(pointer.record, "SharedFromId"), library_id));
    if (library.ok()) {
      shared.libraries.push_back(*std::move(library));
      shared.names[library_id] = TextOf(pointer.record, "SharedFromName");
    } else if (library.error().code() != ErrorCode::kResourceNotFound) {
      return library.error();
    } else {
      // Its library went in a way that took no pointers along.
      const auto removed = call.runtime().Delete(
          platform::EntityNamed(call, "SharedLibrary"),
          TextRecord({{"SharedToId", OwnerIdOf(call)}, {"LibraryId", library_id}}));
      if (!removed.ok() && removed.error().code() != ErrorCode::kResourceNotFound) {
        return removed.error();
      }
    }
  }
  return shared;
}

}  // namespace

Status GetMe(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(platform::GetItem(call, "Owner", OwnerIdentity(call))),
                             reply);
}

Status PatchMe(Call& call, json::Writer& reply) {
  const design::Changes changes = TRY(platform::ItemChanges(call, "Owner"));
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "Owner", OwnerIdentity(call), changes)), reply);
}

Status ListLibraries(Call& call, json::Writer& reply) {
  const std::string scope = TextOf(call.arguments(), "scope");
  std::vector<TypedItem> libraries;
  if (scope != "shared") {
    libraries = TRY(platform::RunWhole(call.runtime(), "librariesByName", OwnerIdentity(call)));
  }
  SharedWithMe shared;
  if (scope != "own") shared = TRY(SharedWith(call));
  std::ranges::move(shared.libraries, std::back_inserter(libraries));
  return platform::ReplySorted(
      call, libraries,
      [&](const TypedItem& library) {
        return (IsOwn(call, library.record) ? "0" : "1") +
               text::CollationKey(TextOf(library.record, "LibraryName"));
      },
      {.write =
           [&](const TypedItem& library, json::Writer& writer) {
             const auto name = shared.names.find(TextOf(library.record, "LibraryId"));
             call.facts().SetText("SharedFromName", name == shared.names.end() ? "" : name->second);
             platform::WriteItem(call, library, writer);
           }},
      reply);
}

Status PostLibrary(Call& call, json::Writer& reply) {
  Record library = TRY(platform::NewItem(call, "Library"));
  library.SetText("OwnerId", OwnerIdOf(call));
  auto added = platform::RunOperation(call, "addLibrary", library);
  if (!added.ok() && added.error().code() == ErrorCode::kConditionalCheckFailed) {
    return platform::ProblemError("semantic", "nobody has more than 100 libraries");
  }
  const std::vector<TypedItem> items = TRY(std::move(added));
  const auto created = std::ranges::find(items, "Library", KindOf);
  return platform::ReplyCreated(call, *created,
                                "/libraries/" + TextOf(created->record, "LibraryId"), reply);
}

Status GetLibrary(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(VisibleLibrary(call)), reply);
}

Status PatchLibrary(Call& call, json::Writer& reply) {
  const TypedItem library = TRY(OwnLibrary(call));
  const design::Changes changes = TRY(platform::ItemChanges(call, "Library"));
  const Record identity = LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId"));
  return platform::ReplyItem(call, TRY(platform::UpdateItem(call, "Library", identity, changes)),
                             reply);
}

Status DeleteLibrary(Call& call, json::Writer& /*reply*/) {
  TRY(OwnLibrary(call));
  design::WriteOptions options;
  const bool may_be_shared = platform::BoolOf(call.arguments(), "unshare").value_or(false);
  if (!may_be_shared) options.where = ConditionOf(call.runtime(), "removeLibrary");
  const auto removed = platform::DeleteItem(
      call, "Library", LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId")), options);
  if (!removed.ok() && removed.error().code() == ErrorCode::kConditionalCheckFailed) {
    return platform::ProblemError("still-shared",
                                  "the library is shared; unshare it first, or say unshare=true");
  }
  if (!removed.ok()) return removed.error();
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::library
