#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rsa.h"

namespace trestle::platform::identity {

// The public keys that an issuer's tokens are verified with, by id.
struct NamedKey {
  std::string id;
  std::shared_ptr<const RsaPublicKey> key;
};
using KeySet = std::vector<NamedKey>;

inline constexpr std::size_t kKeySetBytesMax = 256 * 1024;

// Reads a JSON Web Key Set (RFC 7517). Keys that are not for RS256 signatures are left out; so is a
// second key of one id. kSerialization when it is none, or no key is left.
[[nodiscard]] Result<KeySet> ParseKeySet(std::string_view text);
// And writes one.
[[nodiscard]] std::string KeySetText(const KeySet& keys);

// RFC 7638: an id that follows from the key.
[[nodiscard]] std::string KeyIdOf(const RsaPublicKey& key);

// Null when there is none.
[[nodiscard]] std::shared_ptr<const RsaPublicKey> FindKey(const KeySet& keys, std::string_view id);

// Where the keys of one issuer are. Safe from many threads; may wait for the issuer, so it is not
// for event loops.
class KeySource {
 public:
  virtual ~KeySource() = default;
  // Null when the issuer has no such key now. As long as it has it, it is the same pointer.
  [[nodiscard]] virtual std::shared_ptr<const RsaPublicKey> Find(std::string_view id) = 0;
};

}  // namespace trestle::platform::identity
