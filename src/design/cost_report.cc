#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "design/checks/checks_internal.h"
#include "design/cost.h"
#include "design/syntax/template_text.h"

// The report of cost.h.

namespace trestle::design {
namespace {

constexpr std::int64_t kReadUnitBytes = 4096;
constexpr std::int64_t kWriteUnitBytes = 1024;

enum class Write : std::uint8_t { kCreate, kUpdate, kDelete };

double Units(std::int64_t bytes, std::int64_t unit_bytes) {
  return static_cast<double>(std::max<std::int64_t>((bytes + unit_bytes - 1) / unit_bytes, 1));
}

// What one write of one item brings with it.
struct WriteCost {
  double item_units = 0;   // of items of the table
  double index_units = 0;  // of entries of indexes, which cost the same in a transaction
  int items = 0;
  int entries = 0;

  void Add(const WriteCost& other) {
    item_units += other.item_units;
    index_units += other.index_units;
    items += other.items;
    entries += other.entries;
  }
  // Several items are written in one transaction, which costs them twice.
  [[nodiscard]] double Total(bool is_transaction) const {
    return item_units * (is_transaction && items > 1 ? 2 : 1) + index_units;
  }
};

// Whether every update moves the entry: a removal and a write.
bool MovesOnUpdate(const Entity& entity, const KeyForm& key) {
  const auto changes = [&](const KeyTemplate& key_template) {
    return std::ranges::any_of(key_template.Attributes(), [&](const std::string& name) {
      const Attribute* attribute = entity.FindAttribute(name);
      return attribute != nullptr && attribute->on_update;
    });
  };
  return changes(key.partition_key) || (key.sort_key && changes(*key.sort_key));
}

// An item itself, with its entries in indexes.
WriteCost KindCost(const Model& model, const KindReference& kind, Write write) {
  const std::int64_t bytes = ItemBytes(model, kind);
  WriteCost cost{.item_units = Units(bytes, kWriteUnitBytes), .index_units = 0, .items = 1};
  std::vector<const Index*> seen;
  for (const IndexForm& form : kind.kind().indexes) {
    if (std::ranges::find(seen, form.index) != seen.end()) continue;
    seen.push_back(form.index);
    const bool is_all = std::holds_alternative<syntax::ProjectAll>(form.index->projection);
    const bool is_moved = write == Write::kUpdate && MovesOnUpdate(kind.of(), form.key);
    cost.index_units += (is_all ? cost.item_units : 1) * (is_moved ? 2 : 1);
    ++cost.entries;
  }
  return cost;
}

WriteCost EntityCost(const Model& model, const Entity& entity, Write write) {
  WriteCost cost = KindCost(model, {.entity = &entity}, write);
  for (const Mirror* mirror : entity.mirrors) {
    if (write != Write::kUpdate || !mirror->include.empty())
      cost.Add(KindCost(model, {.mirror = mirror}, write));
  }
  if (write == Write::kUpdate)
    return cost;  // counts and unique names are taken to stay as they are
  for (std::size_t i = 0; i < entity.uniques.size(); ++i)
    cost.Add({.item_units = 1, .index_units = 0, .items = 1});
  for (const Relation& relation : entity.relations) {
    const bool writes_parent = !relation.tallies.empty();
    const bool checks_parent = relation.must_exist && write == Write::kCreate;
    if (writes_parent) {
      cost.Add(KindCost(model, {.entity = relation.parents.front()}, Write::kUpdate));
    } else if (checks_parent) {
      const std::int64_t bytes = ItemBytes(model, {.entity = relation.parents.front()});
      cost.Add({.item_units = Units(bytes, kWriteUnitBytes), .index_units = 0, .items = 1});
    }
  }
  return cost;
}

std::string Assumption(const Model& model, const Entity& entity, const WriteCost& cost) {
  std::string text = fmt::format("{} B", Thousands(ItemBytes(model, {.entity = &entity})));
  if (cost.items > 1) text += fmt::format(", {} items in one transaction", cost.items);
  if (cost.entries > 0)
    text += fmt::format(", {} index entr{}", cost.entries, cost.entries == 1 ? "y" : "ies");
  return text;
}

CostLine WriteLine(const Model& model, std::string what, const Entity& entity, Write write) {
  const WriteCost cost = EntityCost(model, entity, write);
  return {.what = std::move(what),
          .assumption = Assumption(model, entity, cost),
          .read_units = 0,
          .write_units = cost.Total(true),
          .remark = ""};
}

std::string RateRemark(const Model& model, const Access& access, double units) {
  for (const auto& statement : model.load) {
    const auto* rate = std::get_if<syntax::AccessRate>(&statement.content);
    if (rate == nullptr || rate->access.text != access.name) continue;
    return fmt::format("{} a second: {} units", rate->per_second.digits,
                       Thousands(PerSecond(rate->per_second) * units));
  }
  return {};
}

void AddRemark(std::string& remarks, std::string_view remark) {
  if (remark.empty()) return;
  if (!remarks.empty()) remarks += "; ";
  remarks += remark;
}

CostLine QueryLine(const Model& model, const Access& access, const Query& query) {
  const QueryCost cost = CostOf(model, access, query);
  CostLine line{.what = "access " + access.name,
                .assumption = cost.assumption,
                .read_units = cost.read_units,
                .write_units = 0,
                .remark = RateRemark(model, access, cost.read_units)};
  if (query.hydrate) {
    const auto whole_units = cost.bytes / kReadUnitBytes;
    line.read_units += static_cast<double>(whole_units) / 2 + 0.5;
  }
  if (cost.pages > 1) AddRemark(line.remark, fmt::format("{} pages", cost.pages));
  if (cost.wasted_bytes > 0) {
    AddRemark(line.remark,
              fmt::format("{} % of it is thrown away",
                          cost.wasted_bytes * 100 / std::max<std::int64_t>(cost.bytes, 1)));
  }
  return line;
}

struct AccessLine {
  const Model& model;
  const Access& access;

  CostLine operator()(const Get& get) const {
    const std::int64_t bytes = ItemBytes(model, access.results.front());
    const double units = Units(bytes, kReadUnitBytes) * (get.is_consistent ? 1.0 : 0.5);
    return {.what = Name(),
            .assumption = fmt::format("1 x {} B", Thousands(bytes)),
            .read_units = units,
            .write_units = 0,
            .remark = RateRemark(model, access, units)};
  }
  CostLine operator()(const Query& query) const { return QueryLine(model, access, query); }
  CostLine operator()(const Create&) const { return WriteOf(Write::kCreate); }
  CostLine operator()(const Update&) const { return WriteOf(Write::kUpdate); }
  CostLine operator()(const Delete&) const { return WriteOf(Write::kDelete); }
  CostLine operator()(const External& external) const {
    return {.what = Name(),
            .assumption = external.by,
            .read_units = 0,
            .write_units = 0,
            .remark = "not of this table"};
  }

 private:
  [[nodiscard]] std::string Name() const { return "access " + access.name; }
  [[nodiscard]] CostLine WriteOf(Write write) const {
    return WriteLine(model, Name(), access.results.front().of(), write);
  }
};

Write WriteOf(const syntax::OperationStep& step) {
  if (std::holds_alternative<syntax::CreateStep>(step) ||
      std::holds_alternative<syntax::UpsertStep>(step)) {
    return Write::kCreate;
  }
  const bool is_delete = std::holds_alternative<syntax::DeleteStep>(step) ||
                         std::holds_alternative<syntax::EachDeleteStep>(step);
  return is_delete ? Write::kDelete : Write::kUpdate;
}

CostLine OperationLine(const Model& model, const Operation& operation) {
  WriteCost cost;
  double read_units = 0;
  for (const Step& step : operation.steps) {
    if (step.access == nullptr) {
      cost.Add(EntityCost(model, *step.entities.front(), WriteOf(step.is)));
      continue;
    }
    const auto* query = std::get_if<Query>(&step.access->action);
    if (query == nullptr) continue;
    read_units += CostOf(model, *step.access, *query).read_units;
    const KindReference& kind = step.access->results.front();
    const std::int64_t count = AmountFor(model, kind, query->partition_key.Attributes()).count;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 1000); ++i)
      cost.Add(EntityCost(model, kind.of(), WriteOf(step.is)));
  }
  return {.what = "operation " + operation.name,
          .assumption = fmt::format(
              "{} item{}, {} index entr{}{}", cost.items, cost.items == 1 ? "" : "s", cost.entries,
              cost.entries == 1 ? "y" : "ies", operation.is_eventual ? ", one by one" : ""),
          .read_units = read_units,
          .write_units = cost.Total(!operation.is_eventual),
          .remark = ""};
}

// What follows when a parent changes or goes.
void AddRuleLines(const Model& model, const Relation& relation, std::vector<CostLine>& out) {
  const auto* query =
      relation.through == nullptr ? nullptr : std::get_if<Query>(&relation.through->action);
  if (query == nullptr) return;
  const QueryCost found = CostOf(model, *relation.through, *query);
  const Entity& child = *relation.child;
  std::vector<std::string> bound;
  bound.reserve(relation.links.size());
  for (const Link& link : relation.links)
    bound.push_back(link.attribute);
  const Amount amount = AmountFor(model, {.entity = &child}, bound);
  const auto add = [&](std::string what, Write write) {
    const WriteCost each = write == Write::kUpdate ? KindCost(model, {.entity = &child}, write)
                                                   : EntityCost(model, child, write);
    out.push_back({.what = std::move(what),
                   .assumption = fmt::format("{} of {}", Thousands(amount.count), child.name),
                   .read_units = found.read_units,
                   .write_units = static_cast<double>(amount.count) * each.Total(false),
                   .remark = amount.is_declared ? "" : "a guess: no load says how many"});
  };
  const std::string& parent = relation.parents.front()->name;
  for (const Copy& copy : relation.copies) {
    add(fmt::format("copy {}.{}", child.name, syntax::PathText(copy.to)), Write::kUpdate);
  }
  if (relation.on_delete == DeleteRule::kCascade)
    add(fmt::format("cascade {} to {}", parent, child.name), Write::kDelete);
  if (relation.on_delete == DeleteRule::kDetach)
    add(fmt::format("detach {} from {}", child.name, parent), Write::kUpdate);
}

std::string UnitsText(double units) {
  if (units == 0) return "-";
  return units == std::floor(units) ? Thousands(units) : fmt::format("{:.1f}", units);
}

}  // namespace

std::vector<CostLine> Costs(const Model& model) {
  std::vector<CostLine> lines;
  lines.reserve(model.accesses.size());
  for (const Access& access : model.accesses)
    lines.push_back(std::visit(AccessLine{model, access}, access.action));
  for (const Entity& entity : model.entities) {
    lines.push_back(WriteLine(model, "create " + entity.name, entity, Write::kCreate));
    if (!entity.is_append_only)
      lines.push_back(WriteLine(model, "update " + entity.name, entity, Write::kUpdate));
    lines.push_back(WriteLine(model, "delete " + entity.name, entity, Write::kDelete));
  }
  for (const Operation& operation : model.operations)
    lines.push_back(OperationLine(model, operation));
  for (const Entity& entity : model.entities) {
    for (const Relation& relation : entity.relations)
      AddRuleLines(model, relation, lines);
  }
  return lines;
}

std::string PrintCosts(const std::vector<CostLine>& lines) {
  std::size_t what_width = 7;
  std::size_t assumption_width = 10;
  for (const CostLine& line : lines) {
    what_width = std::max(what_width, line.what.size());
    assumption_width = std::max(assumption_width, line.assumption.size());
  }
  std::string out;
  const auto add = [&](std::string_view what, std::string_view read, std::string_view write,
                       std::string_view assumption, std::string_view remark) {
    std::string row = fmt::format("{:<{}}  {:>8}  {:>8}  {:<{}}  {}", what, what_width, read, write,
                                  assumption, assumption_width, remark);
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  };
  add("pattern", "read", "write", "assumption", "remark");
  for (const CostLine& line : lines) {
    add(line.what, UnitsText(line.read_units), UnitsText(line.write_units), line.assumption,
        line.remark);
  }
  return out;
}

}  // namespace trestle::design
