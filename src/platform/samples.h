#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "design/backend.h"
#include "platform/identity/accounts.h"
#include "platform/jobs.h"
#include "platform/mount.h"
#include "value/item.h"

namespace trestle::platform {

inline constexpr std::string_view kSamplePassword = "trestle-sample";
inline constexpr std::string_view kSamplesJob = "samples";

// An empty back end in memory.
struct ScratchBackend {
  std::shared_ptr<void> owner;  // of what the back end is on
  std::unique_ptr<design::Backend> backend;
};

// The sample people and what the apps know of them, loaded as a job.
//
// What an app makes of its sample is made in memory first, always the same for the same people and
// the same time, which the job knows. Its items are then written many at a time, each that is not
// there yet: a load that was cut off goes on where it was. The accounts come last, so nobody is met
// whose sample is not complete; the first of kSampleNames is the very last.
//
// One thread at a time, except for Start.
class Samples {
 public:
  struct Options {
    design::Runtime* platform = nullptr;  // of platform.design; these outlive the samples
    identity::Accounts* accounts = nullptr;
    Jobs* jobs = nullptr;
    const Clock* clock = nullptr;
    Random* random = nullptr;
    std::vector<const Mount*> mounts;  // of the apps that have samples
    std::function<Result<ScratchBackend>()> open_scratch;
  };
  explicit Samples(Options options) : options_(std::move(options)) {}

  // Before Jobs::Open.
  void Register();
  // Unless they are there or on their way.
  [[nodiscard]] Status Start();

 private:
  struct Made {
    std::string app;
    std::vector<value::Item> items;  // parents before their children
  };

  [[nodiscard]] Result<JobStep> Step(JobState& job);
  [[nodiscard]] Result<JobStep> MakeAccount(JobState& job);
  // The next of an app's items; false behind the last one.
  [[nodiscard]] Result<bool> WriteSome(const Mount& mount, JobState& job);
  [[nodiscard]] Status Make(const Mount& mount, const JobState& job);

  const Options options_;
  Made made_;  // of the app at work
};

}  // namespace trestle::platform
