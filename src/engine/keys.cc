#include "engine/keys.h"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "value/item_codec.h"
#include "value/item_size.h"

namespace trestle::engine {
namespace {

Error MismatchError() {
  return ValidationError("The provided key element does not match the schema");
}

bool IsEmptyText(value::ValueView key) {
  return key.type() != value::Type::kN && key.text().empty();
}

std::string_view EmptyTypeWord(value::Type type) {
  return type == value::Type::kB ? "binary" : "string";
}

Error EmptyKeyError(std::string message) {
  return {ErrorCode::kValidation, std::move(message),
          std::make_shared<const ErrorDetails>(ErrorDetails{.fails_transaction = true})};
}

Status CheckNotEmpty(const KeyAttribute& attribute, value::ValueView key) {
  if (!IsEmptyText(key)) return Ok();
  return EmptyKeyError(
      fmt::format("One or more parameter values are not valid. The AttributeValue for a key "
                  "attribute cannot contain an empty {} value. Key: {}",
                  EmptyTypeWord(attribute.type), attribute.name));
}

Status CheckPartitionSize(value::ValueView key) {
  if (value::ValueSizeBytes(key) <= kPartitionKeyBytesMax) return Ok();
  return ValidationError(
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
      "limit of2048 bytes");
}

Status CheckSortSize(value::ValueView key) {
  if (value::ValueSizeBytes(key) <= kSortKeyBytesMax) return Ok();
  return ValidationError(
      "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
      "the size limit of 1024 bytes");
}

Status CheckHasKey(const KeyAttribute& attribute, value::ItemView item) {
  const auto found = item.Find(attribute.name);
  if (!found) {
    return ValidationError(
        fmt::format("One or more parameter values were invalid: Missing the key {} in the item",
                    attribute.name));
  }
  if (found->type() != attribute.type) {
    return ValidationError(fmt::format(
        "One or more parameter values were invalid: Type mismatch for key {} "
        "expected: {} actual: {}",
        attribute.name, value::TypeName(attribute.type), value::TypeName(found->type())));
  }
  return Ok();
}

Status CheckIndexKey(const IndexSchema& index, const KeyAttribute& attribute, value::ItemView item,
                     bool is_update) {
  const auto found = item.Find(attribute.name);
  if (!found) return Ok();
  if (found->type() != attribute.type) {
    if (is_update) {
      return ValidationError(
          "The update expression attempted to update the secondary index key to unsupported type");
    }
    return ValidationError(
        fmt::format("One or more parameter values were invalid: Type mismatch for Index Key {} "
                    "Expected: {} Actual: {} IndexName: {}",
                    attribute.name, value::TypeName(attribute.type), value::TypeName(found->type()),
                    index.name));
  }
  if (!IsEmptyText(*found)) return Ok();
  const std::string_view type = EmptyTypeWord(attribute.type);
  if (is_update) {
    return EmptyKeyError(fmt::format(
        "One or more parameter values are not valid. The update expression attempted to update a "
        "secondary index key to a value that is not supported. The AttributeValue for a key "
        "attribute cannot contain an empty {} value.",
        type));
  }
  return EmptyKeyError(fmt::format(
      "One or more parameter values are not valid. A value specified for a secondary index key is "
      "not supported. The AttributeValue for a key attribute cannot contain an empty {} value. "
      "IndexName: {}, IndexKey: {}",
      type, index.name, attribute.name));
}

Status CheckIndexKeySize(const IndexSchema& index, const KeyAttribute& attribute,
                         value::ItemView item, std::size_t bytes_max, bool is_update) {
  const auto found = item.Find(attribute.name);
  if (!found) return Ok();
  const std::size_t size_bytes = value::ValueSizeBytes(*found);
  if (size_bytes <= bytes_max) return Ok();
  if (is_update) {
    return ValidationError(
        "The update expression attempted to update the secondary index key beyond allowed size "
        "limits");
  }
  return ValidationError(fmt::format(
      "One or more parameter values were invalid: Size limit exceeded for Index Key {} Actual "
      "Size: {} bytes Max Size: {} bytes IndexName: {}",
      attribute.name, size_bytes, bytes_max, index.name));
}

Status CheckIndex(const IndexSchema& index, value::ItemView item, bool is_update) {
  if (index.status == IndexStatus::kDeleting) return Ok();
  for (const KeyAttribute& attribute : index.partition) {
    TRY(CheckIndexKey(index, attribute, item, is_update));
    TRY(CheckIndexKeySize(index, attribute, item, kPartitionKeyBytesMax, is_update));
  }
  for (const KeyAttribute& attribute : index.sort) {
    TRY(CheckIndexKey(index, attribute, item, is_update));
    TRY(CheckIndexKeySize(index, attribute, item, kSortKeyBytesMax, is_update));
  }
  return Ok();
}

Status CheckKeyValues(const TableSchema& table, value::ItemView key) {
  const value::ValueView partition = *key.Find(table.partition.name);
  TRY(CheckNotEmpty(table.partition, partition));
  if (table.sort) TRY(CheckNotEmpty(*table.sort, *key.Find(table.sort->name)));
  TRY(CheckPartitionSize(partition));
  if (table.sort) TRY(CheckSortSize(*key.Find(table.sort->name)));
  return Ok();
}

template <typename IsWanted>
value::Item Pick(value::ItemView item, IsWanted is_wanted) {
  value::SortedItemWriter writer;
  for (const value::AttributeView attribute : item.attributes()) {
    if (is_wanted(attribute.name)) writer.Add(attribute.name, attribute.value.bytes());
  }
  return std::move(writer).Finish();
}

}  // namespace

Status CheckPartitionValue(const KeyAttribute& attribute, value::ValueView key) {
  TRY(CheckNotEmpty(attribute, key));
  return CheckPartitionSize(key);
}

Status CheckSortValue(const KeyAttribute& attribute, value::ValueView key) {
  TRY(CheckNotEmpty(attribute, key));
  return CheckSortSize(key);
}

bool FailsTransaction(const Error& error) {
  return error.details() != nullptr && error.details()->fails_transaction;
}

Status CheckKeyShape(const TableSchema& table, value::ItemView key) {
  if (key.count() != (table.sort ? 2u : 1u)) return MismatchError();
  const auto partition = key.Find(table.partition.name);
  if (!partition || partition->type() != table.partition.type) return MismatchError();
  if (!table.sort) return Ok();
  const auto sort = key.Find(table.sort->name);
  if (!sort || sort->type() != table.sort->type) return MismatchError();
  return Ok();
}

Status CheckKey(const TableSchema& table, value::ItemView key) {
  TRY(CheckKeyShape(table, key));
  return CheckKeyValues(table, key);
}

Status CheckItemKey(const TableSchema& table, value::ItemView item) {
  TRY(CheckHasKey(table.partition, item));
  if (table.sort) TRY(CheckHasKey(*table.sort, item));
  return CheckKeyValues(table, item);
}

Status CheckIndexKeys(const TableSchema& table, value::ItemView item, bool is_update) {
  Status first = Ok();  // in the order of the names
  std::string_view first_name;
  for (const IndexSchema& index : table.indexes) {
    Status checked = CheckIndex(index, item, is_update);
    if (checked.ok() || (!first.ok() && first_name < index.name)) continue;
    first = std::move(checked);
    first_name = index.name;
  }
  return first;
}

value::Item KeyOf(const TableSchema& table, value::ItemView item) {
  return Pick(item, [&](std::string_view name) { return table.IsKeyAttribute(name); });
}

value::Item KeyOf(const TableSchema& table, const IndexSchema& index, value::ItemView item) {
  return Pick(item, [&](std::string_view name) {
    return table.IsKeyAttribute(name) || index.IsKeyAttribute(name);
  });
}

}  // namespace trestle::engine
