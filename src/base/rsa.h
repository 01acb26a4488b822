#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Signatures with RSA keys: PKCS #1 version 1.5 over SHA-256, which tokens call RS256. OpenSSL
// stays behind it.

struct evp_pkey_st;

namespace trestle {

inline constexpr int kRsaBitsMin = 2048;
inline constexpr int kRsaBitsMax = 8192;

// The two numbers of a public key, big-endian and without leading zeros.
struct RsaNumbers {
  std::string modulus;
  std::string exponent;

  friend bool operator==(const RsaNumbers&, const RsaNumbers&) = default;
};

// Copies share the key. Safe from many threads.
class RsaPublicKey {
 public:
  // Nothing when the numbers are no key of kRsaBitsMin to kRsaBitsMax bits, or the exponent is
  // even, less than 3 or longer than 64 bits.
  [[nodiscard]] static std::optional<RsaPublicKey> From(const RsaNumbers& numbers);

  [[nodiscard]] bool Verify(std::string_view message, std::string_view signature) const;
  [[nodiscard]] const RsaNumbers& numbers() const { return numbers_; }
  // "-----BEGIN PUBLIC KEY-----" and so on.
  [[nodiscard]] std::string ToPem() const;

 private:
  friend class RsaPrivateKey;
  RsaPublicKey(std::shared_ptr<evp_pkey_st> key, RsaNumbers numbers)
      : key_(std::move(key)), numbers_(std::move(numbers)) {}

  std::shared_ptr<evp_pkey_st> key_;
  RsaNumbers numbers_;
};

// Copies share the key. Safe from many threads.
class RsaPrivateKey {
 public:
  // A new one of kRsaBitsMin bits. It takes a tenth of a second or more.
  [[nodiscard]] static RsaPrivateKey Generate();
  // Nothing when it is not a private RSA key of the right size, or needs a password.
  [[nodiscard]] static std::optional<RsaPrivateKey> FromPem(std::string_view pem);

  [[nodiscard]] std::string Sign(std::string_view message) const;
  [[nodiscard]] const RsaPublicKey& public_key() const { return public_key_; }
  // PKCS #8, not encrypted.
  [[nodiscard]] std::string ToPem() const;

 private:
  explicit RsaPrivateKey(RsaPublicKey key) : public_key_(std::move(key)) {}

  RsaPublicKey public_key_;  // OpenSSL keeps both halves in one object
};

}  // namespace trestle
