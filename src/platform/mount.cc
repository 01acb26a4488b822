#include "platform/mount.h"

#include <algorithm>

#include <fmt/format.h>

namespace trestle::platform {

bool KnownPeople::Contains(const std::string& sub) const {
  const MutexLock lock(mutex_);
  return people_.contains(sub);
}

void KnownPeople::Add(const std::string& sub) {
  const MutexLock lock(mutex_);
  if (people_.size() >= kPeopleMax) people_.clear();
  people_.insert(sub);
}

void KnownPeople::Remove(const std::string& sub) {
  const MutexLock lock(mutex_);
  people_.erase(sub);
}

bool Lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::string_view first = names.substr(0, names.find(' '));
    if (first == name) return true;
    names.remove_prefix(std::min(first.size() + 1, names.size()));
  }
  return false;
}

std::string MountPath(const App& app) {
  return app.mount.empty() ? fmt::format("/api/{}/v1", app.name) : std::string(app.mount);
}

}  // namespace trestle::platform
