#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace trestle::embed {

struct Bounds {
  std::int64_t min;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

inline constexpr Bounds kNameLength = {.min = 3, .max = 255};  // of tables and indexes

// Whether `name` can be a table's or an index's.
[[nodiscard]] bool IsName(std::string_view name);

// What the service says of names as a whole, where they are keys of a map.
[[nodiscard]] std::string DescribeNames();

// "[com.amazonaws.dynamodb.v20120810.Put@0, ...]": how the service's messages print a list of
// structures.
[[nodiscard]] std::string ListText(std::string_view structure, std::size_t count);

// Collects what is wrong with the lengths and ranges of a request's members, in the order of the
// calls, and makes one error of it, as the service does. `path` is "limit" or
// "transactItems.1.member.put.tableName".
class Constraints {
 public:
  void CheckName(std::string_view path, std::string_view name);
  void CheckLength(std::string_view path, std::string_view text, Bounds bounds);
  void CheckRange(std::string_view path, std::int64_t number, Bounds bounds);
  // Of a list of structures.
  void CheckCount(std::string_view path, std::string_view structure, std::size_t count,
                  Bounds bounds);
  void Violate(std::string_view path, std::string_view value, std::string_view constraint);

  [[nodiscard]] Status Finish() const;

 private:
  void CheckLengthOf(std::string_view path, std::string_view value, std::size_t length,
                     Bounds bounds);

  std::vector<std::string> violations_;
};

// A table's name is judged before and without the other members.
[[nodiscard]] Status CheckTableName(std::string_view name);

}  // namespace trestle::embed
