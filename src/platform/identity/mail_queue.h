#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "platform/identity/mail.h"

namespace trestle::platform::identity {

// Sends mails through another sender, on a thread of its own: who has one to send does not wait.
// What fails for a while is tried again, after pauses that double. Mails are in memory only: those
// that are left when the server ends are lost, and the log says how many. Safe from many threads.
class MailQueue final : public MailSender {
 public:
  struct Options {
    std::size_t mails_max = 1000;
    int tries_max = 8;
    std::int64_t first_pause_ms = 2000;
  };
  // The clock must outlive it.
  MailQueue(std::unique_ptr<MailSender> sender, const Clock& clock, const Options& options);
  ~MailQueue() override;  // Stop
  MailQueue(const MailQueue&) = delete;
  MailQueue& operator=(const MailQueue&) = delete;

  void Start();
  // Waits for the mail that is being sent. One thread calls it.
  void Stop() EXCLUDES(mutex_);

  // kUnavailable when too many wait.
  [[nodiscard]] Status Send(const Mail& mail) override EXCLUDES(mutex_);

  // Tries each mail whose time has come, once. The thread does it; without Start, a test.
  void SendDue() EXCLUDES(mutex_);
  [[nodiscard]] std::size_t waiting() const EXCLUDES(mutex_);

 private:
  struct Waiting {
    Mail mail;
    int tries = 0;
    std::int64_t due_ns = 0;
  };

  void Work() EXCLUDES(mutex_);
  // The mails whose time has come; they do not wait any more.
  [[nodiscard]] std::vector<Waiting> TakeDue() EXCLUDES(mutex_);
  void TryOnce(Waiting waiting) EXCLUDES(mutex_);

  const std::unique_ptr<MailSender> sender_;
  const Clock& clock_;
  const Options options_;
  std::thread thread_;

  mutable Mutex mutex_;
  Condition changed_;
  std::vector<Waiting> waiting_ GUARDED_BY(mutex_);
  std::size_t sending_ GUARDED_BY(mutex_) = 0;  // taken, and not sent yet
  bool is_stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace trestle::platform::identity
