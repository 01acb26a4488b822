#include "apps/notes/calendar_text.h"

#include <gtest/gtest.h>

namespace trestle::apps::notes {
namespace {

std::string Text(const CalendarNote& note) { return CalendarText("Ann", {note}); }

bool Has(const std::string& text, std::string_view line) {
  return text.find("\r\n" + std::string(line) + "\r\n") != std::string::npos;
}

TEST(CalendarText, ADayLastsAllDay) {
  const std::string text = Text({.id = "n1",
                                 .title = "Tax form",
                                 .deadline = "2026-12-31",
                                 .changed_at = "2026-01-02T03:04:05.678Z"});
  EXPECT_TRUE(Has(text, "BEGIN:VEVENT"));
  EXPECT_TRUE(Has(text, "UID:n1@trestle.notes"));
  EXPECT_TRUE(Has(text, "DTSTAMP:20260102T030405Z"));
  EXPECT_TRUE(Has(text, "DTSTART;VALUE=DATE:20261231"));
  EXPECT_TRUE(Has(text, "DTEND;VALUE=DATE:20270101"));
  EXPECT_TRUE(Has(text, "SUMMARY:Tax form"));
}

TEST(CalendarText, AMomentIsInUtcAndTheRestIsToDo) {
  EXPECT_TRUE(Has(Text({.id = "n", .title = "t", .deadline = "2026-01-20T10:30:00.000Z"}),
                  "DTSTART:20260120T103000Z"));
  const std::string todo = Text({.id = "n", .title = "t", .tags = {"home", "a,b"}});
  EXPECT_TRUE(Has(todo, "BEGIN:VTODO"));
  EXPECT_TRUE(Has(todo, "CATEGORIES:home,a\\,b"));
  EXPECT_EQ(todo.find("DTSTART"), std::string::npos);
}

TEST(CalendarText, TextCannotBreakOutOfItsLine) {
  const std::string text =
      Text({.id = "n", .title = "a;b,c\\d\r\nEND:VCALENDAR", .content = "one\ntwo"});
  EXPECT_TRUE(Has(text, "SUMMARY:a\\;b\\,c\\\\d\\nEND:VCALENDAR"));
  EXPECT_TRUE(Has(text, "DESCRIPTION:one\\ntwo"));
}

TEST(CalendarText, LongLinesGoOnInTheNext) {
  std::string title;
  for (int i = 0; i < 100; ++i)
    title += "é";
  const std::string text = Text({.id = "n", .title = title});
  std::string joined;
  std::size_t start = 0;
  for (std::size_t end = text.find("\r\n"); end != std::string::npos;
       start = end + 2, end = text.find("\r\n", start)) {
    const std::string line = text.substr(start, end - start);
    EXPECT_LE(line.size(), 75U);
    EXPECT_NE(static_cast<unsigned char>(line.back()), 0xc3U) << "a character is cut";
    joined += line.starts_with(' ') ? line.substr(1) : "\n" + line;
  }
  EXPECT_NE(joined.find("\nSUMMARY:" + title + "\n"), std::string::npos);
}

}  // namespace
}  // namespace trestle::apps::notes
