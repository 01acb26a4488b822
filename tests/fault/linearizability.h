#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace trestle::fault {

// One call to one item, as its client saw it. The item holds a number, or is absent.
struct Call {
  enum class Kind : std::uint8_t {
    kPut,     // makes it `argument`
    kPutIf,   // the same if it is `expected`; answers whether it was
    kAdd,     // adds `argument`, to 0 if absent; answers the sum
    kDelete,  // answers what it was
    kGet,     // answers what it is
  };

  Kind kind;
  std::int64_t argument = 0;
  std::optional<std::int64_t> expected;  // of kPutIf

  // Calls without an answer may have happened at any time since, or never.
  bool is_answered = true;
  bool was_done = true;                // of kPutIf
  std::optional<std::int64_t> answer;  // of kAdd, kDelete and kGet
  std::uint64_t begin = 0;             // the call ran from `begin` to `end`, by one clock
  std::uint64_t end = 0;
};

// Whether the calls could have happened one by one, each at a moment while it ran, on an item
// that was absent at first. Wing and Gong's search, with Lowe's memory of what was tried.
[[nodiscard]] bool IsLinearizable(std::span<const Call> calls);

}  // namespace trestle::fault
