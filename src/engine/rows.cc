#include "engine/rows.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "base/hash.h"
#include "storage/store.h"
#include "value/item_codec.h"
#include "value/key_codec.h"
#include "value/number.h"

namespace trestle::engine {
namespace {

constexpr std::size_t kPrefixBytes = 5;  // kind and id
constexpr std::size_t kHashBytes = 8;
static_assert(kPrefixBytes + kHashBytes == storage::kKeyPrefixBytes);

value::ValueView KeyValue(value::ItemView item, const KeyAttribute& attribute) {
  const auto found = item.Find(attribute.name);
  CHECK(found.has_value(), "key attributes are checked before a row is named");
  return *found;
}

// Fills in the hash of everything that was appended after its place.
void FillHash(std::string& row, std::size_t place) {
  const std::uint64_t hash = StableHash(std::string_view(row).substr(place + kHashBytes));
  std::string bytes;
  AppendU64Be(bytes, hash);
  row.replace(place, kHashBytes, bytes);
}

std::string BeginRow(RowKind kind, std::uint32_t id) {
  std::string row;
  row.reserve(64);
  row.push_back(static_cast<char>(kind));
  AppendU32Be(row, id);
  return row;
}

bool IsKeyOf(const KeyAttribute& attribute, value::ItemView item) {
  const auto found = item.Find(attribute.name);
  if (!found || found->type() != attribute.type) return false;
  return attribute.type == value::Type::kN || !found->text().empty();
}

}  // namespace

std::string RowPrefix(RowKind kind, std::uint32_t id) { return BeginRow(kind, id); }

std::string PartitionPrefix(RowKind kind, std::uint32_t id,
                            std::span<const value::ValueView> partition) {
  std::string row = BeginRow(kind, id);
  row.append(kHashBytes, '\0');
  for (const value::ValueView& key : partition)
    value::AppendKeyComponent(row, key);
  FillHash(row, kPrefixBytes);
  return row;
}

std::string ItemRow(const TableSchema& table, value::ItemView item) {
  const value::ValueView partition = KeyValue(item, table.partition);
  std::string row =
      PartitionPrefix(RowKind::kItem, static_cast<std::uint32_t>(table.id), {&partition, 1});
  if (table.sort) value::AppendLastKeyComponent(row, KeyValue(item, *table.sort));
  return row;
}

std::string CollectionRow(const TableSchema& table, value::ItemView item) {
  const value::ValueView partition = KeyValue(item, table.partition);
  return PartitionPrefix(RowKind::kCollection, static_cast<std::uint32_t>(table.id),
                         {&partition, 1});
}

bool IsIndexed(const IndexSchema& index, value::ItemView item) {
  const auto is_key = [&](const KeyAttribute& attribute) { return IsKeyOf(attribute, item); };
  return std::ranges::all_of(index.partition, is_key) && std::ranges::all_of(index.sort, is_key);
}

std::string IndexRow(const TableSchema& table, const IndexSchema& index, value::ItemView item) {
  std::string row = BeginRow(RowKind::kIndex, static_cast<std::uint32_t>(index.id));
  row.append(kHashBytes, '\0');
  for (const KeyAttribute& key : index.partition) {
    value::AppendKeyComponent(row, KeyValue(item, key));
  }
  FillHash(row, kPrefixBytes);
  for (const KeyAttribute& key : index.sort)
    value::AppendKeyComponent(row, KeyValue(item, key));
  value::AppendKeyComponent(row, KeyValue(item, table.partition));
  if (table.sort) value::AppendLastKeyComponent(row, KeyValue(item, *table.sort));
  return row;
}

bool IsProjected(const TableSchema& table, const IndexSchema& index, std::string_view attribute) {
  return index.projection == ProjectionType::kAll || table.IsKeyAttribute(attribute) ||
         index.IsKeyAttribute(attribute) ||
         std::ranges::find(index.non_key_attributes, attribute) != index.non_key_attributes.end();
}

value::Item ProjectForIndex(const TableSchema& table, const IndexSchema& index,
                            value::ItemView item) {
  if (index.projection == ProjectionType::kAll) return value::Item(std::string(item.bytes()));
  value::SortedItemWriter writer;
  for (const value::AttributeView attribute : item.attributes()) {
    if (IsProjected(table, index, attribute.name)) {
      writer.Add(attribute.name, attribute.value.bytes());
    }
  }
  return std::move(writer).Finish();
}

std::optional<std::string> ExpiryRow(const TimeToLive& time_to_live, std::string_view item_row,
                                     value::ItemView item) {
  const auto found = item.Find(time_to_live.attribute);
  if (!found || found->type() != value::Type::kN) return std::nullopt;
  std::string row = RowPrefix(RowKind::kExpiry, time_to_live.id);
  row += found->number();
  row += item_row.substr(kPrefixBytes);
  return row;
}

std::string FirstExpiryRow(ExpiryId id, std::int64_t second) {
  std::string row = RowPrefix(RowKind::kExpiry, id);
  row += value::Number::FromInteger(second).encoded();
  return row;
}

Result<std::string> ItemRowOf(const TableSchema& table, std::string_view expiry_row) {
  std::string_view rest = expiry_row.substr(kPrefixBytes);
  const Result<value::Number> number = value::Number::Take(rest);
  if (!number.ok()) return number.error();
  std::string row = RowPrefix(RowKind::kItem, table.id);
  row += rest;
  return row;
}

std::uint64_t RowHash(std::string_view row) { return ReadU64Be(row.substr(kPrefixBytes)); }

}  // namespace trestle::engine
