#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "design/write_plan.h"

// Puts a WritePlan together: items in write_plan.cc, parents in write_parents.cc.

namespace trestle::design {

class Planner {
 public:
  Planner(const PlanInput& input, std::vector<EntityChange>& changes, WritePlan& plan)
      : input_(input), model_(input.model), changes_(changes), plan_(plan), moves_(input.moves) {}

  [[nodiscard]] Status Run();

 private:
  // The item itself.
  [[nodiscard]] Status PlanItem(EntityChange& change);
  void PlanCreate(const EntityChange& change, Record stored);
  void PlanUpdate(const EntityChange& change, const Record& stored);
  void PlanMove(const EntityChange& change, Record stored, const value::Item& next_key);
  void PlanDelete(const EntityChange& change);
  // That no job is about what was at this key before.
  void GuardJob(const Entity& entity, const value::Item& key);
  [[nodiscard]] static Guard Exists();
  void GuardVersion(const EntityChange& change, PlannedItem& item) const;
  [[nodiscard]] bool HasLock(const Entity& entity) const;

  // What stands beside it.
  [[nodiscard]] Status PlanMirrors(const EntityChange& change);
  void PlanUniques(const EntityChange& change);

  // Its parents.
  [[nodiscard]] Status FillCopies(EntityChange& change);
  [[nodiscard]] Status PlanParents(const EntityChange& change);
  [[nodiscard]] Status PlanTally(const EntityChange& change, const Relation& relation,
                                 const Tally& tally, const std::optional<value::Item>& old_key,
                                 const std::optional<value::Item>& next_key);
  struct Count {
    const Relation& relation;
    const value::Item& parent;
    const Path& into;
    const value::Number& number;
    bool must_exist = false;  // which is asked already; else an absent parent is let be
  };
  [[nodiscard]] Status Add(const Count& count);
  [[nodiscard]] Status AddFurther(const Count& count);
  // That an item still belongs where it did, when that can change.
  void GuardLinks(const Relation& relation, const value::Item& key, const ItemState& state);

  // The item as it will be when that is known here, else as it is stored.
  [[nodiscard]] Result<std::optional<ItemState>> FindState(const value::Item& key);
  [[nodiscard]] EntityChange* FindChange(const value::Item& key) const;
  [[nodiscard]] bool IsSameParent(const std::optional<value::Item>& old_key,
                                  const std::optional<value::Item>& next_key) const;

  const PlanInput& input_;
  const Model& model_;
  std::vector<EntityChange>& changes_;
  WritePlan& plan_;
  std::map<std::string, EntityChange*, std::less<>> changes_by_key_;  // by all keys they touch
  std::map<std::string, std::string, std::less<>> moves_;             // old key to new key
  std::map<std::string, std::optional<ItemState>, std::less<>> states_;
};

// That the item still has at `path` what it has in `item`; else planning starts again.
[[nodiscard]] Guard Unchanged(const value::Item& item, const Path& path);

// "there is no Book with id b1"
[[nodiscard]] Error NotFound(const Entity& entity, const Record& record);

}  // namespace trestle::design
