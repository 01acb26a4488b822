#include "text/time_zone.h"

#include <gtest/gtest.h>

namespace trestle::text {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

TEST(TimeZoneTest, KnowsTheDayInAPlace) {
  const std::int64_t evening = (DayNumber("2026-01-15") * 24 + 23) * kHourMs;
  EXPECT_EQ(TimeZone::Utc().DateAt(evening), "2026-01-15");
  EXPECT_EQ(TimeZone::Find("Europe/Vienna")->DateAt(evening), "2026-01-16");
  EXPECT_EQ(TimeZone::Find("America/New_York")->DateAt(evening), "2026-01-15");
  EXPECT_EQ(TimeZone::Utc().DateAt(-1), "1969-12-31");
}

TEST(TimeZoneTest, KnowsWhenADayBegins) {
  const TimeZone vienna = *TimeZone::Find("Europe/Vienna");
  EXPECT_EQ(vienna.StartOf("2026-01-15"), (DayNumber("2026-01-15") * 24 - 1) * kHourMs);
  EXPECT_EQ(vienna.StartOf("2026-07-15"), (DayNumber("2026-07-15") * 24 - 2) * kHourMs);
  // The clocks of Beirut skip midnight on 2024-03-31.
  const TimeZone beirut = *TimeZone::Find("Asia/Beirut");
  EXPECT_EQ(beirut.StartOf("2024-03-31"), (DayNumber("2024-03-31") * 24 - 2) * kHourMs);
  EXPECT_EQ(beirut.DateAt(beirut.StartOf("2024-03-31")), "2024-03-31");
  EXPECT_EQ(beirut.DateAt(beirut.StartOf("2024-03-31") - 1), "2024-03-30");
}

TEST(TimeZoneTest, RefusesWhatIsNoZone) {
  EXPECT_FALSE(TimeZone::Find("Europe/Atlantis"));
  EXPECT_FALSE(TimeZone::Find(""));
}

TEST(TimeZoneTest, CountsDays) {
  EXPECT_EQ(DayNumber("1970-01-01"), 0);
  EXPECT_EQ(AddDays("2024-02-28", 1), "2024-02-29");
  EXPECT_EQ(AddDays("2026-01-01", -1), "2025-12-31");
  EXPECT_EQ(DateOfDayNumber(DayNumber("0001-01-01")), "0001-01-01");
}

}  // namespace
}  // namespace trestle::text
