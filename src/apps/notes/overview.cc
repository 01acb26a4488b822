// Notes as a calendar, and what they sum up to.

#include <map>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::TypedItem;
using platform::BoolOf;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kDaysMax = 62;
constexpr std::size_t kCalendarNotesMax = 5'000;
constexpr std::int64_t kWeeksBack = 12;
constexpr std::int64_t kWeeksAhead = 8;
// Days behind these may have moments that no timestamp can say.
constexpr std::string_view kFirstDay = "0001-01-02";
constexpr std::string_view kLastDay = "9999-12-30";

bool IsOverdue(const TypedItem& note, const Present& present) {
  const auto deadline = note.record.FindText("deadline");
  return deadline && !BoolOf(note.record, "done").value_or(false) && IsPast(*deadline, present);
}

void WriteInteger(std::string_view name, std::int64_t number, json::Writer& reply) {
  reply.Key(name);
  reply.Integer(number);
}

void WriteDay(const Call& call, const std::string& date, std::span<const TypedItem* const> notes,
              json::Writer& reply) {
  const Present present = PresentOf(call);
  std::int64_t overdue = 0;
  reply.BeginObject();
  reply.Key("date");
  reply.String(date);
  reply.Key("notes");
  reply.BeginArray();
  for (const TypedItem* note : notes) {
    platform::WriteItem(call, *note, reply);
    if (IsOverdue(*note, present)) ++overdue;
  }
  reply.EndArray();
  WriteInteger("overdue", overdue, reply);
  reply.EndObject();
}

struct Week {
  std::int64_t due = 0;        // notes with a deadline in it
  std::int64_t done = 0;       // those of them that are done
  std::int64_t completed = 0;  // notes that were done in it, whenever they were due
};

struct Sums {
  std::int64_t open = 0;
  std::int64_t done = 0;
  std::int64_t overdue = 0;
  std::int64_t undated = 0;
  std::map<std::string, Week> weeks = {};  // by their Mondays
};

Sums SumUp(std::span<const TypedItem> notes, const Present& present, const text::TimeZone& zone) {
  Sums sums;
  const std::string monday = WeekOf(present.today);
  for (std::int64_t i = -kWeeksBack; i <= kWeeksAhead; ++i)
    sums.weeks.try_emplace(text::AddDays(monday, 7 * i));
  const auto week_of = [&](std::string_view time) -> Week* {
    const auto found = sums.weeks.find(WeekOf(DayOf(time, zone)));
    return found == sums.weeks.end() ? nullptr : &found->second;
  };
  for (const TypedItem& note : notes) {
    const bool is_done = BoolOf(note.record, "done").value_or(false);
    ++(is_done ? sums.done : sums.open);
    if (IsOverdue(note, present)) ++sums.overdue;
    const auto deadline = note.record.FindText("deadline");
    if (!deadline) ++sums.undated;
    if (Week* week = deadline ? week_of(*deadline) : nullptr) {
      ++week->due;
      if (is_done) ++week->done;
    }
    const auto done_at = note.record.FindText("doneAt");
    if (Week* week = done_at ? week_of(*done_at) : nullptr) ++week->completed;
  }
  return sums;
}

}  // namespace

Status GetCalendar(Call& call, json::Writer& reply) {
  const std::string from = TextOf(call.arguments(), "from");
  const std::string to = TextOf(call.arguments(), "to");
  if (from < kFirstDay || from > kLastDay || to > kLastDay || to < from ||
      text::DayNumber(to) - text::DayNumber(from) >= kDaysMax) {
    return platform::FieldError(
        {.field = "?to",
         .message = fmt::format("must not be before `from`, and at most {} days in all", kDaysMax),
         .code = "range"});
  }
  const text::TimeZone zone = ZoneOf(call.facts());
  const std::string end = text::AddDays(to, 1);
  const Window window = WindowOfDays(from, end, zone);
  const std::vector<TypedItem> notes = TRY(platform::RunWhole(
      call.runtime(), "notesBetween",
      TextRecord({{"email", EmailOf(call)}, {"from", window.from}, {"to", window.to}}),
      {.items_max = kCalendarNotesMax}));
  std::map<std::string, std::vector<const TypedItem*>> days;
  for (std::string day = from; day < end; day = text::AddDays(day, 1))
    days.try_emplace(day);
  for (const TypedItem& note : notes) {
    const auto day = days.find(DayOf(TextOf(note.record, "deadline"), zone));
    if (day != days.end()) day->second.push_back(&note);
  }
  reply.BeginObject();
  reply.Key("days");
  reply.BeginArray();
  for (const auto& [date, of_day] : days)
    WriteDay(call, date, of_day, reply);
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status GetStatistics(Call& call, json::Writer& reply) {
  const std::vector<TypedItem> notes =
      TRY(platform::RunWhole(call.runtime(), "notesOfUser", TextRecord({{"email", EmailOf(call)}}),
                             {.attributes = {"deadline", "done", "doneAt"}}));
  const Sums sums = SumUp(notes, PresentOf(call), ZoneOf(call.facts()));
  reply.BeginObject();
  WriteInteger("open", sums.open, reply);
  WriteInteger("done", sums.done, reply);
  WriteInteger("overdue", sums.overdue, reply);
  WriteInteger("undated", sums.undated, reply);
  if (!notes.empty()) {
    const double percent = static_cast<double>(sums.done) * 100 / static_cast<double>(notes.size());
    reply.Key("completion");
    reply.Raw(fmt::format("{:.1f}", percent));
  }
  reply.Key("perWeek");
  reply.BeginArray();
  for (const auto& [monday, week] : sums.weeks) {
    reply.BeginObject();
    reply.Key("week");
    reply.String(monday);
    WriteInteger("due", week.due, reply);
    WriteInteger("done", week.done, reply);
    WriteInteger("completed", week.completed, reply);
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::notes
