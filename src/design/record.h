#pragma once

#include <cstdint>
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
//
// All names and values are in one string, which a record that is made of an item takes over.
// What Find and attributes() give is valid until the record is changed.
class Record {
 public:
  struct Attribute {
    std::string_view name;
    std::string_view value;  // encoded
  };
  class Attributes;

  Record() = default;
  // What an item holds, without its NULLs.
  explicit Record(value::Item item);
  explicit Record(value::ItemView item) : Record(value::Item(std::string(item.bytes()))) {}
  // The attributes of an item for which `is_kept` says so. It is asked for each name and encoded
  // value, in order of the names, and must not keep a NULL.
  template <typename IsKept>
  Record(value::Item&& item, const IsKept& is_kept) {
    AddPlaces(item.view(), is_kept);
    bytes_ = std::move(item).bytes();
  }

  // What it was made of, as long as nothing was set in it.
  [[nodiscard]] value::ItemView own_item() const { return value::ItemView(bytes_); }

  [[nodiscard]] bool empty() const { return places_.empty(); }
  // In order of the names.
  [[nodiscard]] Attributes attributes() const;

  [[nodiscard]] std::optional<value::ValueView> Find(std::string_view name) const;
  // Also inside maps; nothing where the way does not exist, or ends in NULL.
  [[nodiscard]] std::optional<value::ValueView> Find(const syntax::Path& path) const;
  // The text of a string, or nothing.
  [[nodiscard]] std::optional<std::string_view> FindText(std::string_view name) const;

  // `value` is one encoded value, not of this record; NULL removes.
  void Set(std::string_view name, std::string_view value);
  // `name` comes behind all names that are there, and the value is not NULL.
  void Append(std::string_view name, std::string_view value);
  // Also inside maps, which are made where they are missing.
  void Set(const syntax::Path& path, std::string_view value);
  void SetText(std::string_view name, std::string_view text);
  void Remove(std::string_view name);
  void Remove(const syntax::Path& path);

  [[nodiscard]] value::Item ToItem() const;

  friend bool operator==(const Record& left, const Record& right);

 private:
  // Where a name and a value begin in bytes_, and how long they are.
  struct Place {
    std::uint32_t name_at = 0;
    std::uint32_t name_size = 0;
    std::uint32_t value_at = 0;
    std::uint32_t value_size = 0;
  };
  static constexpr std::size_t kUsualAttributes = 16;

  [[nodiscard]] std::string_view NameAt(const Place& place) const {
    return {bytes_.data() + place.name_at, place.name_size};
  }
  [[nodiscard]] std::string_view ValueAt(const Place& place) const {
    return {bytes_.data() + place.value_at, place.value_size};
  }
  template <typename IsKept>
  void AddPlaces(value::ItemView item, const IsKept& is_kept) {
    places_.reserve(item.count());
    const char* const begin = item.bytes().data();
    const char* const end = begin + item.bytes().size();
    for (const char* at = begin + value::kItemHeaderBytes; at != end;) {
      const std::size_t name_size = value::ReadLength(at);
      const char* const value = at + name_size;
      const char* const value_end = value::EndOfValue(value);
      const auto value_size = static_cast<std::size_t>(value_end - value);
      if (is_kept(std::string_view(at, name_size), std::string_view(value, value_size))) {
        places_.push_back({.name_at = static_cast<std::uint32_t>(at - begin),
                           .name_size = static_cast<std::uint32_t>(name_size),
                           .value_at = static_cast<std::uint32_t>(value - begin),
                           .value_size = static_cast<std::uint32_t>(value_size)});
      }
      at = value_end;
    }
  }
  // Where the name is, or where it would stand.
  struct Position {
    std::size_t index = 0;
    bool is_there = false;
  };
  [[nodiscard]] Position PositionOf(std::string_view name) const;
  [[nodiscard]] std::uint32_t Add(std::string_view bytes);
  void DropUnused();

  std::string bytes_;
  std::vector<Place> places_;  // in order of the names
};

class Record::Attributes {
 public:
  class Iterator {
   public:
    using value_type = Attribute;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Record* record, std::size_t index) : record_(record), index_(index) {}
    Attribute operator*() const {
      const Place& place = record_->places_[index_];
      return {record_->NameAt(place), record_->ValueAt(place)};
    }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return {record_, index_++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Record* record_ = nullptr;
    std::size_t index_ = 0;
  };

  explicit Attributes(const Record& record) : record_(&record) {}
  [[nodiscard]] Iterator begin() const { return {record_, 0}; }
  [[nodiscard]] Iterator end() const { return {record_, size()}; }
  [[nodiscard]] std::size_t size() const { return record_->places_.size(); }

 private:
  const Record* record_;
};

inline Record::Attributes Record::attributes() const { return Attributes(*this); }

}  // namespace trestle::design
