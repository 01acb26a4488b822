#include "base/rsa.h"

#include <utility>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "base/check.h"

namespace trestle {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using BigNumber = std::unique_ptr<BIGNUM, decltype(&BN_free)>;
using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)>;
using Parameters = std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)>;

constexpr std::size_t kExponentBytesMax = 8;

const unsigned char* Bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

BigNumber ToNumber(std::string_view bytes) {
  return {BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr), BN_free};
}

std::string NumberOf(const Key& key, const char* name) {
  BIGNUM* number = nullptr;
  CHECK(EVP_PKEY_get_bn_param(key.get(), name, &number) == 1, "a key has its numbers");
  const BigNumber owner(number, BN_free);
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data()));
  return bytes;
}

RsaNumbers NumbersOf(const Key& key) {
  return {.modulus = NumberOf(key, OSSL_PKEY_PARAM_RSA_N),
          .exponent = NumberOf(key, OSSL_PKEY_PARAM_RSA_E)};
}

bool IsOdd(std::string_view number) { return (static_cast<unsigned char>(number.back()) & 1) != 0; }

// What OpenSSL would take without a word: tiny keys, and exponents that verify anything.
bool IsSound(const RsaNumbers& numbers) {
  const auto& [modulus, exponent] = numbers;
  if (modulus.empty() || exponent.empty() || modulus.front() == 0 || exponent.front() == 0) {
    return false;
  }
  if (modulus.size() > kRsaBitsMax / 8 || exponent.size() > kExponentBytesMax) return false;
  const int bits = BN_num_bits(ToNumber(modulus).get());
  return bits >= kRsaBitsMin && IsOdd(modulus) && IsOdd(exponent) && exponent != "\x01";
}

std::string TextOf(BIO* memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  return {text, static_cast<std::size_t>(size)};
}

Memory NewMemory() { return {BIO_new(BIO_s_mem()), BIO_free}; }

// Keys with a password are not ours; without this OpenSSL asks at the terminal.
int NoPassword(char* /*buffer*/, int /*size*/, int /*for_writing*/, void* /*data*/) { return -1; }

}  // namespace

std::optional<RsaPublicKey> RsaPublicKey::From(const RsaNumbers& numbers) {
  if (!IsSound(numbers)) return std::nullopt;
  const BigNumber modulus = ToNumber(numbers.modulus);
  const BigNumber exponent = ToNumber(numbers.exponent);
  const Builder builder(OSSL_PARAM_BLD_new(), OSSL_PARAM_BLD_free);
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr), EVP_PKEY_CTX_free);
  if (OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1) {
    return std::nullopt;
  }
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()), OSSL_PARAM_free);
  EVP_PKEY* key = nullptr;
  const bool is_made =
      EVP_PKEY_fromdata_init(context.get()) == 1 &&
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) == 1;
  ERR_clear_error();
  if (!is_made) return std::nullopt;
  return RsaPublicKey(Key(key, EVP_PKEY_free), numbers);
}

bool RsaPublicKey::Verify(std::string_view message, std::string_view signature) const {
  if (signature.size() != numbers_.modulus.size()) return false;
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const bool is_right =
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
      EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(message),
                       message.size()) == 1;
  ERR_clear_error();
  return is_right;
}

std::string RsaPublicKey::ToPem() const {
  const Memory memory = NewMemory();
  CHECK(PEM_write_bio_PUBKEY(memory.get(), key_.get()) == 1, "a key can be written");
  return TextOf(memory.get());
}

RsaPrivateKey RsaPrivateKey::Generate() {
  const Key key(EVP_RSA_gen(kRsaBitsMin), EVP_PKEY_free);
  CHECK(key != nullptr, "a key can be made");
  return RsaPrivateKey(RsaPublicKey(key, NumbersOf(key)));
}

std::optional<RsaPrivateKey> RsaPrivateKey::FromPem(std::string_view pem) {
  const Memory memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  const Key key(PEM_read_bio_PrivateKey(memory.get(), nullptr, NoPassword, nullptr), EVP_PKEY_free);
  ERR_clear_error();
  if (key == nullptr || EVP_PKEY_is_a(key.get(), "RSA") != 1) return std::nullopt;
  RsaNumbers numbers = NumbersOf(key);
  if (!IsSound(numbers)) return std::nullopt;
  return RsaPrivateKey(RsaPublicKey(key, std::move(numbers)));
}

std::string RsaPrivateKey::Sign(std::string_view message) const {
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string signature(public_key_.numbers().modulus.size(), '\0');
  std::size_t size = signature.size();
  const bool is_signed =
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, public_key_.key_.get()) ==
          1 &&
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     Bytes(message), message.size()) == 1;
  CHECK(is_signed, "a key can sign");
  signature.resize(size);
  return signature;
}

std::string RsaPrivateKey::ToPem() const {
  const Memory memory = NewMemory();
  CHECK(PEM_write_bio_PKCS8PrivateKey(memory.get(), public_key_.key_.get(), nullptr, nullptr, 0,
                                      nullptr, nullptr) == 1,
        "a key can be written");
  return TextOf(memory.get());
}

}  // namespace trestle
