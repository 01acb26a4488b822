#include "design/time_text.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace trestle::design {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::size_t kDateBytes = 10;
constexpr std::size_t kTimestampBytes = 24;
constexpr std::int64_t kMsPerDay = 86'400'000;

// Takes the parts of a text one by one; remembers whether one was missing.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  int Digits(std::size_t count) {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const char c = next();
      if (c < '0' || c > '9') {
        ok_ = false;
        return 0;
      }
      number = number * 10 + (c - '0');
      rest_.remove_prefix(1);
    }
    return number;
  }

  void Expect(char c) {
    if (next() == c) {
      rest_.remove_prefix(1);
    } else {
      ok_ = false;
    }
  }

  bool Take(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<std::int64_t> ReadDay(Reader& reader) {
  const int year = reader.Digits(4);
  reader.Expect('-');
  const int month = reader.Digits(2);
  reader.Expect('-');
  const int day = reader.Digits(2);
  const year_month_day date{std::chrono::year(year),
                            std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!reader.ok() || !date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch().count();
}

// Milliseconds of ".5", ".500" or ".500000000".
int ReadFraction(Reader& reader) {
  int milliseconds = reader.Digits(1) * 100;
  int weight = 10;
  for (int digits = 1; reader.next() >= '0' && reader.next() <= '9' && digits < 9; ++digits) {
    milliseconds += reader.Digits(1) * weight;
    weight /= 10;
  }
  return milliseconds;
}

std::optional<std::int64_t> ReadOffsetMs(Reader& reader) {
  if (reader.Take('Z')) return 0;
  const bool is_east = reader.next() == '+';
  if (!is_east) reader.Expect('-');
  if (is_east) reader.Expect('+');
  const int hours = reader.Digits(2);
  reader.Expect(':');
  const int minutes = reader.Digits(2);
  if (!reader.ok() || hours > 23 || minutes > 59) return std::nullopt;
  const std::int64_t offset = (hours * 60 + minutes) * std::int64_t{60'000};
  return is_east ? offset : -offset;
}

std::int64_t DayOf(std::int64_t unix_ms) {
  return unix_ms >= 0 ? unix_ms / kMsPerDay : -((-unix_ms + kMsPerDay - 1) / kMsPerDay);
}

void AppendDigits(std::string& text, std::int64_t number, std::size_t width) {
  text.append(width, '0');
  for (std::size_t i = text.size(); width-- > 0; number /= 10)
    text[--i] = static_cast<char>('0' + number % 10);
}

void AppendDate(std::string& text, std::int64_t unix_ms) {
  const year_month_day date{sys_days(std::chrono::days(DayOf(unix_ms)))};
  AppendDigits(text, static_cast<int>(date.year()), 4);
  text += '-';
  AppendDigits(text, static_cast<unsigned>(date.month()), 2);
  text += '-';
  AppendDigits(text, static_cast<unsigned>(date.day()), 2);
}

bool HasFourDigitYear(std::int64_t unix_ms) {
  constexpr auto kFirst = sys_days(year_month_day(std::chrono::year(0) / 1 / 1));
  constexpr auto kEnd = sys_days(year_month_day(std::chrono::year(10000) / 1 / 1));
  const std::int64_t day = DayOf(unix_ms);
  return day >= kFirst.time_since_epoch().count() && day < kEnd.time_since_epoch().count();
}

}  // namespace

std::string DateText(std::int64_t unix_ms) {
  std::string text;
  AppendDate(text, unix_ms);
  return text;
}

std::string TimestampText(std::int64_t unix_ms, syntax::Precision precision) {
  const std::int64_t of_day = unix_ms - DayOf(unix_ms) * kMsPerDay;
  std::string text;
  text.reserve(kTimestampBytes);
  AppendDate(text, unix_ms);
  text += 'T';
  AppendDigits(text, of_day / 3'600'000, 2);
  text += ':';
  AppendDigits(text, of_day / 60'000 % 60, 2);
  text += ':';
  AppendDigits(text, of_day / 1000 % 60, 2);
  if (precision == syntax::Precision::kMilliseconds) {
    text += '.';
    AppendDigits(text, of_day % 1000, 3);
  }
  text += 'Z';
  return text;
}

std::optional<std::int64_t> ParseTimestamp(std::string_view text) {
  Reader reader(text);
  const auto day = ReadDay(reader);
  if (!day) return std::nullopt;
  reader.Expect('T');
  const int hour = reader.Digits(2);
  reader.Expect(':');
  const int minute = reader.Digits(2);
  reader.Expect(':');
  const int second = reader.Digits(2);
  const int fraction = reader.Take('.') ? ReadFraction(reader) : 0;
  const auto offset_ms = ReadOffsetMs(reader);
  if (!reader.ok() || !offset_ms || !reader.at_end()) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::int64_t seconds = hour * 3600 + minute * 60 + second;
  const std::int64_t unix_ms = *day * kMsPerDay + seconds * 1000 + fraction - *offset_ms;
  if (!HasFourDigitYear(unix_ms)) return std::nullopt;
  return unix_ms;
}

bool IsDate(std::string_view text) {
  Reader reader(text);
  return text.size() == kDateBytes && ReadDay(reader).has_value();
}

}  // namespace trestle::design
