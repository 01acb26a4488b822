#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/syntax/line_printer_internal.h"
#include "design/syntax/printer.h"
#include "design/syntax/tree.h"

namespace trestle::design::syntax {

// Terms: print_terms.cc.
[[nodiscard]] std::string Print(const Path& path);
[[nodiscard]] std::string Print(const Text& text);
[[nodiscard]] std::string PrintNames(std::span<const Name> names);
// " when COND", or nothing.
[[nodiscard]] std::string PrintOptional(std::string_view word,
                                        const std::optional<Condition>& condition);

// "a, b", which may be broken behind its commas.
template <typename Elements, typename PrintElement>
std::string PrintList(const Elements& elements, PrintElement print) {
  std::string text;
  for (const auto& element : elements) {
    if (!text.empty()) text += {',', kBreak};
    text += print(element);
  }
  return text;
}

// Statements, without their comments: print_attribute.cc, print_entity.cc, print_table.cc,
// print_access.cc, print_operation.cc.
void PrintType(LinePrinter& out, const Type& type);
void PrintAttributes(LinePrinter& out, std::span<const Statement<Attribute>> attributes);
void PrintMembers(LinePrinter& out, std::span<const Statement<EntityMember>> members);
void PrintStatement(LinePrinter& out, const Table& it);
void PrintStatement(LinePrinter& out, const Entity& it);
void PrintStatement(LinePrinter& out, const Shape& it);
void PrintStatement(LinePrinter& out, const Mirror& it);
void PrintStatement(LinePrinter& out, const Access& it);
void PrintStatement(LinePrinter& out, const ExternalAccess& it);
void PrintStatement(LinePrinter& out, const Operation& it);
void PrintStatement(LinePrinter& out, const TypeTag& it);
void PrintStatement(LinePrinter& out, const KeyEntry& it);
void PrintStatement(LinePrinter& out, const IndexEntry& it);
void PrintStatement(LinePrinter& out, const DirectIndexEntry& it);
void PrintStatement(LinePrinter& out, const Identity& it);
void PrintStatement(LinePrinter& out, const RekeyOn& it);
void PrintStatement(LinePrinter& out, const Unique& it);
void PrintStatement(LinePrinter& out, const Attribute& it);
void PrintStatement(LinePrinter& out, const BelongsTo& it);
[[nodiscard]] std::string PrintParameters(std::span<const Parameter> parameters);

// How wide the columns of a paragraph of attributes are.
struct AttributeColumns {
  std::size_t name = 0;
  std::size_t type = 0;
};
[[nodiscard]] AttributeColumns Widen(AttributeColumns columns, const Attribute& attribute);
void PrintAttribute(LinePrinter& out, const Attribute& it, const AttributeColumns& columns);

// Prints each statement, with what `print` prints of its content.
template <typename Content, typename PrintContent>
void PrintStatements(LinePrinter& out, std::span<const Statement<Content>> statements,
                     PrintContent print) {
  for (const Statement<Content>& statement : statements) {
    out.Begin(statement);
    print(statement.content);
    out.EndLine();
  }
}

}  // namespace trestle::design::syntax
