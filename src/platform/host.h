#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "design/backend.h"
#include "design/maintainer.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "platform/consumers.h"
#include "platform/cursor.h"
#include "platform/design_app.h"
#include "platform/idempotency.h"
#include "platform/identity/accounts.h"
#include "platform/identity/mail.h"
#include "platform/identity/signing_keys.h"
#include "platform/identity/verifier.h"
#include "platform/jobs.h"
#include "platform/live.h"
#include "platform/mount.h"
#include "platform/operator_app.h"
#include "platform/outbound.h"
#include "platform/rate_limit.h"
#include "platform/samples.h"
#include "platform/search/feed.h"
#include "platform/search/index.h"
#include "platform/service.h"
#include "platform/timers.h"

namespace trestle::platform {

struct DesignText {
  std::string text;
  design::ResolvedDesign design;
};

struct HostOptions {
  design::Backend* backend = nullptr;  // these outlive the host
  const Clock* clock = nullptr;
  Random* random = nullptr;
  std::vector<DesignText> designs;        // served without a line of code
  std::vector<const App*> apps;           // apps/apps.h
  std::vector<const App*> others = {};    // without a design of their own
  std::span<const AppTimer> timers = {};  // of the apps; those of others are left out
  const Pages* pages = nullptr;           // null: none
  std::string data_folder;                // of search indexes and mails; empty: in memory
  std::string seal_key;                   // kSealKeyBytes, kept with the data
  identity::SecretPlace signing_keys;
  std::string issuer;                                // of the local pool
  std::vector<identity::Issuer> other_issuers = {};  // whose tokens are believed too
  identity::SignUpPolicy sign_up = identity::SignUpPolicy::kOpen;
  std::vector<identity::Accounts::NewAccount> admins = {};  // who have accounts, whatever happened
  identity::MailSender* mail = nullptr;  // outlives the host; null: a file of the folder
  Outbound* outbound = nullptr;          // outlives the host; null: nobody is told of changes
  const Catalogue* catalogue = nullptr;  // outlives the host; null: nothing can be looked up
  bool requires_loopback_host = true;
  std::optional<RateLimit> request_limit;
  std::optional<RateLimit> public_write_limit;
  bool requires_if_match = false;              // as in Shared
  std::optional<std::int64_t> edit_window_ms;  // none: as Shared has it
  std::int64_t index_lag_ms = 0;               // as in Shared
  // Who sends a request, instead of what its token says: for tests.
  decltype(ServiceOptions::identify) identify;
  std::function<Status()> is_ready;
  // Where sample data is made; none: there are no samples.
  std::function<Result<ScratchBackend>()> open_scratch;
};

// Designs and apps at work on one back end: their tables, what follows the streams, accounts, jobs,
// search, and the service that answers for all of it.
class Host {
 public:
  // Makes the tables what the designs want, and starts what works by itself.
  [[nodiscard]] static Result<std::unique_ptr<Host>> Open(HostOptions options);
  ~Host();  // Stop
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] Service& service() { return *service_; }

  // What is served and where; the designs come first.
  struct Place {
    std::string_view title;
    std::string path;
    bool is_app = false;
  };
  [[nodiscard]] std::vector<Place> places() const;
  // The designs of all that is served, for who shows them.
  struct Design {
    std::string_view text;
    const design::Model* model = nullptr;
    std::string_view table;
  };
  [[nodiscard]] std::vector<Design> designs() const;
  // The run time of an app or a design; null when there is none of this name.
  [[nodiscard]] design::Runtime* FindRuntime(std::string_view name);
  [[nodiscard]] const Mount* FindMount(std::string_view app) const;
  [[nodiscard]] identity::Accounts* accounts() { return accounts_.get(); }

  // Makes the sample people and what the apps know of them, once, as a job. False when there are no
  // apps.
  bool LoadSamples();

  // Waits until everything that follows from what was written before the call is done.
  [[nodiscard]] bool Drained(std::chrono::milliseconds wait);

  // Does what is due by now; a thread of its own does it too.
  void RunTimers() { timers_.RunDue(); }

  // After the server has been shut down: ends all that works by itself.
  void Stop();

 private:
  // One design at work.
  struct Site {
    DesignText design;
    std::unique_ptr<design::Runtime> runtime;
    std::unique_ptr<design::Maintainer> maintainer;  // null: nothing follows the stream
    std::unique_ptr<DesignApp> design_app;           // null: `app` is not made from the design
    const App* app = nullptr;
    KnownPeople known;
    std::unique_ptr<search::Index> index;
    std::unique_ptr<search::SearchFeed> feed;
    std::unique_ptr<Consumers> consumers;
    Mount mount;
  };

  explicit Host(HostOptions options);
  [[nodiscard]] Status OpenSite(Site& site);
  [[nodiscard]] Status OpenSearch(Site& site);
  [[nodiscard]] Status OpenPlatform();
  [[nodiscard]] static bool Settled(const Site& site, std::chrono::milliseconds wait);
  void OpenConsumers(Site& site);
  void RegisterJobs(const Site& site);
  void OpenSamples();
  // What some apps know of a person; once more when global indexes show all of it.
  [[nodiscard]] Result<JobStep> EraseFrom(std::span<const Mount* const> mounts, JobState& job);
  // All that any app knows of a person, and then the account.
  [[nodiscard]] Result<JobStep> ErasePerson(JobState& job);
  [[nodiscard]] Status ForgetRequests(const JobState& erasure, const App& app);
  [[nodiscard]] Status TellOwner(const Mount& mount, const ItemChange& change);
  [[nodiscard]] Status TellApps(const ItemChange& change);
  void OpenService();

  HostOptions options_;
  CursorSealer cursors_;
  Shared shared_;
  std::vector<std::unique_ptr<Site>> sites_;  // they are pointed to
  Site* platform_ = nullptr;                  // that of platform.design; null: no apps
  std::unique_ptr<identity::MailSender> mail_;
  std::unique_ptr<identity::SigningKeys> keys_;
  std::unique_ptr<identity::Accounts> accounts_;
  std::unique_ptr<identity::Verifier> verifier_;
  std::unique_ptr<Samples> samples_;  // null: none; a job's function is part of it
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<LiveHub> live_;
  std::unique_ptr<Idempotency> idempotency_;
  OperatorApp operator_;
  std::unique_ptr<RateLimiter> public_writes_;
  std::unique_ptr<Service> service_;
  Timers timers_;
};

}  // namespace trestle::platform
