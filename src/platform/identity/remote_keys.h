#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/tls.h"
#include "platform/identity/key_set.h"

namespace trestle::platform::identity {

// What an issuer's address of keys answers.
struct FetchedKeys {
  std::string body;
  std::optional<std::int64_t> max_age_s;  // as Cache-Control says
};
using FetchKeys = std::function<Result<FetchedKeys>()>;

// Asks an https address; http only on this machine. kValidation for any other. `tls` is needed for
// https and must outlive the function.
[[nodiscard]] Result<FetchKeys> FetchKeysFrom(std::string_view url, const TlsClientContext* tls);

// The keys of an issuer elsewhere: asked for when they are first needed, when they are too old, and
// when a token names an unknown one; never twice within a minute. While the issuer is down, the
// last ones that it gave are good. Safe from many threads.
class RemoteKeys final : public KeySource {
 public:
  // The clock must outlive it. `fetch` may wait, but not for ever.
  RemoteKeys(FetchKeys fetch, const Clock& clock) : fetch_(std::move(fetch)), clock_(clock) {}

  [[nodiscard]] std::shared_ptr<const RsaPublicKey> Find(std::string_view id) override
      EXCLUDES(mutex_);

 private:
  [[nodiscard]] bool ShallFetch(std::string_view id) const REQUIRES(mutex_);
  void Fetch() EXCLUDES(mutex_);

  const FetchKeys fetch_;
  const Clock& clock_;

  Mutex mutex_;
  Condition is_fetched_;
  KeySet keys_ GUARDED_BY(mutex_);
  bool is_fetching_ GUARDED_BY(mutex_) = false;
  // Of the clock that only passes.
  std::optional<std::int64_t> asked_ns_ GUARDED_BY(mutex_);
  std::int64_t good_until_ns_ GUARDED_BY(mutex_) = 0;
};

}  // namespace trestle::platform::identity
