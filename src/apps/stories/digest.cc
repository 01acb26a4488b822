#include "apps/stories/digest.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/stories/stories_internal.h"
#include "design/time_text.h"
#include "platform/identity/mail.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kHourMs = 60LL * 60 * 1000;
constexpr std::int64_t kDayMs = 24 * kHourMs;
constexpr std::int64_t kMailHourMs = 6 * kHourMs;  // of the day, UTC
constexpr std::uint32_t kNewsRead = 100;           // for one mail
constexpr std::size_t kNewsMax = 20;               // in it
constexpr int kDaysPerWeek = 7;
constexpr int kFirstWeekday = 4;  // days from 1970-01-01, a Thursday, to a Monday

std::int64_t DayOf(std::int64_t unix_ms) { return unix_ms / kDayMs; }

std::string DateText(std::int64_t day) { return TimeText(day * kDayMs).substr(0, 10); }

std::string DigestOf(const Record& user) {
  const auto digest = user.Find(design::Path{{}, {"settings", "digest"}});
  return digest ? std::string(digest->text()) : "OFF";
}

// The day of the next mail; weekly ones are sent on Mondays.
std::int64_t NextDay(std::int64_t unix_ms, std::string_view digest) {
  const std::int64_t tomorrow = DayOf(unix_ms) + 1;
  if (digest == "DAILY") return tomorrow;
  return tomorrow + (kDaysPerWeek - (tomorrow - kFirstWeekday) % kDaysPerWeek) % kDaysPerWeek;
}

// What happened on the days before this one and was not read yet, the newest first.
Result<std::vector<TypedItem>> NewsOf(design::Runtime& runtime, const Record& due,
                                      std::int64_t days) {
  constexpr std::int64_t kNoTime = 0;
  const std::string until = TextOf(due, "date");
  const std::int64_t end = design::ParseTimestamp(until + "T00:00:00.000Z").value_or(kNoTime);
  const std::string from = DateText(DayOf(end) - days);
  const auto page =
      TRY(runtime.Run(*runtime.model().FindAccess("notificationsOfUser"),
                      TextRecord({{"userId", TextOf(due, "userId")}}), {.limit = kNewsRead}));
  std::vector<TypedItem> news;
  for (const TypedItem& item : page.items) {
    const std::string at = TextOf(item.record, "createdAt");
    const bool is_new = at >= from && at < until && !IsTrue(item.record, "read");
    if (is_new && news.size() < kNewsMax) news.push_back(item);
  }
  return news;
}

platform::identity::Mail MailOf(const Record& user, const std::vector<TypedItem>& news) {
  std::string text =
      fmt::format("Hello {},\n\nthis happened in Story Hub:\n\n", TextOf(user, "displayName"));
  for (const TypedItem& item : news) {
    text += fmt::format("- {}. {}\n", TextOf(item.record, "title"), TextOf(item.record, "message"));
  }
  text += "\nYou can choose in your settings how often you get this mail.\n";
  return {.to = TextOf(user, "email"),
          .subject = news.size() == 1 ? "Story Hub: something happened"
                                      : fmt::format("Story Hub: {} things happened", news.size()),
          .text = std::move(text)};
}

// At most once: whoever removes the note sends the mail.
Status SendDigest(const platform::Mount& mount, const platform::TimerTurn& turn,
                  const Record& due) {
  design::Runtime& runtime = *mount.runtime;
  const std::string user_id = TextOf(due, "userId");
  const auto user =
      TRY(runtime.Get(*runtime.model().FindEntity("User"), TextRecord({{"userId", user_id}})));
  const auto removed = runtime.Delete(*runtime.model().FindEntity("Digest"), due);
  if (!removed.ok() && removed.error().code() == ErrorCode::kResourceNotFound) return Ok();
  if (!removed.ok()) return removed.error();
  if (!user || DigestOf(user->record) == "OFF" || TextOf(user->record, "email").empty()) {
    return Ok();
  }
  const std::int64_t days = DigestOf(user->record) == "DAILY" ? 1 : kDaysPerWeek;
  const std::vector<TypedItem> news = TRY(NewsOf(runtime, due, days));
  if (news.empty() || turn.mail == nullptr) return Ok();
  return turn.mail->Send(MailOf(user->record, news));
}

}  // namespace

Status QueueDigest(const platform::Mount& /*mount*/, const platform::ItemChange& change) {
  const bool is_news =
      change.new_item && !change.old_item && change.new_item->kind.kind().name == "Notification";
  if (!is_news) return Ok();
  design::Runtime& runtime = change.runtime;
  const std::string user_id = TextOf(change.new_item->record, "userId");
  const auto user =
      TRY(runtime.Get(*runtime.model().FindEntity("User"), TextRecord({{"userId", user_id}})));
  const bool is_wanted = user && !IsTrue(user->record, "erased");
  const std::string digest = is_wanted ? DigestOf(user->record) : "OFF";
  if (digest == "OFF") return Ok();
  const std::string date = DateText(NextDay(change.change.time_unix_ms, digest));
  TRY(runtime.Upsert(*runtime.model().FindEntity("Digest"),
                     TextRecord({{"date", date}, {"userId", user_id}})));
  return Ok();
}

Result<std::vector<TypedItem>> DigestsOf(const platform::Mount& mount, const std::string& user_id) {
  design::Runtime& runtime = *mount.runtime;
  const std::int64_t today = DayOf(mount.shared->clock->NowUnixMs());
  std::vector<TypedItem> digests;
  for (std::int64_t day = today; day <= today + kDaysPerWeek; ++day) {
    auto digest = TRY(runtime.Get(*runtime.model().FindEntity("Digest"),
                                  TextRecord({{"date", DateText(day)}, {"userId", user_id}})));
    if (digest) digests.push_back(*std::move(digest));
  }
  return digests;
}

Status SendDigests(const platform::Mount& mount, const platform::TimerTurn& turn) {
  const design::Access& due = *mount.runtime->model().FindAccess("digestsOn");
  const std::int64_t first = DayOf(turn.after_unix_ms - kMailHourMs) + 1;
  const std::int64_t last = DayOf(turn.until_unix_ms - kMailHourMs);
  for (std::int64_t day = first; day <= last; ++day) {
    const Record arguments = TextRecord({{"date", DateText(day)}});
    // Each that is done is gone, so what is left is always on the first page.
    for (;;) {
      const design::TypedPage page = TRY(mount.runtime->Run(due, arguments));
      for (const TypedItem& item : page.items)
        TRY(SendDigest(mount, turn, item.record));
      if (page.cursor.empty()) break;
    }
  }
  return Ok();
}

}  // namespace trestle::apps::stories
