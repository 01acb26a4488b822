#include "wire/service.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/limits.h"
#include "base/log.h"
#include "engine/statement.h"
#include "http/origin.h"
#include "protocol/error_names.h"
#include "wire/error_reply.h"
#include "wire/gzip.h"
#include "wire/local_call.h"
#include "wire/metrics.h"
#include "wire/operations.h"
#include "wire/request_id.h"

namespace trestle::wire {
namespace {

constexpr std::string_view kJsonContentType = "application/x-amz-json-1.0";
constexpr std::string_view kUnknownPathBody = "<UnknownOperationException/>\n";

// A long page is read in slices of this length, so that other requests of the loop have a turn.
constexpr std::int64_t kSliceNs = 1'000'000;
constexpr std::size_t kRowsPerStep = 64;

// Below this compressing costs more than it saves.
constexpr std::size_t kGzipBytesMin = 1024;
// A reply this large is moved to the connection, a smaller one copied.
constexpr std::size_t kCopiedBytesMax = 64 * 1024;
// How many writes of a turn there is room for at first. A busy loop has more.
constexpr std::size_t kFirstWrites = 16;
// What a loop's buffers may keep between two requests.
constexpr std::size_t kKeptBytesMax = 1024 * 1024;

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Trim(std::string& buffer) {
  if (buffer.capacity() > kKeptBytesMax) buffer = std::string();
}

// The content type to answer with, if it is one that the service reads.
std::optional<std::string_view> JsonContentType(const http::Request& request) {
  const auto header = request.Find("Content-Type");
  if (!header) return std::nullopt;
  std::string_view type = header->substr(0, header->find(';'));
  while (type.ends_with(' '))
    type.remove_suffix(1);
  if (http::EqualsIgnoringCase(type, kJsonContentType)) return kJsonContentType;
  if (http::EqualsIgnoringCase(type, "application/json")) return "application/json";
  return std::nullopt;
}

std::optional<std::size_t> FindTarget(const http::Request& request) {
  const auto target = request.Find("X-Amz-Target");
  return target ? FindOperation(*target) : std::nullopt;
}

bool AcceptsGzip(const http::Request& request) {
  const auto header = request.Find("Accept-Encoding");
  return header && header->find("gzip") != std::string_view::npos &&
         header->find("gzip;q=0") == std::string_view::npos;
}

// The service says nothing more about JSON that cannot be read.
Result<json::Value> WithoutMessage(Result<json::Value> document) {
  if (document.ok()) return document;
  return SerializationError("");
}

// Runs a read. Pages are read in slices instead, and writes go through the committer.
struct Reader {
  const engine::Database& database;

  Result<engine::Reply> operator()(const engine::GetRequest& it) const {
    return engine::Reply(TRY(database.Get(it)));
  }
  Result<engine::Reply> operator()(const engine::BatchGetRequest& it) const {
    return engine::Reply(TRY(database.BatchGet(it)));
  }
  Result<engine::Reply> operator()(const engine::TransactGetRequest& it) const {
    return engine::Reply(TRY(database.TransactGet(it)));
  }
  Result<engine::Reply> operator()(const engine::DescribeTableRequest& it) const {
    return engine::Reply(TRY(database.DescribeTable(it)));
  }
  Result<engine::Reply> operator()(const engine::ListTablesRequest& it) const {
    return engine::Reply(TRY(database.ListTables(it)));
  }
  Result<engine::Reply> operator()(const engine::ListStreamsRequest& it) const {
    return engine::Reply(TRY(database.ListStreams(it)));
  }
  Result<engine::Reply> operator()(const engine::DescribeStreamRequest& it) const {
    return engine::Reply(TRY(database.DescribeStream(it)));
  }
  Result<engine::Reply> operator()(const engine::ShardIteratorRequest& it) const {
    return engine::Reply(TRY(database.MakeShardIterator(it)));
  }
  Result<engine::Reply> operator()(const engine::RecordsRequest& it) const {
    return engine::Reply(TRY(database.ReadRecords(it)));
  }
  Result<engine::Reply> operator()(const engine::BatchStatementRequest& it) const {
    return engine::Reply(TRY(database.SelectBatch(it)));
  }
  Result<engine::Reply> operator()(const engine::TransactStatementRequest& it) const {
    return engine::Reply(TRY(database.TransactSelect(it)));
  }
  Result<engine::Reply> operator()(const std::monostate& it) const { return engine::Reply(it); }
  Result<engine::Reply> operator()(const auto& /*page_or_write*/) const {
    UNREACHABLE("no read that is answered at once");
  }
};

// A Query or Scan, or a SELECT that may be one.
bool IsPage(const engine::Request& request) {
  return std::holds_alternative<engine::PageRequest>(request) ||
         std::holds_alternative<engine::StatementRequest>(request);
}

Result<std::unique_ptr<engine::PageReader>> StartPage(const engine::Database& database,
                                                      const engine::Request& request) {
  if (const auto* select = std::get_if<engine::StatementRequest>(&request)) {
    return database.StartPage(*select);
  }
  return database.StartPage(std::get<engine::PageRequest>(request));
}

engine::Reply FinishPage(const engine::Request& request, engine::PageReader& reader) {
  if (const auto* select = std::get_if<engine::StatementRequest>(&request)) {
    return engine::ToStatementReply(select->statement, reader.Finish());
  }
  return reader.Finish();
}

}  // namespace

// A request on its way to its reply. Without an exchange it has been handed on or answered.
struct Service::Call {
  std::optional<http::Exchange> exchange;
  const http::Request* request;  // valid until the reply
  std::int64_t started_ns;
  std::size_t operation;
  std::string_view content_type = kJsonContentType;

  Call Take() {
    Call taken = std::move(*this);
    exchange.reset();
    return taken;
  }
};

// The writes of one turn of a loop, answered together on that loop.
class Service::TurnWrites final : public engine::Submission {
 public:
  TurnWrites(Service& service, http::Loop& loop) : service_(service), loop_(loop) {
    calls_.reserve(kFirstWrites);
    writes.reserve(kFirstWrites);
  }

  void Add(Call&& call, engine::Request&& write) {
    calls_.push_back(std::move(call));
    writes.push_back({.request = std::move(write), .reply = std::nullopt});
  }

  void Done(std::unique_ptr<Submission> self) override {
    loop_.Post([self = std::move(self)] { static_cast<TurnWrites&>(*self).Answer(); });
  }

 private:
  void Answer() {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      service_.Guard(calls_[i], [&] {
        service_.Finish(calls_[i], nullptr, writes[i].request, *writes[i].reply);
      });
    }
  }

  Service& service_;
  http::Loop& loop_;
  std::vector<Call> calls_;  // one for each write
};

// What a loop uses again and again.
struct Service::LoopState {
  explicit LoopState(std::uint64_t seed) : request_ids(seed), metrics(AllOperations().size()) {}

  json::Parser parser;
  std::string unzipped;
  std::string body;    // of the reply
  std::string zipped;  // of the reply
  std::vector<protocol::HeaderView> headers;
  std::unique_ptr<TurnWrites> writes;  // none yet in this turn: null
  RequestIds request_ids;
  Metrics metrics;
};

struct Service::WaitingPage {
  Call call;
  engine::Request request;  // see IsPage
  std::unique_ptr<engine::PageReader> reader;
};

Service::Service(engine::Database& database, const Clock& clock, Random& random,
                 ServiceOptions options)
    : database_(database),
      options_(std::move(options)),
      verifier_({.keys = options_.access_keys,
                 .region = options_.access_keys ? options_.region : std::string(),
                 .clock = &clock}) {
  for (unsigned i = 0; i < options_.loop_count; ++i) {
    loops_.push_back(std::make_unique<LoopState>(random.Next()));
  }
}

Service::~Service() = default;

Service::LoopState& Service::StateOf(const Call& call) const {
  const unsigned index = call.exchange->loop().index();
  CHECK(index < loops_.size(), "a loop that the options count");
  return *loops_[index];
}

CallContext Service::Context(const json::Object* body) const {
  return {.account_id = options_.account_id, .region = options_.region, .body = body};
}

void Service::Handle(const http::Request& request, http::Exchange exchange) {
  Call call = {.exchange = std::move(exchange),
               .request = &request,
               .started_ns = NowNs(),
               .operation = AllOperations().size()};
  Guard(call, [&] { Route(call); });
}

void Service::TickEnd(http::Loop& loop) {
  LoopState& state = *loops_[loop.index()];
  if (state.writes != nullptr) database_.Submit(std::move(state.writes));
}

// The only catch on a request's path. We do not throw; the standard library may.
template <typename F>
void Service::Guard(Call& call, F run) {
  try {
    run();
  } catch (...) {
    log::Error("request failed with an exception", {});
    if (call.exchange) ReplyError(call, Error(ErrorCode::kInternal, "exception"));
  }
}

void Service::Route(Call& call) {
  const http::Request& request = *call.request;
  const auto host = request.Find("Host");
  if (!verifier_.enforces_keys() && host && !http::IsLoopbackHost(*host)) {
    ReplyText(call, 421, "Without access keys only loopback host names are served\n");
    return;
  }
  if (request.method == "POST" && request.path == "/") {
    RunOperation(call);
  } else if (request.method == "GET") {
    AnswerGet(call);
  } else if (request.method == "OPTIONS" && AllowedOrigin(request)) {
    AnswerPreflight(call);
  } else {
    ReplyText(call, 404, kUnknownPathBody);
  }
}

void Service::AnswerGet(Call& call) {
  const std::string_view path = call.request->path;
  if (path == "/") {
    ReplyText(call, 200, fmt::format("healthy: dynamodb.{}.amazonaws.com ", options_.region));
  } else if (path == "/healthz") {
    const bool is_writable = database_.IsWritable();
    ReplyText(call, is_writable ? 200 : 503, is_writable ? "ok\n" : "not writable\n");
  } else if (path == "/metrics") {
    ReplyText(call, 200, PrintMetrics());
  } else {
    ReplyText(call, 404, kUnknownPathBody);
  }
}

std::string Service::PrintMetrics() const {
  std::vector<const Metrics*> loops;
  for (const auto& state : loops_)
    loops.push_back(&state->metrics);
  std::vector<std::string_view> names;
  for (const Operation* operation : AllOperations())
    names.push_back(operation->name);
  Gauges gauges = {.server = {},
                   .pending_writes = database_.pending_writes(),
                   .is_writable = database_.IsWritable()};
  if (const http::Server* server = server_) gauges.server = server->counters();
  return MetricsInText(loops, names, gauges);
}

std::optional<std::string_view> Service::AllowedOrigin(const http::Request& request) const {
  const auto origin = request.Find("Origin");
  if (!origin || std::ranges::find(options_.cors_origins, *origin) == options_.cors_origins.end()) {
    return std::nullopt;
  }
  return origin;
}

void Service::AnswerPreflight(Call& call) {
  const http::Request& request = *call.request;
  http::Response response;
  response.headers.emplace_back("Access-Control-Allow-Origin", *AllowedOrigin(request));
  response.headers.emplace_back("Vary", "Origin");
  response.headers.emplace_back("Access-Control-Max-Age", "172800");
  if (const auto headers = request.Find("Access-Control-Request-Headers")) {
    response.headers.emplace_back("Access-Control-Allow-Headers", *headers);
  }
  if (const auto method = request.Find("Access-Control-Request-Method")) {
    response.headers.emplace_back("Access-Control-Allow-Methods", *method);
  }
  call.Take().exchange->Reply(std::move(response));
}

// The order of these refusals is the service's.
void Service::RunOperation(Call& call) {
  const http::Request& request = *call.request;
  const auto content_type = JsonContentType(request);
  if (!content_type && !request.body.empty()) return ReplyText(call, 404, kUnknownPathBody);
  call.content_type = content_type.value_or("application/json");

  LoopState& state = StateOf(call);
  const Result<json::Value> document = ParseBody(request, state);
  if (!document.ok() && !request.body.empty()) return ReplyError(call, document.error());
  const auto operation = FindTarget(request);
  if (!operation) return ReplyRefusal(call, protocol::kUnknownOperation, "");
  call.operation = *operation;
  if (const auto refusal = Verify(request, state)) {
    return ReplyRefusal(call, refusal->error_type, refusal->message);
  }
  json::Object body;
  if (!document.ok() || document->get(body) != simdjson::SUCCESS) {
    return ReplyError(call, SerializationError(""));
  }
  Result<engine::Request> parsed =
      ParseOperation(*AllOperations()[call.operation], body, Context(&body));
  if (parsed.ok()) {
    Execute(call, body, *std::move(parsed));
  } else {
    ReplyError(call, parsed.error());
  }
  state.parser.Shrink();
  Trim(state.unzipped);
}

Result<json::Value> Service::ParseBody(const http::Request& request, LoopState& state) {
  const auto encoding = request.Find("Content-Encoding");
  if (encoding && http::EqualsIgnoringCase(*encoding, "gzip")) {
    TRY(Gunzip(request.body, kRequestBodyBytesMax, state.unzipped));
    return WithoutMessage(state.parser.Parse(state.unzipped));
  }
  return WithoutMessage(state.parser.Parse(request.body));
}

std::optional<protocol::Refusal> Service::Verify(const http::Request& request,
                                                 LoopState& state) const {
  state.headers.clear();
  for (const http::Header& header : request.headers) {
    state.headers.push_back({.name = header.name, .value = header.value});
  }
  return verifier_.Verify({.method = request.method,
                           .path = request.path,
                           .query = request.query,
                           .headers = state.headers,
                           .body = request.body});
}

void Service::Execute(Call& call, const json::Object& body, engine::Request&& request) {
  if (engine::IsWrite(request)) {
    LoopState& state = StateOf(call);
    if (state.writes == nullptr) {
      state.writes = std::make_unique<TurnWrites>(*this, call.exchange->loop());
    }
    state.writes->Add(call.Take(), std::move(request));
    return;
  }
  if (!IsPage(request)) {
    Finish(call, &body, request, std::visit(Reader{database_}, request));
    return;
  }
  auto page = std::make_unique<WaitingPage>(
      WaitingPage{.call = call.Take(), .request = std::move(request), .reader = nullptr});
  ReadOn(std::move(page));
}

void Service::ReadOn(std::unique_ptr<WaitingPage> page) {
  bool is_answered = true;
  Guard(page->call, [&] { is_answered = ReadSlice(*page); });
  if (is_answered) return;
  http::Loop& loop = page->call.exchange->loop();
  loop.Post([this, page = std::move(page)]() mutable { ReadOn(std::move(page)); });
}

bool Service::ReadSlice(WaitingPage& page) {
  const auto fail = [&](const Error& error) {
    Finish(page.call, nullptr, page.request, error);
    return true;
  };
  if (page.reader == nullptr) {
    auto reader = StartPage(database_, page.request);
    if (!reader.ok()) return fail(reader.error());
    page.reader = *std::move(reader);
  }
  const std::int64_t end_ns = NowNs() + kSliceNs;
  do {
    const Result<bool> is_complete = page.reader->Step(kRowsPerStep);
    if (!is_complete.ok()) return fail(is_complete.error());
    if (*is_complete) {
      Finish(page.call, nullptr, page.request, FinishPage(page.request, *page.reader));
      return true;
    }
  } while (NowNs() < end_ns);
  return false;
}

void Service::Finish(Call& call, const json::Object* body, const engine::Request& request,
                     const Result<engine::Reply>& reply) {
  const Operation& operation = *AllOperations()[call.operation];
  CallContext context = Context(body);
  context.host = call.request->Find("Host").value_or("");
  if (operation.refuse != nullptr) {
    const std::optional<Error> refusal = operation.refuse(context, request, reply);
    if (refusal) return ReplyError(call, *refusal);
  }
  if (!reply.ok()) return ReplyError(call, reply.error());
  LoopState& state = StateOf(call);
  state.body.clear();
  if (operation.render != nullptr) {
    json::Writer writer(state.body);
    writer.BeginObject();
    operation.render(context, request, *reply, writer);
    writer.EndObject();
  }
  Send(call, 200, call.content_type);
}

void Service::ReplyError(Call& call, const Error& error) {
  const int status = HttpStatusOf(error.code());
  if (status == 500) log::Error("request failed", {{"error", error.message()}});
  LoopState& state = StateOf(call);
  state.body.clear();
  AppendErrorBody(error, state.body);
  Send(call, status, call.content_type);
}

void Service::ReplyRefusal(Call& call, std::string_view error_type, std::string_view message) {
  LoopState& state = StateOf(call);
  state.body.clear();
  AppendErrorBody(error_type, message, state.body);
  Send(call, 400, call.content_type);
}

void Service::ReplyText(Call& call, int status, std::string_view text) {
  StateOf(call).body.assign(text);
  Send(call, status, call.request->method == "GET" ? "text/plain" : "");
}

void Service::Send(Call& call, int status, std::string_view content_type) {
  LoopState& state = StateOf(call);
  const http::Request& request = *call.request;
  std::string* body = &state.body;
  std::array<http::Header, 8> headers;
  std::size_t header_count = 0;
  const auto add = [&](std::string_view name, std::string_view value) {
    headers[header_count++] = {.name = name, .value = value};
  };

  const std::array<char, 52> request_id = state.request_ids.Next();
  add("x-amzn-RequestId", {request_id.data(), request_id.size()});
  if (const auto origin = AllowedOrigin(request)) {
    add("Access-Control-Allow-Origin", *origin);
    add("Access-Control-Expose-Headers",
        "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date");
    add("Vary", "Origin");
  }
  if (body->size() >= kGzipBytesMin && AcceptsGzip(request) && Gzip(state.body, state.zipped)) {
    body = &state.zipped;
    add("Content-Encoding", "gzip");
  }
  std::array<char, 16> crc32;
  const auto crc32_end = std::to_chars(crc32.begin(), crc32.end(), Crc32(*body)).ptr;
  add("x-amz-crc32", {crc32.data(), crc32_end});

  state.metrics.Count({.operation = call.operation,
                       .outcome = status < 400   ? Outcome::kOk
                                  : status < 500 ? Outcome::kRefused
                                                 : Outcome::kFailed,
                       .duration_ns = NowNs() - call.started_ns,
                       .request_bytes = request.body.size(),
                       .reply_bytes = body->size()});
  http::Exchange exchange = *std::exchange(call.exchange, std::nullopt);
  if (body->size() <= kCopiedBytesMax) {
    exchange.Reply(http::ResponseView{.status = status,
                                      .content_type = content_type,
                                      .body = *body,
                                      .headers = {headers.data(), header_count}});
    return;
  }
  http::Response response = {.status = status,
                             .content_type = std::string(content_type),
                             .body = std::exchange(*body, {}),
                             .headers = {}};
  for (std::size_t i = 0; i < header_count; ++i) {
    response.headers.emplace_back(headers[i].name, headers[i].value);
  }
  exchange.Reply(std::move(response));
}

}  // namespace trestle::wire
