#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/record.h"
#include "design/values.h"
#include "value/number.h"

// From what a caller wants to happen to some items to the actions of one transaction that do it
// with all that follows: index keys, mirrors, guards of unique values, checks of parents, counts
// and sums. Each item is in one action, because a transaction may name it once.

namespace trestle::design {

// An entity's item as it was read.
struct ItemState {
  value::Item item;
  Record record;
  const Entity* entity = nullptr;
};

// What an action's item must be like. The first guard that does not hold says why the whole failed.
struct Guard {
  enum class Kind : std::uint8_t { kExists, kNotExists, kEquals, kAbsent, kCondition };
  enum class Failure : std::uint8_t {
    kFinal,          // `code` and `message` go to the caller
    kConflict,       // what was read is out of date: plan again
    kMissingParent,  // there is nothing to count in: plan again without
    kCollision,      // the same instant is taken: plan again, one later
    kUnfinishedJob,  // of what was here before (job.h): finish it, then plan again
  };
  Kind kind = Kind::kExists;
  Path path = {};          // of kEquals and kAbsent
  std::string value = {};  // of kEquals
  // Of kCondition; both must outlive the plan. Names in it are of `sources`.
  const Condition* condition = nullptr;
  const Entity* entity = nullptr;
  ValueSources sources = {};
  Failure failure = Failure::kFinal;
  ErrorCode code = ErrorCode::kConditionalCheckFailed;
  std::string message = {};
};

// What happens to one item of an entity. Neither `old` nor `next`: it must be there, and nothing
// more than the guards is asked of it.
struct EntityChange {
  const Entity* entity = nullptr;
  value::Item key;                           // of what is now; of `next` when there is nothing now
  std::optional<ItemState> old;              // none: it is created
  std::optional<Record> next;                // none: it is deleted
  std::optional<value::Item> next_key = {};  // of `next`, if it is known
  std::vector<Guard> guards = {};
  std::optional<std::int64_t> expected_version = {};
  bool is_maintenance = false;
  // Of what is created: somebody else may have done it meanwhile, and then it is changed instead.
  bool is_upsert = false;
};

// One action in the making.
struct PlannedItem {
  struct Assignment {
    Path path;
    std::string value;
  };
  struct Addition {
    Path path;
    value::Number number;
  };
  value::Item key;
  std::optional<Record> put;  // the whole item
  bool is_delete = false;
  Turn turn = Turn::kMiddle;
  std::vector<Assignment> set = {};
  std::vector<Path> remove = {};
  std::vector<Addition> add = {};
  std::vector<Guard> guards = {};
};

// The item with this key as it is stored now.
using ItemFinder = std::function<Result<std::optional<value::Item>>(const value::Item& key)>;

struct PlanInput {
  const Model& model;
  const std::string& table;
  ItemFinder find;
  // Encoded keys of parents that are known not to be there.
  const std::set<std::string>& missing_parents;
  // Encoded keys of parents that have moved already, old to new: what moves after them stays
  // theirs.
  std::map<std::string, std::string, std::less<>> moves = {};
};

class WritePlan {
 public:
  // `changes` are of different items; `next` gets its copies here. kResourceNotFound for a parent
  // that must exist and does not.
  [[nodiscard]] static Result<WritePlan> Make(const PlanInput& input,
                                              std::vector<EntityChange>& changes);

  // The actions, in the order of items().
  [[nodiscard]] Result<std::vector<WriteItem>> Actions() const;
  [[nodiscard]] const std::deque<PlannedItem>& items() const { return items_; }

  // Why the actions failed: what the caller is told, or that it is worth to plan again, with the
  // parents that are not there.
  struct PlanAgain {
    std::set<std::string> missing_parents = {};
    bool is_collision = false;
    std::vector<value::Item> unfinished_jobs = {};  // their keys
  };
  [[nodiscard]] std::variant<Error, PlanAgain> Explain(const Error& error) const;

  // For counters in maps that items written by others may lack: writes that make them.
  [[nodiscard]] std::vector<WriteItem> MissingMaps() const;

  // The action of an item, for who puts a plan together.
  [[nodiscard]] PlannedItem& At(const value::Item& key);

 private:
  WritePlan(const Model& model, const std::string& table) : model_(&model), table_(&table) {}

  const Model* model_;
  const std::string* table_;
  std::deque<PlannedItem> items_;  // they are looked at while others are added
  std::map<std::string, std::size_t, std::less<>> places_;  // key bytes to place in items_
};

// "Book with userId u1 and id b1"
[[nodiscard]] std::string ItemWords(const Entity& entity, const Record& record);

}  // namespace trestle::design
