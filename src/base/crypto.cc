#include "base/crypto.h"

#include <algorithm>
#include <cstring>
#include <memory>

// The SHA256_* functions are marked deprecated, but only they give the bare hash state. Through
// EVP_MAC, with the key set beforehand, a 140 byte message took 1.8 to 7 times as long.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <libdeflate.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "base/check.h"

namespace trestle {
namespace {

constexpr std::size_t kBlockBytes = SHA256_CBLOCK;
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xff;

using DigitTable = std::array<std::uint8_t, 256>;

constexpr DigitTable MakeDigitTable(std::string_view digits) {
  DigitTable table{};
  table.fill(kNoDigit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    table[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr DigitTable MakeHexTable() {
  DigitTable table = MakeDigitTable(kHexDigits);
  for (std::uint8_t i = 0; i < 6; ++i)
    table['A' + i] = static_cast<std::uint8_t>(10 + i);
  return table;
}

using DigitPairs = std::array<std::array<char, 2>, 256>;

constexpr DigitPairs MakeHexPairs() {
  DigitPairs pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {kHexDigits[i >> 4], kHexDigits[i & 15]};
  return pairs;
}

constexpr DigitPairs kHexPairs = MakeHexPairs();
constexpr DigitTable kBase64Values = MakeDigitTable(kBase64Digits);
constexpr DigitTable kHexValues = MakeHexTable();

std::uint8_t ByteAt(std::string_view bytes, std::size_t i) {
  return static_cast<std::uint8_t>(bytes[i]);
}

constexpr std::size_t kNonceBytes = 12;
constexpr int kTagBytes = 16;

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

unsigned char* Bytes(char* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* Bytes(const char* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
int Size(std::string_view bytes) { return static_cast<int>(bytes.size()); }

// The state after the first block: the key, filled up with zeros, each byte xor `pad`.
std::array<std::uint32_t, 8> StateAfterKey(const std::array<std::uint8_t, kBlockBytes>& key,
                                           std::uint8_t pad) {
  std::array<std::uint8_t, kBlockBytes> block{};
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    block[i] = static_cast<std::uint8_t>(key[i] ^ pad);
  }
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, block.data(), block.size());
  std::array<std::uint32_t, 8> state{};
  std::memcpy(state.data(), context.h, sizeof(context.h));
  OPENSSL_cleanse(block.data(), block.size());
  return state;
}

// Hashes `bytes` as if one block, which led to `state`, stood before it.
Sha256Digest FinishFrom(const std::array<std::uint32_t, 8>& state, const void* bytes,
                        std::size_t size_bytes) {
  SHA256_CTX context;
  SHA256_Init(&context);
  static_assert(sizeof(context.h) == sizeof(state));
  std::memcpy(context.h, state.data(), sizeof(context.h));
  context.Nl = kBlockBytes * 8;
  SHA256_Update(&context, bytes, size_bytes);
  Sha256Digest digest;
  SHA256_Final(digest.data(), &context);
  return digest;
}

}  // namespace

Sha256Digest Sha256(std::string_view bytes) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  Sha256Digest digest;
  SHA256_Final(digest.data(), &context);
  return digest;
}

HmacSha256::HmacSha256(std::string_view key) : inner_{}, outer_{} {
  std::array<std::uint8_t, kBlockBytes> block{};
  if (key.size() > kBlockBytes) {
    const Sha256Digest digest = Sha256(key);
    std::memcpy(block.data(), digest.data(), digest.size());
  } else if (!key.empty()) {
    std::memcpy(block.data(), key.data(), key.size());
  }
  inner_ = StateAfterKey(block, 0x36);
  outer_ = StateAfterKey(block, 0x5c);
  OPENSSL_cleanse(block.data(), block.size());
}

Sha256Digest HmacSha256::Sign(std::string_view message) const {
  const Sha256Digest inner = FinishFrom(inner_, message.data(), message.size());
  return FinishFrom(outer_, inner.data(), inner.size());
}

bool ConstantTimeEqual(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string HexEncode(std::string_view bytes) {
  std::string text(bytes.size() * 2, '\0');
  char* out = text.data();
  for (const char byte : bytes) {
    std::memcpy(out, kHexPairs[static_cast<std::uint8_t>(byte)].data(), 2);
    out += 2;
  }
  return text;
}

std::optional<std::string> HexDecode(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes(text.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint8_t high = kHexValues[ByteAt(text, 2 * i)];
    const std::uint8_t low = kHexValues[ByteAt(text, 2 * i + 1)];
    if (high == kNoDigit || low == kNoDigit) return std::nullopt;
    bytes[i] = static_cast<char>(high << 4 | low);
  }
  return bytes;
}

void AppendBase64(std::string_view bytes, std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char* text = out.data() + start;
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3, text += 4) {
    const unsigned group = static_cast<unsigned>(ByteAt(bytes, i) << 16) |
                           static_cast<unsigned>(ByteAt(bytes, i + 1) << 8) | ByteAt(bytes, i + 2);
    text[0] = kBase64Digits[group >> 18];
    text[1] = kBase64Digits[group >> 12 & 63];
    text[2] = kBase64Digits[group >> 6 & 63];
    text[3] = kBase64Digits[group & 63];
  }
  if (i == bytes.size()) return;
  const bool two_left = i + 2 == bytes.size();
  const unsigned group = static_cast<unsigned>(ByteAt(bytes, i) << 16) |
                         (two_left ? static_cast<unsigned>(ByteAt(bytes, i + 1) << 8) : 0U);
  text[0] = kBase64Digits[group >> 18];
  text[1] = kBase64Digits[group >> 12 & 63];
  text[2] = two_left ? kBase64Digits[group >> 6 & 63] : '=';
  text[3] = '=';
}

std::string Base64Encode(std::string_view bytes) {
  std::string text;
  AppendBase64(bytes, text);
  return text;
}

std::optional<std::string> Base64Decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
    ++padding;
  const std::size_t digit_count = text.size() - padding;

  std::string bytes(text.size() / 4 * 3 - padding, '\0');
  std::size_t size = 0;
  unsigned group = 0;
  unsigned seen = 0;  // the or of all digits: a byte that is no digit sets bit 6 or 7
  for (std::size_t i = 0; i < digit_count; ++i) {
    const unsigned digit = kBase64Values[ByteAt(text, i)];
    seen |= digit;
    group = group << 6 | (digit & 63);
    if (i % 4 == 0) continue;
    bytes[size++] = static_cast<char>(group >> (6 - 2 * (i % 4)));
  }
  if (seen > 63) return std::nullopt;
  // The last character of a padded group carries 2 or 4 bits that belong to no byte.
  if ((padding == 1 && (group & 3) != 0) || (padding == 2 && (group & 15) != 0)) {
    return std::nullopt;
  }
  return bytes;
}

std::string Base64UrlEncode(std::string_view bytes) {
  std::string text = Base64Encode(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

std::optional<std::string> Base64UrlDecode(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  std::string padded(text);
  std::ranges::replace(padded, '-', '+');
  std::ranges::replace(padded, '_', '/');
  padded.append((4 - padded.size() % 4) % 4, '=');
  return Base64Decode(padded);
}

std::string Seal(std::string_view key, std::string_view bytes, std::string_view bound) {
  CHECK(key.size() == kSealKeyBytes, "a key of 256 bits");
  std::string sealed = SecureRandomBytes(kNonceBytes);
  sealed.resize(kNonceBytes + bytes.size() + kTagBytes);
  const CipherContext context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int size = 0;
  unsigned char* const body = Bytes(sealed.data()) + kNonceBytes;
  const bool is_sealed =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, Bytes(key.data()),
                         Bytes(sealed.data())) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &size, Bytes(bound.data()), Size(bound)) == 1 &&
      EVP_EncryptUpdate(context.get(), body, &size, Bytes(bytes.data()), Size(bytes)) == 1 &&
      EVP_EncryptFinal_ex(context.get(), body + bytes.size(), &size) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTagBytes, body + bytes.size()) ==
          1;
  CHECK(is_sealed, "the cipher can be used");
  return sealed;
}

std::optional<std::string> Unseal(std::string_view key, std::string_view sealed,
                                  std::string_view bound) {
  CHECK(key.size() == kSealKeyBytes, "a key of 256 bits");
  if (sealed.size() < kNonceBytes + kTagBytes) return std::nullopt;
  const std::string_view body = sealed.substr(kNonceBytes, sealed.size() - kNonceBytes - kTagBytes);
  std::string tag(sealed.substr(sealed.size() - kTagBytes));
  std::string bytes(body.size(), '\0');
  const CipherContext context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int size = 0;
  const bool is_opened =
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, Bytes(key.data()),
                         Bytes(sealed.data())) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &size, Bytes(bound.data()), Size(bound)) == 1 &&
      EVP_DecryptUpdate(context.get(), Bytes(bytes.data()), &size, Bytes(body.data()),
                        Size(body)) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(context.get(), Bytes(bytes.data()) + bytes.size(), &size) == 1;
  if (!is_opened) return std::nullopt;
  return bytes;
}

void SecureRandom(std::span<std::uint8_t> out) {
  CHECK(RAND_bytes(out.data(), static_cast<int>(out.size())) == 1, "no source of randomness");
}

std::string SecureRandomBytes(std::size_t size_bytes) {
  std::string bytes(size_bytes, '\0');
  SecureRandom({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace trestle
