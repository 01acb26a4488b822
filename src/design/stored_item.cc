#include "design/stored_item.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "design/condition.h"
#include "design/job.h"
#include "design/values.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

// The forms' first one whose condition holds; null when none does.
template <typename Forms, typename KeyFormOf>
const auto* FirstThatHolds(const Forms& forms, const Record& record,
                           const std::vector<Attribute>& attributes, KeyFormOf key_form_of) {
  const auto found = std::ranges::find_if(
      forms, [&](const auto& it) { return Holds(key_form_of(it).when, record, attributes); });
  return found == forms.end() ? nullptr : &*found;
}

// An attribute of an index's key in its own type: a `direct` index may be keyed on a number.
void SetIndexKeys(const Model& model, const ItemKind& kind,
                  const std::vector<Attribute>& attributes, const Record& record,
                  const value::Item& key, Record& stored) {
  for (const Index& index : model.table.indexes) {
    std::vector<const IndexForm*> forms;
    for (const IndexForm& form : kind.indexes)
      if (form.index == &index) forms.push_back(&form);
    const auto found = std::ranges::find_if(
        forms, [&](const IndexForm* it) { return Holds(it->key.when, record, attributes); });
    if (found == forms.end() || (*found)->is_direct) continue;
    const IndexForm& form = **found;
    auto partition_key = form.key.partition_key.Compose(record);
    // What lacks a part of its key is not in the index.
    if (!partition_key.ok()) continue;
    if (form.key.sort_key && !index.sort_key.empty()) {
      const auto sort_key = form.key.sort_key->Compose(record);
      if (!sort_key.ok()) continue;
      stored.SetText(index.sort_key, *sort_key);
    }
    stored.SetText(index.partition_key,
                   form.shards == 0 ? *partition_key
                                    : ShardKey(model, *partition_key, ShardOf(key, form.shards)));
  }
}

Result<Record> StoredFrame(const Model& model, const ItemKind& kind,
                           const std::vector<Attribute>& attributes, const Record& record) {
  const value::Item key = TRY(KeyOf(model, kind, attributes, record));
  Record stored(key.view());
  SetIndexKeys(model, kind, attributes, record, key, stored);
  if (!model.table.discriminator.empty() && !kind.tag.empty()) {
    stored.SetText(model.table.discriminator, kind.tag);
  }
  return stored;
}

std::optional<std::string> UniqueText(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return std::string(value.text());
    case Type::kN:
      return value::NumberText(value.number());
    case Type::kBool:
      return std::string(value.boolean() ? "true" : "false");
    default:
      return std::nullopt;
  }
}

std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '#') {
      out += "%23";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Result<value::Item> KeyOf(const Model& model, const ItemKind& kind,
                          const std::vector<Attribute>& attributes, const Record& record) {
  const KeyForm* form = FirstThatHolds(kind.keys, record, attributes,
                                       [](const KeyForm& it) -> const KeyForm& { return it; });
  if (form == nullptr) {
    return ValidationError(fmt::format("no key of {} fits these attributes", kind.name));
  }
  const std::string partition_key = EncodeText(TRY(form->partition_key.Compose(record)));
  std::string sort_key;
  value::ItemBuilder key;
  key.Add(model.table.partition_key, partition_key);
  if (form->sort_key && !model.table.sort_key.empty()) {
    sort_key = EncodeText(TRY(form->sort_key->Compose(record)));
    key.Add(model.table.sort_key, sort_key);
  }
  return key.Finish();
}

Result<value::Item> KeyOf(const Model& model, const Entity& entity, const Record& record) {
  return KeyOf(model, entity, entity.attributes, record);
}

Result<Record> StoredEntity(const Model& model, const Entity& entity, const Record& record) {
  const Record frame = TRY(StoredFrame(model, entity, entity.attributes, record));
  Record stored = record;
  for (const Attribute& attribute : entity.attributes)
    if (attribute.is_key_only) stored.Remove(attribute.name);
  for (const auto& [name, value] : frame.attributes())
    if (!stored.Find(name)) stored.Set(name, value);
  return stored;
}

Result<std::optional<Record>> StoredMirror(const Model& model, const Mirror& mirror,
                                           const Record& record) {
  const std::vector<Attribute>& attributes = mirror.of->attributes;
  if (!Holds(mirror.when, record, attributes)) return std::optional<Record>();
  Record stored = TRY(StoredFrame(model, mirror, attributes, record));
  for (const std::string& name : mirror.include) {
    const auto value = record.Find(name);
    if (value) stored.Set(name, value->bytes());
  }
  return std::optional(std::move(stored));
}

std::string ShardKey(const Model& model, std::string_view partition_key, std::int64_t shard) {
  return fmt::format("{}{}{}", partition_key, model.table.separator, shard);
}

std::int64_t ShardOf(const value::Item& key, std::int64_t shards) {
  return static_cast<std::int64_t>(StableHash(key.bytes()) % static_cast<std::uint64_t>(shards));
}

std::optional<value::Item> UniqueGuardKey(const Model& model, const Entity& entity,
                                          const Unique& unique, const Record& record) {
  std::string name = fmt::format("unique#{}.{}", entity.name, unique.name);
  for (const std::string& attribute : unique.attributes) {
    const auto value = record.Find(attribute);
    const auto text = value ? UniqueText(*value) : std::nullopt;
    if (!text) return std::nullopt;
    name += "#" + Escape(*text);
  }
  return InternalKey(model, name);
}

value::Item UniqueGuard(const Model& model, const value::Item& guard_key,
                        const value::Item& owner_key) {
  Record guard(guard_key.view());
  const Record owner(owner_key.view());
  const auto take = [&](const std::string& from, std::string_view to) {
    const auto text = owner.FindText(from);
    if (text) guard.SetText(to, *text);
  };
  take(model.table.partition_key, "~pk");
  take(model.table.sort_key, "~sk");
  return guard.ToItem();
}

std::optional<value::Item> ParentKey(const Model& model, const Relation& relation,
                                     const Record& child) {
  if (!Holds(relation.when, child, relation.child->attributes)) return std::nullopt;
  Record parent;
  for (const Link& link : relation.links) {
    const auto value = child.Find(link.attribute);
    if (!value) return std::nullopt;
    parent.Set(link.parent_attribute, value->bytes());
  }
  auto key = KeyOf(model, *relation.parents.front(), parent);
  if (!key.ok()) return std::nullopt;
  return *std::move(key);
}

value::Item KeyPart(const Model& model, value::ItemView item) {
  Record key;
  for (const std::string* name : {&model.table.partition_key, &model.table.sort_key}) {
    const auto value = name->empty() ? std::nullopt : item.Find(*name);
    if (value) key.Set(*name, value->bytes());
  }
  return key.ToItem();
}

}  // namespace trestle::design
