#include "platform/identity/auth_app.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "http/origin.h"
#include "platform/audit.h"
#include "platform/call.h"
#include "platform/common_routes.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/jobs.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::platform::identity {
namespace {

constexpr std::string_view kMount = "/auth/v1";
constexpr std::string_view kAdmins = "admin";

Accounts& AccountsOf(const Call& call) {
  CHECK(call.shared().accounts != nullptr, "a server with accounts");
  return *call.shared().accounts;
}

std::string Field(const Call& call, std::string_view name) { return TextOf(call.fields(), name); }

Accounts::Claim ClaimOf(const Call& call) {
  return {.email = Field(call, "email"), .address = std::string(call.request().peer)};
}

Accounts::Person PersonOf(const Call& call) {
  return {.sub = call.sub(), .address = std::string(call.request().peer)};
}

void WriteMembers(json::Writer& reply,
                  std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  for (const auto& [name, text] : members) {
    reply.Key(name);
    reply.String(text);
  }
}

// Says how long to wait when that is what is wrong.
template <typename T>
Result<T> Timed(Call& call, const Accounts::Claim& claim, Result<T> result) {
  if (!result.ok() && ToProblem(result.error()).kind->code == "rate-limited") {
    const std::int64_t wait_s = std::max<std::int64_t>(1, AccountsOf(call).RetrySeconds(claim));
    call.AddHeader("Retry-After", std::to_string(wait_s));
  }
  return result;
}

// The same for who is signed in, whose address is not in the request.
template <typename T>
Result<T> TimedOfPerson(Call& call, Result<T> result) {
  if (result.ok()) return result;
  const design::TypedItem account = TRY(AccountsOf(call).Get(call.sub()));
  return Timed(call, {.email = TextOf(account.record, "email"), .address = PersonOf(call).address},
               std::move(result));
}

std::string RefreshTokenOf(const Call& call) {
  std::string_view rest = call.Header("Cookie").value_or("");
  while (!rest.empty()) {
    const std::string_view pair = text::Trim(rest.substr(0, rest.find(';')));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == kRefreshCookie) {
      return std::string(pair.substr(equals + 1));
    }
    const std::size_t end = rest.find(';');
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

// On this machine, without TLS, a browser would not send back a cookie that is `Secure`.
bool IsSecure(const Call& call) {
  return AccountsOf(call).issuer().starts_with("https://") ||
         !http::IsLoopbackHost(call.Header("Host").value_or(""));
}

void SetCookie(Call& call, std::string_view token, std::int64_t lives_s) {
  call.AddHeader(
      "Set-Cookie",
      fmt::format("{}={}; Path={}; Max-Age={}; HttpOnly; SameSite=Strict{}", kRefreshCookie, token,
                  kMount, lives_s, IsSecure(call) ? "; Secure" : ""));
}

void DropCookie(Call& call) { SetCookie(call, "", 0); }

void ReplyTokens(Call& call, const Tokens& tokens, json::Writer& reply) {
  if (tokens.refresh_token) SetCookie(call, *tokens.refresh_token, tokens.refresh_seconds);
  call.AddHeader("Cache-Control", "no-store");
  reply.BeginObject();
  WriteMembers(reply, {{"accessToken", tokens.access_token},
                       {"idToken", tokens.id_token},
                       {"tokenType", "Bearer"}});
  reply.Key("expiresIn");
  reply.Integer(kAccessTokenSeconds);
  reply.EndObject();
}

Status SignUp(Call& call, json::Writer& reply) {
  const design::TypedItem account =
      TRY(AccountsOf(call).SignUp({.email = Field(call, "email"),
                                   .password = Field(call, "password"),
                                   .name = Field(call, "name")}));
  call.SetStatus(201);
  call.AddHeader("Location", fmt::format("{}/me", kMount));
  reply.BeginObject();
  WriteMembers(reply, {{"sub", TextOf(account.record, "sub")},
                       {"status", TextOf(account.record, "status")}});
  reply.EndObject();
  return Ok();
}

Status Confirm(Call& call, json::Writer& /*reply*/) {
  const Accounts::Claim claim = ClaimOf(call);
  TRY(Timed(call, claim, AccountsOf(call).Confirm({.claim = claim, .code = Field(call, "code")})));
  return ReplyNothing(call);
}

Status ResendCode(Call& call, json::Writer& /*reply*/) {
  TRY(AccountsOf(call).ResendCode(Field(call, "email")));
  return ReplyNothing(call);
}

Status LogIn(Call& call, json::Writer& reply) {
  const Accounts::Claim claim = ClaimOf(call);
  const Tokens tokens = TRY(Timed(
      call, claim, AccountsOf(call).LogIn({.claim = claim, .password = Field(call, "password")})));
  ReplyTokens(call, tokens, reply);
  return Ok();
}

Status Refresh(Call& call, json::Writer& reply) {
  const auto tokens = AccountsOf(call).Refresh(RefreshTokenOf(call));
  if (!tokens.ok()) {
    if (ToProblem(tokens.error()).kind->status == 401) DropCookie(call);
    return tokens.error();
  }
  ReplyTokens(call, *tokens, reply);
  return Ok();
}

Status LogOut(Call& call, json::Writer& /*reply*/) {
  TRY(AccountsOf(call).LogOut(RefreshTokenOf(call)));
  DropCookie(call);
  return ReplyNothing(call);
}

Status Forgot(Call& call, json::Writer& /*reply*/) {
  TRY(AccountsOf(call).Forgot(Field(call, "email")));
  return ReplyNothing(call);
}

Status Reset(Call& call, json::Writer& /*reply*/) {
  const Accounts::Claim claim = ClaimOf(call);
  TRY(Timed(call, claim,
            AccountsOf(call).Reset({.claim = claim, .code = Field(call, "code")},
                                   Field(call, "newPassword"))));
  return ReplyNothing(call);
}

Status ChangePassword(Call& call, json::Writer& /*reply*/) {
  TRY(TimedOfPerson(call, AccountsOf(call).ChangePassword(
                              PersonOf(call), {.current = Field(call, "currentPassword"),
                                               .next = Field(call, "newPassword"),
                                               .refresh_token = RefreshTokenOf(call)})));
  return ReplyNothing(call);
}

Status ChangeEmail(Call& call, json::Writer& /*reply*/) {
  TRY(TimedOfPerson(
      call, AccountsOf(call).ChangeEmail(PersonOf(call), {.password = Field(call, "password"),
                                                          .new_email = Field(call, "newEmail")})));
  return ReplyNothing(call);
}

Status ConfirmEmail(Call& call, json::Writer& reply) {
  const design::TypedItem account =
      TRY(TimedOfPerson(call, AccountsOf(call).ConfirmEmail(PersonOf(call), Field(call, "code"))));
  return ReplyItem(call, account, reply);
}

Status GetMe(Call& call, json::Writer& reply) {
  return ReplyItem(call, TRY(AccountsOf(call).Get(call.sub())), reply);
}

Status PatchMe(Call& call, json::Writer& reply) {
  const design::Changes changes = TRY(ItemChanges(call, "Account"));
  const design::TypedItem account =
      TRY(UpdateItem(call, "Account", TextRecord({{"sub", call.sub()}}), changes));
  return ReplyItem(call, account, reply);
}

// What apps know of somebody goes first, as a job; the account goes last, and until then nobody can
// use it.
Status DeleteMe(Call& call, json::Writer& /*reply*/) {
  DropCookie(call);
  Jobs* const jobs = call.shared().jobs;
  if (jobs == nullptr) {
    TRY(AccountsOf(call).Delete(call.sub()));
    return ReplyNothing(call);
  }
  const std::string job_id =
      TRY(jobs->Start({.app = call.app().name, .kind = kEraseJob, .sub = call.sub()}));
  const auto disabled = AccountsOf(call).Disable(call.sub());
  // The job may have removed the account already.
  if (!disabled.ok() && disabled.error().code() != ErrorCode::kResourceNotFound) {
    return disabled.error();
  }
  call.SetStatus(202);
  call.AddHeader("Location", fmt::format("{}/jobs/{}", MountPath(call.app()), job_id));
  return Ok();
}

// Nobody can sign in as its owner any more, so its id is enough. It goes with the account.
Status ShowErasure(Call& call, json::Writer& reply) {
  return ShowJobOfKind(call, kEraseJob, reply);
}

Status ListUsers(Call& call, json::Writer& reply) {
  const std::string email = TextOf(call.arguments(), "email");
  if (email.empty()) {
    return ReplyList(call, "accountsByStatus",
                     TextRecord({{"status", TextOf(call.arguments(), "status")}}),
                     {.is_descending = true}, reply);
  }
  const auto account = TRY(AccountsOf(call).FindByEmail(email));
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  if (account) WriteItem(call, *account, reply);
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

// What the caller does to the account of the path is written down with it.
Result<design::WriteOptions> Audited(const Call& call, std::string_view action,
                                     std::span<const std::string> groups = {}) {
  TRY(AccountsOf(call).Get(call.PathValue("sub")));
  return WithAudit(
      call.runtime(),
      {.action = action, .actor = call.sub(), .target = call.PathValue("sub"), .groups = groups});
}

Status Approve(Call& call, json::Writer& reply) {
  const std::string& sub = call.PathValue("sub");
  const design::WriteOptions audit = TRY(Audited(call, "APPROVED"));
  return ReplyItem(call, TRY(AccountsOf(call).Approve(sub, audit)), reply);
}

// Somebody must be left who can undo it.
Status RefuseOwn(const Call& call) {
  if (call.PathValue("sub") != call.sub()) return Ok();
  return ProblemError("conflict", "another administrator must do this");
}

Status Disable(Call& call, json::Writer& reply) {
  TRY(RefuseOwn(call));
  const std::string& sub = call.PathValue("sub");
  const design::WriteOptions audit = TRY(Audited(call, "DISABLED"));
  return ReplyItem(call, TRY(AccountsOf(call).Disable(sub, audit)), reply);
}

Status SetGroups(Call& call, json::Writer& reply) {
  const std::vector<std::string> groups = TextsOf(call.fields(), "groups");
  if (std::ranges::find(groups, kAdmins) == groups.end()) TRY(RefuseOwn(call));
  const std::string& sub = call.PathValue("sub");
  const design::WriteOptions audit = TRY(Audited(call, "GROUPS_SET", groups));
  return ReplyItem(call, TRY(AccountsOf(call).SetGroups(sub, groups, audit)), reply);
}

Status GetKeys(Call& call, json::Writer& reply) {
  call.AddHeader("Cache-Control", "public, max-age=3600");
  reply.Raw(AccountsOf(call).PublicKeys());
  return Ok();
}

void WriteTexts(json::Writer& reply, std::string_view name,
                std::initializer_list<std::string_view> texts) {
  reply.Key(name);
  reply.BeginArray();
  for (const std::string_view it : texts)
    reply.String(it);
  reply.EndArray();
}

Status GetConfiguration(Call& call, json::Writer& reply) {
  const std::string& issuer = AccountsOf(call).issuer();
  call.AddHeader("Cache-Control", "public, max-age=3600");
  reply.BeginObject();
  WriteMembers(reply, {{"issuer", issuer},
                       {"jwks_uri", issuer + "/.well-known/jwks.json"},
                       {"token_endpoint", issuer + "/login"}});
  WriteTexts(reply, "id_token_signing_alg_values_supported", {"RS256"});
  WriteTexts(reply, "response_types_supported", {"token"});
  WriteTexts(reply, "subject_types_supported", {"public"});
  WriteTexts(reply, "claims_supported",
             {"sub", "email", "email_verified", "name", "cognito:groups", "cognito:username"});
  reply.EndObject();
  return Ok();
}

constexpr Route kRoutes[] = {
    {.method = "POST",
     .path = "/signup",
     .access = Access::kPublic,
     .handle = SignUp,
     .summary = "Makes an account",
     .body = "email : email; password : string(10..128); name : string(1..100)"},
    {.method = "POST",
     .path = "/confirm",
     .access = Access::kPublic,
     .handle = Confirm,
     .summary = "Confirms an e-mail address with the code that was sent there",
     .body = "email : email; code : string(1..20)"},
    {.method = "POST",
     .path = "/resend-code",
     .access = Access::kPublic,
     .handle = ResendCode,
     .summary = "Sends another code",
     .body = "email : email"},
    {.method = "POST",
     .path = "/login",
     .access = Access::kPublic,
     .handle = LogIn,
     .summary = "Signs in",
     .body = "email : string(1..300); password : string(1..1000)"},
    {.method = "POST",
     .path = "/refresh",
     .access = Access::kPublic,
     .handle = Refresh,
     .summary = "Gives new tokens to whom the refresh cookie belongs"},
    {.method = "POST",
     .path = "/logout",
     .access = Access::kPublic,
     .handle = LogOut,
     .summary = "Ends the session of the refresh cookie"},
    {.method = "POST",
     .path = "/forgot",
     .access = Access::kPublic,
     .handle = Forgot,
     .summary = "Sends a code for a new password",
     .body = "email : email"},
    {.method = "POST",
     .path = "/reset",
     .access = Access::kPublic,
     .handle = Reset,
     .summary = "Sets a new password with the code that was sent",
     .body = "email : email; code : string(1..20); newPassword : string(10..128)"},
    {.method = "POST",
     .path = "/change-password",
     .handle = ChangePassword,
     .summary = "Changes the caller's password and ends all other sessions",
     .body = "currentPassword : string(1..1000); newPassword : string(10..128)"},
    {.method = "POST",
     .path = "/change-email",
     .handle = ChangeEmail,
     .summary = "Sends a code to a new e-mail address of the caller",
     .body = "newEmail : email; password : string(1..1000)"},
    {.method = "POST",
     .path = "/change-email/confirm",
     .handle = ConfirmEmail,
     .summary = "Changes the caller's e-mail address with the code that was sent there",
     .body = "code : string(1..20)",
     .shows = "Account"},
    {.method = "GET",
     .path = "/me",
     .handle = GetMe,
     .summary = "The caller's account",
     .shows = "Account"},
    {.method = "PATCH",
     .path = "/me",
     .handle = PatchMe,
     .summary = "Changes the caller's name",
     .shows = "Account"},
    {.method = "DELETE",
     .path = "/me",
     .handle = DeleteMe,
     .summary = "Deletes the caller's account"},
    {.method = "GET",
     .path = "/jobs/{jobId}",
     .access = Access::kPublic,
     .handle = ShowErasure,
     .summary = "How far the job is that deletes an account"},
    {.method = "GET",
     .path = "/users",
     .access = Access::kAdmin,
     .handle = ListUsers,
     .summary = "Accounts of a status, the newest first, or the one with an e-mail address",
     .query = "status : enum(\"UNCONFIRMED\", \"PENDING_APPROVAL\", \"CONFIRMED\", \"DISABLED\") = "
              "\"CONFIRMED\"; email : string(1..300)?",
     .is_list = true,
     .shows = "Account"},
    {.method = "POST",
     .path = "/users/{sub}/approve",
     .access = Access::kAdmin,
     .handle = Approve,
     .summary = "Lets an account sign in, also one that was disabled",
     .shows = "Account"},
    {.method = "POST",
     .path = "/users/{sub}/disable",
     .access = Access::kAdmin,
     .handle = Disable,
     .summary = "Ends all sessions of an account and lets it sign in no more",
     .shows = "Account"},
    {.method = "POST",
     .path = "/users/{sub}/groups",
     .access = Access::kAdmin,
     .handle = SetGroups,
     .summary = "Sets the groups of an account",
     .body = "groups : list<string(1..128)>(0..20)",
     .shows = "Account"},
    {.method = "GET",
     .path = "/.well-known/jwks.json",
     .access = Access::kPublic,
     .handle = GetKeys,
     .summary = "The public keys that tokens are signed with"},
    {.method = "GET",
     .path = "/.well-known/openid-configuration",
     .access = Access::kPublic,
     .handle = GetConfiguration,
     .summary = "Where what is, for programs that verify tokens"},
};

constexpr ItemView kViews[] = {
    {.entity = "Account",
     .hidden = "passwordHash",
     .read_only = "sub email emailVerified status groups createdAt updatedAt"},
};

}  // namespace

constinit const App kAuthApp = {
    .name = "auth", .title = "Accounts", .routes = kRoutes, .mount = kMount, .views = kViews};

}  // namespace trestle::platform::identity
