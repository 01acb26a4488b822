#include "platform/service.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/log.h"
#include "base/unit_counter.h"
#include "http/origin.h"
#include "json/json.h"
#include "platform/address.h"
#include "platform/call.h"
#include "platform/idempotency.h"
#include "platform/live.h"
#include "platform/media_type.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kProblemJson = "application/problem+json";
constexpr std::string_view kText = "text/plain; charset=utf-8";

constexpr std::int64_t kSlowNs = 1'000'000'000;

// What an answer has that says nothing else. Only pages load anything (pages.h); nothing is shown
// in a frame or read by another site.
constexpr std::pair<std::string_view, std::string_view> kCommonHeaders[] = {
    {"Cache-Control", "private, no-cache"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

bool IsSafe(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

// A browser names the page that a request comes from. One of another site must not change
// anything here: while nobody signs in, the browser itself is what the server trusts.
Status CheckOrigin(const http::Request& request) {
  const auto origin = request.Find("Origin");
  if (IsSafe(request.method) || !origin) return Ok();
  const std::size_t scheme_end = origin->find("://");
  const std::string_view host =
      scheme_end == std::string_view::npos ? *origin : origin->substr(scheme_end + 3);
  if (http::EqualsIgnoringCase(host, request.Find("Host").value_or(""))) return Ok();
  return ProblemError("forbidden", "pages of other sites may not change anything here");
}

Status CheckHost(const http::Request& request) {
  const auto host = request.Find("Host");
  if (!host || http::IsLoopbackHost(*host)) return Ok();
  return ProblemError("misdirected-request", "only loopback host names are served");
}

// Whether one of some media types, which have a blank between, is right.
bool AnyOf(std::string_view types, const std::function<bool(std::string_view)>& is_right) {
  while (!types.empty()) {
    const std::string_view type = types.substr(0, types.find(' '));
    if (is_right(type)) return true;
    types.remove_prefix(std::min(type.size() + 1, types.size()));
  }
  return false;
}

Status CheckMediaTypes(const http::Request& request, const Route& route) {
  const auto accept = request.Find("Accept");
  const auto is_accepted = [&](std::string_view type) { return Accepts(*accept, type); };
  if (accept && !is_accepted(kJson) && !AnyOf(route.gives, is_accepted)) {
    return ProblemError("not-acceptable",
                        fmt::format("answers are application/json{}{}",
                                    route.gives.empty() ? "" : " or ", route.gives));
  }
  if (request.body.empty()) return Ok();
  const std::string_view type = request.Find("Content-Type").value_or("");
  const auto is_type = [&](std::string_view wanted) { return IsMediaType(type, wanted); };
  if (is_type(kJson) || AnyOf(route.takes, is_type)) return Ok();
  if (request.method == "PATCH" && is_type(kMergePatch)) return Ok();
  if (request.method == "PATCH") {
    return ProblemError("unsupported-media-type",
                        "the body must be application/merge-patch+json or application/json");
  }
  return ProblemError("unsupported-media-type",
                      fmt::format("the body must be application/json{}{}, in UTF-8",
                                  route.takes.empty() ? "" : " or ", route.takes));
}

Error TooLarge(std::size_t bytes_max) {
  return ProblemError("too-large", fmt::format("a body may have at most {} MB here",
                                               bytes_max / (std::size_t{1024} * 1024)));
}

Status CheckAccess(const Route& route, const std::optional<Principal>& principal) {
  if (route.access == Access::kPublic) return Ok();
  if (!principal) return ProblemError("unauthenticated", "sign in first");
  const bool is_admin = principal->IsIn("admin");
  if (route.access == Access::kAdmin && !is_admin) {
    return ProblemError("forbidden", "only administrators may do this");
  }
  if (route.access == Access::kModerator && !is_admin && !principal->IsIn("moderator")) {
    return ProblemError("forbidden", "only moderators may do this");
  }
  return Ok();
}

http::Response TextResponse(int status, std::string_view type, std::string body) {
  return {
      .status = status, .content_type = std::string(type), .body = std::move(body), .headers = {}};
}

void AddCommonHeaders(const std::string& request_id, http::Response& response) {
  response.headers.emplace_back("X-Request-Id", request_id);
  for (const auto& common : kCommonHeaders) {
    const auto is_same = [&](const auto& header) { return header.first == common.first; };
    if (std::ranges::none_of(response.headers, is_same)) {
      response.headers.emplace_back(common.first, common.second);
    }
  }
}

// What is kept of an answer for who sends its request again.
void Keep(const http::Response& response,
          const std::vector<std::pair<std::string, std::string>>& headers,
          Idempotency::Running& running) {
  StoredAnswer answer{.status = response.status, .headers = headers, .body = response.body};
  if (!response.content_type.empty()) {
    answer.headers.emplace_back("Content-Type", response.content_type);
  }
  const Status kept = running.Finish(answer);
  if (!kept.ok()) log::Error("an answer was not kept", {{"reason", kept.error().message()}});
}

http::Response Replay(StoredAnswer answer,
                      std::vector<std::pair<std::string, std::string>>& headers) {
  std::string type;
  for (auto& [name, value] : answer.headers) {
    if (name == "Content-Type") {
      type = std::move(value);
    } else {
      headers.emplace_back(std::move(name), std::move(value));
    }
  }
  headers.emplace_back("Idempotent-Replayed", "true");
  return TextResponse(answer.status, type, std::move(answer.body));
}

std::string ProblemPage(const ProblemKind& kind) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("code");
  writer.String(kind.code);
  writer.Key("status");
  writer.Integer(kind.status);
  writer.Key("title");
  writer.String(kind.title);
  writer.EndObject();
  return body;
}

}  // namespace

// A request from its arrival to its answer.
struct Service::Visit {
  http::Exchange exchange;
  const http::Request* request;  // valid until the reply
  std::string request_id;
  std::int64_t started_ns;
  std::size_t route_index;
  Router::Match match;
  QueryParameters query;
  std::vector<std::pair<std::string, std::string>> headers;  // of an answer without a handler
  struct Place {
    LiveHub* hub;
    LiveHub::Place place;
  };
  std::optional<Place> live = {};  // the answer goes on as a stream
  Units units = {};                // that it has consumed
};

Service::Service(ServiceOptions options)
    : options_(std::move(options)),
      router_(options_.mounts),
      identifiers_(*options_.random),
      metrics_(router_.names().size()),
      limiter_(options_.request_limit
                   ? std::make_unique<RateLimiter>(*options_.request_limit, *options_.clock)
                   : nullptr),
      workers_(options_.workers) {}

Service::~Service() = default;

std::string Service::NewRequestId() const { return identifiers_.Ulid(options_.clock->NowUnixMs()); }

Status Service::IsReady() const { return options_.is_ready ? options_.is_ready() : Ok(); }

void Service::Handle(const http::Request& request, http::Exchange exchange) {
  try {
    Receive(request, std::move(exchange));
  } catch (...) {  // the exchange, which is gone by now, has answered 500
    log::Error("request failed with an exception", {});
  }
}

void Service::Receive(const http::Request& request, http::Exchange exchange) {
  auto visit = std::make_unique<Visit>(Visit{.exchange = std::move(exchange),
                                             .request = &request,
                                             .request_id = NewRequestId(),
                                             .started_ns = options_.clock->SteadyNs(),
                                             .route_index = router_.names().size(),
                                             .match = {},
                                             .query = {},
                                             .headers = {}});
  auto answer = Admit(*visit);
  if (answer.ok() && !*answer) return HandOver(std::move(visit));
  http::Response response =
      answer.ok() ? **std::move(answer) : ProblemResponse(answer.error(), *visit);
  Complete(*visit, response);
  visit->exchange.Reply(std::move(response));
}

Result<std::optional<http::Response>> Service::Admit(Visit& visit) const {
  const http::Request& request = *visit.request;
  if (options_.requires_loopback_host) TRY(CheckHost(request));
  TRY(CheckOrigin(request));
  if (options_.pages != nullptr) {
    if (auto page = FindPage(*options_.pages, request)) return page;
  }
  auto own = OwnPage(request.path);
  if (!own) return FindRoute(visit);
  if (request.method == "GET" || request.method == "HEAD") return own;
  visit.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
  if (request.method == "OPTIONS") return std::optional(TextResponse(204, "", ""));
  return ProblemError("method-not-allowed", "this address can only be read");
}

Result<std::optional<http::Response>> Service::FindRoute(Visit& visit) const {
  const http::Request& request = *visit.request;
  const auto segments = SplitPath(request.path);
  if (!segments) return ProblemError("bad-request", "the path cannot be decoded as UTF-8");
  visit.match = router_.Find(request.method, *segments);
  if (visit.match.allow.empty()) return ProblemError("not-found", "there is nothing here");
  if (visit.match.route == nullptr) {
    visit.headers.emplace_back("Allow", visit.match.allow);
    if (request.method == "OPTIONS") return std::optional(TextResponse(204, "", ""));
    return ProblemError("method-not-allowed",
                        fmt::format("this address knows {}", visit.match.allow));
  }
  visit.route_index = visit.match.route_index;
  const std::size_t body_bytes_max = visit.match.route->body_bytes_max;
  if (request.body.size() > body_bytes_max) return TooLarge(body_bytes_max);
  TRY(CheckMediaTypes(request, *visit.match.route));
  visit.query = TRY(ParseQuery(request.query));
  return std::optional<http::Response>();
}

std::optional<http::Response> Service::OwnPage(std::string_view path) const {
  constexpr std::string_view kProblems = "/problems/";
  if (path == "/") return TextResponse(200, kJson, IndexText());
  if (path == "/healthz") return TextResponse(200, kText, "ok\n");
  if (path == "/metrics") return TextResponse(200, kText, MetricsText());
  if (path == "/readyz") {
    const Status status = IsReady();
    if (status.ok()) return TextResponse(200, kText, "ok\n");
    return TextResponse(503, kText, status.error().message() + "\n");
  }
  if (!path.starts_with(kProblems)) return std::nullopt;
  const ProblemKind* kind = FindProblemKind(path.substr(kProblems.size()));
  if (kind == nullptr) return std::nullopt;
  return TextResponse(200, kJson, ProblemPage(*kind));
}

void Service::HandOver(std::unique_ptr<Visit> visit) {
  Visit& shown = *visit;  // the task has it, also when it is refused
  http::Task task([this, visit = std::move(visit)]() mutable {
    http::Response response = RunCounted(*visit);
    Complete(*visit, response);
    http::Loop& loop = visit->exchange.loop();
    loop.Post([visit = std::move(visit), response = std::move(response)]() mutable {
      if (!visit->live) return visit->exchange.Reply(std::move(response));
      visit->live->hub->Join(visit->live->place, visit->exchange.ReplyInPieces(response));
    });
  });
  if (workers_.Offer(task)) return;
  http::Response response =
      ProblemResponse(ProblemError("unavailable", "too many requests wait; try again"), shown);
  Complete(shown, response);
  shown.exchange.Reply(std::move(response));
}

http::Response Service::RunCounted(Visit& visit) const {
  const UnitCounter counter;
  http::Response response = Run(visit);
  visit.units = counter.units();
  if (visit.request->Find("X-Debug") == "units") {
    response.headers.emplace_back(
        "X-Consumed-Units", fmt::format("read={}, write={}", visit.units.read, visit.units.write));
  }
  return response;
}

// We do not throw; the standard library may. This catch and that of Handle are the only ones.
http::Response Service::Run(Visit& visit) const {
  try {
    return RunHandler(visit);
  } catch (...) {
    log::Error("request failed with an exception", {{"request_id", visit.request_id}});
    return ProblemResponse(Error(ErrorCode::kInternal, "exception"), visit);
  }
}

http::Response Service::RunHandler(Visit& visit) const {
  const Route& route = *visit.match.route;
  Call call({.request = visit.request,
             .mount = visit.match.mount,
             .route = &route,
             .request_id = visit.request_id,
             .path_values = std::move(visit.match.values),
             .query = std::move(visit.query),
             .principal = std::nullopt});
  const Status entered = Enter(call);
  visit.headers = call.headers();
  if (!entered.ok()) return ProblemResponse(entered.error(), visit);

  const Shared* const shared = call.mount().shared;
  Idempotency* const requests = shared == nullptr ? nullptr : shared->idempotency;
  const auto key = call.Header("Idempotency-Key");
  if (!key || requests == nullptr || route.method != "POST" || !call.principal()) {
    return Respond(call, visit);
  }
  auto begun = requests->Begin(
      {.sub = call.sub(), .key = *key, .fingerprint = FingerprintOf(call.request())});
  if (!begun.ok()) return ProblemResponse(begun.error(), visit);
  Idempotency::Begun one = *std::move(begun);
  if (auto* answer = std::get_if<StoredAnswer>(&one)) {
    return Replay(std::move(*answer), visit.headers);
  }
  auto& running = std::get<Idempotency::Running>(one);
  call.SetRunning(&running);
  http::Response response = Respond(call, visit);
  Keep(response, visit.headers, running);
  return response;
}

Status Service::Enter(Call& call) const {
  Result<std::optional<Principal>> principal = std::optional<Principal>();
  if (options_.identify) principal = options_.identify(call.request());
  // Who signs in, or renews a token, may send one that is of no use any more.
  const bool is_entrance = call.route().access == Access::kPublic && call.app().design.empty();
  if (!principal.ok() && is_entrance) principal = std::optional<Principal>();
  // Who has no right token is known by the address.
  TRY(TakeRequest(call, principal.ok() ? *principal : std::nullopt));
  call.SetPrincipal(TRY(std::move(principal)));
  return CheckAccess(call.route(), call.principal());
}

Status Service::TakeRequest(Call& call, const std::optional<Principal>& principal) const {
  if (limiter_ == nullptr) return Ok();
  const auto wait_s = limiter_->Take(principal ? fmt::format("sub {}", principal->sub)
                                               : fmt::format("at {}", call.request().peer));
  if (!wait_s) return Ok();
  call.AddHeader("Retry-After", std::to_string(*wait_s));
  return ProblemError("rate-limited", "too many requests; wait a moment");
}

http::Response Service::Respond(Call& call, Visit& visit) const {
  std::string body;
  json::Writer writer(body);
  const Status status = Answer(call, visit, writer);
  visit.headers = call.headers();
  if (!status.ok()) {
    return ProblemResponse(WithJsonNames(status.error(), call.app().names), visit);
  }
  if (call.topics()) return Subscribe(call, visit);
  const std::string type = body.empty() ? "" : call.content_type();
  return TextResponse(call.status(), type, std::move(body));
}

http::Response Service::Subscribe(Call& call, Visit& visit) {
  LiveHub* const hub = call.shared().live;
  CHECK(hub != nullptr, "an app with streams is served with a hub");
  const auto& principal = call.principal();
  LiveSubscription subscription{
      .app = std::string(call.app().name),
      .sub = principal ? principal->sub : fmt::format("at {}", call.request().peer),
      .topics = *call.topics()};
  if (const auto last = call.Header("Last-Event-ID")) subscription.last_event_id = *last;
  if (principal && principal->expires_unix_s > 0) {
    subscription.expires_unix_ms = principal->expires_unix_s * 1000;
  }
  const auto place = hub->Reserve(std::move(subscription));
  if (!place.ok()) return ProblemResponse(place.error(), visit);
  visit.live = {.hub = hub, .place = *place};
  return TextResponse(200, kEventStream, "");
}

// Ids in paths have letters, digits, -, _ and points, so that none can be more than one part of a
// key.
bool HasPossibleIds(const Call& call) {
  constexpr std::size_t kIdCharactersMax = 64;
  const auto is_of_id = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  const auto names = PlaceholdersOf(call.route().path);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& value = call.path_values()[i];
    if (names[i] == "email") continue;
    if (value.size() > kIdCharactersMax || !std::ranges::all_of(value, is_of_id)) return false;
  }
  return true;
}

// Whoever has written something may wait until lists, searches and counts know of it.
void Settle(Call& call) {
  const std::chrono::seconds wait = call.PreferredWait();
  if (wait.count() == 0 || !call.mount().settle || !call.mount().settle(wait)) return;
  call.AddHeader("Preference-Applied", fmt::format("wait={}", wait.count()));
}

Status Service::Answer(Call& call, const Visit& visit, json::Writer& reply) const {
  const Route& route = call.route();
  if (!call.app().design.empty() && !HasPossibleIds(call)) {
    return ProblemError("not-found", "there is nothing here");
  }
  if (call.app().admit != nullptr && call.principal()) TRY(call.app().admit(call));
  if (route.method == "GET" && call.principal()) Settle(call);
  if (std::holds_alternative<std::monostate>(route.subject)) {
    call.SetArguments(TRY(visit.match.shapes->Query(route, call.query())));
  }
  if (!route.body.empty()) {
    const json::Tree::Object body = call.HasBody() ? TRY(call.Body()) : json::Tree::Object();
    design::FieldRules rules;
    if (route.check != nullptr) {
      rules = [&](const design::Record& /*now*/, const design::Record& given,
                  std::vector<FieldFailure>& failures) { route.check(call, given, failures); };
    }
    call.SetFields(TRY(visit.match.shapes->Body(route, body, rules)));
  }
  return route.handle(call, reply);
}

http::Response Service::ProblemResponse(const Error& error, const Visit& visit) {
  const Problem problem = ToProblem(error);
  const int status = problem.kind->status;
  if (status == 500) {
    log::Error("request failed", {{"request_id", visit.request_id}, {"reason", error.message()}});
  }
  std::string body;
  AppendProblem(problem, {.instance = visit.request->path, .request_id = visit.request_id}, body);
  http::Response response = TextResponse(status, kProblemJson, std::move(body));
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (status == 415 && visit.request->method == "PATCH") {
    response.headers.emplace_back("Accept-Patch", fmt::format("{}, {}", kMergePatch, kJson));
  }
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  const auto says_when = [](const auto& header) { return header.first == "Retry-After"; };
  if (status == 429 && std::ranges::none_of(visit.headers, says_when)) {
    response.headers.emplace_back("Retry-After", "30");
  }
  return response;
}

// Adds what every answer has, counts the request and writes its line. The path is not logged: it
// holds names of items.
void Service::Complete(const Visit& visit, http::Response& response) const {
  const auto& own = visit.headers;
  response.headers.insert(response.headers.end(), own.begin(), own.end());
  AddCommonHeaders(visit.request_id, response);

  const std::int64_t duration_ns = options_.clock->SteadyNs() - visit.started_ns;
  metrics_.Count(visit.route_index,
                 {.status = response.status, .duration_ns = duration_ns, .units = visit.units});
  const auto& names = router_.names();
  const auto write = duration_ns < kSlowNs ? log::Info : log::Warn;
  write(duration_ns < kSlowNs ? "request" : "slow request",
        {{"request_id", visit.request_id},
         {"route", visit.route_index < names.size() ? names[visit.route_index] : "none"},
         {"status", std::to_string(response.status)},
         {"duration_us", std::to_string(duration_ns / 1000)},
         {"read_units", fmt::format("{}", visit.units.read)},
         {"write_units", fmt::format("{}", visit.units.write)},
         {"request_bytes", std::to_string(visit.request->body.size())},
         {"reply_bytes", std::to_string(response.body.size())}});
}

http::Response Service::Refusal(int status) const {
  const ProblemKind& kind = ProblemKindOf(status);
  const std::string request_id = NewRequestId();
  const std::string detail = status == 413 ? TooLarge(kWebBodyBytesMax).message()
                                           : "the server did not read this request to its end";
  std::string body;
  AppendProblem({.kind = &kind, .detail = detail, .errors = {}},
                {.instance = {}, .request_id = request_id}, body);
  http::Response response = TextResponse(status, kProblemJson, std::move(body));
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  AddCommonHeaders(request_id, response);
  return response;
}

std::string Service::MetricsText() const {
  Metrics::Gauges gauges = {
      .server = {}, .workers = workers_.counters(), .is_ready = IsReady().ok()};
  if (const http::Server* server = server_) gauges.server = server->counters();
  std::string text = metrics_.InText(router_.names(), gauges);
  if (options_.add_metrics) options_.add_metrics(text);
  return text;
}

std::string Service::IndexText() const {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("apps");
  writer.BeginArray();
  for (const Mount& mount : router_.mounts()) {
    writer.BeginObject();
    writer.Key("name");
    writer.String(mount.app->name);
    writer.Key("title");
    writer.String(mount.app->title);
    writer.Key("href");
    writer.String(MountPath(*mount.app));
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return body;
}

}  // namespace trestle::platform
