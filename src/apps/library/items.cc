// Books and videos.

#include "platform/items.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/library/library_internal.h"
#include "platform/pictures.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::library {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;

design::WriteOptions Taking(const std::function<Status()>& take) {
  design::WriteOptions options;
  options.check = [&take](const Record& /*next*/) { return take(); };
  return options;
}

Status PostItem(Call& call, std::string_view kind, json::Writer& reply) {
  TRY(OwnLibrary(call));
  Record item = TRY(platform::NewItem(call, kind));
  const std::string& library_id = call.PathValue("libraryId");
  item.SetText("OwnerId", OwnerIdOf(call));
  item.SetText("LibraryId", library_id);
  const std::string collection_id = TextOf(item, "CollectionId");
  const TypedItem created =
      TRY(collection_id.empty()
              ? platform::CreateItem(call, kind, item)
              : WriteInCollection(call.runtime(),
                                  {.owner_id = OwnerIdOf(call),
                                   .library_id = library_id,
                                   .collection_id = collection_id,
                                   .order = IntegerOf(item, "Order")},
                                  [&](std::int64_t order, const std::function<Status()>& take) {
                                    if (!item.Find("Order")) {
                                      Record placed = item;
                                      platform::SetInteger(placed, "Order", order);
                                      return platform::CreateItem(call, kind, placed, Taking(take));
                                    }
                                    return platform::CreateItem(call, kind, item, Taking(take));
                                  }));
  return platform::ReplyCreated(
      call, created,
      fmt::format("/libraries/{}/items/{}", library_id, TextOf(created.record, "ItemId")), reply);
}

std::string TextAfter(const Record& now, const Changes& changes, std::string_view name) {
  return TextOf(platform::RecordAfter(now, changes), name);
}

// Where changes put an item, if they do.
struct Move {
  Changes changes;
  std::string library_id;     // where it will be
  std::string collection_id;  // empty: in none
  bool is_new_place = false;  // in a collection that it was not in
  std::vector<design::WriteItem> together_with = {};
};

// An order that the changes do not name is the next one of the collection.
Result<TypedItem> Change(Call& call, const TypedItem& item, const Move& move) {
  const Record identity = ItemIdentity(item.record);
  const std::string& kind = KindOf(item);
  const auto order = IntegerOf(platform::RecordAfter(Record(), move.changes), "Order");
  // Without a collection there is no order either.
  const auto follow = [&](const Record& now, Changes& changes) -> Status {
    const bool is_alone = !platform::RecordAfter(now, changes).Find("CollectionId");
    if (is_alone && !order && now.Find("Order")) platform::Remove(changes, "Order");
    return Ok();
  };
  if (move.collection_id.empty() || (!move.is_new_place && !order)) {
    design::WriteOptions options;
    options.rule = follow;
    options.together_with = move.together_with;
    return platform::UpdateItem(call, kind, identity, move.changes, std::move(options));
  }
  return WriteInCollection(call.runtime(),
                           {.owner_id = TextOf(item.record, "OwnerId"),
                            .library_id = move.library_id,
                            .collection_id = move.collection_id,
                            .order = order},
                           [&](std::int64_t next, const std::function<Status()>& take) {
                             Changes changes = move.changes;
                             if (!order) platform::SetInteger(changes, "Order", next);
                             design::WriteOptions options = Taking(take);
                             options.together_with = move.together_with;
                             return platform::UpdateItem(call, kind, identity, changes,
                                                         std::move(options));
                           });
}

}  // namespace

Status PostBook(Call& call, json::Writer& reply) { return PostItem(call, "Book", reply); }

Status PostVideo(Call& call, json::Writer& reply) { return PostItem(call, "Video", reply); }

Status GetItem(Call& call, json::Writer& reply) {
  const TypedItem library = TRY(VisibleLibrary(call));
  return platform::ReplyItem(call, TRY(FindItem(call, TextOf(library.record, "OwnerId"))), reply);
}

Status PatchItem(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  Move move{.changes = TRY(platform::ItemChanges(call, KindOf(item))),
            .library_id = call.PathValue("libraryId")};
  move.collection_id = TextAfter(item.record, move.changes, "CollectionId");
  move.is_new_place =
      !move.collection_id.empty() && move.collection_id != TextOf(item.record, "CollectionId");
  return platform::ReplyItem(call, TRY(Change(call, item, move)), reply);
}

Status DeleteItem(Call& call, json::Writer& /*reply*/) {
  TRY(OwnLibrary(call));
  const TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  design::WriteOptions options;
  const bool may_be_lent = platform::BoolOf(call.arguments(), "force").value_or(false);
  if (!may_be_lent) options.where = ConditionOf(call.runtime(), "removeItem");
  const auto removed = platform::DeleteItem(call, KindOf(item), ItemIdentity(item.record), options);
  if (!removed.ok() && removed.error().code() == ErrorCode::kConditionalCheckFailed) {
    return platform::ProblemError("already-lent",
                                  "somebody has it; take it back first, or say force=true");
  }
  if (!removed.ok()) return removed.error();
  return platform::ReplyNothing(call);
}

Status MoveItem(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  const std::string library_id = TextOf(call.fields(), "libraryId");
  const std::string collection_id = TextOf(call.fields(), "collectionId");
  TRY(platform::GetItem(call, "Library", LibraryIdentity(OwnerIdOf(call), library_id)));
  Move move{.changes = {},
            .library_id = library_id,
            .collection_id = collection_id,
            .is_new_place = !collection_id.empty()};
  platform::SetText(move.changes, "LibraryId", library_id);
  if (collection_id.empty()) {
    platform::Remove(move.changes, "CollectionId");
  } else {
    platform::SetText(move.changes, "CollectionId", collection_id);
  }
  if (library_id != call.PathValue("libraryId")) {
    Record there = ItemIdentity(item.record);
    there.SetText("LibraryId", library_id);
    design::WriteOptions options;
    TRY(platform::MovePicture(call.mount(), {.item = item, .identity = there}, move.changes,
                              options));
    move.together_with = std::move(options.together_with);
  }
  const TypedItem moved = TRY(Change(call, item, move));
  call.AddHeader("Location",
                 fmt::format("{}/libraries/{}/items/{}", platform::MountPath(call.app()),
                             library_id, TextOf(moved.record, "ItemId")));
  return platform::ReplyItem(call, moved, reply);
}

}  // namespace trestle::apps::library
