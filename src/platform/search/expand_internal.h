#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "platform/search/sqlite.h"
#include "platform/search/vocabulary.h"

// From what somebody typed to the words of the index that it may mean, all of them words of
// documents that the caller may see.

namespace trestle::platform::search {

// What the caller may see of the index, as numbers.
struct Partition {
  std::int64_t number = 0;
  std::int64_t documents = 0;
  std::int64_t length = 0;
};
[[nodiscard]] Result<std::vector<Partition>> VisiblePartitions(
    Connection& connection, const std::vector<std::string>& names);

struct Expansion {
  std::size_t partition = 0;  // its place in the list
  std::string term;
  bool is_prefix = false;  // stands for all words that begin so
  double weight = 1;
};

// A word of the query.
struct TypedTerm {
  std::string term;
  std::size_t start = 0;  // where it is in the text
  std::size_t end = 0;
  bool is_prefix = false;  // may be unfinished
  bool is_pair = false;    // of a script without blanks

  std::vector<Expansion> expansions;  // by partition; none: no document has it
  std::int64_t documents = 0;         // that have one of them, roughly
  // A word to suggest, when nothing has the word itself.
  std::optional<std::string> suggestion;
};
// Without their expansions.
[[nodiscard]] std::vector<TypedTerm> TypedTerms(std::string_view text);

[[nodiscard]] Status Expand(Connection& connection, Vocabulary& vocabulary,
                            const std::vector<Partition>& partitions, TypedTerm& term);

// The text with its suggestions in place; nothing when there are none.
[[nodiscard]] std::optional<std::string> DidYouMean(std::string_view text,
                                                    const std::vector<TypedTerm>& terms);

}  // namespace trestle::platform::search
