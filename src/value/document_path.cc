#include "value/document_path.h"

#include <fmt/format.h>

namespace trestle::value {
namespace {

std::optional<ValueView> Step(ValueView value, const PathElement& element) {
  if (const auto* name = std::get_if<std::string>(&element)) {
    return value.type() == Type::kM ? value.Find(*name) : std::nullopt;
  }
  return value.type() == Type::kL ? value.At(std::get<std::size_t>(element)) : std::nullopt;
}

}  // namespace

std::string PathText(const DocumentPath& path) {
  std::string text = "[";
  for (const PathElement& element : path.elements) {
    if (text.size() > 1) text += ", ";
    if (const auto* name = std::get_if<std::string>(&element)) {
      text += *name;
    } else {
      text += fmt::format("[{}]", std::get<std::size_t>(element));
    }
  }
  return text + "]";
}

std::optional<ValueView> Resolve(ItemView item, const DocumentPath& path) {
  std::optional<ValueView> value = item.Find(path.attribute());
  for (std::size_t i = 1; i < path.elements.size() && value; ++i) {
    value = Step(*value, path.elements[i]);
  }
  return value;
}

}  // namespace trestle::value
