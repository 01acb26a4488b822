#include "design/table_plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace trestle::design {
namespace {

const IndexSettings* FindIndex(const TableSettings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings.indexes, name, &IndexSettings::name);
  return found == settings.indexes.end() ? nullptr : &*found;
}

KeyType TypeOf(const TableSettings& settings, const std::string& attribute) {
  const auto found = settings.key_types.find(attribute);
  return found == settings.key_types.end() ? KeyType::kString : found->second;
}

// Whether an index is the same for its readers; the order of included attributes is not.
bool IsSame(const TableSettings& current, const IndexSettings& left, const TableSettings& wanted,
            const IndexSettings& right) {
  std::vector<std::string> left_include = left.include;
  std::vector<std::string> right_include = right.include;
  std::ranges::sort(left_include);
  std::ranges::sort(right_include);
  return left.is_local == right.is_local && left.partition_key == right.partition_key &&
         left.sort_key == right.sort_key && left.projection == right.projection &&
         left_include == right_include &&
         TypeOf(current, left.partition_key) == TypeOf(wanted, right.partition_key) &&
         TypeOf(current, left.sort_key) == TypeOf(wanted, right.sort_key);
}

Status CheckKeys(const TableSettings& current, const TableSettings& wanted) {
  if (current.partition_key != wanted.partition_key || current.sort_key != wanted.sort_key ||
      TypeOf(current, current.partition_key) != TypeOf(wanted, wanted.partition_key) ||
      TypeOf(current, current.sort_key) != TypeOf(wanted, wanted.sort_key)) {
    return ValidationError(fmt::format("The keys of table {} cannot be changed", current.name));
  }
  return Ok();
}

Status CheckLocalIndexes(const TableSettings& current, const TableSettings& wanted) {
  for (const auto* from : {&current, &wanted}) {
    const TableSettings& to = from == &current ? wanted : current;
    for (const IndexSettings& index : from->indexes) {
      const IndexSettings* other = FindIndex(to, index.name);
      const bool is_local = index.is_local || (other != nullptr && other->is_local);
      if (!is_local || (other != nullptr && IsSame(*from, index, to, *other))) continue;
      return ValidationError(
          fmt::format("The local index {} of table {} can only be made together with its table",
                      index.name, current.name));
    }
  }
  return Ok();
}

// Those that go first: one that is made again is removed before.
void PlanIndexes(const TableSettings& current, const TableSettings& wanted,
                 std::vector<TableStep>& steps) {
  for (const IndexSettings& index : current.indexes) {
    const IndexSettings* other = FindIndex(wanted, index.name);
    if (other == nullptr || !IsSame(current, index, wanted, *other)) {
      steps.emplace_back(RemoveIndex{index.name});
    }
  }
  for (const IndexSettings& index : wanted.indexes) {
    const IndexSettings* other = FindIndex(current, index.name);
    if (other == nullptr || !IsSame(current, *other, wanted, index)) {
      steps.emplace_back(AddIndex{index});
    }
  }
}

// A table tells its key by the key's ARN, and not whose key it is. So the account's own key and one
// that is named by an alias are taken to be the one it has.
bool IsSameEncryption(const TableSettings& current, const TableSettings& wanted) {
  constexpr auto kAwsOwned = TableSettings::Encryption::kAwsOwned;
  if (current.encryption == kAwsOwned || wanted.encryption == kAwsOwned) {
    return current.encryption == wanted.encryption;
  }
  const std::string& key = wanted.kms_key;
  return key.empty() || key.find("alias/") != std::string::npos || current.kms_key == key ||
         current.kms_key.ends_with("/" + key);
}

void PlanBilling(const TableSettings& current, const TableSettings& wanted,
                 std::vector<TableStep>& steps) {
  if (current.provisioned == wanted.provisioned) return;
  SetBilling step{.provisioned = wanted.provisioned, .indexes = {}};
  for (const IndexSettings& index : current.indexes) {
    if (!index.is_local) step.indexes.push_back(index.name);
  }
  steps.emplace_back(std::move(step));
}

void PlanStream(const TableSettings& current, const TableSettings& wanted,
                std::vector<TableStep>& steps) {
  if (current.stream == wanted.stream) return;
  if (current.stream != StreamImages::kNone) steps.emplace_back(SetStream{StreamImages::kNone});
  if (wanted.stream != StreamImages::kNone) steps.emplace_back(SetStream{wanted.stream});
}

void PlanTimeToLive(const TableSettings& current, const TableSettings& wanted,
                    std::vector<TableStep>& steps) {
  if (current.time_to_live == wanted.time_to_live) return;
  if (!current.time_to_live.empty()) {
    steps.emplace_back(SetTimeToLive{.attribute = current.time_to_live, .is_enabled = false});
  }
  if (!wanted.time_to_live.empty()) {
    steps.emplace_back(SetTimeToLive{.attribute = wanted.time_to_live, .is_enabled = true});
  }
}

}  // namespace

Result<std::vector<TableStep>> PlanSteps(const TableSettings& current,
                                         const TableSettings& wanted) {
  TRY(CheckKeys(current, wanted));
  TRY(CheckLocalIndexes(current, wanted));
  std::vector<TableStep> steps;
  PlanBilling(current, wanted, steps);
  PlanStream(current, wanted, steps);
  PlanIndexes(current, wanted, steps);
  PlanTimeToLive(current, wanted, steps);
  if (current.point_in_time_recovery != wanted.point_in_time_recovery) {
    steps.emplace_back(SetPointInTimeRecovery{wanted.point_in_time_recovery});
  }
  if (!IsSameEncryption(current, wanted)) {
    steps.emplace_back(SetEncryption{.encryption = wanted.encryption, .kms_key = wanted.kms_key});
  }
  return steps;
}

std::map<std::string, KeyType> KeyTypesOf(const TableSettings& settings,
                                          std::span<const IndexSettings> indexes) {
  std::map<std::string, KeyType> types;
  const auto add = [&](const std::string& attribute) {
    if (!attribute.empty()) types.emplace(attribute, TypeOf(settings, attribute));
  };
  add(settings.partition_key);
  add(settings.sort_key);
  for (const IndexSettings& index : indexes) {
    add(index.partition_key);
    add(index.sort_key);
  }
  return types;
}

}  // namespace trestle::design
