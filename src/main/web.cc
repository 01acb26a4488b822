#include "main/web.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "design/apply.h"
#include "design/backend_engine.h"
#include "design/diagnostic.h"
#include "main/files.h"
#include "platform/router.h"

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

Status ApplyTable(const design::Model& model, design::Backend& backend) {
  const design::ApplyPlan plan = TRY(design::PlanApply(model, {}, backend));
  if (!plan.refusals.empty()) {
    return ValidationError(fmt::format("the table of {} cannot become what the design wants: {}",
                                       model.name, fmt::join(plan.refusals, "; ")));
  }
  for (const std::string& change : plan.changes)
    log::Info("the design's table is changed", {{"design", model.name}, {"change", change}});
  for (const std::string& setting : TRY(design::Apply(plan, backend)))
    log::Warn("a setting of the design is not in force",
              {{"design", model.name}, {"setting", setting}});
  return Ok();
}

Status StartMaintainer(const std::string& design, design::Maintainer& maintainer) {
  Status status = maintainer.Start();
  if (status.ok() || status.error().code() != ErrorCode::kTrimmedDataAccess) return status;
  log::Error("changes were lost that the design follows; `trestle design verify --repair` mends it",
             {{"design", design}});
  TRY(maintainer.SkipToNow());
  return maintainer.Start();
}

}  // namespace

std::optional<std::vector<design::ResolvedDesign>> CompileDesigns(
    std::span<const std::string> files) {
  std::vector<design::ResolvedDesign> designs;
  std::set<std::string> names;
  bool is_right = true;
  for (const std::string& file : files) {
    const auto text = ReadTextFile(file);
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
    designs.push_back(std::move(design));
  }
  if (!is_right) return std::nullopt;
  return designs;
}

std::size_t WebConnectionsMax() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return kWebConnections;
  return std::min<std::size_t>(kWebConnections, files.rlim_cur / 4);
}

Result<std::unique_ptr<Web>> Web::Start(const WebOptions& options, Contents contents,
                                        engine::Database& database, const Clock& clock,
                                        Random& random) {
  std::unique_ptr<Web> web(new Web);
  web->backend_ = design::NewEngineBackend(database);
  web->sites_.reserve(contents.designs.size() + contents.apps.size());
  for (design::ResolvedDesign& design : contents.designs)
    web->sites_.emplace_back().design = std::move(design);
  for (const platform::App* app : contents.apps) {
    Site& site = web->sites_.emplace_back();
    site.design = design::Compile(app->design);
    CHECK(site.design.model != nullptr, "an app whose design is right");
    site.app = app;
  }
  for (Site& site : web->sites_)
    TRY(web->Open(site, clock, random));
  web->cursors_ =
      std::make_unique<platform::CursorSealer>(TRY(SealKey(options.data_folder)), clock);

  platform::ServiceOptions service{
      .clock = &clock, .random = &random, .is_ready = [&database]() -> Status {
        if (database.IsWritable()) return Ok();
        return Error(ErrorCode::kUnavailable, "the database cannot write");
      }};
  web->shared_ = {.clock = &clock, .cursors = web->cursors_.get()};
  for (const Site& site : web->sites_) {
    service.mounts.push_back({.app = site.app,
                              .runtime = site.runtime.get(),
                              .shared = &web->shared_,
                              .known = site.known.get()});
  }
  web->service_ = std::make_unique<platform::Service>(std::move(service));
  TRY(web->Listen(options));
  web->service_->CountConnectionsOf(web->server_.get());
  return web;
}

Status Web::Listen(const WebOptions& options) {
  http::ServerOptions server{.bind_address = options.bind_address,
                             .port = options.port,
                             .loop_count = kWebLoops,
                             .tls = options.tls,
                             .connections_max = WebConnectionsMax(),
                             .body_bytes_max = platform::kWebBodyBytesMax};
  auto started = http::Server::Start(server, *service_);
  if (!started.ok() && options.is_any_port_right) {
    server.port = 0;
    started = http::Server::Start(server, *service_);
  }
  server_ = TRY(std::move(started));
  return Ok();
}

Status Web::Open(Site& site, const Clock& clock, Random& random) {
  const design::Model& model = *site.design.model;
  TRY(ApplyTable(model, *backend_));
  site.runtime = std::make_unique<design::Runtime>(
      model, *backend_, design::RuntimeOptions{.clock = &clock, .random = &random});
  if (model.table.stream == design::syntax::StreamView::kNewAndOld) {
    site.maintainer =
        std::make_unique<design::Maintainer>(*site.runtime, design::MaintainerOptions{});
    TRY(StartMaintainer(model.name, *site.maintainer));
  }
  site.known = std::make_unique<platform::KnownPeople>();
  if (site.app != nullptr) return Ok();
  site.design_app = std::make_unique<platform::DesignApp>(*site.runtime);
  site.app = &site.design_app->app();
  return Ok();
}

Web::~Web() { Stop(0); }

std::vector<Web::Place> Web::places() const {
  std::vector<Place> places;
  places.reserve(sites_.size());
  for (const Site& site : sites_) {
    places.push_back({.title = site.app->title,
                      .path = platform::MountPath(*site.app),
                      .is_app = site.design_app == nullptr});
  }
  return places;
}

void Web::Stop(std::int64_t drain_ms) {
  if (server_ != nullptr) server_->Shutdown(drain_ms);
  if (service_ != nullptr) service_->Stop();
  for (const Site& site : sites_) {
    if (site.maintainer != nullptr) site.maintainer->Stop();
  }
}

}  // namespace trestle
