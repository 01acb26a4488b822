// Runtime::Run for access patterns: what each kind of them comes down to.

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "design/arguments.h"
#include "design/query_run.h"
#include "design/recognise.h"
#include "design/runtime.h"
#include "design/runtime_internal.h"
#include "design/values.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

TypedPage PageOf(TypedItem item) {
  TypedPage page;
  page.items.push_back(std::move(item));
  return page;
}

// Those of `from` that have one of these names.
Record Only(const Record& from, const std::vector<std::string>& names) {
  Record only;
  for (const std::string& name : names)
    if (const auto value = from.Find(name)) only.Set(name, std::string(value->bytes()));
  return only;
}

// What an access that is no query does.
struct AccessRun {
  Runtime& runtime;
  const Access& access;
  const Record& arguments;
  const PageOptions& options;
  std::int64_t now_unix_ms;

  // An item by the key that its first form composes; entities of a group share it.
  Result<TypedPage> ReadByKey(const KeyForm& form, const Record& values, bool is_consistent) const {
    const Table& table = runtime.model().table;
    Record key;
    key.SetText(table.partition_key, TRY(form.partition_key.Compose(values)));
    if (form.sort_key) key.SetText(table.sort_key, TRY(form.sort_key->Compose(values)));
    auto item = TRY(runtime.backend().Get(
        {.table = runtime.table(), .key = key.ToItem(), .is_consistent = is_consistent}));
    auto typed = item ? Recognise(runtime.model(), *std::move(item)) : std::nullopt;
    if (!typed || std::ranges::find(access.results, typed->kind) == access.results.end())
      return TypedPage{};
    return PageOf(*std::move(typed));
  }

  Result<TypedPage> operator()(const Get& get) const {
    const Record values = TRY(CheckArguments(runtime.model(), access, arguments));
    const KindReference& kind = access.results.front();
    const auto& keys = kind.kind().keys;
    if (kind.mirror != nullptr || (kind.entity->identity_via == nullptr && keys.size() == 1))
      return ReadByKey(keys.front(), values, get.is_consistent);
    auto found =
        TRY(runtime.Get(*kind.entity, Only(values, kind.entity->identity), get.is_consistent));
    return found ? PageOf(*std::move(found)) : TypedPage{};
  }

  Result<TypedPage> operator()(const Query& query) const {
    const Record values = TRY(CheckArguments(runtime.model(), access, arguments));
    const QueryPlace place{.model = runtime.model(),
                           .backend = runtime.backend(),
                           .table = runtime.table(),
                           .now_unix_ms = now_unix_ms};
    return RunQuery(place, access, query, values, options);
  }

  Result<TypedPage> operator()(const Create&) const {
    return PageOf(TRY(runtime.Create(*access.results.front().entity, arguments)));
  }

  // What names the item says which; everything else is what changes.
  Result<TypedPage> operator()(const Update&) const {
    const Entity& entity = *access.results.front().entity;
    Changes changes;
    for (const auto& [name, value] : arguments.attributes())
      if (std::ranges::find(entity.identity, name) == entity.identity.end())
        changes.set.push_back({Path{{}, {std::string(name)}}, std::string(value)});
    return PageOf(TRY(runtime.Update(entity, Only(arguments, entity.identity), changes)));
  }

  Result<TypedPage> operator()(const Delete&) const {
    const Entity& entity = *access.results.front().entity;
    return PageOf(TRY(runtime.Delete(entity, Only(arguments, entity.identity))));
  }

  Result<TypedPage> operator()(const External& external) const {
    return ValidationError(fmt::format("{} is answered by {}", access.name, external.by));
  }
};

}  // namespace

Result<TypedPage> Runtime::Run(const Access& access, const Record& arguments,
                               const PageOptions& options) {
  const AccessRun run{*this, access, arguments, options, impl_->clock.NowUnixMs()};
  return std::visit(run, access.action);
}

}  // namespace trestle::design
