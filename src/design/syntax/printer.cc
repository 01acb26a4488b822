#include "design/syntax/printer.h"

#include <fmt/format.h>

#include "design/syntax/printer_internal.h"

namespace trestle::design::syntax {
namespace {

struct AssumptionPrinter {
  std::string operator()(const ItemLoad& it) const {
    std::string text = fmt::format("item {} {} bytes", it.entity.text, it.size_bytes);
    if (it.per) text += fmt::format(" {} per {}", it.per->count, it.per->attribute.text);
    return text;
  }
  std::string operator()(const AccessRate& it) const {
    return fmt::format("rate {} {} per_second", it.access.text, it.per_second.digits);
  }
  std::string operator()(const WriteRate& it) const {
    return fmt::format("rate {} {} {} per_second", WordOf(it.write), it.entity.text,
                       it.per_second.digits);
  }
};

struct DeclarationPrinter {
  LinePrinter& out;

  void operator()(const Tenant& it) const { out.Add("tenant " + it.attribute.text); }
  void operator()(const DesignParameter& it) const {
    out.Add(fmt::format("param {} = {}", it.name.text, Print(it.default_value)));
  }
  void operator()(const Group& it) const {
    out.Add(fmt::format("group {} = {}", it.name.text, PrintNames(it.entities)));
  }
  void operator()(const Load& it) const {
    out.Add("load");
    out.AddBlock(it.assumptions, [&](const auto& assumptions) {
      PrintStatements<LoadAssumption>(out, assumptions, [&](const LoadAssumption& assumption) {
        out.Add(std::visit(AssumptionPrinter{}, assumption));
      });
    });
  }
  template <typename Other>
  void operator()(const Other& it) const {
    PrintStatement(out, it);
  }
};

}  // namespace

std::string PrintDesign(const Design& design) {
  LinePrinter out;
  out.Begin(design.header);
  const Header& header = design.header.content;
  out.Add(fmt::format("design {} version {}", header.name.text, header.version));
  out.EndLine();
  PrintStatements<Declaration>(
      out, design.declarations.statements,
      [&](const Declaration& declaration) { std::visit(DeclarationPrinter{out}, declaration); });
  out.AppendComments(design.declarations.end_comments);
  return std::move(out).Take();
}

}  // namespace trestle::design::syntax
