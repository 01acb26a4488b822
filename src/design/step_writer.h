#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/result.h"
#include "design/backend.h"
#include "design/step_record.h"
#include "value/item.h"

namespace trestle::design {

// Transactions for a back end that has none. Every condition is looked at first. Then a record of
// all steps is left in the table, and the writes are done one by one, by their turn and deletes
// behind the others, each under its own condition. What is done is taken back when a later one
// fails; when the process ends in the middle, who finds the record takes it back (step_record.h).
//
// So others see what is between, and a check can have become untrue.
class StepWriter {
 public:
  // All must outlive it.
  StepWriter(Backend& backend, const Clock& clock, Random& random)
      : backend_(backend), clock_(clock), random_(random) {}

  // Errors are those of Backend::Transact.
  [[nodiscard]] Status Write(std::span<const WriteItem> writes);

 private:
  [[nodiscard]] Result<KeyNames> KeyNamesOf(const std::string& table) EXCLUDES(mutex_);
  [[nodiscard]] Result<value::Item> KeyOf(const WriteItem& write) EXCLUDES(mutex_);
  // None for a single step, which needs none.
  [[nodiscard]] Result<std::optional<StepRecord>> Record(std::span<const WriteStep> steps)
      EXCLUDES(mutex_);
  // Takes back the steps, of which nobody may know whether the last was done. What fails is left to
  // who finds the record.
  void Abandon(StepRecord& record, std::span<const WriteStep> steps, bool is_last_done);
  [[nodiscard]] Status TakeBackOwn(StepRecord& record, std::span<const WriteStep> steps,
                                   bool is_last_done);

  Backend& backend_;
  const Clock& clock_;
  Random& random_;
  Mutex mutex_;
  std::map<std::string, KeyNames> key_names_ GUARDED_BY(mutex_);  // by table
};

}  // namespace trestle::design
