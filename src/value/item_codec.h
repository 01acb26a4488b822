#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "value/item.h"
#include "value/number.h"

// Makes the bytes that item.h draws, and checks bytes that came from outside.

namespace trestle::value {

void AppendString(std::string& out, std::string_view text);
void AppendBinary(std::string& out, std::string_view bytes);
void AppendNumber(std::string& out, const Number& number);
void AppendBool(std::string& out, bool boolean);
void AppendNull(std::string& out);

// A name in front of a value, inside a map.
void AppendName(std::string& out, std::string_view name);

// Brackets around the elements of a list or map: Begin returns the place that End fills in.
[[nodiscard]] std::size_t BeginContainer(std::string& out, Type type);
void EndContainer(std::string& out, std::size_t place, std::uint32_t count);

// Sorts the elements of a set, string_views or Numbers. False when two of them are equal.
template <typename T>
[[nodiscard]] bool SortedUnique(std::vector<T>& elements) {
  std::ranges::sort(elements);
  return std::ranges::adjacent_find(elements) == elements.end();
}

// Sets are sorted here. They are not empty, and the caller has refused duplicates (see
// SortedUnique). `type` is kSs or kBs.
void AppendStringSet(std::string& out, Type type, std::vector<std::string_view> elements);
void AppendNumberSet(std::string& out, std::vector<Number> elements);

// Fills in the first kItemHeaderBytes of an item.
void StoreItemHeader(std::string& bytes, std::size_t size_bytes, std::size_t count);

// Makes an item from attributes in any order, or a map (AppendMapTo). A name given twice keeps
// its last value.
class ItemBuilder {
 public:
  ItemBuilder() { attributes_.reserve(16); }

  // `value` is one encoded value; both are looked into until Finish.
  void Add(std::string_view name, std::string_view value) { attributes_.emplace_back(name, value); }
  [[nodiscard]] Item Finish();
  // Appends a map of the attributes to `out`, as one encoded value.
  void AppendMapTo(std::string& out);

 private:
  using Attribute = std::pair<std::string_view, std::string_view>;  // name and value

  void Sort();

  std::vector<Attribute> attributes_;
};

// Makes an item from attributes that come in order already, such as a part of another item. No
// name comes twice.
class SortedItemWriter {
 public:
  SortedItemWriter();
  void Add(std::string_view name, std::string_view value);
  [[nodiscard]] Item Finish() &&;

 private:
  std::string bytes_;
  std::size_t last_name_start_ = 0;  // in bytes_
  std::size_t last_name_length_ = 0;
  std::uint32_t count_ = 0;
  std::size_t size_bytes_ = 0;
};

// Values nest no deeper than this; clients are held to less (kDocumentDepthMax). It keeps
// recursion over stored bytes within any thread's stack.
inline constexpr std::size_t kValueDepthMax = 64;

// Verifies every byte of an item that came from outside the process. kCorruption when an
// encoder could not have made it.
[[nodiscard]] Status CheckItem(std::string_view bytes);

}  // namespace trestle::value
