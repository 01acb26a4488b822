#include "platform/identity/codes.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"
#include "design/stored_item.h"
#include "design/time_text.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform::identity {
namespace {

constexpr std::uint32_t kCodeCount = 1'000'000;
constexpr int kAttemptsMax = 20;

std::string_view NameOf(CodePurpose purpose) {
  switch (purpose) {
    case CodePurpose::kConfirm:
      return "CONFIRM";
    case CodePurpose::kReset:
      return "RESET";
    case CodePurpose::kEmail:
      return "EMAIL";
  }
  UNREACHABLE("a purpose that is not in the enum");
}

// Each one as likely as any other.
std::string NewCode() {
  constexpr std::uint32_t kFair = 4'294'000'000;  // a multiple of kCodeCount
  for (;;) {
    const std::uint32_t drawn = ReadU32Be(SecureRandomBytes(4));
    if (drawn < kFair) return fmt::format("{:06}", drawn % kCodeCount);
  }
}

design::Record IdentityOf(const Codes::Request& request) {
  return TextRecord({{"sub", request.sub}, {"purpose", NameOf(request.purpose)}});
}

std::int64_t EndOf(const design::Record& code) {
  return IntegerOf(code, "expiresAt").value_or(0) * 1000;
}

Error UsedBefore() { return ProblemError("conflict", "the code has been used already"); }

}  // namespace

Error WrongCode() {
  return FieldError(
      {.field = "code", .message = "is wrong, or is no longer good", .code = "wrong-code"});
}

Codes::Codes(design::Runtime& runtime, const Clock& clock, std::string_view secret)
    : runtime_(runtime),
      clock_(clock),
      entity_(*runtime.model().FindEntity("Code")),
      key_(AsBytes(HmacSha256(secret).Sign("codes"))) {}

std::string Codes::HashOf(const Request& request, std::string_view code) const {
  const std::string text = fmt::format("{}\n{}\n{}", request.sub, NameOf(request.purpose), code);
  return HexEncode(AsBytes(key_.Sign(text)));
}

Result<std::optional<std::string>> Codes::Make(const Request& request) {
  const std::int64_t now_unix_ms = clock_.NowUnixMs();
  const auto last = TRY(runtime_.Get(entity_, IdentityOf(request)));
  if (last && EndOf(last->record) - kCodeLifetimeMs + kCodePauseMs > now_unix_ms &&
      TextOf(last->record, "newEmail") == request.new_email &&
      !BoolOf(last->record, "used").value_or(false)) {
    return std::optional<std::string>();
  }
  std::string code = NewCode();
  design::Record record = IdentityOf(request);
  record.SetText("codeHash", HashOf(request, code));
  record.SetText("expiresAt", design::TimestampText(now_unix_ms + kCodeLifetimeMs,
                                                    design::syntax::Precision::kMilliseconds));
  SetInteger(record, "tries", 0);
  SetBool(record, "used", false);
  if (!request.new_email.empty()) record.SetText("newEmail", request.new_email);
  TRY(runtime_.Upsert(entity_, record));
  return std::optional(std::move(code));
}

Result<Codes::Right> Codes::Check(const Request& request, std::string_view code) {
  const design::Record identity = IdentityOf(request);
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const auto item = TRY(runtime_.Get(entity_, identity));
    if (!item || EndOf(item->record) <= clock_.NowUnixMs()) return WrongCode();
    const std::int64_t tries = IntegerOf(item->record, "tries").value_or(kCodeTriesMax);
    if (tries >= kCodeTriesMax) return WrongCode();

    // The try is counted before it is judged: many at once are no more than many in turn.
    design::Changes counted;
    SetInteger(counted, "tries", tries + 1);
    const auto updated =
        runtime_.Update(entity_, identity, counted, {.expected_version = item->version});
    if (!updated.ok() && updated.error().code() == ErrorCode::kConditionalCheckFailed) continue;
    if (!updated.ok()) {
      const bool is_gone = updated.error().code() == ErrorCode::kResourceNotFound;
      return is_gone ? WrongCode() : updated.error();
    }
    const std::string hash = HashOf(request, code);
    if (!ConstantTimeEqual(TextOf(item->record, "codeHash"), hash)) return WrongCode();
    if (BoolOf(item->record, "used").value_or(false)) return UsedBefore();
    design::WriteItem use_up{
        .kind = design::ActionKind::kUpdate,
        .table = runtime_.table(),
        .item = TRY(design::KeyOf(runtime_.model(), entity_, identity)),
        .update = "SET #used = :yes",
        .condition = "#codeHash = :codeHash AND (attribute_not_exists(#used) OR #used = :no)"};
    use_up.expressions.names = {{"#codeHash", "codeHash"}, {"#used", "used"}};
    design::Record values;
    values.SetText(":codeHash", hash);
    SetBool(values, ":yes", true);
    SetBool(values, ":no", false);
    for (const auto& [alias, value] : values.attributes())
      use_up.expressions.values.emplace(alias, value);
    return Right{.new_email = TextOf(item->record, "newEmail"), .use_up = std::move(use_up)};
  }
  return Error(ErrorCode::kUnavailable, "too many tries at once; try again");
}

Status Codes::Take(const Request& request, std::string_view code) {
  TRY(Check(request, code));
  const auto deleted = runtime_.Delete(entity_, IdentityOf(request));
  if (deleted.ok()) return Ok();
  const bool is_gone = deleted.error().code() == ErrorCode::kResourceNotFound;
  return is_gone ? WrongCode() : deleted.error();
}

Result<bool> Codes::IsUsed(const Request& request) {
  const auto item = TRY(runtime_.Get(entity_, IdentityOf(request)));
  return !item || BoolOf(item->record, "used").value_or(false);
}

}  // namespace trestle::platform::identity
