#include "platform/jobs.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/parts.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

constexpr std::int64_t kTurnNs = 1'000'000'000;
constexpr std::int64_t kKeptMs = 30LL * 24 * 60 * 60 * 1000;
constexpr std::size_t kErrorsMax = 100;
constexpr std::size_t kJobIdBytes = 16;
constexpr std::size_t kFileBytesMax = std::size_t{64} << 20U;  // of all jobs at work
constexpr std::chrono::milliseconds kPauseMax{30'000};
constexpr int kDoublingsMax = 15;
constexpr int kTurnsUntilWarning = 10;  // those before take a second altogether

const design::Entity& JobEntity(const design::Runtime& runtime) {
  const design::Entity* entity = runtime.model().FindEntity("Job");
  CHECK(entity != nullptr, "jobs are of platform.design");
  return *entity;
}

JobState StateOf(const design::Record& record, std::shared_ptr<const std::string> file) {
  return {.job_id = TextOf(record, "jobId"),
          .sub = TextOf(record, "sub"),
          .input = RecordAt(record, "input"),
          .file = std::move(file),
          .result = RecordAt(record, "result"),
          .progress = RecordAt(record, "progress"),
          .done = IntegerOf(record, "done").value_or(0),
          .total = IntegerOf(record, "total"),
          .errors = TextsOf(record, "errors")};
}

bool HasEnded(const design::Record& record) {
  const std::string state = TextOf(record, "state");
  return state != "QUEUED" && state != "RUNNING";
}

void WriteJob(const Call& call, const design::TypedItem& item, json::Writer& reply) {
  design::Record shown = item.record;
  for (const std::string_view name : {"sub", "app", "input", "progress", "expiresAt"})
    shown.Remove(name);
  reply.BeginObject();
  WriteMembers(shown, Fields(item.kind.entity->attributes, call.app().names), reply);
  reply.EndObject();
}

// We do not throw; the standard library may, and the next start would meet it again.
Result<JobStep> RunStep(const JobFunction& function, JobState& job) {
  try {
    return function(job);
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kUnavailable, "memory is short");
  } catch (...) {
    return Error(ErrorCode::kInternal, "exception");
  }
}

}  // namespace

bool IsPassing(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTransactionConflict:
      return true;
    case ErrorCode::kTransactionCanceled: {
      const ErrorDetails* const details = error.details();
      if (details == nullptr || details->reasons.empty()) return false;
      return std::ranges::all_of(details->reasons, [](const std::optional<Error>& reason) {
        return !reason || IsPassing(*reason);
      });
    }
    default:
      return false;
  }
}

Result<JobStep> UseLists(design::Runtime& runtime, JobState& job, std::span<const JobList> lists) {
  const auto at = static_cast<std::size_t>(IntegerOf(job.progress, "list").value_or(0));
  if (at >= lists.size()) return JobStep::kEnd;
  const JobList& list = lists[at];
  design::PageOptions options{.limit = list.step_items, .cursor = TextOf(job.progress, "cursor")};
  if (list.is_descending) options.is_descending = true;
  const design::Access* const access = runtime.model().FindAccess(list.access);
  CHECK(access != nullptr, "an access pattern of the app's design");
  const design::TypedPage page = TRY(runtime.Run(*access, list.arguments, options));
  for (const design::TypedItem& item : page.items) {
    TRY(list.use(runtime, item));
    ++job.done;
  }
  job.progress.SetText("cursor", page.cursor);
  if (page.cursor.empty()) SetInteger(job.progress, "list", static_cast<std::int64_t>(at + 1));
  return JobStep::kMore;
}

Jobs::Jobs(const Options& options) : options_(options), entity_(JobEntity(*options.runtime)) {}

Jobs::~Jobs() { Stop(); }

void Jobs::Register(std::string_view app, std::string_view kind, JobFunction function) {
  CHECK(threads_.empty(), "kinds of jobs are known before the first one runs");
  functions_[{std::string(app), std::string(kind)}] = std::move(function);
}

Status Jobs::Open() {
  for (const design::TypedItem& job : TRY(RunWhole(*options_.runtime, "openJobs", {})))
    Queue(TextOf(job.record, "jobId"));
  threads_.reserve(options_.thread_count);
  for (unsigned i = 0; i < options_.thread_count; ++i)
    threads_.emplace_back([this] { Work(); });
  return Ok();
}

void Jobs::Stop() {
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
  }
  changed_.WakeAll();
  for (std::thread& thread : threads_)
    thread.join();
  threads_.clear();
}

bool Jobs::IsStopped() const {
  const MutexLock lock(mutex_);
  return is_stopped_;
}

void Jobs::Queue(const std::string& job_id, std::chrono::milliseconds pause) {
  {
    const MutexLock lock(mutex_);
    open_.try_emplace(job_id);
    waiting_.emplace(std::chrono::steady_clock::now() + pause, job_id);
  }
  changed_.WakeAll();
}

std::chrono::milliseconds Jobs::PauseAfter(const std::string& job_id, Turn turn) {
  const MutexLock lock(mutex_);
  int& turns = open_[job_id].idle_turns;
  turns = turn == Turn::kAgain ? 0 : turns + 1;
  if (turns == 0) return {};
  if (turns == kTurnsUntilWarning && turn == Turn::kFailed) {
    log::Warn("a job waits for the database", {{"job", job_id}});
  }
  return std::min(kPauseMax, std::chrono::milliseconds(1LL << std::min(turns, kDoublingsMax)));
}

Result<std::string> Jobs::Start(const NewJob& job, const design::WriteOptions& options) {
  CHECK(functions_.contains({std::string(job.app), std::string(job.kind)}),
        "a kind of job that is known");
  std::string job_id = HexEncode(SecureRandomBytes(kJobIdBytes));
  design::Record attributes =
      TextRecord({{"jobId", job_id}, {"sub", job.sub}, {"app", job.app}, {"kind", job.kind}});
  SetRecord(attributes, "input", job.input);
  design::WriteOptions with_file = options;
  TRY(PlanParts(*options_.runtime, "JobPart", TextRecord({{"jobId", job_id}}), job.file,
                with_file.together_with));
  TRY(options_.runtime->Create(entity_, attributes, with_file));
  Queue(job_id);
  return job_id;
}

Result<std::optional<design::TypedItem>> Jobs::Find(std::string_view job_id) {
  auto found = options_.runtime->Get(entity_, TextRecord({{"jobId", job_id}}));
  // What cannot be an id is nobody's.
  if (!found.ok() && found.error().code() == ErrorCode::kValidation) {
    return std::optional<design::TypedItem>();
  }
  return found;
}

bool Jobs::Wait(const std::string& job_id, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  const MutexLock lock(mutex_);
  while (open_.contains(job_id) && !is_stopped_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    changed_.WaitFor(mutex_, left);
  }
  return !open_.contains(job_id);
}

std::optional<std::string> Jobs::Next() {
  const MutexLock lock(mutex_);
  while (!is_stopped_) {
    if (waiting_.empty()) {
      changed_.Wait(mutex_);
      continue;
    }
    const auto first = waiting_.begin();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        first->first - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      std::optional<std::string> job_id = std::move(first->second);
      waiting_.erase(first);
      return job_id;
    }
    changed_.WaitFor(mutex_, left);
  }
  return std::nullopt;
}

void Jobs::Work() {
  while (const auto job_id = Next()) {
    const Turn turn = RunTurn(*job_id);
    if (turn == Turn::kOver) {
      {
        const MutexLock lock(mutex_);
        open_.erase(*job_id);
      }
      changed_.WakeAll();
    } else {
      Queue(*job_id, PauseAfter(*job_id, turn));
    }
  }
}

// A job that cannot be read or saved now may be so later.
Jobs::Turn Jobs::RunTurn(const std::string& job_id) {
  const auto turn = TakeTurn(job_id);
  if (turn.ok()) return *turn;
  if (IsPassing(turn.error())) return Turn::kFailed;
  log::Error("a job cannot be read or saved; it goes on after the next start",
             {{"job", job_id}, {"why", turn.error().message()}});
  return Turn::kOver;
}

// A second of one job.
Result<Jobs::Turn> Jobs::TakeTurn(const std::string& job_id) {
  const auto item = TRY(Find(job_id));
  if (!item) return Turn::kOver;
  const design::Record& stored = item->record;
  if (HasEnded(stored)) return End(job_id);
  const auto function = functions_.find({TextOf(stored, "app"), TextOf(stored, "kind")});
  if (function == functions_.end()) {
    log::Warn("a job waits for a server that knows its kind", {{"job", job_id}});
    return Turn::kOver;
  }
  JobState job = StateOf(stored, TRY(FileOf(job_id)));
  std::string_view state = "RUNNING";
  if (TextOf(stored, "state") == "QUEUED") TRY(Save(job, state));
  const std::int64_t started_ns = options_.clock->SteadyNs();
  Turn turn = Turn::kFailed;
  while (state == "RUNNING" && options_.clock->SteadyNs() - started_ns < kTurnNs && !IsStopped()) {
    // What a step that failed has done to the state is forgotten.
    JobState next = job;
    const auto step = RunStep(function->second, next);
    if (!step.ok() && IsPassing(step.error())) break;
    if (step.ok() && *step == JobStep::kLater) {
      if (turn == Turn::kFailed) turn = Turn::kLater;
      break;
    }
    if (step.ok()) {
      job = std::move(next);
      turn = Turn::kAgain;
      if (*step == JobStep::kEnd) state = "DONE";
      continue;
    }
    state = "FAILED";
    job.errors.resize(std::min(job.errors.size(), kErrorsMax - 1));
    job.errors.push_back(ToProblem(step.error()).detail);
    log::Error("a job failed", {{"job", job_id}, {"why", step.error().message()}});
  }
  if (state == "RUNNING" && turn != Turn::kAgain) return turn;
  TRY(Save(job, state));
  return state == "RUNNING" ? turn : End(job_id);
}

Result<std::shared_ptr<const std::string>> Jobs::FileOf(const std::string& job_id) {
  {
    const MutexLock lock(mutex_);
    if (open_[job_id].file != nullptr) return open_[job_id].file;
  }
  std::string bytes;
  for (const design::TypedItem& part :
       TRY(RunWhole(*options_.runtime, "partsOfJob", TextRecord({{"jobId", job_id}}))))
    AppendPart(part.record, bytes);
  auto file = std::make_shared<const std::string>(std::move(bytes));
  const MutexLock lock(mutex_);
  std::size_t kept_bytes = file->size();
  for (const auto& [id, job] : open_)
    if (job.file != nullptr) kept_bytes += job.file->size();
  if (kept_bytes <= kFileBytesMax) open_[job_id].file = file;
  return file;
}

// What is left of its file after a crash before this goes with the job, when that expires.
Result<Jobs::Turn> Jobs::End(const std::string& job_id) {
  for (const design::TypedItem& part :
       TRY(RunWhole(*options_.runtime, "partsOfJob", TextRecord({{"jobId", job_id}}),
                    {.attributes = {"jobId", "n"}})))
    TRY(DeleteIfThere(*options_.runtime, part));
  return Turn::kOver;
}

Status Jobs::Save(const JobState& job, std::string_view state) {
  const bool is_over = state != "RUNNING";
  design::Record attributes;
  attributes.SetText("state", state);
  SetInteger(attributes, "done", job.done);
  if (job.total) SetInteger(attributes, "total", *job.total);
  const std::size_t error_count = std::min(job.errors.size(), kErrorsMax);
  SetTexts(attributes, "errors",
           {job.errors.begin(), job.errors.begin() + static_cast<std::ptrdiff_t>(error_count)});
  SetRecord(attributes, "progress", job.progress);
  if (!job.result.empty()) SetRecord(attributes, "result", job.result);
  if (is_over) {
    attributes.SetText("expiresAt",
                       design::TimestampText(options_.clock->NowUnixMs() + kKeptMs,
                                             design::syntax::Precision::kMilliseconds));
  }
  const auto saved = options_.runtime->Update(entity_, TextRecord({{"jobId", job.job_id}}),
                                              design::SetAll(attributes));
  // It went with the account of who started it.
  if (!saved.ok() && saved.error().code() != ErrorCode::kResourceNotFound) return saved.error();
  return Ok();
}

Status ReplyJob(Call& call, std::string_view kind, design::Record input, json::Writer& reply,
                std::string_view file) {
  Jobs* const jobs = call.shared().jobs;
  CHECK(jobs != nullptr, "an app with jobs is served with them");
  const design::WriteOptions options = TRY(call.write_options());
  const std::string job_id = TRY(jobs->Start({.app = call.app().name,
                                              .kind = kind,
                                              .sub = call.sub(),
                                              .input = std::move(input),
                                              .file = file},
                                             options));
  const std::chrono::seconds wait = call.PreferredWait();
  const bool is_awaited = wait.count() > 0;
  if (is_awaited) {
    jobs->Wait(job_id, wait);
    call.AddHeader("Preference-Applied", fmt::format("wait={}", wait.count()));
  }
  const auto item = TRY(jobs->Find(job_id));
  if (!item) return NotFound("job");
  call.SetStatus(is_awaited && HasEnded(item->record) ? 200 : 202);
  call.AddHeader("Location", fmt::format("{}/jobs/{}", MountPath(call.app()), job_id));
  WriteJob(call, *item, reply);
  return Ok();
}

namespace {

Status ShowJobWith(Call& call, std::string_view attribute, std::string_view text,
                   json::Writer& reply) {
  Jobs* const jobs = call.shared().jobs;
  if (jobs == nullptr) return NotFound("job");
  const auto item = TRY(jobs->Find(call.PathValue("jobId")));
  const bool is_it = item && TextOf(item->record, attribute) == text &&
                     TextOf(item->record, "app") == call.app().name;
  if (!is_it) return NotFound("job");
  WriteJob(call, *item, reply);
  return Ok();
}

}  // namespace

Status ShowJob(Call& call, json::Writer& reply) {
  return ShowJobWith(call, "sub", call.sub(), reply);
}

Status ShowJobOfKind(Call& call, std::string_view kind, json::Writer& reply) {
  return ShowJobWith(call, "kind", kind, reply);
}

}  // namespace trestle::platform
