#pragma once

#include <fstream>
#include <sstream>

#include "base/check.h"
#include "design/design_fixture.h"

namespace trestle::platform::testing {

// platform.design at work on a fresh table.
class PlatformFixture : public design::testing::DesignFixture {
 protected:
  void SetUp() override {
    const std::ifstream file("src/platform/platform.design");
    CHECK(file.good(), "the design of the platform");
    std::ostringstream text;
    text << file.rdbuf();
    UseText(text.str());
  }
};

}  // namespace trestle::platform::testing
