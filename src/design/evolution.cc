#include "design/evolution.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/syntax/printer.h"
#include "design/syntax/template_text.h"

namespace trestle::design {
namespace {

std::string Text(const KeyTemplate& it) { return syntax::TemplateText(it.source()); }

std::string Text(const std::optional<Condition>& it) { return it ? syntax::Print(*it) : ""; }

std::string Text(const KeyForm& it) {
  std::string out = Text(it.partition_key);
  if (it.sort_key) out += " / " + Text(*it.sort_key);
  if (it.when) out += " when " + Text(it.when);
  return out;
}

std::string KeysText(const ItemKind& kind) {
  std::string out;
  for (const KeyForm& form : kind.keys)
    out += (out.empty() ? "" : ", else ") + Text(form);
  return out;
}

std::string FormsText(const ItemKind& kind, std::string_view index) {
  std::string out;
  for (const IndexForm& form : kind.indexes) {
    if (form.index->name != index) continue;
    out += (out.empty() ? "" : ", else ") + Text(form.key);
    if (form.shards != 0) out += fmt::format(" in {} shards", form.shards);
  }
  return out;
}

bool IsText(TypeKind kind) {
  switch (kind) {
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kMoment:
    case TypeKind::kEnum:
      return true;
    default:
      return false;
  }
}

// Whether every value of `before` is one of `after`, as far as kinds go.
bool KindHolds(TypeKind before, TypeKind after) {
  if (before == after || after == TypeKind::kAny) return true;
  if (after == TypeKind::kString) return IsText(before);
  if (after == TypeKind::kNumber) return before == TypeKind::kInt;
  return after == TypeKind::kMoment &&
         (before == TypeKind::kDate || before == TypeKind::kTimestamp);
}

bool TypeHolds(const ValueType& before, const ValueType& after) {
  if (!KindHolds(before.kind, after.kind)) return false;
  if (before.is_epoch_seconds != after.is_epoch_seconds) return false;
  if (after.min && (!before.min || *before.min < *after.min)) return false;
  if (after.max && (!before.max || *after.max < *before.max)) return false;
  if (after.kind == TypeKind::kEnum) {
    return std::ranges::all_of(before.enum_values, [&](const std::string& value) {
      return std::ranges::find(after.enum_values, value) != after.enum_values.end();
    });
  }
  return before.element.empty() || after.element.empty() ||
         TypeHolds(before.element.front(), after.element.front());
}

const Attribute* Find(const std::vector<Attribute>& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

template <typename Things>
auto FindNamed(const Things& things, std::string_view name) -> decltype(&*things.begin()) {
  const auto found = std::ranges::find_if(things, [&](const auto& it) { return it.name == name; });
  return found == things.end() ? nullptr : &*found;
}

class Comparison {
 public:
  Comparison(const Model& before, const Model& after) : before_(before), after_(after) {}

  std::vector<DesignChange> Run() && {
    CompareTables();
    for (const Entity& entity : after_.entities) {
      const Entity* old = before_.FindEntity(entity.name);
      if (old == nullptr) {
        Add(ChangeKind::kFree, entity.position, "entity {} is new", entity.name);
      } else {
        CompareEntities(*old, entity);
      }
    }
    for (const Entity& entity : before_.entities) {
      if (after_.FindEntity(entity.name) == nullptr)
        Add(ChangeKind::kBreaking, {}, "entity {} is gone, and its items would be unknown",
            entity.name);
    }
    CompareMirrors();
    CompareCalls("access", before_.accesses, after_.accesses);
    CompareCalls("operation", before_.operations, after_.operations);
    std::ranges::stable_sort(changes_, std::ranges::greater(), &DesignChange::kind);
    return std::move(changes_);
  }

 private:
  template <typename... Args>
  void Add(ChangeKind kind, Position position, fmt::format_string<Args...> sentence,
           Args&&... args) {
    changes_.push_back({kind, position, fmt::format(sentence, std::forward<Args>(args)...)});
  }

  void CompareTables() {
    const Table& was = before_.table;
    const Table& is = after_.table;
    if (Text(was.name) != Text(is.name))
      Add(ChangeKind::kRekey, is.position, "the table's name is {} and was {}", Text(is.name),
          Text(was.name));
    if (was.partition_key != is.partition_key || was.sort_key != is.sort_key)
      Add(ChangeKind::kRekey, is.position,
          "the table's keys have other names, which needs a new table");
    if (was.discriminator != is.discriminator)
      Add(ChangeKind::kBackfill, is.position, "items are told apart by something else");
    const std::pair<bool, std::string_view> settings[] = {
        {was.billing.index() != is.billing.index(), "billing"},
        {was.point_in_time_recovery != is.point_in_time_recovery, "point-in-time recovery"},
        {was.encryption.index() != is.encryption.index(), "encryption"},
        {was.time_to_live != is.time_to_live, "time to live"},
        {was.stream != is.stream, "the stream"},
    };
    for (const auto& [is_changed, name] : settings) {
      if (is_changed) Add(ChangeKind::kTable, is.position, "{} is set differently", name);
    }
    if (was.separator != is.separator)
      Add(ChangeKind::kRekey, is.position, "another separator is escaped in keys");
    for (const Index& index : is.indexes) {
      const Index* old = FindNamed(was.indexes, index.name);
      if (old == nullptr) {
        Add(ChangeKind::kTable, index.position, "index {} is new and has to be built", index.name);
      } else if (old->partition_key != index.partition_key || old->sort_key != index.sort_key ||
                 old->is_local != index.is_local || !HasProjectionOf(*old, index)) {
        Add(ChangeKind::kTable, index.position, "index {} differs and has to be built again",
            index.name);
      }
    }
    for (const Index& index : was.indexes) {
      if (FindNamed(is.indexes, index.name) == nullptr)
        Add(ChangeKind::kTable, {}, "index {} is gone", index.name);
    }
  }

  static bool HasProjectionOf(const Index& one, const Index& other) {
    if (one.projection.index() != other.projection.index()) return false;
    const auto* mine = std::get_if<syntax::ProjectInclude>(&one.projection);
    if (mine == nullptr) return true;
    const auto& theirs = std::get<syntax::ProjectInclude>(other.projection);
    return std::ranges::equal(mine->attributes, theirs.attributes, {}, &syntax::Name::text,
                              &syntax::Name::text);
  }

  void CompareForms(const ItemKind& was, const ItemKind& is) {
    if (KeysText(was) != KeysText(is))
      Add(ChangeKind::kRekey, is.keys.front().position, "the key of {} is {} and was {}", is.name,
          KeysText(is), KeysText(was));
    for (const Index& index : after_.table.indexes) {
      const std::string old = FormsText(was, index.name);
      const std::string now = FormsText(is, index.name);
      if (old != now)
        Add(ChangeKind::kBackfill, is.position, "{} has {} in {}, and had {}", is.name,
            now.empty() ? "nothing" : now, index.name, old.empty() ? "nothing" : old);
    }
    if (was.tag != is.tag)
      Add(ChangeKind::kBackfill, is.position, "the type of {} is {} and was {}", is.name, is.tag,
          was.tag);
  }

  void CompareEntities(const Entity& was, const Entity& is) {
    CompareForms(was, is);
    CompareAttributes(is.name, was.attributes, is.attributes);
    for (const Unique& unique : is.uniques) {
      const Unique* old = FindNamed(was.uniques, unique.name);
      if (old == nullptr || old->attributes != unique.attributes)
        Add(ChangeKind::kBackfill, unique.position,
            "unique {} of {} has to be checked and guarded for all items", unique.name, is.name);
    }
    for (const Relation& relation : is.relations) {
      if (!HasRelation(was, relation))
        Add(ChangeKind::kBackfill, relation.position,
            "{} belongs to {} in another way: copies and counts are made again", is.name,
            relation.parents.front()->name);
    }
  }

  // One with the same links, copies and tallies.
  static bool HasRelation(const Entity& entity, const Relation& relation) {
    return std::ranges::any_of(entity.relations, [&](const Relation& it) {
      return it.parents.front()->name == relation.parents.front()->name &&
             std::ranges::equal(it.links, relation.links,
                                [](const Link& a, const Link& b) {
                                  return a.attribute == b.attribute &&
                                         a.parent_attribute == b.parent_attribute;
                                }) &&
             std::ranges::equal(it.copies, relation.copies,
                                [](const Copy& a, const Copy& b) {
                                  return a.to.parts == b.to.parts && a.from.parts == b.from.parts;
                                }) &&
             std::ranges::equal(it.tallies, relation.tallies, [](const Tally& a, const Tally& b) {
               return a.kind == b.kind && a.into.parts == b.into.parts &&
                      Text(a.when) == Text(b.when);
             });
    });
  }

  void CompareAttributes(const std::string& owner, const std::vector<Attribute>& was,
                         const std::vector<Attribute>& is) {
    for (const Attribute& attribute : is) {
      const std::string name = owner + "." + attribute.name;
      if (const Attribute* old = Find(was, attribute.name)) {
        CompareAttribute(name, *old, attribute);
      } else if (!attribute.was.empty() && Find(was, attribute.was) != nullptr) {
        Add(ChangeKind::kBackfill, attribute.position, "{} was called {}", name, attribute.was);
        CompareAttribute(name, *Find(was, attribute.was), attribute);
      } else if (attribute.default_value || attribute.const_value || attribute.computed ||
                 attribute.derived != Derived::kNo) {
        Add(ChangeKind::kBackfill, attribute.position, "{} is new and gets a value in all items",
            name);
      } else if (attribute.is_optional || attribute.is_key_only) {
        Add(ChangeKind::kFree, attribute.position, "{} is new", name);
      } else {
        Add(ChangeKind::kBreaking, attribute.position,
            "{} is new and required, and the items that are there lack it", name);
      }
    }
    for (const Attribute& attribute : was) {
      const bool is_kept = std::ranges::any_of(is, [&](const Attribute& it) {
        return it.name == attribute.name || it.was == attribute.name;
      });
      if (!is_kept) Add(ChangeKind::kBreaking, {}, "{}.{} is gone", owner, attribute.name);
    }
  }

  void CompareAttribute(const std::string& name, const Attribute& was, const Attribute& is) {
    if (was.type.kind == TypeKind::kMap && is.type.kind == TypeKind::kMap) {
      CompareAttributes(name, was.type.members, is.type.members);
    } else if (!TypeHolds(was.type, is.type)) {
      Add(ChangeKind::kBreaking, is.position, "{} allows less than it did", name);
    } else if (!TypeHolds(is.type, was.type)) {
      Add(ChangeKind::kFree, is.position, "{} allows more than it did", name);
    }
    if (was.is_optional && !is.is_optional && !is.default_value && is.derived == Derived::kNo)
      Add(ChangeKind::kBreaking, is.position, "{} is required and was not", name);
    if (!was.is_optional && is.is_optional)
      Add(ChangeKind::kFree, is.position, "{} may be absent now", name);
  }

  void CompareMirrors() {
    for (const Mirror& mirror : after_.mirrors) {
      const Mirror* old = before_.FindMirror(mirror.name);
      if (old == nullptr) {
        Add(ChangeKind::kBackfill, mirror.position, "mirror {} is new and is written for all {}",
            mirror.name, mirror.of->name);
        continue;
      }
      CompareForms(*old, mirror);
      if (old->include != mirror.include || Text(old->when) != Text(mirror.when))
        Add(ChangeKind::kBackfill, mirror.position, "mirror {} holds something else", mirror.name);
    }
    for (const Mirror& mirror : before_.mirrors) {
      if (after_.FindMirror(mirror.name) == nullptr)
        Add(ChangeKind::kBackfill, {}, "mirror {} is gone, and its items are removed", mirror.name);
    }
  }

  template <typename Calls>
  void CompareCalls(std::string_view what, const Calls& was, const Calls& is) {
    for (const auto& call : is) {
      const auto* old = FindNamed(was, call.name);
      if (old == nullptr) {
        Add(ChangeKind::kFree, call.position, "{} {} is new", what, call.name);
      } else if (!std::ranges::equal(old->parameters, call.parameters, {}, &Parameter::name,
                                     &Parameter::name)) {
        Add(ChangeKind::kBreaking, call.position, "{} {} has other parameters", what, call.name);
      }
    }
    for (const auto& call : was) {
      if (FindNamed(is, call.name) == nullptr)
        Add(ChangeKind::kBreaking, {}, "{} {} is gone", what, call.name);
    }
  }

  const Model& before_;
  const Model& after_;
  std::vector<DesignChange> changes_;
};

}  // namespace

std::string_view Word(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kFree:
      return "free";
    case ChangeKind::kTable:
      return "table";
    case ChangeKind::kBackfill:
      return "backfill";
    case ChangeKind::kRekey:
      return "re-key";
    case ChangeKind::kBreaking:
      return "breaking";
  }
  return "";
}

std::vector<DesignChange> Compare(const Model& before, const Model& after) {
  return Comparison(before, after).Run();
}

}  // namespace trestle::design
