// What people, and administrators, change in accounts.

#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "platform/identity/accounts.h"
#include "platform/identity/accounts_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform::identity {
namespace {

Mail CodeMail(CodePurpose purpose, const std::string& to, const std::string& code) {
  const auto text = [&](std::string_view reason) {
    return fmt::format(
        "{}\n\n    {}\n\nIt is good for 15 minutes. If you did not ask for it, ignore "
        "this mail.\n",
        reason, code);
  };
  switch (purpose) {
    case CodePurpose::kConfirm:
      return {.to = to,
              .subject = fmt::format("{} is your code", code),
              .text = text("Enter this code to confirm your e-mail address:")};
    case CodePurpose::kReset:
      return {.to = to,
              .subject = fmt::format("{} is your code", code),
              .text = text("Enter this code to choose a new password:")};
    case CodePurpose::kEmail:
      return {.to = to,
              .subject = fmt::format("{} is your code", code),
              .text = text("Enter this code to use this e-mail address from now on:")};
  }
  UNREACHABLE("a purpose that is not in the enum");
}

}  // namespace

// Neither whether there was a code nor whether it was sent may be seen from outside.
void Accounts::SendCode(const Codes::Request& request, const std::string& email) {
  const auto code = codes_.Make(request);
  if (code.ok() && !*code) return;
  const Status sent =
      code.ok() ? options_.mail->Send(CodeMail(request.purpose, email, **code)) : code.error();
  if (!sent.ok()) log::Error("a code was not sent", {{"reason", sent.error().message()}});
}

Result<design::TypedItem> Accounts::Update(const std::string& sub, const design::Changes& changes,
                                           const design::WriteOptions& options) {
  auto updated = runtime_.Update(entity_, TextRecord({{"sub", sub}}), changes, options);
  ForgetActivity(sub);
  if (!updated.ok() && updated.error().code() == ErrorCode::kValidation) return NotFound("account");
  return updated;
}

Status Accounts::Confirm(const CodeClaim& claim) {
  TRY(BeginCode(claim.claim));
  const auto account = TRY(FindByEmail(claim.claim.email));
  if (!account) return WrongCode();
  const std::string sub = TextOf(account->record, "sub");
  TRY(codes_.Take({.sub = sub, .purpose = CodePurpose::kConfirm}, claim.code));
  EndAttempt(claim.claim);
  by_code_.Forget(NormalEmail(claim.claim.email));

  design::Changes changes;
  SetBool(changes, "emailVerified", true);
  if (TextOf(account->record, "status") == kUnconfirmed) SetText(changes, "status", kConfirmed);
  TRY(Update(sub, changes));
  return Ok();
}

Status Accounts::ResendCode(std::string_view email) {
  const auto account = TRY(FindByEmail(email));
  if (account && TextOf(account->record, "status") == kUnconfirmed) {
    SendCode({.sub = TextOf(account->record, "sub"), .purpose = CodePurpose::kConfirm},
             TextOf(account->record, "email"));
  }
  return Ok();
}

Status Accounts::Forgot(std::string_view email) {
  const auto account = TRY(FindByEmail(email));
  if (account && TextOf(account->record, "status") != kDisabled) {
    SendCode({.sub = TextOf(account->record, "sub"), .purpose = CodePurpose::kReset},
             TextOf(account->record, "email"));
  }
  return Ok();
}

Status Accounts::Reset(const CodeClaim& claim, std::string_view new_password) {
  TRY(CheckNewPassword({.password = new_password, .email = claim.claim.email}, "newPassword"));
  TRY(BeginCode(claim.claim));
  const auto account = TRY(FindByEmail(claim.claim.email));
  if (!account) return WrongCode();
  const std::string sub = TextOf(account->record, "sub");
  TRY(codes_.Take({.sub = sub, .purpose = CodePurpose::kReset}, claim.code));
  EndAttempt(claim.claim);
  by_code_.Forget(NormalEmail(claim.claim.email));

  design::Changes changes;
  SetText(changes, "passwordHash", TRY(hasher_.Hash(new_password)));
  SetBool(changes, "emailVerified", true);
  if (TextOf(account->record, "status") == kUnconfirmed) SetText(changes, "status", kConfirmed);
  TRY(Update(sub, changes));
  return sessions_.EndAll(sub, {.except_family = {}});
}

Result<design::TypedItem> Accounts::CheckOwnPassword(const Person& person,
                                                     const std::string& password) {
  const design::TypedItem account = TRY(Get(person.sub));
  auto checked =
      CheckPassword({.claim = {.email = TextOf(account.record, "email"), .address = person.address},
                     .password = password});
  if (checked.ok() || ToProblem(checked.error()).kind->code != "unauthenticated") return checked;
  return ProblemError("forbidden", "the password is wrong");
}

Status Accounts::ChangePassword(const Person& person, const PasswordChange& change) {
  const design::TypedItem account = TRY(CheckOwnPassword(person, change.current));
  TRY(CheckNewPassword({.password = change.next, .email = TextOf(account.record, "email")},
                       "newPassword"));
  design::Changes changes;
  SetText(changes, "passwordHash", TRY(hasher_.Hash(change.next)));
  TRY(Update(person.sub, changes));
  const std::string family = TRY(sessions_.FamilyOf(change.refresh_token, person.sub));
  return sessions_.EndAll(person.sub, {.except_family = family});
}

Status Accounts::ChangeEmail(const Person& person, const EmailChange& change) {
  TRY(CheckOwnPassword(person, change.password));
  // Whether the address is taken is told to who can read its mails.
  const std::string email = NormalEmail(change.new_email);
  SendCode({.sub = person.sub, .purpose = CodePurpose::kEmail, .new_email = email}, email);
  return Ok();
}

Result<design::TypedItem> Accounts::ConfirmEmail(const Person& person, std::string_view code) {
  const design::TypedItem account = TRY(Get(person.sub));
  const Claim claim{.email = TextOf(account.record, "email"), .address = person.address};
  TRY(BeginCode(claim));
  const Codes::Request request{.sub = person.sub, .purpose = CodePurpose::kEmail};
  auto checked = codes_.Check(request, code);
  // A right one that was used before is no guess.
  const ErrorDetails* const details = checked.ok() ? nullptr : checked.error().details();
  if (checked.ok() || (details != nullptr && details->name == "conflict")) {
    EndAttempt(claim);
    by_code_.Forget(claim.email);
  }
  Codes::Right right = TRY(std::move(checked));

  // The code is used when the address comes: of two that confirm at once one does it, and a server
  // that ends in between has done neither.
  design::Changes changes;
  SetText(changes, "email", right.new_email);
  SetBool(changes, "emailVerified", true);
  design::WriteOptions options;
  options.together_with.push_back(std::move(right.use_up));
  auto updated = Update(person.sub, changes, options);
  if (updated.ok() || updated.error().code() != ErrorCode::kConditionalCheckFailed) return updated;
  if (TRY(codes_.IsUsed(request))) {
    return ProblemError("conflict", "the address has been confirmed by another request");
  }
  return ProblemError("email-taken", "there is an account with this e-mail address");
}

Status Accounts::Delete(const std::string& sub) {
  const auto deleted = runtime_.Delete(entity_, TextRecord({{"sub", sub}}));
  ForgetActivity(sub);
  if (!deleted.ok()) return deleted.error();
  return Ok();
}

Result<design::TypedItem> Accounts::Approve(const std::string& sub,
                                            const design::WriteOptions& options) {
  design::Changes changes;
  SetText(changes, "status", kConfirmed);
  return Update(sub, changes, options);
}

Result<design::TypedItem> Accounts::Disable(const std::string& sub,
                                            const design::WriteOptions& options) {
  design::Changes changes;
  SetText(changes, "status", kDisabled);
  design::TypedItem account = TRY(Update(sub, changes, options));
  TRY(sessions_.EndAll(sub, {.except_family = {}}));
  return account;
}

Result<design::TypedItem> Accounts::SetGroups(const std::string& sub,
                                              const std::vector<std::string>& groups,
                                              const design::WriteOptions& options) {
  design::Record record;
  SetTexts(record, "groups", groups);
  design::Changes changes;
  changes.set.push_back({.path = {.position = {}, .parts = {"groups"}},
                         .value = std::string(record.Find("groups")->bytes())});
  return Update(sub, changes, options);
}

}  // namespace trestle::platform::identity
