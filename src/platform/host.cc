#include "platform/host.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "design/apply.h"
#include "platform/common_routes.h"
#include "platform/identity/auth_app.h"
#include "platform/identity/bearer.h"
#include "platform/values.h"

namespace trestle {
extern const std::string_view kPlatformDesign;
}

namespace trestle::platform {
namespace {

constexpr std::string_view kClientId = "trestle";

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

DesignText CompileOwn(std::string_view text) {
  DesignText own{.text = std::string(text), .design = design::Compile(text)};
  CHECK(own.design.model != nullptr, "an app whose design is right");
  return own;
}

// Different secrets out of the one that is kept.
std::string KeyFor(const std::string& seal_key, std::string_view purpose) {
  return std::string(AsBytes(HmacSha256(seal_key).Sign(purpose)));
}

}  // namespace

Host::Host(HostOptions options)
    : options_(std::move(options)), cursors_(options_.seal_key, *options_.clock) {
  shared_.clock = options_.clock;
  shared_.cursors = &cursors_;
}

Host::~Host() { Stop(); }

Result<std::unique_ptr<Host>> Host::Open(HostOptions options) {
  std::unique_ptr<Host> host(new Host(std::move(options)));
  const auto add = [&](DesignText design, const App* app) {
    auto site = std::make_unique<Site>();
    site->design = std::move(design);
    site->app = app;
    host->sites_.push_back(std::move(site));
  };
  for (DesignText& design : host->options_.designs)
    add(std::move(design), nullptr);
  const bool has_apps = !host->options_.apps.empty();
  if (has_apps) add(CompileOwn(kPlatformDesign), &identity::kAuthApp);
  if (has_apps) host->platform_ = host->sites_.back().get();
  for (const App* app : host->options_.apps)
    add(CompileOwn(app->design), app);

  for (const auto& site : host->sites_)
    TRY(host->OpenSite(*site));
  if (has_apps) TRY(host->OpenPlatform());
  host->OpenService();
  return host;
}

Status Host::OpenSite(Site& site) {
  const design::Model& model = *site.design.design.model;
  TRY(ApplyTable(model, *options_.backend));
  site.runtime = std::make_unique<design::Runtime>(
      model, *options_.backend,
      design::RuntimeOptions{.clock = options_.clock, .random = options_.random});
  if (model.table.stream == design::syntax::StreamView::kNewAndOld) {
    site.maintainer =
        std::make_unique<design::Maintainer>(*site.runtime, design::MaintainerOptions{});
    TRY(StartMaintainer(model.name, *site.maintainer));
  }
  if (site.app == nullptr) {
    site.design_app = std::make_unique<DesignApp>(*site.runtime);
    site.app = &site.design_app->app();
  }
  if (site.app->search.describe != nullptr) TRY(OpenSearch(site));
  site.mount = {.app = site.app,
                .runtime = site.runtime.get(),
                .shared = &shared_,
                .known = &site.known,
                .search = site.index.get(),
                .feed = site.feed.get()};
  return Ok();
}

Status Host::OpenSearch(Site& site) {
  search::IndexOptions options;
  if (!options_.data_folder.empty()) {
    const std::filesystem::path folder = std::filesystem::path(options_.data_folder) / "search";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    options.file = (folder / fmt::format("{}.sqlite", site.app->name)).string();
  }
  for (const std::string_view order : site.app->search.orders)
    options.orders.emplace_back(order);
  site.index = TRY(search::Index::Open(options));
  site.feed = std::make_unique<search::SearchFeed>(
      search::FeedOptions{.app = std::string(site.app->name),
                          .runtime = site.runtime.get(),
                          .index = site.index.get(),
                          .clock = options_.clock,
                          .describe = site.app->search.describe});
  site.feed->Start();
  return Ok();
}

// What all apps share, and what needs it.
Status Host::OpenPlatform() {
  design::Runtime* const runtime = platform_->runtime.get();
  if (options_.data_folder.empty()) {
    mail_ = std::make_unique<identity::MemoryMail>();
  } else {
    const auto file = std::filesystem::path(options_.data_folder) / "mail.log";
    mail_ = std::make_unique<identity::FileMail>(file.string(), *options_.clock);
  }
  keys_ = TRY(identity::SigningKeys::Open(options_.signing_keys, *options_.clock));
  accounts_ = std::make_unique<identity::Accounts>(
      identity::Accounts::Options{.runtime = runtime,
                                  .clock = options_.clock,
                                  .keys = keys_.get(),
                                  .mail = mail_.get(),
                                  .issuer = options_.issuer,
                                  .client_id = std::string(kClientId),
                                  .secret = KeyFor(options_.seal_key, "accounts"),
                                  .policy = options_.sign_up});
  std::vector<identity::Issuer> issuers = options_.other_issuers;
  issuers.push_back(
      {.name = options_.issuer,
       .client_ids = {std::string(kClientId)},
       .keys = keys_.get(),
       .is_active = [this](std::string_view sub) { return accounts_->IsActive(sub); }});
  verifier_ = std::make_unique<identity::Verifier>(std::move(issuers), *options_.clock);
  jobs_ = std::make_unique<Jobs>(Jobs::Options{.runtime = runtime, .clock = options_.clock});
  live_ = std::make_unique<LiveHub>(LiveHub::Options{}, *options_.clock);
  idempotency_ = std::make_unique<Idempotency>(
      Idempotency::Options{.runtime = runtime, .clock = options_.clock});
  if (options_.public_write_limit) {
    public_writes_ = std::make_unique<RateLimiter>(*options_.public_write_limit, *options_.clock);
  }
  shared_.accounts = accounts_.get();
  shared_.jobs = jobs_.get();
  shared_.live = live_.get();
  shared_.idempotency = idempotency_.get();
  shared_.public_writes = public_writes_.get();
  for (const auto& site : sites_) {
    RegisterJobs(*site);
    OpenConsumers(*site);
    if (site->consumers != nullptr) TRY(site->consumers->Start());
  }
  return jobs_->Open();
}

void Host::RegisterJobs(const Site& site) {
  const Mount* const mount = &site.mount;
  for (const AppJob& job : site.app->jobs) {
    jobs_->Register(site.app->name, job.kind,
                    [mount, &job](JobState& state) { return job.step(*mount, state); });
  }
  if (const auto erase = site.app->people.erase) {
    jobs_->Register(site.app->name, kEraseJob,
                    [mount, erase](JobState& state) { return erase(*mount, state); });
  }
}

void Host::OpenConsumers(Site& site) {
  if (site.app->consumers.empty()) return;
  ConsumersOptions options{.app = std::string(site.app->name),
                           .runtime = site.runtime.get(),
                           .platform = platform_->runtime.get()};
  const Mount* const mount = &site.mount;
  for (const AppConsumer& consumer : site.app->consumers) {
    options.consumers.push_back(
        {.name = consumer.name, .handle = [mount, &consumer](const ItemChange& change) {
           return consumer.handle(*mount, change);
         }});
  }
  site.consumers = std::make_unique<Consumers>(std::move(options));
}

void Host::OpenService() {
  ServiceOptions options{.clock = options_.clock,
                         .random = options_.random,
                         .identify = options_.identify,
                         .pages = options_.pages,
                         .requires_loopback_host = options_.requires_loopback_host,
                         .request_limit = options_.request_limit,
                         .is_ready = options_.is_ready};
  if (!options.identify && verifier_ != nullptr) {
    options.identify = [this](const http::Request& request) {
      return identity::Identify(*verifier_, request);
    };
  }
  for (const auto& site : sites_)
    options.mounts.push_back(site->mount);
  for (const App* app : options_.others)
    options.mounts.push_back({.app = app, .shared = &shared_});
  service_ = std::make_unique<Service>(std::move(options));
}

std::vector<Host::Place> Host::places() const {
  std::vector<Place> places;
  places.reserve(sites_.size());
  for (const auto& site : sites_) {
    if (site.get() == platform_) continue;
    places.push_back({.title = site->app->title,
                      .path = MountPath(*site->app),
                      .is_app = site->design_app == nullptr});
  }
  return places;
}

std::vector<Host::Design> Host::designs() const {
  std::vector<Design> designs;
  designs.reserve(sites_.size());
  for (const auto& site : sites_) {
    designs.push_back({.text = site->design.text,
                       .model = site->design.design.model.get(),
                       .table = site->runtime->table()});
  }
  return designs;
}

design::Runtime* Host::FindRuntime(std::string_view name) {
  for (const auto& site : sites_)
    if (site->app->name == name) return site->runtime.get();
  return nullptr;
}

const Mount* Host::FindMount(std::string_view app) const {
  for (const auto& site : sites_)
    if (site->app->name == app) return &site->mount;
  return nullptr;
}

Result<std::vector<SamplePerson>> Host::MakeSamplePeople() {
  std::vector<SamplePerson> people;
  for (const std::string_view name : kSampleNames) {
    const std::string email = fmt::format("{}@example.org", name);
    std::string shown(name);
    shown[0] = static_cast<char>(shown[0] - 'a' + 'A');
    std::vector<std::string> groups;
    if (name == kSampleNames[2]) groups = {"admin"};
    TRY(accounts_->Provide({.email = email,
                            .password = std::string(kSamplePassword),
                            .name = shown,
                            .groups = std::move(groups)}));
    const auto account = TRY(accounts_->FindByEmail(email));
    CHECK(account.has_value(), "an account that was just made");
    people.push_back({.sub = TextOf(account->record, "sub"), .email = email, .name = shown});
  }
  return people;
}

Status Host::LoadSamplesNow() {
  if (TRY(accounts_->FindByEmail(fmt::format("{}@example.org", kSampleNames[0])))) return Ok();
  const std::vector<SamplePerson> people = TRY(MakeSamplePeople());
  for (const auto& site : sites_) {
    if (const auto load = site->app->people.load_samples) TRY(load(site->mount, people));
  }
  return Ok();
}

bool Host::LoadSamples() {
  if (platform_ == nullptr) return false;
  samples_ = std::thread([this] {
    const Status loaded = LoadSamplesNow();
    if (!loaded.ok()) {
      log::Error("the sample data could not be loaded", {{"reason", loaded.error().message()}});
    }
  });
  return true;
}

bool Host::Drained(std::chrono::milliseconds wait) {
  return std::ranges::all_of(sites_, [&](const auto& site) {
    return (site->maintainer == nullptr || site->maintainer->Drained(wait)) &&
           (site->consumers == nullptr || site->consumers->Drained(wait)) &&
           (site->feed == nullptr || site->feed->Drained(wait));
  });
}

void Host::Stop() {
  if (live_ != nullptr) live_->Stop();
  if (service_ != nullptr) service_->Stop();
  if (samples_.joinable()) samples_.join();
  if (jobs_ != nullptr) jobs_->Stop();
  for (const auto& site : sites_) {
    if (site->consumers != nullptr) site->consumers->Stop();
    if (site->feed != nullptr) site->feed->Stop();
    if (site->maintainer != nullptr) site->maintainer->Stop();
  }
}

}  // namespace trestle::platform
