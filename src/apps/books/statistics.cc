// A reader's days and years.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "apps/books/books_internal.h"
#include "design/time_text.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "value/number.h"

namespace trestle::apps::books {
namespace {

using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kDaysMax = 3700;

struct Bucket {
  std::int64_t pages = 0;
  std::set<std::string> books = {};
};

// The first day of the week (Monday) or month that a day is in.
std::string BucketOf(const std::string& date, std::string_view size) {
  if (size == "month") return date.substr(0, 7) + "-01";
  if (size == "day") return date;
  const std::int64_t day = text::DayNumber(date);
  return text::DateOfDayNumber(day - (day + 3) % 7);  // 1970-01-01 was a Thursday
}

Result<std::vector<TypedItem>> DaysOf(const Call& call, const std::string& from,
                                      const std::string& to) {
  return platform::RunWhole(call.runtime(), "statsBetween",
                            TextRecord({{"userId", call.sub()}, {"from", from}, {"to", to}}));
}

// Days in a row with reading: those that end today or yesterday, and the most ever.
struct Streaks {
  std::int64_t current = 0;
  std::int64_t longest = 0;
};
Streaks StreaksOf(const std::set<std::string>& days, const std::string& today) {
  Streaks streaks;
  std::int64_t length = 0;
  std::int64_t last = 0;
  for (const std::string& date : days) {
    const std::int64_t day = text::DayNumber(date);
    length = length > 0 && day == last + 1 ? length + 1 : 1;
    last = day;
    streaks.longest = std::max(streaks.longest, length);
  }
  if (length > 0 && last >= text::DayNumber(today) - 1) streaks.current = length;
  return streaks;
}

void WriteInteger(std::string_view name, std::int64_t number, json::Writer& reply) {
  reply.Key(name);
  reply.Integer(number);
}

// Sums of money by one of their properties. Exact: amounts are decimal numbers.
using Amounts = std::map<std::string, value::Number>;

void WriteAmounts(std::string_view name, std::string_view key, const Amounts& amounts,
                  json::Writer& reply) {
  reply.Key(name);
  reply.BeginArray();
  for (const auto& [property, amount] : amounts) {
    const std::size_t end = property.find('\n');
    reply.BeginObject();
    reply.Key("currency");
    reply.String(property.substr(0, end));
    if (end != std::string::npos) {
      reply.Key(key);
      reply.String(property.substr(end + 1));
    }
    reply.Key("amount");
    std::string encoded = design::EncodeNumber(amount);
    reply.Raw(value::NumberText(value::ValueView(encoded).number()));
    reply.EndObject();
  }
  reply.EndArray();
}

void Add(Amounts& amounts, const std::string& property, const value::Number& amount) {
  const auto [place, is_new] = amounts.try_emplace(property, amount);
  if (is_new) return;
  if (auto sum = value::Add(place->second, amount); sum.ok()) place->second = *sum;
}

void WriteSpending(std::span<const TypedItem> books, std::string_view year, json::Writer& reply) {
  Amounts in_all;
  Amounts by_month;
  Amounts by_store;
  for (const TypedItem& book : books) {
    const std::string date = TextOf(book.record, "purchaseDate");
    const auto price = book.record.Find("price");
    if (!price || !date.starts_with(year)) continue;
    const std::string currency = TextOf(book.record, "currency");
    const value::Number amount = design::DecodeNumber(*price);
    Add(in_all, currency, amount);
    Add(by_month, currency + "\n" + date.substr(0, 7), amount);
    const auto store = book.record.FindText("store");
    Add(by_store, fmt::format("{}\n{}", currency, store.value_or("")), amount);
  }
  reply.Key("spending");
  reply.BeginObject();
  WriteAmounts("total", "", in_all, reply);
  WriteAmounts("perMonth", "month", by_month, reply);
  WriteAmounts("perStore", "store", by_store, reply);
  reply.EndObject();
}

void WriteRatings(std::span<const TypedItem> books, json::Writer& reply) {
  std::map<std::string, std::int64_t> histogram;
  double sum = 0;
  std::int64_t count = 0;
  for (const TypedItem& book : books) {
    const auto rating = platform::NumberOf(book.record, "rating");
    if (!rating) continue;
    ++histogram[fmt::format("{:.1f}", *rating)];
    sum += *rating;
    ++count;
  }
  reply.Key("ratings");
  reply.BeginObject();
  WriteInteger("count", count, reply);
  if (count > 0) {
    reply.Key("average");
    reply.Raw(fmt::format("{:.2f}", sum / static_cast<double>(count)));
  }
  reply.Key("histogram");
  reply.BeginObject();
  for (const auto& [rating, number] : histogram)
    WriteInteger(rating, number, reply);
  reply.EndObject();
  reply.EndObject();
}

// Books that were finished in the year, in all and by month.
void WriteFinished(std::span<const TypedItem> books, std::string_view year,
                   const text::TimeZone& zone, json::Writer& reply) {
  std::map<std::string, std::int64_t> months;
  std::int64_t count = 0;
  for (const TypedItem& book : books) {
    const auto time = design::ParseTimestamp(TextOf(book.record, "finishedAt"));
    if (!time || TextOf(book.record, "status") != "READ") continue;
    const std::string date = zone.DateAt(*time);
    if (!date.starts_with(year)) continue;
    ++months[date.substr(0, 7)];
    ++count;
  }
  WriteInteger("finished", count, reply);
  reply.Key("finishedPerMonth");
  reply.BeginArray();
  for (const auto& [month, number] : months) {
    reply.BeginObject();
    reply.Key("month");
    reply.String(month);
    WriteInteger("books", number, reply);
    reply.EndObject();
  }
  reply.EndArray();
}

}  // namespace

Status GetReadingStatistics(Call& call, json::Writer& reply) {
  const text::TimeZone zone = ZoneOf(TRY(ReaderOf(call)).record);
  const std::string today = zone.DateAt(call.now_unix_ms());
  const Record& given = call.arguments();
  const std::string to(given.FindText("to").value_or(today));
  const std::string from(given.FindText("from").value_or(text::AddDays(to, -364)));
  const std::int64_t days = text::DayNumber(to) - text::DayNumber(from);
  if (days < 0 || days > kDaysMax) {
    return platform::FieldError({.field = "?from",
                                 .message = "must be before `to`, by at most ten years",
                                 .code = "range"});
  }
  const std::string size = TextOf(given, "bucket");
  std::map<std::string, Bucket> buckets;
  std::set<std::string> active;
  std::set<std::string> books;
  std::int64_t pages = 0;
  for (const TypedItem& day : TRY(DaysOf(call, from, to))) {
    const std::string date = TextOf(day.record, "date");
    const std::int64_t number = IntegerOf(day.record, "pages").value_or(0);
    Bucket& bucket = buckets[BucketOf(date, size)];
    bucket.pages += number;
    bucket.books.insert(TextOf(day.record, "bookId"));
    books.insert(TextOf(day.record, "bookId"));
    active.insert(date);
    pages += number;
  }
  const Streaks streaks = StreaksOf(active, today);

  reply.BeginObject();
  reply.Key("from");
  reply.String(from);
  reply.Key("to");
  reply.String(to);
  WriteInteger("pages", pages, reply);
  WriteInteger("books", static_cast<std::int64_t>(books.size()), reply);
  WriteInteger("days", static_cast<std::int64_t>(active.size()), reply);
  WriteInteger("streak", streaks.current, reply);
  WriteInteger("longestStreak", streaks.longest, reply);
  reply.Key("items");
  reply.BeginArray();
  for (const auto& [date, bucket] : buckets) {
    reply.BeginObject();
    reply.Key("date");
    reply.String(date);
    WriteInteger("pages", bucket.pages, reply);
    WriteInteger("books", static_cast<std::int64_t>(bucket.books.size()), reply);
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status GetSummary(Call& call, json::Writer& reply) {
  const TypedItem reader = TRY(ReaderOf(call));
  const text::TimeZone zone = ZoneOf(reader.record);
  const auto given = IntegerOf(call.arguments(), "year");
  const std::string year =
      given ? fmt::format("{:04}", *given) : zone.DateAt(call.now_unix_ms()).substr(0, 4);
  const std::vector<TypedItem> books =
      TRY(platform::RunWhole(call.runtime(), "listBooks", TextRecord({{"userId", call.sub()}})));
  std::int64_t pages = 0;
  for (const TypedItem& day : TRY(DaysOf(call, year + "-01-01", year + "-12-31")))
    pages += IntegerOf(day.record, "pages").value_or(0);

  reply.BeginObject();
  WriteInteger("year", std::stoll(year), reply);
  WriteInteger("books", static_cast<std::int64_t>(books.size()), reply);
  reply.Key("counts");
  reply.BeginObject();
  for (const std::string_view status :
       {"SHELF", "READING", "READ", "WISHLIST", "PAUSED", "ABANDONED"})
    WriteInteger(status, platform::IntegerAt(reader.record, "counts", status).value_or(0), reply);
  reply.EndObject();
  WriteFinished(books, year, zone, reply);
  WriteInteger("pages", pages, reply);
  if (platform::IntegerAt(reader.record, "yearlyGoal", "year") == std::stoll(year)) {
    reply.Key("goal");
    reply.BeginObject();
    for (const std::string_view name : {"books", "pages"}) {
      const auto goal = platform::IntegerAt(reader.record, "yearlyGoal", name);
      if (goal) WriteInteger(name, *goal, reply);
    }
    reply.EndObject();
  }
  WriteRatings(books, reply);
  WriteSpending(books, year, reply);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::books
