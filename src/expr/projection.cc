#include "expr/projection.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "expr/bind.h"
#include "expr/parser.h"
#include "value/item_codec.h"

namespace trestle::expr {
namespace {

using value::AttributeView;
using value::DocumentPath;
using value::PathElement;
using value::Type;
using value::ValueView;

using Paths = std::span<const DocumentPath>;

// Takes the paths that have the same element at `depth` as the first one.
Paths TakeFamily(Paths& paths, std::size_t depth) {
  std::size_t count = 1;
  while (count < paths.size() && paths[count].elements[depth] == paths[0].elements[depth]) {
    ++count;
  }
  const Paths family = paths.first(count);
  paths = paths.subspan(count);
  return family;
}

bool AppendParts(std::string& out, ValueView value, Paths paths, std::size_t depth);

// Appends what the family names of `value`. False when that is nothing.
bool AppendFamily(std::string& out, ValueView value, Paths family, std::size_t depth) {
  if (family[0].elements.size() == depth) {
    out += value.bytes();
    return true;
  }
  return AppendParts(out, value, family, depth);
}

// Takes the family that names `attribute`, and those before it, which name nothing. The caller
// asks for attributes in order.
Paths TakeFamilyOf(Paths& paths, std::string_view attribute, std::size_t depth) {
  while (!paths.empty()) {
    const std::string& name = std::get<std::string>(paths[0].elements[depth]);
    if (name > attribute) break;
    const bool is_wanted = name == attribute;
    const Paths family = TakeFamily(paths, depth);
    if (is_wanted) return family;
  }
  return {};
}

std::uint32_t AppendMapParts(std::string& out, ValueView map, Paths paths, std::size_t depth) {
  std::uint32_t count = 0;
  std::string_view rest = map.contents();
  while (!paths.empty() && !rest.empty()) {
    const AttributeView attribute = value::TakeAttribute(rest);
    const Paths family = TakeFamilyOf(paths, attribute.name, depth);
    if (family.empty()) continue;
    const std::size_t before = out.size();
    value::AppendName(out, attribute.name);
    if (AppendFamily(out, attribute.value, family, depth + 1)) {
      ++count;
    } else {
      out.resize(before);
    }
  }
  return count;
}

std::uint32_t AppendListParts(std::string& out, ValueView list, Paths paths, std::size_t depth) {
  std::uint32_t count = 0;
  std::size_t index = 0;
  std::string_view rest = list.contents();
  for (; !paths.empty() && !rest.empty(); ++index) {
    const ValueView element = value::TakeValue(rest);
    if (std::get<std::size_t>(paths[0].elements[depth]) != index) continue;
    if (AppendFamily(out, element, TakeFamily(paths, depth), depth + 1)) ++count;
  }
  return count;
}

// Appends a map or list with those of its elements that the paths name.
bool AppendParts(std::string& out, ValueView value, Paths paths, std::size_t depth) {
  const bool by_name = std::holds_alternative<std::string>(paths[0].elements[depth]);
  if (value.type() != (by_name ? Type::kM : Type::kL)) return false;
  const std::size_t before = out.size();
  const std::size_t place = value::BeginContainer(out, value.type());
  const std::uint32_t count = by_name ? AppendMapParts(out, value, paths, depth)
                                      : AppendListParts(out, value, paths, depth);
  if (count == 0) {
    out.resize(before);
    return false;
  }
  value::EndContainer(out, place, count);
  return true;
}

}  // namespace

Result<Projection> Projection::Parse(std::string_view text, Placeholders& placeholders) {
  const SyntaxView syntax = TRY(ParseProjection(text));
  return Projection(TRY(BindProjection(syntax, placeholders)));
}

Projection::Projection(std::vector<DocumentPath> paths) : paths_(std::move(paths)) {
  std::ranges::sort(paths_, [](const DocumentPath& left, const DocumentPath& right) {
    return left.elements < right.elements;
  });
}

value::Item Projection::Apply(value::ItemView item) const {
  value::SortedItemWriter writer;
  Paths paths(paths_);
  std::string part;
  for (const AttributeView attribute : item.attributes()) {
    const Paths family = TakeFamilyOf(paths, attribute.name, 0);
    if (family.empty()) continue;
    part.clear();
    if (AppendFamily(part, attribute.value, family, 1)) writer.Add(attribute.name, part);
  }
  return std::move(writer).Finish();
}

}  // namespace trestle::expr
