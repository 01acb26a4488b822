#include "http/origin.h"

#include <gtest/gtest.h>

namespace trestle::http {
namespace {

TEST(IsLoopbackHost, KnowsTheNamesOfThisMachine) {
  for (const std::string_view host : {"localhost", "LocalHost:8000", "db.localhost:8000",
                                      "127.0.0.1", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
}

// A name that merely looks like one can be made to point here by its owner.
TEST(IsLoopbackHost, IsNotFooledByNamesThatLookAlike) {
  for (const std::string_view host :
       {"", "example.com", "localhost.example.com", "127.0.0.1.example.com", "127.0.0.1.nip.io",
        "notlocalhost", "[::2]:8000", "[::1", "127.0.0", "127..0.1", "128.0.0.1", ".localhost"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

}  // namespace
}  // namespace trestle::http
