// Credentials that a container's or an instance's metadata service hands out.

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "http/client.h"
#include "http/origin.h"
#include "json/json.h"
#include "protocol/canonical_request.h"
#include "remote/credential_sources_internal.h"

namespace trestle::remote {
namespace {

constexpr std::int64_t kContainerTimeoutMs = 5000;
// Elsewhere than on an instance nobody answers, and everybody waits.
constexpr std::int64_t kInstanceTimeoutMs = 1000;
constexpr std::size_t kBodyBytesMax = 64UL * 1024;

Error NoCredentials(std::string_view source, std::string_view why) {
  return {ErrorCode::kAccessDenied, fmt::format("{} gave no credentials: {}", source, why)};
}

std::variant<http::ClientResponse, http::ClientFailure> Ask(const http::Url& url,
                                                            const CredentialOptions& options,
                                                            http::ClientRequest request) {
  http::Client client({.origin = url.origin, .tls = options.tls, .body_bytes_max = kBodyBytesMax});
  request.target = url.target;
  return client.Send(request);
}

// "2026-01-31T23:59:59Z" without its marks is a timestamp of signatures.
std::optional<std::int64_t> ParseExpiration(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('.'))) {
    if (c != '-' && c != ':') digits += c;
  }
  if (!digits.ends_with('Z')) digits += 'Z';
  const auto unix_s = protocol::ParseTimestamp(digits);
  if (!unix_s) return std::nullopt;
  return *unix_s * 1000;
}

std::string MemberText(json::Object object, std::string_view name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

Result<std::optional<Credentials>> ParseCredentials(std::string_view source,
                                                    std::string_view body) {
  json::Parser parser;
  const auto parsed = parser.Parse(body);
  json::Object object;
  if (!parsed.ok() || parsed->get(object) != simdjson::SUCCESS) {
    return NoCredentials(source, "the answer is not JSON");
  }
  Credentials credentials{.access_key_id = MemberText(object, "AccessKeyId"),
                          .secret_access_key = MemberText(object, "SecretAccessKey"),
                          .session_token = MemberText(object, "Token"),
                          .expires_unix_ms = ParseExpiration(MemberText(object, "Expiration"))};
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty()) {
    return NoCredentials(source, "the answer has no keys");
  }
  return std::optional(std::move(credentials));
}

// A name in the URL could be anybody's: without TLS only this machine and the container agents are
// told the token.
bool MayBeAsked(const http::Origin& origin) {
  const std::string& host = origin.host;
  return origin.is_tls || http::IsLoopbackHost(http::HostText(origin)) || host == "169.254.170.2" ||
         host == "169.254.170.23" || host == "fd00:ec2::23";
}

Result<std::string> AuthorizationToken(const Environment& environment) {
  std::string token(environment.Find("AWS_CONTAINER_AUTHORIZATION_TOKEN"));
  const std::string file(environment.Find("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"));
  if (!file.empty()) {
    auto text = environment.read_file(file);
    if (!text) return NoCredentials("The container", "its token file cannot be read");
    token = *std::move(text);
    while (token.ends_with('\n') || token.ends_with('\r'))
      token.pop_back();
  }
  if (token.find_first_of("\r\n") != std::string::npos) {
    return NoCredentials("The container", "its token has more than one line");
  }
  return token;
}

}  // namespace

Result<std::optional<Credentials>> FromContainer(const CredentialOptions& options) {
  constexpr std::string_view kSource = "The container";
  const std::string_view relative =
      options.environment.Find("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  std::string address(options.environment.Find("AWS_CONTAINER_CREDENTIALS_FULL_URI"));
  if (!relative.empty()) address = fmt::format("{}{}", options.container_origin, relative);
  if (address.empty()) return std::optional<Credentials>();

  const http::Url url = TRY(http::ParseUrl(address));
  if (relative.empty() && !MayBeAsked(url.origin)) {
    return NoCredentials(kSource, fmt::format("{} is not a host to ask", url.origin.host));
  }
  const std::string token = TRY(AuthorizationToken(options.environment));
  const http::Header authorization = {"Authorization", token};
  http::ClientRequest request{.timeout_ms = kContainerTimeoutMs};
  if (!token.empty()) request.headers = {&authorization, 1};
  const auto result = Ask(url, options, request);
  if (const auto* failure = std::get_if<http::ClientFailure>(&result)) {
    return NoCredentials(kSource, failure->reason);
  }
  const auto& response = std::get<http::ClientResponse>(result);
  if (response.status != 200) {
    return NoCredentials(kSource, fmt::format("it answers {}", response.status));
  }
  return ParseCredentials(kSource, response.body);
}

Result<std::optional<Credentials>> FromInstance(const CredentialOptions& options) {
  constexpr std::string_view kSource = "The instance's metadata service";
  if (http::EqualsIgnoringCase(options.environment.Find("AWS_EC2_METADATA_DISABLED"), "true")) {
    return std::optional<Credentials>();
  }
  std::string origin(options.environment.Find("AWS_EC2_METADATA_SERVICE_ENDPOINT"));
  if (origin.empty()) origin = options.instance_origin;
  while (origin.ends_with('/'))
    origin.pop_back();
  const auto ask = [&](std::string_view method, std::string_view path,
                       http::Header header) -> Result<std::optional<http::ClientResponse>> {
    const http::Url url = TRY(http::ParseUrl(fmt::format("{}{}", origin, path)));
    auto result =
        Ask(url, options,
            {.method = method, .headers = {&header, 1}, .timeout_ms = kInstanceTimeoutMs});
    auto* response = std::get_if<http::ClientResponse>(&result);
    if (response == nullptr || response->status != 200) {
      return std::optional<http::ClientResponse>();
    }
    return std::optional(std::move(*response));
  };

  // Nobody there: not an instance, which is no fault.
  const auto token =
      TRY(ask("PUT", "/latest/api/token", {"X-aws-ec2-metadata-token-ttl-seconds", "21600"}));
  if (!token) return std::optional<Credentials>();
  const http::Header token_header = {"X-aws-ec2-metadata-token", token->body};
  constexpr std::string_view kPath = "/latest/meta-data/iam/security-credentials/";
  const auto role = TRY(ask("GET", kPath, token_header));
  if (!role || role->body.empty()) return NoCredentials(kSource, "the instance has no role");
  const std::string name = role->body.substr(0, role->body.find_first_of("\r\n"));
  const auto keys = TRY(ask("GET", fmt::format("{}{}", kPath, name), token_header));
  if (!keys) return NoCredentials(kSource, "the role has no keys");
  return ParseCredentials(kSource, keys->body);
}

}  // namespace trestle::remote
