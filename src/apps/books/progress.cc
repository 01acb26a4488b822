#include "apps/books/progress.h"

#include <algorithm>
#include <cmath>

namespace trestle::apps::books {
namespace {

constexpr std::int64_t kEndPercent = 95;
constexpr std::int64_t kNewReadPercent = 10;
constexpr std::size_t kForecastDays = 14;
constexpr std::size_t kForecastDaysMin = 2;
constexpr double kForecastDaysMax = 3650;

std::int64_t PercentOf(std::int64_t page, std::int64_t total_pages) {
  return total_pages == 0 ? 0 : page * 100 / total_pages;
}

// The value below which this part of them lies.
double Quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::map<std::string, DayOfReading> PagesPerDay(std::span<const ReachedPage> events,
                                                const text::TimeZone& zone) {
  std::map<std::string, DayOfReading> days;
  std::int64_t before = 0;
  for (const ReachedPage& event : events) {
    DayOfReading& day = days[zone.DateAt(event.time_unix_ms)];
    day.pages += std::max<std::int64_t>(0, event.page - before);
    ++day.events;
    before = event.page;
  }
  return days;
}

std::vector<Reading> Readings(std::span<const ReachedPage> events,
                              std::optional<std::int64_t> total_pages, const text::TimeZone& zone) {
  std::vector<Reading> readings;
  std::int64_t before = 0;
  for (const ReachedPage& event : events) {
    const std::string date = zone.DateAt(event.time_unix_ms);
    const std::int64_t total = total_pages.value_or(0);
    const bool begins_again = !readings.empty() && readings.back().end && total > 0 &&
                              PercentOf(event.page, total) < kNewReadPercent;
    if (readings.empty() || begins_again) readings.push_back({.start = date, .end = {}});
    Reading& reading = readings.back();
    reading.pages += std::max<std::int64_t>(0, event.page - (begins_again ? 0 : before));
    if (total > 0 && PercentOf(event.page, total) >= kEndPercent) reading.end = date;
    before = event.page;
  }
  return readings;
}

std::optional<Forecast> ForecastEnd(const std::map<std::string, DayOfReading>& days,
                                    std::int64_t pages_left, const std::string& today) {
  std::vector<double> pages;
  std::string first;
  for (auto it = days.rbegin(); it != days.rend() && pages.size() < kForecastDays; ++it) {
    if (it->second.pages == 0) continue;
    pages.push_back(static_cast<double>(it->second.pages));
    first = it->first;
  }
  if (pages.size() < kForecastDaysMin || pages_left <= 0) return std::nullopt;
  std::ranges::sort(pages);
  // Days without reading slow it down.
  const auto span = static_cast<double>(text::DayNumber(today) - text::DayNumber(first) + 1);
  const double active = std::min(1.0, static_cast<double>(pages.size()) / span);
  const auto day_at = [&](double pace) {
    const double needed = std::ceil(static_cast<double>(pages_left) / (pace * active));
    return text::AddDays(today, static_cast<std::int64_t>(std::min(needed, kForecastDaysMax)));
  };
  return Forecast{.early = day_at(Quantile(pages, 0.75)), .late = day_at(Quantile(pages, 0.25))};
}

}  // namespace trestle::apps::books
