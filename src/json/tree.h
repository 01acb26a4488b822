#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace trestle::json {

struct Member;

// A whole document that keeps what the parser of json.h does not: numbers as they are written, so
// that none goes through a double. It is stricter too: no name stands twice in one object.
struct Tree {
  struct Null {};
  struct Number {
    std::string text;  // as RFC 8259 writes numbers
  };
  using Array = std::vector<Tree>;
  using Object = std::vector<Member>;

  std::variant<Null, bool, Number, std::string, Array, Object> is;

  // Null when it holds something else.
  template <typename T>
  [[nodiscard]] const T* As() const {
    return std::get_if<T>(&is);
  }
  [[nodiscard]] bool IsNull() const { return As<Null>() != nullptr; }
};

struct Member {
  std::string name;
  Tree value;
};

inline constexpr std::size_t kTreeDepthMax = 64;
inline constexpr std::size_t kTreeValuesMax = 250'000;

// kSerialization, with a sentence that says where, when `text` is not one document of RFC 8259 in
// UTF-8, has a name twice, nests deeper than kTreeDepthMax or has more values than kTreeValuesMax.
[[nodiscard]] Result<Tree> ParseTree(std::string_view text);

}  // namespace trestle::json
