#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/syntax/terms.h"
#include "value/item.h"

namespace trestle::design {

// Attributes of one item by name, as callers of a design give and get them. A value is encoded as
// value/item.h draws it. An attribute that is absent is not in it; NULL is never in it.
class Record {
 public:
  Record() = default;
  // What an item holds, without its NULLs.
  explicit Record(value::ItemView item);

  [[nodiscard]] bool empty() const { return attributes_.empty(); }
  // Names and values, in order of the names.
  using Attributes = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

  [[nodiscard]] std::optional<value::ValueView> Find(std::string_view name) const;
  // Also inside maps; nothing where the way does not exist, or ends in NULL.
  [[nodiscard]] std::optional<value::ValueView> Find(const syntax::Path& path) const;
  // The text of a string, or nothing.
  [[nodiscard]] std::optional<std::string_view> FindText(std::string_view name) const;

  // `value` is one encoded value; NULL removes.
  void Set(std::string_view name, std::string value);
  // `name` comes behind all names that are there, and the value is not NULL.
  void Append(std::string_view name, std::string_view value) {
    if (attributes_.empty()) attributes_.reserve(kUsualAttributes);
    attributes_.emplace_back(name, value);
  }
  // Also inside maps, which are made where they are missing.
  void Set(const syntax::Path& path, std::string value);
  void SetText(std::string_view name, std::string_view text);
  void Remove(std::string_view name);
  void Remove(const syntax::Path& path);

  [[nodiscard]] value::Item ToItem() const;

  friend bool operator==(const Record&, const Record&) = default;

 private:
  static constexpr std::size_t kUsualAttributes = 16;

  [[nodiscard]] Attributes::iterator Place(std::string_view name);

  Attributes attributes_;
};

}  // namespace trestle::design
