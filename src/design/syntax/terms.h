#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "design/diagnostic.h"
#include "design/syntax/words.h"

// The small parts that statements are made of: names, values, key templates and conditions, as they
// are written. Statements are in tree.h; nothing here knows what a name refers to.

namespace trestle::design::syntax {

// A T on the heap that is copied with its owner, for types that contain themselves.
template <typename T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  explicit Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  Box& operator=(const Box& other) {
    value_ = std::make_unique<T>(*other);
    return *this;
  }
  Box(Box&&) noexcept = default;
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

// A letter or _, then letters, digits and _. Case counts, and no word is reserved.
struct Name {
  Position position;
  std::string text;
};

// Names joined by dots: an attribute, or one inside a map attribute.
struct Path {
  Position position;
  std::vector<std::string> parts;  // at least one
};

// A quoted text, decoded.
struct Text {
  Position position;
  std::string text;
};

// A decimal number as it is written: "-1", "0.5". Which numbers are meant is decided later.
struct Number {
  Position position;
  std::string digits;
};

// A whole number from 0 to kCountMax, where the language counts something itself.
using Count = std::int64_t;
inline constexpr Count kCountMax = 999'999'999'999;

enum class TimeUnit : std::uint8_t { kSeconds, kMinutes, kHours, kDays };
constexpr auto WordsOf(TimeUnit) { return Words("seconds", "minutes", "hours", "days"); }

struct Duration {
  Count count = 0;
  TimeUnit unit = TimeUnit::kSeconds;
};

// What a value is made by when it is needed.
enum class Function : std::uint8_t { kNow, kToday, kUuid, kUlid };
constexpr auto WordsOf(Function) { return Words("now", "today", "uuid", "ulid"); }

struct Value;

struct BoolValue {
  bool value = false;
};

// A parameter, or an attribute of the same item.
struct NameValue {
  Path path;
};

// now(), or now() + 90 days.
struct CallValue {
  Function function = Function::kNow;
  std::optional<Duration> plus;
};

struct ListValue {
  std::vector<Value> elements;
};

struct Value {
  Position position;
  std::variant<Text, Number, BoolValue, NameValue, CallValue, ListValue> is;
};

// How a placeholder's value is written into a key.
enum class Transform : std::uint8_t {
  kEscape,   // percent-encode % and the separator
  kFold,     // lower case, without accents
  kCluster,  // as kEscape, and all bytes below the separator
  kLower,
  kDay,   // of a date, timestamp or moment: up to the day
  kHour,  // of a timestamp: up to the hour
};
constexpr auto WordsOf(Transform) { return Words("esc", "fold", "clust", "lower", "day", "hour"); }

// Zeroes in front of a whole number: {order:05} is ZeroPad{5}.
struct ZeroPad {
  Count width = 0;  // 1 to kPadWidthMax
};
inline constexpr Count kPadWidthMax = 38;

using Format = std::variant<ZeroPad, Transform>;

// {Title:fold:esc}; formats are applied from the left.
struct Placeholder {
  Path path;
  std::vector<Format> formats;
};

// "USER#{userId}": texts and placeholders in turn, none of the texts empty.
struct Template {
  Position position;
  std::vector<std::variant<std::string, Placeholder>> parts;
};

enum class Comparator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kContains,
};
constexpr auto WordsOf(Comparator) { return Words("=", "<>", "<", "<=", ">", ">=", "contains"); }

struct Condition;

// "a" or "a absent". An attribute that holds NULL is absent.
struct Presence {
  Path path;
  bool absent = false;
};

// "a = 1", "size(a) < 50".
struct Comparison {
  Path path;
  bool of_size = false;
  Comparator comparator = Comparator::kEqual;
  Value value;
};

enum class Connective : std::uint8_t { kAnd, kOr };
constexpr auto WordsOf(Connective) { return Words("and", "or"); }

struct Junction {
  Connective connective = Connective::kAnd;
  std::vector<Condition> operands;  // at least two
};

struct Negation {
  Box<Condition> operand;
};

struct Condition {
  Position position;
  std::variant<Presence, Comparison, Junction, Negation> is;
};

}  // namespace trestle::design::syntax
