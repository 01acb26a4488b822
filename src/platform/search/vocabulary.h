#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace trestle::platform::search {

struct NearWord {
  std::string term;
  unsigned distance = 0;  // mistakes, at least 1
};

// The words of partitions that were asked for lately, in memory, because comparing a mistyped word
// with all of them must not take longer than reading them. Words that are gone may still be in it:
// who uses one asks the index. Safe from many threads.
class Vocabulary {
 public:
  // Gives `add` all words of a partition.
  using Load = std::function<Status(std::int64_t partition,
                                    const std::function<void(std::string_view)>& add)>;

  // The words that are at most `distance_max` mistakes away, without the word itself. Loading
  // happens under the lock: what a writer adds comes after it, so no word is missed.
  [[nodiscard]] Result<std::vector<NearWord>> FindNear(std::int64_t partition,
                                                       std::string_view term, unsigned distance_max,
                                                       const Load& load) EXCLUDES(mutex_);
  // By the writer, after its commit. What is new in partitions that are not in memory is ignored.
  void Add(std::int64_t partition, std::string_view term) EXCLUDES(mutex_);
  void Clear() EXCLUDES(mutex_);

 private:
  struct Entry {
    std::uint64_t letter_set = 0;  // a bit for each letter, several letters to a bit
    std::uint32_t start = 0;       // in `letters`
    std::uint32_t length = 0;
  };
  struct Words {
    std::vector<Entry> entries;
    std::u32string letters;
    std::uint64_t used = 0;  // when it was asked for last, in calls

    void Add(std::string_view term);
  };
  void MakeRoom() REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::int64_t, Words> partitions_ GUARDED_BY(mutex_);
  std::size_t entries_ GUARDED_BY(mutex_) = 0;  // of all partitions
  std::uint64_t calls_ GUARDED_BY(mutex_) = 0;
};

}  // namespace trestle::platform::search
