#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"

// Items and attribute values as they are stored: flat bytes, read in place.
//
//   item      := format size count attribute*
//   format    := 01
//   size      := u32le    the item's size by DynamoDB's rules
//   count     := u32le
//   attribute := name value                        in order of the names' bytes, no name twice
//   name      := varint length, UTF-8 bytes
//   value     := 'S' varint length bytes
//              | 'B' varint length bytes
//              | 'N' u8 length, number bytes       (number.h)
//              | 'T' | 'F' | '0'                   true, false, null
//              | 'L' u32le length, u32le count, value*
//              | 'M' u32le length, u32le count, attribute*     in order, as above
//              | 's' u32le length, u32le count, (varint length bytes)*    string set, in order
//              | 'n' u32le length, u32le count, (u8 length number)*       number set, in order
//              | 'b' u32le length, u32le count, (varint length bytes)*    binary set, in order
//
// `length` of a container counts the bytes after the length field. Names, sets and numbers have
// one form each, so two values are equal when their bytes are equal.
// A released layout never changes; see docs/formats/items.md.

namespace trestle::value {

enum class Type : std::uint8_t { kS, kN, kB, kBool, kNull, kM, kL, kSs, kNs, kBs };

// "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS".
[[nodiscard]] std::string_view TypeName(Type type);

// The type that a value's first byte says.
[[nodiscard]] constexpr Type TypeOfTag(char tag) {
  switch (tag) {
    case 'S':
      return Type::kS;
    case 'N':
      return Type::kN;
    case 'B':
      return Type::kB;
    case 'T':
    case 'F':
      return Type::kBool;
    case 'M':
      return Type::kM;
    case 'L':
      return Type::kL;
    case 's':
      return Type::kSs;
    case 'n':
      return Type::kNs;
    case 'b':
      return Type::kBs;
    default:
      return Type::kNull;
  }
}

// A value inside an item's bytes, which must outlive it. The bytes were made by the encoder
// (item_codec.h) or checked by CheckItem: reading does not check them again.
class ValueView {
 public:
  // `bytes` is one whole value, tag included.
  explicit ValueView(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] Type type() const { return TypeOfTag(bytes_.front()); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

  [[nodiscard]] std::string_view text() const;                          // of kS and kB
  [[nodiscard]] std::string_view number() const { return From(2); }     // of kN: number bytes
  [[nodiscard]] bool boolean() const { return bytes_.front() == 'T'; }  // of kBool
  [[nodiscard]] std::uint32_t count() const { return ReadU32Le(&bytes_[5]); }  // of containers

  // Of kM: the value under `name`.
  [[nodiscard]] std::optional<ValueView> Find(std::string_view name) const;
  // Of kL: the element at `index`.
  [[nodiscard]] std::optional<ValueView> At(std::size_t index) const;

  // What follows the count of a container; read it with TakeAttribute, TakeValue or TakeElement.
  [[nodiscard]] std::string_view contents() const { return From(9); }

  friend bool operator==(const ValueView& left, const ValueView& right) {
    return left.bytes_ == right.bytes_;
  }

 private:
  [[nodiscard]] std::string_view From(std::size_t start) const {
    return {bytes_.data() + start, bytes_.size() - start};
  }

  std::string_view bytes_;
};

// One attribute of an item or a map. Looks into the item's bytes.
struct AttributeView {
  std::string_view name;
  ValueView value;
};

// Each takes one thing from the front of `bytes`. The bytes are trusted, as above.
[[nodiscard]] ValueView TakeValue(std::string_view& bytes);
[[nodiscard]] AttributeView TakeAttribute(std::string_view& bytes);
// One element of a set: string or binary bytes, or number bytes, as `set_type` says.
[[nodiscard]] std::string_view TakeElement(std::string_view& bytes, Type set_type);

// Search the contents of an item or map, or of a list.
[[nodiscard]] std::optional<ValueView> FindAttribute(std::string_view contents,
                                                     std::string_view name);
[[nodiscard]] std::optional<ValueView> FindElement(std::string_view contents, std::size_t index);

// Reading in place is what every request does most, so it is inline.

// Reads the varint at `at` and moves `at` behind it.
inline std::size_t ReadLength(const char*& at) {
  std::size_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*at++);
    length |= static_cast<std::size_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return length;
  }
}

// Where the value that starts at `at` ends.
inline const char* EndOfValue(const char* at) {
  switch (*at) {
    case 'S':
    case 'B': {
      ++at;
      const std::size_t length = ReadLength(at);
      return at + length;
    }
    case 'N':
      return at + 2 + static_cast<std::uint8_t>(at[1]);
    case 'T':
    case 'F':
    case '0':
      return at + 1;
    default:
      return at + 5 + ReadU32Le(at + 1);
  }
}

inline std::string_view ValueView::text() const {
  const char* at = bytes_.data() + 1;
  const std::size_t length = ReadLength(at);
  return {at, length};
}

inline ValueView TakeValue(std::string_view& bytes) {
  const auto length = static_cast<std::size_t>(EndOfValue(bytes.data()) - bytes.data());
  const ValueView value(std::string_view(bytes.data(), length));
  bytes.remove_prefix(length);
  return value;
}

inline AttributeView TakeAttribute(std::string_view& bytes) {
  const char* at = bytes.data();
  const std::size_t name_length = ReadLength(at);
  const std::string_view name(at, name_length);
  bytes.remove_prefix(static_cast<std::size_t>(at - bytes.data()) + name_length);
  return {name, TakeValue(bytes)};
}

inline std::string_view TakeElement(std::string_view& bytes, Type set_type) {
  const char* at = bytes.data();
  const std::size_t length =
      set_type == Type::kNs ? static_cast<std::uint8_t>(*at++) : ReadLength(at);
  bytes.remove_prefix(static_cast<std::size_t>(at - bytes.data()) + length);
  return {at, length};
}

// Attributes in order, for range-for.
class AttributeRange {
 public:
  class Iterator {
   public:
    using value_type = AttributeView;
    using difference_type = std::ptrdiff_t;
    explicit Iterator(std::string_view rest) : rest_(rest) { Read(); }
    AttributeView operator*() const { return {name_, ValueView(value_)}; }
    Iterator& operator++() {
      Read();
      return *this;
    }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.at_end_; }

   private:
    void Read() {
      if (rest_.empty()) {
        at_end_ = true;
        return;
      }
      const AttributeView attribute = TakeAttribute(rest_);
      name_ = attribute.name;
      value_ = attribute.value.bytes();
    }

    std::string_view rest_;
    std::string_view name_;
    std::string_view value_;
    bool at_end_ = false;
  };

  explicit AttributeRange(std::string_view contents) : contents_(contents) {}
  [[nodiscard]] Iterator begin() const { return Iterator(contents_); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  std::string_view contents_;
};

inline constexpr std::size_t kItemHeaderBytes = 9;

// A whole item in bytes that outlive it.
class ItemView {
 public:
  explicit ItemView(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t size_bytes() const { return ReadU32Le(bytes_.data() + 1); }
  [[nodiscard]] std::uint32_t count() const { return ReadU32Le(bytes_.data() + 5); }
  [[nodiscard]] std::string_view contents() const {
    return {bytes_.data() + kItemHeaderBytes, bytes_.size() - kItemHeaderBytes};
  }
  [[nodiscard]] std::optional<ValueView> Find(std::string_view name) const {
    return FindAttribute(contents(), name);
  }
  [[nodiscard]] AttributeRange attributes() const { return AttributeRange(contents()); }

 private:
  std::string_view bytes_;
};

// An item that owns its bytes. A default-constructed one has no attributes.
class Item {
 public:
  Item();
  explicit Item(std::string bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] ItemView view() const { return ItemView(bytes_); }
  [[nodiscard]] const std::string& bytes() const& { return bytes_; }
  [[nodiscard]] std::string&& bytes() && { return std::move(bytes_); }
  [[nodiscard]] std::optional<ValueView> Find(std::string_view name) const {
    return view().Find(name);
  }

  friend bool operator==(const Item&, const Item&) = default;

 private:
  std::string bytes_;
};

}  // namespace trestle::value
