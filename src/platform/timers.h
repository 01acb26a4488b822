#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "design/follower.h"
#include "platform/identity/mail.h"
#include "platform/mount.h"

namespace trestle::platform {

// A turn of a timer: all that became due later than `after` and not later than `until`, which is
// now.
struct TimerTurn {
  std::int64_t after_unix_ms = 0;
  std::int64_t until_unix_ms = 0;
  identity::MailSender* mail = nullptr;
};

// What an app does at a time. The same moments may come again, so doing something twice changes
// nothing.
struct AppTimer {
  std::string_view app;
  std::string_view name;      // [A-Za-z0-9_-]{1,58}, and unique in the app
  std::int64_t every_ms = 0;  // between two turns
  Status (*run)(const Mount& mount, const TimerTurn& turn);
};

// Does what apps want to have done at a time (AppTimer). How far each timer is stands in its app's
// table, so what became due while no server was running is done afterwards; a moment may come
// again after a crash. One that fails is tried again with its next turn.
//
// Safe from many threads.
class Timers {
 public:
  explicit Timers(const Clock& clock) : clock_(clock) {}  // it must outlive them
  ~Timers();                                              // Stop
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  // Before Start. What mails are sent with; null: none are.
  void SetMail(identity::MailSender* mail) { mail_ = mail; }
  // Both outlive the timers.
  void Add(const Mount& mount, const AppTimer& timer) EXCLUDES(mutex_);
  void Start();
  // Waits for the timer that runs. One thread calls it.
  void Stop() EXCLUDES(mutex_);

  // Runs the timers whose turn it is. A thread does it twice a second; a test that sets the clock
  // does it itself.
  void RunDue() EXCLUDES(mutex_);

 private:
  struct Line {
    const Mount* mount;
    const AppTimer* timer;
    std::unique_ptr<design::PositionStore> position;
    std::int64_t next_ns;            // whose turn it is not before
    std::int64_t saved_ns = 0;       // when the position was stored
    std::int64_t done_unix_ms = -1;  // all up to here is done; -1: not read yet
  };

  [[nodiscard]] Status RunOnce(Line& line, std::int64_t now_unix_ms);
  [[nodiscard]] Status Save(Line& line) const;
  void Work() EXCLUDES(mutex_);

  const Clock& clock_;
  identity::MailSender* mail_ = nullptr;
  std::thread thread_;

  Mutex mutex_;  // held while a timer runs
  std::deque<Line> lines_ GUARDED_BY(mutex_);

  Mutex stop_mutex_;
  Condition stopped_;
  bool is_stopped_ GUARDED_BY(stop_mutex_) = false;
};

}  // namespace trestle::platform
