// CheckItem: the reading twin of item_codec.cc, for bytes that nobody has vouched for.

#include <cstdint>
#include <optional>

#include "base/utf8.h"
#include "value/item_codec.h"
#include "value/item_size.h"

namespace trestle::value {
namespace {

// Reads values from the front of `rest`. Each function returns false at the first byte that the
// encoder would not have written, and problem() says what it was.
class Checker {
 public:
  explicit Checker(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::string_view problem() const { return problem_; }
  [[nodiscard]] bool Item();

 private:
  bool Fail(std::string_view problem) {
    problem_ = problem;
    return false;
  }

  bool Attributes(std::uint32_t count, std::size_t depth);
  bool Value(std::size_t depth);
  bool Container(char tag, std::size_t depth);
  bool Values(std::uint32_t count, std::size_t depth);
  bool Set(std::uint32_t count, char tag);
  bool SetElement(char tag, std::string_view& element);
  bool Text(std::string_view& text);
  bool Utf8(std::string_view& text);
  bool NumberBytes(std::string_view& number);
  bool U32(std::uint32_t& value);

  std::string_view rest_;
  std::string_view problem_;
};

bool Checker::Item() {
  const std::string_view bytes = rest_;
  if (bytes.size() < kItemHeaderBytes) return Fail("the header is cut off");
  if (bytes.front() != '\x01') return Fail("the format is unknown");
  rest_.remove_prefix(kItemHeaderBytes);
  if (!Attributes(ItemView(bytes).count(), 0)) return false;
  if (!rest_.empty()) return Fail("bytes follow the last attribute");

  std::size_t size_bytes = 0;
  for (const AttributeView attribute : ItemView(bytes).attributes()) {
    size_bytes += AttributeSizeBytes(attribute.name, attribute.value);
  }
  return size_bytes == ItemView(bytes).size_bytes() || Fail("the size is wrong");
}

bool Checker::Attributes(std::uint32_t count, std::size_t depth) {
  std::string_view last_name;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string_view name;
    if (!Utf8(name)) return false;
    if (i > 0 && last_name >= name) return Fail("names are out of order");
    last_name = name;
    if (!Value(depth)) return false;
  }
  return true;
}

bool Checker::Value(std::size_t depth) {
  if (rest_.empty()) return Fail("a value is missing");
  const char tag = rest_.front();
  rest_.remove_prefix(1);
  std::string_view bytes;
  switch (tag) {
    case 'S':
      return Utf8(bytes);
    case 'B':
      return Text(bytes);
    case 'N':
      return NumberBytes(bytes);
    case 'T':
    case 'F':
    case '0':
      return true;
    case 'L':
    case 'M':
    case 's':
    case 'n':
    case 'b':
      return Container(tag, depth);
    default:
      return Fail("a value's tag is unknown");
  }
}

bool Checker::Container(char tag, std::size_t depth) {
  std::uint32_t length = 0;
  if (!U32(length)) return false;
  if (length > rest_.size()) return Fail("a container is cut off");
  const std::string_view behind = rest_.substr(length);
  rest_ = rest_.substr(0, length);

  std::uint32_t count = 0;
  if (!U32(count)) return false;
  const bool nests = tag == 'L' || tag == 'M';
  if (nests && depth == kValueDepthMax) return Fail("values nest too deep");
  const bool ok = tag == 'L'   ? Values(count, depth + 1)
                  : tag == 'M' ? Attributes(count, depth + 1)
                               : Set(count, tag);
  if (!ok) return false;
  if (!rest_.empty()) return Fail("bytes follow the last element");
  rest_ = behind;
  return true;
}

bool Checker::Values(std::uint32_t count, std::size_t depth) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!Value(depth)) return false;
  }
  return true;
}

bool Checker::Set(std::uint32_t count, char tag) {
  if (count == 0) return Fail("a set is empty");
  std::string_view last;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string_view element;
    if (!SetElement(tag, element)) return false;
    if (i > 0 && last >= element) return Fail("a set is out of order");
    last = element;
  }
  return true;
}

bool Checker::SetElement(char tag, std::string_view& element) {
  if (tag == 'n') return NumberBytes(element);
  return tag == 's' ? Utf8(element) : Text(element);
}

bool Checker::Text(std::string_view& text) {
  const std::string_view before = rest_;
  std::uint64_t length = 0;
  if (!TakeVarint(rest_, length)) return Fail("a length is cut off");
  const std::size_t length_bytes = before.size() - rest_.size();
  if (length_bytes > 1 && before[length_bytes - 1] == '\0') return Fail("a length is over long");
  if (length > rest_.size()) return Fail("a string is cut off");
  text = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return true;
}

bool Checker::Utf8(std::string_view& text) {
  if (!Text(text)) return false;
  return IsUtf8(text) || Fail("a string is not UTF-8");
}

bool Checker::NumberBytes(std::string_view& number) {
  if (rest_.empty()) return Fail("a number is missing");
  const auto length = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  if (length > rest_.size()) return Fail("a number is cut off");
  number = rest_.substr(0, length);
  rest_.remove_prefix(length);

  std::string_view behind = number;
  return (Number::Take(behind).ok() && behind.empty()) || Fail("a number is damaged");
}

bool Checker::U32(std::uint32_t& value) {
  if (rest_.size() < 4) return Fail("a container's header is cut off");
  value = ReadU32Le(rest_.data());
  rest_.remove_prefix(4);
  return true;
}

}  // namespace

Status CheckItem(std::string_view bytes) {
  Checker checker(bytes);
  if (checker.Item()) return Ok();
  return CorruptionError("an item's bytes are damaged: " + std::string(checker.problem()));
}

}  // namespace trestle::value
