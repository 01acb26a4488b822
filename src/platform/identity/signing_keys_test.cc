#include "platform/identity/signing_keys.h"

#include <gtest/gtest.h>

#include "platform/identity/jwt.h"

namespace trestle::platform::identity {
namespace {

class SigningKeysTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<SigningKeys> Open() {
    auto keys = SigningKeys::Open({.read = [this]() -> Result<std::string> { return kept_; },
                                   .write = [this](std::string_view text) -> Status {
                                     kept_ = text;
                                     return Ok();
                                   }},
                                  clock_);
    EXPECT_TRUE(keys.ok());
    return keys.ok() ? *std::move(keys) : nullptr;
  }

  // Whether the keys verify what was signed.
  [[nodiscard]] static bool Knows(SigningKeys& keys, const std::string& token) {
    const auto parsed = ParseToken(token);
    if (!parsed.ok()) return false;
    const auto key = keys.Find(parsed->key_id);
    return key != nullptr && key->Verify(parsed->signed_text, parsed->signature);
  }

  FixedClock clock_{1'800'000'000'000};
  std::string kept_;
};

TEST_F(SigningKeysTest, HasTwoKeysAndPublishesTheirPublicHalves) {
  const auto keys = Open();
  const auto published = ParseKeySet(keys->PublicText());
  ASSERT_TRUE(published.ok());
  EXPECT_EQ(published->size(), 2);
  EXPECT_EQ(keys->PublicText().find("\"d\""), std::string::npos);
  const std::string token = keys->Sign(R"({"sub":"u1"})");
  const auto parsed = ParseToken(token);
  ASSERT_TRUE(parsed.ok());
  const auto key = FindKey(*published, parsed->key_id);
  ASSERT_NE(key, nullptr);
  EXPECT_TRUE(key->Verify(parsed->signed_text, parsed->signature));
}

TEST_F(SigningKeysTest, OutliveARestart) {
  const std::string token = Open()->Sign("{}");
  const auto again = Open();
  EXPECT_TRUE(Knows(*again, token));
  EXPECT_EQ(Open()->PublicText(), again->PublicText());
}

TEST_F(SigningKeysTest, AreOthersInAnotherPool) {
  const std::string token = Open()->Sign("{}");
  kept_.clear();
  EXPECT_FALSE(Knows(*Open(), token));
}

TEST_F(SigningKeysTest, AreForgottenAfterTwoTurns) {
  const auto keys = Open();
  const std::string token = keys->Sign("{}");
  ASSERT_TRUE(keys->Rotate().ok());
  EXPECT_TRUE(Knows(*keys, token));
  const std::string next = keys->Sign("{}");
  ASSERT_TRUE(keys->Rotate().ok());
  EXPECT_FALSE(Knows(*keys, token));
  EXPECT_TRUE(Knows(*keys, next));
  EXPECT_TRUE(Knows(*Open(), next));
}

TEST_F(SigningKeysTest, TurnWhenTheyAreOld) {
  const std::string token = Open()->Sign("{}");
  clock_.Advance(kSigningKeyLifetimeMs - 1);
  const std::string young = Open()->PublicText();
  clock_.Advance(2);
  const auto keys = Open();
  EXPECT_NE(keys->PublicText(), young);
  EXPECT_TRUE(Knows(*keys, token));
}

TEST_F(SigningKeysTest, RefuseAFileThatTheyCannotRead) {
  for (const char* text : {"hello", "[]", R"({"keys":{}})", R"({"keys":[{"pem":"x"}]})"}) {
    const auto keys = SigningKeys::Open(
        {.read = [text]() -> Result<std::string> { return std::string(text); }, .write = {}},
        clock_);
    EXPECT_FALSE(keys.ok()) << text;
  }
}

TEST(ParseKeySet, TakesWhatIsForSignaturesAndNothingElse) {
  const RsaPrivateKey key = RsaPrivateKey::Generate();
  const auto shared = std::make_shared<const RsaPublicKey>(key.public_key());
  const std::string good = KeySetText({{.id = "one", .key = shared}});
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  ASSERT_TRUE(ParseKeySet(good).ok());
  EXPECT_TRUE(ParseKeySet(replaced(R"("use":"sig",)", "")).ok());
  EXPECT_TRUE(ParseKeySet(replaced(R"("alg":"RS256",)", "")).ok());
  EXPECT_TRUE(ParseKeySet(replaced(R"("n":")", R"("x5t":"?","n":")")).ok());
  EXPECT_FALSE(ParseKeySet(replaced(R"("use":"sig")", R"("use":"enc")")).ok());
  EXPECT_FALSE(ParseKeySet(replaced(R"("alg":"RS256")", R"("alg":"RS512")")).ok());
  EXPECT_FALSE(ParseKeySet(replaced(R"("kty":"RSA")", R"("kty":"oct")")).ok());
  EXPECT_FALSE(ParseKeySet(replaced(R"("kid":"one")", R"("kid":"")")).ok());
  EXPECT_FALSE(ParseKeySet(replaced(R"("kid":"one")", R"("kid":1)")).ok());
  EXPECT_FALSE(ParseKeySet(replaced("AQAB", "AQ")).ok());
  EXPECT_FALSE(ParseKeySet(replaced("AQAB", "AQAB==")).ok());
  EXPECT_FALSE(ParseKeySet("{}").ok());
  EXPECT_FALSE(ParseKeySet(R"({"keys":[]})").ok());
  EXPECT_FALSE(ParseKeySet(R"({"keys":[1,"a",null]})").ok());
  EXPECT_FALSE(ParseKeySet(std::string(kKeySetBytesMax + 1, ' ')).ok());
}

TEST(KeyIdOf, FollowsFromTheKey) {
  const RsaPrivateKey key = RsaPrivateKey::Generate();
  EXPECT_EQ(KeyIdOf(key.public_key()).size(), 43);
  EXPECT_EQ(KeyIdOf(key.public_key()), KeyIdOf(key.public_key()));
}

}  // namespace
}  // namespace trestle::platform::identity
