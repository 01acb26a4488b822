#include "platform/worker_pool.h"

#include <atomic>
#include <barrier>
#include <future>
#include <memory>

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

TEST(WorkerPool, RunsWhatItIsOffered) {
  std::atomic<int> count = 0;
  std::promise<void> all;
  WorkerPool pool({.worker_count = 4, .waiting_max = 100});
  for (int i = 0; i < 100; ++i) {
    http::Task task([&] {
      if (++count == 100) all.set_value();
    });
    ASSERT_TRUE(pool.Offer(task));
  }
  all.get_future().wait();
  EXPECT_EQ(count, 100);
}

TEST(WorkerPool, TasksRunTogetherAsLongAsThereAreWorkers) {
  WorkerPool pool({.worker_count = 4, .waiting_max = 100});
  for (int round = 0; round < 100; ++round) {
    std::barrier<> meeting(5);  // nobody goes on before all four run
    for (int i = 0; i < 4; ++i) {
      http::Task task([&] { meeting.arrive_and_wait(); });
      ASSERT_TRUE(pool.Offer(task));
    }
    meeting.arrive_and_wait();
    while (pool.counters().running > 0)
      std::this_thread::yield();
  }
}

TEST(WorkerPool, RefusesWhenTooManyWait) {
  std::promise<void> started;
  std::promise<void> go_on;
  std::shared_future<void> gate = go_on.get_future().share();
  WorkerPool pool({.worker_count = 1, .waiting_max = 2});
  http::Task first([&] {
    started.set_value();
    gate.wait();
  });
  ASSERT_TRUE(pool.Offer(first));
  started.get_future().wait();

  for (int i = 0; i < 2; ++i) {
    http::Task waiting([] {});
    EXPECT_TRUE(pool.Offer(waiting));
  }
  bool is_run = false;
  http::Task refused([&] { is_run = true; });
  EXPECT_FALSE(pool.Offer(refused));
  refused();  // it is still the caller's
  EXPECT_TRUE(is_run);
  EXPECT_EQ(pool.counters().waiting, 2U);
  EXPECT_EQ(pool.counters().running, 1U);
  EXPECT_EQ(pool.counters().refused, 1U);
  go_on.set_value();
}

TEST(WorkerPool, DropsWhatWaitsWhenItStops) {
  std::promise<void> started;
  std::promise<void> go_on;
  std::atomic<bool> is_run = false;
  const auto owned = std::make_shared<int>(1);
  WorkerPool pool({.worker_count = 1, .waiting_max = 2});
  http::Task first([&] {
    started.set_value();
    go_on.get_future().wait();
  });
  ASSERT_TRUE(pool.Offer(first));
  started.get_future().wait();
  http::Task waiting([&is_run, owned] { is_run = true; });
  ASSERT_TRUE(pool.Offer(waiting));
  EXPECT_EQ(owned.use_count(), 2);

  std::thread stopping([&] { pool.Stop(); });
  while (pool.counters().waiting > 0)
    std::this_thread::yield();
  go_on.set_value();
  stopping.join();
  EXPECT_FALSE(is_run);
  EXPECT_EQ(owned.use_count(), 1);
  http::Task late([] {});
  EXPECT_FALSE(pool.Offer(late));
}

}  // namespace
}  // namespace trestle::platform
