#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The requests of the benchmarks, as the bytes that go over the wire. All are made before the
// clock starts, so that sending them costs the load generator next to nothing.

namespace trestle::bench {

struct Workload {
  std::uint64_t item_count = 1'000'000;  // kPartitionItems to a partition
  std::uint64_t first_item = 0;          // where kFill begins
  std::size_t text_bytes = 160;          // of an item's longest attribute
  std::uint16_t port = 8000;             // of the Host header, which is signed
};

inline constexpr std::uint64_t kPartitionItems = 20;

// The access key that every request is signed with.
inline constexpr std::string_view kAccessKeyId = "BENCH";
inline constexpr std::string_view kSecretAccessKey = "bench-secret-access-key";

enum class Kind {
  kCreate,     // CreateTable
  kFill,       // BatchWriteItem, 25 items each
  kSweep,      // Query of every partition, in order
  kTouch,      // BatchGetItem of every item, in order
  kGet,        // GetItem of a random item
  kPut,        // PutItem over a random item
  kUpdate,     // UpdateItem: ADD to a counter, under a condition
  kQuery,      // Query of a random partition, all 20 items
  kStatic,     // a plain GET, for a server of static replies
  kRedisFill,  // SET of every item, in order
  kRedisGet,   // GET of a random item
};

// Whether the requests are sent once, in order, rather than for a time.
[[nodiscard]] bool IsOnePass(Kind kind);
[[nodiscard]] bool IsRedis(Kind kind);

// One pass of `kind`, or `count` requests that are drawn at random.
[[nodiscard]] std::vector<std::string> MakeRequests(Kind kind, const Workload& workload,
                                                    std::size_t count);

}  // namespace trestle::bench
