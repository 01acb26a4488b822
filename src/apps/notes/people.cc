// What a user can find, take along and have removed.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/search/query.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Record;
using design::TypedItem;
using platform::JobStep;
using platform::Mount;
using platform::TextOf;
using platform::TextRecord;
using platform::search::Document;
using platform::search::FieldRank;

bool IsEntity(const TypedItem& item, std::string_view name) {
  return item.kind.entity != nullptr && item.kind.entity->name == name;
}

std::string VisibleWord(std::string_view sub) { return fmt::format("user:{}", sub); }

// Removes the user's item and the calendar's address; the notes follow it.
Result<JobStep> RemoveUser(const Mount& mount, const std::string& sub, const std::string& email) {
  const design::Model& model = mount.runtime->model();
  const auto user = TRY(FindUser(*mount.runtime, email));
  if (!user || TextOf(user->record, "id") != sub) return JobStep::kEnd;
  if (user->record.Find("lockedBy")) return JobStep::kLater;  // when they have moved
  if (const auto token_hash = user->record.FindText("feedTokenHash")) {
    const auto removed = mount.runtime->Delete(*model.FindEntity("CalendarFeed"),
                                               TextRecord({{"tokenHash", *token_hash}}));
    if (!removed.ok() && removed.error().code() != ErrorCode::kResourceNotFound) {
      return removed.error();
    }
  }
  design::WriteOptions options;
  options.expected_version = user->version;
  const auto removed =
      mount.runtime->Delete(*model.FindEntity("User"), TextRecord({{"email", email}}), options);
  if (removed.ok() || removed.error().code() == ErrorCode::kResourceNotFound) return JobStep::kEnd;
  if (removed.error().code() == ErrorCode::kConditionalCheckFailed) return JobStep::kMore;
  return removed.error();
}

}  // namespace

std::optional<Document> DescribeNote(const TypedItem& item) {
  if (!IsEntity(item, "Note")) return std::nullopt;
  const Record& note = item.record;
  Document document{
      .type = "note",
      .visible_to = {VisibleWord(TextOf(note, "userId"))},
      .fields = {{.name = "title", .rank = FieldRank::kTitle, .text = TextOf(note, "title")},
                 {.name = "content", .text = TextOf(note, "content")}}};
  for (std::string& tag : platform::TextsOf(note, "tags")) {
    document.facets.push_back({.name = "tag", .value = tag});
    document.fields.push_back({.name = "tags", .rank = FieldRank::kTags, .text = std::move(tag)});
  }
  document.sort_values = {{.order = "newest",
                           .value = static_cast<double>(
                               design::ParseTimestamp(TextOf(note, "createdAt")).value_or(0))}};
  document.payload = fmt::format("{}\n{}", TextOf(note, "id"), TextOf(note, "email"));
  return document;
}

Result<std::vector<std::string>> VisibleTo(const Call& call) {
  return std::vector<std::string>{VisibleWord(call.sub())};
}

// While notes move, they are under both addresses.
Result<std::optional<TypedItem>> FetchNote(const Call& call, const platform::search::Hit& hit) {
  const std::size_t end = hit.payload.find('\n');
  if (end == std::string::npos || hit.payload.substr(end + 1) != EmailOf(call)) {
    return std::optional<TypedItem>();
  }
  return call.runtime().Get(
      platform::EntityNamed(call, "Note"),
      TextRecord({{"email", EmailOf(call)}, {"id", hit.payload.substr(0, end)}}));
}

Status VisitPerson(const Mount& mount, const std::string& sub,
                   const platform::AppPeople::Visit& visit) {
  const auto email = TRY(EmailOfSub(*mount.runtime, sub));
  const auto user = email ? TRY(FindUser(*mount.runtime, *email)) : std::nullopt;
  if (!user) return Ok();
  TRY(visit(*user));
  for (const TypedItem& note :
       TRY(platform::RunWhole(*mount.runtime, "notesOfUser", TextRecord({{"email", *email}}))))
    TRY(visit(note));
  if (const auto token_hash = user->record.FindText("feedTokenHash")) {
    for (const TypedItem& feed : TRY(platform::RunWhole(*mount.runtime, "getCalendarFeed",
                                                        TextRecord({{"tokenHash", *token_hash}}))))
      TRY(visit(feed));
  }
  return Ok();
}

Result<JobStep> ErasePerson(const Mount& mount, platform::JobState& job) {
  std::string email = TextOf(job.progress, "email");
  if (email.empty()) {
    const auto found = TRY(EmailOfSub(*mount.runtime, job.sub));
    if (!found) return JobStep::kEnd;
    email = *found;
    const JobStep step = TRY(RemoveUser(mount, job.sub, email));
    if (step != JobStep::kEnd) return step;
    job.progress.SetText("email", email);
  }
  // Many notes do not go with their user at once.
  const auto left = TRY(mount.runtime->Run(*mount.runtime->model().FindAccess("notesOfUser"),
                                           TextRecord({{"email", email}}), {.limit = 1}));
  const bool is_left =
      !left.items.empty() && TextOf(left.items.front().record, "userId") == job.sub;
  return is_left ? JobStep::kMore : JobStep::kEnd;
}

std::string OwnerOf(const TypedItem& item) {
  if (IsEntity(item, "Note")) return TextOf(item.record, "userId");
  return IsEntity(item, "User") ? TextOf(item.record, "id") : std::string();
}

}  // namespace trestle::apps::notes
