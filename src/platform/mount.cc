#include "platform/mount.h"

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

std::string MountPath(const App& app) {
  return app.mount.empty() ? fmt::format("/api/{}/v1", app.name) : std::string(app.mount);
}

}  // namespace trestle::platform
