// Key components of two values sort as the values do, and neither starts with the other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "value/item_codec.h"
#include "value/key_codec.h"
#include "value/number.h"

namespace trestle::value {
namespace {

std::string ComponentOf(const std::string& value) {
  std::string out;
  AppendKeyComponent(out, ValueView(value));
  return out;
}

std::string BinaryOf(std::string_view bytes) {
  std::string out;
  AppendBinary(out, bytes);
  return out;
}

std::string NumberOf(const Number& number) {
  std::string out;
  AppendNumber(out, number);
  return out;
}

void CheckPair(const std::string& left, const std::string& right, int order) {
  CHECK((left < right) == (order < 0), "components sort as their values");
  CHECK((left == right) == (order == 0), "components are equal when their values are");
  CHECK(order == 0 || !left.starts_with(right), "no component starts with another");
}

void CheckBinaries(std::string_view left, std::string_view right) {
  const std::string left_key = ComponentOf(BinaryOf(left));
  const std::string right_key = ComponentOf(BinaryOf(right));
  CheckPair(left_key, right_key, left.compare(right));

  std::string prefix;
  const std::string prefix_value = BinaryOf(right);
  AppendKeyPrefix(prefix, ValueView(prefix_value));
  const bool begins = left.starts_with(right);
  CHECK(left_key.starts_with(prefix) == begins, "a prefix is shared when the value begins with it");
  const std::string end = PrefixEnd(prefix);
  const bool in_range = left_key >= prefix && (end.empty() || left_key < end);
  CHECK(in_range == begins, "a prefix and its end hold what begins with it");
}

}  // namespace
}  // namespace trestle::value

// The first byte says how long the first of the two values is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using trestle::value::Number;
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string_view left = input.substr(0, data[0]);
  const std::string_view right = input.substr(left.size());
  trestle::value::CheckBinaries(left, right);

  const auto left_number = Number::Parse(left);
  const auto right_number = Number::Parse(right);
  if (!left_number.ok() || !right_number.ok()) return 0;
  const auto difference = Subtract(*left_number, *right_number);
  if (!difference.ok()) return 0;
  const int order = *difference < Number() ? -1 : *difference == Number() ? 0 : 1;
  trestle::value::CheckPair(trestle::value::ComponentOf(trestle::value::NumberOf(*left_number)),
                            trestle::value::ComponentOf(trestle::value::NumberOf(*right_number)),
                            order);
  return 0;
}
