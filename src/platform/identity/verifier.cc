#include "platform/identity/verifier.h"

#include <algorithm>
#include <utility>

#include "base/crypto.h"
#include "base/log.h"
#include "platform/identity/jwt.h"
#include "platform/problem.h"

namespace trestle::platform::identity {
namespace {

Error Refused(std::string reason) { return {ErrorCode::kAccessDenied, std::move(reason)}; }

std::int64_t Seconds(const Clock& clock) { return clock.NowUnixMs() / 1000; }

bool IsExpired(const Claims& claims, std::int64_t now_unix_s) {
  return now_unix_s > claims.expires_unix_s + kTokenLeewaySeconds;
}

// An address that nobody has verified is anybody's: it names no person.
Principal PrincipalOf(const Claims& claims) {
  return {.sub = claims.sub,
          .groups = claims.groups,
          .email = claims.is_email_verified ? claims.email : std::nullopt,
          .name = claims.name,
          .auth_time_unix_s = claims.authenticated_unix_s,
          .expires_unix_s = claims.expires_unix_s};
}

// "/auth/v1" of "http://127.0.0.1:8080/auth/v1"; empty: no address.
std::string_view PathOf(std::string_view address) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!address.starts_with(scheme)) continue;
    const std::size_t slash = address.find('/', scheme.size());
    return slash == std::string_view::npos ? std::string_view() : address.substr(slash);
  }
  return {};
}

}  // namespace

Verifier::Verifier(std::vector<Issuer> issuers, const Clock& clock, Options options)
    : issuers_(std::move(issuers)), clock_(clock), options_(options) {}

Result<Principal> Verifier::Verify(std::string_view token, TokenUse use) {
  Result<Principal> judged = Judge(token, use);
  if (judged.ok() || judged.error().code() == ErrorCode::kUnavailable) return judged;
  log::Info("a token was refused", {{"reason", judged.error().message()}});
  if (ToProblem(judged.error()).kind->code == "token-expired") return judged;
  return ProblemError("unauthenticated", "the token is not good here; sign in again");
}

Result<Principal> Verifier::Judge(std::string_view token, TokenUse use) {
  if (token.size() > kTokenBytesMax) return Refused("the token is too long");
  const std::string digest(AsBytes(Sha256(token)));
  SignedToken found = Recall(digest);
  const bool is_new = found == nullptr;
  if (is_new) found = TRY(CheckSignature(token));
  TRY(CheckNow(*found, use));
  if (is_new) Remember(digest, found);
  return PrincipalOf(found->claims);
}

const Issuer* Verifier::FindIssuer(std::string_view name) const {
  const auto exact = std::ranges::find(issuers_, name, &Issuer::name);
  if (exact != issuers_.end()) return &*exact;
  const std::string_view path = PathOf(name);
  const auto moved = std::ranges::find_if(issuers_, [&](const Issuer& it) {
    return it.has_moved && !path.empty() && PathOf(it.name) == path;
  });
  return moved == issuers_.end() ? nullptr : &*moved;
}

Result<Verifier::SignedToken> Verifier::CheckSignature(std::string_view token) const {
  const UnverifiedToken parsed = TRY(ParseToken(token));
  const std::string* name = FindString(parsed.claims, "iss");
  const Issuer* const issuer = name == nullptr ? nullptr : FindIssuer(*name);
  if (issuer == nullptr) return Refused("the issuer is unknown");
  auto key = issuer->keys->Find(parsed.key_id);
  if (key == nullptr) return Refused("the key is unknown");
  if (!key->Verify(parsed.signed_text, parsed.signature)) return Refused("the signature is wrong");

  Claims claims = TRY(ReadClaims(parsed.claims));
  if (std::ranges::find(issuer->client_ids, claims.client) == issuer->client_ids.end()) {
    return Refused("the token is for another client");
  }
  return std::make_shared<const Signed>(Signed{.issuer = issuer,
                                               .key_id = parsed.key_id,
                                               .key = std::move(key),
                                               .claims = std::move(claims)});
}

Status Verifier::CheckNow(const Signed& token, TokenUse use) const {
  const Claims& claims = token.claims;
  if (claims.use != use) return Refused("the token is for another use");
  const std::int64_t now_unix_s = Seconds(clock_);
  const std::int64_t latest_start = now_unix_s + kTokenLeewaySeconds;
  if (claims.issued_unix_s > latest_start || claims.authenticated_unix_s > latest_start ||
      claims.not_before_unix_s.value_or(0) > latest_start) {
    return Refused("the token is not good yet");
  }
  if (IsExpired(claims, now_unix_s)) {
    return ProblemError("token-expired", "the token has expired; get a new one");
  }
  if (token.issuer->keys->Find(token.key_id) != token.key) {
    return Refused("the key was taken back");
  }
  if (token.issuer->is_active && !TRY(token.issuer->is_active(claims.sub))) {
    return Refused("the account is not active");
  }
  return Ok();
}

Verifier::SignedToken Verifier::Recall(const std::string& digest) const {
  const MutexLock lock(mutex_);
  const auto found = remembered_.find(digest);
  return found == remembered_.end() ? nullptr : found->second;
}

void Verifier::Remember(const std::string& digest, SignedToken token) {
  const std::int64_t now_unix_s = Seconds(clock_);
  const MutexLock lock(mutex_);
  if (remembered_.size() >= options_.remembered_max) {
    std::erase_if(remembered_,
                  [&](const auto& entry) { return IsExpired(entry.second->claims, now_unix_s); });
    // Everybody signs in at once: who is forgotten costs one signature.
    if (remembered_.size() >= options_.remembered_max) remembered_.clear();
  }
  remembered_.emplace(digest, std::move(token));
}

std::size_t Verifier::remembered() const {
  const MutexLock lock(mutex_);
  return remembered_.size();
}

}  // namespace trestle::platform::identity
