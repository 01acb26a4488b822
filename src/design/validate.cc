#include "design/validate.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "design/changed_names.h"
#include "design/condition.h"
#include "design/condition_words.h"
#include "design/syntax/template_text.h"
#include "design/value_check_internal.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

using Names = std::set<std::string, std::less<>>;

// Why a caller may not say what an attribute is; empty when the caller may.
std::string_view Refusal(const Attribute& attribute) {
  if (attribute.derived != Derived::kNo) return "follows from other items and cannot be set";
  if (attribute.computed) return "follows from other attributes and cannot be set";
  return {};
}

void Compute(const Entity& entity, Record& record) {
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.computed) continue;
    const auto text = attribute.computed->Compose(record);
    if (text.ok()) {
      record.SetText(attribute.name, *text);
    } else {
      record.Remove(attribute.name);
    }
  }
}

template <typename IsChanged>
bool Touches(const Attribute& attribute, const std::optional<Condition>& condition,
             const IsChanged& is_changed) {
  if (!condition) return false;
  std::vector<std::string> names = {attribute.name};
  AppendAttributes(*condition, names);
  return std::ranges::any_of(names, is_changed);
}

// What is required, or must not be there, among the attributes that changed or hang on one that
// did.
template <typename IsChanged>
void CheckPresence(const Entity& entity, const Record& record, const IsChanged& is_changed,
                   Failures& failures) {
  for (const Attribute& attribute : entity.attributes) {
    const bool is_kept = attribute.derived != Derived::kNo || attribute.computed.has_value();
    const bool is_wanted = !is_kept && !attribute.is_optional && is_changed(attribute.name);
    if (!is_wanted && !attribute.required_when && !attribute.absent_unless) continue;
    const bool is_there = record.Find(attribute.name).has_value();
    if (!is_there && is_wanted) failures.Add(attribute.name, "is required", "required");
    if (!is_there && Touches(attribute, attribute.required_when, is_changed) &&
        Holds(attribute.required_when, record, entity.attributes)) {
      failures.Add(attribute.name,
                   fmt::format("is required when {}", ConditionWords(*attribute.required_when)),
                   "required");
    }
    if (is_there && Touches(attribute, attribute.absent_unless, is_changed) &&
        !Holds(attribute.absent_unless, record, entity.attributes)) {
      failures.Add(
          attribute.name,
          fmt::format("must be left out unless {}", ConditionWords(*attribute.absent_unless)),
          "not-allowed");
    }
  }
}

// An attribute that is wrong already is left at that.
void CheckRules(const FieldRules& rules, const Record& now, const Record& next,
                Failures& failures) {
  if (!rules) return;
  const auto attribute_of = [](const FieldFailure& failure) {
    return failure.field.substr(0, failure.field.find_first_of(".["));
  };
  std::vector<FieldFailure>& list = failures.list();
  Names wrong;
  for (const FieldFailure& failure : list)
    wrong.insert(attribute_of(failure));
  const auto found = static_cast<std::ptrdiff_t>(list.size());
  rules(now, next, list);
  const auto is_known = [&](const auto& failure) { return wrong.contains(attribute_of(failure)); };
  list.erase(std::remove_if(list.begin() + found, list.end(), is_known), list.end());
}

// Applies the changes of one update to a record.
class Changer {
 public:
  Changer(const Entity& entity, const Record& old, const ValueCheck& check, bool is_maintenance)
      : entity_(entity), old_(old), next_(old), check_(check), is_maintenance_(is_maintenance) {}

  [[nodiscard]] Record& next() { return next_; }
  [[nodiscard]] const Names& changed() const { return changed_; }

  void Set(const Changes::Set& set) {
    const ValueView value(set.value);
    if (value.type() == Type::kNull) return Remove(set.path);
    const Attribute* attribute = Find(set.path);
    if (attribute == nullptr) return;
    auto checked = check_.Check(value, *attribute, PathText(set.path));
    if (checked) Put(*attribute, set.path, *std::move(checked));
  }

  void Remove(const Path& path) {
    const Attribute* attribute = Find(path);
    if (attribute == nullptr) return;
    const bool is_inner = path.parts.size() > 1;
    if (is_inner && !attribute->is_optional && !is_maintenance_) {
      return check_.failures.Add(PathText(path), "is required", "required");
    }
    if (old_.Find(path) && IsFixed(*attribute)) return Fixed(path);
    next_.Remove(path);
    changed_.insert(path.parts.front());
  }

  void Append(const Changes::Set& append) {
    const Attribute* attribute = FindList(append.path);
    if (attribute == nullptr) return;
    auto elements = Elements(append.path);
    elements.push_back(append.value);
    SetList(*attribute, append.path, elements);
  }

  void Drop(const Changes::Set& drop) {
    const Attribute* attribute = FindList(drop.path);
    if (attribute == nullptr) return;
    auto elements = Elements(drop.path);
    const auto canonical = Canonical(ValueView(drop.value), attribute->type.element.front());
    const auto found = canonical.ok() ? std::ranges::find(elements, *canonical) : elements.end();
    if (found == elements.end()) return;
    elements.erase(found);
    SetList(*attribute, drop.path, elements);
  }

  void Increment(const Changes::Set& increment) {
    const Attribute* attribute = Find(increment.path);
    if (attribute == nullptr) return;
    const std::string field = PathText(increment.path);
    const ValueView by(increment.value);
    if (by.type() != Type::kN) return check_.failures.Add(field, "must be a number", "type");
    const auto old = next_.Find(increment.path);
    const value::Number start =
        old && old->type() == Type::kN ? DecodeNumber(*old) : value::Number();
    const auto sum = value::Add(start, DecodeNumber(by));
    if (!sum.ok()) return check_.failures.Add(field, "would have too many digits", "range");
    auto checked = check_.Check(ValueView(EncodeNumber(*sum)), *attribute, field);
    if (!checked) return;
    if (!attribute->is_counter && IsFixed(*attribute)) return Fixed(increment.path);
    next_.Set(increment.path, *std::move(checked));
    changed_.insert(increment.path.parts.front());
  }

 private:
  // The attribute at a path, if callers may change it at all.
  const Attribute* Find(const Path& path) {
    const Attribute* attribute = FindAttribute(entity_.attributes, path);
    const std::string field = PathText(path);
    if (attribute == nullptr) {
      check_.failures.Add(field, fmt::format("is no attribute of {}", entity_.name),
                          "unknown-field");
      return nullptr;
    }
    const std::string_view refusal = is_maintenance_ ? "" : Refusal(*attribute);
    if (refusal.empty()) return attribute;
    check_.failures.Add(field, std::string(refusal), "read-only");
    return nullptr;
  }

  const Attribute* FindList(const Path& path) {
    const Attribute* attribute = Find(path);
    if (attribute == nullptr || attribute->type.kind == TypeKind::kList) return attribute;
    check_.failures.Add(PathText(path), "is no list", "type");
    return nullptr;
  }

  [[nodiscard]] bool IsFixed(const Attribute& attribute) const {
    if (is_maintenance_) return false;
    const bool is_rekey =
        std::ranges::find(entity_.rekey_on, attribute.name) != entity_.rekey_on.end();
    return attribute.is_immutable || attribute.const_value || attribute.is_counter ||
           (IsKeyPart(entity_, attribute.name) && !is_rekey);
  }

  void Fixed(const Path& path) {
    check_.failures.Add(PathText(path), "cannot be changed", "immutable");
  }

  void Put(const Attribute& attribute, const Path& path, const std::string& value) {
    const auto old = old_.Find(path);
    const bool is_same = old && old->bytes() == value;
    if (!is_same && IsFixed(attribute)) return Fixed(path);
    next_.Set(path, value);
    changed_.insert(path.parts.front());
  }

  [[nodiscard]] std::vector<std::string> Elements(const Path& path) const {
    std::vector<std::string> elements;
    const auto list = next_.Find(path);
    if (!list || list->type() != Type::kL) return elements;
    elements.reserve(list->count());
    std::string_view rest = list->contents();
    while (!rest.empty())
      elements.emplace_back(value::TakeValue(rest).bytes());
    return elements;
  }

  void SetList(const Attribute& attribute, const Path& path,
               const std::vector<std::string>& elements) {
    std::string list;
    const std::size_t place = value::BeginContainer(list, Type::kL);
    for (const std::string& element : elements)
      list += element;
    value::EndContainer(list, place, static_cast<std::uint32_t>(elements.size()));
    auto checked = check_.Check(ValueView(list), attribute, PathText(path));
    if (checked) Put(attribute, path, *std::move(checked));
  }

  const Entity& entity_;
  const Record& old_;
  Record next_;
  const ValueCheck& check_;
  bool is_maintenance_;
  Names changed_;
};

void CollectPatterns(std::span<const Attribute> attributes,
                     std::map<const Attribute*, text::Regex>& patterns) {
  for (const Attribute& attribute : attributes) {
    CollectPatterns(attribute.type.members, patterns);
    if (attribute.pattern.empty()) continue;
    auto regex = text::Regex::Parse(attribute.pattern);
    if (regex.ok()) patterns.emplace(&attribute, *std::move(regex));
  }
}

bool DifferInCounters(std::span<const Attribute> attributes, std::string_view name,
                      const std::optional<ValueView>& left, const std::optional<ValueView>& right);

// Whether two maps, or nothing, differ in nothing but counters.
bool DifferInCounters(std::span<const Attribute> members, ValueView left, ValueView right) {
  for (const value::AttributeView it : value::AttributeRange(left.contents()))
    if (!DifferInCounters(members, it.name, it.value, right.Find(it.name))) return false;
  for (const value::AttributeView it : value::AttributeRange(right.contents())) {
    const auto other = left.Find(it.name);
    if (!other && !DifferInCounters(members, it.name, other, it.value)) return false;
  }
  return true;
}

bool DifferInCounters(std::span<const Attribute> attributes, std::string_view name,
                      const std::optional<ValueView>& left, const std::optional<ValueView>& right) {
  if (left && right && *left == *right) return true;
  const auto attribute = std::ranges::find(attributes, name, &Attribute::name);
  if (attribute == attributes.end()) return false;
  if (attribute->is_counter) return true;
  const bool are_maps = left && right && left->type() == Type::kM && right->type() == Type::kM;
  return are_maps && DifferInCounters(attribute->type.members, *left, *right);
}

}  // namespace

bool IsKeyPart(const Entity& entity, std::string_view name) {
  const auto is_in = [&](const KeyTemplate& key) {
    return std::ranges::any_of(key.Attributes(), [&](const auto& it) { return it == name; });
  };
  return std::ranges::any_of(entity.keys, [&](const KeyForm& form) {
    return is_in(form.partition_key) || (form.sort_key && is_in(*form.sort_key));
  });
}

bool ChangesOnlyCounters(const Entity& entity, const Record& old, const Record& next) {
  return std::ranges::all_of(ChangedNames(old, next), [&](std::string_view name) {
    return DifferInCounters(entity.attributes, name, old.Find(name), next.Find(name));
  });
}

Validator::Validator(const Model& model) : model_(model) {
  for (const Entity& entity : model.entities)
    CollectPatterns(entity.attributes, patterns_);
}

Result<Record> Validator::ForCreate(const Entity& entity, const Record& given,
                                    const ValueSources& sources, const FieldRules& rules) const {
  Failures failures;
  Record record;
  ValueSources with_item = sources;
  with_item.item = &record;
  const ValueCheck check{patterns_, model_.table.separator, with_item, failures};
  Names wrong;  // reported already: it is not missing
  for (const Record::Attribute it : given.attributes()) {
    const std::string name(it.name);
    const Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr) {
      failures.Add(name, fmt::format("is no attribute of {}", entity.name), "unknown-field");
    } else if (const std::string_view refusal = Refusal(*attribute); !refusal.empty()) {
      failures.Add(name, std::string(refusal), "read-only");
    } else if (auto checked = check.Check(ValueView(it.value), *attribute, name)) {
      record.Set(name, *std::move(checked));
    } else {
      wrong.insert(name);
    }
  }
  for (const Attribute& attribute : entity.attributes) {
    if (wrong.contains(attribute.name)) continue;
    const auto found = record.Find(attribute.name);
    if (found && !attribute.const_value) continue;
    auto value = check.Default(attribute, attribute.name);
    if (found && value && found->bytes() != *value)
      failures.Add(attribute.name, "is fixed", "immutable");
    if (value) record.Set(attribute.name, *std::move(value));
  }
  Compute(entity, record);
  CheckPresence(
      entity, record, [&](std::string_view name) { return !wrong.contains(name); }, failures);
  CheckRules(rules, {}, record, failures);
  if (!failures.empty()) return std::move(failures).ToError();
  return record;
}

Result<Record> Validator::ForUpdate(const Entity& entity, const Record& old, const Changes& changes,
                                    const ValueSources& sources, bool is_maintenance,
                                    const FieldRules& rules) const {
  Failures failures;
  ValueSources with_item = sources;
  with_item.item = &old;
  const ValueCheck check{patterns_, model_.table.separator, with_item, failures};
  Changer changer(entity, old, check, is_maintenance);
  for (const auto& set : changes.set)
    changer.Set(set);
  for (const auto& path : changes.remove)
    changer.Remove(path);
  // First what goes: a full list takes something else instead.
  for (const auto& drop : changes.drop)
    changer.Drop(drop);
  for (const auto& append : changes.append)
    changer.Append(append);
  for (const auto& increment : changes.increment)
    changer.Increment(increment);
  Record& next = changer.next();
  Compute(entity, next);
  if (!is_maintenance) {
    CheckPresence(
        entity, next, [&](std::string_view name) { return changer.changed().contains(name); },
        failures);
  }
  CheckRules(rules, old, next, failures);
  if (!failures.empty()) return std::move(failures).ToError();
  if (is_maintenance || ChangesOnlyCounters(entity, old, next)) return std::move(next);
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.on_update) continue;
    auto value = TRY(Evaluate(*attribute.on_update, attribute.type, with_item));
    if (value) next.Set(attribute.name, *std::move(value));
  }
  Compute(entity, next);
  return std::move(next);
}

Result<Record> Validator::Arguments(std::span<const Parameter> parameters,
                                    const Record& given) const {
  Failures failures;
  const ValueSources sources;
  const ValueCheck check{patterns_, model_.table.separator, sources, failures};
  Record arguments;
  for (const Record::Attribute it : given.attributes()) {
    const std::string name(it.name);
    const Parameter* parameter = FindParameter(parameters, Path{{}, {name}});
    if (parameter == nullptr) {
      failures.Add(name, "is no parameter", "unknown-field");
    } else if (auto checked = check.Check(ValueView(it.value), parameter->type, name)) {
      arguments.Set(name, *std::move(checked));
    }
  }
  if (!failures.empty()) return std::move(failures).ToError();
  return arguments;
}

Result<Record> Validator::Identity(const Entity& entity, const Record& given) const {
  Failures failures;
  const ValueSources sources;
  const ValueCheck check{patterns_, model_.table.separator, sources, failures};
  Record identity;
  for (const std::string& name : entity.identity) {
    const Attribute* attribute = FindAttribute(entity.attributes, Path{{}, {std::string(name)}});
    const auto value = given.Find(name);
    if (!value || attribute == nullptr) {
      failures.Add(name, "is required", "required");
    } else if (auto checked = check.Check(*value, *attribute, name)) {
      identity.Set(name, *std::move(checked));
    }
  }
  if (!failures.empty()) return std::move(failures).ToError();
  return identity;
}

}  // namespace trestle::design
