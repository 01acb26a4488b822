#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "design/arguments.h"
#include "design/condition.h"
#include "design/condition_words.h"
#include "design/query_run.h"
#include "design/stored_item.h"
#include "design/syntax/template_text.h"
#include "design/write_plan_internal.h"
#include "design/writer_internal.h"

// Operations: several steps as one transaction, or one after the other when they are `eventual`.

namespace trestle::design {
namespace {

// The steps of one operation, gathered into one batch. An item that several steps are about is
// changed once.
class Steps {
 public:
  Steps(RuntimeState& state, Writer& writer, const Operation& operation, const Record& arguments,
        const Attempt& attempt)
      : state_(state), writer_(writer), operation_(operation), attempt_(attempt) {
    sources_ = state.Sources();
    sources_.parameters = operation.parameters;
    sources_.arguments = &arguments;
  }

  [[nodiscard]] Batch TakeBatch() && { return std::move(batch_); }

  Status Add(const Step& step) {
    return std::visit([&](const auto& it) { return Add(step, it); }, step.is);
  }

  // `each`, for one of the items that its access has found.
  Status AddEach(const syntax::OperationStep& each, const TypedItem& found) {
    const Entity* entity = &found.kind.of();
    auto current = TRY(Find(std::span(&entity, 1), found.record));
    if (!current) return Ok();  // gone since it was found
    if (const auto* update = std::get_if<syntax::EachUpdateStep>(&each)) {
      return AddUpdate(*std::move(current), update->changes, update->where);
    }
    return AddDelete(*std::move(current), std::get<syntax::EachDeleteStep>(each).where);
  }

  // All items that the access of an `each` finds.
  template <typename Use>
  Status ForEachFound(const Step& step, const Use& use) const {
    const Access& access = *step.access;
    const auto* query = std::get_if<Query>(&access.action);
    if (query == nullptr) return ValidationError("each needs an access that queries");
    const Record arguments = TRY(ArgumentsOf(access, ReferenceOf(step)));
    const QueryPlace place{.model = state_.model,
                           .backend = state_.backend,
                           .table = state_.table,
                           .now_unix_ms = sources_.now_unix_ms};
    PageOptions options{.limit = 100};
    do {
      TypedPage page = TRY(RunQuery(place, access, *query, arguments, options));
      for (const TypedItem& item : page.items)
        TRY(use(item));
      options.cursor = std::move(page.cursor);
    } while (!options.cursor.empty());
    return Ok();
  }

  // Of the items of the steps that are added from now on.
  void Expect(std::optional<std::int64_t> version) { expected_version_ = version; }

 private:
  static const syntax::ItemReference& ReferenceOf(const Step& each) {
    const auto* update = std::get_if<syntax::EachUpdateStep>(&each.is);
    return update != nullptr ? update->access : std::get<syntax::EachDeleteStep>(each.is).access;
  }

  [[nodiscard]] Result<Record> ArgumentsOf(const Access& access,
                                           const syntax::ItemReference& reference) const {
    Record values;
    for (std::size_t i = 0; i < access.parameters.size() && i < reference.arguments.size(); ++i) {
      auto value = TRY(Evaluate(reference.arguments[i], access.parameters[i].type, sources_));
      if (value) values.Set(access.parameters[i].name, *std::move(value));
    }
    return CheckArguments(state_.model, access, values);
  }

  Status Add(const Step& step, const syntax::CreateStep& it) {
    const Entity& entity = *step.entities.front();
    const Record given = TRY(Given(entity, it.attributes));
    return AddNew(entity, given, it.where, false);
  }

  Status Add(const Step& step, const syntax::UpsertStep& it) {
    const Entity& entity = *step.entities.front();
    const Record given = TRY(Given(entity, it.attributes));
    const bool has_identity = std::ranges::all_of(
        entity.identity, [&](const std::string& name) { return given.Find(name).has_value(); });
    std::optional<ItemState> current;
    if (has_identity) current = TRY(Find(step.entities, given));
    if (!current) return AddNew(entity, given, it.where, true);
    return AddChanges(*std::move(current), SetAll(given), it.where);
  }

  Status Add(const Step& step, const syntax::UpdateStep& it) {
    auto current = TRY(MustFind(step, it.item));
    return AddUpdate(std::move(current), it.changes, it.where);
  }

  Status Add(const Step& step, const syntax::DeleteStep& it) {
    auto current = TRY(MustFind(step, it.item));
    return AddDelete(std::move(current), it.where);
  }

  // An item that is not there and can be made of its identity and defaults begins with it.
  Status Add(const Step& step, const syntax::IncrementStep& it) {
    const Entity& entity = *step.entities.front();
    const Record identity = TRY(IdentityOf(step, it.item));
    const auto by = TRY(Evaluate(it.by, TypeAt(entity.attributes, it.attribute), sources_));
    if (!by) return ValidationError(fmt::format("{} has no number", PathText(it.attribute)));
    auto current = TRY(Find(step.entities, identity));
    if (current) {
      Changes changes;
      changes.increment.push_back({it.attribute, *by});
      return AddChanges(*std::move(current), changes, it.where);
    }
    Record given = identity;
    given.Set(it.attribute, *by);
    if (!state_.validator.ForCreate(entity, given, sources_).ok()) {
      return NotFound(entity, identity);
    }
    return AddNew(entity, given, it.where, true);
  }

  Status Add(const Step& step, const syntax::CheckStep& it) {
    auto current = TRY(MustFind(step, it.item));
    Record same = current.record;
    return AddNext(std::move(current), std::move(same), &it.where);
  }

  Status Add(const Step& step, const syntax::EachUpdateStep&) { return AddFound(step); }
  Status Add(const Step& step, const syntax::EachDeleteStep&) { return AddFound(step); }

  Status AddFound(const Step& step) {
    return ForEachFound(step, [&](const TypedItem& item) { return AddEach(step.is, item); });
  }

  [[nodiscard]] Result<Record> Given(const Entity& entity,
                                     const std::vector<syntax::Assign>& assigns) const {
    Record given;
    for (const syntax::Assign& assign : assigns) {
      auto value = TRY(ValueOf(entity, assign));
      if (value) given.Set(assign.attribute, *std::move(value));
    }
    return given;
  }

  [[nodiscard]] Result<std::optional<std::string>> ValueOf(const Entity& entity,
                                                           const syntax::Assign& assign) const {
    const ValueType& type = TypeAt(entity.attributes, assign.attribute);
    if (assign.value) return Evaluate(*assign.value, type, sources_);
    return Evaluate(syntax::Value{{}, syntax::NameValue{assign.attribute}}, type, sources_);
  }

  [[nodiscard]] Result<Changes> ChangesOf(const Entity& entity, const Record& now,
                                          const std::vector<syntax::Change>& list) const {
    ValueSources sources = sources_;
    sources.item = &now;
    Changes changes;
    for (const syntax::Change& change : list) {
      if (const auto* assign = std::get_if<syntax::Assign>(&change)) {
        const ValueType& type = TypeAt(entity.attributes, assign->attribute);
        const syntax::Value name{{}, syntax::NameValue{assign->attribute}};
        auto value = TRY(Evaluate(assign->value ? *assign->value : name, type, sources));
        if (value) {
          changes.set.push_back({assign->attribute, *std::move(value)});
        } else {
          changes.remove.push_back(assign->attribute);
        }
      } else if (const auto* remove = std::get_if<syntax::Remove>(&change)) {
        changes.remove.push_back(remove->attribute);
      } else if (const auto* append = std::get_if<syntax::Append>(&change)) {
        TRY(AddElement(entity, append->attribute, append->value, sources, changes.append));
      } else if (const auto* drop = std::get_if<syntax::Drop>(&change)) {
        TRY(AddElement(entity, drop->attribute, drop->value, sources, changes.drop));
      }
    }
    return changes;
  }

  static Status AddElement(const Entity& entity, const Path& path, const syntax::Value& of,
                           const ValueSources& sources, std::vector<Changes::Set>& elements) {
    const ValueType& list = TypeAt(entity.attributes, path);
    const ValueType any{.kind = TypeKind::kAny};
    auto value = TRY(Evaluate(of, list.element.empty() ? any : list.element.front(), sources));
    if (!value) return ValidationError(fmt::format("{} has no value", PathText(path)));
    elements.push_back({path, *std::move(value)});
    return Ok();
  }

  [[nodiscard]] Result<Record> IdentityOf(const Step& step,
                                          const syntax::ItemReference& reference) const {
    const Entity& entity = *step.entities.front();
    Record identity;
    for (std::size_t i = 0; i < entity.identity.size() && i < reference.arguments.size(); ++i) {
      const Path path{{}, {entity.identity[i]}};
      auto value = TRY(Evaluate(reference.arguments[i], TypeAt(entity.attributes, path), sources_));
      if (value) identity.Set(path, *std::move(value));
    }
    return identity;
  }

  // The item as earlier steps have left it.
  Result<std::optional<ItemState>> Find(std::span<const Entity* const> entities,
                                        const Record& identity) {
    for (const EntityChange& change : batch_.changes) {
      const bool is_one = std::ranges::find(entities, change.entity) != entities.end();
      const Record* now = change.next ? &*change.next : change.old ? &change.old->record : nullptr;
      if (!is_one || now == nullptr) continue;
      const bool is_same = std::ranges::all_of(change.entity->identity, [&](const auto& name) {
        const auto left = now->Find(name);
        const auto right = identity.Find(name);
        return left && right && *left == *right;
      });
      if (!is_same) continue;
      if (!change.next) return std::optional<ItemState>();
      return std::optional(
          ItemState{change.old ? change.old->item : value::Item(), *change.next, change.entity});
    }
    return writer_.Load(entities, identity);
  }

  Result<ItemState> MustFind(const Step& step, const syntax::ItemReference& reference) {
    const Record identity = TRY(IdentityOf(step, reference));
    auto found = TRY(Find(step.entities, identity));
    if (!found) return NotFound(*step.entities.front(), identity);
    return *std::move(found);
  }

  [[nodiscard]] WriteOptions OptionsFor(const Condition* where) const {
    return {.expected_version = expected_version_, .where = where, .arguments = sources_.arguments};
  }

  static const Condition* Pointer(const std::optional<Condition>& where) {
    return where ? &*where : nullptr;
  }

  Status AddNew(const Entity& entity, const Record& given, const std::optional<Condition>& where,
                bool is_upsert) {
    TRY(writer_.AddCreate(batch_, entity, given, sources_, attempt_, OptionsFor(Pointer(where))));
    batch_.changes.back().is_upsert = is_upsert;
    return Ok();
  }

  Status AddUpdate(ItemState current, const std::vector<syntax::Change>& list,
                   const std::optional<Condition>& where) {
    const Changes changes = TRY(ChangesOf(*current.entity, current.record, list));
    return AddChanges(std::move(current), changes, where);
  }

  Status AddChanges(ItemState current, const Changes& changes,
                    const std::optional<Condition>& where) {
    Record next =
        TRY(state_.validator.ForUpdate(*current.entity, current.record, changes, sources_, false));
    return AddNext(std::move(current), std::move(next), Pointer(where));
  }

  Status AddNext(ItemState current, Record next, const Condition* where) {
    EntityChange* before = FindBefore(current);
    if (before != nullptr) {
      ValueSources of_where = sources_;
      of_where.identifiers = nullptr;
      const ConditionScope scope{.attributes = current.entity->attributes, .sources = of_where};
      if (where != nullptr && !Evaluate(*where, current.record, scope)) {
        return Error(
            ErrorCode::kConditionalCheckFailed,
            fmt::format("{}: it does not hold that {}", ItemWords(*current.entity, current.record),
                        ConditionWords(*where)));
      }
      before->next = std::move(next);
      return Ok();
    }
    return writer_.AddUpdate(batch_, std::move(current), std::move(next), sources_, attempt_,
                             OptionsFor(where));
  }

  Status AddDelete(ItemState current, const std::optional<Condition>& where) {
    if (FindBefore(current) != nullptr) {
      return ValidationError(
          fmt::format("{} both changes and deletes a {}", operation_.name, current.entity->name));
    }
    return writer_.AddDelete(batch_, std::move(current), sources_, attempt_,
                             OptionsFor(Pointer(where)));
  }

  // The change that an earlier step has made of the same item.
  EntityChange* FindBefore(const ItemState& current) {
    const auto key = KeyOf(state_.model, *current.entity, current.record);
    const auto found = std::ranges::find_if(batch_.changes, [&](const EntityChange& change) {
      if (!key.ok() || !change.next) return false;
      const auto own = KeyOf(state_.model, *change.entity, *change.next);
      return own.ok() && *own == *key;
    });
    return found == batch_.changes.end() ? nullptr : &*found;
  }

  RuntimeState& state_;
  Writer& writer_;
  const Operation& operation_;
  const Attempt& attempt_;
  ValueSources sources_;
  std::optional<std::int64_t> expected_version_;
  Batch batch_;
};

// Step by step, and item by item of an `each`. What joins the transaction joins the last one, so
// that it is there when all is done.
Result<std::vector<TypedItem>> RunEventually(RuntimeState& state, const Operation& operation,
                                             const Record& arguments, const WriteOptions& options) {
  Writer writer(state);
  std::vector<TypedItem> all;
  const auto commit = [&](const auto& add, const WriteOptions& with) -> Status {
    const Writer::Prepare prepare = [&](const Attempt& attempt) -> Result<Batch> {
      Steps steps(state, writer, operation, arguments, attempt);
      TRY(add(steps));
      return std::move(steps).TakeBatch();
    };
    std::vector<TypedItem> items = TRY(writer.Commit(prepare, with));
    std::ranges::move(items, std::back_inserter(all));
    return Ok();
  };
  for (const Step& step : operation.steps) {
    if (step.access == nullptr) {
      TRY(commit([&](Steps& steps) { return steps.Add(step); }, WriteOptions{}));
      continue;
    }
    const Attempt first;
    const Steps steps(state, writer, operation, arguments, first);
    const auto one = [&](const TypedItem& item) {
      return commit([&](Steps& of_it) { return of_it.AddEach(step.is, item); }, WriteOptions{});
    };
    TRY(steps.ForEachFound(step, one));
  }
  if (!options.together_with.empty()) TRY(commit([](Steps&) { return Ok(); }, options));
  return all;
}

}  // namespace

Result<std::vector<TypedItem>> Runtime::Run(const Operation& operation, const Record& arguments,
                                            const WriteOptions& options) {
  const Record checked = TRY(impl_->validator.Arguments(operation.parameters, arguments));
  if (operation.is_eventual) return RunEventually(*impl_, operation, checked, options);
  Writer writer(*impl_);
  return writer.Commit(
      [&](const Attempt& attempt) -> Result<Batch> {
        Steps steps(*impl_, writer, operation, checked, attempt);
        for (const Step& step : operation.steps) {
          if (&step == &operation.steps.back()) steps.Expect(options.expected_version);
          TRY(steps.Add(step));
        }
        return std::move(steps).TakeBatch();
      },
      options);
}

}  // namespace trestle::design
