#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "base/mutex.h"

namespace trestle {

// Chance, passed in wherever it is needed; a test gives the seed and repeats a run from it.
// Safe from many threads. Not for secrets: those come from base/crypto.h.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t Next() EXCLUDES(mutex_);

  // A version 4 UUID in its usual text form.
  [[nodiscard]] std::string Uuid() EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::mt19937_64 engine_ GUARDED_BY(mutex_);
};

// A seed from the operating system.
[[nodiscard]] std::uint64_t SystemSeed();

}  // namespace trestle
