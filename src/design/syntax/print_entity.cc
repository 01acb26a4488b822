#include <fmt/format.h>

#include "design/syntax/printer_internal.h"

namespace trestle::design::syntax {
namespace {

template <typename Entry>
std::string PrintKeys(const Entry& it) {
  std::string text = "pk " + Print(it.partition_key);
  if (it.sort_key) text += " sk " + Print(*it.sort_key);
  return text + PrintOptional("when", it.when);
}

struct RulePrinter {
  std::string operator()(const MustExist&) const { return "must_exist"; }
  std::string operator()(const CopyRule& it) const {
    return fmt::format("copy {} = {}", Print(it.to), Print(it.from));
  }
  std::string operator()(const CountRule& it) const {
    return "count into " + Print(it.into) + PrintOptional("when", it.when);
  }
  std::string operator()(const SumRule& it) const { return PrintAggregate("sum", it); }
  std::string operator()(const AverageRule& it) const { return PrintAggregate("average", it); }
  std::string operator()(const OnDeleteRule& it) const {
    return fmt::format("on_delete {}", WordOf(it.action));
  }
  std::string operator()(const DetachRule& it) const {
    return fmt::format("on_delete detach ({})", PrintNames(it.attributes));
  }
  std::string operator()(const OnRekeyMove&) const { return "on_rekey move"; }
  std::string operator()(const ThroughRule& it) const {
    return "through " + it.access.text + (it.filter ? " filter " + Print(*it.filter) : "");
  }

  template <typename Rule>
  static std::string PrintAggregate(std::string_view word, const Rule& it) {
    return fmt::format("{} {} into {}{}", word, Print(it.attribute), Print(it.into),
                       PrintOptional("when", it.when));
  }
};

std::string PrintLink(const Link& link) {
  if (!link.parent_attribute) return link.attribute.text;
  return fmt::format("{} -> {}", link.attribute.text, link.parent_attribute->text);
}

struct MirrorMemberPrinter {
  LinePrinter& out;
  void operator()(const Include& it) const { out.Add("include " + PrintNames(it.attributes)); }
  template <typename Member>
  void operator()(const Member& it) const {
    PrintStatement(out, it);
  }
};

void AddMembers(LinePrinter& out, const Block<EntityMember>& block) {
  out.AddBlock(block, [&](const auto& members) { PrintMembers(out, members); });
}

}  // namespace

void PrintStatement(LinePrinter& out, const TypeTag& it) { out.Add("type " + Print(it.tag)); }

void PrintStatement(LinePrinter& out, const KeyEntry& it) { out.Add("key " + PrintKeys(it)); }

void PrintStatement(LinePrinter& out, const IndexEntry& it) {
  out.Add(fmt::format("index {} {}", it.index.text, PrintKeys(it)));
  if (it.shards) out.Add(fmt::format(" shards {}", *it.shards));
}

void PrintStatement(LinePrinter& out, const DirectIndexEntry& it) {
  out.Add(fmt::format("index {} direct", it.index.text));
}

void PrintStatement(LinePrinter& out, const Identity& it) {
  out.Add(fmt::format("identity ({})", PrintNames(it.attributes)));
  if (it.via) out.Add(" via " + it.via->text);
}

void PrintStatement(LinePrinter& out, const RekeyOn& it) {
  out.Add(fmt::format("rekey on ({})", PrintNames(it.attributes)));
}

void PrintStatement(LinePrinter& out, const Unique& it) {
  out.Add(fmt::format("unique {} ({})", it.name.text, PrintNames(it.attributes)));
}

void PrintStatement(LinePrinter& out, const Attribute& it) {
  PrintAttribute(out, it, Widen({}, it));
}

void PrintStatement(LinePrinter& out, const BelongsTo& it) {
  out.Add(fmt::format("belongs_to {} by ({})", it.parent.text, PrintList(it.links, PrintLink)));
  if (it.optional) out.Add(" optional");
  out.Add(PrintOptional("when", it.when));
  out.AddBlock(it.rules, [&](const auto& rules) {
    PrintStatements<RelationRule>(
        out, rules, [&](const RelationRule& rule) { out.Add(std::visit(RulePrinter{}, rule)); });
  });
}

void PrintStatement(LinePrinter& out, const Entity& it) {
  out.Add("entity " + it.name.text);
  if (!it.shapes.empty()) out.Add(" uses " + PrintNames(it.shapes));
  if (it.append_only) out.Add(" append_only");
  AddMembers(out, it.members);
}

void PrintStatement(LinePrinter& out, const Shape& it) {
  out.Add("shape " + it.name.text);
  AddMembers(out, it.members);
}

void PrintStatement(LinePrinter& out, const Mirror& it) {
  out.Add(fmt::format("mirror {} of {}", it.name.text, it.entity.text));
  out.Add(PrintOptional("when", it.when));
  out.AddBlock(it.members, [&](const auto& members) {
    PrintStatements<MirrorMember>(out, members, [&](const MirrorMember& member) {
      std::visit(MirrorMemberPrinter{out}, member);
    });
  });
}

}  // namespace trestle::design::syntax
