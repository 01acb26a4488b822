// Another e-mail address for the same notes.

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::notes {
namespace {

using design::TypedItem;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

// What one transaction can take along.
constexpr std::size_t kNotesAtOnce = 48;
constexpr std::size_t kBytesAtOnce = 800'000;
constexpr std::size_t kMoveIdBytes = 16;

Result<platform::identity::Accounts*> AccountsOf(const Call& call) {
  if (call.shared().accounts != nullptr) return call.shared().accounts;
  return ProblemError("not-implemented", "the address is changed where the account is kept");
}

platform::identity::Accounts::Person PersonOf(const Call& call) {
  return {.sub = call.sub(), .address = std::string(call.request().peer)};
}

Error InProgress() {
  return ProblemError("in-progress", "the notes are on their way to another e-mail address");
}

Result<bool> AreFew(design::Runtime& runtime, const std::string& email, std::size_t notes_max) {
  const design::TypedPage page =
      TRY(runtime.Run(*runtime.model().FindAccess("notesOfUser"), TextRecord({{"email", email}}),
                      {.limit = static_cast<std::uint32_t>(notes_max + 1)}));
  std::size_t bytes = 0;
  for (const TypedItem& note : page.items)
    bytes += note.record.ToItem().bytes().size();
  return page.items.size() <= notes_max && bytes <= kBytesAtOnce;
}

// Why a move did not begin.
Error NotBegun(design::Runtime& runtime, const Error& error, const Move& move) {
  const bool is_refused = error.code() == ErrorCode::kConditionalCheckFailed ||
                          error.code() == ErrorCode::kTransactionCanceled;
  if (!is_refused) return error;
  const auto other = FindUser(runtime, move.to);
  if (other.ok() && *other && TextOf((*other)->record, "id") != move.sub) {
    return ProblemError("email-taken", "somebody has notes under this e-mail address");
  }
  return InProgress();
}

// All that is asked for is stored with the job, in one transaction.
Result<std::string> MoveAsJob(const platform::Mount& mount, const Move& move,
                              design::WriteOptions options) {
  CHECK(mount.shared->jobs != nullptr, "an app with jobs is served with them");
  for (design::WriteItem& action : TRY(BeginMove(*mount.runtime, move)))
    options.together_with.push_back(std::move(action));
  return mount.shared->jobs->Start(
      {.app = mount.app->name,
       .kind = kMoveJob,
       .sub = move.sub,
       .input = TextRecord({{"moveId", move.move_id}, {"from", move.from}, {"to", move.to}})},
      options);
}

// While the notes move, the name stays: it is on its way with them.
Status FollowName(const platform::Mount& mount, const platform::Person& person) {
  design::Runtime& runtime = *mount.runtime;
  const auto email = TRY(EmailOfSub(runtime, person.sub));
  const auto user = email ? TRY(FindUser(runtime, *email)) : std::nullopt;
  if (!user || user->record.Find("lockedBy") || TextOf(user->record, "name") != person.old_name) {
    return Ok();
  }
  design::Changes changes;
  platform::SetText(changes, "name", person.name);
  TRY(runtime.Update(*runtime.model().FindEntity("User"), TextRecord({{"email", *email}}), changes,
                     {.expected_version = user->version}));
  return Ok();
}

}  // namespace

Result<std::optional<std::string>> StartMove(const platform::Mount& mount,
                                             const platform::Person& person,
                                             design::WriteOptions options) {
  design::Runtime& runtime = *mount.runtime;
  const auto from = TRY(EmailOfSub(runtime, person.sub));
  const Move move{.sub = person.sub,
                  .move_id = HexEncode(SecureRandomBytes(kMoveIdBytes)),
                  .from = from.value_or(""),
                  .to = text::EmailKey(person.email)};
  if (!from || move.from == move.to) return std::optional<std::string>();
  const auto user = TRY(FindUser(runtime, move.from));
  if (!user || user->record.Find("lockedBy")) return InProgress();
  // What joins the transaction takes a place in it.
  if (TRY(AreFew(runtime, move.from, kNotesAtOnce - options.together_with.size()))) {
    const auto moved =
        runtime.Run(*runtime.model().FindOperation("changeEmail"),
                    TextRecord({{"email", move.from}, {"newEmail", move.to}}), options);
    if (!moved.ok()) return NotBegun(runtime, moved.error(), move);
    return std::optional<std::string>();
  }
  auto started = MoveAsJob(mount, move, std::move(options));
  if (!started.ok()) return NotBegun(runtime, started.error(), move);
  return std::optional(*std::move(started));
}

Status FollowAccount(const platform::Mount& mount, const platform::Person& person) {
  if (!person.old_name.empty()) TRY(FollowName(mount, person));
  const auto started = StartMove(mount, person);
  if (started.ok()) return Ok();
  const ErrorDetails* details = started.error().details();
  if (details == nullptr || details->name.empty()) return started.error();
  if (details->name == "in-progress") {
    // Perhaps to another address than this one: it is asked again until that is over.
    const auto user = TRY(FindUser(*mount.runtime, text::EmailKey(person.email)));
    if (user && TextOf(user->record, "id") == person.sub) return Ok();
    return Error(ErrorCode::kTransactionConflict, started.error().message());
  }
  log::Warn("notes stay under the old e-mail address", {{"reason", started.error().message()}});
  return Ok();
}

Status PostEmail(Call& call, json::Writer& /*reply*/) {
  platform::identity::Accounts* const accounts = TRY(AccountsOf(call));
  TRY(accounts->ChangeEmail(PersonOf(call), {.password = TextOf(call.fields(), "password"),
                                             .new_email = TextOf(call.fields(), "newEmail")}));
  return platform::ReplyNothing(call);
}

Status ConfirmEmail(Call& call, json::Writer& reply) {
  platform::identity::Accounts* const accounts = TRY(AccountsOf(call));
  if (call.facts().Find("lockedBy")) return Moving(call);
  const TypedItem account =
      TRY(accounts->ConfirmEmail(PersonOf(call), TextOf(call.fields(), "code")));
  const std::string email = TextOf(account.record, "email");
  // The stream of accounts tells of it too, and may be faster.
  auto started = StartMove(call.mount(), {.sub = call.sub(), .email = email, .name = {}},
                           TRY(call.write_options()));
  const bool is_begun = !started.ok() && started.error().details() != nullptr &&
                        started.error().details()->name == "in-progress";
  if (!started.ok() && !is_begun) return started.error();
  const auto user = TRY(FindUser(call.runtime(), email));
  if (!user) return Moving(call);
  const bool is_there = TRY(EmailOfSub(call.runtime(), call.sub())) == email;
  if (is_there) return platform::ReplyItem(call, *user, reply);
  const std::string place = started.ok() && *started ? "/jobs/" + **started : "/me";
  call.SetStatus(202);
  call.AddHeader("Location", platform::MountPath(call.app()) + place);
  platform::WriteItem(call, *user, reply);
  return Ok();
}

}  // namespace trestle::apps::notes
