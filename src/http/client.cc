#include "http/client.h"

#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "http/client_connection_internal.h"

namespace trestle::http {
namespace {

constexpr std::size_t kGetBodyBytesMax = 1024 * 1024;
constexpr std::size_t kReadBytes = 64UL * 1024;

constexpr std::uint16_t DefaultPort(bool is_tls) { return is_tls ? 443 : 80; }

std::string RequestText(const Origin& origin, const ClientRequest& request) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", request.method, request.target,
                                 HostText(origin));
  for (const Header& header : request.headers)
    AppendHeader(header.name, header.value, text);
  if (!request.body.empty() || request.method != "GET") {
    AppendHeader("Content-Length", fmt::format("{}", request.body.size()), text);
  }
  text += "\r\n";
  text += request.body;
  return text;
}

// One request and its response; the parser's state says how it went.
Status Exchange(ClientConnection& connection, std::string_view request, ResponseParser& parser,
                ClientConnection::Deadline deadline) {
  TRY(connection.Write(request, deadline));
  std::array<char, kReadBytes> buffer;
  while (parser.state() == ResponseParser::State::kReading) {
    const std::size_t size = TRY(connection.Read(buffer, deadline));
    if (size == 0) {
      parser.Close();
    } else {
      parser.Add({buffer.data(), size});
    }
  }
  if (parser.state() == ResponseParser::State::kComplete) return Ok();
  return Error(ErrorCode::kUnavailable, std::string(parser.refusal()));
}

}  // namespace

std::string HostText(const Origin& origin) {
  const bool is_ipv6 = origin.host.find(':') != std::string::npos;
  std::string text = is_ipv6 ? fmt::format("[{}]", origin.host) : origin.host;
  if (origin.port != DefaultPort(origin.is_tls)) text += fmt::format(":{}", origin.port);
  return text;
}

Result<Url> ParseUrl(std::string_view text) {
  const Error refused = ValidationError(fmt::format("{} is not an http or https address", text));
  Url url;
  std::string_view rest = text;
  url.origin.is_tls = rest.starts_with("https://");
  if (!url.origin.is_tls && !rest.starts_with("http://")) return refused;
  rest.remove_prefix(rest.find("//") + 2);

  std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  rest.remove_prefix(authority.size());
  if (rest.find_first_of("# \t\r\n") != std::string_view::npos) return refused;
  if (!rest.empty())
    url.target = rest.front() == '/' ? std::string(rest) : fmt::format("/{}", rest);

  std::string_view port;
  const std::size_t bracket = authority.find(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    port = authority.substr(colon + 1);
    authority = authority.substr(0, colon);
    if (port.empty()) return refused;
  }
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
  }
  if (authority.empty() || authority.find_first_of("@[] \t\r\n") != std::string_view::npos) {
    return refused;
  }
  url.origin.host = authority;
  url.origin.port = DefaultPort(url.origin.is_tls);
  if (!port.empty()) {
    const char* end = port.data() + port.size();
    const auto parsed = std::from_chars(port.data(), end, url.origin.port);
    if (parsed.ec != std::errc() || parsed.ptr != end) return refused;
  }
  if (url.origin.port == 0) return refused;
  return url;
}

Client::Client(ClientOptions options) : options_(std::move(options)) {}
Client::~Client() = default;

std::unique_ptr<ClientConnection> Client::TakeIdle() {
  const auto oldest =
      std::chrono::steady_clock::now() - std::chrono::milliseconds(options_.idle_ms_max);
  while (true) {
    std::unique_ptr<ClientConnection> connection;
    {
      const MutexLock lock(mutex_);
      if (idle_.empty()) return nullptr;
      connection = std::move(idle_.back());
      idle_.pop_back();
    }
    if (connection->idle_since >= oldest && !connection->IsStale()) return connection;
  }
}

void Client::PutBack(std::unique_ptr<ClientConnection> connection) {
  connection->idle_since = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  if (idle_.size() < options_.idle_connections_max) idle_.push_back(std::move(connection));
}

std::variant<ClientResponse, ClientFailure> Client::Send(const ClientRequest& request) {
  const auto failure = [&](bool may_have_arrived, const Error& error) {
    return ClientFailure{
        .may_have_arrived = may_have_arrived,
        .reason = fmt::format("no answer from {} port {}: {}", options_.origin.host,
                              options_.origin.port, error.message())};
  };
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(request.timeout_ms);
  std::unique_ptr<ClientConnection> connection = TakeIdle();
  if (connection == nullptr) {
    auto opened = ClientConnection::Open(options_.origin, options_.tls, deadline);
    if (!opened.ok()) return failure(false, opened.error());
    connection = *std::move(opened);
  }

  ResponseParser parser(options_.body_bytes_max);
  const Status exchanged =
      Exchange(*connection, RequestText(options_.origin, request), parser, deadline);
  if (!exchanged.ok()) return failure(true, exchanged.error());
  if (parser.keeps_alive()) PutBack(std::move(connection));
  return std::move(parser.response());
}

Result<ClientResponse> Get(const GetRequest& request) {
  Client client({.origin = {.host = request.address, .port = request.port},
                 .body_bytes_max = kGetBodyBytesMax,
                 .idle_connections_max = 0});
  const Header close = {"Connection", "close"};
  auto result = client.Send(
      {.target = request.path, .headers = {&close, 1}, .timeout_ms = request.timeout_ms});
  if (auto* response = std::get_if<ClientResponse>(&result)) return std::move(*response);
  return Error(ErrorCode::kUnavailable, std::move(std::get<ClientFailure>(result).reason));
}

}  // namespace trestle::http
