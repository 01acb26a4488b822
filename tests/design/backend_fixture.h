#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/random.h"
#include "design/backend.h"

// What the tests of this folder stand on: a test that is written once and runs on every back end.
//
//   class RenameTest : public BackendFixture {};
//   TRESTLE_ON_EVERY_BACKEND(RenameTest);
//   TEST_P(RenameTest, ReachesEveryItem) { ... backend() ... }

namespace trestle::design::testing {

// "engine"; "remote", which is our own server over HTTP; with TRESTLE_TEST_ENDPOINT=URL also
// "endpoint".
[[nodiscard]] std::vector<std::string> BackendNames();

#define TRESTLE_ON_EVERY_BACKEND(Suite)                                                 \
  INSTANTIATE_TEST_SUITE_P(                                                             \
      Backends, Suite, ::testing::ValuesIn(::trestle::design::testing::BackendNames()), \
      [](const ::testing::TestParamInfo<std::string>& test) { return test.param; })

// Besides, on our own server as an endpoint that has no transactions.
#define TRESTLE_ALSO_WITHOUT_TRANSACTIONS(Suite) \
  INSTANTIATE_TEST_SUITE_P(WithoutTransactions, Suite, ::testing::Values("steps"))

// Besides, on an engine whose global indexes follow their tables only when LetIndexesFollow says
// so.
#define TRESTLE_ALSO_WITH_LATE_INDEXES(Suite) \
  INSTANTIATE_TEST_SUITE_P(LateIndexes, Suite, ::testing::Values("late"))

// A back end without tables, and the time and chance that it runs on.
class BackendFixture : public ::testing::TestWithParam<std::string> {
 protected:
  BackendFixture();
  // Deletes the tables that have got their names here.
  ~BackendFixture() override;

  [[nodiscard]] Backend& backend() const { return *backend_; }
  [[nodiscard]] const Clock& clock() const;
  [[nodiscard]] Random& random() { return random_; }

  // Whether the time is the test's. An endpoint has its own.
  [[nodiscard]] bool has_fixed_clock() const;
  // Time passes, for the back end too.
  void Advance(std::int64_t by_ms);
  // How late global indexes are, and the time that they need to show all that was written.
  [[nodiscard]] std::int64_t index_lag_ms() const;
  void LetIndexesFollow();

  // A name that no other test has on the same endpoint.
  [[nodiscard]] std::string TableName(std::string_view name);

  // Background work has no reply to wait for; it must be done within a while.
  template <typename Predicate>
  bool Eventually(Predicate is_true) {
    for (int i = 0; i < 4000; ++i) {
      if (is_true()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

 private:
  struct Host;

  Random random_;
  std::vector<std::string> tables_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<Backend> backend_;  // last: it uses the host
};

}  // namespace trestle::design::testing
