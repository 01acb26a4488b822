// The pages that a reader reached.

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "apps/books/books_internal.h"
#include "apps/books/progress.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::books {
namespace {

using design::Record;
using design::TypedItem;
using platform::FieldError;
using platform::IntegerOf;
using platform::NumberOf;
using platform::TextOf;
using platform::TextRecord;

// The page that the body names, by itself or as a part of the book.
Result<std::int64_t> PageOf(const Call& call, const Record& book) {
  const auto page = IntegerOf(call.fields(), "page");
  const auto percent = NumberOf(call.fields(), "percent");
  const auto total = IntegerOf(book, "totalPages");
  if (percent && !total) {
    return platform::ProblemError("semantic", "percent needs a book with totalPages");
  }
  if (percent) return std::llround(*percent * static_cast<double>(*total) / 100);
  if (total && *page > *total) {
    return platform::ProblemError("semantic", fmt::format("the book has {} pages", *total));
  }
  return *page;
}

std::string NowText(const Call& call) {
  return design::TimestampText(call.now_unix_ms(), design::syntax::Precision::kMilliseconds);
}

void WritePoints(std::span<const ReachedPage> events, std::optional<std::int64_t> total,
                 json::Writer& reply) {
  reply.Key("points");
  reply.BeginArray();
  for (const ReachedPage& event : events) {
    reply.BeginObject();
    reply.Key("t");
    reply.String(
        design::TimestampText(event.time_unix_ms, design::syntax::Precision::kMilliseconds));
    reply.Key("page");
    reply.Integer(event.page);
    if (total && *total > 0) {
      const double percent = static_cast<double>(event.page) * 1000 / static_cast<double>(*total);
      reply.Key("percent");
      reply.Raw(fmt::format("{}", std::round(percent) / 10));
    }
    reply.EndObject();
  }
  reply.EndArray();
}

void WriteReadings(std::span<const Reading> readings, json::Writer& reply) {
  reply.Key("reads");
  reply.BeginArray();
  for (const Reading& reading : readings) {
    reply.BeginObject();
    reply.Key("start");
    reply.String(reading.start);
    if (reading.end) {
      reply.Key("end");
      reply.String(*reading.end);
    }
    reply.Key("pages");
    reply.Integer(reading.pages);
    reply.EndObject();
  }
  reply.EndArray();
}

}  // namespace

std::int64_t TimeOfEvent(const Record& event) {
  return design::ParseTimestamp(TextOf(event, "occurredAt")).value_or(0);
}

Result<std::vector<ReachedPage>> EventsOfBook(design::Runtime& runtime, std::string_view user_id,
                                              std::string_view book_id) {
  const std::vector<TypedItem> items = TRY(platform::RunWhole(
      runtime, "listEvents", TextRecord({{"userId", user_id}, {"bookId", book_id}}),
      {.items_max = kItemsMax}));
  std::vector<ReachedPage> events;
  events.reserve(items.size());
  for (const TypedItem& item : items) {
    events.push_back({.time_unix_ms = TimeOfEvent(item.record),
                      .page = IntegerOf(item.record, "page").value_or(0)});
  }
  return events;
}

void CheckPage(const Call& call, const Record& given, std::vector<FieldFailure>& failures) {
  if (failures.empty() && given.Find("page").has_value() == given.Find("percent").has_value()) {
    failures.push_back(
        {.field = "page", .message = "must be given, or percent instead", .code = "required"});
  }
  const auto time = given.FindText("occurredAt");
  if (time && *time > NowText(call)) {
    failures.push_back(
        {.field = "occurredAt", .message = "must not be in the future", .code = "range"});
  }
}

Status PostPage(Call& call, json::Writer& reply) {
  const TypedItem book = TRY(BookOf(call));
  Record arguments = TextRecord({{"userId", call.sub()}, {"bookId", call.PathValue("id")}});
  platform::SetInteger(arguments, "page", TRY(PageOf(call, book.record)));
  const std::string time(call.fields().FindText("occurredAt").value_or(NowText(call)));
  arguments.SetText("occurredAt", time);
  const bool is_past = TextOf(book.record, "lastEventAt") > time;
  auto changed = platform::RunOperation(call, is_past ? "recordPastPage" : "recordPage", arguments);
  if (!changed.ok() && changed.error().code() == ErrorCode::kConditionalCheckFailed && !is_past) {
    // A later page was recorded a moment ago.
    changed = platform::RunOperation(call, "recordPastPage", arguments);
  }
  const std::vector<TypedItem> items = TRY(std::move(changed));
  call.SetStatus(201);
  reply.BeginObject();
  platform::WriteItemMembers(call, items.front(), reply);
  reply.Key("book");
  platform::WriteItem(call, items.size() > 1 ? items[1] : TRY(BookOf(call)), reply);
  reply.EndObject();
  return Ok();
}

Status ListEvents(Call& call, json::Writer& reply) {
  TRY(BookOf(call));
  Record arguments = TextRecord({{"userId", call.sub()}, {"bookId", call.PathValue("id")}});
  const Record& given = call.arguments();
  const bool is_window = given.Find("from") || given.Find("to");
  if (is_window) {
    arguments.SetText("from", given.FindText("from").value_or("0000-01-01T00:00:00.000Z"));
    arguments.SetText("to", given.FindText("to").value_or("9999-12-31T23:59:59.999Z"));
  }
  return platform::ReplyList(call, is_window ? "eventsBetween" : "listEvents", arguments,
                             {.is_descending = TextOf(given, "order") == "desc"}, reply);
}

Status GetProgress(Call& call, json::Writer& reply) {
  const TypedItem book = TRY(BookOf(call));
  text::TimeZone zone = ZoneOf(TRY(ReaderOf(call)).record);
  if (const auto name = call.arguments().FindText("tz")) {
    auto named = text::TimeZone::Find(*name);
    if (!named) {
      return FieldError({.field = "?tz",
                         .message = "must be a zone of the IANA database, such as Europe/Vienna",
                         .code = "time-zone"});
    }
    zone = *std::move(named);
  }
  const std::vector<ReachedPage> events =
      TRY(EventsOfBook(call.runtime(), call.sub(), call.PathValue("id")));
  const auto total = IntegerOf(book.record, "totalPages");
  const auto days = PagesPerDay(events, zone);

  reply.BeginObject();
  WritePoints(events, total, reply);
  reply.Key("perDay");
  reply.BeginArray();
  for (const auto& [date, day] : days) {
    reply.BeginObject();
    reply.Key("date");
    reply.String(date);
    reply.Key("pages");
    reply.Integer(day.pages);
    reply.EndObject();
  }
  reply.EndArray();
  WriteReadings(Readings(events, total, zone), reply);
  const std::int64_t left = total.value_or(0) - IntegerOf(book.record, "currentPage").value_or(0);
  if (const auto forecast = ForecastEnd(days, left, zone.DateAt(call.now_unix_ms()))) {
    reply.Key("forecast");
    reply.BeginObject();
    reply.Key("early");
    reply.String(forecast->early);
    reply.Key("late");
    reply.String(forecast->late);
    reply.EndObject();
  }
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::books
