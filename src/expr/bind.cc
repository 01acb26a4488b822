#include "expr/bind.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"
#include "base/limits.h"
#include "expr/bind_internal.h"
#include "expr/reserved_words.h"

namespace trestle::expr {
namespace {

using value::DocumentPath;
using value::PathElement;

enum class Relation : std::uint8_t { kApart, kOverlap, kConflict };

Relation RelationOf(const DocumentPath& left, const DocumentPath& right) {
  const std::size_t shared = std::min(left.elements.size(), right.elements.size());
  for (std::size_t i = 0; i < shared; ++i) {
    const PathElement& one = left.elements[i];
    const PathElement& other = right.elements[i];
    if (one.index() != other.index()) return Relation::kConflict;
    if (one != other) return Relation::kApart;
  }
  return Relation::kOverlap;
}

// In order, a path stands directly before one that it leads to, and what conflicts with one of
// its neighbours' families stands where the family changes: neighbours decide for all.
bool AreAllApart(const std::vector<DocumentPath>& paths) {
  std::vector<const DocumentPath*> sorted;
  sorted.reserve(paths.size());
  for (const DocumentPath& path : paths)
    sorted.push_back(&path);
  std::ranges::sort(sorted, [](const DocumentPath* left, const DocumentPath* right) {
    return left->elements < right->elements;
  });
  return std::ranges::adjacent_find(sorted,
                                    [](const DocumentPath* left, const DocumentPath* right) {
                                      return RelationOf(*left, *right) != Relation::kApart;
                                    }) == sorted.end();
}

}  // namespace

Function FunctionOf(std::string_view name) {
  if (name == "attribute_exists") return Function::kAttributeExists;
  if (name == "attribute_not_exists") return Function::kAttributeNotExists;
  if (name == "attribute_type") return Function::kAttributeType;
  if (name == "begins_with") return Function::kBeginsWith;
  if (name == "contains") return Function::kContains;
  if (name == "size") return Function::kSize;
  if (name == "if_not_exists") return Function::kIfNotExists;
  if (name == "list_append") return Function::kListAppend;
  return Function::kNone;
}

std::size_t OperandCountOf(Function function) {
  switch (function) {
    case Function::kAttributeExists:
    case Function::kAttributeNotExists:
    case Function::kSize:
      return 1;
    case Function::kAttributeType:
    case Function::kBeginsWith:
    case Function::kContains:
    case Function::kIfNotExists:
    case Function::kListAppend:
      return 2;
    case Function::kNone:
      break;
  }
  UNREACHABLE("unknown functions are refused before");
}

Error Binder::Invalid(std::string_view text) const {
  if (expression_name_.empty()) return ValidationError(std::string(text));
  return ValidationError(fmt::format("Invalid {}: {}", expression_name_, text));
}

Error Binder::InvalidFunction(std::string_view function) const {
  return Invalid(fmt::format("Invalid function name; function: {}", function));
}

Error Binder::IncorrectOperandType(std::string_view operator_name,
                                   std::string_view type_name) const {
  return Invalid(fmt::format(
      "Incorrect operand type for operator or function; operator or function: {}, operand type: {}",
      operator_name, type_name));
}

Error Binder::RequiresPath(std::string_view function) const {
  return Invalid(fmt::format(
      "Operator or function requires a document path; operator or function: {}", function));
}

Status Binder::CheckOperatorCount() const {
  const auto count = std::ranges::count_if(syntax_.nodes, [](const NodeView& node) {
    return node.kind != NodeKind::kPath && node.kind != NodeKind::kValue;
  });
  if (static_cast<std::size_t>(count) <= kExpressionOperatorsMax) return Ok();
  return Invalid(
      fmt::format("The expression contains too many operators; operator count: {}", count));
}

Status Binder::CheckReservedWords() const {
  for (const PathPartView& part : syntax_.parts) {
    if (part.kind == PathPartView::Kind::kIdentifier && IsReservedWord(part.text)) {
      return Invalid(
          fmt::format("Attribute name is a reserved keyword; reserved keyword: {}", part.text));
    }
  }
  return Ok();
}

Result<DocumentPath> Binder::BindPath(const NodeView& node) {
  if (node.count > kDocumentDepthMax) {
    return Invalid(fmt::format("The document path has too many nesting elements; nesting level: {}",
                               node.count));
  }
  DocumentPath path;
  path.elements.reserve(node.count);
  for (std::size_t i = 0; i < node.count; ++i) {
    const PathPartView& part = syntax_.parts[node.first_part + i];
    switch (part.kind) {
      case PathPartView::Kind::kIdentifier:
        path.elements.emplace_back(std::string(part.text));
        break;
      case PathPartView::Kind::kIndex:
        path.elements.emplace_back(std::size_t{part.index});
        break;
      case PathPartView::Kind::kName: {
        const std::string* const name = placeholders_.FindName(part.text);
        if (name == nullptr) {
          return Invalid(
              fmt::format("An expression attribute name used in the document path is not defined; "
                          "attribute name: {}",
                          part.text));
        }
        path.elements.emplace_back(*name);
        break;
      }
    }
  }
  return path;
}

Result<std::string> Binder::BindValue(const NodeView& node) {
  const std::string* const found = placeholders_.FindValue(node.text);
  if (found != nullptr) return *found;
  return Invalid(fmt::format(
      "An expression attribute value used in expression is not defined; attribute value: {}",
      node.text));
}

Status Binder::CheckOperandCount(Function function, const NodeView& node) const {
  if (node.count == OperandCountOf(function)) return Ok();
  return Invalid(fmt::format(
      "Incorrect number of operands for operator or function; operator or function: {}, "
      "number of operands: {}",
      node.text, node.count));
}

Status Binder::CheckOverlap(const std::vector<DocumentPath>& paths) const {
  if (paths.size() < 2 || AreAllApart(paths)) return Ok();
  // The service names the first pair in the order of the text, overlaps before conflicts.
  for (const Relation relation : {Relation::kOverlap, Relation::kConflict}) {
    for (std::size_t second = 1; second < paths.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        if (RelationOf(paths[first], paths[second]) != relation) continue;
        return Invalid(fmt::format(
            "Two document paths {} with each other; must remove or rewrite one of these paths; "
            "path one: {}, path two: {}",
            relation == Relation::kOverlap ? "overlap" : "conflict", PathText(paths[first]),
            PathText(paths[second])));
      }
    }
  }
  UNREACHABLE("paths that are not apart overlap or conflict");
}

Result<std::vector<DocumentPath>> BindProjection(const SyntaxView& syntax,
                                                 Placeholders& placeholders) {
  Binder binder("ProjectionExpression", syntax, placeholders);
  TRY(binder.CheckReservedWords());
  std::vector<DocumentPath> paths;
  paths.reserve(syntax.nodes.size());
  for (const NodeView& node : syntax.nodes)
    paths.push_back(TRY(binder.BindPath(node)));
  TRY(binder.CheckOverlap(paths));
  return paths;
}

}  // namespace trestle::expr
