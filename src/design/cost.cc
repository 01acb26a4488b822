#include "design/cost.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/checks/checks_internal.h"
#include "design/checks/key_space.h"
#include "design/syntax/template_text.h"

namespace trestle::design {
namespace {

constexpr std::int64_t kReadUnitBytes = 4096;
constexpr std::int64_t kItemsGuess = 20;  // that a query finds
constexpr std::int64_t kTextGuessBytes = 40;
constexpr std::int64_t kElementsGuess = 3;
constexpr int kParentsMax = 16;

// Numbers of a design are as large as somebody writes them.
constexpr std::int64_t kGuessMax = 1'000'000'000;
constexpr std::int64_t kAmountMax = 1'000'000'000'000'000;

std::int64_t Multiply(std::int64_t left, std::int64_t right) {
  return left > 0 && right > kAmountMax / left ? kAmountMax : left * right;
}

std::int64_t GuessBytes(const ValueType& type);

std::int64_t GuessUnbounded(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kString:
    case TypeKind::kUrl:
    case TypeKind::kAny:
    case TypeKind::kBinary: {
      const std::int64_t least = IntegerOf(type.min).value_or(0);
      const std::int64_t most = IntegerOf(type.max).value_or(kTextGuessBytes);
      return std::max(least, std::min(most, std::max(kTextGuessBytes, most / 10)));
    }
    case TypeKind::kId:
      return 36;
    case TypeKind::kEmail:
      return 25;
    case TypeKind::kList:
    case TypeKind::kSet:
      return kElementsGuess * (GuessBytes(type.element.front()) + 1);
    case TypeKind::kMap: {
      std::int64_t sum = 0;
      for (const Attribute& member : type.members)
        sum += static_cast<std::int64_t>(member.name.size()) + GuessBytes(member.type) + 1;
      return sum;
    }
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return 4;
    default:
      return TextBytesMax(type).value_or(kTextGuessBytes);
  }
}

std::int64_t GuessBytes(const ValueType& type) {
  return std::clamp<std::int64_t>(GuessUnbounded(type), 0, kGuessMax);
}

const syntax::ItemLoad* LoadOf(const Model& model, const KindReference& kind) {
  for (const auto& statement : model.load) {
    const auto* load = std::get_if<syntax::ItemLoad>(&statement.content);
    if (load != nullptr && load->entity.text == kind.kind().name) return load;
  }
  return nullptr;
}

std::int64_t KeyBytes(const Entity& entity, const KeyForm& key) {
  std::int64_t sum = 0;
  const auto add = [&](const KeyTemplate& key_template) {
    for (const auto& part : key_template.parts()) {
      if (const auto* text = std::get_if<std::string>(&part)) {
        sum += static_cast<std::int64_t>(text->size());
      } else {
        sum += GuessBytes(*TypeOf(entity, std::get<syntax::Placeholder>(part).path));
      }
    }
  };
  add(key.partition_key);
  if (key.sort_key) add(*key.sort_key);
  return sum;
}

Amount AmountAt(const Model& model, const KindReference& kind,
                const std::vector<std::string>& bound, int depth) {
  const Entity& entity = kind.of();
  const syntax::ItemLoad* load = LoadOf(model, kind);
  if (load == nullptr && kind.mirror != nullptr) load = LoadOf(model, {.entity = &entity});
  if (load == nullptr || !load->per) return {.count = kItemsGuess};
  const std::string& per = load->per->attribute.text;
  if (std::ranges::find(bound, per) != bound.end() || depth == 0)
    return {.count = load->per->count, .is_declared = true};
  // So many for each of a parent, of which there are so many.
  for (const Relation& relation : entity.relations) {
    const bool is_linked = std::ranges::any_of(
        relation.links, [&](const Link& link) { return link.attribute == per; });
    if (!is_linked || relation.parents.empty()) continue;
    const Entity* parent = relation.parents.front();
    if (parent == &entity) continue;
    const Amount parents = AmountAt(model, {.entity = parent}, bound, depth - 1);
    if (parents.is_declared)
      return {.count = Multiply(parents.count, load->per->count), .is_declared = true};
  }
  return {.count = load->per->count, .is_declared = true};
}

}  // namespace

std::int64_t ItemBytes(const Model& model, const KindReference& kind) {
  if (const syntax::ItemLoad* load = LoadOf(model, kind)) return load->size_bytes;
  const Entity& entity = kind.of();
  std::int64_t sum = kind.kind().keys.empty() ? 0 : KeyBytes(entity, kind.kind().keys.front());
  sum += static_cast<std::int64_t>(model.table.partition_key.size() + model.table.sort_key.size());
  for (const Attribute& attribute : entity.attributes) {
    const bool is_included =
        kind.mirror == nullptr
            ? !attribute.is_key_only
            : std::ranges::find(kind.mirror->include, attribute.name) != kind.mirror->include.end();
    if (is_included)
      sum += static_cast<std::int64_t>(attribute.name.size()) + GuessBytes(attribute.type);
  }
  return sum;
}

Amount AmountFor(const Model& model, const KindReference& kind,
                 const std::vector<std::string>& bound) {
  return AmountAt(model, kind, bound, kParentsMax);
}

QueryCost CostOf(const Model& model, const Access& access, const Query& query) {
  const ReadRange range = RangeOf(model, access, query);
  std::vector<std::string> bound = query.partition_key.Attributes();
  if (query.sort_key.kind != SortKeyRange::Kind::kAll)
    std::ranges::copy(query.sort_key.first.Attributes(), std::back_inserter(bound));
  QueryCost cost;
  std::vector<KindReference> seen;
  const auto& wanted = query.only.empty() ? access.results : query.only;
  for (const StoredForm& form : StoredForms(model)) {
    if (form.index != query.index || std::ranges::find(seen, form.kind) != seen.end() ||
        !range.CanRead(form)) {
      continue;
    }
    seen.push_back(form.kind);
    const std::int64_t each = ItemBytes(model, form.kind);
    Amount amount = AmountFor(model, form.kind, bound);
    if (!access.is_many) amount.count = 1;
    if (query.limit) amount.count = std::min(amount.count, *query.limit);
    const std::int64_t bytes = Multiply(amount.count, each);
    cost.bytes = std::min(cost.bytes + bytes, kAmountMax);
    if (std::ranges::find(wanted, form.kind) == wanted.end())
      cost.wasted_bytes = std::min(cost.wasted_bytes + bytes, kAmountMax);
    cost.assumption += fmt::format("{}{} x {} B", cost.assumption.empty() ? "" : ", ",
                                   Thousands(amount.count), Thousands(each));
  }
  const std::int64_t units = (cost.bytes + kReadUnitBytes - 1) / kReadUnitBytes;
  cost.read_units =
      static_cast<double>(std::max<std::int64_t>(units, 1)) * (query.is_consistent ? 1.0 : 0.5);
  cost.pages = cost.bytes / static_cast<std::int64_t>(kPageBytesMax) + 1;
  return cost;
}

}  // namespace trestle::design
