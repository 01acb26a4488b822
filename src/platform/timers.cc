#include "platform/timers.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"

namespace trestle::platform {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::chrono::milliseconds kLookEvery{500};
constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;
// How far back the first turn of all looks, and how far any does.
constexpr std::int64_t kFirstMs = kDayMs;
constexpr std::int64_t kLateMaxMs = 31 * kDayMs;
// Turns are frequent, and doing something again harms nobody.
constexpr std::int64_t kSaveEveryMs = 5LL * 60 * 1000;

}  // namespace

Timers::~Timers() { Stop(); }

void Timers::Add(const Mount& mount, const AppTimer& timer) {
  const MutexLock lock(mutex_);
  lines_.push_back(
      {.mount = &mount,
       .timer = &timer,
       .position = design::NewTablePosition(*mount.runtime, fmt::format("timer-{}", timer.name)),
       .next_ns = clock_.SteadyNs()});
}

void Timers::Start() {
  thread_ = std::thread([this] { Work(); });
}

void Timers::Stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(stop_mutex_);
    is_stopped_ = true;
    stopped_.WakeAll();
  }
  thread_.join();
  const MutexLock lock(mutex_);
  for (Line& line : lines_) {
    const Status saved = line.done_unix_ms < 0 ? Ok() : Save(line);
    if (!saved.ok()) {
      log::Warn("a timer's place could not be stored", {{"reason", saved.error().message()}});
    }
  }
}

Status Timers::Save(Line& line) const {
  TRY(line.position->Write(fmt::format("{}", line.done_unix_ms)));
  line.saved_ns = clock_.SteadyNs();
  return Ok();
}

Status Timers::RunOnce(Line& line, std::int64_t now_unix_ms) {
  if (line.done_unix_ms < 0) {
    const std::string text = TRY(line.position->Read());
    std::int64_t done = now_unix_ms - kFirstMs;
    (void)std::from_chars(text.data(), text.data() + text.size(), done);
    line.done_unix_ms = done;
  }
  // The clock on the wall may have been set back.
  const std::int64_t after = std::max(line.done_unix_ms, now_unix_ms - kLateMaxMs);
  if (after >= now_unix_ms) return Ok();
  TRY(line.timer->run(*line.mount,
                      {.after_unix_ms = after, .until_unix_ms = now_unix_ms, .mail = mail_}));
  line.done_unix_ms = now_unix_ms;
  const bool is_old = clock_.SteadyNs() - line.saved_ns >= kSaveEveryMs * kNsPerMs;
  return line.saved_ns == 0 || is_old ? Save(line) : Ok();
}

void Timers::RunDue() {
  const MutexLock lock(mutex_);
  for (Line& line : lines_) {
    const std::int64_t now_ns = clock_.SteadyNs();
    if (now_ns < line.next_ns) continue;
    line.next_ns = now_ns + line.timer->every_ms * kNsPerMs;
    const Status done = RunOnce(line, clock_.NowUnixMs());
    if (done.ok()) continue;
    log::Warn("what is due could not be done yet", {{"app", std::string(line.mount->app->name)},
                                                    {"timer", std::string(line.timer->name)},
                                                    {"reason", done.error().message()}});
  }
}

void Timers::Work() {
  for (;;) {
    RunDue();
    const MutexLock lock(stop_mutex_);
    if (!is_stopped_) stopped_.WaitFor(stop_mutex_, kLookEvery);
    if (is_stopped_) return;
  }
}

}  // namespace trestle::platform
