// The calendar of a user's notes under a secret address.

#include <fmt/format.h>

#include "apps/notes/calendar_text.h"
#include "apps/notes/notes_internal.h"
#include "base/crypto.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::TextOf;
using platform::TextRecord;

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kTokenLength = 43;  // as base64url
constexpr std::string_view kFileType = ".ics";
constexpr std::size_t kFeedNotesMax = 20'000;
constexpr std::int64_t kDaysBack = 90;  // what is longer over is in no calendar

// The table has hashes only: who reads it cannot read calendars.
std::string HashOf(std::string_view token) { return HexEncode(AsBytes(Sha256(token))); }

// A feed that is not in use any more is of no consequence: the user's item says which one is.
void Forget(Call& call, const std::string& token_hash) {
  if (token_hash.empty()) return;
  const auto removed = call.runtime().Delete(platform::EntityNamed(call, "CalendarFeed"),
                                             TextRecord({{"tokenHash", token_hash}}));
  static_cast<void>(removed.ok());
}

CalendarNote ToCalendar(const TypedItem& note) {
  return {.id = TextOf(note.record, "id"),
          .title = TextOf(note.record, "title"),
          .content = TextOf(note.record, "content"),
          .deadline = TextOf(note.record, "deadline"),
          .changed_at = TextOf(note.record, "updatedAt"),
          .tags = platform::TextsOf(note.record, "tags")};
}

// The user of a feed, if it is still the user's own.
Result<TypedItem> UserOfFeed(const Call& call, const std::string& token_hash) {
  const Error gone =
      platform::ProblemError("gone", "this address of a calendar is not in use any more");
  const auto feed =
      TRY(platform::RunAccess(call, "getCalendarFeed", TextRecord({{"tokenHash", token_hash}})));
  if (feed.items.empty()) return gone;
  const auto email = TRY(EmailOfSub(call.runtime(), TextOf(feed.items.front().record, "userId")));
  if (!email) return gone;
  auto user = TRY(FindUser(call.runtime(), *email));
  if (!user || TextOf(user->record, "feedTokenHash") != token_hash) return gone;
  return *std::move(user);
}

}  // namespace

Status PostFeed(Call& call, json::Writer& reply) {
  if (call.facts().Find("lockedBy")) return Moving(call);
  const std::string token = Base64UrlEncode(SecureRandomBytes(kTokenBytes));
  const auto changed = platform::RunOperation(
      call, "setCalendarFeed",
      TextRecord({{"email", EmailOf(call)}, {"tokenHash", HashOf(token)}, {"userId", call.sub()}}));
  if (!changed.ok()) return Explained(call, changed.error());
  Forget(call, TextOf(call.facts(), "feedTokenHash"));
  const std::string address =
      fmt::format("{}/feed/{}{}", platform::MountPath(call.app()), token, kFileType);
  call.SetStatus(201);
  call.AddHeader("Location", address);
  reply.BeginObject();
  reply.Key("url");
  reply.String(address);
  reply.EndObject();
  return Ok();
}

Status DeleteFeed(Call& call, json::Writer& /*reply*/) {
  const std::string token_hash = TextOf(call.facts(), "feedTokenHash");
  if (token_hash.empty()) return platform::NotFound("calendar feed");
  Changes changes;
  platform::Remove(changes, "feedTokenHash");
  design::WriteOptions options;
  options.rule = [&call](const Record& now, Changes& /*wanted*/) -> Status {
    if (now.Find("lockedBy")) return Moving(call);
    return Ok();
  };
  TRY(platform::UpdateItem(call, "User", TextRecord({{"email", EmailOf(call)}}), changes,
                           std::move(options)));
  Forget(call, token_hash);
  return platform::ReplyNothing(call);
}

Status GetFeed(Call& call, json::Writer& reply) {
  const std::string& file = call.PathValue("file");
  if (!file.ends_with(kFileType) || file.size() != kTokenLength + kFileType.size()) {
    return platform::NotFound("calendar feed");
  }
  const std::string token = file.substr(0, kTokenLength);
  const TypedItem user = TRY(UserOfFeed(call, HashOf(token)));
  const std::string email = TextOf(user.record, "email");
  const std::string today = ZoneOf(user.record).DateAt(call.now_unix_ms());
  std::vector<TypedItem> notes = TRY(platform::RunWhole(
      call.runtime(), "notesDueAfter",
      TextRecord({{"email", email}, {"target", text::AddDays(today, -kDaysBack)}}),
      {.items_max = kFeedNotesMax}));
  const std::vector<TypedItem> undated =
      TRY(platform::RunWhole(call.runtime(), "notesUndated", TextRecord({{"email", email}}),
                             {.items_max = kFeedNotesMax}));
  notes.insert(notes.end(), undated.begin(), undated.end());

  std::vector<CalendarNote> shown;
  shown.reserve(notes.size());
  for (const TypedItem& note : notes)
    if (!BoolOf(note.record, "done").value_or(false)) shown.push_back(ToCalendar(note));
  call.SetContentType("text/calendar; charset=utf-8");
  call.AddHeader("Cache-Control", "private, max-age=300");
  reply.out() += CalendarText(TextOf(user.record, "name"), shown);
  return Ok();
}

}  // namespace trestle::apps::notes
