#include <variant>

#include <fmt/format.h>

#include "design/checks/checks_internal.h"

// B1 to B7: what weakens on ScyllaDB's Alternator, which has no transactions.

namespace trestle::design {
namespace {

void CheckTable(const Checking& in) {
  const Table& table = in.model.table;
  for (const Index& index : table.indexes) {
    if (std::holds_alternative<syntax::ProjectAll>(index.projection)) continue;
    AddWarning(
        in.diagnostics, "B6", index.position,
        fmt::format("Alternator keeps every attribute in {}, whatever it projects", index.name));
  }
  if (table.point_in_time_recovery ||
      !std::holds_alternative<syntax::ServiceEncryption>(table.encryption)) {
    AddWarning(in.diagnostics, "B7", table.position,
               "recovery and encryption are settings of the cluster, not of the table");
  }
}

void CheckEntity(const Checking& in, const Entity& entity) {
  for (const Unique& unique : entity.uniques) {
    AddWarning(in.diagnostics, "B1", unique.position,
               fmt::format("without transactions `unique {}` is kept by a guard that is written "
                           "first, and taken back when the item fails",
                           unique.name));
  }
  if (!entity.rekey_on.empty()) {
    AddWarning(in.diagnostics, "B2", entity.position,
               fmt::format("without transactions a {} that moves is in both places for a moment",
                           entity.name));
  }
  if (!entity.mirrors.empty()) {
    AddWarning(in.diagnostics, "B4", entity.position,
               fmt::format("without transactions the mirrors of {} follow it a moment later",
                           entity.name));
  }
  for (const Relation& relation : entity.relations) {
    if (!relation.tallies.empty()) {
      AddWarning(in.diagnostics, "B4", relation.tallies.front().position,
                 "without transactions the counts and sums of this relation can be off after a "
                 "crash, until `trestle design verify --repair`");
    }
    if (relation.must_exist) {
      AddWarning(in.diagnostics, "B4", relation.position,
                 "without transactions the parent can be gone when its child is written");
    }
    if (!relation.copies.empty() || relation.on_delete == DeleteRule::kCascade) {
      AddWarning(in.diagnostics, "B5", relation.position,
                 "copies and cascades follow the stream, which is about ten seconds late");
    }
  }
}

}  // namespace

void CheckBackend(const Checking& in) {
  CheckTable(in);
  for (const Entity& entity : in.model.entities)
    CheckEntity(in, entity);
  for (const Operation& operation : in.model.operations) {
    if (operation.is_eventual || operation.steps.size() < 2) continue;
    AddWarning(in.diagnostics, "B3", operation.position,
               fmt::format("without transactions others see what is between the steps of `{}`",
                           operation.name));
  }
}

}  // namespace trestle::design
