#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "json/json.h"

// What a request's JSON may look like, as data: one table per operation. Two walks over a request
// find everything that is wrong with its form before the operation's own Parse reads it.

namespace trestle::wire {

enum class Kind : std::uint8_t {
  kString,
  kInteger,
  kLong,
  kBoolean,
  kList,
  kMap,
  kStructure,
  kAttributeValue,  // read by protocol/attribute_json.h
};

// A regular expression, by its text in the service's messages and what it does.
struct Pattern {
  std::string_view text;
  bool (*matches)(std::string_view text);
};

// Whether a text is a table's name, which is judged before and without the others. An ARN in its
// place is judged when it is read (item_options.h).
enum class TableNameRule : std::uint8_t {
  kNone,
  kConstraints,      // reported as any other violation
  kAbsenceSentence,  // the same, but absence has a text of its own
  kSentences,        // a global table's: absence and length have their own texts
};

struct Member;

struct Shape {
  Kind kind = Kind::kString;
  // The service's name of a structure, which its type errors mention.
  std::string_view name = {};
  // Of a string's, list's or map's length, or of a number's value.
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  const Pattern* pattern = nullptr;
  std::span<const std::string_view> values = {};  // of an enum, in the order the service prints
  const Shape* element = nullptr;                 // of lists, and the values of maps
  const Shape* key = nullptr;                     // of maps; null: any text
  std::span<const Member> members = {};           // of structures, in the order of their errors
  TableNameRule table_name = TableNameRule::kNone;
};

enum class Presence : std::uint8_t { kOptional, kRequired };

struct Member {
  std::string_view name;  // as in JSON: "TableName"
  const Shape* shape;
  Presence presence = Presence::kOptional;
};

// At most this many members in a structure.
inline constexpr std::size_t kMembersMax = 64;

// Which of a structure's members has this name; nothing for one that the service does not know.
[[nodiscard]] inline std::optional<std::size_t> FindMemberIndex(const Shape& structure,
                                                                std::string_view name) {
  CHECK(structure.members.size() <= kMembersMax, "callers have a place for each");
  for (std::size_t i = 0; i < structure.members.size(); ++i) {
    if (structure.members[i].name == name) return i;
  }
  return std::nullopt;
}

// Whether every member has a JSON type that its shape can be read from. Null counts as absent,
// unknown members are ignored. Attribute values are passed over: reading them checks them
// (see CheckAllTypes). kSerialization otherwise, in the service's words.
[[nodiscard]] Status CheckTypes(const Shape& shape, const json::Object& body);

// The same with attribute values. For a request that is already known to be wrong: the service
// reads all of it before it judges any of it, so a wrong type wins over what else is wrong.
[[nodiscard]] Status CheckAllTypes(const Shape& shape, const json::Object& body);

// Whether every member keeps to its lengths, ranges, patterns and enums, and required ones are
// there. `body` has passed CheckTypes. Up to ten violations make one kValidation error.
[[nodiscard]] Status CheckConstraints(const Shape& shape, const json::Object& body);

}  // namespace trestle::wire
