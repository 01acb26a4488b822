#include "platform/identity/codes.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"
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
      TextOf(last->record, "newEmail") == request.new_email) {
    return std::optional<std::string>();
  }
  std::string code = NewCode();
  design::Record record = IdentityOf(request);
  record.SetText("codeHash", HashOf(request, code));
  record.SetText("expiresAt", design::TimestampText(now_unix_ms + kCodeLifetimeMs,
                                                    design::syntax::Precision::kMilliseconds));
  SetInteger(record, "tries", 0);
  if (!request.new_email.empty()) record.SetText("newEmail", request.new_email);
  TRY(runtime_.Upsert(entity_, record));
  return std::optional(std::move(code));
}

Result<Codes::Taken> Codes::Take(const Request& request, std::string_view code) {
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
    if (!updated.ok()) return updated.error();
    if (!ConstantTimeEqual(TextOf(item->record, "codeHash"), HashOf(request, code))) {
      return WrongCode();
    }
    const auto deleted = runtime_.Delete(entity_, identity);
    if (!deleted.ok()) {
      const bool is_gone = deleted.error().code() == ErrorCode::kResourceNotFound;
      return is_gone ? WrongCode() : deleted.error();
    }
    return Taken{.new_email = TextOf(item->record, "newEmail")};
  }
  return Error(ErrorCode::kUnavailable, "too many tries at once; try again");
}

}  // namespace trestle::platform::identity
