#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/request.h"
#include "storage/store.h"

namespace trestle::engine {

// A place in a stream, to be kept by who reads it and to go on from.
struct StreamPosition {
  StreamId stream{};
  std::uint64_t next_sequence = 0;

  friend bool operator==(const StreamPosition&, const StreamPosition&) = default;
};

// Where to begin: at a position; else in the table's enabled stream, at the oldest record or behind
// the last one.
struct SubscribeRequest {
  std::string table;
  std::optional<StreamPosition> position = std::nullopt;
  bool starts_at_latest = false;
};

// All changes of one stream, in the order of their commit, each once. The reader pulls: there is
// no more in memory than one call returns. One thread at a time, except for Stop.
class Subscription {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Subscription>> Open(const storage::Store& store,
                                                                  const Catalog& catalog,
                                                                  const SubscribeRequest& request);

  // The next records, up to `records_max` and 1 MB. Waits until there is one; none when the time is
  // over, after Stop, or when the stream is (see IsOver). kTrimmedDataAccess when the reader was so
  // slow that records it has not seen are gone.
  [[nodiscard]] Result<std::vector<SequencedRecord>> Next(std::size_t records_max,
                                                          std::chrono::milliseconds wait);

  // Behind the records that Next has returned.
  [[nodiscard]] StreamPosition position() const { return position_; }
  // The stream was disabled or its table deleted, and all its records have been returned.
  [[nodiscard]] bool IsOver() const { return is_over_; }
  // Ends a Next that waits, and all later ones. Safe from any thread.
  void Stop();

 private:
  Subscription(const storage::Store& store, const Catalog& catalog, StreamPosition position)
      : store_(store), catalog_(catalog), position_(position) {}
  [[nodiscard]] Result<std::vector<SequencedRecord>> ReadOn(std::size_t records_max);

  const storage::Store& store_;
  const Catalog& catalog_;
  StreamPosition position_;
  bool is_over_ = false;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace trestle::engine
