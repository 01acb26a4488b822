#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/notes/deadline.h"
#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/call.h"
#include "platform/jobs.h"
#include "text/time_zone.h"

// The handlers of Notes, and what its files share.
//
// A user's notes are kept under the e-mail address, and requests name users by their sub: `Admit`
// finds the address, and leaves the user's own item in Call::facts, with `today` and `now` added.

namespace trestle::apps::notes {

using platform::Call;

// users.cc
[[nodiscard]] Status Admit(Call& call);
[[nodiscard]] Status PostUser(Call& call, json::Writer& reply);
[[nodiscard]] Status GetMe(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchMe(Call& call, json::Writer& reply);
void CheckUser(const design::Record& now, const design::Record& user,
               std::vector<FieldFailure>& failures);
void AddToUser(const Call& call, const design::TypedItem& user, json::Writer& writer);

// notes.cc
[[nodiscard]] Status PostNote(Call& call, json::Writer& reply);
[[nodiscard]] Status GetNote(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchNote(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteNote(Call& call, json::Writer& reply);
[[nodiscard]] Status MarkDone(Call& call, json::Writer& reply);
[[nodiscard]] Status Reopen(Call& call, json::Writer& reply);
[[nodiscard]] Status Snooze(Call& call, json::Writer& reply);
[[nodiscard]] Status MoveToDay(Call& call, json::Writer& reply);
void CheckNote(const design::Record& now, const design::Record& note,
               std::vector<FieldFailure>& failures);
void AddToNote(const Call& call, const design::TypedItem& note, json::Writer& writer);

// lists.cc
[[nodiscard]] Status ListNotes(Call& call, json::Writer& reply);
[[nodiscard]] Status ListOverdue(Call& call, json::Writer& reply);
[[nodiscard]] Status ListToday(Call& call, json::Writer& reply);
[[nodiscard]] Status ListWeek(Call& call, json::Writer& reply);
[[nodiscard]] Status ListReminders(Call& call, json::Writer& reply);

// overview.cc
[[nodiscard]] Status GetCalendar(Call& call, json::Writer& reply);
[[nodiscard]] Status GetStatistics(Call& call, json::Writer& reply);

// feed.cc
[[nodiscard]] Status PostFeed(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteFeed(Call& call, json::Writer& reply);
[[nodiscard]] Status GetFeed(Call& call, json::Writer& reply);

// email.cc
[[nodiscard]] Status PostEmail(Call& call, json::Writer& reply);
[[nodiscard]] Status ConfirmEmail(Call& call, json::Writer& reply);
// The account of a user has another address: the notes follow it.
[[nodiscard]] Status FollowAccount(const platform::Mount& mount, const platform::Person& person);
// Moves the notes of a user to another address: at once when they are few, else as a job, whose id
// it gives. The problems email-taken, and in-progress while they move already.
[[nodiscard]] Result<std::optional<std::string>> StartMove(const platform::Mount& mount,
                                                           const platform::Person& person,
                                                           design::WriteOptions options = {});

// email_move.cc: the job.
inline constexpr std::string_view kMoveJob = "change-email";
struct Move {
  std::string sub;
  std::string move_id;  // what the user's item is locked by
  std::string from;     // addresses
  std::string to;
};
// What locks the old address and reserves the new one; together with the job in one transaction.
[[nodiscard]] Result<std::vector<design::WriteItem>> BeginMove(design::Runtime& runtime,
                                                               const Move& move);
[[nodiscard]] Result<platform::JobStep> StepMove(const platform::Mount& mount,
                                                 platform::JobState& job);
// Asks of a write that the user's notes are not on their way.
[[nodiscard]] Result<design::WriteItem> NotMoving(design::Runtime& runtime, std::string_view email);

// import.cc
[[nodiscard]] Status PostImport(Call& call, json::Writer& reply);
[[nodiscard]] Result<platform::JobStep> ImportSome(const platform::Mount& mount,
                                                   platform::JobState& job);
inline constexpr std::string_view kImportJob = "import";

// people.cc
[[nodiscard]] Status VisitPerson(const platform::Mount& mount, const std::string& sub,
                                 const platform::AppPeople::Visit& visit);
[[nodiscard]] Result<platform::JobStep> ErasePerson(const platform::Mount& mount,
                                                    platform::JobState& job);
[[nodiscard]] std::string OwnerOf(const design::TypedItem& item);
[[nodiscard]] std::optional<platform::search::Document> DescribeNote(const design::TypedItem& item);
[[nodiscard]] Result<std::vector<std::string>> VisibleTo(const Call& call);
[[nodiscard]] Result<std::optional<design::TypedItem>> FetchNote(const Call& call,
                                                                 const platform::search::Hit& hit);

// samples.cc
[[nodiscard]] Status LoadSamples(const platform::Mount& mount,
                                 std::span<const platform::Person> people);

// Shared.

[[nodiscard]] std::string EmailOf(const Call& call);
[[nodiscard]] text::TimeZone ZoneOf(const design::Record& user);
[[nodiscard]] Present PresentOf(const Call& call);
// The address under which an account's notes are; nothing when it has none.
[[nodiscard]] Result<std::optional<std::string>> EmailOfSub(design::Runtime& runtime,
                                                            std::string_view sub);
[[nodiscard]] Result<std::optional<design::TypedItem>> FindUser(design::Runtime& runtime,
                                                                std::string_view email);
// The problem in-progress, with Retry-After.
[[nodiscard]] Error Moving(Call& call);

// For the writes of notes: refused while they move to another address, and with what a design
// cannot say of a note. Explained says so of a write that failed because of it.
[[nodiscard]] Result<design::WriteOptions> NoteOptions(Call& call);
[[nodiscard]] Error Explained(Call& call, const Error& error);
// The problem semantic when a user would have too many notes with so many more.
[[nodiscard]] Status CheckRoom(const design::Record& user, std::size_t count);
// A note that is done when it is made was done then.
void SetDoneAt(std::string_view now, design::Record& note);
[[nodiscard]] Result<design::TypedItem> NoteOf(const Call& call);

}  // namespace trestle::apps::notes
