#include <algorithm>

#include <fmt/format.h>

#include "design/syntax/lexer.h"
#include "design/syntax/printer_internal.h"

namespace trestle::design::syntax {
namespace {

// A longer type makes no column: what follows it would be far from all others.
constexpr std::size_t kTypeColumnMax = 24;

std::string PrintRange(const std::optional<Range>& range) {
  if (!range) return {};
  return fmt::format("({}..{})", range->min ? range->min->digits : "",
                     range->max ? range->max->digits : "");
}

struct TypePrinter {
  LinePrinter& out;

  void operator()(const PlainType& it) const { out.Add(WordOf(it.name)); }
  void operator()(const RangedType& it) const {
    out.Add(WordOf(it.name));
    out.Add(PrintRange(it.range));
  }
  void operator()(const TimestampType& it) const {
    out.Add("timestamp");
    if (it.precision) out.Add(fmt::format("({})", WordOf(*it.precision)));
  }
  void operator()(const EnumType& it) const {
    out.Add("enum(" + PrintList(it.values, [](const Text& text) { return Print(text); }) + ")");
  }
  void operator()(const ListType& it) const { AddContainer("list<", it); }
  void operator()(const SetType& it) const { AddContainer("set<", it); }
  void operator()(const MapType& it) const {
    out.Add("map");
    out.AddBlock(it.attributes, [&](const auto& attributes) { PrintAttributes(out, attributes); });
  }

  template <typename Container>
  void AddContainer(std::string_view open, const Container& it) const {
    out.Add(open);
    PrintType(out, *it.element);
    out.Add(">" + PrintRange(it.range));
  }
};

bool IsBlock(const Type& type) {
  if (const auto* list = std::get_if<ListType>(&type.is)) return IsBlock(*list->element);
  if (const auto* set = std::get_if<SetType>(&type.is)) return IsBlock(*set->element);
  return std::holds_alternative<MapType>(type.is);
}

// Of a type without a block.
std::string TypeText(const Attribute& attribute) {
  LinePrinter printer;
  PrintType(printer, attribute.type);
  return printer.line() + (attribute.optional ? "?" : "");
}

struct ModifierPrinter {
  std::string operator()(const FlagModifier& it) const { return std::string(WordOf(it.flag)); }
  std::string operator()(const ConstModifier& it) const { return "const " + Print(it.value); }
  std::string operator()(const ComputedModifier& it) const { return "computed " + Print(it.text); }
  std::string operator()(const NormaliseModifier& it) const {
    return "normalise " +
           PrintList(it.steps, [](Normalisation step) { return std::string(WordOf(step)); });
  }
  std::string operator()(const PatternModifier& it) const { return "pattern /" + it.regex + "/"; }
  std::string operator()(const RequiredWhenModifier& it) const {
    return "required_when " + Print(it.condition);
  }
  std::string operator()(const AbsentUnlessModifier& it) const {
    return "absent_unless " + Print(it.condition);
  }
  std::string operator()(const OnUpdateModifier& it) const {
    return "on_update " + Print(it.value);
  }
  std::string operator()(const WasModifier& it) const { return "was " + it.name.text; }
};

// " = default modifiers".
std::string PrintBehindType(const Attribute& it) {
  std::string text;
  if (it.default_value) text += " = " + Print(*it.default_value);
  for (const Modifier& modifier : it.modifiers)
    text += " " + std::visit(ModifierPrinter{}, modifier.is);
  return text;
}

std::string Padded(std::string text, std::size_t width) {
  const std::size_t length = CountCharacters(text);
  return text.append(width - std::min(width, length), ' ');
}

bool BeginsParagraph(std::span<const Comment> comments, bool blank_before) {
  return blank_before || std::ranges::any_of(comments, &Comment::blank_before);
}

// Prints statements that are attributes, all or some of them. Those that follow each other without
// an empty line or something else between them share their columns.
template <typename Content, typename AsAttribute, typename PrintOther>
void PrintInColumns(LinePrinter& out, std::span<const Statement<Content>> statements,
                    AsAttribute as_attribute, PrintOther print_other) {
  AttributeColumns columns;
  std::size_t end_of_run = 0;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (i >= end_of_run) {
      columns = {};
      for (end_of_run = i; end_of_run < statements.size(); ++end_of_run) {
        const Statement<Content>& next = statements[end_of_run];
        const Attribute* const attribute = as_attribute(next.content);
        const bool is_apart = end_of_run > i && BeginsParagraph(next.comments, next.blank_before);
        if (attribute == nullptr || is_apart) break;
        columns = Widen(columns, *attribute);
      }
    }
    out.Begin(statements[i]);
    const Attribute* const attribute = as_attribute(statements[i].content);
    if (attribute == nullptr) {
      print_other(statements[i].content);
    } else {
      PrintAttribute(out, *attribute, columns);
    }
    out.EndLine();
  }
}

}  // namespace

void PrintType(LinePrinter& out, const Type& type) { std::visit(TypePrinter{out}, type.is); }

AttributeColumns Widen(AttributeColumns columns, const Attribute& attribute) {
  columns.name = std::max(columns.name, attribute.name.text.size());
  if (IsBlock(attribute.type)) return columns;
  const std::size_t type = CountCharacters(TypeText(attribute));
  if (type <= kTypeColumnMax) columns.type = std::max(columns.type, type);
  return columns;
}

void PrintAttribute(LinePrinter& out, const Attribute& it, const AttributeColumns& columns) {
  out.Add(Padded(it.name.text, columns.name) + " : ");
  const std::string behind = PrintBehindType(it);
  if (IsBlock(it.type)) {
    PrintType(out, it.type);
    out.Add((it.optional ? "?" : "") + behind);
  } else {
    const std::string type = TypeText(it);
    out.Add(behind.empty() ? type : Padded(type, columns.type) + behind);
  }
}

void PrintAttributes(LinePrinter& out, std::span<const Statement<Attribute>> attributes) {
  PrintInColumns(
      out, attributes, [](const Attribute& it) { return &it; }, [](const Attribute&) {});
}

void PrintMembers(LinePrinter& out, std::span<const Statement<EntityMember>> members) {
  const auto as_attribute = [](const EntityMember& it) { return std::get_if<Attribute>(&it); };
  PrintInColumns(out, members, as_attribute, [&](const EntityMember& it) {
    std::visit([&](const auto& member) { PrintStatement(out, member); }, it);
  });
}

}  // namespace trestle::design::syntax
