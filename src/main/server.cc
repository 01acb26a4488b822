// Construction order, and the same backwards: clock and chance, store, database, service, server,
// the web port.

#include "main/server.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <malloc.h>

#include "apps/apps.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/tls.h"
#include "engine/database.h"
#include "http/server.h"
#include "main/files.h"
#include "main/web.h"
#include "protocol/access_keys.h"
#include "storage/rocks_store.h"
#include "wire/service.h"

namespace trestle {
namespace {

// A client that does not read its reply must not keep the server from ending within ten seconds.
constexpr std::int64_t kDrainMs = 8000;

// Files that storage may need, whatever clients do.
constexpr std::size_t kFilesReserved = 100;

// Larger blocks are mapped and given back when they are free. By default the bound rises with
// what is freed, and long bodies leave holes: 20 MB of them became 60 MB.
constexpr int kMappedBytesMin = 2 * 1024 * 1024;

ExitCode Fail(ExitCode code, std::string_view sentence) {
  if (sentence.ends_with('.')) sentence.remove_suffix(1);
  fmt::print(stderr, "trestle: {}.\n", sentence);
  return code;
}

// SIGINT, SIGTERM and SIGHUP, kept back from every thread so that Next can take them one by one.
class Signals {
 public:
  // Before any thread starts: they inherit what is kept back.
  Signals() {
    std::signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      std::signal(number, SIG_DFL);  // a shell starts background jobs with SIGINT ignored
      sigaddset(&set_, number);
    }
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }

  [[nodiscard]] int Next() const {
    int number = 0;
    sigwait(&set_, &number);
    return number;
  }

  // From now on a signal ends the process at once.
  void LetThrough() const { pthread_sigmask(SIG_UNBLOCK, &set_, nullptr); }

 private:
  sigset_t set_;
};

Result<std::optional<protocol::AccessKeys>> ReadAccessKeys(const std::string& file) {
  if (file.empty()) return std::optional<protocol::AccessKeys>();
  const std::string text = TRY(ReadSecretFile(file));
  auto keys = protocol::ParseAccessKeys(text);
  if (!keys.ok()) return ValidationError(fmt::format("{}: {}", file, keys.error().message()));
  return std::optional<protocol::AccessKeys>(*std::move(keys));
}

Result<std::unique_ptr<TlsContext>> OpenTls(const ServeOptions& options) {
  if (options.tls_certificate_file.empty()) return std::unique_ptr<TlsContext>();
  auto tls = TlsContext::Open({.certificate = options.tls_certificate_file,
                               .private_key = options.tls_key_file,
                               .client_ca = {}});
  if (tls.ok()) return tls;
  return ValidationError(fmt::format("{} and {}: {}", options.tls_certificate_file,
                                     options.tls_key_file, tls.error().message()));
}

// An address that a client on this machine can use.
std::string EndpointUrl(const ServeOptions& options, std::uint16_t port) {
  std::string host = options.bind_address;
  if (host == "0.0.0.0") host = "127.0.0.1";
  if (host == "::") host = "::1";
  if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
  const std::string_view scheme = options.tls_certificate_file.empty() ? "http" : "https";
  return fmt::format("{}://{}:{}", scheme, host, port);
}

void PrintStart(const ServeOptions& options, std::uint16_t port, const Web* web) {
  const std::string url = EndpointUrl(options, port);
  fmt::print("Trestle {}\n", Version());
  if (options.in_memory) {
    fmt::print("Data          in memory: it is gone when the server ends\n");
  } else {
    std::error_code error;
    const auto folder = std::filesystem::absolute(options.data_folder, error);
    fmt::print("Data          {}\n", error ? options.data_folder : folder.string());
    fmt::print("Durability    {}\n",
               options.durability == storage::Durability::kSync
                   ? "sync: a write is acknowledged when it is on disk"
                   : "RELAXED: a power cut can take back writes that were acknowledged");
    fmt::print("Encryption    none: data is not encrypted at rest\n");
  }
  fmt::print("DynamoDB API  {}\n", url);
  const bool is_open = options.access_keys_file.empty();
  fmt::print("Signatures    {}\n", is_open ? "not enforced: any credentials will do"
                                           : "enforced: clients need one of the access keys");
  if (web != nullptr) {
    const std::string web_url = EndpointUrl(options, web->port());
    if (web->has_pages()) fmt::print("Web           {0}  (studio: {0}/studio)\n", web_url);
    for (const platform::Host::Place& place : web->host().places())
      fmt::print("{:<13} {}{}\n", place.is_app ? place.title : "Design", web_url, place.path);
    if (web->has_samples()) {
      fmt::print(
          "Sign in as    ann@example.org, bob@example.org or eve@example.org (administrator)\n"
          "              with the password {}\n",
          platform::kSamplePassword);
    }
  }
  fmt::print("\nTry it:\n  {}aws dynamodb list-tables --endpoint-url {} --region {}\n\n",
             is_open ? "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local " : "", url,
             options.region);
  std::fflush(stdout);
}

void ReloadTls(TlsContext* tls) {
  if (tls == nullptr) return;
  const Status status = tls->Reload();
  if (status.ok()) {
    log::Info("the certificate was read again", {});
  } else {
    log::Error("the certificate could not be read again; the old one stays",
               {{"reason", status.error().message()}});
  }
}

void WaitForTheEnd(const Signals& signals, TlsContext* tls) {
  while (signals.Next() == SIGHUP)
    ReloadTls(tls);
  signals.LetThrough();
}

unsigned LoopCount(const ServeOptions& options) {
  return options.loop_count > 0 ? options.loop_count
                                : std::max(1U, std::thread::hardware_concurrency());
}

Result<std::vector<const platform::App*>> ChooseApps(const ServeOptions& options) {
  std::vector<const platform::App*> chosen;
  if (!options.has_apps) return chosen;
  std::vector<std::string> wanted = options.apps.value_or(std::vector<std::string>());
  for (const platform::App& app : apps::All()) {
    if (!options.apps || std::erase(wanted, app.name) > 0) chosen.push_back(&app);
  }
  if (wanted.empty()) return chosen;
  return ValidationError(fmt::format("there is no application called {}", wanted.front()));
}

ExitCode ServeDatabase(const ServeOptions& options, const Signals& signals,
                       std::optional<protocol::AccessKeys> keys, TlsContext* tls,
                       Web::Contents contents) {
  const SystemClock clock;
  Random random(SystemSeed());
  auto store = storage::OpenRocksStore({.folder = options.data_folder,
                                        .in_memory = options.in_memory,
                                        .cache_bytes = options.cache_bytes,
                                        .file_system = nullptr});
  if (!store.ok()) return Fail(ExitCodeOfOpen(store.error().code()), store.error().message());

  auto opened = engine::Database::Open(
      *std::move(store), {.clock = &clock,
                          .random = &random,
                          .durability = options.durability,
                          .transient_status_ms = options.transient_status_ms,
                          .ttl_sweep_ms = options.ttl_sweep_ms,
                          .shards = {.records_per_second_max = options.shard_records_per_second}});
  if (!opened.ok()) return Fail(ExitCodeOfOpen(opened.error().code()), opened.error().message());
  std::unique_ptr<engine::Database> database = *std::move(opened);

  const bool has_studio =
      (options.has_apps || !contents.designs.empty()) && IsLoopback(options.bind_address);
  const bool has_web = has_studio || !contents.apps.empty();
  const unsigned loop_count = LoopCount(options);
  wire::Service service(*database, clock, random,
                        {.account_id = options.account_id,
                         .region = options.region,
                         .access_keys = std::move(keys),
                         .cors_origins = options.cors_origins,
                         .loop_count = loop_count});
  auto server =
      http::Server::Start({.bind_address = options.bind_address,
                           .port = options.port,
                           .loop_count = loop_count,
                           .tls = tls,
                           .files_reserved = kFilesReserved + (has_web ? WebConnectionsMax() : 0)},
                          service);
  if (!server.ok()) return Fail(kExitAddressInUse, server.error().message());
  service.CountConnectionsOf(server->get());

  std::unique_ptr<Web> web;
  if (has_web) {
    auto started =
        Web::Start({.bind_address = options.bind_address,
                    .port = options.web_port,
                    .is_any_port_right = !options.is_web_port_given,
                    .tls = tls,
                    .data_folder = options.in_memory ? "" : options.data_folder,
                    .has_samples = options.has_samples || !options.is_place_given,
                    .has_studio = has_studio,
                    .web_folder = options.web_folder,
                    .caller = {.account_id = options.account_id, .region = options.region}},
                   std::move(contents), *database, clock, random);
    if (!started.ok()) {
      (*server)->Shutdown(0);
      const bool is_address = started.error().code() == ErrorCode::kUnavailable;
      return Fail(is_address ? kExitAddressInUse : kExitFailed, started.error().message());
    }
    web = *std::move(started);
  }

  PrintStart(options, (*server)->port(), web.get());
  WaitForTheEnd(signals, tls);

  // No request comes in on either port, then no write is left, then nothing needs the server's
  // loops.
  std::thread web_end([&web] {
    if (web != nullptr) web->Stop(kDrainMs);
  });
  (*server)->Shutdown(kDrainMs);
  web_end.join();
  web.reset();
  database.reset();
  return kExitDone;
}

}  // namespace

ExitCode ExitCodeOfOpen(ErrorCode code) {
  if (code == ErrorCode::kResourceInUse) return kExitDataInUse;
  if (code == ErrorCode::kCorruption) return kExitDataUnusable;
  return kExitFailed;
}

ExitCode Serve(const ServeOptions& options) {
  log::SetLevel(options.log_level);
  ::mallopt(M_MMAP_THRESHOLD, kMappedBytesMin);  // NOLINT(concurrency-mt-unsafe): one thread yet
  const Signals signals;
  auto designs = CompileDesigns(options.design_files);
  if (!designs) return kExitFailed;
  auto chosen = ChooseApps(options);
  if (!chosen.ok()) return Fail(kExitUsage, chosen.error().message());
  auto keys = ReadAccessKeys(options.access_keys_file);
  if (!keys.ok()) return Fail(kExitUsage, keys.error().message());
  const auto tls = OpenTls(options);
  if (!tls.ok()) return Fail(kExitUsage, tls.error().message());
  return ServeDatabase(options, signals, *std::move(keys), tls->get(),
                       {.designs = *std::move(designs), .apps = *std::move(chosen)});
}

const char* Version() { return TRESTLE_VERSION; }

}  // namespace trestle
