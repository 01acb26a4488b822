#include "platform/identity/mail_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"

namespace trestle::platform::identity {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::chrono::milliseconds kLookEvery{500};

}  // namespace

MailQueue::MailQueue(std::unique_ptr<MailSender> sender, const Clock& clock, const Options& options)
    : sender_(std::move(sender)), clock_(clock), options_(options) {}

MailQueue::~MailQueue() { Stop(); }

void MailQueue::Start() {
  thread_ = std::thread([this] { Work(); });
}

void MailQueue::Stop() {
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    changed_.WakeAll();
  }
  if (!thread_.joinable()) return;
  thread_.join();
  const std::size_t lost = waiting();
  if (lost > 0) log::Warn("mails were not sent", {{"count", std::to_string(lost)}});
}

Status MailQueue::Send(const Mail& mail) {
  const MutexLock lock(mutex_);
  if (waiting_.size() + sending_ >= options_.mails_max) {
    return Error(ErrorCode::kUnavailable, "too many mails wait to be sent");
  }
  waiting_.push_back({.mail = mail, .tries = 0, .due_ns = clock_.SteadyNs()});
  changed_.WakeAll();
  return Ok();
}

std::vector<MailQueue::Waiting> MailQueue::TakeDue() {
  const std::int64_t now_ns = clock_.SteadyNs();
  const MutexLock lock(mutex_);
  const auto due = std::stable_partition(waiting_.begin(), waiting_.end(),
                                         [&](const Waiting& it) { return it.due_ns > now_ns; });
  std::vector<Waiting> taken(std::make_move_iterator(due), std::make_move_iterator(waiting_.end()));
  waiting_.erase(due, waiting_.end());
  sending_ += taken.size();
  return taken;
}

void MailQueue::TryOnce(Waiting waiting) {
  const Status sent = sender_->Send(waiting.mail);
  ++waiting.tries;
  const bool is_over = sent.ok() || sent.error().code() != ErrorCode::kUnavailable ||
                       waiting.tries >= options_.tries_max;
  if (!sent.ok()) {
    log::Warn(is_over ? "a mail cannot be sent" : "a mail could not be sent yet",
              {{"reason", sent.error().message()}, {"tries", std::to_string(waiting.tries)}});
  }
  const std::int64_t pause_ms = options_.first_pause_ms << (waiting.tries - 1);
  waiting.due_ns = clock_.SteadyNs() + pause_ms * kNsPerMs;
  const MutexLock lock(mutex_);
  --sending_;
  if (!is_over) waiting_.push_back(std::move(waiting));
}

void MailQueue::SendDue() {
  std::vector<Waiting> due = TakeDue();
  for (std::size_t i = 0; i < due.size(); ++i) {
    {
      const MutexLock lock(mutex_);
      if (is_stopped_) {
        std::move(due.begin() + static_cast<std::ptrdiff_t>(i), due.end(),
                  std::back_inserter(waiting_));
        sending_ -= due.size() - i;
        return;
      }
    }
    TryOnce(std::move(due[i]));
  }
}

std::size_t MailQueue::waiting() const {
  const MutexLock lock(mutex_);
  return waiting_.size() + sending_;
}

void MailQueue::Work() {
  for (;;) {
    SendDue();
    const MutexLock lock(mutex_);
    if (is_stopped_) return;
    const std::int64_t now_ns = clock_.SteadyNs();
    const bool has_due =
        std::ranges::any_of(waiting_, [&](const Waiting& it) { return it.due_ns <= now_ns; });
    if (!has_due) changed_.WaitFor(mutex_, kLookEvery);
  }
}

}  // namespace trestle::platform::identity
