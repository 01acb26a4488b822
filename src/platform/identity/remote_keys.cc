#include "platform/identity/remote_keys.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/check.h"
#include "base/log.h"
#include "http/client.h"
#include "http/origin.h"

namespace trestle::platform::identity {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kAskAgainS = 60;
constexpr std::int64_t kMaxAgeDefaultS = 60 * 60;
constexpr std::int64_t kMaxAgeMaxS = 24 * 60 * 60;
constexpr std::int64_t kTimeoutMs = 5000;

// The number of a "max-age=3600" among others.
std::optional<std::int64_t> MaxAge(std::string_view cache_control) {
  constexpr std::string_view kName = "max-age=";
  const std::size_t found = cache_control.find(kName);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view digits = cache_control.substr(found + kName.size());
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (error != std::errc() || seconds < 0) return std::nullopt;
  return seconds;
}

Result<FetchedKeys> Ask(http::Client& client, const std::string& target) {
  const auto answer = client.Send({.target = target, .timeout_ms = kTimeoutMs});
  if (const auto* failure = std::get_if<http::ClientFailure>(&answer)) {
    return Error(ErrorCode::kUnavailable, failure->reason);
  }
  const auto& response = *std::get_if<http::ClientResponse>(&answer);
  if (response.status != 200) {
    return Error(ErrorCode::kUnavailable, fmt::format("it answers {}", response.status));
  }
  return FetchedKeys{.body = response.body,
                     .max_age_s = MaxAge(response.Find("cache-control").value_or(""))};
}

}  // namespace

Result<FetchKeys> FetchKeysFrom(std::string_view url, const TlsClientContext* tls) {
  http::Url parsed = TRY(http::ParseUrl(url));
  if (!parsed.origin.is_tls && !http::IsLoopbackHost(http::HostText(parsed.origin))) {
    return ValidationError(fmt::format("keys are only read over https, not from {}", url));
  }
  CHECK(tls != nullptr || !parsed.origin.is_tls, "https comes with whom it believes");
  const auto client = std::make_shared<http::Client>(
      http::ClientOptions{.origin = parsed.origin, .tls = tls, .body_bytes_max = kKeySetBytesMax});
  return FetchKeys([client, target = std::move(parsed.target)] { return Ask(*client, target); });
}

bool RemoteKeys::ShallFetch(std::string_view id) const {
  const std::int64_t now_ns = clock_.SteadyNs();
  if (asked_ns_ && now_ns - *asked_ns_ < kAskAgainS * kNsPerSecond) return false;
  return now_ns >= good_until_ns_ || FindKey(keys_, id) == nullptr;
}

std::shared_ptr<const RsaPublicKey> RemoteKeys::Find(std::string_view id) {
  {
    const MutexLock lock(mutex_);
    // One thread asks. Those who need no news go on with what there is.
    while (is_fetching_ && FindKey(keys_, id) == nullptr)
      is_fetched_.Wait(mutex_);
    if (is_fetching_ || !ShallFetch(id)) return FindKey(keys_, id);
    is_fetching_ = true;
    asked_ns_ = clock_.SteadyNs();
  }
  Fetch();
  const MutexLock lock(mutex_);
  return FindKey(keys_, id);
}

void RemoteKeys::Fetch() {
  Result<FetchedKeys> fetched = fetch_();
  Result<KeySet> keys = fetched.ok() ? ParseKeySet(fetched->body) : Result<KeySet>(fetched.error());
  if (!keys.ok()) {
    log::Warn("the keys of an issuer could not be read; the last ones stay",
              {{"reason", keys.error().message()}});
  }
  const MutexLock lock(mutex_);
  is_fetching_ = false;
  is_fetched_.WakeAll();
  if (!keys.ok()) return;
  KeySet next = *std::move(keys);
  // A key that is still there stays the same object.
  for (NamedKey& key : next) {
    auto known = FindKey(keys_, key.id);
    if (known != nullptr && known->numbers() == key.key->numbers()) key.key = std::move(known);
  }
  keys_ = std::move(next);
  const std::int64_t age_s =
      std::clamp(fetched->max_age_s.value_or(kMaxAgeDefaultS), kAskAgainS, kMaxAgeMaxS);
  good_until_ns_ = clock_.SteadyNs() + age_s * kNsPerSecond;
}

}  // namespace trestle::platform::identity
