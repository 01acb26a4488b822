#include "platform/identity/verifier.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/log.h"
#include "platform/identity/jwt.h"
#include "platform/problem.h"

namespace trestle::platform::identity {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;
constexpr std::string_view kIssuer = "https://auth.example.com/pool";
constexpr std::string_view kClient = "web-client";

const RsaPrivateKey& Key() {
  static const RsaPrivateKey key = RsaPrivateKey::Generate();
  return key;
}
const RsaPrivateKey& OtherKey() {
  static const RsaPrivateKey key = RsaPrivateKey::Generate();
  return key;
}

// Keys that a test adds and takes away.
class Keys final : public KeySource {
 public:
  std::shared_ptr<const RsaPublicKey> Find(std::string_view id) override {
    ++asked;
    return FindKey(set, id);
  }
  KeySet set;
  int asked = 0;
};

// A token in the making: JSON, not yet signed.
struct Draft {
  std::string header = R"({"alg":"RS256","kid":"k1"})";
  std::string claims = fmt::format(
      R"({{"sub":"u1","iss":"{}","client_id":"{}","token_use":"access","scope":"x","auth_time":{},)"
      R"("iat":{},"exp":{},"jti":"j1","username":"u1","cognito:groups":["admin","a b"]}})",
      kIssuer, kClient, kNow - 100, kNow - 100, kNow + 3500);

  // One text in place of another, which must be there.
  [[nodiscard]] static std::string Replaced(std::string text, std::string_view from,
                                            std::string_view to) {
    const std::size_t found = text.find(from);
    EXPECT_NE(found, std::string::npos) << from;
    return text.replace(found, from.size(), to);
  }
  [[nodiscard]] Draft Claim(std::string_view from, std::string_view to) const {
    return {.header = header, .claims = Replaced(claims, from, to)};
  }
  [[nodiscard]] Draft WithClaim(std::string_view member) const {
    return Claim(R"("jti":"j1")", fmt::format(R"("jti":"j1",{})", member));
  }
  [[nodiscard]] Draft Header(std::string text) const {
    return {.header = std::move(text), .claims = claims};
  }
  [[nodiscard]] std::string Unsigned() const {
    return Base64UrlEncode(header) + "." + Base64UrlEncode(claims);
  }
  [[nodiscard]] std::string Sign(const RsaPrivateKey& key = Key()) const {
    const std::string text = Unsigned();
    return text + "." + Base64UrlEncode(key.Sign(text));
  }
};

std::string IdClaims() {
  return fmt::format(
      R"({{"sub":"u1","iss":"{}","aud":"{}","token_use":"id","auth_time":{},"iat":{},"exp":{},)"
      R"("jti":"j1","cognito:username":"u1","email":"a@example.com","email_verified":true,)"
      R"("name":"Anna"}})",
      kIssuer, kClient, kNow - 100, kNow - 100, kNow + 3500);
}

class VerifierTest : public ::testing::Test {
 protected:
  VerifierTest() {
    log::SetLevel(log::Level::kOff);
    keys_.set.push_back({.id = "k1", .key = std::make_shared<RsaPublicKey>(Key().public_key())});
    other_keys_.set.push_back(
        {.id = "k2", .key = std::make_shared<RsaPublicKey>(OtherKey().public_key())});
  }

  [[nodiscard]] std::vector<Issuer> Issuers() {
    return {{.name = std::string(kIssuer),
             .client_ids = {std::string(kClient)},
             .keys = &keys_,
             .is_active = [this](std::string_view /*sub*/) -> Result<bool> {
               if (is_broken_) return Error(ErrorCode::kUnavailable, "broken");
               return is_active_;
             }},
            {.name = "https://other.example.com/pool",
             .client_ids = {"other-client"},
             .keys = &other_keys_}};
  }

  // The problem's code and the true reason, or "good".
  [[nodiscard]] std::string Judged(const std::string& token, TokenUse use = TokenUse::kAccess) {
    const auto judged = verifier_.Judge(token, use);
    const auto verified = verifier_.Verify(token, use);
    EXPECT_EQ(judged.ok(), verified.ok());
    if (verified.ok() || judged.ok()) return "good";
    return fmt::format("{}: {}", ToProblem(verified.error()).kind->code, judged.error().message());
  }

  FixedClock clock_{kNow * 1000};
  Keys keys_;
  Keys other_keys_;
  bool is_active_ = true;
  bool is_broken_ = false;
  Verifier verifier_{Issuers(), clock_};
};

TEST_F(VerifierTest, AnIssuerThatHasMovedKnowsItsOwnTokens) {
  const Draft old_place = Draft().Claim(kIssuer, "http://127.0.0.1:8081/pool");
  std::vector<Issuer> issuers = Issuers();
  issuers.front().has_moved = true;
  FixedClock clock(kNow * 1000);
  Verifier verifier(issuers, clock);
  EXPECT_TRUE(verifier.Judge(old_place.Sign(), TokenUse::kAccess).ok());
  for (const std::string_view wrong :
       {"http://127.0.0.1:8081/pool2", "http://127.0.0.1:8081", "/pool", "ftp://a/pool"}) {
    EXPECT_FALSE(verifier.Judge(Draft().Claim(kIssuer, wrong).Sign(), TokenUse::kAccess).ok());
  }
  // Whose keys are whose is as before.
  const Draft of_other = old_place.Header(R"({"alg":"RS256","kid":"k2"})");
  EXPECT_FALSE(verifier.Judge(of_other.Sign(OtherKey()), TokenUse::kAccess).ok());
  EXPECT_FALSE(
      verifier
          .Judge(Draft().Claim(kIssuer, "https://other.example.com/pool").Sign(), TokenUse::kAccess)
          .ok());
}

TEST_F(VerifierTest, TakesAnAccessToken) {
  const auto principal = verifier_.Verify(Draft().Sign(), TokenUse::kAccess);
  ASSERT_TRUE(principal.ok()) << principal.error().message();
  EXPECT_EQ(principal->sub, "u1");
  EXPECT_EQ(principal->groups, (std::vector<std::string>{"admin", "a b"}));
  EXPECT_EQ(principal->email, std::nullopt);
  EXPECT_EQ(principal->auth_time_unix_s, kNow - 100);
  EXPECT_EQ(principal->expires_unix_s, kNow + 3500);
}

TEST_F(VerifierTest, TakesAnIdToken) {
  const Draft draft{.claims = IdClaims()};
  const auto principal = verifier_.Verify(draft.Sign(), TokenUse::kId);
  ASSERT_TRUE(principal.ok()) << principal.error().message();
  EXPECT_EQ(principal->email, "a@example.com");
  EXPECT_EQ(principal->name, "Anna");
  EXPECT_TRUE(principal->groups.empty());
}

TEST_F(VerifierTest, AnAddressThatNobodyHasVerifiedIsNobodys) {
  std::string claims = IdClaims();
  claims.replace(claims.find("true"), 4, "false");
  const auto principal = verifier_.Verify(Draft{.claims = claims}.Sign(), TokenUse::kId);
  ASSERT_TRUE(principal.ok()) << principal.error().message();
  EXPECT_EQ(principal->email, std::nullopt);
  EXPECT_EQ(principal->name, "Anna");
}

TEST_F(VerifierTest, TakesWhatIsUnusualButRight) {
  const Draft good;
  const std::string now = std::to_string(kNow);
  const std::pair<std::string_view, Draft> drafts[] = {
      {"typ JWT", good.Header(R"({"typ":"JWT","alg":"RS256","kid":"k1"})")},
      {"typ at+jwt", good.Header(R"({"kid":"k1","typ":"at+jwt","alg":"RS256"})")},
      {"no groups", good.Claim(R"(,"cognito:groups":["admin","a b"])", "")},
      {"empty groups", good.Claim(R"(["admin","a b"])", "[]")},
      {"nbf now", good.WithClaim(fmt::format(R"("nbf":{})", kNow))},
      {"nbf within the leeway", good.WithClaim(fmt::format(R"("nbf":{})", kNow + 60))},
      {"expired within the leeway",
       good.Claim(std::to_string(kNow + 3500), std::to_string(kNow - 60))},
      {"unknown claims", good.WithClaim(R"("event_id":"e","device":{"a":[1,2.5,null]})")},
      {"no auth_time", good.Claim(fmt::format(R"("auth_time":{},)", kNow - 100), "")},
  };
  for (const auto& [name, draft] : drafts)
    EXPECT_EQ(Judged(draft.Sign()), "good") << name;
}

struct Attack {
  std::string name;
  std::string token;
  std::string reason;
};

std::string HmacToken(const Draft& draft, std::string_view secret) {
  const std::string text = draft.Unsigned();
  return text + "." + Base64UrlEncode(AsBytes(HmacSha256(secret).Sign(text)));
}

constexpr std::string_view kAlgorithm = "the algorithm is not RS256";
constexpr std::string_view kMember = "the header has a member that is not allowed";
constexpr std::string_view kUnknownKey = "the key is unknown";
constexpr std::string_view kUnknownIssuer = "the issuer is unknown";
constexpr std::string_view kSignature = "the signature is wrong";

std::string ClaimReason(std::string_view claim) {
  return fmt::format("the claim {} is missing or wrong", claim);
}

std::vector<Attack> HeaderAttacks() {
  const Draft good;
  const auto with = [&](std::string_view member) {
    return good.Header(fmt::format(R"({{"alg":"RS256","kid":"k1",{}}})", member)).Sign();
  };
  const auto algorithm = [&](std::string_view value) {
    return good.Header(fmt::format(R"({{"alg":{},"kid":"k1"}})", value));
  };
  const auto key_id = [&](std::string_view value) {
    return good.Header(fmt::format(R"({{"alg":"RS256","kid":{}}})", value)).Sign();
  };
  const std::string pem = Key().public_key().ToPem();
  std::vector<Attack> attacks;
  for (const std::string_view name :
       {"\"none\"", "\"None\"", "\"NONE\"", "\"nOnE\"", "\"\"", "\"rs256\"", "\"RS384\"",
        "\"RS512\"", "\"PS256\"", "\"ES256\"", "\"EdDSA\"", "\"RS256 \"", "null", "256",
        "[\"RS256\"]", "true"}) {
    attacks.push_back(
        {fmt::format("alg {}", name), algorithm(name).Sign(), std::string(kAlgorithm)});
  }
  const std::vector<Attack> others = {
      {"alg none, no signature", algorithm("\"none\"").Unsigned() + ".", std::string(kAlgorithm)},
      {"HS256 with the public key as text", HmacToken(algorithm("\"HS256\""), pem),
       std::string(kAlgorithm)},
      {"HS256 with the modulus",
       HmacToken(algorithm("\"HS256\""), Key().public_key().numbers().modulus),
       std::string(kAlgorithm)},
      {"HMAC that claims to be RS256", HmacToken(good, pem), std::string(kSignature)},
      {"no alg", good.Header(R"({"kid":"k1"})").Sign(), std::string(kAlgorithm)},
      {"alg twice", good.Header(R"({"alg":"RS256","alg":"none","kid":"k1"})").Sign(),
       "the header is not JSON"},
      {"no kid", good.Header(R"({"alg":"RS256"})").Sign(), "the header names no key"},
      {"kid empty", key_id("\"\""), "the header names no key"},
      {"kid null", key_id("null"), "the header names no key"},
      {"kid number", key_id("1"), "the header names no key"},
      {"kid list", key_id("[\"k1\"]"), "the header names no key"},
      {"kid long", key_id("\"" + std::string(300, 'k') + "\""), "the header names no key"},
      {"kid unknown", key_id("\"k9\""), std::string(kUnknownKey)},
      {"kid of another issuer", key_id("\"k2\""), std::string(kUnknownKey)},
      {"kid in other case", key_id("\"K1\""), std::string(kUnknownKey)},
      {"kid path", key_id("\"../../../../dev/null\""), std::string(kUnknownKey)},
      {"kid SQL", key_id("\"k1' UNION SELECT 'x'; --\""), std::string(kUnknownKey)},
      {"kid with NUL", key_id("\"k1\\u0000\""), std::string(kUnknownKey)},
      {"jwk", with(R"("jwk":{"kty":"RSA","n":"AQAB","e":"AQAB"})"), std::string(kMember)},
      {"jku", with(R"("jku":"https://evil.example.com/keys")"), std::string(kMember)},
      {"x5u", with(R"("x5u":"https://evil.example.com/chain")"), std::string(kMember)},
      {"x5c", with(R"("x5c":["MIIB"])"), std::string(kMember)},
      {"x5t", with(R"("x5t":"abc")"), std::string(kMember)},
      {"crit", with(R"("crit":["exp"])"), std::string(kMember)},
      {"crit empty", with(R"("crit":[])"), std::string(kMember)},
      {"b64", with(R"("b64":false)"), std::string(kMember)},
      {"zip", with(R"("zip":"DEF")"), std::string(kMember)},
      {"enc", with(R"("enc":"A256GCM")"), std::string(kMember)},
      {"cty", with(R"("cty":"JWT")"), std::string(kMember)},
      {"typ other", with(R"("typ":"logout+jwt")"), "the header has another type"},
      {"typ number", with(R"("typ":1)"), "the header has another type"},
      {"header list", good.Header(R"(["RS256"])").Sign(), "the header is not an object"},
      {"header not JSON", good.Header("{alg:RS256}").Sign(), "the header is not JSON"},
      {"header followed by more", good.Header(good.header + "{}").Sign(), "the header is not JSON"},
      {"header empty", "." + Base64UrlEncode(good.claims) + ".AAAA", "the header is not JSON"},
  };
  attacks.insert(attacks.end(), others.begin(), others.end());
  return attacks;
}

std::vector<Attack> ShapeAttacks() {
  const Draft good;
  const std::string token = good.Sign();
  const std::size_t last = token.rfind('.');
  const std::string unsigned_text = token.substr(0, last);
  const std::string signature = token.substr(last + 1);
  std::string flipped = *Base64UrlDecode(signature);
  flipped[10] = static_cast<char>(flipped[10] ^ 1);
  const std::string parts = "the token has not three parts";
  const std::string bad_header = "the header is not base64url";
  return {
      {"empty", "", parts},
      {"two dots", "..", "the header is not JSON"},
      {"one part", "abc", parts},
      {"two parts", unsigned_text, parts},
      {"four parts", token + ".x", parts},
      {"five parts", token + ".x.y", parts},
      {"dot behind", token + ".", parts},
      {"dot before", "." + token, parts},
      {"no signature", unsigned_text + ".", "there is no signature"},
      {"short signature", unsigned_text + "." + signature.substr(0, 300), std::string(kSignature)},
      {"long signature", token + "AAAA", std::string(kSignature)},
      {"flipped bit", unsigned_text + "." + Base64UrlEncode(flipped), std::string(kSignature)},
      {"zero signature", unsigned_text + "." + Base64UrlEncode(std::string(256, '\0')),
       std::string(kSignature)},
      {"signature of another key", good.Sign(OtherKey()), std::string(kSignature)},
      {"signature of other claims",
       unsigned_text + "." +
           [&] {
             const std::string other = good.Claim("\"u1\"", "\"u2\"").Sign();
             return other.substr(other.rfind('.') + 1);
           }(),
       std::string(kSignature)},
      {"claims of another token",
       [&] {
         const std::string other = good.Claim("\"u1\"", "\"u2\"").Unsigned();
         return other + "." + signature;
       }(),
       std::string(kSignature)},
      {"padding", token + "=", "there is no signature"},
      {"padded header", Base64UrlEncode(good.header) + "=" + token.substr(token.find('.')),
       bad_header},
      {"blank before", " " + token, bad_header},
      {"blank behind", token + " ", "there is no signature"},
      {"line break", token + "\n", "there is no signature"},
      {"blank inside", Draft::Replaced(token, ".", ". "), "the claims is not base64url"},
      {"standard alphabet", unsigned_text + "." + std::string(342, '+'), "there is no signature"},
      {"NUL inside", std::string("a\0b", 3) + token, bad_header},
      {"no UTF-8", "\xff\xfe" + token, bad_header},
      {"claims not UTF-8", good.Claim("\"j1\"", "\"\xff\xfe\"").Sign(), "the claims is not JSON"},
      {"claims list", Draft{.claims = "[" + good.claims + "]"}.Sign(),
       "the claims is not an object"},
      {"claims text", Draft{.claims = "\"u1\""}.Sign(), "the claims is not an object"},
      {"claims empty", Draft{.claims = ""}.Sign(), "the claims is not JSON"},
      {"claims cut off", Draft{.claims = good.claims.substr(0, 40)}.Sign(),
       "the claims is not JSON"},
      {"claims followed by more", Draft{.claims = good.claims + good.claims}.Sign(),
       "the claims is not JSON"},
      {"deep nesting",
       good.WithClaim("\"x\":" + std::string(1000, '[') + std::string(1000, ']')).Sign(),
       "the claims is not JSON"},
      {"too long", good.WithClaim(fmt::format("\"x\":\"{}\"", std::string(8000, 'x'))).Sign(),
       "the token is too long"},
      {"much too long", std::string(1'000'000, 'a'), "the token is too long"},
      {"bearer twice", "Bearer " + token, bad_header},
  };
}

std::vector<Attack> ClaimAttacks() {
  const Draft good;
  const std::string issuer(kIssuer);
  const auto name_issuer = [&](std::string_view text) { return good.Claim(issuer, text).Sign(); };
  const auto sub = [&](std::string_view json) { return good.Claim(R"("sub":"u1")", json).Sign(); };
  const auto groups = [&](std::string_view json) {
    return good.Claim(R"(["admin","a b"])", json).Sign();
  };
  const auto time = [&](std::string_view name, std::string_view json) {
    const std::string from =
        fmt::format("\"{}\":{}", name, name == "exp" ? kNow + 3500 : kNow - 100);
    return good.Claim(from, fmt::format("\"{}\":{}", name, json)).Sign();
  };
  const std::string later = std::to_string(kNow + 61);
  const std::string early = "the token is not good yet";
  const std::string client = "the token is for another client";
  return {
      {"no iss", good.Claim(fmt::format(R"("iss":"{}",)", issuer), "").Sign(),
       std::string(kUnknownIssuer)},
      {"iss list", good.Claim('"' + issuer + '"', "[\"" + issuer + "\"]").Sign(),
       std::string(kUnknownIssuer)},
      {"iss prefix", name_issuer("https://auth.example.com"), std::string(kUnknownIssuer)},
      {"iss longer", name_issuer(issuer + "2"), std::string(kUnknownIssuer)},
      {"iss slash", name_issuer(issuer + "/"), std::string(kUnknownIssuer)},
      {"iss http", name_issuer("http://auth.example.com/pool"), std::string(kUnknownIssuer)},
      {"iss case", name_issuer("https://AUTH.example.com/pool"), std::string(kUnknownIssuer)},
      {"iss blank", name_issuer(issuer + " "), std::string(kUnknownIssuer)},
      {"iss empty", name_issuer(""), std::string(kUnknownIssuer)},
      {"iss twice", good.WithClaim(fmt::format(R"("iss":"{}")", issuer)).Sign(),
       "the claims is not JSON"},
      {"iss of another pool, our key", name_issuer("https://other.example.com/pool"),
       std::string(kUnknownKey)},
      {"token of another pool as ours",
       good.Header(R"({"alg":"RS256","kid":"k2"})").Sign(OtherKey()), std::string(kUnknownKey)},
      {"another pool's client in ours", good.Claim(kClient, "other-client").Sign(), client},
      {"client unknown", good.Claim(kClient, "web-client2").Sign(), client},
      {"client case", good.Claim(kClient, "Web-Client").Sign(), client},
      {"client list", good.Claim(R"("web-client")", R"(["web-client"])").Sign(),
       ClaimReason("client_id")},
      {"no client", good.Claim(R"("client_id":"web-client",)", "").Sign(),
       ClaimReason("client_id")},
      {"aud in place of client_id", good.Claim("client_id", "aud").Sign(),
       ClaimReason("client_id")},
      {"no token_use", good.Claim(R"("token_use":"access",)", "").Sign(), ClaimReason("token_use")},
      {"token_use refresh", good.Claim(R"("access")", R"("refresh")").Sign(),
       ClaimReason("token_use")},
      {"token_use case", good.Claim(R"("access")", R"("ACCESS")").Sign(), ClaimReason("token_use")},
      {"token_use list", good.Claim(R"("access")", R"(["access","id"])").Sign(),
       ClaimReason("token_use")},
      {"id token for access", Draft{.claims = IdClaims()}.Sign(), "the token is for another use"},
      {"no exp", good.Claim(fmt::format(R"("exp":{},)", kNow + 3500), "").Sign(),
       ClaimReason("exp")},
      {"exp text", time("exp", fmt::format("\"{}\"", kNow + 3500)), ClaimReason("exp")},
      {"exp null", time("exp", "null"), ClaimReason("exp")},
      {"exp fraction", time("exp", fmt::format("{}.5", kNow + 3500)), ClaimReason("exp")},
      {"exp exponent", time("exp", "1.8e9"), ClaimReason("exp")},
      {"exp huge", time("exp", "99999999999999"), ClaimReason("exp")},
      {"exp beyond 64 bits", time("exp", "99999999999999999999999"), ClaimReason("exp")},
      {"exp negative", time("exp", "-1"), ClaimReason("exp")},
      {"exp zero", time("exp", "0"), ClaimReason("exp")},
      {"exp in milliseconds", time("exp", std::to_string((kNow + 3500) * 1000)),
       ClaimReason("exp")},
      {"exp after years", time("exp", std::to_string(kNow + 100'000'000)), ClaimReason("exp")},
      {"exp before iat", time("exp", std::to_string(kNow - 101)), ClaimReason("exp")},
      {"exp twice", good.WithClaim(fmt::format(R"("exp":{})", kNow + 9)).Sign(),
       "the claims is not JSON"},
      {"no iat", good.Claim(fmt::format(R"("iat":{},)", kNow - 100), "").Sign(),
       ClaimReason("iat")},
      {"iat later", time("iat", later), early},
      {"iat text", time("iat", "\"1\""), ClaimReason("iat")},
      {"iat negative", time("iat", "-5"), ClaimReason("iat")},
      {"iat fraction", time("iat", fmt::format("{}.0", kNow - 100)), ClaimReason("iat")},
      {"auth_time later", time("auth_time", later), early},
      {"auth_time text", time("auth_time", "\"now\""), ClaimReason("auth_time")},
      {"nbf later", good.WithClaim("\"nbf\":" + later).Sign(), early},
      {"nbf text", good.WithClaim("\"nbf\":\"1\"").Sign(), ClaimReason("nbf")},
      {"nbf negative", good.WithClaim("\"nbf\":-1").Sign(), ClaimReason("nbf")},
      {"nbf fraction", good.WithClaim("\"nbf\":1.5").Sign(), ClaimReason("nbf")},
      {"nbf list", good.WithClaim("\"nbf\":[]").Sign(), ClaimReason("nbf")},
      {"no sub", good.Claim(R"("sub":"u1",)", "").Sign(), ClaimReason("sub")},
      {"sub empty", sub(R"("sub":"")"), ClaimReason("sub")},
      {"sub with #", sub(R"("sub":"u1#PROFILE")"), ClaimReason("sub")},
      {"sub with slash", sub(R"("sub":"../u2")"), ClaimReason("sub")},
      {"sub with blank", sub(R"("sub":"u1 ")"), ClaimReason("sub")},
      {"sub with NUL", sub(R"("sub":"u1\u0000")"), ClaimReason("sub")},
      {"sub with line break", sub(R"("sub":"u1\n")"), ClaimReason("sub")},
      {"sub accented", sub(R"("sub":"ü1")"), ClaimReason("sub")},
      {"sub long", sub(fmt::format(R"("sub":"{}")", std::string(65, 'u'))), ClaimReason("sub")},
      {"sub number", sub(R"("sub":1)"), ClaimReason("sub")},
      {"sub list", sub(R"("sub":["u1"])"), ClaimReason("sub")},
      {"sub twice", sub(R"("sub":"u1","sub":"u2")"), "the claims is not JSON"},
      {"groups text", groups(R"("admin")"), ClaimReason("cognito:groups")},
      {"groups object", groups(R"({"admin":true})"), ClaimReason("cognito:groups")},
      {"groups null", groups("null"), ClaimReason("cognito:groups")},
      {"groups nested", groups(R"([["admin"]])"), ClaimReason("cognito:groups")},
      {"groups numbers", groups("[1,2]"), ClaimReason("cognito:groups")},
      {"groups empty name", groups(R"(["admin",""])"), ClaimReason("cognito:groups")},
      {"groups control character", groups(R"(["admin\n"])"), ClaimReason("cognito:groups")},
      {"groups twice", good.WithClaim(R"("cognito:groups":["admin"])").Sign(),
       "the claims is not JSON"},
  };
}

TEST_F(VerifierTest, RefusesEveryAttack) {
  std::vector<Attack> attacks = HeaderAttacks();
  for (const auto& more : {ShapeAttacks(), ClaimAttacks()})
    attacks.insert(attacks.end(), more.begin(), more.end());
  for (const Attack& attack : attacks)
    EXPECT_EQ(Judged(attack.token), "unauthenticated: " + attack.reason) << attack.name;
  EXPECT_GE(attacks.size(), 130);
  EXPECT_EQ(Judged(Draft().Sign()), "good");
}

TEST(ParseToken, ReadsNoMoreThanATokenCanHave) {
  const Draft good;
  const auto with = [&](std::size_t size) {
    return good.WithClaim(fmt::format("\"x\":\"{}\"", std::string(size, 'x'))).Sign();
  };
  EXPECT_TRUE(ParseToken(with(5000)).ok());
  EXPECT_FALSE(ParseToken(with(6000)).ok());
}

TEST_F(VerifierTest, EveryRefusalLooksTheSame) {
  const auto body = [this](const std::string& token) {
    const auto verified = verifier_.Verify(token, TokenUse::kAccess);
    return verified.ok() ? "good" : verified.error().message();
  };
  for (const auto& attacks : {HeaderAttacks(), ShapeAttacks(), ClaimAttacks()})
    for (const Attack& attack : attacks)
      EXPECT_EQ(body(attack.token), "the token is not good here; sign in again") << attack.name;
}

TEST_F(VerifierTest, TellsOnlyTheBearerOfARealTokenThatItExpired) {
  const Draft expired = Draft().Claim(std::to_string(kNow + 3500), std::to_string(kNow - 61));
  EXPECT_EQ(Judged(expired.Sign()), "token-expired: the token has expired; get a new one");
  EXPECT_EQ(Judged(expired.Sign(OtherKey())), "unauthenticated: the signature is wrong");
  EXPECT_EQ(Judged(expired.Claim(kClient, "other").Sign()),
            "unauthenticated: the token is for another client");
}

TEST_F(VerifierTest, TellsAccessAndIdTokensApart) {
  const std::string access = Draft().Sign();
  EXPECT_EQ(Judged(access, TokenUse::kId), "unauthenticated: the token is for another use");
  EXPECT_EQ(Judged(access, TokenUse::kAccess), "good");
  EXPECT_EQ(Judged(access, TokenUse::kId), "unauthenticated: the token is for another use");
  Draft id{.claims = IdClaims()};
  EXPECT_EQ(Judged(id.Claim("\"aud\"", "\"client_id\"").Sign(), TokenUse::kId),
            "unauthenticated: " + ClaimReason("aud"));
  EXPECT_EQ(Judged(id.Claim(R"("web-client")", R"(["web-client","x"])").Sign(), TokenUse::kId),
            "unauthenticated: " + ClaimReason("aud"));
  EXPECT_EQ(Judged(id.Claim("true", "\"true\"").Sign(), TokenUse::kId),
            "unauthenticated: " + ClaimReason("email_verified"));
  EXPECT_EQ(Judged(id.Claim("\"a@example.com\"", "[]").Sign(), TokenUse::kId),
            "unauthenticated: " + ClaimReason("email"));
}

TEST_F(VerifierTest, KnowsSeveralIssuers) {
  const Draft other = Draft()
                          .Claim(kIssuer, "https://other.example.com/pool")
                          .Claim(kClient, "other-client")
                          .Header(R"({"alg":"RS256","kid":"k2"})");
  EXPECT_EQ(Judged(other.Sign(OtherKey())), "good");
  EXPECT_EQ(Judged(other.Sign()), "unauthenticated: the signature is wrong");
  is_active_ = false;  // of the first issuer
  EXPECT_EQ(Judged(other.Sign(OtherKey())), "good");
}

TEST_F(VerifierTest, RemembersWhatItHasVerified) {
  const std::string token = Draft().Sign();
  EXPECT_EQ(Judged(token), "good");
  EXPECT_EQ(verifier_.remembered(), 1);
  EXPECT_EQ(Judged(token), "good");
  EXPECT_EQ(verifier_.remembered(), 1);
  EXPECT_NE(Judged(Draft().Sign(OtherKey())), "good");
  EXPECT_EQ(verifier_.remembered(), 1);
}

TEST_F(VerifierTest, NoticesTheEndOfWhatItRemembers) {
  const std::string token = Draft().Sign();
  ASSERT_EQ(Judged(token), "good");
  is_active_ = false;
  EXPECT_EQ(Judged(token), "unauthenticated: the account is not active");
  is_active_ = true;
  EXPECT_EQ(Judged(token), "good");

  clock_.Advance(3560 * 1000);
  EXPECT_EQ(Judged(token), "good");
  clock_.Advance(1000);
  EXPECT_EQ(Judged(token), "token-expired: the token has expired; get a new one");
  clock_.Set(kNow * 1000 - 161'000);
  EXPECT_EQ(Judged(token), "unauthenticated: the token is not good yet");
  clock_.Set(kNow * 1000);

  const KeySet taken = std::exchange(keys_.set, {});
  EXPECT_EQ(Judged(token), "unauthenticated: the key was taken back");
  keys_.set = {{.id = "k1", .key = std::make_shared<RsaPublicKey>(OtherKey().public_key())}};
  EXPECT_EQ(Judged(token), "unauthenticated: the key was taken back");
  keys_.set = taken;
  EXPECT_EQ(Judged(token), "good");
}

TEST_F(VerifierTest, SaysWhenItCannotKnow) {
  is_broken_ = true;
  const auto verified = verifier_.Verify(Draft().Sign(), TokenUse::kAccess);
  ASSERT_FALSE(verified.ok());
  EXPECT_EQ(ToProblem(verified.error()).kind->status, 503);
}

TEST_F(VerifierTest, RemembersNoMoreThanItMay) {
  Verifier verifier(Issuers(), clock_, {.remembered_max = 10});
  for (int i = 0; i < 50; ++i) {
    const std::string token = Draft().Claim("\"j1\"", fmt::format("\"j{}\"", i)).Sign();
    EXPECT_TRUE(verifier.Verify(token, TokenUse::kAccess).ok());
    EXPECT_LE(verifier.remembered(), 10);
  }
}

TEST_F(VerifierTest, ReadsWhatItWrites) {
  const Claims claims{.issuer = std::string(kIssuer),
                      .use = TokenUse::kId,
                      .client = std::string(kClient),
                      .sub = "u1",
                      .groups = {"admin"},
                      .email = "a@example.com",
                      .is_email_verified = true,
                      .name = "Anna \"A\" Ä",
                      .token_id = "j1",
                      .authenticated_unix_s = kNow,
                      .issued_unix_s = kNow,
                      .expires_unix_s = kNow + 3600};
  const std::string token = SignToken({.key = &Key(), .key_id = "k1"}, ClaimsText(claims));
  const auto principal = verifier_.Verify(token, TokenUse::kId);
  ASSERT_TRUE(principal.ok());
  EXPECT_EQ(principal->name, claims.name);
  EXPECT_EQ(principal->email, claims.email);
  EXPECT_EQ(principal->groups, claims.groups);
}

}  // namespace
}  // namespace trestle::platform::identity
