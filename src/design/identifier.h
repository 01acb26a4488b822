#pragma once

#include <cstdint>
#include <string>

#include "base/mutex.h"
#include "base/random.h"

namespace trestle::design {

// Makes the ids of uuid() and ulid(). Those of one maker sort in the order in which they were made,
// also within a millisecond and when the clock is set back. Safe from many threads.
class Identifiers {
 public:
  // `random` must outlive it.
  explicit Identifiers(Random& random) : random_(random) {}

  // A version 7 UUID: 48 bits of time, 74 of chance.
  [[nodiscard]] std::string Uuid(std::int64_t now_unix_ms) EXCLUDES(mutex_);
  // 26 characters of Crockford's alphabet: 48 bits of time, 80 of chance.
  [[nodiscard]] std::string Ulid(std::int64_t now_unix_ms) EXCLUDES(mutex_);

 private:
  struct Parts {
    std::uint64_t time_ms = 0;
    std::uint64_t high = 0;  // the upper bits of chance: 12 of a UUID, 16 of a ULID
    std::uint64_t low = 0;   // the lower ones: 62 or 64
  };
  // Behind `last`: drawn anew in a new millisecond, else a random step further.
  void Advance(Parts& last, std::int64_t now_unix_ms, std::uint64_t high_max, std::uint64_t low_max)
      REQUIRES(mutex_);

  Random& random_;
  Mutex mutex_;
  Parts uuid_ GUARDED_BY(mutex_);
  Parts ulid_ GUARDED_BY(mutex_);
};

}  // namespace trestle::design
