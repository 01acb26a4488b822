#pragma once

#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/runtime.h"
#include "design/step_record.h"

namespace trestle::design {

// Does what follows from one change of the table: copies, averages, the work of jobs, and what an
// expired item leaves to be adjusted. It is decided by comparing what was, what became of it and
// what is stored now, so following a change again changes nothing.
class ChangeFollower {
 public:
  // What the state belongs to must outlive it.
  explicit ChangeFollower(RuntimeState& state) : state_(state) {}

  [[nodiscard]] Status Follow(const Change& change);

  // Removes the marks of expired items. Only once a position behind them is stored: without its
  // mark an expiry would be followed again.
  [[nodiscard]] Status ForgetExpiries();

 private:
  [[nodiscard]] Status FollowSteps(const Change& change);
  [[nodiscard]] Status FollowJob(const Change& change);
  [[nodiscard]] Status FollowCopies(const TypedItem* old_item, const TypedItem& new_item,
                                    const Change& change);
  [[nodiscard]] Status FollowAverages(const TypedItem& new_item, const Change& change);
  [[nodiscard]] Status FollowExpiry(const TypedItem& old_item, const Change& change);

  RuntimeState& state_;
  std::vector<WriteItem> forgotten_;  // deletes of marks
};

// The record of a transaction in steps, of an item with a name of kStepsNames.
[[nodiscard]] StepRecord StepsOf(RuntimeState& state, const value::Item& item);

// The paths of an entity's averages, also inside maps.
[[nodiscard]] std::vector<Path> AveragesOf(const Entity& entity);

// Gives a child what it copies of this parent, unless it belongs to another by now.
[[nodiscard]] Status CopyFrom(RuntimeState& state, const Relation& relation,
                              const value::Item& child_key, const Record& parent);

// Puts what an average is now beside what it is computed from. Nothing when it is right.
[[nodiscard]] Status StoreAverages(RuntimeState& state, const Entity& entity,
                                   const value::Item& item);

}  // namespace trestle::design
