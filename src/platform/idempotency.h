#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "design/runtime.h"
#include "http/message.h"

namespace trestle::platform {

// An answer that is kept for who asks again.
struct StoredAnswer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
};

// Requests that have their effect once, however often they are sent: each is known by who sends it
// and its Idempotency-Key, for a day. The record of a request is stored with its first effect, in
// one transaction, and its answer after it. Safe from many threads.
class Idempotency {
 public:
  struct Options {
    design::Runtime* runtime = nullptr;  // of platform.design; both outlive it
    const Clock* clock = nullptr;
    // How long a request waits for another one with the same key.
    std::chrono::milliseconds wait = std::chrono::seconds(5);
  };
  explicit Idempotency(const Options& options);

  // A request that runs. Nobody else has its key until it is gone.
  class Running {
   public:
    Running(Running&& other) noexcept;
    Running& operator=(Running&&) = delete;
    ~Running();

    // What joins the transaction of the first effect. What `headers` say of a Location is told to
    // who asks again after a crash.
    [[nodiscard]] Result<std::vector<design::WriteItem>> ToWrite(
        const std::vector<std::pair<std::string, std::string>>& headers);
    // Keeps the answer, unless it is an error and nothing has happened. Of a long one only the
    // status and the Location are kept.
    [[nodiscard]] Status Finish(const StoredAnswer& answer);

   private:
    friend class Idempotency;
    Running(Idempotency& owner, std::string sub, std::string key, std::string fingerprint);

    Idempotency* owner_;  // null once moved from
    std::string sub_;
    std::string key_;
    std::string fingerprint_;
    bool may_be_stored_ = false;
  };

  // Either the request may run, or this is the answer that it has had. The problem
  // idempotency-key-reused when that was to another request; in-progress when it takes too long.
  using Begun = std::variant<Running, StoredAnswer>;
  struct Request {
    std::string_view sub;
    std::string_view key;
    std::string_view fingerprint;
  };
  [[nodiscard]] Result<Begun> Begin(const Request& request) EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool Take(const Request& request) EXCLUDES(mutex_);
  void Release(const std::string& sub, const std::string& key) EXCLUDES(mutex_);

  const Options options_;
  const design::Entity& entity_;

  Mutex mutex_;
  Condition released_;
  std::set<std::pair<std::string, std::string>> running_ GUARDED_BY(mutex_);  // sub and key
};

// What tells requests apart: method, address and body.
[[nodiscard]] std::string FingerprintOf(const http::Request& request);

}  // namespace trestle::platform
