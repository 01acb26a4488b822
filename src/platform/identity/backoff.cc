#include "platform/identity/backoff.h"

#include <algorithm>

#include <arpa/inet.h>

namespace trestle::platform::identity {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kForgetNs = 60LL * 60 * kNsPerSecond;
constexpr int kDoublingsMax = 30;
constexpr std::size_t kNetworkBytes = 8;

}  // namespace

std::int64_t Backoff::WaitNs(const Record& record) const {
  const int beyond = record.failures - options_.free_failures;
  if (beyond < 0) return 0;
  const std::int64_t doubled = options_.first_wait_s << std::min(beyond, kDoublingsMax);
  const std::int64_t wait_ns = std::min(doubled, options_.wait_max_s) * kNsPerSecond;
  return std::max<std::int64_t>(0, record.last_ns + wait_ns - clock_.SteadyNs());
}

std::int64_t Backoff::WaitSeconds(const std::string& name) const {
  const MutexLock lock(mutex_);
  const auto found = records_.find(name);
  if (found == records_.end()) return 0;
  return (WaitNs(found->second) + kNsPerSecond - 1) / kNsPerSecond;
}

void Backoff::Begin(const std::string& name) {
  const std::int64_t now_ns = clock_.SteadyNs();
  const MutexLock lock(mutex_);
  if (records_.size() >= options_.names_max && !records_.contains(name)) {
    std::erase_if(records_,
                  [&](const auto& entry) { return now_ns - entry.second.last_ns > kForgetNs; });
    // Too many names at once: those without a wait go first.
    if (records_.size() >= options_.names_max) {
      std::erase_if(records_, [&](const auto& entry) { return WaitNs(entry.second) == 0; });
    }
    if (records_.size() >= options_.names_max) return;
  }
  Record& record = records_[name];
  if (now_ns - record.last_ns > kForgetNs) record.failures = 0;
  ++record.failures;
  record.last_ns = now_ns;
}

void Backoff::Forgive(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto found = records_.find(name);
  if (found != records_.end() && --found->second.failures <= 0) records_.erase(found);
}

void Backoff::Forget(const std::string& name) {
  const MutexLock lock(mutex_);
  records_.erase(name);
}

std::string AddressGroup(std::string_view address) {
  in6_addr parsed{};
  std::string text(address);
  if (::inet_pton(AF_INET6, text.c_str(), &parsed) != 1) return text;
  if (IN6_IS_ADDR_V4MAPPED(&parsed)) return text.substr(text.rfind(':') + 1);
  return {reinterpret_cast<const char*>(&parsed), kNetworkBytes};
}

}  // namespace trestle::platform::identity
