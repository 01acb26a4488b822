#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Hashes, sealing, secret-safe comparison and text forms of bytes. OpenSSL and libdeflate stay
// behind it.

namespace trestle {

using Sha256Digest = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256Digest Sha256(std::string_view bytes);

// HMAC-SHA256 under one key. The two hash states that depend on the key alone are computed once,
// so that Sign costs two hash blocks more than hashing the message. Safe from many threads.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);

  [[nodiscard]] Sha256Digest Sign(std::string_view message) const;

 private:
  using State = std::array<std::uint32_t, 8>;

  State inner_;
  State outer_;
};

// A digest seen as bytes, for use as the next key or message.
[[nodiscard]] inline std::string_view AsBytes(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Takes the same time wherever the first difference is. Lengths are not secret.
[[nodiscard]] bool ConstantTimeEqual(std::string_view left, std::string_view right);

// Lower-case hexadecimal. Decoding takes both cases, and nothing of odd length.
[[nodiscard]] std::string HexEncode(std::string_view bytes);
[[nodiscard]] std::optional<std::string> HexDecode(std::string_view text);

// The standard alphabet with padding. Decoding takes only what Base64Encode can have written:
// no line breaks, no missing padding, no stray bits in the last character.
[[nodiscard]] std::string Base64Encode(std::string_view bytes);
void AppendBase64(std::string_view bytes, std::string& out);
[[nodiscard]] std::optional<std::string> Base64Decode(std::string_view text);

// The same for addresses: - and _ instead of + and /, no padding.
[[nodiscard]] std::string Base64UrlEncode(std::string_view bytes);
[[nodiscard]] std::optional<std::string> Base64UrlDecode(std::string_view text);

// Authenticated encryption: AES-256 in Galois/Counter Mode.
//
//   sealed := nonce (12 bytes, drawn for each) | encrypted bytes | tag (16 bytes)
//
// `bound` is not kept; the same must be given again to open, so that what was sealed for one
// purpose is nothing for another.
inline constexpr std::size_t kSealKeyBytes = 32;
[[nodiscard]] std::string Seal(std::string_view key, std::string_view bytes,
                               std::string_view bound);
// Nothing when it was not sealed so, or was changed since.
[[nodiscard]] std::optional<std::string> Unseal(std::string_view key, std::string_view sealed,
                                                std::string_view bound);

// Bytes fit for keys and tokens.
void SecureRandom(std::span<std::uint8_t> out);
[[nodiscard]] std::string SecureRandomBytes(std::size_t size_bytes);

// The CRC-32 of zlib and gzip (also DynamoDB's x-amz-crc32).
[[nodiscard]] std::uint32_t Crc32(std::string_view bytes);

}  // namespace trestle
