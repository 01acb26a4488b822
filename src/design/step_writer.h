#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "design/backend.h"
#include "value/item.h"

namespace trestle::design {

// Transactions for a back end that has none. Every condition is looked at first. Then the writes
// are done one by one, by their turn and deletes behind the others, each under its own condition;
// what is done is taken back when a later one fails.
//
// So others see what is between, a check can have become untrue, and a process that ends in the
// middle leaves what it has done. `verify` finds that.
class StepWriter {
 public:
  explicit StepWriter(Backend& backend) : backend_(backend) {}  // which must outlive it

  // Errors are those of Backend::Transact.
  [[nodiscard]] Status Write(std::span<const WriteItem> writes);

 private:
  [[nodiscard]] Result<value::Item> KeyOf(const WriteItem& write) EXCLUDES(mutex_);

  Backend& backend_;
  Mutex mutex_;
  std::map<std::string, std::vector<std::string>> key_names_ GUARDED_BY(mutex_);  // by table
};

}  // namespace trestle::design
