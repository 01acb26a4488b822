#include "apps/notes/deadline.h"

#include <string_view>

#include <gtest/gtest.h>

#include "design/time_text.h"

namespace trestle::apps::notes {
namespace {

text::TimeZone Zone(std::string_view name) { return *text::TimeZone::Find(name); }

Present At(std::string_view moment, const text::TimeZone& zone) {
  return PresentAt(*design::ParseTimestamp(moment), zone);
}

TEST(Deadline, ADayIsTheSameDayEverywhere) {
  for (const std::string_view zone : {"Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Vienna"})
    EXPECT_EQ(DayOf("2026-03-29", Zone(zone)), "2026-03-29");
}

TEST(Deadline, AMomentIsOnTheDayOfThePlace) {
  EXPECT_EQ(DayOf("2026-03-28T22:59:00.000Z", Zone("Europe/Vienna")), "2026-03-28");
  EXPECT_EQ(DayOf("2026-03-28T23:00:00.000Z", Zone("Europe/Vienna")), "2026-03-29");
  EXPECT_EQ(DayOf("2026-03-29T21:59:00.000Z", Zone("Europe/Vienna")), "2026-03-29");
  EXPECT_EQ(DayOf("2026-03-29T22:00:00.000Z", Zone("Europe/Vienna")), "2026-03-30");
  EXPECT_EQ(DayOf("2026-01-20T03:30:00.000Z", Zone("America/New_York")), "2026-01-19");
}

TEST(Deadline, DaysAreOverWhenTheNextHasBegunThere) {
  const Present east = At("2026-01-20T11:00:00Z", Zone("Pacific/Kiritimati"));  // the 21st
  const Present west = At("2026-01-20T05:00:00Z", Zone("Pacific/Pago_Pago"));   // the 19th
  EXPECT_TRUE(IsPast("2026-01-20", east));
  EXPECT_FALSE(IsPast("2026-01-21", east));
  EXPECT_TRUE(IsPast("2026-01-18", west));
  EXPECT_FALSE(IsPast("2026-01-19", west));
  EXPECT_TRUE(IsPast("2026-01-20T04:59:59.999Z", west));
  EXPECT_FALSE(IsPast("2026-01-20T05:00:00.000Z", west));
  for (const Present& present : {east, west}) {
    EXPECT_LE(present.today, PastBound(present));
    EXPECT_LE(present.now, PastBound(present));
  }
}

TEST(Deadline, AWindowHasAllOfItsDays) {
  const text::TimeZone zone = Zone("America/New_York");
  const Window window = WindowOfDays("2026-01-20", "2026-01-21", zone);
  for (const std::string_view deadline :
       {"2026-01-20", "2026-01-20T05:00:00.000Z", "2026-01-21T04:59:59.999Z"}) {
    EXPECT_LE(window.from, deadline);
    EXPECT_GT(window.to, deadline);
    EXPECT_EQ(DayOf(deadline, zone), "2026-01-20");
  }
  EXPECT_EQ(WindowOfDays("2026-01-20", "2026-01-21", text::TimeZone::Utc()).from, "2026-01-20");
}

TEST(Deadline, AnotherDayKeepsTheTimeOnTheClock) {
  const text::TimeZone zone = Zone("Europe/Vienna");
  // 09:00 in winter and in summer, and on the day between them.
  EXPECT_EQ(OnDay("2026-03-27T08:00:00.000Z", "2026-03-29", zone), "2026-03-29T07:00:00.000Z");
  EXPECT_EQ(OnDay("2026-03-29T07:00:00.000Z", "2026-03-27", zone), "2026-03-27T08:00:00.000Z");
  EXPECT_EQ(OnDay("2026-03-27T08:00:00.000Z", "2026-07-01", zone), "2026-07-01T07:00:00.000Z");
  // 23:59 and 00:30.
  EXPECT_EQ(OnDay("2026-03-27T22:59:00.000Z", "2026-03-29", zone), "2026-03-29T21:59:00.000Z");
  EXPECT_EQ(OnDay("2026-03-26T23:30:00.000Z", "2026-03-29", zone), "2026-03-28T23:30:00.000Z");
  EXPECT_EQ(OnDay("2026-03-27", "2026-03-29", zone), "2026-03-29");
}

TEST(Deadline, WeeksBeginOnMonday) {
  EXPECT_EQ(WeekOf("2026-01-19"), "2026-01-19");
  EXPECT_EQ(WeekOf("2026-01-25"), "2026-01-19");
  EXPECT_EQ(WeekOf("1969-12-31"), "1969-12-29");
}

}  // namespace
}  // namespace trestle::apps::notes
