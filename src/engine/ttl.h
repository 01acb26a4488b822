#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/catalog.h"
#include "engine/group.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "engine/write.h"
#include "storage/store.h"

// Time to live. A table that has it enabled keeps an expiry row for each item whose attribute is a
// number, in the order of these numbers and in the same batch as the item; a sweep removes items
// from its front.

namespace trestle::engine {

// What the request makes of the table's time to live. Fails in the service's words. The id of what
// is enabled is left to the caller.
[[nodiscard]] Result<TimeToLive> PlanTimeToLive(const TableSchema& table,
                                                const UpdateTimeToLiveRequest& request,
                                                std::int64_t now_unix_ms);

// As it is at a time: nothing when it is disabled. ENABLING and DISABLING end by themselves; after
// that, status_until_unix_ms is 0.
[[nodiscard]] std::optional<TimeToLive> TimeToLiveAt(const TableSchema& table,
                                                     std::int64_t now_unix_ms);

// The time by which items expire: that of the clock on the wall, unless that was set forward.
//
// A clock that is set forward by mistake must not delete what is not due. So when the clock on the
// wall gains on the steady one, time goes on as if it had not, until the clock on the wall has kept
// its new course for an hour. A clock that is set back is believed at once. Nothing is known of the
// time before the process started: then the clock on the wall is believed too.
class ExpiryTime {
 public:
  explicit ExpiryTime(const Clock& clock)
      : clock_(clock), offset_ms_(clock.NowUnixMs() - SteadyMs()) {}

  // Never later than the clock on the wall. To be called often: what happens to the clock between
  // two calls is not seen.
  [[nodiscard]] std::int64_t NowUnixMs();

 private:
  struct Course {
    std::int64_t offset_ms;
    std::int64_t since_steady_ms;
  };

  [[nodiscard]] std::int64_t SteadyMs() const { return clock_.SteadyNs() / 1'000'000; }

  const Clock& clock_;
  std::int64_t offset_ms_;       // of the wall before the steady clock, as it is believed
  std::optional<Course> ahead_;  // what the wall says meanwhile
};

// Deletes expired items, a slice at a time. Used by the committer's thread only.
class Sweep {
 public:
  // With a period of 0 nothing is ever swept.
  Sweep(const storage::Store& store, const Catalog& catalog, const Clock& clock,
        std::int64_t period_ms)
      : store_(store), catalog_(catalog), clock_(clock), period_ms_(period_ms), time_(clock) {}

  // kShared: with writes that wait, so it is short, and rests for nine times as long as it took.
  // kAlone: nobody waits at the moment.
  enum class Pace { kShared, kAlone };

  // Puts deletes of items that have expired into the group, like any other writes.
  [[nodiscard]] Status Step(Pace pace, Group& group);

  // The group is on disk, with rows that may lie before the place where the sweep stands; or its
  // commit failed, with what was swept.
  void Committed(const Group& group);
  void Failed() { positions_.clear(); }

  // Whether items may be left that have expired.
  [[nodiscard]] bool has_more() const { return !tables_.empty(); }

 private:
  struct Limit {
    std::size_t items;
    std::int64_t steady_ns;
  };

  void StartPass();
  // True when the table has no more items that have expired.
  [[nodiscard]] Result<bool> SweepTable(const std::string& name, std::int64_t now_unix_ms,
                                        Limit& limit, Group& group);
  [[nodiscard]] Status Expire(const std::shared_ptr<const TableSchema>& table,
                              std::string_view expiry_row, Group& group);

  const storage::Store& store_;
  const Catalog& catalog_;
  const Clock& clock_;
  const std::int64_t period_ms_;
  ExpiryTime time_;
  std::int64_t next_pass_ns_ = 0;
  std::int64_t rest_until_ns_ = 0;
  std::vector<std::string> tables_;  // names of those that this pass has not finished
  // Row keys before which no row is left. Seeking there passes over what was deleted.
  std::map<ExpiryId, std::string> positions_;
};

}  // namespace trestle::engine
