#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "platform/call.h"
#include "platform/identity/claims.h"
#include "platform/identity/key_set.h"

namespace trestle::platform::identity {

inline constexpr std::int64_t kTokenLeewaySeconds = 60;

// Somebody whose tokens are believed: the local pool, or a pool of Cognito's kind elsewhere.
struct Issuer {
  std::string name;                     // `iss`, compared byte by byte
  std::vector<std::string> client_ids;  // whom its tokens may be for
  KeySource* keys = nullptr;            // outlives the verifier
  // Whether an account may still use the tokens that it has; without it, all may.
  std::function<Result<bool>(std::string_view sub)> is_active = {};
  // Its tokens may also name another address with the same path: it had that one before. Only for
  // an issuer whose keys are nobody else's.
  bool has_moved = false;
};

// Decides whom a token speaks for. Safe from many threads; may wait for an issuer's keys and for
// the database, so it is not for event loops.
//
// What it found out about a token it remembers until the token ends. Times, the key and the account
// are asked for every time: what was good a moment ago may have been taken back.
class Verifier {
 public:
  struct Options {
    std::size_t remembered_max = 10'000;
  };
  Verifier(std::vector<Issuer> issuers, const Clock& clock)
      : Verifier(std::move(issuers), clock, Options{}) {}
  // The clock must outlive it.
  Verifier(std::vector<Issuer> issuers, const Clock& clock, Options options);

  // The problem `token-expired` when that alone is wrong, else `unauthenticated`; neither says
  // more. Or kUnavailable, when the account could not be asked for.
  [[nodiscard]] Result<Principal> Verify(std::string_view token, TokenUse use) EXCLUDES(mutex_);

  // The same with the true reason, for logs and tests.
  [[nodiscard]] Result<Principal> Judge(std::string_view token, TokenUse use) EXCLUDES(mutex_);

  // How many tokens are remembered.
  [[nodiscard]] std::size_t remembered() const EXCLUDES(mutex_);

 private:
  // A token whose signature was right.
  struct Signed {
    const Issuer* issuer;
    std::string key_id;
    std::shared_ptr<const RsaPublicKey> key;
    Claims claims;
  };
  using SignedToken = std::shared_ptr<const Signed>;

  [[nodiscard]] const Issuer* FindIssuer(std::string_view name) const;
  [[nodiscard]] Result<SignedToken> CheckSignature(std::string_view token) const;
  [[nodiscard]] Status CheckNow(const Signed& token, TokenUse use) const;
  [[nodiscard]] SignedToken Recall(const std::string& digest) const EXCLUDES(mutex_);
  void Remember(const std::string& digest, SignedToken token) EXCLUDES(mutex_);

  const std::vector<Issuer> issuers_;
  const Clock& clock_;
  const Options options_;

  mutable Mutex mutex_;
  std::unordered_map<std::string, SignedToken> remembered_ GUARDED_BY(mutex_);  // by SHA-256
};

}  // namespace trestle::platform::identity
