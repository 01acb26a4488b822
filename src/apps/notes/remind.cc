#include "apps/notes/remind.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "base/log.h"
#include "design/time_text.h"
#include "platform/identity/mail.h"
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

// A mail that cannot be sent is one less: the note itself was marked.
void SendMail(const platform::Mount& mount, const platform::TimerTurn& turn, const Record& reminder,
              const std::string& email) {
  const auto user = FindUser(*mount.runtime, email);
  const bool is_wanted = turn.mail != nullptr && user.ok() && *user &&
                         platform::BoolOf((*user)->record, "mailReminders").value_or(false);
  if (!is_wanted) return;
  const std::string title = TextOf(reminder, "title");
  const Status sent = turn.mail->Send(
      {.to = email,
       .subject = fmt::format("Reminder: {}", title),
       .text = fmt::format("Hello {},\n\nyou wanted to be reminded of this note:\n\n{}\n\nYou can "
                           "choose in your profile whether you get such mails.\n",
                           TextOf((*user)->record, "name"), title)});
  if (!sent.ok()) log::Warn("a reminder was not mailed", {{"reason", sent.error().message()}});
}

// Once: who has set `remindedAt` tells of it.
Status Remind(const platform::Mount& mount, const platform::TimerTurn& turn,
              const Record& reminder) {
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
    platform::SetText(changes, "remindedAt", TimeText(turn.until_unix_ms));
    return Ok();
  };
  const auto reminded =
      runtime.Update(*runtime.model().FindEntity("Note"),
                     TextRecord({{"email", *email}, {"id", TextOf(reminder, "id")}}), {}, options);
  if (reminded.ok()) {
    Publish(mount, reminder);
    SendMail(mount, turn, reminder, *email);
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
  Status result = Ok();
  for (std::int64_t hour = from - from % kHourMs; hour <= turn.until_unix_ms; hour += kHourMs) {
    const Record arguments = TextRecord({{"hour", TimeText(hour)},
                                         {"from", TimeText(from)},
                                         {"to", TimeText(turn.until_unix_ms + 1)}});
    design::PageOptions page;
    do {
      const design::TypedPage reminders = TRY(mount.runtime->Run(due, arguments, page));
      for (const TypedItem& reminder : reminders.items) {
        Status reminded = Remind(mount, turn, reminder.record);
        if (!reminded.ok()) result = std::move(reminded);
      }
      page.cursor = reminders.cursor;
    } while (!page.cursor.empty());
  }
  return result;
}

}  // namespace trestle::apps::notes
