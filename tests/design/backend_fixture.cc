#include "design/backend_fixture.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "design/backend_engine.h"
#include "design/backend_remote.h"
#include "engine/database.h"
#include "http/server.h"
#include "protocol/access_keys.h"
#include "remote/client.h"
#include "storage/rocks_store.h"
#include "wire/service.h"

namespace trestle::design::testing {
namespace {

constexpr std::int64_t kStartUnixMs = 1'767'323'045'678;  // 2026-01-02T03:04:05.678Z
constexpr std::int64_t kIndexLagMs = 100;
constexpr std::size_t kCacheBytes = 8 * 1024 * 1024;
constexpr const char* kEndpointVariable = "TRESTLE_TEST_ENDPOINT";
constexpr std::string_view kAccessKeyId = "AKIAIOSFODNN7EXAMPLE";
constexpr std::string_view kSecretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

template <typename T>
T Must(Result<T> result) {
  CHECK(result.ok(), result.error().message().c_str());
  return *std::move(result);
}

// An endpoint that does not know transactions.
class WithoutTransactions final : public http::Handler {
 public:
  explicit WithoutTransactions(http::Handler& inner) : inner_(inner) {}

  void Handle(const http::Request& request, http::Exchange exchange) override {
    const std::string_view target = request.Find("X-Amz-Target").value_or("");
    if (target.find(".Transact") == target.npos) return inner_.Handle(request, std::move(exchange));
    exchange.Reply(http::Response{.status = 400,
                                  .content_type = "application/x-amz-json-1.0",
                                  .body = R"({"__type":"UnknownOperationException"})",
                                  .headers = {}});
  }
  void TickEnd(http::Loop& loop) override { inner_.TickEnd(loop); }

 private:
  http::Handler& inner_;
};

}  // namespace

// What a back end needs around it.
struct BackendFixture::Host {
  explicit Host(std::uint64_t seed) : random(seed) {}

  FixedClock fixed_clock{kStartUnixMs};
  SystemClock system_clock;
  Random random;
  std::unique_ptr<wire::Service> service;
  std::unique_ptr<WithoutTransactions> without_transactions;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<engine::Database> database;
  std::unique_ptr<remote::Client> client;

  ~Host() {
    if (server != nullptr) server->Shutdown(0);
    database.reset();
  }

  void OpenDatabase(std::int64_t index_lag_ms = 0) {
    auto store = Must(storage::OpenRocksStore(
        {.folder = {}, .in_memory = true, .cache_bytes = kCacheBytes, .file_system = nullptr}));
    database = Must(engine::Database::Open(
        std::move(store),
        {.clock = &fixed_clock, .random = &random, .index_lag_ms = index_lag_ms}));
  }

  // Our own server, which believes nobody without a signature.
  void StartServer(bool has_transactions) {
    OpenDatabase();
    wire::ServiceOptions options;
    options.access_keys =
        Must(protocol::ParseAccessKeys(fmt::format("{} {}\n", kAccessKeyId, kSecretAccessKey)));
    service = std::make_unique<wire::Service>(*database, fixed_clock, random, std::move(options));
    without_transactions = std::make_unique<WithoutTransactions>(*service);
    http::Handler& handler =
        has_transactions ? static_cast<http::Handler&>(*service) : *without_transactions;
    server = Must(http::Server::Start({.port = 0}, handler));
  }

  std::unique_ptr<Backend> Connect(std::string endpoint, const Clock& clock,
                                   remote::Environment environment) {
    environment.variables.emplace("AWS_ACCESS_KEY_ID", kAccessKeyId);
    environment.variables.emplace("AWS_SECRET_ACCESS_KEY", kSecretAccessKey);
    client = Must(remote::Client::Open({.environment = std::move(environment),
                                        .endpoint = {.endpoint = std::move(endpoint), .region = {}},
                                        .clock = &clock,
                                        .random = &random}));
    return Must(OpenRemoteBackend(*client));
  }
};

std::vector<std::string> BackendNames() {
  std::vector<std::string> names = {"engine", "remote"};
  if (std::getenv(kEndpointVariable) != nullptr) names.emplace_back("endpoint");  // NOLINT
  return names;
}

// An endpoint remembers the tokens of the tests before, so each test needs others there.
BackendFixture::BackendFixture()
    : random_(has_fixed_clock() ? 1 : SystemSeed()),
      host_(std::make_unique<Host>(has_fixed_clock() ? 2 : SystemSeed())) {
  if (GetParam() == "engine" || GetParam() == "late") {
    host_->OpenDatabase(index_lag_ms());
    backend_ = NewEngineBackend(*host_->database);
  } else if (has_fixed_clock()) {
    host_->StartServer(GetParam() == "remote");
    backend_ = host_->Connect(
        fmt::format("http://127.0.0.1:{}", host_->server->port()), host_->fixed_clock,
        {.variables = {},
         .read_file = [](const std::string& /*path*/) { return std::optional<std::string>(); }});
  } else {
    backend_ = host_->Connect(std::getenv(kEndpointVariable),  // NOLINT(concurrency-mt-unsafe)
                              host_->system_clock, remote::SystemEnvironment());
  }
}

BackendFixture::~BackendFixture() {
  for (const std::string& table : tables_)
    static_cast<void>(backend_->DeleteTable(table));
}

const Clock& BackendFixture::clock() const {
  if (has_fixed_clock()) return host_->fixed_clock;
  return host_->system_clock;
}

bool BackendFixture::has_fixed_clock() const { return GetParam() != "endpoint"; }

void BackendFixture::Advance(std::int64_t by_ms) {
  CHECK(has_fixed_clock(), "the time of an endpoint is its own");
  host_->fixed_clock.Advance(by_ms);
}

std::int64_t BackendFixture::index_lag_ms() const { return GetParam() == "late" ? kIndexLagMs : 0; }

void BackendFixture::LetIndexesFollow() {
  if (index_lag_ms() > 0) Advance(index_lag_ms());
}

std::string BackendFixture::TableName(std::string_view name) {
  if (has_fixed_clock()) return std::string(name);
  return tables_.emplace_back(fmt::format("{}-{}", name, Random(SystemSeed()).Uuid()));
}

}  // namespace trestle::design::testing
