#include <fmt/format.h>

#include "design/syntax/printer_internal.h"

namespace trestle::design::syntax {
namespace {

struct ChangePrinter {
  std::string operator()(const Assign& it) const {
    return Print(it.attribute) + (it.value ? " = " + Print(*it.value) : "");
  }
  std::string operator()(const Remove& it) const { return "remove " + Print(it.attribute); }
  std::string operator()(const Append& it) const {
    return fmt::format("append {} {}", Print(it.attribute), Print(it.value));
  }
  std::string operator()(const Drop& it) const {
    return fmt::format("drop {} {}", Print(it.attribute), Print(it.value));
  }
};

template <typename Elements, typename PrintElement>
std::string PrintBraced(const Elements& elements, PrintElement print) {
  return elements.empty() ? "{ }" : "{ " + PrintList(elements, print) + " }";
}

std::string PrintChanges(std::span<const Change> changes) {
  return PrintBraced(changes, [](const Change& it) { return std::visit(ChangePrinter{}, it); });
}

std::string PrintItem(const ItemReference& it) {
  const auto print = [](const Value& value) { return Print(value); };
  return fmt::format("{}({})", it.entity.text, PrintList(it.arguments, print));
}

struct StepPrinter {
  std::string operator()(const CreateStep& it) const { return PrintCreate("create", it); }
  std::string operator()(const UpsertStep& it) const { return PrintCreate("upsert", it); }
  std::string operator()(const UpdateStep& it) const {
    return fmt::format("update {} {}{}", PrintItem(it.item), PrintChanges(it.changes),
                       PrintOptional("where", it.where));
  }
  std::string operator()(const DeleteStep& it) const {
    return fmt::format("delete {}{}", PrintItem(it.item), PrintOptional("where", it.where));
  }
  std::string operator()(const IncrementStep& it) const {
    return fmt::format("increment {} {} by {}{}", PrintItem(it.item), Print(it.attribute),
                       Print(it.by), PrintOptional("where", it.where));
  }
  std::string operator()(const CheckStep& it) const {
    return fmt::format("check {} where {}", PrintItem(it.item), Print(it.where));
  }
  std::string operator()(const EachUpdateStep& it) const {
    return fmt::format("each {} {}{}", PrintItem(it.access), PrintChanges(it.changes),
                       PrintOptional("where", it.where));
  }
  std::string operator()(const EachDeleteStep& it) const {
    return fmt::format("each {} delete{}", PrintItem(it.access), PrintOptional("where", it.where));
  }

  template <typename Step>
  static std::string PrintCreate(std::string_view word, const Step& it) {
    return fmt::format("{} {} {}{}", word, it.entity.text,
                       PrintBraced(it.attributes, ChangePrinter{}),
                       PrintOptional("where", it.where));
  }
};

}  // namespace

void PrintStatement(LinePrinter& out, const Operation& it) {
  out.Add(fmt::format("operation {}{}", it.name.text, PrintParameters(it.parameters)));
  if (it.eventual) out.Add(" eventual");
  out.AddBlock(it.steps, [&](const auto& steps) {
    PrintStatements<OperationStep>(
        out, steps, [&](const OperationStep& step) { out.Add(std::visit(StepPrinter{}, step)); });
  });
}

}  // namespace trestle::design::syntax
