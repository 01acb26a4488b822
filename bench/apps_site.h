#pragma once

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "apps/apps.h"
#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/mutex.h"
#include "design/backend_engine.h"
#include "design/backend_remote.h"
#include "design/passing_backend.h"
#include "engine/database.h"
#include "http/client.h"
#include "http/server.h"
#include "platform/call.h"
#include "platform/host.h"
#include "platform/values.h"
#include "protocol/access_keys.h"
#include "remote/client.h"
#include "storage/rocks_store.h"
#include "wire/service.h"

// All applications and the DynamoDB port in one process, for bench_apps.

namespace trestle {

inline constexpr std::size_t kCacheBytes = 256UL * 1024 * 1024;
inline constexpr std::string_view kKeyId = "AKIAIOSFODNN7EXAMPLE";
inline constexpr std::string_view kKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
inline constexpr std::string_view kPassword = "correct horse battery";
inline constexpr std::chrono::minutes kDrainTime{10};

template <typename T>
T Must(Result<T> result) {
  CHECK(result.ok(), result.error().message().c_str());
  return *std::move(result);
}

// What is new in the first request of its kind; the next ones have a number there.
inline constexpr std::string_view kNewText = "the-first-of-many";

// Passes everything on. What requests ask for is kept, to be sent again; a new item's id and
// kNewText are another text of the same length each time.
class RecordingBackend final : public design::PassingBackend {
 public:
  using Request = std::function<void(design::Backend& backend, std::uint64_t number)>;

  using PassingBackend::PassingBackend;

  static void MarkThread() { is_marked_ = true; }
  void Start() { is_recording_ = true; }
  std::vector<Request> Stop() EXCLUDES(mutex_) {
    is_recording_ = false;
    const MutexLock lock(mutex_);
    return std::exchange(requests_, {});
  }
  // The id that the recorded requests gave to a new item.
  void SetNewId(std::string id) { new_id_ = std::move(id); }

  Result<std::optional<value::Item>> Get(const design::ReadItem& read) override {
    Keep([read](Backend& backend, std::uint64_t) { Use(backend.Get(read)); });
    return inner().Get(read);
  }
  Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                            std::span<const value::Item> keys,
                                            bool is_consistent) override {
    Keep([table, list = std::vector(keys.begin(), keys.end()), is_consistent](Backend& backend,
                                                                              std::uint64_t) {
      Use(backend.BatchGet(table, list, is_consistent));
    });
    return inner().BatchGet(table, keys, is_consistent);
  }
  Result<design::Page> Read(const design::ReadPage& read) override {
    Keep([read](Backend& backend, std::uint64_t) { Use(backend.Read(read)); });
    return inner().Read(read);
  }
  Status Write(const design::WriteItem& write) override {
    Keep([this, write](Backend& backend, std::uint64_t number) {
      Use(backend.Write(Again(write, number)));
    });
    return inner().Write(write);
  }
  Status Transact(std::span<const design::WriteItem> writes, const std::string& token) override {
    Keep([this, list = std::vector(writes.begin(), writes.end())](Backend& backend,
                                                                  std::uint64_t number) {
      std::vector<design::WriteItem> again;
      again.reserve(list.size());
      for (const design::WriteItem& write : list)
        again.push_back(Again(write, number));
      Use(backend.Transact(again, ""));
    });
    return inner().Transact(writes, token);
  }

 private:
  template <typename T>
  static void Use(const T& result) {
    CHECK(result.ok(), result.error().message().c_str());
  }

  // Conditions on what has changed since would fail; checks of what must be there hold.
  design::WriteItem Again(design::WriteItem write, std::uint64_t number) const {
    if (write.kind != design::ActionKind::kCheck) write.condition.clear();
    std::erase_if(write.expressions.names,
                  [&](const auto& name) { return !IsUsed(write, name.first); });
    std::erase_if(write.expressions.values,
                  [&](const auto& value) { return !IsUsed(write, value.first); });
    std::string bytes(write.item.bytes());
    if (write.kind == design::ActionKind::kPut) Renew(bytes, new_id_, number);
    Renew(bytes, kNewText, number);
    write.item = value::Item(std::move(bytes));
    for (auto& [name, value] : write.expressions.values)
      Renew(value, kNewText, number);
    return write;
  }

  // Puts a number of the same length in place of a text.
  static void Renew(std::string& bytes, std::string_view text, std::uint64_t number) {
    if (text.empty()) return;
    const std::string next = fmt::format("{:0{}}", number, text.size());
    for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at))
      bytes.replace(at, next.size(), next);
  }

  static bool IsUsed(const design::WriteItem& write, std::string_view name) {
    for (const std::string& text : {write.update, write.condition}) {
      for (std::size_t at = text.find(name); at != std::string::npos;
           at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if (end == text.size() ||
            (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '_'))
          return true;
      }
    }
    return false;
  }

  void Keep(Request request) EXCLUDES(mutex_) {
    if (!is_marked_ || !is_recording_) return;
    const MutexLock lock(mutex_);
    requests_.push_back(std::move(request));
  }

  static inline thread_local bool is_marked_ = false;

  std::string new_id_;
  std::atomic<bool> is_recording_ = false;
  Mutex mutex_;
  std::vector<Request> requests_ GUARDED_BY(mutex_);
};

inline const platform::App& AppNamed(std::string_view name) {
  return *std::ranges::find(apps::All(), name, &platform::App::name);
}

inline Status AdmitMarked(platform::Call& call) {
  RecordingBackend::MarkThread();
  return AppNamed(call.app().name).admit(call);
}

// Both ports of one process, with one person who is signed in.
class Site {
 public:
  Site() {
    log::SetLevel(log::Level::kError);
    auto store = Must(storage::OpenRocksStore(
        {.folder = {}, .in_memory = true, .cache_bytes = kCacheBytes, .file_system = nullptr}));
    database_ =
        Must(engine::Database::Open(std::move(store), {.clock = &clock_, .random = &random_}));
    engine_ = design::NewEngineBackend(*database_);
    recording_ = std::make_unique<RecordingBackend>(*engine_);
    OpenHost();
    OpenDynamoDb();
    SignIn();
  }
  ~Site() {
    web_server_->Shutdown(0);
    host_->Stop();
    wire_server_->Shutdown(0);
  }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  struct Answer {
    int status = 0;
    std::string body;
  };
  Answer Ask(std::string_view method, std::string_view target, std::string_view body = {}) {
    const std::string bearer = "Bearer " + token_;
    const http::Header headers[] = {{"Authorization", bearer},
                                    {"Content-Type", "application/json"}};
    auto answer = web_->Send({.method = method,
                              .target = target,
                              .headers = std::span(headers).first(body.empty() ? 1 : 2),
                              .body = body,
                              .timeout_ms = 60'000});
    auto* response = std::get_if<http::ClientResponse>(&answer);
    CHECK(response != nullptr && response->status < 300,
          response == nullptr ? "an answer" : response->body.c_str());
    return {.status = response->status, .body = std::move(response->body)};
  }
  void Settle() { CHECK(host_->Drained(kDrainTime), "streams that are followed"); }

  [[nodiscard]] design::Runtime& runtime(std::string_view app) { return *host_->FindRuntime(app); }
  [[nodiscard]] const std::string& sub() const { return sub_; }
  [[nodiscard]] RecordingBackend& recording() { return *recording_; }
  [[nodiscard]] design::Backend& dynamodb() { return *remote_; }

 private:
  void OpenHost() {
    apps_.assign(apps::All().begin(), apps::All().end());
    std::vector<const platform::App*> pointers;
    for (platform::App& app : apps_) {
      app.admit = AdmitMarked;
      pointers.push_back(&app);
    }
    static std::string keys;
    host_ = Must(
        platform::Host::Open({.backend = recording_.get(),
                              .clock = &clock_,
                              .random = &random_,
                              .designs = {},
                              .apps = std::move(pointers),
                              .data_folder = {},
                              .seal_key = SecureRandomBytes(kSealKeyBytes),
                              .signing_keys = {.read = []() -> Result<std::string> { return keys; },
                                               .write = [](std::string_view text) -> Status {
                                                 keys = text;
                                                 return Ok();
                                               }},
                              .issuer = "bench"}));
    web_server_ = Must(http::Server::Start({.port = 0}, host_->service()));
    web_ = std::make_unique<http::Client>(http::ClientOptions{
        .origin = {.host = "127.0.0.1", .port = web_server_->port(), .is_tls = false}});
  }
  void OpenDynamoDb() {
    wire::ServiceOptions options;
    options.access_keys = Must(protocol::ParseAccessKeys(fmt::format("{} {}\n", kKeyId, kKey)));
    wire_ = std::make_unique<wire::Service>(*database_, clock_, random_, std::move(options));
    wire_server_ = Must(http::Server::Start({.port = 0}, *wire_));
    remote::Environment environment{.variables = {}, .read_file = [](const std::string& /*path*/) {
                                      return std::optional<std::string>();
                                    }};
    environment.variables.emplace("AWS_ACCESS_KEY_ID", kKeyId);
    environment.variables.emplace("AWS_SECRET_ACCESS_KEY", kKey);
    client_ = Must(remote::Client::Open(
        {.environment = std::move(environment),
         .endpoint = {.endpoint = fmt::format("http://127.0.0.1:{}", wire_server_->port()),
                      .region = {}},
         .clock = &clock_,
         .random = &random_}));
    remote_ = Must(design::OpenRemoteBackend(*client_));
  }
  void SignIn() {
    const std::string email = "ann@example.org";
    CHECK(host_->accounts()
              ->Provide({.email = email,
                         .password = std::string(kPassword),
                         .name = "ann",
                         .groups = {"admin"}})
              .ok(),
          "an account");
    sub_ = platform::TextOf((*Must(host_->accounts()->FindByEmail(email))).record, "sub");
    token_ = Must(host_->accounts()->LogIn({.claim = {.email = email, .address = "::1"},
                                            .password = std::string(kPassword)}))
                 .access_token;
  }

  SystemClock clock_;
  Random random_{1};
  std::unique_ptr<engine::Database> database_;
  std::unique_ptr<design::Backend> engine_;
  std::unique_ptr<RecordingBackend> recording_;
  std::vector<platform::App> apps_;
  std::unique_ptr<platform::Host> host_;
  std::unique_ptr<http::Server> web_server_;
  std::unique_ptr<http::Client> web_;
  std::unique_ptr<wire::Service> wire_;
  std::unique_ptr<http::Server> wire_server_;
  std::unique_ptr<remote::Client> client_;
  std::unique_ptr<design::Backend> remote_;
  std::string sub_;
  std::string token_;
};

}  // namespace trestle
