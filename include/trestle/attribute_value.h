#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trestle::embed {

enum class AttributeType { kS, kN, kB, kBool, kNull, kM, kL, kSs, kNs, kBs };

class AttributeValue;

// Attributes by name: an item, a key, or the members of a map.
using Item = std::map<std::string, AttributeValue>;

// One value of an item, of any of DynamoDB's ten types. A value type: copies are equal and
// independent. Any value can be made; what DynamoDB refuses (an empty set, a text that is no
// number, a string that is not UTF-8) is refused by the call that is given it.
class AttributeValue {
 public:
  AttributeValue() = default;  // Null()

  [[nodiscard]] static AttributeValue String(std::string text);
  // A number is its decimal text or an integer, exact to 38 digits. There is no way from or to
  // double, which could not keep it.
  [[nodiscard]] static AttributeValue Number(std::string_view decimal);
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) [[nodiscard]] static AttributeValue
      Number(T integer) {
    return Number(std::string_view(std::to_string(integer)));
  }
  [[nodiscard]] static AttributeValue Binary(std::string bytes);
  [[nodiscard]] static AttributeValue Bool(bool boolean);
  [[nodiscard]] static AttributeValue Null();
  [[nodiscard]] static AttributeValue List(std::vector<AttributeValue> elements);
  [[nodiscard]] static AttributeValue Map(Item members);
  [[nodiscard]] static AttributeValue StringSet(std::vector<std::string> elements);
  [[nodiscard]] static AttributeValue NumberSet(std::vector<std::string> decimals);
  [[nodiscard]] static AttributeValue BinarySet(std::vector<std::string> elements);

  [[nodiscard]] AttributeType type() const { return type_; }
  [[nodiscard]] bool IsNull() const { return type_ == AttributeType::kNull; }

  // What the value holds; null, or nothing, when it is of another type. A pointer is valid while
  // the value is. Numbers are in the form that the service prints: "12.5", never "1.250E1".
  [[nodiscard]] const std::string* AsString() const;
  [[nodiscard]] const std::string* AsNumber() const;
  // Nothing, too, when the number is not an integer of 64 bits.
  [[nodiscard]] std::optional<std::int64_t> AsInteger() const;
  [[nodiscard]] const std::string* AsBinary() const;
  [[nodiscard]] std::optional<bool> AsBool() const;
  [[nodiscard]] const std::vector<AttributeValue>* AsList() const;
  [[nodiscard]] const Item* AsMap() const;
  [[nodiscard]] const std::vector<std::string>* AsStringSet() const;
  [[nodiscard]] const std::vector<std::string>* AsNumberSet() const;
  [[nodiscard]] const std::vector<std::string>* AsBinarySet() const;

  // As the service compares: "1.0" is the number "1", and a set has no order.
  friend bool operator==(const AttributeValue& left, const AttributeValue& right) {
    return left.Equals(right);
  }

 private:
  using Data = std::variant<std::monostate, bool, std::string, std::vector<std::string>,
                            std::vector<AttributeValue>, std::shared_ptr<const Item>>;

  AttributeValue(AttributeType type, Data data);
  [[nodiscard]] bool Equals(const AttributeValue& other) const;
  template <typename T>
  [[nodiscard]] const T* Find(AttributeType type) const;

  AttributeType type_ = AttributeType::kNull;
  Data data_;
};

}  // namespace trestle::embed
