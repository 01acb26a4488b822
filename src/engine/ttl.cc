#include "engine/ttl.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "engine/rows.h"

namespace trestle::engine {
namespace {

// What is older than this was hardly meant as a time to expire at, and stays.
constexpr std::int64_t kExpiryAgeMaxSeconds = 5LL * 365 * 24 * 60 * 60;

// How long a clock that was set forward must keep its course, and how well, to be believed.
constexpr std::int64_t kCourseMs = 60 * 60 * 1000;
constexpr std::int64_t kCourseDeviationMs = 1000;

// About a tenth of the committer's time either way; see also its kQuiet.
constexpr std::size_t kSharedItemsMax = 32;
constexpr std::int64_t kSharedNs = 250'000;
constexpr std::int64_t kSharedRest = 9;
constexpr std::size_t kAloneItemsMax = 40;
constexpr std::int64_t kAloneNs = 250'000;

Status CheckIsThere(const TableSchema& table, std::int64_t now_unix_ms) {
  const TableStatus status = StatusAt(table, now_unix_ms);
  if (status != TableStatus::kCreating && status != TableStatus::kDeleting) return Ok();
  return Error(ErrorCode::kResourceInUse,
               fmt::format("Attempt to change a resource which is still in use: Table {} is being "
                           "{}",
                           table.name, status == TableStatus::kCreating ? "created" : "deleted"));
}

}  // namespace

Result<TimeToLive> PlanTimeToLive(const TableSchema& table, const UpdateTimeToLiveRequest& request,
                                  std::int64_t now_unix_ms) {
  TRY(CheckIsThere(table, now_unix_ms));
  const std::optional<TimeToLive> current = TimeToLiveAt(table, now_unix_ms);
  if (!current && !request.is_enabled) return ValidationError("TimeToLive is already disabled");
  if (!current) {
    return TimeToLive{.attribute = request.attribute, .is_enabled = true, .is_backfilling = true};
  }
  if (current->attribute != request.attribute) {
    return ValidationError(
        fmt::format("TimeToLive is active on a different AttributeName: current AttributeName is "
                    "{}",
                    current->attribute));
  }
  if (current->is_enabled == request.is_enabled) {
    return ValidationError(
        fmt::format("TimeToLive is already {}", request.is_enabled ? "enabled" : "disabled"));
  }
  if (current->status_until_unix_ms != 0) {
    return ValidationError("Time to live has been modified multiple times within a fixed interval");
  }
  return TimeToLive{.attribute = request.attribute, .is_enabled = false};
}

std::optional<TimeToLive> TimeToLiveAt(const TableSchema& table, std::int64_t now_unix_ms) {
  std::optional<TimeToLive> result = table.time_to_live;
  if (!result || now_unix_ms < result->status_until_unix_ms) return result;
  if (!result->is_enabled) return std::nullopt;
  result->status_until_unix_ms = 0;
  return result;
}

std::int64_t ExpiryTime::NowUnixMs() {
  const std::int64_t wall_ms = clock_.NowUnixMs();
  const std::int64_t steady_ms = SteadyMs();
  const std::int64_t offset_ms = wall_ms - steady_ms;
  if (offset_ms <= offset_ms_) {
    offset_ms_ = offset_ms;
    ahead_.reset();
    return wall_ms;
  }
  if (!ahead_ || std::abs(offset_ms - ahead_->offset_ms) > kCourseDeviationMs) {
    ahead_ = {.offset_ms = offset_ms, .since_steady_ms = steady_ms};
  }
  if (steady_ms - ahead_->since_steady_ms < kCourseMs) return steady_ms + offset_ms_;
  offset_ms_ = offset_ms;
  ahead_.reset();
  return wall_ms;
}

Status Sweep::Step(Pace pace, Group& group) {
  if (period_ms_ == 0) return Ok();
  const std::int64_t now_unix_ms = time_.NowUnixMs();
  const std::int64_t start_ns = clock_.SteadyNs();
  if (pace == Pace::kShared && start_ns < rest_until_ns_) return Ok();
  if (tables_.empty() && start_ns >= next_pass_ns_) StartPass();
  if (tables_.empty()) return Ok();

  Limit limit = pace == Pace::kShared
                    ? Limit{.items = kSharedItemsMax, .steady_ns = start_ns + kSharedNs}
                    : Limit{.items = kAloneItemsMax, .steady_ns = start_ns + kAloneNs};
  while (!tables_.empty()) {
    const bool is_done = TRY(SweepTable(tables_.back(), now_unix_ms, limit, group));
    if (!is_done) break;
    tables_.pop_back();
  }
  const std::int64_t end_ns = clock_.SteadyNs();
  if (tables_.empty()) next_pass_ns_ = end_ns + period_ms_ * 1'000'000;
  rest_until_ns_ = end_ns + kSharedRest * (end_ns - start_ns);
  return Ok();
}

void Sweep::StartPass() {
  std::map<ExpiryId, std::string> positions;
  for (const auto& table : catalog_.All()) {
    if (!table->time_to_live || !table->time_to_live->is_enabled) continue;
    tables_.push_back(table->name);
    const auto position = positions_.find(table->time_to_live->id);
    if (position != positions_.end()) positions.insert(*position);
  }
  positions_ = std::move(positions);  // without those of tables that are gone
}

Result<bool> Sweep::SweepTable(const std::string& name, std::int64_t now_unix_ms, Limit& limit,
                               Group& group) {
  const std::shared_ptr<const TableSchema> table = catalog_.Find(name);
  if (!table || !table->time_to_live || table->status == TableStatus::kDeleting) return true;
  const TimeToLive& time_to_live = *table->time_to_live;
  if (!time_to_live.is_enabled || time_to_live.is_backfilling) return true;

  const std::int64_t now_seconds = now_unix_ms / 1000;
  const std::string end = FirstExpiryRow(time_to_live.id, now_seconds);
  std::string& position = positions_[time_to_live.id];
  position =
      std::max(position, FirstExpiryRow(time_to_live.id, now_seconds - kExpiryAgeMaxSeconds));
  if (position >= end) return true;
  const auto cursor = store_.NewCursor(position, end);
  for (cursor->Seek(position); cursor->Valid(); cursor->Next()) {
    if (limit.items == 0 || clock_.SteadyNs() > limit.steady_ns) break;
    TRY(Expire(table, cursor->key(), group));
    --limit.items;
  }
  TRY(cursor->status());
  position = cursor->Valid() ? std::string(cursor->key()) : end;
  return !cursor->Valid();
}

// The item as it is now decides: an earlier write of the group may have given it more time.
Status Sweep::Expire(const std::shared_ptr<const TableSchema>& table, std::string_view expiry_row,
                     Group& group) {
  Decision decision{.table = table, .row = TRY(ItemRowOf(*table, expiry_row))};
  std::optional<std::string> bytes = TRY(group.Read(decision.row));
  if (!bytes) return Ok();
  decision.old_item = value::Item(*std::move(bytes));
  if (ExpiryRow(*table->time_to_live, decision.row, decision.old_item->view()) != expiry_row) {
    return Ok();
  }
  decision.removal = StreamEvent::kExpire;
  const Result<Applied> applied = Apply(decision, clock_.NowUnixMs(), group);
  if (!applied.ok()) return applied.error();
  return Ok();
}

void Sweep::Committed(const Group& group) {
  for (const auto& [id, row] : group.first_expiry_rows()) {
    const auto position = positions_.find(id);
    if (position != positions_.end()) position->second = std::min(position->second, row);
  }
}

}  // namespace trestle::engine
