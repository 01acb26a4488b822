// Known answers (FIPS 180-2, RFC 4231, RFC 4648) and the refusals of the decoders.

#include "base/crypto.h"

#include <gtest/gtest.h>

namespace trestle {
namespace {

std::string HexOf(const Sha256Digest& digest) { return HexEncode(AsBytes(digest)); }

TEST(Crypto, HashesTheKnownAnswers) {
  EXPECT_EQ(HexOf(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(HexOf(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Crypto, SignsTheKnownAnswers) {
  EXPECT_EQ(HexOf(HmacSha256(std::string(20, '\x0b')).Sign("Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(HexOf(HmacSha256("Jefe").Sign("what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

// A key longer than a block is hashed first; an empty one is all zeros.
TEST(Crypto, SignsUnderKeysOfAnyLength) {
  const HmacSha256 long_key(std::string(131, '\xaa'));
  EXPECT_EQ(HexOf(long_key.Sign("Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(HexOf(HmacSha256("").Sign("")),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(Crypto, ComparesWholeStrings) {
  EXPECT_TRUE(ConstantTimeEqual("", ""));
  EXPECT_TRUE(ConstantTimeEqual("abc", "abc"));
  EXPECT_FALSE(ConstantTimeEqual("abc", "abd"));
  EXPECT_FALSE(ConstantTimeEqual("abc", "ab"));
}

TEST(Crypto, ReadsHexInBothCases) {
  EXPECT_EQ(HexEncode(std::string_view("\x00\xfe\x1a", 3)), "00fe1a");
  EXPECT_EQ(HexDecode("00Fe1A"), std::string("\x00\xfe\x1a", 3));
  EXPECT_EQ(HexDecode(""), "");
  EXPECT_EQ(HexDecode("0"), std::nullopt);
  EXPECT_EQ(HexDecode("0g"), std::nullopt);
  EXPECT_EQ(HexDecode("-1"), std::nullopt);
}

TEST(Crypto, WritesAndReadsBase64) {
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(Base64Encode(bytes), text);
    EXPECT_EQ(Base64Decode(text), bytes);
  }
  std::string all;
  for (int i = 0; i < 256; ++i)
    all.push_back(static_cast<char>(i));
  EXPECT_EQ(Base64Decode(Base64Encode(all)), all);
}

TEST(Crypto, RefusesBase64ThatItWouldNotWrite) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n",
        "Zm 9", "Zm9-", "Zm9_", "Zg=g", "\xff\xff\xff\xff"}) {
    EXPECT_EQ(Base64Decode(text), std::nullopt) << text;
  }
}

TEST(Crypto, WritesBase64ForAddresses) {
  EXPECT_EQ(Base64UrlEncode("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(Base64UrlEncode("f"), "Zg");
  EXPECT_EQ(Base64UrlDecode("-__-"), "\xfb\xff\xfe");
  EXPECT_EQ(Base64UrlDecode("Zg"), "f");
  for (const char* text : {"Zg==", "+//+", "Z", "Zh", "Zg\n"})
    EXPECT_EQ(Base64UrlDecode(text), std::nullopt) << text;
}

TEST(Crypto, OpensOnlyWhatItSealedForTheSamePurpose) {
  const std::string key = SecureRandomBytes(kSealKeyBytes);
  for (const std::string& bytes :
       {std::string(), std::string("position"), std::string(5000, 'x')}) {
    const std::string sealed = Seal(key, bytes, "route");
    EXPECT_EQ(Unseal(key, sealed, "route"), bytes);
    EXPECT_EQ(Unseal(key, sealed, "other"), std::nullopt);
    EXPECT_EQ(Unseal(SecureRandomBytes(kSealKeyBytes), sealed, "route"), std::nullopt);
    EXPECT_EQ(Unseal(key, sealed.substr(1), "route"), std::nullopt);
    for (std::size_t i = 0; i < std::min<std::size_t>(sealed.size(), 60); ++i) {
      std::string changed = sealed;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      EXPECT_EQ(Unseal(key, changed, "route"), std::nullopt) << i;
    }
  }
  EXPECT_EQ(Unseal(key, "", "route"), std::nullopt);
  EXPECT_NE(Seal(key, "a", ""), Seal(key, "a", ""));
}

TEST(Crypto, DrawsDifferentBytesEachTime) {
  EXPECT_EQ(SecureRandomBytes(32).size(), 32U);
  EXPECT_NE(SecureRandomBytes(32), SecureRandomBytes(32));
}

TEST(Crypto, ChecksumsTheKnownAnswer) {
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926U);
  EXPECT_EQ(Crc32(""), 0U);
}

}  // namespace
}  // namespace trestle
