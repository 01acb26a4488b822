#include "apps/books/progress.h"

#include <gtest/gtest.h>

namespace trestle::apps::books {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

ReachedPage At(std::string_view date, int hour, std::int64_t page) {
  return {.time_unix_ms = (text::DayNumber(date) * 24 + hour) * kHourMs, .page = page};
}

TEST(ProgressTest, CountsPagesOnTheLocalDayOfTheLaterEvent) {
  const std::vector<ReachedPage> events = {At("2026-01-12", 20, 42), At("2026-01-12", 23, 60),
                                           At("2026-01-14", 8, 50), At("2026-01-14", 9, 70)};
  const auto utc = PagesPerDay(events, text::TimeZone::Utc());
  EXPECT_EQ(utc.at("2026-01-12"), (DayOfReading{.pages = 60, .events = 2}));
  EXPECT_EQ(utc.at("2026-01-14"), (DayOfReading{.pages = 20, .events = 2}));
  const auto vienna = PagesPerDay(events, *text::TimeZone::Find("Europe/Vienna"));
  EXPECT_EQ(vienna.at("2026-01-13"), (DayOfReading{.pages = 18, .events = 1}));
}

TEST(ProgressTest, TellsASecondReadingFromACorrection) {
  const std::vector<ReachedPage> events = {At("2026-01-01", 9, 50), At("2026-01-02", 9, 40),
                                           At("2026-01-03", 9, 100), At("2026-02-01", 9, 5),
                                           At("2026-02-02", 9, 30)};
  const auto readings = Readings(events, 100, text::TimeZone::Utc());
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_EQ(readings[0].start, "2026-01-01");
  EXPECT_EQ(readings[0].end, "2026-01-03");
  EXPECT_EQ(readings[0].pages, 110);
  EXPECT_EQ(readings[1].start, "2026-02-01");
  EXPECT_FALSE(readings[1].end);
  EXPECT_EQ(readings[1].pages, 30);
  EXPECT_EQ(Readings(events, std::nullopt, text::TimeZone::Utc()).size(), 1U);
}

TEST(ProgressTest, ForecastsARange) {
  std::map<std::string, DayOfReading> days;
  for (int i = 1; i <= 8; ++i)
    days[text::AddDays("2026-01-01", i)] = {.pages = i <= 4 ? 10 : 30, .events = 1};
  const auto forecast = ForecastEnd(days, 60, "2026-01-09");
  ASSERT_TRUE(forecast);
  EXPECT_EQ(forecast->early, "2026-01-11");
  EXPECT_EQ(forecast->late, "2026-01-15");
  EXPECT_FALSE(ForecastEnd(days, 0, "2026-01-09"));
  EXPECT_FALSE(ForecastEnd({{"2026-01-02", {.pages = 10, .events = 1}}}, 60, "2026-01-09"));
}

}  // namespace
}  // namespace trestle::apps::books
