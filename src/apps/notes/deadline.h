#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/time_zone.h"

// Deadlines: a day ("2026-01-20"), which is that day wherever somebody is, or a moment in UTC
// ("2026-01-20T10:00:00.000Z"), whose day depends on the place. Neither is ever turned into the
// other. As texts they sort by time, a day before its moments. Pure.

namespace trestle::apps::notes {

[[nodiscard]] bool IsDay(std::string_view deadline);

// The day on which a deadline is in a place.
[[nodiscard]] std::string DayOf(std::string_view deadline, const text::TimeZone& zone);

// The present, as deadlines are compared with it.
struct Present {
  std::string today;  // where the user is
  std::string now;    // in UTC
};
[[nodiscard]] Present PresentAt(std::int64_t unix_ms, const text::TimeZone& zone);

// A moment is over when it was, a day when the next one has begun.
[[nodiscard]] bool IsPast(std::string_view deadline, const Present& present);
// All that is past is before this deadline, and little else.
[[nodiscard]] std::string PastBound(const Present& present);

// Deadlines of one range of their order, from `from` to before `to`.
struct Window {
  std::string from;
  std::string to;
};
// Has all deadlines of the days from `first` to before `end`, and a few of others, which DayOf
// tells apart: days and moments of one day there lie up to 14 hours apart.
[[nodiscard]] Window WindowOfDays(std::string_view first, std::string_view end,
                                  const text::TimeZone& zone);

// The same deadline on another day: a moment keeps the time that clocks there show.
[[nodiscard]] std::string OnDay(std::string_view deadline, std::string_view day,
                                const text::TimeZone& zone);

// The Monday of a day's week.
[[nodiscard]] std::string WeekOf(std::string_view day);

}  // namespace trestle::apps::notes
