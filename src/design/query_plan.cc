#include "design/query_plan.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "design/arguments.h"
#include "design/condition.h"
#include "design/stored_item.h"
#include "design/syntax/template_text.h"
#include "design/values.h"

namespace trestle::design {
namespace {

using expr::KeyOperator;
using expr::KeyTerm;
using syntax::Placeholder;
using value::Type;
using value::ValueView;

// A key is a number where an index is keyed on a number of the item itself.
bool IsNumberKey(const Access& access, const Query& query, std::string_view key_name) {
  if (query.index == nullptr) return false;
  const Attribute* attribute = FindResultAttribute(access, key_name);
  if (attribute == nullptr) return false;
  return attribute->type.kind == TypeKind::kInt || attribute->type.kind == TypeKind::kNumber ||
         attribute->type.is_epoch_seconds;
}

// What one of the reads is planned from.
struct Planner {
  const Model& model;
  const Access& access;
  const Query& query;
  const QueryInputs& inputs;
  const Record& values;  // the arguments, and the value of the enum that is merged
  std::optional<std::int64_t> shard = {};
  PlannedRead read = {};
  bool is_empty = false;

  Result<std::string> Compose(const KeyTemplate& key) const {
    if (inputs.shows_missing) return ComposeShown(key, values);
    return key.Compose(values);
  }

  // An encoded key.
  Result<std::string> KeyValue(const KeyTemplate& key, std::string_view key_name) const {
    std::string text = TRY(Compose(key));
    if (!IsNumberKey(access, query, key_name)) return EncodeText(text);
    const auto number = value::Number::Parse(text);
    if (number.ok()) return EncodeNumber(*number);
    if (inputs.shows_missing) return EncodeText(text);
    return number.error();
  }

  std::string Name(const std::string& name) { return NameAlias(read.page.expressions, name); }
  std::string Value(std::string value) {
    return ValueAlias(read.page.expressions, std::move(value));
  }

  Status PlanKey();
  Result<KeyTerm> SortKeyTerm();
  KeyTerm Between(std::string first, std::string last);
  // Of the sort key.
  KeyTerm Term(KeyOperator op, std::string value, std::string second = {}) const {
    return {.attribute = SortKeyName(model, query),
            .op = op,
            .value = std::move(value),
            .second = std::move(second)};
  }
  Status PlanFilter();
  void PlanProjection();
  void PlanOrderPrefix();
};

// Both ends are in it. The service refuses a range whose ends are the wrong way round.
KeyTerm Planner::Between(std::string first, std::string last) {
  const bool are_numbers = ValueView(first).type() == Type::kN;
  is_empty = are_numbers ? DecodeNumber(ValueView(last)) < DecodeNumber(ValueView(first))
                         : ValueView(last).text() < ValueView(first).text();
  if (inputs.shows_missing) is_empty = false;
  return Term(KeyOperator::kBetween, std::move(first), std::move(last));
}

Result<KeyTerm> Planner::SortKeyTerm() {
  const SortKeyRange& range = query.sort_key;
  const std::string& key_name = SortKeyName(model, query);
  using Kind = SortKeyRange::Kind;
  std::string first = TRY(KeyValue(range.first, key_name));
  switch (range.kind) {
    case Kind::kAll:
      break;
    case Kind::kIs:
      return Term(KeyOperator::kEqual, std::move(first));
    case Kind::kBegins:
      return Term(KeyOperator::kBeginsWith, std::move(first));
    case Kind::kBefore: {
      if (!range.within) return Term(KeyOperator::kLess, std::move(first));
      read.excluded_sort_key = first;
      return Between(TRY(KeyValue(*range.within, key_name)), std::move(first));
    }
    case Kind::kAfter: {
      if (!range.within) return Term(KeyOperator::kGreater, std::move(first));
      const std::string prefix = TRY(Compose(*range.within));
      // Neither end is in it, but the first end itself is no key that anything longer than it has.
      read.excluded_sort_key = EncodeText(EndOfPrefix(prefix));
      return Between(std::move(first), read.excluded_sort_key);
    }
    case Kind::kBetween: {
      std::string last = TRY(KeyValue(*range.last, key_name));
      if (ValueView(last).type() == Type::kN) return Between(std::move(first), std::move(last));
      read.excluded_sort_key = EncodeText(EndOfPrefix(ValueView(last).text()));
      return Between(std::move(first), read.excluded_sort_key);
    }
    case Kind::kFrom: {
      read.excluded_sort_key = TRY(KeyValue(*range.last, key_name));
      return Between(std::move(first), read.excluded_sort_key);
    }
  }
  UNREACHABLE("a range without its condition");
}

Status Planner::PlanKey() {
  const std::string& key_name = PartitionKeyName(model, query);
  std::string partition = TRY(KeyValue(query.partition_key, key_name));
  if (shard) partition = EncodeText(ShardKey(model, ValueView(partition).text(), *shard));
  auto& terms = read.page.key_condition.terms;
  terms.reserve(2);
  terms.push_back({.attribute = key_name,
                   .op = KeyOperator::kEqual,
                   .value = std::move(partition),
                   .second = {}});
  if (query.sort_key.kind != SortKeyRange::Kind::kAll) terms.push_back(TRY(SortKeyTerm()));
  return Ok();
}

// The part of the sort key in front of which reads differ.
void Planner::PlanOrderPrefix() {
  if (query.merge.empty() || query.sort_key.kind == SortKeyRange::Kind::kAll) return;
  syntax::Template front;
  for (const auto& part : query.sort_key.first.parts()) {
    front.parts.push_back(part);
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (placeholder == nullptr || placeholder->path.parts.front() != query.merge) continue;
    const auto text = Compose(KeyTemplate(std::move(front), query.sort_key.first.separator()));
    if (text.ok()) read.order_prefix = *text;
    return;
  }
}

// The back end sees items as they are stored. It may decide only about attributes that are stored
// as they are read: without default, in no key, and in what the index projects.
bool CanBackendFilter(const Model& model, const Access& access, const Query& query) {
  if (query.index != nullptr &&
      !std::holds_alternative<syntax::ProjectAll>(query.index->projection))
    return false;
  std::vector<std::string> names;
  AppendAttributes(*query.filter, names);
  return std::ranges::all_of(names, [&](const std::string& name) {
    if (name == PartitionKeyName(model, query) || name == SortKeyName(model, query)) return false;
    return std::ranges::all_of(access.results, [&](const KindReference& kind) {
      const auto& attributes = kind.of().attributes;
      const auto found = std::ranges::find(attributes, name, &Attribute::name);
      return found != attributes.end() && kind.mirror == nullptr && !found->is_key_only &&
             !found->default_value && !found->computed && found->was.empty() &&
             found->type.members.empty() && found->derived == Derived::kNo;
    });
  });
}

Status Planner::PlanFilter() {
  ReadPage& page = read.page;
  if (query.filter && (inputs.shows_missing || CanBackendFilter(model, access, query))) {
    const ConditionScope scope{
        .attributes = access.results.front().of().attributes,
        .sources = {.now_unix_ms = inputs.now_unix_ms,
                    .parameters = access.parameters,
                    .arguments = &values},
    };
    page.filter = TRY(CompileCondition(*query.filter, scope, page.expressions));
  }

  const std::string& tag_name = model.table.discriminator;
  const bool is_tag_readable = !tag_name.empty() && tag_name != PartitionKeyName(model, query) &&
                               tag_name != SortKeyName(model, query);
  const bool are_tagged = std::ranges::none_of(
      query.only, [](const KindReference& kind) { return kind.kind().tag.empty(); });
  if (query.only.empty() || !is_tag_readable || !are_tagged) return Ok();
  std::string tags;
  for (const KindReference& kind : query.only) {
    if (!tags.empty()) tags += ", ";
    tags += Value(EncodeText(kind.kind().tag));
  }
  const std::string condition = fmt::format("{} IN ({})", Name(tag_name), tags);
  page.filter = page.filter.empty() ? condition : page.filter + " AND " + condition;
  return Ok();
}

// With all that says what an item is, and where it is.
void Planner::PlanProjection() {
  const Table& table = model.table;
  std::set<std::string> names(inputs.attributes.begin(), inputs.attributes.end());
  names.insert({table.partition_key, table.sort_key, table.discriminator, table.lock,
                PartitionKeyName(model, query), SortKeyName(model, query)});
  names.erase("");
  for (const std::string& name : names)
    read.page.projection += (read.page.projection.empty() ? "" : ", ") + Name(name);
}

// The values of the enum that is merged; one that says nothing when none is.
Result<std::vector<std::string>> MergedValues(const Access& access, const Query& query) {
  if (query.merge.empty()) return std::vector<std::string>{{}};
  const Attribute* merged = FindResultAttribute(access, query.merge);
  if (merged == nullptr || merged->type.enum_values.empty())
    return ValidationError(fmt::format("{} has no values to merge", query.merge));
  return merged->type.enum_values;
}

// Over how many partitions the index spreads what the query reads; 0: not at all.
std::int64_t ShardsOf(const Access& access, const Query& query) {
  std::int64_t shards = 0;
  for (const KindReference& kind : access.results)
    for (const IndexForm& form : kind.kind().indexes)
      if (form.index == query.index) shards = std::max(shards, form.shards);
  return query.index == nullptr ? 0 : shards;
}

}  // namespace

const std::string& PartitionKeyName(const Model& model, const Query& query) {
  return query.index != nullptr ? query.index->partition_key : model.table.partition_key;
}

const std::string& SortKeyName(const Model& model, const Query& query) {
  return query.index != nullptr ? query.index->sort_key : model.table.sort_key;
}

std::string ComposeShown(const KeyTemplate& key, const Record& values) {
  std::string text;
  for (const auto& part : key.parts()) {
    if (const auto* literal = std::get_if<std::string>(&part)) {
      text += *literal;
      continue;
    }
    const auto& placeholder = std::get<Placeholder>(part);
    const KeyTemplate alone({.position = {}, .parts = {placeholder}}, key.separator());
    const auto written = alone.Compose(values);
    text += written.ok() ? *written : fmt::format("<{}>", PathText(placeholder.path));
  }
  return text;
}

std::string EndOfPrefix(std::string_view prefix) {
  constexpr char32_t kLast = 0x10FFFF;
  std::u32string points;
  while (!prefix.empty())
    points.push_back(TakeCodePoint(prefix));
  while (points.size() > 1 && points.back() == kLast)
    points.pop_back();
  points.back() = points.back() == 0xD7FF ? 0xE000 : points.back() + 1;
  std::string end;
  for (const char32_t point : points)
    AppendCodePoint(end, point);
  return end;
}

Result<QueryPlan> PlanQuery(const Model& model, const Access& access, const Query& query,
                            const QueryInputs& inputs) {
  const std::vector<std::string> merged = TRY(MergedValues(access, query));
  const std::int64_t shards = ShardsOf(access, query);
  QueryPlan plan;
  for (const std::string& value : merged) {
    Record with_merged;
    if (!query.merge.empty()) {
      with_merged = inputs.arguments;
      with_merged.SetText(query.merge, value);
    }
    for (std::int64_t shard = 0; shard < std::max<std::int64_t>(shards, 1); ++shard) {
      Planner planner{.model = model,
                      .access = access,
                      .query = query,
                      .inputs = inputs,
                      .values = query.merge.empty() ? inputs.arguments : with_merged};
      if (shards > 0) planner.shard = shard;
      planner.read.page.table = inputs.table;
      planner.read.page.index = query.index != nullptr ? query.index->name : "";
      planner.read.page.is_forward = !inputs.is_descending;
      planner.read.page.is_consistent = query.is_consistent;
      TRY(planner.PlanKey());
      if (planner.is_empty) continue;
      TRY(planner.PlanFilter());
      if (!inputs.attributes.empty()) planner.PlanProjection();
      planner.PlanOrderPrefix();
      plan.push_back(std::move(planner.read));
    }
  }
  return plan;
}

}  // namespace trestle::design
