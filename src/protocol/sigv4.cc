#include "protocol/sigv4.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "protocol/error_names.h"

namespace trestle::protocol {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kService = "dynamodb";
constexpr std::string_view kTerminator = "aws4_request";
constexpr std::int64_t kSkewMaxS = 15 * 60;
constexpr std::int64_t kExpiresMaxS = 7 * 24 * 3600;
// Any region may be asked for when none is prescribed, so what is remembered has an end.
constexpr std::size_t kSigningKeysMax = 1024;

// A key that nobody has. A request of an unknown caller is verified with it, so that it takes the
// same way as one of a known caller.
constexpr std::string_view kNobodyId = "/";
constexpr std::string_view kNobodySecret = "0000000000000000000000000000000000000000";

HmacSha256 DeriveSigningKey(std::string_view secret, std::string_view date, std::string_view region,
                            std::string_view service) {
  const auto date_key = HmacSha256(fmt::format("AWS4{}", secret)).Sign(date);
  const auto region_key = HmacSha256(AsBytes(date_key)).Sign(region);
  const auto service_key = HmacSha256(AsBytes(region_key)).Sign(service);
  return HmacSha256(AsBytes(HmacSha256(AsBytes(service_key)).Sign(kTerminator)));
}

Refusal IncompleteSignature(std::string message) {
  return {kIncompleteSignature, std::move(message)};
}

Refusal InvalidSignature(std::string message) { return {kInvalidSignature, std::move(message)}; }

Refusal UnrecognizedClient() {
  return {kUnrecognizedClient, "The security token included in the request is invalid."};
}

// Calls `visit` with the name and the value of each part behind an Authorization header's
// algorithm: "Credential=a, SignedHeaders=b, Signature=c".
template <typename Visit>
void VisitParts(std::string_view authorization, const Visit& visit) {
  std::size_t begin = authorization.find(' ');
  std::size_t comma = 0;  // the next one, or the end
  while (begin < authorization.size()) {
    if (authorization[begin] == ',' || authorization[begin] == ' ') {
      ++begin;
      continue;
    }
    if (comma < begin) comma = std::min(authorization.find(',', begin), authorization.size());
    std::string_view part = authorization.substr(begin, comma - begin);
    part = part.substr(0, part.find(' '));
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos) visit(part.substr(0, equals), part.substr(equals + 1));
    begin += part.size();
  }
}

std::string_view FindParameter(const QueryParameters& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &QueryParameters::value_type::first);
  return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

bool IsSigned(std::string_view signed_headers, std::string_view name) {
  for (std::size_t begin = 0; begin < signed_headers.size();) {
    const std::size_t end = std::min(signed_headers.find(';', begin), signed_headers.size());
    if (signed_headers.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

bool IsRegion(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string Mismatch(std::string_view canonical_request, std::string_view string_to_sign) {
  return fmt::format(
      "The request signature we calculated does not match the signature you provided. Check your "
      "AWS Secret Access Key and signing method. Consult the service documentation for details.\n\n"
      "The Canonical String for this request should have been\n'{}'\n\n"
      "The String-to-Sign should have been\n'{}'\n",
      canonical_request, string_to_sign);
}

}  // namespace

// What a request says about its signature. Looks into the request or its decoded query.
struct SignatureVerifier::Claim {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view date;  // as sent
  std::string_view session_token;
  std::string_view expires;  // of a presigned request; seconds

  // Read from the above.
  std::array<std::string_view, 5> scope;  // access key id, date, region, service, terminator
  std::int64_t time_unix_s = 0;
  std::string timestamp;  // the date in the form that is signed

  [[nodiscard]] std::string_view access_key_id() const { return scope[0]; }
  [[nodiscard]] std::string_view scope_text() const {
    return credential.substr(access_key_id().size() + 1);
  }

  static std::optional<Refusal> FromHeader(std::span<const HeaderView> headers,
                                           std::string_view authorization, Claim& claim);
  static std::optional<Refusal> FromQuery(const QueryParameters& parameters, Claim& claim);
  std::optional<Refusal> ReadDate();
  std::optional<Refusal> ReadCredential();
};

std::optional<Refusal> SignatureVerifier::Claim::FromHeader(std::span<const HeaderView> headers,
                                                            std::string_view authorization,
                                                            Claim& claim) {
  claim.algorithm = authorization.substr(0, authorization.find(' '));
  VisitParts(authorization, [&](std::string_view name, std::string_view value) {
    if (name == "Credential") claim.credential = value;
    if (name == "Signature") claim.signature = value;
    if (name == "SignedHeaders") claim.signed_headers = value;
  });
  claim.date = FindHeader(headers, "x-amz-date").value_or("");
  if (claim.date.empty()) claim.date = FindHeader(headers, "date").value_or("");
  claim.session_token = FindHeader(headers, "x-amz-security-token").value_or("");

  std::string missing;
  const auto require = [&](std::string_view part, std::string_view name) {
    if (part.empty())
      missing += fmt::format("Authorization header requires '{}' parameter. ", name);
  };
  require(claim.credential, "Credential");
  require(claim.signature, "Signature");
  require(claim.signed_headers, "SignedHeaders");
  if (claim.date.empty()) {
    missing +=
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (missing.empty()) return std::nullopt;
  return IncompleteSignature(fmt::format("{}Authorization={}", missing, authorization));
}

std::optional<Refusal> SignatureVerifier::Claim::FromQuery(const QueryParameters& parameters,
                                                           Claim& claim) {
  std::string missing;
  const auto require = [&](std::string_view name) {
    const std::string_view value = FindParameter(parameters, name);
    if (value.empty()) {
      missing += fmt::format("AWS query-string parameters must include '{}'. ", name);
    }
    return value;
  };
  claim.algorithm = require("X-Amz-Algorithm");
  claim.credential = require("X-Amz-Credential");
  claim.signature = require("X-Amz-Signature");
  claim.signed_headers = require("X-Amz-SignedHeaders");
  claim.date = require("X-Amz-Date");
  claim.expires = FindParameter(parameters, "X-Amz-Expires");
  claim.session_token = FindParameter(parameters, "X-Amz-Security-Token");
  if (missing.empty()) return std::nullopt;
  return IncompleteSignature(missing + "Re-examine the query-string parameters.");
}

std::optional<Refusal> SignatureVerifier::Claim::ReadDate() {
  if (const auto time = ParseTimestamp(date)) {
    time_unix_s = *time;
    timestamp = date;
    return std::nullopt;
  }
  if (const auto time = ParseHttpDate(date)) {
    time_unix_s = *time;
    timestamp = TimestampOf(*time);
    return std::nullopt;
  }
  return IncompleteSignature(
      fmt::format("Date must be in ISO-8601 'basic format'. Got '{}'. See "
                  "http://en.wikipedia.org/wiki/ISO_8601",
                  date));
}

std::optional<Refusal> SignatureVerifier::Claim::ReadCredential() {
  if (algorithm != kAlgorithm) {
    return IncompleteSignature(fmt::format("Unsupported AWS 'algorithm': '{}'.", algorithm));
  }
  std::size_t begin = 0;
  std::size_t count = 0;
  while (begin <= credential.size()) {
    const std::size_t end = std::min(credential.find('/', begin), credential.size());
    if (count < scope.size()) scope[count] = credential.substr(begin, end - begin);
    ++count;
    begin = end + 1;
  }
  if (count != scope.size() || scope[0].empty()) {
    return IncompleteSignature(
        fmt::format("Credential must have exactly 5 slash-delimited elements, e.g. "
                    "keyid/date/region/service/term, got '{}'",
                    credential));
  }
  return std::nullopt;
}

SignatureVerifier::SignatureVerifier(SignatureRules rules) : rules_(std::move(rules)) {}

// The order of the checks is the service's: of several faults a client hears of the first.
std::optional<Refusal> SignatureVerifier::Verify(const RequestView& request) const {
  const std::string_view authorization = FindHeader(request.headers, "authorization").value_or("");
  const bool may_be_presigned = request.query.find("X-Amz-Algorithm") != std::string_view::npos;
  const QueryParameters parameters =
      may_be_presigned ? ParseQuery(request.query) : QueryParameters();
  const bool is_presigned =
      std::ranges::find(parameters, "X-Amz-Algorithm", &QueryParameters::value_type::first) !=
      parameters.end();

  if (is_presigned && !authorization.empty()) {
    return InvalidSignature(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (!is_presigned && !authorization.starts_with("AWS4-")) {
    return Refusal{kMissingAuthenticationToken, "Request is missing Authentication Token"};
  }

  Claim claim;
  if (auto refusal = is_presigned ? Claim::FromQuery(parameters, claim)
                                  : Claim::FromHeader(request.headers, authorization, claim)) {
    return refusal;
  }
  if (auto refusal = claim.ReadDate()) return refusal;
  if (!enforces_keys()) return claim.ReadCredential();

  if (auto refusal = CheckTime(claim)) return refusal;
  if (!IsSigned(claim.signed_headers, "host")) {
    return InvalidSignature(
        "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  }
  if (auto refusal = claim.ReadCredential()) return refusal;
  if (auto refusal = CheckScope(claim)) return refusal;
  return CheckSignature(request, claim);
}

std::optional<Refusal> SignatureVerifier::CheckTime(const Claim& claim) const {
  std::int64_t lifetime_s = kSkewMaxS;
  if (!claim.expires.empty()) {
    const char* end = claim.expires.data() + claim.expires.size();
    const auto read = std::from_chars(claim.expires.data(), end, lifetime_s);
    if (read.ec != std::errc() || read.ptr != end || lifetime_s < 1 || lifetime_s > kExpiresMaxS) {
      return IncompleteSignature(
          fmt::format("X-Amz-Expires must be a number of seconds between 1 and {}, got '{}'",
                      kExpiresMaxS, claim.expires));
    }
  }

  const std::int64_t now_unix_s = rules_.clock->NowUnixMs() / 1000;
  if (claim.time_unix_s < now_unix_s - lifetime_s) {
    return InvalidSignature(fmt::format(
        "Signature expired: {} is now earlier than {} ({} - {} min.)", claim.timestamp,
        TimestampOf(now_unix_s - lifetime_s), TimestampOf(now_unix_s), lifetime_s / 60));
  }
  if (claim.time_unix_s > now_unix_s + kSkewMaxS) {
    return InvalidSignature(fmt::format(
        "Signature not yet current: {} is still later than {} ({} + {} min.)", claim.timestamp,
        TimestampOf(now_unix_s + kSkewMaxS), TimestampOf(now_unix_s), kSkewMaxS / 60));
  }
  return std::nullopt;
}

std::optional<Refusal> SignatureVerifier::CheckScope(const Claim& claim) const {
  const auto& [id, date, region, service, terminator] = claim.scope;
  std::string wrong;
  if (rules_.region.empty() ? !IsRegion(region) : region != rules_.region) {
    wrong += fmt::format("Credential should be scoped to a valid region, not '{}'. ", region);
  }
  if (service != kService) {
    wrong += fmt::format("Credential should be scoped to correct service: '{}'. ", kService);
  }
  if (terminator != kTerminator) {
    wrong += fmt::format("Credential should be scoped with a valid terminator: '{}', not '{}'. ",
                         kTerminator, terminator);
  }
  const std::string_view signing_date = std::string_view(claim.timestamp).substr(0, 8);
  if (date != signing_date) {
    wrong += fmt::format(
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
        "'{}' != '{}', from '{}'.",
        date, signing_date, claim.timestamp);
  }
  if (wrong.empty()) return std::nullopt;
  return InvalidSignature(std::move(wrong));
}

std::optional<Refusal> SignatureVerifier::CheckSignature(const RequestView& request,
                                                         const Claim& claim) const {
  const std::string body_hash = HexEncode(AsBytes(Sha256(request.body)));
  const std::string canonical = CanonicalRequest(request, claim.signed_headers, body_hash);
  const std::string to_sign = StringToSign(claim.timestamp, claim.scope_text(), canonical);

  const auto key = rules_.keys->find(claim.access_key_id());
  const bool is_known = key != rules_.keys->end();
  const HmacSha256 signing_key = is_known ? SigningKey(key->first, key->second, claim)
                                          : SigningKey(kNobodyId, kNobodySecret, claim);
  const std::string expected = HexEncode(AsBytes(signing_key.Sign(to_sign)));
  bool matches = ConstantTimeEqual(expected, claim.signature);

  // A hash in a header that is not the body's was signed by somebody who did not know the body.
  const auto claimed_hash = FindHeader(request.headers, "x-amz-content-sha256");
  if (claimed_hash && *claimed_hash != body_hash) matches = false;

  if (!matches || !is_known) {
    // Both are made, so that an unknown key costs as much time as a known one.
    std::array<Refusal, 2> refusals = {UnrecognizedClient(),
                                       InvalidSignature(Mismatch(canonical, to_sign))};
    return std::move(refusals[is_known ? 1 : 0]);
  }
  // Our keys are not temporary: there is no session that a token could belong to.
  if (!claim.session_token.empty()) return UnrecognizedClient();
  return std::nullopt;
}

HmacSha256 SignatureVerifier::SigningKey(std::string_view access_key_id, std::string_view secret,
                                         const Claim& claim) const {
  const auto& [id, date, region, service, terminator] = claim.scope;
  std::string name;
  name.reserve(128);
  name += access_key_id;
  name += "/";
  name += claim.scope_text();
  {
    const MutexLock lock(mutex_);
    const auto found = signing_keys_.find(name);
    if (found != signing_keys_.end()) return found->second;
  }
  const HmacSha256 key = DeriveSigningKey(secret, date, region, service);
  const MutexLock lock(mutex_);
  if (signing_keys_.size() >= kSigningKeysMax) signing_keys_.clear();
  signing_keys_.emplace(std::move(name), key);
  return key;
}

std::string Authorization(const RequestView& request, const Signer& signer,
                          std::string_view timestamp) {
  std::vector<std::string> names;
  for (const HeaderView& header : request.headers) {
    std::string name(header.name);
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    });
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string signed_headers = fmt::format("{}", fmt::join(names, ";"));

  const std::string_view date = timestamp.substr(0, 8);
  const std::string scope =
      fmt::format("{}/{}/{}/{}", date, signer.region, signer.service, kTerminator);
  const std::string body_hash = HexEncode(AsBytes(Sha256(request.body)));
  const std::string to_sign =
      StringToSign(timestamp, scope, CanonicalRequest(request, signed_headers, body_hash));
  const HmacSha256 key =
      DeriveSigningKey(signer.secret_access_key, date, signer.region, signer.service);
  return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm,
                     signer.access_key_id, scope, signed_headers,
                     HexEncode(AsBytes(key.Sign(to_sign))));
}

}  // namespace trestle::protocol
