#include "trestle/attribute_value.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "value/number.h"

namespace trestle::embed {
namespace {

// A number in the one form that equal numbers share. What is no number stays as it is: the call
// that is given it refuses it, and names it.
std::string CanonicalNumber(std::string_view text) {
  const auto number = value::Number::Parse(text);
  return number.ok() ? value::NumberText(number->encoded()) : std::string(text);
}

std::vector<std::string> Sorted(std::vector<std::string> elements) {
  std::ranges::sort(elements);
  return elements;
}

}  // namespace

AttributeValue::AttributeValue(AttributeType type, Data data)
    : type_(type), data_(std::move(data)) {}

AttributeValue AttributeValue::String(std::string text) {
  return {AttributeType::kS, std::move(text)};
}

AttributeValue AttributeValue::Number(std::string_view decimal) {
  return {AttributeType::kN, CanonicalNumber(decimal)};
}

AttributeValue AttributeValue::Binary(std::string bytes) {
  return {AttributeType::kB, std::move(bytes)};
}

AttributeValue AttributeValue::Bool(bool boolean) { return {AttributeType::kBool, boolean}; }

AttributeValue AttributeValue::Null() { return {}; }

AttributeValue AttributeValue::List(std::vector<AttributeValue> elements) {
  return {AttributeType::kL, std::move(elements)};
}

AttributeValue AttributeValue::Map(Item members) {
  return {AttributeType::kM, std::make_shared<const Item>(std::move(members))};
}

AttributeValue AttributeValue::StringSet(std::vector<std::string> elements) {
  return {AttributeType::kSs, std::move(elements)};
}

AttributeValue AttributeValue::NumberSet(std::vector<std::string> decimals) {
  for (std::string& decimal : decimals)
    decimal = CanonicalNumber(decimal);
  return {AttributeType::kNs, std::move(decimals)};
}

AttributeValue AttributeValue::BinarySet(std::vector<std::string> elements) {
  return {AttributeType::kBs, std::move(elements)};
}

template <typename T>
const T* AttributeValue::Find(AttributeType type) const {
  return type_ == type ? std::get_if<T>(&data_) : nullptr;
}

const std::string* AttributeValue::AsString() const { return Find<std::string>(AttributeType::kS); }

const std::string* AttributeValue::AsNumber() const { return Find<std::string>(AttributeType::kN); }

std::optional<std::int64_t> AttributeValue::AsInteger() const {
  const std::string* text = AsNumber();
  if (text == nullptr) return std::nullopt;
  std::int64_t integer = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, integer);
  if (error != std::errc() || stop != end) return std::nullopt;
  return integer;
}

const std::string* AttributeValue::AsBinary() const { return Find<std::string>(AttributeType::kB); }

std::optional<bool> AttributeValue::AsBool() const {
  const bool* boolean = Find<bool>(AttributeType::kBool);
  return boolean == nullptr ? std::nullopt : std::optional(*boolean);
}

const std::vector<AttributeValue>* AttributeValue::AsList() const {
  return Find<std::vector<AttributeValue>>(AttributeType::kL);
}

const Item* AttributeValue::AsMap() const {
  const auto* map = Find<std::shared_ptr<const Item>>(AttributeType::kM);
  return map == nullptr ? nullptr : map->get();
}

const std::vector<std::string>* AttributeValue::AsStringSet() const {
  return Find<std::vector<std::string>>(AttributeType::kSs);
}

const std::vector<std::string>* AttributeValue::AsNumberSet() const {
  return Find<std::vector<std::string>>(AttributeType::kNs);
}

const std::vector<std::string>* AttributeValue::AsBinarySet() const {
  return Find<std::vector<std::string>>(AttributeType::kBs);
}

bool AttributeValue::Equals(const AttributeValue& other) const {
  if (type_ != other.type_) return false;
  if (const Item* map = AsMap()) return *map == *other.AsMap();
  if (const auto* set = std::get_if<std::vector<std::string>>(&data_)) {
    return Sorted(*set) == Sorted(*std::get_if<std::vector<std::string>>(&other.data_));
  }
  return data_ == other.data_;
}

}  // namespace trestle::embed
