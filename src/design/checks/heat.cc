#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/checks/checks_internal.h"
#include "design/cost.h"
#include "design/syntax/template_text.h"

// H1 to H7: what gets hot, and what gets large.

namespace trestle::design {
namespace {

using syntax::PathText;
using syntax::Placeholder;

constexpr double kPartitionReadsMax = 3000;   // units a second
constexpr double kPartitionWritesMax = 1000;  // units a second
constexpr std::int64_t kLargeAttributeBytes = 32 * 1024;
constexpr std::int64_t kWriteUnitBytes = 1024;

// Writes a second that the design expects of an entity.
double WritesOf(const Model& model, const Entity& entity) {
  double sum = 0;
  for (const auto& statement : model.load) {
    const auto* rate = std::get_if<syntax::WriteRate>(&statement.content);
    if (rate != nullptr && rate->entity.text == entity.name) sum += PerSecond(rate->per_second);
  }
  return sum;
}

void CheckPartition(const Checking& in, const StoredForm& form) {
  const std::int64_t shards = form.index_form == nullptr ? 0 : form.index_form->shards;
  if (!HasFewValues(form, form.key->partition_key)) return;
  const double writes = WritesOf(in.model, *form.entity);
  const std::int64_t units =
      (ItemBytes(in.model, form.kind) + kWriteUnitBytes - 1) / kWriteUnitBytes;
  const double per_key =
      writes * static_cast<double>(units) / static_cast<double>(std::max<std::int64_t>(shards, 1));
  if (per_key > kPartitionWritesMax) {
    AddError(in.diagnostics, "H2", form.key->partition_key.position(),
             fmt::format("{:.0f} write units a second go to one key, and a key takes {:.0f}",
                         per_key, kPartitionWritesMax),
             fmt::format("shards {:.0f}", per_key / kPartitionWritesMax * 2 + 1));
  }
  if (shards > 1) return;
  AddWarning(in.diagnostics, "H1", form.key->partition_key.position(),
             fmt::format("every {} is in one of few partitions of {}", form.kind.kind().name,
                         SpaceName(form.index)),
             form.index == nullptr ? "a partition key with an id in it" : "shards 8");
}

bool BindsFewValues(const Access& access, const Query& query) {
  return std::ranges::all_of(query.partition_key.parts(), [&](const auto& part) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (placeholder == nullptr) return true;
    const ValueType* type = TypeOf(access, query, placeholder->path);
    return type != nullptr && (type->kind == TypeKind::kEnum || type->kind == TypeKind::kBool);
  });
}

void CheckReadRates(const Checking& in) {
  for (const auto& statement : in.model.load) {
    const auto* rate = std::get_if<syntax::AccessRate>(&statement.content);
    if (rate == nullptr) continue;
    const Access* access = in.model.FindAccess(rate->access.text);
    const auto* query = access == nullptr ? nullptr : std::get_if<Query>(&access->action);
    if (query == nullptr || !BindsFewValues(*access, *query)) continue;
    const double units = CostOf(in.model, *access, *query).read_units * PerSecond(rate->per_second);
    if (units <= kPartitionReadsMax) continue;
    AddError(in.diagnostics, "H2", rate->access.position,
             fmt::format("`{}` reads {} units a second of one key, and a key gives {:.0f}",
                         access->name, Thousands(units), kPartitionReadsMax),
             "shards in the index, or a cache");
  }
}

void CheckItemSize(const Checking& in, const Entity& entity) {
  const auto limit = static_cast<std::int64_t>(kItemSizeBytesMax);
  std::int64_t sum = 0;
  std::pair<std::int64_t, const Attribute*> largest = {0, nullptr};
  for (const Attribute& attribute : entity.attributes) {
    const auto bytes = attribute.is_key_only ? 0 : ItemBytesMax(attribute.type);
    if (!bytes) continue;  // nobody knows
    sum += *bytes + static_cast<std::int64_t>(attribute.name.size());
    if (*bytes > largest.first) largest = {*bytes, &attribute};
  }
  if (sum > limit && largest.second != nullptr) {
    AddWarning(in.diagnostics, "H3", largest.second->position,
               fmt::format("a {} can be {} bytes large, and an item has at most {}", entity.name,
                           Thousands(sum), Thousands(limit)),
               fmt::format("a smaller limit for `{}`, or parts of it as items of their own",
                           largest.second->name));
  }
  for (const auto& statement : in.model.load) {
    const auto* load = std::get_if<syntax::ItemLoad>(&statement.content);
    if (load == nullptr || load->entity.text != entity.name || load->size_bytes <= limit) continue;
    AddError(in.diagnostics, "H3", load->entity.position,
             fmt::format("a {} of {} bytes does not fit: an item has at most {}", entity.name,
                         Thousands(load->size_bytes), Thousands(limit)),
             "parts of it as items of their own");
  }
}

// An item collection of a table with local indexes stays below 10 GB.
void CheckCollections(const Checking& in) {
  const auto local =
      std::ranges::find_if(in.model.table.indexes, [](const Index& it) { return it.is_local; });
  if (local == in.model.table.indexes.end()) return;
  for (const StoredForm& form : in.forms) {
    if (form.index != nullptr) continue;
    const Amount amount = AmountFor(in.model, form.kind, form.key->partition_key.Attributes());
    const double bytes =
        static_cast<double>(amount.count) * static_cast<double>(ItemBytes(in.model, form.kind));
    if (!amount.is_declared || bytes <= static_cast<double>(kItemCollectionBytesMax)) continue;
    AddError(in.diagnostics, "H4", local->position,
             fmt::format("{} of {} in one partition are more than the 10 GB that a table with a "
                         "local index holds there",
                         Thousands(amount.count), form.kind.kind().name),
             "a global index");
  }
}

void CheckIndexed(const Checking& in, const StoredForm& form) {
  if (form.index == nullptr || form.kind.entity == nullptr) return;
  if (std::holds_alternative<syntax::ProjectAll>(form.index->projection)) {
    for (const Attribute& attribute : form.entity->attributes) {
      const auto bytes = ItemBytesMax(attribute.type);
      if (!bytes || *bytes < kLargeAttributeBytes || attribute.is_key_only) continue;
      AddWarning(in.diagnostics, "H5", attribute.position,
                 fmt::format("`{}` can be {} bytes large, and {} holds it a second time",
                             attribute.name, Thousands(*bytes), form.index->name),
                 fmt::format("index {} (...) project include (...)", form.index->name));
    }
  }
  ForEachTemplate(form, [&](const KeyTemplate& key_template, bool) {
    for (const auto& part : key_template.parts()) {
      const auto* placeholder = std::get_if<Placeholder>(&part);
      const Attribute* attribute =
          placeholder == nullptr ? nullptr : form.entity->FindAttribute(placeholder->path);
      if (attribute == nullptr || !attribute->on_update) continue;
      AddWarning(in.diagnostics, "H6", placeholder->path.position,
                 fmt::format("every update changes `{}`, so it removes and writes an entry of {}",
                             PathText(placeholder->path), form.index->name),
                 "a time that changes less often");
    }
  });
}

// All children write the same parent when there are few parents.
void CheckCounters(const Checking& in, const Relation& relation) {
  if (relation.tallies.empty()) return;
  const double writes = WritesOf(in.model, *relation.child);
  for (const StoredForm& form : in.forms) {
    const bool is_parent =
        form.index == nullptr && form.kind.entity != nullptr &&
        std::ranges::find(relation.parents, form.kind.entity) != relation.parents.end();
    if (!is_parent) continue;
    const bool is_single = HasFewValues(form, form.key->partition_key) &&
                           (!form.key->sort_key || HasFewValues(form, *form.key->sort_key));
    if (!is_single && writes <= kPartitionWritesMax) continue;
    AddWarning(in.diagnostics, "H7", relation.tallies.front().position,
               fmt::format("every {} writes the same {}, and one item takes {:.0f} writes a second",
                           relation.child->name, form.entity->name, kPartitionWritesMax),
               "a parent per day or per shard, summed when read");
    return;
  }
}

}  // namespace

bool HasFewValues(const StoredForm& form, const KeyTemplate& key_template) {
  return std::ranges::all_of(key_template.parts(), [&](const auto& part) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (placeholder == nullptr) return true;
    const Attribute* attribute = form.entity->FindAttribute(placeholder->path);
    if (attribute == nullptr || attribute->const_value) return true;  // or the discriminator
    if (attribute->computed) return HasFewValues(form, *attribute->computed);
    return attribute->type.kind == TypeKind::kEnum || attribute->type.kind == TypeKind::kBool;
  });
}

void CheckHeat(const Checking& in) {
  for (const StoredForm& form : in.forms) {
    CheckPartition(in, form);
    CheckIndexed(in, form);
  }
  for (const Entity& entity : in.model.entities) {
    CheckItemSize(in, entity);
    for (const Relation& relation : entity.relations)
      CheckCounters(in, relation);
  }
  CheckReadRates(in);
  CheckCollections(in);
}

}  // namespace trestle::design
