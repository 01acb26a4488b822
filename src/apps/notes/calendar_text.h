#pragma once

#include <string>
#include <string_view>
#include <vector>

// Notes as a calendar of RFC 5545, for the calendar programs that people have. Pure.

namespace trestle::apps::notes {

struct CalendarNote {
  std::string id;
  std::string title;
  std::string content = {};
  std::string deadline = {};    // empty: a to-do without a date
  std::string changed_at = {};  // a moment
  std::vector<std::string> tags = {};
};

// Days become events that last all day, moments ones without length.
[[nodiscard]] std::string CalendarText(std::string_view name,
                                       const std::vector<CalendarNote>& notes);

}  // namespace trestle::apps::notes
