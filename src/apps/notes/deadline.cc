#include "apps/notes/deadline.h"

#include <algorithm>

#include "design/time_text.h"

namespace trestle::apps::notes {
namespace {

constexpr std::size_t kDayLength = 10;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kDayMs = 24 * kHourMs;
// Clocks are set in the first hours of a day. What is later is measured from the day's end.
constexpr std::int64_t kClockChangesEndMs = 4 * kHourMs;

std::string MomentText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

// What clocks show at a moment, in milliseconds since midnight.
std::int64_t WallTime(std::int64_t unix_ms, const text::TimeZone& zone) {
  const std::string day = zone.DateAt(unix_ms);
  const std::int64_t from_start = unix_ms - zone.StartOf(day);
  if (from_start < kClockChangesEndMs) return from_start;
  return kDayMs - (zone.StartOf(text::AddDays(day, 1)) - unix_ms);
}

std::int64_t AtWallTime(std::string_view day, std::int64_t wall_ms, const text::TimeZone& zone) {
  if (wall_ms < kClockChangesEndMs) return zone.StartOf(day) + wall_ms;
  return zone.StartOf(text::AddDays(day, 1)) - (kDayMs - wall_ms);
}

}  // namespace

bool IsDay(std::string_view deadline) { return deadline.size() == kDayLength; }

std::string DayOf(std::string_view deadline, const text::TimeZone& zone) {
  if (IsDay(deadline)) return std::string(deadline);
  const auto unix_ms = design::ParseTimestamp(deadline);
  return unix_ms ? zone.DateAt(*unix_ms) : std::string();
}

Present PresentAt(std::int64_t unix_ms, const text::TimeZone& zone) {
  return {.today = zone.DateAt(unix_ms), .now = MomentText(unix_ms)};
}

bool IsPast(std::string_view deadline, const Present& present) {
  return deadline < (IsDay(deadline) ? present.today : present.now);
}

std::string PastBound(const Present& present) { return std::max(present.today, present.now); }

Window WindowOfDays(std::string_view first, std::string_view end, const text::TimeZone& zone) {
  return {.from = std::min(std::string(first), MomentText(zone.StartOf(first))),
          .to = std::max(std::string(end), MomentText(zone.StartOf(end)))};
}

std::string OnDay(std::string_view deadline, std::string_view day, const text::TimeZone& zone) {
  const auto unix_ms = IsDay(deadline) ? std::nullopt : design::ParseTimestamp(deadline);
  if (!unix_ms) return std::string(day);
  return MomentText(AtWallTime(day, WallTime(*unix_ms, zone), zone));
}

std::string WeekOf(std::string_view day) {
  constexpr std::int64_t kDaysFromMonday = 3;  // 1970-01-01 was a Thursday
  const std::int64_t number = text::DayNumber(day);
  const std::int64_t into_week = ((number + kDaysFromMonday) % 7 + 7) % 7;
  return text::DateOfDayNumber(number - into_week);
}

}  // namespace trestle::apps::notes
