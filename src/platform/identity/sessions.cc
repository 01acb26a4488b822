#include "platform/identity/sessions.h"

#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform::identity {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kTokenBytesMax = 400;
constexpr int kAttemptsMax = 20;

std::string HashOf(std::string_view secret) { return HexEncode(AsBytes(Sha256(secret))); }

std::string TimeText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

std::int64_t TimeOf(const design::Record& record, std::string_view name) {
  return design::ParseTimestamp(TextOf(record, name)).value_or(0);
}

// The time to live is kept in seconds.
std::int64_t EndOf(const design::Record& record) {
  return IntegerOf(record, "expiresAt").value_or(0) * 1000;
}

Error NotValid() { return ProblemError("unauthenticated", "sign in again"); }

bool IsLost(const Error& error) {
  return error.code() == ErrorCode::kConditionalCheckFailed ||
         error.code() == ErrorCode::kResourceNotFound ||
         error.code() == ErrorCode::kTransactionConflict;
}

design::Record IdentityOf(const design::Record& session) {
  return TextRecord({{"sub", TextOf(session, "sub")}, {"familyId", TextOf(session, "familyId")}});
}

Sessions::Session SessionOf(const design::Record& session) {
  return {.sub = TextOf(session, "sub"),
          .family = TextOf(session, "familyId"),
          .started_unix_ms = TimeOf(session, "createdAt"),
          .ends_unix_ms = EndOf(session)};
}

std::string TokenText(const Sessions::Session& session, std::string_view secret) {
  return fmt::format("{}.{}.{}", session.sub, session.family, Base64UrlEncode(secret));
}

}  // namespace

Sessions::Sessions(design::Runtime& runtime, const Clock& clock, std::string_view secret)
    : runtime_(runtime),
      clock_(clock),
      entity_(*runtime.model().FindEntity("Session")),
      successors_(secret) {}

std::optional<Sessions::Parts> Sessions::Parse(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (token.size() > kTokenBytesMax || first == last || first == 0 || last == first + 1 ||
      token.find_first_of("#\\", 0) != std::string_view::npos) {
    return std::nullopt;
  }
  auto secret = Base64UrlDecode(token.substr(last + 1));
  if (!secret || secret->size() != kSecretBytes) return std::nullopt;
  const std::string hash = HashOf(*secret);
  return Parts{.sub = std::string(token.substr(0, first)),
               .family = std::string(token.substr(first + 1, last - first - 1)),
               .secret = *std::move(secret),
               .hash = hash};
}

std::string Sessions::Successor(const Parts& parts) const {
  return std::string(
      AsBytes(successors_.Sign(fmt::format("refresh {} {}", parts.family, parts.secret))));
}

Result<std::optional<design::TypedItem>> Sessions::Find(const Parts& parts) {
  auto found = runtime_.Get(entity_, TextRecord({{"sub", parts.sub}, {"familyId", parts.family}}));
  // What no id can be is not there.
  if (!found.ok() && found.error().code() == ErrorCode::kValidation) {
    return std::optional<design::TypedItem>();
  }
  if (found.ok() && *found && EndOf((*found)->record) <= clock_.NowUnixMs()) {
    return std::optional<design::TypedItem>();
  }
  return found;
}

Result<Sessions::Session> Sessions::Start(const std::string& sub) {
  const std::string secret = SecureRandomBytes(kSecretBytes);
  const std::int64_t now_unix_ms = clock_.NowUnixMs();
  const std::int64_t ends_unix_ms = now_unix_ms + kSessionLifetimeMs;
  const design::TypedItem item =
      TRY(runtime_.Create(entity_, TextRecord({{"sub", sub},
                                               {"currentHash", HashOf(secret)},
                                               {"expiresAt", TimeText(ends_unix_ms)}})));
  Session session{.sub = sub,
                  .family = TextOf(item.record, "familyId"),
                  .started_unix_ms = now_unix_ms,
                  .ends_unix_ms = ends_unix_ms};
  session.token = TokenText(session, secret);
  return session;
}

Result<std::optional<Sessions::Session>> Sessions::Replace(const Parts& parts,
                                                           const design::TypedItem& item) {
  const std::string secret = Successor(parts);
  design::Changes changes;
  SetText(changes, "currentHash", HashOf(secret));
  SetText(changes, "previousHash", parts.hash);
  const auto updated = runtime_.Update(entity_, IdentityOf(item.record), changes,
                                       {.expected_version = item.version});
  if (!updated.ok() && IsLost(updated.error())) return std::optional<Session>();
  if (!updated.ok()) return updated.error();
  Session session = SessionOf(item.record);
  session.token = TokenText(session, secret);
  return std::optional(std::move(session));
}

Result<Sessions::Session> Sessions::Continue(std::string_view token) {
  const auto parts = Parse(token);
  if (!parts) return NotValid();
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const auto item = TRY(Find(*parts));
    if (!item) return NotValid();
    const design::Record& session = item->record;
    if (ConstantTimeEqual(TextOf(session, "currentHash"), parts->hash)) {
      auto replaced = TRY(Replace(*parts, *item));
      if (replaced) return *std::move(replaced);
      continue;
    }
    const bool was_valid = ConstantTimeEqual(TextOf(session, "previousHash"), parts->hash);
    if (was_valid && clock_.NowUnixMs() - TimeOf(session, "lastUsedAt") <= kRefreshGraceMs) {
      Session again = SessionOf(session);
      const std::string secret = Successor(*parts);
      if (HashOf(secret) == TextOf(session, "currentHash")) again.token = TokenText(again, secret);
      return again;
    }
    log::Warn("a refresh token was used again; its family has ended", {{"sub", parts->sub}});
    TRY(Delete(IdentityOf(session)));
    return NotValid();
  }
  return Error(ErrorCode::kUnavailable, "too many refreshes at once; try again");
}

Status Sessions::Delete(const design::Record& identity) {
  const auto deleted = runtime_.Delete(entity_, identity);
  if (deleted.ok() || deleted.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return deleted.error();
}

Result<std::string> Sessions::FamilyOf(std::string_view token, std::string_view sub) {
  const auto parts = Parse(token);
  if (!parts || parts->sub != sub) return std::string();
  const auto item = TRY(Find(*parts));
  const bool is_valid =
      item && (ConstantTimeEqual(TextOf(item->record, "currentHash"), parts->hash) ||
               ConstantTimeEqual(TextOf(item->record, "previousHash"), parts->hash));
  return is_valid ? parts->family : std::string();
}

Status Sessions::End(std::string_view token) {
  const auto parts = Parse(token);
  if (!parts) return Ok();
  const std::string family = TRY(FamilyOf(token, parts->sub));
  if (family.empty()) return Ok();
  return Delete(TextRecord({{"sub", parts->sub}, {"familyId", family}}));
}

Status Sessions::EndAll(const std::string& sub, const EndOptions& options) {
  for (const design::TypedItem& item :
       TRY(RunWhole(runtime_, "sessionsOfAccount", TextRecord({{"sub", sub}})))) {
    if (TextOf(item.record, "familyId") == options.except_family) continue;
    TRY(Delete(IdentityOf(item.record)));
  }
  return Ok();
}

}  // namespace trestle::platform::identity
