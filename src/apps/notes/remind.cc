#include "apps/notes/remind.h"

#include <string>
#include <utility>

#include "apps/notes/notes_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/live.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kHourMs = 60LL * 60 * 1000;
// A note may be stored a little later than at the time that it has.
constexpr std::int64_t kOverlapMs = 60 * 1000;

std::string TimeText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

void Publish(const platform::Mount& mount, const Record& reminder) {
  if (mount.shared->live == nullptr) return;
  std::string data;
  json::Writer writer(data);
  writer.BeginObject();
  for (const std::string_view name : {"id", "title", "remindAt"}) {
    writer.Key(name);
    writer.String(TextOf(reminder, name));
  }
  writer.EndObject();
  mount.shared->live->Publish({.app = mount.app->name,
                               .audience = TextOf(reminder, "userId"),
                               .type = "reminder",
                               .data = data});
}

// Once: who has set `remindedAt` tells of it.
Status Remind(const platform::Mount& mount, const Record& reminder, std::string_view now) {
  design::Runtime& runtime = *mount.runtime;
  const auto email = TRY(EmailOfSub(runtime, TextOf(reminder, "userId")));
  if (!email) return Ok();  // gone, with its notes
  bool is_over = false;
  design::WriteOptions options{.is_maintenance = true};
  options.together_with.push_back(TRY(NotMoving(runtime, *email)));
  options.rule = [&](const Record& note, Changes& changes) -> Status {
    is_over = note.Find("remindedAt") || platform::BoolOf(note, "done").value_or(false) ||
              TextOf(note, "remindAt") != TextOf(reminder, "remindAt");
    if (is_over) return Error(ErrorCode::kDuplicateItem, "nothing to remind of");
    platform::SetText(changes, "remindedAt", now);
    return Ok();
  };
  const auto reminded =
      runtime.Update(*runtime.model().FindEntity("Note"),
                     TextRecord({{"email", *email}, {"id", TextOf(reminder, "id")}}), {}, options);
  if (reminded.ok()) {
    Publish(mount, reminder);
    return Ok();
  }
  if (is_over || reminded.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return reminded.error();
}

}  // namespace

// One that fails, as while its user's notes move, keeps no other one waiting; the turn comes again.
Status RemindOfNotes(const platform::Mount& mount, const platform::TimerTurn& turn) {
  const design::Access& due = *mount.runtime->model().FindAccess("remindersBetween");
  const std::int64_t from = turn.after_unix_ms - kOverlapMs;
  const std::string now = TimeText(turn.until_unix_ms);
  Status result = Ok();
  for (std::int64_t hour = from - from % kHourMs; hour <= turn.until_unix_ms; hour += kHourMs) {
    const Record arguments = TextRecord({{"hour", TimeText(hour)},
                                         {"from", TimeText(from)},
                                         {"to", TimeText(turn.until_unix_ms + 1)}});
    design::PageOptions page;
    do {
      const design::TypedPage reminders = TRY(mount.runtime->Run(due, arguments, page));
      for (const TypedItem& reminder : reminders.items) {
        Status reminded = Remind(mount, reminder.record, now);
        if (!reminded.ok()) result = std::move(reminded);
      }
      page.cursor = reminders.cursor;
    } while (!page.cursor.empty());
  }
  return result;
}

}  // namespace trestle::apps::notes
