#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "design/syntax/tree.h"

// Dates and timestamps as designs keep them: texts of one width each, so that they sort by time.

namespace trestle::design {

// "2026-01-15T10:30:00.000Z", or without the milliseconds. Years go from 0 to 9999.
[[nodiscard]] std::string TimestampText(std::int64_t unix_ms, syntax::Precision precision);
// Whether a text is as long as that, and ends so: then it has that form, or it is no time.
[[nodiscard]] inline bool IsAsLongAsTimestamp(std::string_view text, syntax::Precision precision) {
  const std::string_view like = precision == syntax::Precision::kMilliseconds
                                    ? "0000-00-00T00:00:00.000Z"
                                    : "0000-00-00T00:00:00Z";
  return text.size() == like.size() && text.back() == 'Z';
}
// "2026-01-15", in UTC.
[[nodiscard]] std::string DateText(std::int64_t unix_ms);

// Reads a timestamp of RFC 3339: with or without a fraction, which is cut to milliseconds, and with
// Z or an offset from UTC. Nothing when it is none, or before the year 0 or after 9999 in UTC.
[[nodiscard]] std::optional<std::int64_t> ParseTimestamp(std::string_view text);
// Whether a text is a day of the calendar: "2026-01-15".
[[nodiscard]] bool IsDate(std::string_view text);

}  // namespace trestle::design
