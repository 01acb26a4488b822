#include "value/document.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "value/item_codec.h"
#include "value/item_size.h"

namespace trestle::value {

// A map, a list, or the item itself: what it was, and what changes in it.
struct Document::Node {
  struct Removed {};
  using Change = std::variant<Removed, std::string, std::unique_ptr<Node>>;

  Node(Type node_type, std::uint32_t old_count, std::string_view old_contents)
      : type(node_type), contents(old_contents), count(old_count) {}

  // The list or map that the last element of `path` is in, if the way there exists.
  [[nodiscard]] Node* FindParent(const DocumentPath& path);
  // The list or map that `element` names in this one.
  [[nodiscard]] Node* Step(const PathElement& element);
  // Whether `element` is of the kind that names something in this node.
  [[nodiscard]] bool Fits(const PathElement& element) const {
    return std::holds_alternative<std::string>(element) == (type == Type::kM);
  }
  [[nodiscard]] std::optional<ValueView> FindOld(const PathElement& element) const;
  [[nodiscard]] Change* FindChange(const PathElement& element);
  void Put(const PathElement& element, Change change);

  // Write the new contents: runs of the old bytes, with the changes in between.
  void AppendContents(std::string& out);
  void AppendMapContents(std::string& out);
  void AppendListContents(std::string& out);
  void AppendChange(std::string& out, std::string_view name, std::optional<ValueView> old,
                    Change& change);

  const Type type;                  // kM or kL
  const std::string_view contents;  // as it was
  // One of the two is used, as `type` says.
  std::map<std::string, Change, std::less<>> by_name;
  std::map<std::size_t, Change> by_index;

  // As it was; after AppendContents, as it is.
  std::uint32_t count;
  // By how much AppendContents changed the size of the elements.
  std::int64_t growth_bytes = 0;
};

Document::Node* Document::Node::FindParent(const DocumentPath& path) {
  Node* node = this;
  for (std::size_t i = 0; i + 1 < path.elements.size() && node != nullptr; ++i) {
    node = node->Step(path.elements[i]);
  }
  return node != nullptr && node->Fits(path.elements.back()) ? node : nullptr;
}

Document::Node* Document::Node::Step(const PathElement& element) {
  if (!Fits(element)) return nullptr;
  if (Change* change = FindChange(element)) {
    auto* inner = std::get_if<std::unique_ptr<Node>>(change);
    return inner == nullptr ? nullptr : inner->get();
  }
  const std::optional<ValueView> old = FindOld(element);
  if (!old || (old->type() != Type::kM && old->type() != Type::kL)) return nullptr;
  auto inner = std::make_unique<Node>(old->type(), old->count(), old->contents());
  Node* const node = inner.get();
  Put(element, std::move(inner));
  return node;
}

std::optional<ValueView> Document::Node::FindOld(const PathElement& element) const {
  if (const auto* name = std::get_if<std::string>(&element)) return FindAttribute(contents, *name);
  return FindElement(contents, std::get<std::size_t>(element));
}

Document::Node::Change* Document::Node::FindChange(const PathElement& element) {
  if (const auto* name = std::get_if<std::string>(&element)) {
    const auto found = by_name.find(*name);
    return found == by_name.end() ? nullptr : &found->second;
  }
  const auto found = by_index.find(std::get<std::size_t>(element));
  return found == by_index.end() ? nullptr : &found->second;
}

void Document::Node::Put(const PathElement& element, Change change) {
  if (const auto* name = std::get_if<std::string>(&element)) {
    by_name.insert_or_assign(*name, std::move(change));
  } else {
    by_index.insert_or_assign(std::get<std::size_t>(element), std::move(change));
  }
}

void Document::Node::AppendContents(std::string& out) {
  if (type == Type::kM) {
    AppendMapContents(out);
  } else {
    AppendListContents(out);
  }
}

void Document::Node::AppendMapContents(std::string& out) {
  std::string_view rest = contents;
  for (auto& [name, change] : by_name) {
    const char* const run = rest.data();
    std::optional<ValueView> old;
    std::string_view behind = rest;
    while (!rest.empty()) {
      const AttributeView attribute = TakeAttribute(behind);
      if (attribute.name >= name) {
        if (attribute.name == name) old = attribute.value;
        break;
      }
      rest = behind;
    }
    out.append(run, rest.data());
    if (old) rest = behind;
    AppendChange(out, name, old, change);
  }
  out.append(rest);
}

void Document::Node::AppendListContents(std::string& out) {
  std::string_view rest = contents;
  std::size_t position = 0;
  for (auto& [index, change] : by_index) {
    const char* const run = rest.data();
    for (; position < index && !rest.empty(); ++position)
      static_cast<void>(TakeValue(rest));
    out.append(run, rest.data());
    std::optional<ValueView> old;
    if (!rest.empty()) {
      old = TakeValue(rest);
      ++position;
    }
    AppendChange(out, {}, old, change);
  }
  out.append(rest);
}

// Writes what comes in the place of `old`, and counts the difference.
void Document::Node::AppendChange(std::string& out, std::string_view name,
                                  std::optional<ValueView> old, Change& change) {
  const bool removed = std::holds_alternative<Removed>(change);
  if (!removed && type == Type::kM) AppendName(out, name);
  if (auto* inner = std::get_if<std::unique_ptr<Node>>(&change)) {
    Node& node = **inner;
    const std::uint32_t old_count = node.count;
    const std::size_t place = BeginContainer(out, node.type);
    node.AppendContents(out);
    EndContainer(out, place, node.count);
    const std::int64_t more_elements = std::int64_t{node.count} - std::int64_t{old_count};
    growth_bytes += node.growth_bytes + more_elements * std::int64_t{kElementOverheadBytes};
    return;
  }
  if (old) {
    --count;
    growth_bytes -= static_cast<std::int64_t>(AttributeSizeBytes(name, *old));
  }
  if (removed) return;
  const auto& value = std::get<std::string>(change);
  out.append(value);
  ++count;
  growth_bytes += static_cast<std::int64_t>(AttributeSizeBytes(name, ValueView(value)));
}

Document::Document(ItemView item)
    : item_(item),
      root_(std::make_unique<Node>(Type::kM, item.count(), item.bytes().substr(kItemHeaderBytes))) {
}

Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

bool Document::Set(const DocumentPath& path, std::string value) {
  Node* const parent = root_->FindParent(path);
  if (parent == nullptr) return false;
  set_bytes_ += value.size();
  parent->Put(path.elements.back(), std::move(value));
  return true;
}

bool Document::Remove(const DocumentPath& path) {
  Node* const parent = root_->FindParent(path);
  if (parent == nullptr) return false;
  parent->Put(path.elements.back(), Node::Removed{});
  return true;
}

Item Document::Finish() {
  std::string bytes;
  bytes.reserve(item_.bytes().size() + set_bytes_);
  bytes.resize(kItemHeaderBytes);
  root_->AppendContents(bytes);
  const std::int64_t size_bytes = item_.size_bytes() + root_->growth_bytes;
  StoreItemHeader(bytes, static_cast<std::size_t>(size_bytes), root_->count);
  return Item(std::move(bytes));
}

}  // namespace trestle::value
