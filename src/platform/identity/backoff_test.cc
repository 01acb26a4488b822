#include "platform/identity/backoff.h"

#include <gtest/gtest.h>

namespace trestle::platform::identity {
namespace {

TEST(Backoff, DoublesTheWaitUpToItsLimit) {
  FixedClock clock(0);
  Backoff backoff({.free_failures = 3, .first_wait_s = 1, .wait_max_s = 5}, clock);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(backoff.WaitSeconds("a"), 0);
    backoff.Begin("a");
  }
  for (const std::int64_t wait_s : {1, 2, 4, 5, 5}) {
    EXPECT_EQ(backoff.WaitSeconds("a"), wait_s);
    clock.Advance(wait_s * 1000 - 1);
    EXPECT_EQ(backoff.WaitSeconds("a"), 1);
    clock.Advance(1);
    EXPECT_EQ(backoff.WaitSeconds("a"), 0);
    backoff.Begin("a");
  }
  EXPECT_EQ(backoff.WaitSeconds("b"), 0);
}

TEST(Backoff, ForgetsAfterAnHour) {
  FixedClock clock(0);
  Backoff backoff({.free_failures = 1, .first_wait_s = 1}, clock);
  for (int i = 0; i < 20; ++i)
    backoff.Begin("a");
  EXPECT_EQ(backoff.WaitSeconds("a"), 60);
  clock.Advance(61LL * 60 * 1000);
  backoff.Begin("a");
  EXPECT_EQ(backoff.WaitSeconds("a"), 1);
}

TEST(Backoff, ForgivesOneAndForgetsAll) {
  FixedClock clock(0);
  Backoff backoff({.free_failures = 2, .first_wait_s = 1}, clock);
  for (int i = 0; i < 3; ++i)
    backoff.Begin("a");
  EXPECT_EQ(backoff.WaitSeconds("a"), 2);
  backoff.Forgive("a");
  EXPECT_EQ(backoff.WaitSeconds("a"), 1);
  backoff.Forgive("a");
  EXPECT_EQ(backoff.WaitSeconds("a"), 0);
  for (int i = 0; i < 9; ++i)
    backoff.Begin("a");
  backoff.Forget("a");
  EXPECT_EQ(backoff.WaitSeconds("a"), 0);
  backoff.Forgive("nobody");
}

TEST(Backoff, KeepsWhoWaitsWhenThereAreTooManyNames) {
  FixedClock clock(0);
  Backoff backoff({.free_failures = 2, .first_wait_s = 10, .names_max = 100}, clock);
  for (int i = 0; i < 5; ++i)
    backoff.Begin("guesser");
  for (int i = 0; i < 10'000; ++i)
    backoff.Begin("name " + std::to_string(i));
  EXPECT_GT(backoff.WaitSeconds("guesser"), 0);
}

TEST(AddressGroup, IsANetworkOfIPv6) {
  EXPECT_EQ(AddressGroup("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(AddressGroup("::ffff:192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(AddressGroup("2001:db8::1"), AddressGroup("2001:db8:0:0:9::"));
  EXPECT_NE(AddressGroup("2001:db8::1"), AddressGroup("2001:db8:0:1::1"));
}

}  // namespace
}  // namespace trestle::platform::identity
