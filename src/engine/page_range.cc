#include "engine/page_range.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/bytes.h"
#include "engine/keys.h"
#include "engine/rows.h"
#include "value/key_codec.h"

namespace trestle::engine {
namespace {

using Terms = std::vector<const expr::KeyTerm*>;

// The id of the rows that are read, with their kind.
std::pair<RowKind, std::uint32_t> RowsOf(const PageSource& source) {
  if (source.index != nullptr) {
    return {RowKind::kIndex, static_cast<std::uint32_t>(source.index->id)};
  }
  return {RowKind::kItem, static_cast<std::uint32_t>(source.table->id)};
}

const expr::KeyTerm* FindTerm(const expr::KeyCondition& condition, std::string_view attribute) {
  const auto found = std::ranges::find(condition.terms, attribute, &expr::KeyTerm::attribute);
  return found == condition.terms.end() ? nullptr : &*found;
}

Status CheckTermType(const expr::KeyTerm& term, const KeyAttribute& attribute) {
  if (term.op == expr::KeyOperator::kNotIndexable) {
    return ValidationError("Attempted conditional constraint is not an indexable operation");
  }
  const bool fits = value::ValueView(term.value).type() == attribute.type &&
                    (term.second.empty() || value::ValueView(term.second).type() == attribute.type);
  if (fits) return Ok();
  return ValidationError(
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type");
}

// One equality for each partition key attribute.
Result<Terms> PartitionTerms(const PageSource& source, const expr::KeyCondition& condition) {
  Terms terms;
  for (const KeyAttribute& attribute : source.PartitionKeys()) {
    const expr::KeyTerm* term = FindTerm(condition, attribute.name);
    if (term == nullptr) {
      return ValidationError(
          fmt::format("Query condition missed key schema element: {}", attribute.name));
    }
    TRY(CheckTermType(*term, attribute));
    if (term->op != expr::KeyOperator::kEqual) {
      return ValidationError("Query key condition not supported");
    }
    TRY(CheckPartitionValue(attribute, value::ValueView(term->value)));
    terms.push_back(term);
  }
  return terms;
}

// Sort key attributes from the left; only the last may be something other than an equality.
Result<Terms> SortTerms(const PageSource& source, const expr::KeyCondition& condition) {
  Terms terms;
  std::string_view missing;
  for (const KeyAttribute& attribute : source.SortKeys()) {
    const expr::KeyTerm* term = FindTerm(condition, attribute.name);
    if (term == nullptr) {
      if (missing.empty()) missing = attribute.name;
      continue;
    }
    if (!missing.empty()) {
      return ValidationError(fmt::format("Query condition missed key schema element: {}", missing));
    }
    TRY(CheckTermType(*term, attribute));
    if (term->op == expr::KeyOperator::kBeginsWith && attribute.type == value::Type::kN) {
      return ValidationError(
          "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
          "operator or function: begins_with, operand type: N");
    }
    if (!terms.empty() && terms.back()->op != expr::KeyOperator::kEqual) {
      return ValidationError("Query key condition not supported");
    }
    TRY(CheckSortValue(attribute, value::ValueView(term->value)));
    if (!term->second.empty()) TRY(CheckSortValue(attribute, value::ValueView(term->second)));
    terms.push_back(term);
  }
  return terms;
}

// Appends sort components. In an item's row the sort key comes last and has no end mark.
class SortBounds {
 public:
  SortBounds(std::string prefix, bool is_last) : prefix_(std::move(prefix)), is_last_(is_last) {}

  [[nodiscard]] std::string At(std::string_view key) const {
    std::string row = prefix_;
    if (is_last_) {
      value::AppendLastKeyComponent(row, value::ValueView(key));
    } else {
      value::AppendKeyComponent(row, value::ValueView(key));
    }
    return row;
  }

  // Past all rows whose sort key is `key`.
  [[nodiscard]] std::string After(std::string_view key) const {
    if (!is_last_) return value::PrefixEnd(At(key));
    return At(key) + '\0';
  }

  // What the rows share whose sort key begins with `text`: no end mark.
  [[nodiscard]] std::string Begin(std::string_view text) const {
    if (is_last_) return At(text);
    std::string row = prefix_;
    value::AppendKeyPrefix(row, value::ValueView(text));
    return row;
  }

  [[nodiscard]] const std::string& prefix() const { return prefix_; }

 private:
  std::string prefix_;
  bool is_last_;
};

RowRange RangeOf(const SortBounds& bounds, const expr::KeyTerm& term) {
  const std::string& all = bounds.prefix();
  switch (term.op) {
    case expr::KeyOperator::kEqual:
      return {bounds.At(term.value), bounds.After(term.value)};
    case expr::KeyOperator::kLess:
      return {all, bounds.At(term.value)};
    case expr::KeyOperator::kLessOrEqual:
      return {all, bounds.After(term.value)};
    case expr::KeyOperator::kGreater:
      return {bounds.After(term.value), value::PrefixEnd(all)};
    case expr::KeyOperator::kGreaterOrEqual:
      return {bounds.At(term.value), value::PrefixEnd(all)};
    case expr::KeyOperator::kBetween:
      return {bounds.At(term.value), bounds.After(term.second)};
    case expr::KeyOperator::kBeginsWith:
      return {bounds.Begin(term.value), value::PrefixEnd(bounds.Begin(term.value))};
    case expr::KeyOperator::kNotIndexable:
      break;
  }
  UNREACHABLE("a key operator that CheckTermType refuses");
}

// A term on another attribute stands where the next sort key attribute should.
Status CheckNoOtherTerms(const PageSource& source, const expr::KeyCondition& condition,
                         std::size_t partition_count, std::size_t sort_count) {
  if (condition.terms.size() == partition_count + sort_count) return Ok();
  const std::vector<KeyAttribute> sort_keys = source.SortKeys();
  if (sort_count == sort_keys.size()) return ValidationError("Query key condition not supported");
  return ValidationError(
      fmt::format("Query condition missed key schema element: {}", sort_keys[sort_count].name));
}

// The hash at which a segment begins: the whole range of hashes cut into equal parts.
std::uint64_t SegmentStart(std::uint32_t segment, std::uint32_t total_segments) {
  return segment * (UINT64_MAX / total_segments + 1);
}

Error InvalidStartKey(std::string_view reason) {
  return ValidationError(fmt::format("The provided starting key is invalid{}", reason));
}

constexpr std::string_view kMismatch = "The provided key element does not match the schema";

bool IsOfType(value::ItemView key, const KeyAttribute& attribute) {
  return key.Find(attribute.name)->type() == attribute.type;
}

bool IsEmpty(value::ItemView key, const KeyAttribute& attribute) {
  return attribute.type != value::Type::kN && key.Find(attribute.name)->text().empty();
}

std::vector<KeyAttribute> TableKeys(const TableSchema& table) {
  std::vector<KeyAttribute> keys = {table.partition};
  if (table.sort) keys.push_back(*table.sort);
  return keys;
}

// The texts differ between Query and Scan, and between the keys of the index and of its table.
Status CheckStartKey(const PageSource& source, bool is_query, value::ItemView key) {
  std::vector<KeyAttribute> own = source.PartitionKeys();
  for (KeyAttribute& attribute : source.SortKeys())
    own.push_back(std::move(attribute));
  const std::vector<KeyAttribute> table_keys = TableKeys(*source.table);
  const bool is_table_scan = !is_query && source.index == nullptr;
  const std::string scan_reason = fmt::format(": {}", kMismatch);

  std::set<std::string_view> names;
  for (const KeyAttribute& attribute : own)
    names.insert(attribute.name);
  for (const KeyAttribute& attribute : table_keys)
    names.insert(attribute.name);
  const bool has_all =
      std::ranges::all_of(names, [&](std::string_view name) { return key.Find(name).has_value(); });
  if (!has_all || key.count() != names.size()) {
    return InvalidStartKey(is_table_scan ? scan_reason : "");
  }
  for (const KeyAttribute& attribute : own) {
    if (IsOfType(key, attribute)) continue;
    if (is_table_scan) return InvalidStartKey(scan_reason);
    return ValidationError(std::string(kMismatch));
  }
  for (const KeyAttribute& attribute : table_keys) {
    if (!IsOfType(key, attribute)) return InvalidStartKey(scan_reason);
  }
  for (const KeyAttribute& attribute : own) {
    if (IsEmpty(key, attribute)) return InvalidStartKey("");
  }
  for (const KeyAttribute& attribute : table_keys) {
    if (IsEmpty(key, attribute)) return InvalidStartKey("");
  }
  return Ok();
}

std::string StartRow(const PageSource& source, value::ItemView key) {
  return source.index != nullptr ? IndexRow(*source.table, *source.index, key)
                                 : ItemRow(*source.table, key);
}

// A key of another partition, of another part of the sort keys, or of another segment.
Error OutsideError(const PageSource& source, const PageRequest& request, const std::string& row) {
  if (!request.key_condition) {
    return InvalidStartKey(
        fmt::format(": Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct "
                    "Segment. TotalSegments: {} Segment: {}",
                    request.total_segments, request.segment));
  }
  std::vector<value::ValueView> partition;
  for (const KeyAttribute& attribute : source.PartitionKeys()) {
    partition.emplace_back(FindTerm(*request.key_condition, attribute.name)->value);
  }
  const auto [kind, id] = RowsOf(source);
  if (row.starts_with(PartitionPrefix(kind, id, partition))) {
    return ValidationError("The provided starting key does not match the range key predicate");
  }
  return ValidationError(
      "The provided starting key is outside query boundaries based on provided conditions");
}

}  // namespace

Status CheckFilterIsProjected(const PageSource& source, const std::set<std::string>& attributes) {
  if (source.index == nullptr) return Ok();
  std::vector<std::string_view> missing;
  for (const std::string& attribute : attributes) {
    if (!IsProjected(*source.table, *source.index, attribute)) missing.push_back(attribute);
  }
  if (missing.empty()) return Ok();
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Secondary index {} does not project "
                  "one or more filter attributes: [{}]",
                  source.index->name, fmt::join(missing, ", ")));
}

std::vector<KeyAttribute> PageSource::PartitionKeys() const {
  if (index != nullptr) return index->partition;
  return {table->partition};
}

std::vector<KeyAttribute> PageSource::SortKeys() const {
  if (index != nullptr) return index->sort;
  if (table->sort) return {*table->sort};
  return {};
}

Result<RowRange> QueryRange(const PageSource& source, const expr::KeyCondition& condition) {
  const Terms partition = TRY(PartitionTerms(source, condition));
  const Terms sort = TRY(SortTerms(source, condition));
  TRY(CheckNoOtherTerms(source, condition, partition.size(), sort.size()));

  std::vector<value::ValueView> keys;
  for (const expr::KeyTerm* term : partition)
    keys.emplace_back(term->value);
  const auto [kind, id] = RowsOf(source);
  std::string prefix = PartitionPrefix(kind, id, keys);
  if (sort.empty()) return RowRange{prefix, value::PrefixEnd(prefix)};
  for (std::size_t i = 0; i + 1 < sort.size(); ++i) {
    value::AppendKeyComponent(prefix, value::ValueView(sort[i]->value));
  }
  return RangeOf(SortBounds(std::move(prefix), source.index == nullptr), *sort.back());
}

RowRange ScanRange(const PageSource& source, std::uint32_t segment, std::uint32_t total_segments) {
  const auto [kind, id] = RowsOf(source);
  const std::string prefix = RowPrefix(kind, id);
  RowRange range{prefix, value::PrefixEnd(prefix)};
  if (segment > 0) AppendU64Be(range.first, SegmentStart(segment, total_segments));
  if (segment + 1 < total_segments) {
    range.end = prefix;
    AppendU64Be(range.end, SegmentStart(segment + 1, total_segments));
  }
  return range;
}

Status StartAfter(const PageSource& source, const PageRequest& request,
                  std::vector<RowRange>& ranges) {
  if (!request.exclusive_start_key) return Ok();
  const value::ItemView key = request.exclusive_start_key->view();
  TRY(CheckStartKey(source, request.key_condition.has_value(), key));
  const std::string row = StartRow(source, key);
  const auto range = std::ranges::find_if(
      ranges, [&](const RowRange& it) { return row >= it.first && row < it.end; });
  if (range == ranges.end()) return OutsideError(source, request, row);
  if (request.direction == Direction::kForward) {
    range->first = row + '\0';
  } else {
    range->end = row;
  }
  ranges.erase(ranges.begin(), range);
  return Ok();
}

}  // namespace trestle::engine
