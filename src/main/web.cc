#include "main/web.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

#include "apps/library/catalogue.h"
#include "apps/timers.h"
#include "base/crypto.h"
#include "design/diagnostic.h"
#include "main/files.h"
#include "main/flags.h"
#include "web/pages.h"

namespace trestle {
namespace {

constexpr unsigned kWebLoops = 2;  // they only read and send: handlers have threads of their own
constexpr std::size_t kWebConnections = 1000;

// Seals cursors. It is kept with the data, so that they outlive a restart.
constexpr std::string_view kKeyFile = "WEB_KEY";

Result<std::string> SealKey(const std::string& data_folder) {
  if (data_folder.empty()) return SecureRandomBytes(kSealKeyBytes);
  const std::string file = (std::filesystem::path(data_folder) / kKeyFile).string();
  if (!std::filesystem::exists(file)) {
    std::string key = SecureRandomBytes(kSealKeyBytes);
    TRY(WriteSecretFile(file, HexEncode(key) + "\n"));
    return key;
  }
  const std::string text = TRY(ReadSecretFile(file));
  auto key = HexDecode(std::string_view(text).substr(0, text.find('\n')));
  if (!key || key->size() != kSealKeyBytes) {
    return ValidationError(fmt::format("{} does not hold a key; remove it to get a new one", file));
  }
  return *std::move(key);
}

// Signs the tokens of the local pool.
constexpr std::string_view kSigningKeysFile = "SIGNING_KEYS";

platform::identity::SecretPlace SigningKeysIn(const std::string& data_folder) {
  if (data_folder.empty()) return {};
  const std::string file = (std::filesystem::path(data_folder) / kSigningKeysFile).string();
  return {
      .read = [file]() -> Result<std::string> {
        if (!std::filesystem::exists(file)) return std::string();
        return ReadSecretFile(file);
      },
      .write = [file](std::string_view text) { return WriteSecretFile(file, std::string(text)); }};
}

Result<std::unique_ptr<platform::Catalogue>> OpenCatalogue(const WebOptions& options) {
  if (options.catalogue_file.empty()) {
    return options.has_samples ? apps::library::SampleCatalogue() : nullptr;
  }
  auto catalogue = apps::library::ReadCatalogue(TRY(ReadTextFile(options.catalogue_file)));
  if (catalogue.ok()) return catalogue;
  return ValidationError(
      fmt::format("{}: {}", options.catalogue_file, catalogue.error().message()));
}

}  // namespace

std::optional<std::vector<platform::DesignText>> CompileDesigns(
    std::span<const std::string> files) {
  std::vector<platform::DesignText> designs;
  std::set<std::string> names;
  bool is_right = true;
  for (const std::string& file : files) {
    auto text = ReadTextFile(file);
    if (!text.ok()) {
      fmt::print(stderr, "trestle: {}.\n", text.error().message());
      is_right = false;
      continue;
    }
    design::ResolvedDesign design = design::Compile(*text);
    for (const design::Diagnostic& diagnostic : design.diagnostics)
      fmt::print(stderr, "{}\n", design::Print(diagnostic, file));
    if (design.model == nullptr) {
      is_right = false;
    } else if (!names.insert(design.model->name).second) {
      fmt::print(stderr, "trestle: two designs are called {}.\n", design.model->name);
      is_right = false;
    }
    designs.push_back({.text = *std::move(text), .design = std::move(design)});
  }
  if (!is_right) return std::nullopt;
  return designs;
}

std::string AddressOf(const ListeningPlace& place) {
  std::string host(place.bind_address);
  if (host == "0.0.0.0") host = "127.0.0.1";
  if (host == "::") host = "::1";
  if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
  return fmt::format("{}://{}:{}", place.is_tls ? "https" : "http", host, place.port);
}

void LateService::Handle(const http::Request& request, http::Exchange exchange) {
  http::Handler* const service = service_;
  if (service == nullptr) return exchange.Reply(Refusal(503));
  service->Handle(request, std::move(exchange));
}

void LateService::TickEnd(http::Loop& loop) {
  if (http::Handler* const service = service_) service->TickEnd(loop);
}

http::Response LateService::Refusal(int status) const {
  const http::Handler* const service = service_;
  return service == nullptr ? http::Handler::Refusal(status) : service->Refusal(status);
}

std::size_t WebConnectionsMax() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return kWebConnections;
  return std::min<std::size_t>(kWebConnections, files.rlim_cur / 4);
}

Result<std::unique_ptr<Web>> Web::Start(const WebOptions& options, Contents contents,
                                        WebStore store, const Clock& clock, Random& random) {
  std::unique_ptr<Web> web(new Web);
  web->store_ = std::move(store);
  web->issuers_ = TRY(OtherIssuers::Open(options.issuers, options.ca_file, clock));
  if (options.smtp) web->mail_ = TRY(OpenMail(*options.smtp, clock));
  if (options.outbound) {
    web->outbound_ = TRY(platform::Outbound::Open(*options.outbound, clock));
  }
  web->catalogue_ = TRY(OpenCatalogue(options));
  std::string seal_key = TRY(SealKey(options.data_folder));
  if (options.has_studio) {
    web->pages_ = options.web_folder.empty() ? web::EmbeddedPages()
                                             : TRY(web::FolderPages(options.web_folder));
  }
  const bool is_loopback = IsLoopback(options.bind_address);
  web->studio_ =
      std::make_unique<studio::Studio>(studio::StudioOptions{.call = web->store_.call,
                                                             .backend = web->store_.backend.get(),
                                                             .clock = &clock,
                                                             .random = &random,
                                                             .is_open = is_loopback});
  std::vector<const platform::App*> others;
  if (options.has_studio) others.push_back(web->studio_.get());
  // Designs alone are for who develops them, on this machine.
  std::optional<platform::RateLimit> limit;
  if (!contents.apps.empty()) limit = options.request_limit;
  // Before the tables are touched, and because tokens say where they are from.
  TRY(web->Listen(options));
  const std::string issuer_url = options.issuer_url.empty()
                                     ? AddressOf({.bind_address = options.bind_address,
                                                  .port = web->port(),
                                                  .is_tls = options.tls != nullptr})
                                     : options.issuer_url;
  auto host = platform::Host::Open(
      {.backend = web->store_.backend.get(),
       .clock = &clock,
       .random = &random,
       .designs = std::move(contents.designs),
       .apps = std::move(contents.apps),
       .others = std::move(others),
       .timers = apps::Timers(),
       .pages = web->pages_.get(),
       .data_folder = options.data_folder,
       .seal_key = std::move(seal_key),
       .signing_keys = SigningKeysIn(options.data_folder),
       .issuer = issuer_url + "/auth/v1",
       .other_issuers = web->issuers_->issuers(),
       .sign_up = options.sign_up,
       .admins = options.admins,
       .mail = web->mail_.get(),
       .outbound = web->outbound_.get(),
       .catalogue = web->catalogue_.get(),
       .requires_loopback_host = is_loopback,
       .request_limit = limit,
       .public_write_limit = options.public_write_limit,
       .requires_if_match = options.requires_if_match,
       .edit_window_ms = options.edit_window_ms,
       .index_lag_ms = web->store_.index_lag_ms,
       .is_ready = web->store_.is_ready,
       .open_scratch = [&clock, &random] { return OpenScratch(clock, random); }});
  // Not kUnavailable, whatever an endpoint says: that is for the address.
  if (!host.ok()) return Error(ErrorCode::kInternal, host.error().message());
  web->host_ = *std::move(host);
  for (const platform::Host::Design& design : web->host_->designs()) {
    web->studio_->Add({.text = std::string(design.text),
                       .model = design.model,
                       .table = std::string(design.table)});
  }
  web->late_service_.Set(&web->host_->service());
  web->host_->service().CountConnectionsOf(web->server_.get());
  web->has_samples_ = options.has_samples && web->host_->LoadSamples();
  return web;
}

Status Web::Listen(const WebOptions& options) {
  http::ServerOptions server{.bind_address = options.bind_address,
                             .port = options.port,
                             .loop_count = kWebLoops,
                             .tls = options.tls,
                             .connections_max = WebConnectionsMax(),
                             .body_bytes_max = platform::kWebBodyBytesMax};
  auto started = http::Server::Start(server, late_service_);
  if (!started.ok() && options.is_any_port_right) {
    server.port = 0;
    started = http::Server::Start(server, late_service_);
  }
  server_ = TRY(std::move(started));
  return Ok();
}

Web::~Web() { Stop(0); }

void Web::Stop(std::int64_t drain_ms) {
  if (server_ != nullptr) server_->Shutdown(drain_ms);
  if (host_ != nullptr) host_->Stop();
  if (mail_ != nullptr) mail_->Stop();
}

}  // namespace trestle
