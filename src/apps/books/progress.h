#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "text/time_zone.h"

// How a book was read, from the pages that were reached. Pure.

namespace trestle::apps::books {

struct ReachedPage {
  std::int64_t time_unix_ms = 0;
  std::int64_t page = 0;
};

struct DayOfReading {
  std::int64_t pages = 0;
  std::int64_t events = 0;

  friend bool operator==(const DayOfReading&, const DayOfReading&) = default;
};

// By local day. A day has the pages that were read since the event before; a page that falls back
// is a correction or a second reading, and counts none. `events` are in order of time.
[[nodiscard]] std::map<std::string, DayOfReading> PagesPerDay(std::span<const ReachedPage> events,
                                                              const text::TimeZone& zone);

// One reading of a book: until the page falls below 10 % after at least 95 %.
struct Reading {
  std::string start;               // days
  std::optional<std::string> end;  // none: not at 95 % yet
  std::int64_t pages = 0;
};
[[nodiscard]] std::vector<Reading> Readings(std::span<const ReachedPage> events,
                                            std::optional<std::int64_t> total_pages,
                                            const text::TimeZone& zone);

// Between which days a book may be finished at the pace of the last 14 days with reading; nothing
// when there are too few, or nothing is left.
struct Forecast {
  std::string early;
  std::string late;
};
[[nodiscard]] std::optional<Forecast> ForecastEnd(const std::map<std::string, DayOfReading>& days,
                                                  std::int64_t pages_left,
                                                  const std::string& today);

}  // namespace trestle::apps::books
