// What is in libraries and collections, in the order of the alphabet as people know it.

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/library/library_internal.h"
#include "apps/library/loans.h"
#include "base/crypto.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/collation.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

// Lists up to this long are sorted after reading; longer ones come in the order of their bytes.
constexpr std::size_t kSortedMax = 20'000;
// Of a collection in a list of all that a library has.
constexpr std::size_t kFirstMembers = 10;

using Items = std::vector<const TypedItem*>;

// What the query leaves out.
struct Filter {
  std::string type;
  std::optional<bool> is_lent;

  [[nodiscard]] bool empty() const { return type.empty() && !is_lent; }
  [[nodiscard]] bool Keeps(const TypedItem& item) const {
    if (!type.empty() && (KindOf(item) == "Book") != (type == "book")) return false;
    return !is_lent || item.record.Find("LentTo").has_value() == *is_lent;
  }
  [[nodiscard]] std::string Words() const {
    return fmt::format("{} {}", type, is_lent ? (*is_lent ? "lent" : "here") : "");
  }
};
Filter FilterOf(const Call& call) {
  return {.type = TextOf(call.arguments(), "type"),
          .is_lent = platform::BoolOf(call.arguments(), "lent")};
}

bool IsCollection(const TypedItem& item) { return KindOf(item) == "Collection"; }

std::string NameOf(const TypedItem& item) {
  return TextOf(item.record, IsCollection(item) ? "Name" : "Title");
}

// The letters under which a list has something.
class Letters {
 public:
  void Add(const TypedItem& item) { letters_.insert(text::IndexLetter(NameOf(item))); }
  void Write(json::Writer& writer) const {
    std::vector<std::string> sorted(letters_.begin(), letters_.end());
    std::ranges::sort(sorted, {}, text::CollationKey);
    writer.Key("letters");
    writer.BeginArray();
    for (const std::string& letter : sorted)
      writer.String(letter);
    writer.EndArray();
  }

 private:
  std::set<std::string> letters_;
};

// Where an item stands in its collection. Two never stand at the same place.
std::string PlaceOf(const TypedItem& item) {
  return fmt::format("{:05}/{}/{}", IntegerOf(item.record, "Order").value_or(0),
                     HexEncode(text::CollationKey(TextOf(item.record, "Title"))),
                     TextOf(item.record, "ItemId"));
}

void SortByPlace(Items& members) {
  std::ranges::sort(members, {}, [](const TypedItem* item) { return PlaceOf(*item); });
}

// What a cursor into a collection is for, wherever it was given.
std::string QuestionOf(const Call& call, std::string_view collection_id, const Filter& filter) {
  return fmt::format("library\ncollection\n{}\n{}\n{}\n{}", call.PathValue("libraryId"),
                     collection_id, call.sub(), filter.Words());
}

// A library's contents: what stands by itself, and collections with their members.
struct Shelf {
  std::vector<TypedItem> heads;
  std::map<std::string, Items> members;  // by collection
};

Shelf Grouped(std::vector<TypedItem>& contents) {
  std::set<std::string> collections;
  for (const TypedItem& item : contents)
    if (IsCollection(item)) collections.insert(TextOf(item.record, "CollectionId"));
  Shelf shelf;
  for (TypedItem& item : contents) {
    const std::string collection_id = TextOf(item.record, "CollectionId");
    // One whose collection is gone stands by itself, also before its own attributes say so.
    if (IsCollection(item) || !collections.contains(collection_id)) {
      shelf.heads.push_back(item);
    } else {
      shelf.members[collection_id].push_back(&item);
    }
  }
  for (auto& [id, members] : shelf.members)
    SortByPlace(members);
  return shelf;
}

void WriteMissing(const Items& members, json::Writer& writer) {
  std::vector<std::int64_t> orders;
  orders.reserve(members.size());
  for (const TypedItem* member : members)
    orders.push_back(IntegerOf(member->record, "Order").value_or(0));
  writer.Key("missingOrders");
  writer.BeginArray();
  for (const std::int64_t order : MissingOrders(orders))
    writer.Integer(order);
  writer.EndArray();
}

void WriteCollection(const Call& call, const TypedItem& collection, const Items& all,
                     const Filter& filter, json::Writer& writer) {
  writer.BeginObject();
  platform::WriteItemMembers(call, collection, writer);
  WriteMissing(all, writer);
  Items kept;
  std::ranges::copy_if(all, std::back_inserter(kept),
                       [&](const TypedItem* item) { return filter.Keeps(*item); });
  writer.Key("items");
  writer.BeginArray();
  for (std::size_t i = 0; i < std::min(kept.size(), kFirstMembers); ++i)
    platform::WriteItem(call, *kept[i], writer);
  writer.EndArray();
  if (kept.size() > kFirstMembers) {
    const std::string question =
        QuestionOf(call, TextOf(collection.record, "CollectionId"), filter);
    writer.Key("itemsCursor");
    writer.String(call.cursors().Seal(PlaceOf(*kept[kFirstMembers - 1]), question));
  }
  writer.EndObject();
}

Status ReplyGrouped(Call& call, std::vector<TypedItem> contents, json::Writer& reply) {
  const Filter filter = FilterOf(call);
  const Shelf shelf = Grouped(contents);
  const Items none;
  const auto members_of = [&](const TypedItem& collection) -> const Items& {
    const auto found = shelf.members.find(TextOf(collection.record, "CollectionId"));
    return found == shelf.members.end() ? none : found->second;
  };
  const auto keep = [&](const TypedItem& head) {
    if (!IsCollection(head)) return filter.Keeps(head);
    const Items& members = members_of(head);
    return filter.empty() || std::ranges::any_of(members, [&](const TypedItem* member) {
             return filter.Keeps(*member);
           });
  };
  Letters letters;
  for (const TypedItem& head : shelf.heads)
    if (keep(head)) letters.Add(head);
  return platform::ReplySorted(
      call, shelf.heads, [](const TypedItem& head) { return text::CollationKey(NameOf(head)); },
      {.keep = keep,
       .add = [&](json::Writer& writer) -> Status {
         letters.Write(writer);
         return Ok();
       },
       .write =
           [&](const TypedItem& head, json::Writer& writer) {
             if (!IsCollection(head)) return platform::WriteItem(call, head, writer);
             WriteCollection(call, head, members_of(head), filter, writer);
           }},
      reply);
}

// Items alone, by their titles or the newest first.
Status ReplyFlat(Call& call, const std::vector<TypedItem>& items, json::Writer& reply) {
  const Filter filter = FilterOf(call);
  const bool is_newest = TextOf(call.arguments(), "sort") == "newest";
  const auto keep = [&](const TypedItem& item) {
    return !IsCollection(item) && filter.Keeps(item);
  };
  Letters letters;
  for (const TypedItem& item : items)
    if (keep(item)) letters.Add(item);
  const auto key_of = [&](const TypedItem& item) {
    std::string key = is_newest ? TextOf(item.record, "AddedAt")
                                : text::CollationKey(TextOf(item.record, "Title"));
    // The largest first: bytes and their complements sort in opposite orders.
    if (is_newest) {
      for (char& c : key)
        c = static_cast<char>(~c);
    }
    return key;
  };
  return platform::ReplySorted(call, items, key_of,
                               {.keep = keep,
                                .add = [&](json::Writer& writer) -> Status {
                                  letters.Write(writer);
                                  return Ok();
                                }},
                               reply);
}

// What is too long to be sorted, in the order of its keys.
Status ReplyAsStored(Call& call, std::string_view access, const Record& arguments,
                     json::Writer& reply) {
  const Filter filter = FilterOf(call);
  return platform::ReplyList(
      call, access, arguments,
      {.keep = [&](const TypedItem& item) { return !IsCollection(item) && filter.Keeps(item); }},
      reply);
}

}  // namespace

Status ListContents(Call& call, json::Writer& reply) {
  const TypedItem library = TRY(VisibleLibrary(call));
  const bool is_grouped = TextOf(call.arguments(), "view") == "grouped";
  const Record arguments =
      LibraryIdentity(TextOf(library.record, "OwnerId"), call.PathValue("libraryId"));
  const std::int64_t count = IntegerOf(library.record, "TotalItems").value_or(0);
  if (count > static_cast<std::int64_t>(kSortedMax)) {
    if (!is_grouped) return ReplyAsStored(call, "libraryContents", arguments, reply);
    return platform::ProblemError(
        "semantic", fmt::format("a library with {} items has no grouped view; ask for view=flat, "
                                "or for its collections",
                                count));
  }
  std::vector<TypedItem> contents =
      TRY(platform::RunWhole(call.runtime(), "libraryContents", arguments));
  if (is_grouped) return ReplyGrouped(call, std::move(contents), reply);
  return ReplyFlat(call, contents, reply);
}

Status ListItems(Call& call, json::Writer& reply) {
  const Record arguments = TextRecord({{"OwnerId", OwnerIdOf(call)}});
  const auto items =
      platform::RunWhole(call.runtime(), "itemsByTitle", arguments, {.items_max = kSortedMax});
  if (items.ok()) return ReplyFlat(call, *items, reply);
  if (items.error().code() != ErrorCode::kLimitExceeded) return items.error();
  return ReplyAsStored(call, "itemsByTitle", arguments, reply);
}

Status ListCollectionItems(Call& call, json::Writer& reply) {
  const std::string owner_id = TextOf(TRY(VisibleLibrary(call)).record, "OwnerId");
  const TypedItem collection = TRY(FindCollection(call, owner_id));
  const std::string& collection_id = call.PathValue("collectionId");
  const Filter filter = FilterOf(call);
  Record arguments = LibraryIdentity(owner_id, call.PathValue("libraryId"));
  arguments.SetText("CollectionName", TextOf(collection.record, "Name"));
  const std::vector<TypedItem> items =
      TRY(platform::RunWhole(call.runtime(), "itemsOfCollection", arguments));
  Items members;
  for (const TypedItem& item : items)
    if (TextOf(item.record, "CollectionId") == collection_id) members.push_back(&item);
  SortByPlace(members);
  const Items all = members;
  std::erase_if(members, [&](const TypedItem* item) { return !filter.Keeps(*item); });

  std::string after;
  if (const auto cursor = call.arguments().FindText("cursor")) {
    // One of this list, or of the collection's first items in the list of its library.
    auto position = platform::OpenCursor(call);
    if (!position.ok()) {
      position = call.cursors().Open(*cursor, QuestionOf(call, collection_id, filter));
    }
    after = TRY(std::move(position));
  }
  auto next = std::ranges::upper_bound(members, after, {},
                                       [](const TypedItem* item) { return PlaceOf(*item); });
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (std::uint32_t left = platform::LimitOf(call); left > 0 && next != members.end(); --left) {
    platform::WriteItem(call, **next, reply);
    after = PlaceOf(**next++);
  }
  reply.EndArray();
  WriteMissing(all, reply);
  platform::WriteCursor(call, next == members.end() ? "" : after, reply);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::library
