#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/follower.h"
#include "design/runtime.h"

namespace trestle::platform {

// One change of a table, with both images as the design knows them.
struct ItemChange {
  design::Runtime& runtime;  // of the table that changed
  const design::Change& change;
  // Nothing when there is no such image, or it is no item of the design's.
  std::optional<design::TypedItem> old_item;
  std::optional<design::TypedItem> new_item;
};

// What an app does with the changes of a table. A change may come again, after a crash or because
// somebody replays it, also beside the next ones: `handle` compares values, or derives its ids from
// Change::sequence, so that the second time changes nothing. Changes of the run time's own items
// do not come at all.
struct Consumer {
  std::string_view name;  // [A-Za-z0-9_-]{1,64}, and unique on the table
  std::function<Status(const ItemChange& change)> handle;
};

// How far a consumer is, for /metrics and for operators.
struct ConsumerState {
  std::string app;
  std::string consumer;
  design::Follower::Counters counters;
};
void AppendConsumerMetrics(std::span<const ConsumerState> states, std::string& text);

struct ConsumersOptions {
  std::string app;                     // names the dead letters
  design::Runtime* runtime = nullptr;  // whose stream is followed; must outlive them
  // Of platform.design, where dead letters go; null: the log is all that tells of them.
  design::Runtime* platform = nullptr;
  std::vector<Consumer> consumers;
  // A change that fails so often in a row becomes a dead letter. Failures that pass by themselves,
  // such as a store that is busy, have more tries; the pauses between them grow to a second.
  int tries_max = 6;
  int passing_tries_max = 60;
};

// Runs the consumers of one table, each with a thread and a position of its own, so that none waits
// for another. Safe from many threads.
class Consumers {
 public:
  explicit Consumers(ConsumersOptions options);
  ~Consumers();
  Consumers(const Consumers&) = delete;
  Consumers& operator=(const Consumers&) = delete;

  // Starts them where they were. One that has lost changes because it was away for longer than a
  // stream keeps them says so in the log and goes on with what is written from now on.
  [[nodiscard]] Status Start();
  void Stop();
  // Whether all have dealt with everything that was written before the call.
  [[nodiscard]] bool Drained(std::chrono::milliseconds wait);

  [[nodiscard]] std::vector<ConsumerState> states();

  struct Replayed {
    std::uint32_t done = 0;
    std::uint32_t failed = 0;  // they stay dead letters, with the new error
  };
  // Gives a consumer its dead letters again, oldest first. kResourceNotFound: no such consumer.
  [[nodiscard]] Result<Replayed> Replay(std::string_view consumer);

 private:
  struct Line;

  [[nodiscard]] Status Handle(const Consumer& consumer, const design::Change& change);
  [[nodiscard]] Status Bury(const Consumer& consumer, const design::Change& change,
                            const Error& error, int tries);
  [[nodiscard]] Status ReplayOne(const Consumer& consumer, const design::TypedItem& letter,
                                 Replayed& replayed);

  const ConsumersOptions options_;
  std::vector<std::unique_ptr<Line>> lines_;  // one per consumer, in their order
};

}  // namespace trestle::platform
