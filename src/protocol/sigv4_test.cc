#include "protocol/sigv4.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "protocol/error_names.h"

namespace trestle::protocol {
namespace {

constexpr std::string_view kId = "AKIDEXAMPLE";
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kTimestamp = "20260131T235959Z";
constexpr std::int64_t kTimeMs = 1769903999'000;

// A request that a test can take apart.
struct TestRequest {
  std::string method = "POST";
  std::string path = "/";
  std::string query;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  std::string& Header(std::string_view name) {
    for (auto& [key, value] : headers) {
      if (key == name) return value;
    }
    return headers.emplace_back(std::string(name), "").second;
  }
  void Remove(std::string_view name) {
    std::erase_if(headers, [&](const auto& it) { return it.first == name; });
  }
};

std::vector<HeaderView> HeadersOf(const TestRequest& request) {
  std::vector<HeaderView> headers;
  for (const auto& [name, value] : request.headers)
    headers.push_back({name, value});
  return headers;
}

std::optional<Refusal> Verify(const SignatureVerifier& verifier, const TestRequest& request) {
  const std::vector<HeaderView> headers = HeadersOf(request);
  return verifier.Verify({.method = request.method,
                          .path = request.path,
                          .query = request.query,
                          .headers = headers,
                          .body = request.body});
}

void Sign(TestRequest& request, const Signer& signer) {
  const std::vector<HeaderView> headers = HeadersOf(request);
  const std::string authorization = Authorization({.method = request.method,
                                                   .path = request.path,
                                                   .query = request.query,
                                                   .headers = headers,
                                                   .body = request.body},
                                                  signer, kTimestamp);
  request.Header("Authorization") = authorization;
}

class SigV4 : public testing::Test {
 protected:
  // The header form, with the signature that botocore 1.29.27 makes.
  static TestRequest PutItem() {
    TestRequest request;
    request.headers = {
        {"Host", "127.0.0.1:8000"},
        {"X-Amz-Target", "DynamoDB_20120810.PutItem"},
        {"Content-Type", "application/x-amz-json-1.0"},
        {"X-Amz-Date", std::string(kTimestamp)},
        {"Authorization",
         "AWS4-HMAC-SHA256 "
         "Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
         "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
         "Signature=5b3cc60b23d2dbe27a5a8bd0bac5c740c5bca1309675d994e3c8272193177c08"}};
    request.body = R"({"TableName":"abc"})";
    return request;
  }

  // The query form, by the same signer.
  static TestRequest Presigned() {
    TestRequest request;
    request.method = "GET";
    request.query =
        "Action=ListTables&x=a%2Fb&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE"
        "%2F20260131%2Fus-east-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20260131T235959Z"
        "&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature="
        "77ce183c7250bde40ba7d3f8479f73c4ab96ef28e05b3fbe1483f637bf1f8a25";
    request.headers = {{"Host", "127.0.0.1:8000"}};
    return request;
  }

  static SignatureRules Rules(const Clock& clock) {
    return {.keys = AccessKeys{{std::string(kId), std::string(kSecret)}, {"OTHER", "secret"}},
            .region = "us-east-1",
            .clock = &clock};
  }

  // "InvalidSignatureException: text", or "ok".
  std::string Verdict(const TestRequest& request) const { return Verdict(verifier_, request); }
  static std::string Verdict(const SignatureVerifier& verifier, const TestRequest& request) {
    const auto refusal = Verify(verifier, request);
    if (!refusal) return "ok";
    EXPECT_EQ(refusal->message.find(kSecret), std::string::npos);
    return std::string(ShortErrorName(refusal->error_type)) + ": " + refusal->message;
  }

  // The verdict on a good request after `change`.
  std::string After(const std::function<void(TestRequest&)>& change) const {
    TestRequest request = PutItem();
    change(request);
    return Verdict(request);
  }

  FixedClock clock_{kTimeMs};
  SignatureVerifier verifier_{Rules(clock_)};
};

std::string Replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST_F(SigV4, AcceptsWhatBotocoreSigned) {
  EXPECT_EQ(Verdict(PutItem()), "ok");
  EXPECT_EQ(Verdict(PutItem()), "ok");  // now with the remembered signing key
  EXPECT_EQ(Verdict(Presigned()), "ok");

  TestRequest strange_path = PutItem();
  strange_path.method = "GET";
  strange_path.path = "/a//b/../c%20d/./\xc3\xa9";
  strange_path.query = "b=2&a=1&a=0&c=%20x&d";
  strange_path.body.clear();
  strange_path.Remove("X-Amz-Target");
  strange_path.Remove("Content-Type");
  strange_path.Header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date, "
      "Signature=4e3381d657ae53358a463800e838b8c7309c6ed11ea2288fd0cd3efec059e232";
  EXPECT_EQ(Verdict(strange_path), "ok");

  TestRequest with_blanks = PutItem();
  with_blanks.path = "/x/";
  with_blanks.body = std::string("\0\xff", 2);
  with_blanks.Header("X-Amz-Target") = "\xc3\xa9";
  with_blanks.Header("My-Header") = "  a   b  c ";
  with_blanks.Remove("Content-Type");
  with_blanks.Header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=host;my-header;x-amz-date;x-amz-target, "
      "Signature=8623b79014b00d22ac665cbb37b384fceeb95390e9066e36c020cd46eba81ac5";
  EXPECT_EQ(Verdict(with_blanks), "ok");

  TestRequest with_date_header = PutItem();
  with_date_header.body = "{}";
  with_date_header.Remove("X-Amz-Date");
  with_date_header.Header("Date") = "Sat, 31 Jan 2026 23:59:59 -0000";
  with_date_header.Header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=content-type;date;host;x-amz-target, "
      "Signature=702178c0278376312d9d5d4463539f7da3fb0dfa508c9378fba687ad2e4609ef";
  EXPECT_EQ(Verdict(with_date_header), "ok");
}

TEST_F(SigV4, AnyRegionWillDoWhenNoneIsPrescribed) {
  TestRequest request = PutItem();
  request.body.clear();
  request.Header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/eu-west-3/dynamodb/aws4_request, "
      "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
      "Signature=c209a718e9507d272c6e76f711704510b9f06a5e5458c5e10173172728aa9ea2";
  EXPECT_EQ(Verdict(request),
            "InvalidSignatureException: Credential should be scoped to a valid region, not "
            "'eu-west-3'. ");
  SignatureRules rules = Rules(clock_);
  rules.region.clear();
  EXPECT_EQ(Verdict(SignatureVerifier(rules), request), "ok");
}

TEST_F(SigV4, WhatWeSignWeAccept) {
  TestRequest request = PutItem();
  const std::string by_botocore = request.Header("Authorization");
  request.Remove("Authorization");
  Sign(request, {.access_key_id = kId, .secret_access_key = kSecret, .region = "us-east-1"});
  EXPECT_EQ(request.Header("Authorization"), by_botocore);
}

// One bit changed in any part that is signed makes the request another one.
TEST_F(SigV4, RefusesAFlippedBitInEverySignedPart) {
  TestRequest signed_request = PutItem();
  signed_request.path = "/some/path";
  signed_request.query = "name=value&other=1";
  signed_request.Header("X-Amz-Content-Sha256") = HexEncode(AsBytes(Sha256(signed_request.body)));
  signed_request.Header("User-Agent") = "test/1";
  signed_request.Header("X-Empty") = "x";
  signed_request.Remove("Authorization");
  Sign(signed_request, {.access_key_id = kId, .secret_access_key = kSecret, .region = "us-east-1"});
  ASSERT_EQ(Verdict(signed_request), "ok");

  int flips = 0;
  const auto refuses_flips = [&](const std::function<std::string&(TestRequest&)>& part,
                                 std::string_view label) {
    for (std::size_t i = 0; i < part(signed_request).size(); ++i) {
      TestRequest changed = signed_request;
      part(changed)[i] = static_cast<char>(part(changed)[i] ^ 1);
      EXPECT_NE(Verdict(changed), "ok") << label << " byte " << i;
      ++flips;
    }
  };
  refuses_flips([](TestRequest& it) -> std::string& { return it.method; }, "method");
  refuses_flips([](TestRequest& it) -> std::string& { return it.path; }, "path");
  refuses_flips([](TestRequest& it) -> std::string& { return it.query; }, "query");
  refuses_flips([](TestRequest& it) -> std::string& { return it.body; }, "body");
  for (std::size_t header = 0; header < signed_request.headers.size(); ++header) {
    const std::string name = signed_request.headers[header].first;
    refuses_flips([header](TestRequest& it) -> std::string& { return it.headers[header].second; },
                  name);
    if (name == "Authorization") continue;
    refuses_flips([header](TestRequest& it) -> std::string& { return it.headers[header].first; },
                  name + " (name)");
  }
  EXPECT_GT(flips, 400);
}

TEST_F(SigV4, RefusesAFlippedBitInAPresignedQuery) {
  const TestRequest good = Presigned();
  for (std::size_t i = 0; i < good.query.size(); ++i) {
    TestRequest changed = good;
    changed.query[i] = static_cast<char>(changed.query[i] ^ 1);
    EXPECT_NE(Verdict(changed), "ok") << changed.query;
  }
}

TEST_F(SigV4, APresignedRequestHasTheBodyThatWasSigned) {
  TestRequest request = Presigned();
  request.body = "{}";
  EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException: The request signature"));
}

TEST_F(SigV4, TheTimeMayBeFifteenMinutesOff) {
  clock_.Advance(15 * 60'000);
  EXPECT_EQ(Verdict(PutItem()), "ok");
  clock_.Advance(1000);
  EXPECT_EQ(Verdict(PutItem()),
            "InvalidSignatureException: Signature expired: 20260131T235959Z is now earlier than "
            "20260201T000000Z (20260201T001500Z - 15 min.)");
  clock_.Advance(-30 * 60'000 - 1000);
  EXPECT_EQ(Verdict(PutItem()), "ok");
  clock_.Advance(-1000);
  EXPECT_EQ(Verdict(PutItem()),
            "InvalidSignatureException: Signature not yet current: 20260131T235959Z is still later "
            "than 20260131T235958Z (20260131T234458Z + 15 min.)");
}

TEST_F(SigV4, APresignedRequestHoldsAsLongAsItSays) {
  clock_.Advance(3600'000);
  EXPECT_EQ(Verdict(Presigned()), "ok");
  clock_.Advance(1000);
  EXPECT_EQ(Verdict(Presigned()),
            "InvalidSignatureException: Signature expired: 20260131T235959Z is now earlier than "
            "20260201T000000Z (20260201T010000Z - 60 min.)");
  clock_.Advance(-3600'000 - 1000);
  for (const std::string_view expires : {"0", "604801", "x", "5x", "99999999999999999999"}) {
    TestRequest request = Presigned();
    request.query = Replaced(request.query, "Expires=3600", "Expires=" + std::string(expires));
    EXPECT_TRUE(Verdict(request).starts_with("IncompleteSignatureException: X-Amz-Expires"))
        << expires;
  }
}

TEST_F(SigV4, WithoutCredentialsThereIsNoToken) {
  const std::string_view missing =
      "MissingAuthenticationTokenException: Request is missing Authentication Token";
  EXPECT_EQ(After([](auto& it) { it.Remove("Authorization"); }), missing);
  for (const std::string_view text :
       {"", "x", "AWS4", "Basic YTpi", "aws4-HMAC-SHA256 Credential=a"}) {
    EXPECT_EQ(After([&](auto& it) { it.Header("Authorization") = text; }), missing) << text;
  }
  EXPECT_EQ(After([](auto& it) {
              it.Remove("Authorization");
              it.query = "X-Amz-Credential=a&X-Amz-algorithm=b&y=X-Amz-Algorithm";
            }),
            missing);
}

TEST_F(SigV4, CredentialsInBothPlacesContradictEachOther) {
  const std::string_view both =
      "InvalidSignatureException: Found both 'X-Amz-Algorithm' as a query-string param and "
      "'Authorization' as HTTP header.";
  EXPECT_EQ(After([](auto& it) { it.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256"; }), both);
  EXPECT_EQ(After([](auto& it) {
              it.query = "X-Amz-Algorithm";
              it.Header("Authorization") = "x";
            }),
            both);
}

TEST_F(SigV4, EveryMissingPartOfTheHeaderIsListed) {
  const auto with = [&](std::string_view authorization, bool with_date) {
    return After([&](auto& it) {
      it.Header("Authorization") = authorization;
      if (!with_date) it.Remove("X-Amz-Date");
    });
  };
  const std::string credential = "Authorization header requires 'Credential' parameter. ";
  const std::string signature = "Authorization header requires 'Signature' parameter. ";
  const std::string headers = "Authorization header requires 'SignedHeaders' parameter. ";
  const std::string date =
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  const std::string start = "IncompleteSignatureException: ";
  const std::string text = "AWS4-HMAC-SHA256 Credential=,Signature=, SignedHeaders=";
  EXPECT_EQ(with("AWS4-HMAC-SHA256", false),
            start + credential + signature + headers + date + "Authorization=AWS4-HMAC-SHA256");
  EXPECT_EQ(with("AWS4-HMAC-SHA256 Credential=a", true),
            start + signature + headers + "Authorization=AWS4-HMAC-SHA256 Credential=a");
  EXPECT_EQ(with("AWS4-HMAC-SHA256 Signature=c", true),
            start + credential + headers + "Authorization=AWS4-HMAC-SHA256 Signature=c");
  EXPECT_EQ(with("AWS4-X SignedHeaders=b", false),
            start + credential + signature + date + "Authorization=AWS4-X SignedHeaders=b");
  EXPECT_EQ(with(text, true), start + credential + signature + headers + "Authorization=" + text);
  EXPECT_EQ(
      with("AWS4-HMAC-SHA256 Credential=a,SignedHeaders=b,Signature=c", false),
      start + date + "Authorization=AWS4-HMAC-SHA256 Credential=a,SignedHeaders=b,Signature=c");
}

TEST_F(SigV4, EveryMissingPartOfTheQueryIsListed) {
  const auto with = [&](std::string_view query) {
    TestRequest request = Presigned();
    request.query = query;
    return Verdict(request);
  };
  const auto missing = [](std::initializer_list<std::string_view> names) {
    std::string text = "IncompleteSignatureException: ";
    for (const std::string_view name : names) {
      text += "AWS query-string parameters must include 'X-Amz-";
      text += name;
      text += "'. ";
    }
    return text + "Re-examine the query-string parameters.";
  };
  EXPECT_EQ(with("X-Amz-Algorithm"),
            missing({"Algorithm", "Credential", "Signature", "SignedHeaders", "Date"}));
  EXPECT_EQ(with("X-Amz-Algorithm=x"),
            missing({"Credential", "Signature", "SignedHeaders", "Date"}));
  EXPECT_EQ(with("X-Amz-Algorithm=x&X-Amz-Credential=a&X-Amz-Date"),
            missing({"Signature", "SignedHeaders", "Date"}));
  EXPECT_EQ(with("X-Amz-Algorithm=x&X-Amz-Signature=a&X-Amz-Date=b&X-Amz-SignedHeaders=c"),
            missing({"Credential"}));
}

TEST_F(SigV4, TheDateMustBeReadable) {
  for (const std::string_view date :
       {"a", "20260131", "2026-01-31T23:59:59Z", "20260132T000000Z"}) {
    EXPECT_EQ(After([&](auto& it) { it.Header("X-Amz-Date") = date; }),
              "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got '" +
                  std::string(date) + "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
}

TEST_F(SigV4, TheHostMustBeSigned) {
  for (const std::string_view headers : {"x-amz-date", "content-type;hostx;x-amz-date", ";;"}) {
    EXPECT_EQ(After([&](auto& it) {
                it.Header("Authorization") =
                    Replaced(it.Header("Authorization"),
                             "content-type;host;x-amz-date;x-amz-target", headers);
              }),
              "InvalidSignatureException: 'Host' or ':authority' must be a 'SignedHeader' in the "
              "AWS Authorization.");
  }
}

TEST_F(SigV4, TheAlgorithmAndTheCredentialHaveOneForm) {
  const auto with = [&](std::string_view what, std::string_view by) {
    return After([&](auto& it) {
      it.Header("Authorization") = Replaced(it.Header("Authorization"), what, by);
    });
  };
  EXPECT_EQ(with("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"),
            "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'.");
  for (const std::string_view credential :
       {"a", "AKIDEXAMPLE/20260131/us-east-1/dynamodb",
        "AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request/x",
        "/20260131/us-east-1/dynamodb/aws4_request"}) {
    EXPECT_EQ(with("AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request", credential),
              "IncompleteSignatureException: Credential must have exactly 5 slash-delimited "
              "elements, e.g. keyid/date/region/service/term, got '" +
                  std::string(credential) + "'");
  }
}

TEST_F(SigV4, TheScopeMustBeOurs) {
  const auto with = [&](std::string_view scope) {
    return After([&](auto& it) {
      it.Header("Authorization") =
          Replaced(it.Header("Authorization"), "20260131/us-east-1/dynamodb/aws4_request", scope);
    });
  };
  EXPECT_EQ(
      with("20260131/mars/dynamodb/aws4_request"),
      "InvalidSignatureException: Credential should be scoped to a valid region, not 'mars'. ");
  EXPECT_EQ(with("20260131/us-east-1/s3/aws4_request"),
            "InvalidSignatureException: Credential should be scoped to correct service: "
            "'dynamodb'. ");
  EXPECT_EQ(with("20260131/us-east-1/dynamodb/aws5"),
            "InvalidSignatureException: Credential should be scoped with a valid terminator: "
            "'aws4_request', not 'aws5'. ");
  EXPECT_EQ(with("20260130/us-east-1/dynamodb/aws4_request"),
            "InvalidSignatureException: Date in Credential scope does not match YYYYMMDD from "
            "ISO-8601 version of date from HTTP: '20260130' != '20260131', from "
            "'20260131T235959Z'.");
  EXPECT_EQ(with("20260131/mars/s3/aws4_request"),
            "InvalidSignatureException: Credential should be scoped to a valid region, not 'mars'. "
            "Credential should be scoped to correct service: 'dynamodb'. ");
}

TEST_F(SigV4, AnUnknownKeyIsUnknownWhateverItSigned) {
  const std::string_view unknown =
      "UnrecognizedClientException: The security token included in the request is invalid.";
  EXPECT_EQ(After([](auto& it) {
              it.Header("Authorization") =
                  Replaced(it.Header("Authorization"), "AKIDEXAMPLE", "NOBODY");
            }),
            unknown);

  // Also with what the signature would be under the key that stands in for a missing one.
  TestRequest request = PutItem();
  request.Remove("Authorization");
  Sign(request, {.access_key_id = "NOBODY",
                 .secret_access_key = "0000000000000000000000000000000000000000",
                 .region = "us-east-1"});
  EXPECT_EQ(Verdict(request), unknown);
}

TEST_F(SigV4, AMismatchShowsWhatShouldHaveBeenSigned) {
  const std::string verdict = After([](auto& it) { it.body = "{}"; });
  EXPECT_EQ(verdict,
            "InvalidSignatureException: The request signature we calculated does not match the "
            "signature you provided. Check your AWS Secret Access Key and signing method. Consult "
            "the service documentation for details.\n\nThe Canonical String for this request "
            "should have been\n'POST\n/\n\ncontent-type:application/x-amz-json-1.0\n"
            "host:127.0.0.1:8000\nx-amz-date:20260131T235959Z\n"
            "x-amz-target:DynamoDB_20120810.PutItem\n\n"
            "content-type;host;x-amz-date;x-amz-target\n"
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'\n\n"
            "The String-to-Sign should have been\n'AWS4-HMAC-SHA256\n20260131T235959Z\n"
            "20260131/us-east-1/dynamodb/aws4_request\n" +
                verdict.substr(verdict.size() - 66));
  EXPECT_TRUE(verdict.ends_with("'\n"));
}

TEST_F(SigV4, AnotherKeysSecretDoesNotSignForThisOne) {
  TestRequest request = PutItem();
  request.Remove("Authorization");
  Sign(request, {.access_key_id = kId, .secret_access_key = "secret", .region = "us-east-1"});
  EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException: The request signature"));
}

// The hash in the header is what an unwary verifier believes instead of the body.
TEST_F(SigV4, AHashThatIsNotTheBodysIsAMismatch) {
  for (const std::string_view hash : {"UNSIGNED-PAYLOAD", "0000", ""}) {
    TestRequest request = PutItem();
    request.Header("X-Amz-Content-Sha256") = hash;
    request.Remove("Authorization");
    Sign(request, {.access_key_id = kId, .secret_access_key = kSecret, .region = "us-east-1"});
    EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException: The request signature"))
        << hash;
  }
}

TEST_F(SigV4, OurKeysHaveNoSessions) {
  TestRequest request = PutItem();
  request.body = "{}";
  request.Header("X-Amz-Security-Token") = "TOKEN";
  request.Header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
      "Signature=65f2a77eb36a47efa898382b9509454550bc4e736691a934a43d1b2dcd468c9a";
  EXPECT_EQ(Verdict(request),
            "UnrecognizedClientException: The security token included in the request is invalid.");
  request.Header("X-Amz-Security-Token") = "OTHER";
  EXPECT_TRUE(Verdict(request).starts_with("InvalidSignatureException"));
}

// Of several faults the first in the service's order is told.
TEST_F(SigV4, TheFirstFaultInOrderIsTold) {
  clock_.Advance(3600'000);
  const auto broken = [&](std::string_view what, std::string_view by) {
    return After([&](auto& it) {
      it.Header("Authorization") = Replaced(it.Header("Authorization"), what, by);
    });
  };
  EXPECT_TRUE(broken("AWS4-HMAC-SHA256", "AWS4-X").find("Signature expired") != std::string::npos);
  clock_.Advance(-3600'000);
  EXPECT_TRUE(After([](auto& it) {
                it.Header("Authorization") =
                    "AWS4-X Credential=a, SignedHeaders=x-amz-date, Signature=c";
              }).find("'Host'") != std::string::npos);
  EXPECT_TRUE(After([](auto& it) {
                it.Header("Authorization") =
                    "AWS4-HMAC-SHA256 Credential=NOBODY/1/mars/s3/x, SignedHeaders=host, "
                    "Signature=c";
              }).find("valid region") != std::string::npos);
}

TEST_F(SigV4, WithoutKeysOnlyTheFormCounts) {
  const SignatureVerifier open({.keys = std::nullopt, .region = "", .clock = nullptr});
  EXPECT_FALSE(open.enforces_keys());
  EXPECT_TRUE(verifier_.enforces_keys());

  TestRequest request = PutItem();
  request.body = "changed";
  request.Header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=anybody/20010101/mars/s3/x,SignedHeaders=a,Signature=b";
  request.Header("X-Amz-Date") = "20010101T000000Z";
  request.Header("X-Amz-Security-Token") = "TOKEN";
  EXPECT_EQ(Verdict(open, request), "ok");
  EXPECT_EQ(Verdict(open, Presigned()), "ok");

  request.Header("Authorization") = "AWS4-HMAC-SHA256 Credential=a,SignedHeaders=a,Signature=b";
  EXPECT_TRUE(Verdict(open, request).starts_with("IncompleteSignatureException: Credential must"));
  request.Remove("X-Amz-Date");
  EXPECT_TRUE(Verdict(open, request).starts_with("IncompleteSignatureException: Authorization"));
  request.Remove("Authorization");
  EXPECT_TRUE(Verdict(open, request).starts_with("MissingAuthenticationTokenException"));
}

// Signing keys are remembered; a caller that asks for ever new regions must not fill the memory,
// nor spoil the answers.
TEST_F(SigV4, ManyScopesKeepTheirAnswers) {
  SignatureRules rules = Rules(clock_);
  rules.region.clear();
  const SignatureVerifier verifier(rules);
  for (int i = 0; i < 1200; ++i) {
    TestRequest request = PutItem();
    const std::string region = "region-" + std::to_string(i % 1100);
    request.Remove("Authorization");
    Sign(request, {.access_key_id = kId, .secret_access_key = kSecret, .region = region});
    ASSERT_EQ(Verdict(verifier, request), "ok");
  }
}

}  // namespace
}  // namespace trestle::protocol
