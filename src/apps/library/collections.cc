// Collections, and the order of what is in them.

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "apps/library/library_internal.h"
#include "design/syntax/tree.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/collation.h"
#include "value/item.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::FieldError;
using platform::TextOf;

Record Identity(const Call& call) {
  Record identity = LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId"));
  identity.SetText("CollectionId", call.PathValue("collectionId"));
  return identity;
}

Error NameTaken() {
  return platform::ProblemError("collection-name-taken",
                                "the library has a collection of this name");
}

bool IsTaken(const Error& error) {
  return error.code() == ErrorCode::kConditionalCheckFailed ||
         (error.details() != nullptr && error.details()->name == "already-exists");
}

// A transaction has at most 100 actions; more items than that change some together after others.
constexpr std::size_t kTogetherMax = 100;
constexpr int kTriesMax = 5;

using Orders = std::map<std::string, std::int64_t>;  // by item

// {"items": [{"id": "…", "order": 1}]}, as far as it is right.
struct Wanted {
  std::string id;
  std::int64_t order = 0;
};
std::vector<Wanted> WantedOf(const Record& given) {
  std::vector<Wanted> wanted;
  const auto items = given.Find("items");
  const bool is_list = items && items->type() == value::Type::kL;
  std::string_view rest = is_list ? items->contents() : std::string_view();
  while (!rest.empty()) {
    Record element;
    element.Set("item", std::string(value::TakeValue(rest).bytes()));
    const Record item = platform::RecordAt(element, "item");
    wanted.push_back(
        {.id = TextOf(item, "id"), .order = platform::IntegerOf(item, "order").value_or(0)});
  }
  return wanted;
}

Orders OrdersOf(const Call& call) {
  Orders orders;
  for (const Wanted& wanted : WantedOf(call.fields()))
    orders.emplace(wanted.id, wanted.order);
  return orders;
}

// The items of the collection that shall get another order.
Result<std::vector<TypedItem>> ItemsToMove(const Call& call, const Orders& orders) {
  std::vector<TypedItem> items;
  items.reserve(orders.size());
  for (const auto& [id, order] : orders) {
    Record identity = LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId"));
    identity.SetText("ItemId", id);
    auto found = platform::RunAccess(call, "getItem", identity);
    const bool is_no_id = !found.ok() && found.error().code() == ErrorCode::kValidation;
    if (!found.ok() && !is_no_id) return found.error();
    const bool is_member =
        found.ok() && !found->items.empty() &&
        TextOf(found->items.front().record, "CollectionId") == call.PathValue("collectionId");
    if (!is_member) {
      return FieldError({.field = "/items",
                         .message = fmt::format("{} is not in the collection", id),
                         .code = "unknown"});
    }
    items.push_back(found->items.front());
  }
  return items;
}

// Gives items their orders in one transaction. kConditionalCheckFailed or kResourceNotFound when
// one of them is no longer in the collection.
Result<std::vector<TypedItem>> PlaceTogether(const Call& call, std::span<const TypedItem> items,
                                             const Orders& orders) {
  design::Operation all = *call.runtime().model().FindOperation("placeItem");
  const design::Step one = all.steps.front();
  all.steps.clear();
  Record arguments = ItemIdentity(items.front().record);
  arguments.SetText("collection", call.PathValue("collectionId"));
  platform::SetInteger(arguments, "Order", 1);
  for (const TypedItem& item : items) {
    const std::string id = TextOf(item.record, "ItemId");
    design::Step step = one;
    auto& update = std::get<design::syntax::UpdateStep>(step.is);
    update.item.arguments.back().is = design::syntax::Text{.text = id};
    std::get<design::syntax::Assign>(update.changes.front()).value = design::syntax::Value{
        .is = design::syntax::Number{.digits = std::to_string(orders.at(id))}};
    all.steps.push_back(std::move(step));
  }
  return call.runtime().Run(all, arguments);
}

// The items, some together, where the collection's last order is at least the highest of theirs.
Status SetOrders(const Call& call, std::span<const TypedItem> items, const Orders& orders) {
  std::int64_t highest = 0;
  for (const TypedItem& item : items)
    highest = std::max(highest, orders.at(TextOf(item.record, "ItemId")));
  const auto moved = WriteInCollection(
      call.runtime(),
      {.owner_id = OwnerIdOf(call),
       .library_id = call.PathValue("libraryId"),
       .collection_id = call.PathValue("collectionId"),
       .order = highest},
      [&](std::int64_t /*order*/, const std::function<Status()>& take) -> Result<TypedItem> {
        TRY(take());
        return TRY(PlaceTogether(call, items, orders)).front();
      });
  return moved.ok() ? Ok() : Status(moved.error());
}

}  // namespace

Status ListCollections(Call& call, json::Writer& reply) {
  const TypedItem library = TRY(VisibleLibrary(call));
  const std::vector<TypedItem> collections = TRY(platform::RunWhole(
      call.runtime(), "collectionsOfLibrary",
      LibraryIdentity(TextOf(library.record, "OwnerId"), call.PathValue("libraryId"))));
  return platform::ReplySorted(
      call, collections,
      [](const TypedItem& collection) {
        return text::CollationKey(TextOf(collection.record, "Name"));
      },
      {}, reply);
}

Status PostCollection(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  Record collection = TRY(platform::NewItem(call, "Collection"));
  collection.SetText("OwnerId", OwnerIdOf(call));
  collection.SetText("LibraryId", call.PathValue("libraryId"));
  const auto created = platform::CreateItem(call, "Collection", collection);
  if (!created.ok()) return IsTaken(created.error()) ? NameTaken() : created.error();
  return platform::ReplyCreated(
      call, *created,
      fmt::format("/libraries/{}/collections/{}", call.PathValue("libraryId"),
                  TextOf(created->record, "CollectionId")),
      reply);
}

Status GetCollection(Call& call, json::Writer& reply) {
  const TypedItem library = TRY(VisibleLibrary(call));
  return platform::ReplyItem(call, TRY(FindCollection(call, TextOf(library.record, "OwnerId"))),
                             reply);
}

Status PatchCollection(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const design::Changes changes = TRY(platform::ItemChanges(call, "Collection"));
  const auto changed = platform::UpdateItem(call, "Collection", Identity(call), changes);
  if (!changed.ok()) return IsTaken(changed.error()) ? NameTaken() : changed.error();
  return platform::ReplyItem(call, *changed, reply);
}

Status DeleteCollection(Call& call, json::Writer& /*reply*/) {
  TRY(OwnLibrary(call));
  TRY(platform::DeleteItem(call, "Collection", Identity(call)));
  return platform::ReplyNothing(call);
}

void CheckOrders(const Call& /*call*/, const Record& given, std::vector<FieldFailure>& failures) {
  std::set<std::string> ids;
  std::set<std::int64_t> orders;
  const std::vector<Wanted> wanted = WantedOf(given);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool is_new = ids.insert(wanted[i].id).second;
    if (orders.insert(wanted[i].order).second && is_new) continue;
    failures.push_back({.field = fmt::format("items[{}]", i),
                        .message = "repeats an item or an order",
                        .code = "repeated"});
  }
}

Status PutOrder(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  TRY(FindCollection(call, OwnerIdOf(call)));
  const Orders orders = OrdersOf(call);
  for (int i = 0; !orders.empty(); ++i) {
    // All are looked at before the first one changes. Sent again, it ends where it was meant to.
    const std::vector<TypedItem> items = TRY(ItemsToMove(call, orders));
    Status placed = Ok();
    for (std::span<const TypedItem> rest = items; !rest.empty() && placed.ok();) {
      const std::size_t count = std::min(rest.size(), kTogetherMax);
      placed = SetOrders(call, rest.first(count), orders);
      rest = rest.subspan(count);
    }
    if (placed.ok()) break;
    // Another request took one of them out of the collection: then the next look says which.
    const bool has_left = placed.error().code() == ErrorCode::kConditionalCheckFailed ||
                          placed.error().code() == ErrorCode::kResourceNotFound;
    if (!has_left || i >= kTriesMax) return placed;
  }
  return platform::ReplyItem(call, TRY(FindCollection(call, OwnerIdOf(call))), reply);
}

}  // namespace trestle::apps::library
