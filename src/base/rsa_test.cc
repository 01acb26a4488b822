#include "base/rsa.h"

#include <gtest/gtest.h>

#include "base/crypto.h"

namespace trestle {
namespace {

const RsaPrivateKey& TestKey() {
  static const RsaPrivateKey key = RsaPrivateKey::Generate();
  return key;
}

// The example of RFC 7515, appendix A.2: an RS256 signature made elsewhere.
constexpr std::string_view kModulus =
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-"
    "4qPCJrcS2mJPMEzP1Pt0Bm4d4Q"
    "lL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-"
    "bSf63kpaSHSXndS5z5rexMdbBY"
    "UsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-"
    "DWNm"
    "oudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
constexpr std::string_view kMessage =
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvb"
    "S9pc19yb290Ijp0cnVlfQ";
constexpr std::string_view kSignature =
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
    "O8W2Fp5jujG"
    "bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
    "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K"
    "0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
    "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6"
    "LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";

std::string Exponent() { return {"\x01\x00\x01", 3}; }

TEST(Rsa, VerifiesWhatOthersSigned) {
  const auto key = RsaPublicKey::From(
      {.modulus = Base64UrlDecode(kModulus).value_or(""), .exponent = Exponent()});
  ASSERT_TRUE(key);
  const std::string signature = Base64UrlDecode(kSignature).value_or("");
  EXPECT_TRUE(key->Verify(kMessage, signature));
  EXPECT_FALSE(key->Verify(std::string(kMessage) + "x", signature));
  EXPECT_FALSE(key->Verify(kMessage, signature.substr(1)));
  EXPECT_FALSE(key->Verify(kMessage, ""));
  EXPECT_FALSE(key->Verify(kMessage, std::string(signature.size(), '\xff')));
}

TEST(Rsa, SignsAndIsKeptAsText) {
  const std::string signature = TestKey().Sign("message");
  EXPECT_TRUE(TestKey().public_key().Verify("message", signature));
  EXPECT_FALSE(RsaPrivateKey::Generate().public_key().Verify("message", signature));

  const auto again = RsaPrivateKey::FromPem(TestKey().ToPem());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->public_key().numbers(), TestKey().public_key().numbers());
  EXPECT_EQ(again->Sign("message"), signature);
  const auto published = RsaPublicKey::From(TestKey().public_key().numbers());
  ASSERT_TRUE(published);
  EXPECT_TRUE(published->Verify("message", signature));
}

TEST(Rsa, RefusesKeysThatProveNothing) {
  const RsaNumbers good = TestKey().public_key().numbers();
  const auto refuses = [](RsaNumbers numbers) { return !RsaPublicKey::From(numbers); };
  EXPECT_FALSE(refuses(good));
  EXPECT_TRUE(refuses({.modulus = good.modulus, .exponent = "\x01"}));
  EXPECT_TRUE(refuses({.modulus = good.modulus, .exponent = "\x04"}));
  EXPECT_TRUE(refuses({.modulus = good.modulus, .exponent = ""}));
  EXPECT_TRUE(refuses({.modulus = good.modulus, .exponent = std::string(9, '\x03')}));
  EXPECT_TRUE(refuses({.modulus = good.modulus.substr(128), .exponent = good.exponent}));
  EXPECT_TRUE(refuses({.modulus = std::string(1, '\0') + good.modulus, .exponent = good.exponent}));
  EXPECT_TRUE(refuses({.modulus = std::string(2000, '\x7f'), .exponent = good.exponent}));
  EXPECT_TRUE(refuses({.modulus = "", .exponent = good.exponent}));
}

TEST(Rsa, RefusesTextThatIsNoPrivateKey) {
  const std::string pem = TestKey().ToPem();
  EXPECT_FALSE(RsaPrivateKey::FromPem(""));
  EXPECT_FALSE(RsaPrivateKey::FromPem("hello"));
  EXPECT_FALSE(RsaPrivateKey::FromPem(pem.substr(0, pem.size() / 2)));
  EXPECT_FALSE(RsaPrivateKey::FromPem(TestKey().public_key().ToPem()));
}

}  // namespace
}  // namespace trestle
