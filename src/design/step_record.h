#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/step_undo.h"
#include "value/item.h"

namespace trestle::design {

// The names that records and their parts have among the internal items (recognise.h).
inline constexpr std::string_view kStepsNames = "steps#";
inline constexpr std::string_view kStepsPartNames = "part#";
inline constexpr std::string_view kStepsPartOf = "~of";

// Whether the process of a record or a part has ended, as far as one can tell: it began a minute
// ago or more.
[[nodiscard]] bool IsLeft(value::ItemView item, std::int64_t now_unix_ms);

struct KeyNames {
  std::string partition_key;
  std::string sort_key;  // empty: none
};

// What a transaction in steps (step_writer.h) leaves in its table for as long as it is on its way,
// so that somebody else can take it back when its process has ended in the middle. It is done when
// its record is removed, which works only while nobody has given it up.
//
// - the key: ~trestle#steps#<id> and ~
// - ~at, S: when it began, 2026-01-15T10:30:00.000Z
// - ~given_up, BOOL: it is being taken back
// - ~steps, B: the steps, as much of them as fits
// - ~parts, N: how many items ~trestle#part#<id>#<n> have the rest, each in its own ~steps. They
//   are there before the record, and name it in ~of.
class StepRecord {
 public:
  // Of a transaction that begins. The back end must outlive it.
  [[nodiscard]] static Result<StepRecord> Put(Backend& backend, const std::string& table,
                                              const KeyNames& names, const std::string& id,
                                              std::int64_t now_unix_ms,
                                              std::span<const WriteStep> steps);
  // One that was found.
  StepRecord(Backend& backend, std::string table, KeyNames names, value::ItemView item);

  // All of it is done. kConditionalCheckFailed when somebody has given it up or removed it.
  [[nodiscard]] Status End();
  // It is to be taken back, by the caller. kConditionalCheckFailed as above.
  [[nodiscard]] Status GiveUp();
  // All of it is taken back.
  [[nodiscard]] Status Remove();

  // By who has found it: gives it up, takes back what is as it was left, and removes it. Ok when
  // somebody else has done so, or it is over.
  [[nodiscard]] Status TakeBackAll();

  [[nodiscard]] bool is_given_up() const { return is_given_up_; }
  [[nodiscard]] const std::string& at() const { return at_; }

 private:
  StepRecord(Backend& backend, std::string table, KeyNames names, std::string id, std::string at)
      : backend_(&backend),
        table_(std::move(table)),
        names_(std::move(names)),
        id_(std::move(id)),
        at_(std::move(at)) {}

  [[nodiscard]] value::Item Key() const;
  [[nodiscard]] value::Item PartKey(std::size_t number) const;
  // A write of the record that fails when it was given up or removed.
  [[nodiscard]] WriteItem WhileOpen(ActionKind kind) const;
  [[nodiscard]] Status RemoveParts();
  // None when a part is gone.
  [[nodiscard]] Result<std::vector<WriteStep>> ReadSteps() const;

  Backend* backend_;
  std::string table_;
  KeyNames names_;
  std::string id_;
  std::string at_;
  std::string first_;  // of ~steps
  std::size_t parts_ = 0;
  bool is_given_up_ = false;
};

}  // namespace trestle::design
