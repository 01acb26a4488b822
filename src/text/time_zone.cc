#include "text/time_zone.h"

#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <unicode/calendar.h>
#include <unicode/timezone.h>

#include "base/check.h"

namespace trestle::text {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

int Digits(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  CHECK(error == std::errc() && end == text.data() + text.size(), "a day of the calendar");
  return number;
}

std::int64_t FloorDivide(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

}  // namespace

std::int64_t DayNumber(std::string_view date) {
  const std::chrono::year_month_day day{
      std::chrono::year(Digits(date.substr(0, 4))),
      std::chrono::month(static_cast<unsigned>(Digits(date.substr(5, 2)))),
      std::chrono::day(static_cast<unsigned>(Digits(date.substr(8, 2))))};
  return std::chrono::sys_days(day).time_since_epoch().count();
}

std::string DateOfDayNumber(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string AddDays(std::string_view date, std::int64_t days) {
  return DateOfDayNumber(DayNumber(date) + days);
}

struct TimeZone::Impl {
  std::unique_ptr<icu::TimeZone> zone;
};

TimeZone::TimeZone(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TimeZone::TimeZone(TimeZone&&) noexcept = default;
TimeZone& TimeZone::operator=(TimeZone&&) noexcept = default;
TimeZone::~TimeZone() = default;

std::optional<TimeZone> TimeZone::Find(std::string_view name) {
  std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(
      icu::StringPiece(name.data(), static_cast<std::int32_t>(name.size())))));
  if (*zone == icu::TimeZone::getUnknown()) return std::nullopt;
  auto impl = std::make_unique<Impl>();
  impl->zone = std::move(zone);
  return TimeZone(std::move(impl));
}

TimeZone TimeZone::Utc() {
  auto impl = std::make_unique<Impl>();
  impl->zone.reset(icu::TimeZone::getGMT()->clone());
  return TimeZone(std::move(impl));
}

std::string TimeZone::DateAt(std::int64_t unix_ms) const {
  std::int32_t raw_ms = 0;
  std::int32_t summer_ms = 0;
  UErrorCode error = U_ZERO_ERROR;
  impl_->zone->getOffset(static_cast<UDate>(unix_ms), 0, raw_ms, summer_ms, error);
  CHECK(U_SUCCESS(error) != 0, "ICU has no data for time zones");
  return DateOfDayNumber(FloorDivide(unix_ms + raw_ms + summer_ms, kDayMs));
}

std::int64_t TimeZone::StartOf(std::string_view date) const {
  // Offsets lie between -14 and +14 hours: the first moment of the day is found between them.
  const std::int64_t midnight = DayNumber(date) * kDayMs;
  constexpr std::int64_t kOffsetMaxMs = 16LL * 3'600'000;
  std::int64_t before = midnight - kOffsetMaxMs;  // is an earlier day
  std::int64_t after = midnight + kOffsetMaxMs;   // is that day or a later one
  while (after - before > 1) {
    const std::int64_t middle = before + (after - before) / 2;
    (DateAt(middle) < date ? before : after) = middle;
  }
  return after;
}

}  // namespace trestle::text
