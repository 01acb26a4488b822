#include <utility>

#include "design/condition.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/write_plan_internal.h"
#include "design/writer_internal.h"

// Create, Upsert, Get, Update and Delete of one item.

namespace trestle::design {
namespace {

// The first item of a batch's result is the caller's; children that move come behind it.
Result<TypedItem> First(Result<std::vector<TypedItem>> items) {
  std::vector<TypedItem> all = TRY(std::move(items));
  return std::move(all.front());
}

ValueSources WithArguments(ValueSources sources, const WriteOptions& options,
                           std::vector<Parameter>& parameters) {
  if (options.arguments == nullptr) return sources;
  for (const auto& [name, value] : options.arguments->attributes())
    parameters.push_back({.name = std::string(name)});
  sources.parameters = parameters;
  sources.arguments = options.arguments;
  return sources;
}

bool HasIdentity(const Entity& entity, const Record& attributes) {
  for (const std::string& name : entity.identity)
    if (!attributes.Find(name)) return false;
  return true;
}

}  // namespace

Changes SetAll(const Record& attributes) {
  Changes changes;
  changes.set.reserve(attributes.attributes().size());
  for (const auto& [name, value] : attributes.attributes())
    changes.set.push_back({Path{{}, {std::string(name)}}, std::string(value)});
  return changes;
}

Result<TypedItem> Runtime::Create(const Entity& entity, const Record& attributes,
                                  const WriteOptions& options) {
  Writer writer(*impl_);
  std::vector<Parameter> parameters;
  const ValueSources sources = WithArguments(impl_->Sources(), options, parameters);
  return First(writer.Commit(
      [&](const Attempt& attempt) -> Result<Batch> {
        Batch batch;
        TRY(writer.AddCreate(batch, entity, attributes, sources, attempt, options));
        return batch;
      },
      options));
}

Result<std::vector<WriteItem>> Runtime::PlanCreate(const Entity& entity, const Record& attributes,
                                                   const WriteOptions& options) {
  Batch batch;
  TRY(Writer(*impl_).AddCreate(batch, entity, attributes, impl_->Sources(), {}, options));
  const std::set<std::string> missing_parents;
  const PlanInput input{
      .model = impl_->model,
      .table = impl_->table,
      .find =
          [&](const value::Item& key) {
            return impl_->backend.Get({.table = impl_->table, .key = key, .is_consistent = true});
          },
      .missing_parents = missing_parents};
  return TRY(WritePlan::Make(input, batch.changes)).Actions();
}

Result<TypedItem> Runtime::Upsert(const Entity& entity, const Record& attributes,
                                  const WriteOptions& options) {
  Writer writer(*impl_);
  std::vector<Parameter> parameters;
  const ValueSources sources = WithArguments(impl_->Sources(), options, parameters);
  const Entity* const only = &entity;
  return First(writer.Commit(
      [&](const Attempt& attempt) -> Result<Batch> {
        Batch batch;
        std::optional<ItemState> old;
        if (HasIdentity(entity, attributes)) {
          old = TRY(writer.Load(std::span(&only, 1), attributes));
        }
        if (!old) {
          TRY(writer.AddCreate(batch, entity, attributes, sources, attempt, options));
          batch.changes.back().is_upsert = true;
          return batch;
        }
        Record next =
            TRY(impl_->validator.ForUpdate(entity, old->record, SetAll(attributes), sources,
                                           options.is_maintenance, options.fields));
        TRY(writer.AddUpdate(batch, *std::move(old), std::move(next), sources, attempt, options));
        return batch;
      },
      options));
}

Result<std::optional<TypedItem>> Runtime::Get(const Entity& entity, const Record& identity,
                                              bool is_consistent) {
  const Entity* const only = &entity;
  auto found = TRY(Writer(*impl_).Load(std::span(&only, 1), identity, is_consistent));
  if (!found) return std::optional<TypedItem>();
  return std::optional(TypedItem{.kind = {.entity = found->entity},
                                 .record = std::move(found->record),
                                 .version = VersionOf(impl_->model, found->item.view())});
}

Result<TypedItem> Runtime::Update(const Entity& entity, const Record& identity,
                                  const Changes& changes, const WriteOptions& options) {
  Writer writer(*impl_);
  std::vector<Parameter> parameters;
  const ValueSources sources = WithArguments(impl_->Sources(), options, parameters);
  const Entity* const only = &entity;
  return First(writer.Commit(
      [&](const Attempt& attempt) -> Result<Batch> {
        Batch batch;
        auto old = TRY(writer.Load(std::span(&only, 1), identity));
        if (!old) return NotFound(entity, identity);
        Changes wanted = changes;
        if (options.rule) TRY(options.rule(old->record, wanted));
        Record next = TRY(impl_->validator.ForUpdate(entity, old->record, wanted, sources,
                                                     options.is_maintenance, options.fields));
        TRY(writer.AddUpdate(batch, *std::move(old), std::move(next), sources, attempt, options));
        return batch;
      },
      options));
}

Result<TypedItem> Runtime::Delete(const Entity& entity, const Record& identity,
                                  const WriteOptions& options) {
  Writer writer(*impl_);
  std::vector<Parameter> parameters;
  const ValueSources sources = WithArguments(impl_->Sources(), options, parameters);
  const Entity* const only = &entity;
  return First(writer.Commit(
      [&](const Attempt& attempt) -> Result<Batch> {
        Batch batch;
        auto old = TRY(writer.Load(std::span(&only, 1), identity));
        if (!old) return NotFound(entity, identity);
        TRY(writer.AddDelete(batch, *std::move(old), sources, attempt, options));
        return batch;
      },
      options));
}

}  // namespace trestle::design
