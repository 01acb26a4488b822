#include "apps/apps.h"

#include <array>

namespace trestle::apps {

std::span<const platform::App> All() {
  static const std::array kApps = {Books(), Library(), Watch(), Stories(), Notes()};
  return kApps;
}

}  // namespace trestle::apps
