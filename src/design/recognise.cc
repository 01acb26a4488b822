#include "design/recognise.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "design/name_head.h"
#include "design/time_text.h"
#include "design/values.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using syntax::Placeholder;
using syntax::Transform;
using value::Type;
using value::ValueView;

std::string_view TextOf(const std::optional<ValueView>& value) {
  return value && value->type() == Type::kS ? value->text() : std::string_view();
}

std::string_view TextOf(value::ItemView item, const std::string& name) {
  return name.empty() ? std::string_view() : TextOf(item.Find(name));
}

// What says what an item is. Most have a tag, and their keys are not looked at.
struct Label {
  value::ItemView item;
  std::string_view tag;
};

bool LosesText(const Placeholder& placeholder) {
  return std::ranges::any_of(placeholder.formats, [](const syntax::Format& format) {
    const auto* transform = std::get_if<Transform>(&format);
    return transform != nullptr && *transform != Transform::kEscape &&
           *transform != Transform::kCluster;
  });
}

// The value that a key's text stands for; nothing when it cannot be one of this type, so that keys
// which differ in nothing else are told apart: "NOTE#NONE#1" holds no date.
std::optional<std::string> ValueFromKey(const ValueType& type, std::string_view text,
                                        std::string_view separator) {
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber: {
      const auto number = value::Number::Parse(text);
      if (!number.ok()) return std::nullopt;
      return EncodeNumber(*number);
    }
    case TypeKind::kBool: {
      if (text != "true" && text != "false") return std::nullopt;
      std::string value;
      value::AppendBool(value, text == "true");
      return value;
    }
    case TypeKind::kId:
      if (text.find(separator) != text.npos) return std::nullopt;
      break;
    case TypeKind::kDate:
      if (!IsDate(text)) return std::nullopt;
      break;
    case TypeKind::kTimestamp:
      if (!ParseTimestamp(text)) return std::nullopt;
      break;
    case TypeKind::kMoment:
      if (!IsDate(text) && !ParseTimestamp(text)) return std::nullopt;
      break;
    case TypeKind::kEnum:
      if (std::ranges::find(type.enum_values, text) == type.enum_values.end()) return std::nullopt;
      break;
    default:
      break;
  }
  return EncodeText(text);
}

// Reads one half of a key into `out`; false when the template cannot have made it.
bool ReadTemplate(const KeyTemplate& key, const std::vector<Attribute>& attributes,
                  std::string_view text, Record& out) {
  const auto texts = key.Match(text);
  if (!texts) return false;
  auto at = texts->begin();
  for (const auto& part : key.parts()) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (placeholder == nullptr) continue;
    const std::string& value_text = *at++;
    const Attribute* attribute = FindAttribute(attributes, placeholder->path);
    if (attribute == nullptr || LosesText(*placeholder)) continue;
    auto value = ValueFromKey(attribute->type, value_text, key.separator());
    if (!value) return false;
    out.Set(placeholder->path, *std::move(value));
  }
  return true;
}

std::optional<Record> ReadForm(const Model& model, const KeyForm& form,
                               const std::vector<Attribute>& attributes, value::ItemView item) {
  Record read;
  const Table& table = model.table;
  if (!ReadTemplate(form.partition_key, attributes, TextOf(item, table.partition_key), read))
    return std::nullopt;
  if (form.sort_key && !table.sort_key.empty() &&
      !ReadTemplate(*form.sort_key, attributes, TextOf(item, table.sort_key), read)) {
    return std::nullopt;
  }
  return read;
}

std::optional<KindReference> FindKind(const Model& model, const Label& label) {
  if (label.tag.empty() && IsInternal(model, label.item)) return std::nullopt;
  const auto is_it = [&](const KindReference& kind) {
    const std::string& own = kind.kind().tag;
    if (model.table.discriminator.empty() || own.empty())
      return ReadKey(model, kind, label.item).has_value();
    return own == label.tag;
  };
  for (const Entity& entity : model.entities)
    if (is_it({.entity = &entity})) return KindReference{.entity = &entity};
  for (const Mirror& mirror : model.mirrors)
    if (is_it({.mirror = &mirror})) return KindReference{.mirror = &mirror};
  return std::nullopt;
}

bool IsLiteral(const syntax::Value& value) {
  if (const auto* list = std::get_if<syntax::ListValue>(&value.is))
    return std::ranges::all_of(list->elements, IsLiteral);
  return !std::holds_alternative<syntax::CallValue>(value.is) &&
         !std::holds_alternative<syntax::NameValue>(value.is);
}

// What a reader may assume for an attribute that is not stored: a value that was the same at any
// time, so no now() and no uuid(). Empty: nothing.
std::string Assumed(const Attribute& attribute) {
  const auto& value = attribute.const_value ? attribute.const_value : attribute.default_value;
  if (!value || attribute.is_optional || !IsLiteral(*value)) return {};
  auto evaluated = Evaluate(*value, attribute.type, {});
  if (!evaluated.ok() || !*evaluated) return {};
  return **std::move(evaluated);
}

// A stored value as callers see it; an empty one is absent.
std::string Read(const Attribute& attribute, std::optional<ValueView> stored);

std::string ReadMap(const Attribute& attribute, std::optional<ValueView> stored) {
  std::vector<std::pair<std::string_view, std::string>> members;
  if (stored) {
    for (const value::AttributeView member : value::AttributeRange(stored->contents())) {
      const bool is_known = std::ranges::find(attribute.type.members, member.name,
                                              &Attribute::name) != attribute.type.members.end();
      if (!is_known && member.value.type() != Type::kNull)
        members.emplace_back(member.name, member.value.bytes());
    }
  }
  for (const Attribute& member : attribute.type.members) {
    std::string value = Read(member, stored ? stored->Find(member.name) : std::nullopt);
    if (!value.empty()) members.emplace_back(member.name, std::move(value));
  }
  if (!stored && members.empty()) return {};
  value::ItemBuilder map;
  for (const auto& [name, value] : members)
    map.Add(name, value);
  std::string bytes;
  map.AppendMapTo(bytes);
  return bytes;
}

std::string Read(const Attribute& attribute, std::optional<ValueView> stored) {
  if (stored && stored->type() == Type::kNull) stored.reset();
  const ValueType& type = attribute.type;
  if (!type.members.empty() && (stored ? stored->type() == Type::kM : !attribute.is_optional))
    return ReadMap(attribute, stored);
  if (!stored) return Assumed(attribute);
  auto canonical = Canonical(*stored, type);
  return canonical.ok() ? *std::move(canonical) : std::string(stored->bytes());
}

// Whether callers see a value as it is stored: nearly all of them.
bool IsSeenAsStored(const Entity::Reading& reading, ValueView stored) {
  if (stored.type() == Type::kNull) return false;
  if (reading.is_as_stored) return true;
  const Attribute& attribute = *reading.attribute;
  return attribute.type.kind == TypeKind::kTimestamp && !attribute.is_key_only &&
         stored.type() == Type::kS && IsAsLongAsTimestamp(stored.text(), attribute.type.precision);
}

inline bool IsIncluded(const KindReference& kind, const Attribute& attribute) {
  return kind.mirror == nullptr ||
         std::ranges::find(kind.mirror->include, attribute.name) != kind.mirror->include.end();
}

// Averages follow the stream where they are stored; what they are computed from is exact.
void ComputeAverages(const std::vector<Attribute>& attributes, const Path& outer, Record& record) {
  for (const Attribute& attribute : attributes) {
    Path path = outer;
    path.parts.push_back(attribute.name);
    if (attribute.derived == Derived::kAverage) {
      auto average = Average(record, path);
      if (average) {
        record.Set(path, *std::move(average));
      } else if (record.Find(CountOfAverage(path))) {
        record.Remove(path);
      }
    }
    if (!attribute.type.members.empty()) ComputeAverages(attribute.type.members, path, record);
  }
}

void Compute(const KindReference& kind, Record& record) {
  for (const Attribute& attribute : kind.of().attributes) {
    if (!attribute.computed || !IsIncluded(kind, attribute) || record.Find(attribute.name))
      continue;
    const auto text = attribute.computed->Compose(record);
    if (text.ok()) record.SetText(attribute.name, *text);
  }
}

// The lock's value.
std::optional<std::int64_t> VersionIn(const std::optional<ValueView>& value) {
  if (!value || value->type() != Type::kN) return std::nullopt;
  return value::NumberInteger(value->number());
}

// An item on its way to what callers see of it.
class ItemReader {
 public:
  // `names` are in order.
  ItemReader(const Model& model, const KindReference& kind, std::span<const std::string> names)
      : model_(model), kind_(kind), entity_(kind.of()), names_(names) {}

  // The attributes that callers see as they are stored.
  Record Pick(value::Item item) {
    stored_ = item.view();
    auto reading = entity_.readings.begin();
    const auto end = entity_.readings.end();
    const std::size_t lock_size = model_.table.lock.size();
    const std::size_t tag_size = model_.table.discriminator.size();
    Record record(std::move(item), [&](std::string_view name, std::string_view value) {
      const std::uint64_t head = NameHead(name, name.size() + value.size());
      for (; reading != end && reading->head <= head; ++reading) {
        const int order = head == reading->head ? CompareTails(name, reading->name) : 1;
        if (order < 0) break;
        if (order == 0) return Keeps(*reading++, ValueView(value));
        if (!IsAbsentUnstored(*reading)) ReadUnstored(*reading);
      }
      if (name.size() == lock_size || name.size() == tag_size) ReadOwn(name, ValueView(value));
      return false;
    });
    stored_ = record.own_item();
    // An entity may name the tag as an attribute of its own; the lock it may not.
    if (!has_tag_) ReadOwn(model_.table.discriminator, stored_.Find(model_.table.discriminator));
    for (; reading != end; ++reading)
      if (!IsAbsentUnstored(*reading)) ReadUnstored(*reading);
    return record;
  }

  // Whether the item that was picked from is of this kind by its tag.
  [[nodiscard]] bool has_tag() const { return has_tag_; }

  // With the others.
  TypedItem Finish(Record&& record) const {
    for (const auto& [name, value] : others_)
      record.Set(name, value);
    if (is_computed_missing_) Compute(kind_, record);
    if (entity_.has_average) ComputeAverages(entity_.attributes, {}, record);
    return {.kind = kind_, .record = std::move(record), .version = version_};
  }

 private:
  [[nodiscard]] bool IsWanted(const Entity::Reading& reading) const {
    return names_.empty() || std::ranges::binary_search(names_, reading.name);
  }

  // Whether callers see the stored value as it is.
  bool Keeps(const Entity::Reading& reading, ValueView stored) {
    if (!IsWanted(reading)) return false;
    if (IsIncluded(kind_, *reading.attribute) && IsSeenAsStored(reading, stored)) return true;
    if (stored.type() == Type::kNull) {
      ReadUnstored(reading);
    } else {
      Read(*reading.attribute, stored);
    }
    return false;
  }

  // An attribute of the table's own.
  void ReadOwn(std::string_view name, const std::optional<ValueView>& stored) {
    if (name == model_.table.lock) version_ = VersionIn(stored);
    if (name == model_.table.discriminator) has_tag_ = TextOf(stored) == kind_.kind().tag;
  }

  [[nodiscard]] bool IsAbsentUnstored(const Entity::Reading& reading) const {
    return reading.is_absent_unstored && kind_.entity != nullptr;
  }

  void ReadUnstored(const Entity::Reading& reading) {
    if (!IsWanted(reading)) return;
    const std::string& was = reading.attribute->was;
    Read(*reading.attribute, was.empty() ? std::nullopt : stored_.Find(was));
  }

  void Read(const Attribute& attribute, const std::optional<ValueView>& stored) {
    if (!stored || attribute.is_key_only) {
      if (const auto from_key = FindInKey(attribute)) {
        others_.emplace_back(attribute.name, from_key->bytes());
        return;
      }
    }
    if (!IsIncluded(kind_, attribute)) return;
    std::string value = design::Read(attribute, stored);
    is_computed_missing_ = is_computed_missing_ || (attribute.computed && value.empty());
    if (!value.empty()) others_.emplace_back(attribute.name, std::move(value));
  }

  // What the key says is read when it is asked for: most items store all that is in it.
  [[nodiscard]] std::optional<ValueView> FindInKey(const Attribute& attribute) {
    if (kind_.entity != nullptr && !attribute.is_in_key) return std::nullopt;
    if (!is_key_read_) key_ = ReadKey(model_, kind_, stored_);
    is_key_read_ = true;
    return key_ ? key_->attributes.Find(attribute.name) : std::nullopt;
  }

  const Model& model_;
  const KindReference& kind_;
  const Entity& entity_;
  const std::span<const std::string> names_;
  value::ItemView stored_{{}};  // while it is picked from
  bool has_tag_ = false;
  std::optional<std::int64_t> version_;
  std::optional<KeyReading> key_;
  bool is_key_read_ = false;
  bool is_computed_missing_ = false;
  std::vector<std::pair<std::string_view, std::string>> others_;  // not as they are stored
};

Path WithSuffix(Path path, std::string_view suffix) {
  path.parts.back() += suffix;
  return path;
}

std::optional<long double> FindNumber(const Record& record, const Path& path) {
  const auto found = record.Find(path);
  if (!found || found->type() != Type::kN) return std::nullopt;
  return std::strtold(value::NumberText(found->number()).c_str(), nullptr);
}

}  // namespace

bool AreAllTagged(const Model& model) {
  const auto has_tag = [](const ItemKind& kind) { return !kind.tag.empty(); };
  return !model.table.discriminator.empty() && std::ranges::all_of(model.entities, has_tag) &&
         std::ranges::all_of(model.mirrors, has_tag);
}

bool IsInternal(const Model& model, value::ItemView item) {
  return TextOf(item, model.table.partition_key).starts_with(kInternalPrefix);
}

bool IsNamed(const Model& model, value::ItemView item, std::string_view names) {
  const std::string_view key = TextOf(item, model.table.partition_key);
  return key.starts_with(kInternalPrefix) && key.substr(kInternalPrefix.size()).starts_with(names);
}

std::optional<KeyReading> ReadKey(const Model& model, const KindReference& kind,
                                  value::ItemView item) {
  for (const KeyForm& form : kind.kind().keys) {
    auto attributes = ReadForm(model, form, kind.of().attributes, item);
    if (attributes) return KeyReading{&form, *std::move(attributes)};
  }
  return std::nullopt;
}

std::optional<KindReference> FindKind(const Model& model, value::ItemView item) {
  return FindKind(model, {.item = item, .tag = TextOf(item, model.table.discriminator)});
}

std::optional<std::int64_t> VersionOf(const Model& model, value::ItemView item) {
  return model.table.lock.empty() ? std::nullopt : VersionIn(item.Find(model.table.lock));
}

std::optional<TypedItem> Recognise(const Model& model, value::Item item,
                                   std::span<const std::string> names,
                                   const KindReference* likely) {
  if (likely != nullptr) {
    ItemReader reader(model, *likely, names);
    Record record = reader.Pick(std::move(item));
    if (reader.has_tag()) return reader.Finish(std::move(record));
    item = value::Item(std::string(record.own_item().bytes()));
  }
  const auto kind = FindKind(model, item.view());
  if (!kind) return std::nullopt;
  ItemReader reader(model, *kind, names);
  return reader.Finish(reader.Pick(std::move(item)));
}

std::optional<TypedItem> Recognise(const Model& model, value::ItemView item) {
  return Recognise(model, value::Item(std::string(item.bytes())));
}

Path SumOfAverage(const Path& average) { return WithSuffix(average, "Sum"); }
Path CountOfAverage(const Path& average) { return WithSuffix(average, "Count"); }

std::optional<std::string> Average(const Record& record, const Path& average) {
  const auto sum = FindNumber(record, SumOfAverage(average));
  const auto count = FindNumber(record, CountOfAverage(average));
  if (!sum || !count || *count <= 0) return std::nullopt;
  const auto number = value::Number::Parse(fmt::format("{:.4f}", *sum / *count));
  if (!number.ok()) return std::nullopt;
  return EncodeNumber(*number);
}

}  // namespace trestle::design
