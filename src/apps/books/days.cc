// The pages of each book on each day, kept up from the events. They are absolute figures, computed
// from a book's events: doing it twice changes nothing.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "apps/books/books_internal.h"
#include "apps/books/progress.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::books {
namespace {

using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::Mount;
using platform::TextOf;
using platform::TextRecord;

const design::Entity& EntityOf(const Mount& mount, std::string_view name) {
  return *mount.runtime->model().FindEntity(name);
}

Result<text::TimeZone> ZoneOfReader(const Mount& mount, const std::string& user_id) {
  const auto reader =
      TRY(mount.runtime->Get(EntityOf(mount, "UserMetadata"), TextRecord({{"userId", user_id}})));
  return reader ? ZoneOf(reader->record) : text::TimeZone::Utc();
}

// A book that was removed meanwhile has no days, and takes those that it had along.
Status UnlessGone(const Status& written) {
  if (written.ok() || written.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return written;
}

struct BookDay {
  std::string user_id;
  std::string book_id;
  std::string date;
};

Status WriteDay(const Mount& mount, const BookDay& which, const DayOfReading& day) {
  Record stat =
      TextRecord({{"userId", which.user_id}, {"bookId", which.book_id}, {"date", which.date}});
  platform::SetInteger(stat, "pages", day.pages);
  platform::SetInteger(stat, "events", day.events);
  const auto stored = mount.runtime->Upsert(EntityOf(mount, "DayStat"), stat);
  return UnlessGone(stored.ok() ? Ok() : Status(stored.error()));
}

Status RemoveDay(const Mount& mount, const BookDay& which) {
  const auto removed = mount.runtime->Delete(
      EntityOf(mount, "DayStat"),
      TextRecord({{"userId", which.user_id}, {"bookId", which.book_id}, {"date", which.date}}));
  return UnlessGone(removed.ok() ? Ok() : Status(removed.error()));
}

// Makes the days of one book what its events say.
Status RebuildBook(const Mount& mount, const std::string& user_id, const std::string& book_id,
                   const text::TimeZone& zone, const std::vector<TypedItem>& stats) {
  const std::vector<ReachedPage> events = TRY(EventsOfBook(*mount.runtime, user_id, book_id));
  auto days = PagesPerDay(events, zone);
  for (const TypedItem& stat : stats) {
    if (TextOf(stat.record, "bookId") != book_id) continue;
    const std::string date = TextOf(stat.record, "date");
    const auto found = days.find(date);
    if (found == days.end()) {
      TRY(RemoveDay(mount, {.user_id = user_id, .book_id = book_id, .date = date}));
      continue;
    }
    const DayOfReading stored{.pages = IntegerOf(stat.record, "pages").value_or(0),
                              .events = IntegerOf(stat.record, "events").value_or(0)};
    if (found->second == stored) days.erase(found);
  }
  for (const auto& [date, day] : days)
    TRY(WriteDay(mount, {.user_id = user_id, .book_id = book_id, .date = date}, day));
  return Ok();
}

// A new event changes its own day, and that of the next event: its pages are counted from here on.
Status FollowEvent(const Mount& mount, const Record& event) {
  const std::string user_id = TextOf(event, "userId");
  const std::string book_id = TextOf(event, "bookId");
  const text::TimeZone zone = TRY(ZoneOfReader(mount, user_id));
  const std::vector<ReachedPage> events = TRY(EventsOfBook(*mount.runtime, user_id, book_id));
  const std::int64_t time = TimeOfEvent(event);
  const auto days = PagesPerDay(events, zone);
  const auto next = std::ranges::find_if(
      events, [&](const ReachedPage& page) { return page.time_unix_ms > time; });
  std::vector<std::string> dates = {zone.DateAt(time)};
  if (next != events.end() && zone.DateAt(next->time_unix_ms) != dates.front()) {
    dates.push_back(zone.DateAt(next->time_unix_ms));
  }
  for (const std::string& date : dates) {
    const auto day = days.find(date);
    if (day == days.end()) continue;
    TRY(WriteDay(mount, {.user_id = user_id, .book_id = book_id, .date = date}, day->second));
  }
  return Ok();
}

}  // namespace

Status FollowDays(const Mount& mount, const platform::ItemChange& change) {
  if (!change.new_item) return Ok();
  const Record& item = change.new_item->record;
  const std::string& kind = change.new_item->kind.kind().name;
  if (kind == "ReadingEvent" && !change.old_item) return FollowEvent(mount, item);
  if (kind != "UserMetadata" || !change.old_item) return Ok();
  if (TextOf(change.old_item->record, "timeZone") == TextOf(item, "timeZone")) return Ok();
  // In another place the same moments are on other days.
  const auto started = mount.shared->jobs->Start(
      {.app = mount.app->name, .kind = kRebuildDaysJob, .sub = TextOf(item, "userId")});
  return started.ok() ? Ok() : Status(started.error());
}

Result<platform::JobStep> RebuildDays(const Mount& mount, platform::JobState& job) {
  const Record reader = TextRecord({{"userId", job.sub}});
  const text::TimeZone zone = TRY(ZoneOfReader(mount, job.sub));
  const std::vector<TypedItem> books = TRY(platform::RunWhole(*mount.runtime, "listBooks", reader));
  const std::string done_until = TextOf(job.progress, "book");
  job.total = static_cast<std::int64_t>(books.size());
  const auto next = std::ranges::find_if(
      books, [&](const TypedItem& book) { return TextOf(book.record, "id") > done_until; });
  if (next == books.end()) return platform::JobStep::kEnd;
  const std::string book_id = TextOf(next->record, "id");
  const std::vector<TypedItem> stats =
      TRY(platform::RunWhole(*mount.runtime, "statsOfUser", reader));
  TRY(RebuildBook(mount, job.sub, book_id, zone, stats));
  job.progress.SetText("book", book_id);
  job.done = next - books.begin() + 1;
  return platform::JobStep::kMore;
}

}  // namespace trestle::apps::books
