// Who has notes.

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "design/time_text.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::notes {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kUsersPath = "/users";
constexpr std::string_view kMePath = "/me";
constexpr std::size_t kNameBytesMax = 100;

struct Identity {
  std::string email;  // empty: nobody says
  std::string name;
};

// As the token says it, or the account.
Result<Identity> IdentityOf(const Call& call) {
  const platform::Principal& caller = *call.principal();
  Identity identity{.email = text::EmailKey(caller.email.value_or("")),
                    .name = caller.name.value_or("")};
  if (!identity.email.empty() || call.shared().accounts == nullptr) return identity;
  const auto account = call.shared().accounts->Get(call.sub());
  const bool is_elsewhere = !account.ok() && account.error().code() == ErrorCode::kResourceNotFound;
  if (!account.ok() && !is_elsewhere) return account.error();
  if (account.ok()) identity.email = TextOf(account->record, "email");
  if (account.ok()) identity.name = TextOf(account->record, "name");
  return identity;
}

Error Taken() {
  return ProblemError("email-taken", "somebody has notes under this e-mail address");
}

Error NoAddress() {
  return ProblemError("forbidden", "notes need an e-mail address, and the token has none");
}

Record NewUser(const Call& call, const Identity& identity) {
  return TextRecord({{"id", call.sub()}, {"email", identity.email}, {"name", identity.name}});
}

// Nobody has said a name at the first sign-in: what is before the @ will do.
std::string NameFor(const Identity& identity) {
  const bool is_usable = !identity.name.empty() && identity.name.size() <= kNameBytesMax;
  return is_usable ? identity.name : identity.email.substr(0, identity.email.find('@'));
}

// The record of a request with an Idempotency-Key belongs to the request's own effect, not to this.
Status MakeUser(Call& call) {
  Identity identity = TRY(IdentityOf(call));
  if (identity.email.empty()) return NoAddress();
  identity.name = NameFor(identity);
  const auto created =
      call.runtime().Create(platform::EntityNamed(call, "User"), NewUser(call, identity));
  if (created.ok()) return Ok();
  if (created.error().code() != ErrorCode::kConditionalCheckFailed) return created.error();
  // Another first request of the same person was faster, or the address is somebody else's.
  if (TRY(EmailOfSub(call.runtime(), call.sub()))) return Ok();
  return Taken();
}

Result<TypedItem> EnsureUser(Call& call) {
  constexpr int kTriesMax = 4;  // the address may change between the two reads
  for (int i = 0; i < kTriesMax; ++i) {
    const auto email = TRY(EmailOfSub(call.runtime(), call.sub()));
    if (!email) {
      TRY(MakeUser(call));
      continue;
    }
    auto user = TRY(FindUser(call.runtime(), *email));
    if (user) return *std::move(user);
  }
  return Error(ErrorCode::kTransactionConflict, "the e-mail address is being changed");
}

// Accounts of this server tell of a new address (FollowAccount); those of another pool have it in
// their tokens. What was signed in before the user's item was changed may be older than that.
Status FollowToken(const Call& call, const TypedItem& user) {
  const platform::Principal& caller = *call.principal();
  const auto changed = design::ParseTimestamp(TextOf(user.record, "updatedAt"));
  const bool is_newer = changed && caller.auth_time_unix_s * 1000 > *changed;
  if (!is_newer || !caller.email || user.record.Find("lockedBy")) return Ok();
  if (text::EmailKey(*caller.email) == TextOf(user.record, "email")) return Ok();
  if (call.shared().accounts != nullptr && call.shared().accounts->Get(call.sub()).ok())
    return Ok();
  return FollowAccount(call.mount(), {.sub = call.sub(), .email = *caller.email, .name = ""});
}

void SetFacts(Call& call, const TypedItem& user) {
  const Present present = PresentAt(call.now_unix_ms(), ZoneOf(user.record));
  call.facts() = user.record;
  call.facts().SetText("today", present.today);
  call.facts().SetText("now", present.now);
}

}  // namespace

std::string EmailOf(const Call& call) { return TextOf(call.facts(), "email"); }

text::TimeZone ZoneOf(const Record& user) {
  auto zone = text::TimeZone::Find(TextOf(user, "timeZone"));
  return zone ? *std::move(zone) : text::TimeZone::Utc();
}

Present PresentOf(const Call& call) {
  return {.today = TextOf(call.facts(), "today"), .now = TextOf(call.facts(), "now")};
}

Result<std::optional<std::string>> EmailOfSub(design::Runtime& runtime, std::string_view sub) {
  const auto found =
      TRY(runtime.Run(*runtime.model().FindAccess("emailOfSub"), TextRecord({{"id", sub}})));
  if (found.items.empty()) return std::optional<std::string>();
  return std::optional(TextOf(found.items.front().record, "email"));
}

Result<std::optional<TypedItem>> FindUser(design::Runtime& runtime, std::string_view email) {
  return runtime.Get(*runtime.model().FindEntity("User"), TextRecord({{"email", email}}));
}

Error Moving(Call& call) {
  call.AddHeader("Retry-After", "2");
  return ProblemError("in-progress", "the notes are on their way to another e-mail address");
}

Status Admit(Call& call) {
  if (call.route().access == platform::Access::kPublic || call.route().path == kUsersPath) {
    return Ok();
  }
  const TypedItem user = TRY(EnsureUser(call));
  TRY(FollowToken(call, user));
  const auto email = TRY(EmailOfSub(call.runtime(), call.sub()));
  SetFacts(call, email == TextOf(user.record, "email") ? user : TRY(EnsureUser(call)));
  return Ok();
}

void AddToUser(const Call& /*call*/, const TypedItem& user, json::Writer& writer) {
  writer.Key("hasCalendarFeed");
  writer.Bool(user.record.Find("feedTokenHash").has_value());
  writer.Key("isMoving");
  writer.Bool(user.record.Find("lockedBy").has_value());
}

// Who one is, and which address one has, the token and the account say: nobody takes the address of
// somebody who has not been here yet.
Status PostUser(Call& call, json::Writer& reply) {
  Identity identity = TRY(IdentityOf(call));
  const std::string given = text::EmailKey(TextOf(call.fields(), "email"));
  if (!identity.email.empty() && given != identity.email) {
    return ProblemError("forbidden", "the e-mail address is not that of the account");
  }
  identity.name = TextOf(call.fields(), "name");
  if (identity.email.empty()) return NoAddress();
  const auto created = platform::CreateItem(call, "User", NewUser(call, identity));
  const bool is_taken = !created.ok() && created.error().details() != nullptr &&
                        created.error().details()->name == "already-exists";
  if (is_taken) return Taken();
  return platform::ReplyCreated(call, TRY(Result<TypedItem>(created)), kMePath, reply);
}

void CheckUser(const Record& /*now*/, const Record& user, std::vector<FieldFailure>& failures) {
  const auto zone = user.FindText("timeZone");
  if (!zone || text::TimeZone::Find(*zone)) return;
  failures.push_back({.field = "timeZone",
                      .message = "must be a zone of the IANA database, such as Europe/Vienna",
                      .code = "time-zone"});
}

Status GetMe(Call& call, json::Writer& reply) {
  const auto user = TRY(FindUser(call.runtime(), EmailOf(call)));
  if (!user) return Moving(call);
  return platform::ReplyItem(call, *user, reply);
}

Status PatchMe(Call& call, json::Writer& reply) {
  const Changes changes = TRY(platform::ItemChanges(call, "User"));
  design::WriteOptions options;
  options.rule = [&call](const Record& now, Changes& /*wanted*/) -> Status {
    if (now.Find("lockedBy")) return Moving(call);
    return Ok();
  };
  return platform::ReplyItem(
      call,
      TRY(platform::UpdateItem(call, "User", TextRecord({{"email", EmailOf(call)}}), changes,
                               std::move(options))),
      reply);
}

}  // namespace trestle::apps::notes
