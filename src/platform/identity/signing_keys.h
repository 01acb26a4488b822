#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/rsa.h"
#include "platform/identity/key_set.h"

namespace trestle::platform::identity {

inline constexpr std::int64_t kSigningKeyLifetimeMs = 90LL * 24 * 60 * 60 * 1000;

// Where a secret text is kept. Without functions it lives as long as the process.
struct SecretPlace {
  std::function<Result<std::string>()> read;  // empty: there is none yet
  std::function<Status(std::string_view text)> write;
};

// The keys of the local pool: the newer one signs, both verify. With the next one the older is
// forgotten, and with it the tokens that it signed: they live for an hour, keys for 90 days.
//
//   text := {"keys": [{"createdUnixMs": …, "pem": "…"}, …]}     the newest first
//
// Safe from many threads.
class SigningKeys final : public KeySource {
 public:
  // Makes what is missing, and a new key when the newest is too old. The clock must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<SigningKeys>> Open(SecretPlace place,
                                                                 const Clock& clock);

  [[nodiscard]] std::shared_ptr<const RsaPublicKey> Find(std::string_view id) override
      EXCLUDES(mutex_);
  [[nodiscard]] std::string Sign(std::string_view claims) const EXCLUDES(mutex_);
  // The public halves, for others who verify.
  [[nodiscard]] std::string PublicText() const EXCLUDES(mutex_);

  // From now on a new key signs.
  [[nodiscard]] Status Rotate() EXCLUDES(mutex_);

 private:
  struct Key {
    std::string id;
    std::int64_t created_unix_ms = 0;
    RsaPrivateKey key;
    std::shared_ptr<const RsaPublicKey> public_key;
  };

  SigningKeys(SecretPlace place, const Clock& clock) : place_(std::move(place)), clock_(clock) {}
  [[nodiscard]] static Key MakeKey(RsaPrivateKey key, std::int64_t created_unix_ms);
  [[nodiscard]] static Result<std::vector<Key>> Parse(std::string_view text);
  [[nodiscard]] static std::string Text(const std::vector<Key>& keys);

  const SecretPlace place_;
  const Clock& clock_;

  mutable Mutex mutex_;
  std::vector<Key> keys_ GUARDED_BY(mutex_);  // the newest first
};

}  // namespace trestle::platform::identity
