#include "platform/host.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "design/apply.h"
#include "platform/audit.h"
#include "platform/common_routes.h"
#include "platform/identity/auth_app.h"
#include "platform/identity/bearer.h"
#include "platform/item_json.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/pictures.h"
#include "platform/values.h"

namespace trestle {
extern const std::string_view kPlatformDesign;
}

namespace trestle::platform {
namespace {

constexpr std::string_view kClientId = "trestle";
// How often it is looked for what is kept about somebody who leaves.
constexpr std::size_t kLooks = 2;

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

// Small letters, and no dashes: an id may be written without them.
std::string Folded(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  for (const char character : text) {
    if (character == '-') continue;
    const bool is_capital = character >= 'A' && character <= 'Z';
    folded += is_capital ? static_cast<char>(character - 'A' + 'a') : character;
  }
  return folded;
}

// Removes the changes of somebody's items that a consumer has given up.
Status ForgetLetters(design::Runtime& platform, const ConsumerState& consumer,
                     const design::Record& account) {
  const design::Record of_consumer =
      TextRecord({{"app", consumer.app}, {"consumer", consumer.consumer}});
  for (const design::TypedItem& letter : TRY(RunWhole(platform, "deadLetters", of_consumer))) {
    const auto record = letter.record.Find("record");
    const std::string text = record ? Folded(record->bytes()) : "";
    const auto names = [&](std::string_view attribute) {
      return text.find(Folded(TextOf(account, attribute))) != std::string::npos;
    };
    if (names("sub") || names("email")) TRY(DeleteIfThere(platform, letter));
  }
  return Ok();
}

// Different secrets out of the one that is kept.
std::string KeyFor(const std::string& seal_key, std::string_view purpose) {
  return std::string(AsBytes(HmacSha256(seal_key).Sign(purpose)));
}

}  // namespace

Host::Host(HostOptions options)
    : options_(std::move(options)),
      cursors_(options_.seal_key, *options_.clock),
      timers_(*options_.clock) {
  shared_.clock = options_.clock;
  shared_.cursors = &cursors_;
  shared_.catalogue = options_.catalogue;
  shared_.requires_if_match = options_.requires_if_match;
  if (options_.edit_window_ms) shared_.edit_window_ms = *options_.edit_window_ms;
  shared_.index_lag_ms = options_.index_lag_ms;
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
                .feed = site.feed.get(),
                .settle = [&site](std::chrono::milliseconds wait) { return Settled(site, wait); }};
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
  if (options_.mail == nullptr && options_.data_folder.empty()) {
    mail_ = std::make_unique<identity::MemoryMail>();
  } else if (options_.mail == nullptr) {
    const auto file = std::filesystem::path(options_.data_folder) / "mail.log";
    mail_ = std::make_unique<identity::FileMail>(file.string(), *options_.clock);
  }
  identity::MailSender* const mail = options_.mail != nullptr ? options_.mail : mail_.get();
  keys_ = TRY(identity::SigningKeys::Open(options_.signing_keys, *options_.clock));
  accounts_ = std::make_unique<identity::Accounts>(
      identity::Accounts::Options{.runtime = runtime,
                                  .clock = options_.clock,
                                  .keys = keys_.get(),
                                  .mail = mail,
                                  .issuer = options_.issuer,
                                  .client_id = std::string(kClientId),
                                  .secret = KeyFor(options_.seal_key, "accounts"),
                                  .policy = options_.sign_up});
  std::vector<identity::Issuer> issuers = options_.other_issuers;
  issuers.push_back({.name = options_.issuer,
                     .client_ids = {std::string(kClientId)},
                     .keys = keys_.get(),
                     .is_active = [this](std::string_view sub) { return accounts_->IsActive(sub); },
                     .has_moved = true});
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
  shared_.platform = runtime;
  jobs_->Register(identity::kAuthApp.name, kEraseJob,
                  [this](JobState& job) { return ErasePerson(job); });
  for (const identity::Accounts::NewAccount& admin : options_.admins)
    TRY(accounts_->Provide(admin));
  // What a consumer has not done yet may be to start a job, of any app.
  for (const auto& site : sites_)
    RegisterJobs(*site);
  if (options_.open_scratch) OpenSamples();
  TRY(jobs_->Open());
  for (const auto& site : sites_) {
    OpenConsumers(*site);
    if (site->consumers != nullptr) {
      operator_.Add(std::string(site->app->name), site->consumers.get());
      TRY(site->consumers->Start());
    }
    for (const AppTimer& timer : options_.timers)
      if (timer.app == site->app->name) timers_.Add(site->mount, timer);
  }
  timers_.SetMail(mail);
  timers_.Start();
  return Ok();
}

void Host::OpenSamples() {
  Samples::Options options{.platform = platform_->runtime.get(),
                           .accounts = accounts_.get(),
                           .jobs = jobs_.get(),
                           .clock = options_.clock,
                           .random = options_.random,
                           .mounts = {},
                           .open_scratch = options_.open_scratch};
  for (const auto& site : sites_)
    if (site->app->people.load_samples != nullptr) options.mounts.push_back(&site->mount);
  samples_ = std::make_unique<Samples>(std::move(options));
  samples_->Register();
}

void Host::RegisterJobs(const Site& site) {
  const Mount* const mount = &site.mount;
  for (const AppJob& job : site.app->jobs) {
    jobs_->Register(site.app->name, job.kind,
                    [mount, &job](JobState& state) { return job.step(*mount, state); });
  }
  if (site.app->people.erase != nullptr) {
    jobs_->Register(site.app->name, kEraseJob, [this, mount](JobState& state) -> Result<JobStep> {
      const JobStep step = TRY(EraseFrom(std::span(&mount, 1), state));
      if (step == JobStep::kEnd) TRY(ForgetRequests(state, *mount->app));
      return step;
    });
  }
}

Result<JobStep> Host::EraseFrom(std::span<const Mount* const> mounts, JobState& job) {
  const auto ended = static_cast<std::size_t>(IntegerOf(job.progress, "ended").value_or(0));
  if (ended >= mounts.size() * kLooks) return JobStep::kEnd;
  const std::int64_t now_unix_ms = options_.clock->NowUnixMs();
  const bool is_second = ended == mounts.size();
  if (is_second && now_unix_ms < IntegerOf(job.progress, "againAt").value_or(0)) {
    return JobStep::kLater;
  }
  // Each app has the job for itself, with a progress of its own.
  const Mount& mount = *mounts[ended % mounts.size()];
  JobState part = job;
  part.progress = RecordAt(job.progress, "own");
  const JobStep step = TRY(mount.app->people.erase(mount, part));
  if (step == JobStep::kLater) return step;
  job.done = part.done;
  job.errors = std::move(part.errors);
  SetRecord(job.progress, "own", part.progress);
  if (step == JobStep::kMore) return step;
  // The pictures that it does not know of: those in items of others.
  TRY(ForgetPictures(mount, job.sub));
  job.progress.Remove("own");
  SetInteger(job.progress, "ended", static_cast<std::int64_t>(ended + 1));
  SetInteger(job.progress, "againAt", now_unix_ms + shared_.index_lag_ms);
  return JobStep::kMore;
}

Result<JobStep> Host::ErasePerson(JobState& job) {
  std::vector<const Mount*> knowing;
  for (const auto& site : sites_)
    if (site->app->people.erase != nullptr) knowing.push_back(&site->mount);
  const JobStep step = TRY(EraseFrom(knowing, job));
  job.done = IntegerOf(job.progress, "ended").value_or(0);
  job.total = static_cast<std::int64_t>(knowing.size() * kLooks);
  if (step == JobStep::kEnd) {
    const auto account = accounts_->Get(job.sub);
    if (account.ok()) {
      for (const ConsumerState& consumer : operator_.states())
        TRY(ForgetLetters(*platform_->runtime, consumer, account->record));
    }
    TRY(ForgetActor(*platform_->runtime, job.sub));
    const Status deleted = accounts_->Delete(job.sub);
    if (!deleted.ok() && deleted.error().code() != ErrorCode::kResourceNotFound) {
      return deleted.error();
    }
  }
  return step;
}

// What a person who leaves an app has asked of it, and the answers. They go with an account too,
// but not everybody who leaves an app has one here, or leaves them all.
Status Host::ForgetRequests(const JobState& erasure, const App& app) {
  design::Runtime& runtime = *platform_->runtime;
  const design::Record account = TextRecord({{"sub", erasure.sub}});
  std::vector<design::TypedItem> items = TRY(RunWhole(runtime, "requestsOfAccount", account));
  for (design::TypedItem& job : TRY(RunWhole(runtime, "jobsOfAccount", account))) {
    const bool has_ended = job.record.Find("expiresAt").has_value();
    if (TextOf(job.record, "app") == app.name && has_ended) items.push_back(std::move(job));
  }
  for (const design::TypedItem& item : items)
    TRY(DeleteIfThere(runtime, item));
  return Ok();
}

// What is told is which item changed; whoever shows it reads it.
Status Host::TellOwner(const Mount& mount, const ItemChange& change) {
  const design::TypedItem& item = change.new_item ? *change.new_item : *change.old_item;
  const std::string owner = mount.app->people.owner_of(item);
  if (owner.empty()) return Ok();
  std::string data;
  json::Writer writer(data);
  writer.BeginObject();
  writer.Key("entity");
  writer.String(item.kind.kind().name);
  writer.Key("change");
  writer.String(!change.old_item ? "created" : change.new_item ? "changed" : "deleted");
  for (const std::string& name : item.kind.of().identity) {
    const auto value = item.record.Find(name);
    if (!value) continue;
    writer.Key(FieldName(name, mount.app->names));
    writer.String(TextOfValue(*value));
  }
  writer.EndObject();
  live_->Publish({.app = mount.app->name, .audience = owner, .type = "changed", .data = data});
  return Ok();
}

Status Host::TellApps(const ItemChange& change) {
  if (!change.old_item || !change.new_item || change.new_item->kind.kind().name != "Account") {
    return Ok();
  }
  const design::Record& old = change.old_item->record;
  const design::Record& now = change.new_item->record;
  Person person{
      .sub = TextOf(now, "sub"), .email = TextOf(now, "email"), .name = TextOf(now, "name")};
  if (TextOf(old, "name") != person.name) person.old_name = TextOf(old, "name");
  if (TextOf(old, "email") == person.email && person.old_name.empty()) return Ok();
  for (const auto& site : sites_) {
    if (const auto changed = site->app->people.account_changed) TRY(changed(site->mount, person));
  }
  return Ok();
}

void Host::OpenConsumers(Site& site) {
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
  const auto is_item = [](const ItemChange& change) { return change.old_item || change.new_item; };
  if (site.app->people.owner_of != nullptr) {
    options.consumers.push_back({.name = "live", .handle = [=, this](const ItemChange& change) {
                                   return is_item(change) ? TellOwner(*mount, change) : Ok();
                                 }});
  }
  if (!site.app->pictures.empty()) {
    options.consumers.push_back({.name = "pictures", .handle = [=](const ItemChange& change) {
                                   return is_item(change) ? DropPicture(*mount, change) : Ok();
                                 }});
  }
  if (&site == platform_) {
    options.consumers.push_back({.name = "people", .handle = [this](const ItemChange& change) {
                                   return TellApps(change);
                                 }});
  }
  if (options_.outbound != nullptr && &site != platform_) {
    options.consumers.push_back({.name = "outbound", .handle = [=, this](const ItemChange& change) {
                                   return options_.outbound->Send(*mount, change);
                                 }});
  }
  if (!options.consumers.empty()) site.consumers = std::make_unique<Consumers>(std::move(options));
}

void Host::OpenService() {
  ServiceOptions options{.clock = options_.clock,
                         .random = options_.random,
                         .identify = options_.identify,
                         .pages = options_.pages,
                         .requires_loopback_host = options_.requires_loopback_host,
                         .request_limit = options_.request_limit,
                         .is_ready = options_.is_ready,
                         .add_metrics = [this](std::string& text) {
                           AppendConsumerMetrics(operator_.states(), text);
                         }};
  if (!options.identify && verifier_ != nullptr) {
    options.identify = [this](const http::Request& request) {
      return identity::Identify(*verifier_, request);
    };
  }
  for (const auto& site : sites_)
    options.mounts.push_back(site->mount);
  if (platform_ != nullptr) {
    options.mounts.push_back(
        {.app = &operator_, .runtime = platform_->runtime.get(), .shared = &shared_});
    options.mounts.push_back(
        {.app = &kFilesApp, .runtime = platform_->runtime.get(), .shared = &shared_});
  }
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

bool Host::LoadSamples() {
  if (samples_ == nullptr) return false;
  const Status started = samples_->Start();
  if (!started.ok()) {
    log::Error("the sample data could not be loaded", {{"reason", started.error().message()}});
  }
  return true;
}

bool Host::Settled(const Site& site, std::chrono::milliseconds wait) {
  return (site.maintainer == nullptr || site.maintainer->Drained(wait)) &&
         (site.consumers == nullptr || site.consumers->Drained(wait)) &&
         (site.feed == nullptr || site.feed->Drained(wait));
}

bool Host::Drained(std::chrono::milliseconds wait) {
  return std::ranges::all_of(sites_, [&](const auto& site) { return Settled(*site, wait); });
}

void Host::Stop() {
  if (live_ != nullptr) live_->Stop();
  if (service_ != nullptr) service_->Stop();
  timers_.Stop();
  if (jobs_ != nullptr) jobs_->Stop();
  for (const auto& site : sites_) {
    if (site->consumers != nullptr) site->consumers->Stop();
    if (site->feed != nullptr) site->feed->Stop();
    if (site->maintainer != nullptr) site->maintainer->Stop();
  }
}

}  // namespace trestle::platform
