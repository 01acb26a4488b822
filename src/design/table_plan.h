#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "design/backend.h"

// How a table becomes what a design wants: single changes in an order that every back end takes.

namespace trestle::design {

struct SetBilling {
  std::optional<std::pair<std::int64_t, std::int64_t>> provisioned;  // none: on demand
  std::vector<std::string> indexes;  // those that are there then: their units are the table's
};
struct SetStream {
  StreamImages images = StreamImages::kNone;
};
struct SetTimeToLive {
  std::string attribute;
  bool is_enabled = false;
};
struct RemoveIndex {
  std::string name;
};
struct AddIndex {
  IndexSettings index;
};
struct SetPointInTimeRecovery {
  bool is_enabled = false;
};
struct SetEncryption {
  TableSettings::Encryption encryption = TableSettings::Encryption::kAwsOwned;
  std::string kms_key;
};

using TableStep = std::variant<SetBilling, SetStream, SetTimeToLive, RemoveIndex, AddIndex,
                               SetPointInTimeRecovery, SetEncryption>;

// kValidation when keys or local indexes differ: no table can change these.
[[nodiscard]] Result<std::vector<TableStep>> PlanSteps(const TableSettings& current,
                                                       const TableSettings& wanted);

// The types that a request about these indexes must define: of the table's keys and theirs.
[[nodiscard]] std::map<std::string, KeyType> KeyTypesOf(const TableSettings& settings,
                                                        std::span<const IndexSettings> indexes);

}  // namespace trestle::design
