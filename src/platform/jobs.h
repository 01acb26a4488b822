#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/call.h"

namespace trestle::platform {

// A job as its function sees it.
struct JobState {
  std::string job_id;
  std::string sub;                          // who started it
  design::Record input;                     // as it was given
  std::shared_ptr<const std::string> file;  // that came with it; never null
  design::Record result;                    // shown when it has ended
  // Where the function goes on, in its own words. It is kept with the counts below, at most a
  // second late: what was done since happens again after a crash.
  design::Record progress;
  std::int64_t done = 0;
  std::optional<std::int64_t> total;
  std::vector<std::string> errors;  // the first hundred are kept; they do not end the job
};

enum class JobStep : std::uint8_t {
  kMore,
  kLater,  // it is not time yet: what the step has done to the state is forgotten
  kEnd,
};

// Whether an error passes by itself: the database is too busy, or away, or somebody else was
// faster.
[[nodiscard]] bool IsPassing(const Error& error);

// Does the next piece of the work, a second's at most. An error ends the job as FAILED, unless it
// passes by itself: then, as after kLater, the step is tried again after waits that grow up to half
// a minute, and other jobs have their turns meanwhile.
using JobFunction = std::function<Result<JobStep>(JobState& job)>;

// A list whose items a job does something with.
struct JobList {
  std::string_view access;
  design::Record arguments;
  Status (*use)(design::Runtime& runtime, const design::TypedItem& item);
  bool is_descending = false;
  std::uint32_t step_items = 50;
};
// One page of one list after the other. Where the job goes on is the cursor in its progress, so an
// index that still shows what was deleted does not hold it up; what an index does not show yet is
// left.
[[nodiscard]] Result<JobStep> UseLists(design::Runtime& runtime, JobState& job,
                                       std::span<const JobList> lists);

struct NewJob {
  std::string_view app;
  std::string_view kind;
  std::string_view sub;
  design::Record input = {};
  std::string_view file = {};  // as much as a transaction takes; kept until the job has ended
};

// Long work, as Jobs of platform.design: what was asked for is stored before the answer, and goes
// on after a restart. Jobs take turns of a second. Safe from many threads.
class Jobs {
 public:
  struct Options {
    design::Runtime* runtime = nullptr;  // of platform.design; both outlive the jobs
    const Clock* clock = nullptr;
    unsigned thread_count = 2;
  };
  explicit Jobs(const Options& options);
  ~Jobs();  // Stop
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Before Open. Jobs of a kind that nobody has registered wait for a server that knows it.
  void Register(std::string_view app, std::string_view kind, JobFunction function);
  // Goes on with all that have not ended.
  [[nodiscard]] Status Open();
  // Saves all between two steps. One thread calls it.
  void Stop() EXCLUDES(mutex_);

  // The job's id.
  [[nodiscard]] Result<std::string> Start(const NewJob& job,
                                          const design::WriteOptions& options = {})
      EXCLUDES(mutex_);
  [[nodiscard]] Result<std::optional<design::TypedItem>> Find(std::string_view job_id);
  // Whether it has ended by then.
  bool Wait(const std::string& job_id, std::chrono::milliseconds time) EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;
  // A turn that did nothing is kLater, or, because of an error that passes, kFailed.
  enum class Turn : std::uint8_t { kOver, kAgain, kLater, kFailed };

  void Work() EXCLUDES(mutex_);
  // The next job whose time has come; nothing when they stop.
  [[nodiscard]] std::optional<std::string> Next() EXCLUDES(mutex_);
  [[nodiscard]] Turn RunTurn(const std::string& job_id);
  [[nodiscard]] Result<Turn> TakeTurn(const std::string& job_id);
  [[nodiscard]] Result<Turn> End(const std::string& job_id);
  // What came with a job, read once if there is room for it.
  [[nodiscard]] Result<std::shared_ptr<const std::string>> FileOf(const std::string& job_id)
      EXCLUDES(mutex_);
  [[nodiscard]] Status Save(const JobState& job, std::string_view state);
  [[nodiscard]] bool IsStopped() const EXCLUDES(mutex_);
  void Queue(const std::string& job_id, std::chrono::milliseconds pause = {}) EXCLUDES(mutex_);
  [[nodiscard]] std::chrono::milliseconds PauseAfter(const std::string& job_id, Turn turn)
      EXCLUDES(mutex_);

  const Options options_;
  const design::Entity& entity_;
  std::map<std::pair<std::string, std::string>, JobFunction> functions_;  // by app and kind
  std::vector<std::thread> threads_;

  mutable Mutex mutex_;
  Condition changed_;
  std::multimap<Time, std::string> waiting_ GUARDED_BY(mutex_);  // by when they may go on
  struct OpenJob {
    int idle_turns = 0;                                 // that have done nothing, in a row
    std::shared_ptr<const std::string> file = nullptr;  // null: it is in the table only
  };
  // Those that wait or are at work.
  std::map<std::string, OpenJob, std::less<>> open_ GUARDED_BY(mutex_);
  bool is_stopped_ GUARDED_BY(mutex_) = false;
};

// Starts a job and answers with it: 202 and its Location, or 200 when it has ended within the time
// that `Prefer: wait=<seconds>` asks for.
[[nodiscard]] Status ReplyJob(Call& call, std::string_view kind, design::Record input,
                              json::Writer& reply, std::string_view file = {});

// How far a job of the caller's is. An app whose routes start jobs has this one too.
[[nodiscard]] Status ShowJob(Call& call, json::Writer& reply);
// The same for whoever knows the job's id, of a kind after which its owner cannot sign in.
[[nodiscard]] Status ShowJobOfKind(Call& call, std::string_view kind, json::Writer& reply);
inline constexpr Route kJobRoute = {.method = "GET",
                                    .path = "/jobs/{jobId}",
                                    .access = Access::kSignedIn,
                                    .handle = ShowJob,
                                    .summary = "How far a job is"};

}  // namespace trestle::platform
