#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"

namespace trestle::platform::identity {

struct Mail {
  std::string to;
  std::string subject;
  std::string text;  // plain

  friend bool operator==(const Mail&, const Mail&) = default;
};

// Sends mails. Safe from many threads; may wait.
class MailSender {
 public:
  virtual ~MailSender() = default;
  [[nodiscard]] virtual Status Send(const Mail& mail) = 0;
};

// Keeps them in memory, for tests and servers without a folder. Only the last ones.
class MemoryMail final : public MailSender {
 public:
  [[nodiscard]] Status Send(const Mail& mail) override EXCLUDES(mutex_);
  [[nodiscard]] std::vector<Mail> mails() const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::vector<Mail> mails_ GUARDED_BY(mutex_);
};

// Appends them to a file that only its owner can read, one JSON object a line:
//
//   {"at":"2026-11-15T10:30:00.000Z","to":"…","subject":"…","text":"…"}
class FileMail final : public MailSender {
 public:
  // The clock must outlive it.
  FileMail(std::string file, const Clock& clock) : file_(std::move(file)), clock_(clock) {}
  [[nodiscard]] Status Send(const Mail& mail) override;

 private:
  const std::string file_;
  const Clock& clock_;
};

}  // namespace trestle::platform::identity
