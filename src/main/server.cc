// Construction order, and the same backwards: clock and chance, store, database, service, server,
// the web port. With an endpoint: clock and chance, client, folder, the web port.

#include "main/server.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
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
#include "main/mail.h"
#include "main/people.h"
#include "main/start_text.h"
#include "main/web.h"
#include "main/web_store.h"
#include "protocol/access_keys.h"
#include "storage/rocks_store.h"
#include "wire/service.h"

namespace trestle {
namespace {

// A client that does not read its reply must not keep the server from ending within ten seconds.
constexpr std::int64_t kDrainMs = 8000;

// Files that storage may need, whatever clients do.
constexpr std::size_t kFilesReserved = 100;

constexpr std::size_t kSecretBytesMin = 16;  // of one that signs events

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;

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

// Whom connections to other servers believe; empty: whom the system does.
std::string OtherAuthorities() {
  return std::string(remote::SystemEnvironment().Find("AWS_CA_BUNDLE"));
}

Result<std::optional<protocol::AccessKeys>> ReadAccessKeys(const std::string& file) {
  if (file.empty()) return std::optional<protocol::AccessKeys>();
  const std::string text = TRY(ReadSecretFile(file));
  auto keys = protocol::ParseAccessKeys(text);
  if (!keys.ok()) return ValidationError(fmt::format("{}: {}", file, keys.error().message()));
  return std::optional<protocol::AccessKeys>(*std::move(keys));
}

Result<std::vector<platform::identity::Accounts::NewAccount>> ReadAdmins(const std::string& file) {
  if (file.empty()) return std::vector<platform::identity::Accounts::NewAccount>();
  const std::string text = TRY(ReadSecretFile(file));
  auto admins = ParseAdmins(text);
  if (admins.ok()) return admins;
  return ValidationError(fmt::format("{}: {}", file, admins.error().message()));
}

Result<std::optional<platform::identity::SmtpOptions>> ReadSmtp(const ServeOptions& options) {
  if (options.smtp_server.empty()) return std::optional<platform::identity::SmtpOptions>();
  return std::optional(TRY(SmtpOptionsOf(options)));
}

Result<std::optional<platform::OutboundOptions>> ReadOutbound(const ServeOptions& options) {
  if (options.outbound_url.empty()) return std::optional<platform::OutboundOptions>();
  std::string secret = TRY(ReadSecretFile(options.outbound_secret_file));
  secret.resize(secret.find_last_not_of("\r\n") + 1);
  if (secret.size() < kSecretBytesMin) {
    return ValidationError(fmt::format("{} must hold a secret of at least {} characters",
                                       options.outbound_secret_file, kSecretBytesMin));
  }
  return std::optional(platform::OutboundOptions{.url = options.outbound_url,
                                                 .secret = std::move(secret),
                                                 .account_id = options.account_id,
                                                 .region = options.region,
                                                 .ca_file = OtherAuthorities()});
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

// What both kinds of servers need, made from the flags.
struct Parts {
  const Signals* signals = nullptr;
  std::optional<protocol::AccessKeys> keys;
  std::unique_ptr<TlsContext> tls;  // null: none
  Web::Contents contents;
  std::vector<platform::identity::Accounts::NewAccount> admins;
  std::optional<platform::identity::SmtpOptions> smtp;
  std::optional<platform::OutboundOptions> outbound;
};

// Where there are accounts, it is for administrators; else for whoever is on this machine.
bool HasStudio(const ServeOptions& options, const Web::Contents& contents) {
  if (!contents.apps.empty()) return true;
  return (options.has_apps || !contents.designs.empty()) && IsLoopback(options.bind_address);
}

std::vector<IssuerFlags> IssuersOf(const ServeOptions& options) {
  std::vector<IssuerFlags> issuers;
  issuers.reserve(options.issuers.size());
  for (std::size_t i = 0; i < options.issuers.size(); ++i)
    issuers.push_back({.url = options.issuers[i], .client_ids = options.issuer_clients[i]});
  return issuers;
}

// `count` in each period, and `bursts` times as many at once; 0: no limit.
std::optional<platform::RateLimit> LimitOf(std::int64_t count, std::int64_t period_ms,
                                           std::int64_t bursts) {
  if (count == 0) return std::nullopt;
  return platform::RateLimit{.count = count, .period_ms = period_ms, .burst = count * bursts};
}

WebOptions WebOptionsOf(const ServeOptions& options, const Parts& parts) {
  // Nobody shall find sample people in tables that are not this folder's.
  const bool is_new_place = !options.is_place_given && !options.is_remote;
  return {.bind_address = options.bind_address,
          .port = options.web_port,
          .is_any_port_right = !options.is_web_port_given,
          .tls = parts.tls.get(),
          .data_folder = options.in_memory ? "" : options.data_folder,
          .has_samples = options.has_samples || is_new_place,
          .has_studio = HasStudio(options, parts.contents),
          .web_folder = options.web_folder,
          .issuer_url = options.issuer_url,
          .catalogue_file = options.catalogue_file,
          .issuers = IssuersOf(options),
          .ca_file = OtherAuthorities(),
          .sign_up = options.sign_up,
          .request_limit = LimitOf(options.request_limit, kSecondMs, 4),
          .public_write_limit = LimitOf(options.public_write_limit, kHourMs, 1),
          .requires_if_match = options.requires_if_match,
          .edit_window_ms = options.edit_window_minutes * kMinuteMs,
          .admins = parts.admins,
          .smtp = parts.smtp,
          .outbound = parts.outbound};
}

ExitCode FailToServe(const Error& error) {
  const bool is_address = error.code() == ErrorCode::kUnavailable;
  return Fail(is_address ? kExitAddressInUse : kExitFailed, error.message());
}

ExitCode ServeDatabase(const ServeOptions& options, Parts parts) {
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
                          .index_lag_ms = options.index_lag_ms.value_or(0),
                          .ttl_sweep_ms = options.ttl_sweep_ms,
                          .shards = {.records_per_second_max = options.shard_records_per_second}});
  if (!opened.ok()) return Fail(ExitCodeOfOpen(opened.error().code()), opened.error().message());
  std::unique_ptr<engine::Database> database = *std::move(opened);

  const bool has_web = HasStudio(options, parts.contents) || !parts.contents.apps.empty();
  const unsigned loop_count = LoopCount(options);
  wire::Service service(*database, clock, random,
                        {.account_id = options.account_id,
                         .region = options.region,
                         .access_keys = std::move(parts.keys),
                         .cors_origins = options.cors_origins,
                         .loop_count = loop_count});
  auto server =
      http::Server::Start({.bind_address = options.bind_address,
                           .port = options.port,
                           .loop_count = loop_count,
                           .tls = parts.tls.get(),
                           .files_reserved = kFilesReserved + (has_web ? WebConnectionsMax() : 0)},
                          service);
  if (!server.ok()) return Fail(kExitAddressInUse, server.error().message());
  service.CountConnectionsOf(server->get());

  std::unique_ptr<Web> web;
  if (has_web) {
    const WebOptions web_options = WebOptionsOf(options, parts);
    WebStore store_of_web =
        StoreOfDatabase(*database, {.account_id = options.account_id, .region = options.region});
    store_of_web.index_lag_ms = options.index_lag_ms.value_or(0);
    auto started =
        Web::Start(web_options, std::move(parts.contents), std::move(store_of_web), clock, random);
    if (!started.ok()) {
      (*server)->Shutdown(0);
      return FailToServe(started.error());
    }
    web = *std::move(started);
  }

  PrintStart(options, {.api_port = (*server)->port(), .endpoint = {}, .web = web.get()});
  WaitForTheEnd(*parts.signals, parts.tls.get());

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

// Applications and designs whose tables are behind an endpoint. What only this server needs, its
// keys and search indexes, is in the data folder.
ExitCode ServeEndpoint(const ServeOptions& options, Parts parts) {
  const SystemClock clock;
  Random random(SystemSeed());
  auto found = StoreOfEndpoint(
      {.endpoint = options.endpoint, .region = options.is_region_given ? options.region : ""},
      clock, random);
  if (!found.ok()) return Fail(kExitFailed, found.error().message());
  WebStore store = *std::move(found);
  if (options.index_lag_ms) store.index_lag_ms = *options.index_lag_ms;
  const std::string endpoint = NameOf(store.client->endpoint());
  std::optional<EndpointFolder> folder;
  if (!options.in_memory) {
    auto opened = EndpointFolder::Open(options.data_folder, endpoint);
    if (!opened.ok()) return Fail(ExitCodeOfOpen(opened.error().code()), opened.error().message());
    folder.emplace(*std::move(opened));
  }
  const WebOptions web_options = WebOptionsOf(options, parts);
  auto web = Web::Start(web_options, std::move(parts.contents), std::move(store), clock, random);
  if (!web.ok()) return FailToServe(web.error());
  PrintStart(options, {.api_port = {}, .endpoint = endpoint, .web = web->get()});
  WaitForTheEnd(*parts.signals, parts.tls.get());
  (*web)->Stop(kDrainMs);
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
  auto tls = OpenTls(options);
  if (!tls.ok()) return Fail(kExitUsage, tls.error().message());
  auto admins = ReadAdmins(options.admins_file);
  if (!admins.ok()) return Fail(kExitUsage, admins.error().message());
  auto smtp = ReadSmtp(options);
  if (!smtp.ok()) return Fail(kExitUsage, smtp.error().message());
  auto outbound = ReadOutbound(options);
  if (!outbound.ok()) return Fail(kExitUsage, outbound.error().message());
  Parts parts{.signals = &signals,
              .keys = *std::move(keys),
              .tls = *std::move(tls),
              .contents = {.designs = *std::move(designs), .apps = *std::move(chosen)},
              .admins = *std::move(admins),
              .smtp = *std::move(smtp),
              .outbound = *std::move(outbound)};
  return options.is_remote ? ServeEndpoint(options, std::move(parts))
                           : ServeDatabase(options, std::move(parts));
}

const char* Version() { return TRESTLE_VERSION; }

}  // namespace trestle
