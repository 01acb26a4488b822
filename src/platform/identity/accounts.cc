// Sign-up, sign-in and tokens. What people change in their accounts is in account_changes.cc.

#include "platform/identity/accounts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/log.h"
#include "design/time_text.h"
#include "platform/audit.h"
#include "platform/identity/accounts_internal.h"
#include "platform/identity/claims.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform::identity {
namespace {

constexpr Backoff::Options kPerAccount = {.free_failures = 10, .wait_max_s = 60};
constexpr Backoff::Options kPerAddress = {.free_failures = 50, .wait_max_s = 15 * 60};
// Codes have only a million values; an hour between tries makes that a century.
constexpr Backoff::Options kPerCode = {.free_failures = 10, .wait_max_s = 60 * 60};

constexpr std::int64_t kActivityNs = 2'000'000'000;
constexpr std::size_t kActivitiesMax = 10'000;
constexpr std::size_t kTokenIdBytes = 16;

std::string_view FirstStatus(SignUpPolicy policy) {
  switch (policy) {
    case SignUpPolicy::kOpen:
      return kConfirmed;
    case SignUpPolicy::kEmailCode:
      return kUnconfirmed;
    case SignUpPolicy::kApproval:
      return kPendingApproval;
  }
  UNREACHABLE("a policy that is not in the enum");
}

Error EmailTaken() {
  return ProblemError("email-taken", "there is an account with this e-mail address");
}

Error NotSignedIn() {
  return ProblemError("unauthenticated", "the e-mail address or the password is wrong");
}

Error TooOften(std::int64_t wait_s) {
  return ProblemError("rate-limited", fmt::format("too many attempts; try again in {} s", wait_s));
}

// Only who knows the password learns this much.
Status CheckStatus(const design::Record& account) {
  const std::string status = TextOf(account, "status");
  if (status == kConfirmed) return Ok();
  if (status == kUnconfirmed) {
    return ProblemError("account-pending", "confirm the e-mail address first");
  }
  if (status == kPendingApproval) {
    return ProblemError("account-pending", "an administrator has not approved the account yet");
  }
  return NotSignedIn();
}

}  // namespace

std::string NormalEmail(std::string_view email) { return text::EmailKey(email); }

Status CheckNewPassword(const PasswordChoice& choice, std::string_view field) {
  auto problem = PasswordProblem(choice);
  if (!problem) return Ok();
  return FieldError(
      {.field = std::string(field), .message = *std::move(problem), .code = "weak-password"});
}

Accounts::Accounts(Options options)
    : options_(std::move(options)),
      runtime_(*options_.runtime),
      clock_(*options_.clock),
      entity_(*runtime_.model().FindEntity("Account")),
      hasher_(options_.passwords),
      sessions_(runtime_, clock_, options_.secret),
      codes_(runtime_, clock_, options_.secret),
      by_account_(kPerAccount, clock_),
      by_address_(kPerAddress, clock_),
      by_code_(kPerCode, clock_) {}

Result<std::optional<design::TypedItem>> Accounts::FindByEmail(std::string_view email) {
  const design::Access& access = *runtime_.model().FindAccess("accountOfEmail");
  const auto page = runtime_.Run(access, TextRecord({{"email", NormalEmail(email)}}));
  std::string sub = "none";  // as much is read for an address without an account
  if (page.ok() && !page->items.empty()) sub = TextOf(page->items.front().record, "sub");
  if (!page.ok() && page.error().code() != ErrorCode::kValidation) return page.error();
  return runtime_.Get(entity_, TextRecord({{"sub", sub}}));
}

Result<design::TypedItem> Accounts::Get(const std::string& sub) {
  auto found = runtime_.Get(entity_, TextRecord({{"sub", sub}}));
  const bool is_no_id = !found.ok() && found.error().code() == ErrorCode::kValidation;
  if (is_no_id || (found.ok() && !*found)) return NotFound("account");
  if (!found.ok()) return found.error();
  return **std::move(found);
}

Result<design::TypedItem> Accounts::Create(const NewAccount& account, std::string_view status) {
  design::Record record = TextRecord({{"email", NormalEmail(account.email)},
                                      {"name", account.name},
                                      {"status", status},
                                      {"passwordHash", TRY(hasher_.Hash(account.password))}});
  if (!account.groups.empty()) SetTexts(record, "groups", account.groups);
  if (!account.sub.empty()) record.SetText("sub", account.sub);
  auto created = runtime_.Create(entity_, record);
  if (!created.ok() && created.error().code() == ErrorCode::kConditionalCheckFailed) {
    return EmailTaken();
  }
  return created;
}

Result<design::TypedItem> Accounts::SignUp(const NewAccount& account) {
  TRY(CheckNewPassword({.password = account.password, .email = account.email}, "password"));
  if (TRY(FindByEmail(account.email))) return EmailTaken();  // before the costly part
  design::TypedItem created = TRY(Create(account, FirstStatus(options_.policy)));
  if (options_.policy == SignUpPolicy::kEmailCode) {
    SendCode({.sub = TextOf(created.record, "sub"), .purpose = CodePurpose::kConfirm},
             TextOf(created.record, "email"));
  }
  return created;
}

Status Accounts::Provide(const NewAccount& account) {
  const auto known = TRY(FindByEmail(account.email));
  if (!known) {
    TRY(CheckNewPassword({.password = account.password, .email = account.email}, "password"));
    const design::TypedItem created = TRY(Create(account, kConfirmed));
    if (account.groups.empty()) return Ok();
    return WriteAudit(runtime_, {.action = "GROUPS_SET",
                                 .target = TextOf(created.record, "sub"),
                                 .groups = account.groups});
  }
  std::vector<std::string> groups = TextsOf(known->record, "groups");
  const std::size_t count = groups.size();
  for (const std::string& group : account.groups)
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  if (groups.size() == count) return Ok();

  // Somebody else may have signed up with the address: who gets a right is who knows the password
  // that the operator has chosen.
  const std::string sub = TextOf(known->record, "sub");
  TRY(CheckNewPassword({.password = account.password, .email = account.email}, "password"));
  design::Changes changes;
  SetText(changes, "passwordHash", TRY(hasher_.Hash(account.password)));
  SetText(changes, "status", kConfirmed);
  TRY(Update(sub, changes));
  TRY(sessions_.EndAll(sub, {.except_family = {}}));
  const design::WriteOptions audit =
      TRY(WithAudit(runtime_, {.action = "GROUPS_SET", .target = sub, .groups = groups}));
  TRY(SetGroups(sub, groups, audit));
  return Ok();
}

Status Accounts::BeginAttempt(const Claim& claim) {
  const std::int64_t wait_s = RetrySeconds(claim);
  if (wait_s > 0) return TooOften(wait_s);
  by_account_.Begin(NormalEmail(claim.email));
  by_address_.Begin(AddressGroup(claim.address));
  return Ok();
}

void Accounts::EndAttempt(const Claim& claim) {
  by_account_.Forget(NormalEmail(claim.email));
  by_address_.Forgive(AddressGroup(claim.address));
}

Status Accounts::BeginCode(const Claim& claim) {
  TRY(BeginAttempt(claim));
  by_code_.Begin(NormalEmail(claim.email));
  return Ok();
}

std::int64_t Accounts::RetrySeconds(const Claim& claim) const {
  const std::string email = NormalEmail(claim.email);
  return std::max({by_account_.WaitSeconds(email), by_code_.WaitSeconds(email),
                   by_address_.WaitSeconds(AddressGroup(claim.address))});
}

Result<design::TypedItem> Accounts::CheckPassword(const PasswordClaim& claim) {
  TRY(BeginAttempt(claim.claim));
  auto account = TRY(FindByEmail(claim.claim.email));
  std::optional<std::string> hash;
  if (account) hash = TextOf(account->record, "passwordHash");
  if (!TRY(hasher_.Matches(claim.password, hash))) return NotSignedIn();
  EndAttempt(claim.claim);
  return *std::move(account);
}

Result<Tokens> Accounts::LogIn(const PasswordClaim& claim) {
  design::TypedItem account = TRY(CheckPassword(claim));
  TRY(CheckStatus(account.record));
  const std::string sub = TextOf(account.record, "sub");
  if (hasher_.NeedsRehash(TextOf(account.record, "passwordHash"))) {
    design::Changes changes;
    SetText(changes, "passwordHash", TRY(hasher_.Hash(claim.password)));
    // Somebody who changes the password at this moment goes first.
    const auto updated = runtime_.Update(entity_, TextRecord({{"sub", sub}}), changes,
                                         {.expected_version = account.version});
    if (updated.ok()) account = *updated;
  }
  const auto session = sessions_.Start(sub);
  // The account has gone since its password was looked at.
  const bool is_gone = !session.ok() && session.error().code() == ErrorCode::kResourceNotFound;
  if (is_gone) return NotSignedIn();
  if (!session.ok()) return session.error();
  return IssueTokens(account.record, *session);
}

Result<Tokens> Accounts::Refresh(std::string_view refresh_token) {
  const Sessions::Session session = TRY(sessions_.Continue(refresh_token));
  const auto account = Get(session.sub);
  const bool is_gone = !account.ok() && account.error().code() == ErrorCode::kResourceNotFound;
  if (is_gone || (account.ok() && TextOf(account->record, "status") != kConfirmed)) {
    return ProblemError("unauthenticated", "sign in again");
  }
  if (!account.ok()) return account.error();
  return IssueTokens(account->record, session);
}

Status Accounts::LogOut(std::string_view refresh_token) { return sessions_.End(refresh_token); }

Result<Tokens> Accounts::IssueTokens(const design::Record& account,
                                     const Sessions::Session& session) const {
  const std::int64_t now_unix_ms = clock_.NowUnixMs();
  Claims claims{.issuer = options_.issuer,
                .client = options_.client_id,
                .sub = TextOf(account, "sub"),
                .groups = TextsOf(account, "groups"),
                .email = TextOf(account, "email"),
                .is_email_verified = BoolOf(account, "emailVerified").value_or(false),
                .name = TextOf(account, "name"),
                .authenticated_unix_s = session.started_unix_ms / 1000,
                .issued_unix_s = now_unix_ms / 1000,
                .expires_unix_s = now_unix_ms / 1000 + kAccessTokenSeconds};
  const auto sign = [&](TokenUse use) {
    claims.use = use;
    claims.token_id = HexEncode(SecureRandomBytes(kTokenIdBytes));
    return options_.keys->Sign(ClaimsText(claims));
  };
  return Tokens{.access_token = sign(TokenUse::kAccess),
                .id_token = sign(TokenUse::kId),
                .refresh_token = session.token,
                .refresh_seconds = (session.ends_unix_ms - now_unix_ms) / 1000};
}

Result<bool> Accounts::IsActive(std::string_view sub) {
  const std::string key(sub);
  const std::int64_t now_ns = clock_.SteadyNs();
  {
    const MutexLock lock(mutex_);
    const auto found = activities_.find(key);
    if (found != activities_.end() && now_ns - found->second.asked_ns < kActivityNs) {
      return found->second.is_active;
    }
  }
  const auto account = Get(key);
  if (!account.ok() && account.error().code() != ErrorCode::kResourceNotFound) {
    return account.error();
  }
  const bool is_active = account.ok() && TextOf(account->record, "status") == kConfirmed;
  const MutexLock lock(mutex_);
  if (activities_.size() >= kActivitiesMax) activities_.clear();
  activities_[key] = {.is_active = is_active, .asked_ns = now_ns};
  return is_active;
}

void Accounts::ForgetActivity(const std::string& sub) {
  const MutexLock lock(mutex_);
  activities_.erase(sub);
}

}  // namespace trestle::platform::identity
