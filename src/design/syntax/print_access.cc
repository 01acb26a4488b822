#include <algorithm>

#include <fmt/format.h>

#include "design/syntax/printer_internal.h"

namespace trestle::design::syntax {
namespace {

struct RangePrinter {
  std::string operator()(const SortKeyIs& it) const { return Print(it.key); }
  std::string operator()(const SortKeyBegins& it) const { return "begins " + Print(it.prefix); }
  std::string operator()(const SortKeyBefore& it) const {
    return "before " + Print(it.end) + Within(it.within);
  }
  std::string operator()(const SortKeyAfter& it) const {
    return "after " + Print(it.start) + Within(it.within);
  }
  std::string operator()(const SortKeyBetween& it) const {
    return fmt::format("between {} and {}", Print(it.first), Print(it.last));
  }
  std::string operator()(const SortKeyFrom& it) const {
    return fmt::format("from {} before {}", Print(it.first), Print(it.before));
  }

  static std::string Within(const std::optional<Template>& within) {
    return within ? " within " + Print(*within) : std::string();
  }
};

std::string PrintQuery(const Query& it) {
  std::string text =
      fmt::format("query {} pk {}", it.index ? it.index->text : "table", Print(it.partition_key));
  if (it.sort_key) text += " sk " + std::visit(RangePrinter{}, *it.sort_key);
  if (!it.only.empty()) text += " only " + PrintNames(it.only);
  text += PrintOptional("filter", it.filter);
  if (it.merge) text += " merge " + it.merge->text;
  if (it.order) text += fmt::format(" order {}", WordOf(*it.order));
  if (it.sort) text += " sort " + Print(*it.sort);
  if (it.limit) text += fmt::format(" limit {}", *it.limit);
  if (it.hydrate) text += " hydrate";
  if (it.consistent) text += " consistent";
  if (it.match) {
    text += fmt::format(" match fuzzy {} {}", Print(it.match->attribute), it.match->parameter.text);
  }
  return text;
}

struct ActionPrinter {
  std::string operator()(const GetItem& it) const {
    return it.consistent ? "get consistent" : "get";
  }
  std::string operator()(const CreateItem&) const { return "create"; }
  std::string operator()(const UpdateItem&) const { return "update"; }
  std::string operator()(const DeleteItem&) const { return "delete"; }
  std::string operator()(const Query& it) const { return PrintQuery(it); }
};

// A signature and what is behind its "=": where a long line is broken first, and no more behind.
template <typename Pattern>
std::string PrintPattern(const Pattern& it, std::string action) {
  std::ranges::replace(action, kBreak, ' ');
  const auto print_result = [](const AccessResult& result) {
    return result.name.text + (result.many ? "*" : "");
  };
  return fmt::format("{}{} -> {} ={}{}", it.name.text, PrintParameters(it.parameters),
                     PrintList(it.results, print_result), kFirstBreak, action);
}

}  // namespace

std::string PrintParameters(std::span<const Parameter> parameters) {
  const auto print = [](const Parameter& it) {
    if (!it.type) return it.name.text;
    LinePrinter type;
    PrintType(type, *it.type);
    return it.name.text + ": " + type.line();
  };
  return "(" + PrintList(parameters, print) + ")";
}

void PrintStatement(LinePrinter& out, const Access& it) {
  std::string action = std::visit(ActionPrinter{}, it.action);
  if (it.tenant) action += " tenant " + it.tenant->text;
  out.Add("access " + PrintPattern(it, action));
}

void PrintStatement(LinePrinter& out, const ExternalAccess& it) {
  out.Add("external access " + PrintPattern(it, Print(it.by)));
}

}  // namespace trestle::design::syntax
