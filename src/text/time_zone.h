#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Days as people in a place count them: ICU's time zones, wrapped.

namespace trestle::text {

// A zone of the IANA database, such as "Europe/Vienna". Immutable; safe from many threads.
class TimeZone {
 public:
  // Nothing when there is no such zone.
  [[nodiscard]] static std::optional<TimeZone> Find(std::string_view name);
  static TimeZone Utc();

  TimeZone(TimeZone&&) noexcept;
  TimeZone& operator=(TimeZone&&) noexcept;
  ~TimeZone();

  // The day that it is there at a moment: "2026-01-15".
  [[nodiscard]] std::string DateAt(std::int64_t unix_ms) const;
  // The moment at which a day begins there: usually midnight, later where the clocks skip it.
  [[nodiscard]] std::int64_t StartOf(std::string_view date) const;

 private:
  struct Impl;
  explicit TimeZone(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A day so many days later, or earlier: AddDays("2026-02-28", 1) is "2026-03-01".
[[nodiscard]] std::string AddDays(std::string_view date, std::int64_t days);
// Days since 1970-01-01. `date` is a day of the calendar.
[[nodiscard]] std::int64_t DayNumber(std::string_view date);
[[nodiscard]] std::string DateOfDayNumber(std::int64_t day);

}  // namespace trestle::text
