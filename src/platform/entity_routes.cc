// One item of an entity: created, read, changed and deleted.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "platform/design_routes_internal.h"
#include "platform/item_json.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

const design::Entity& EntityOf(const Call& call) {
  return *std::get<const design::Entity*>(call.route().subject);
}

// The attributes that the path names, one per segment.
Result<design::Record> IdentityOf(const Call& call) {
  const design::Entity& entity = EntityOf(call);
  design::Record identity;
  for (std::size_t i = 0; i < entity.identity.size(); ++i) {
    const std::string& name = entity.identity[i];
    const design::Attribute* attribute = entity.FindAttribute(name);
    auto value = ValueFromText(call.path_values()[i], attribute->type);
    if (!value.ok()) {
      return FieldError({.field = "?" + name, .message = value.error().message(), .code = "type"});
    }
    identity.Set(name, *std::move(value));
  }
  return identity;
}

// The item that the path names must be the one that the body names, where it does.
Status AddIdentity(const design::Record& identity, design::Record& attributes) {
  for (const auto& [name, value] : identity.attributes()) {
    const auto given = attributes.Find(name);
    if (given && given->bytes() != value) {
      return FieldError({.field = std::string(name),
                         .message = "must be what the address says",
                         .code = "mismatch"});
    }
    attributes.Set(name, value);
  }
  return Ok();
}

}  // namespace

Status PostEntity(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const design::Record attributes = TRY(NewItem(call, entity.name));
  const design::TypedItem created = TRY(CreateItem(call, entity.name, attributes));
  return ReplyCreated(call, created, ItemPath(entity, created.record), reply);
}

Status GetEntity(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const auto found = call.runtime().Get(entity, TRY(IdentityOf(call)));
  if (!found.ok()) return OfParameters(found.error());
  if (!*found) return NotFound(entity.name);
  return ReplyItem(call, **found, reply);
}

Status PutEntity(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const design::Record identity = TRY(IdentityOf(call));
  design::Record attributes = TRY(NewItem(call, entity.name));
  TRY(AddIdentity(identity, attributes));
  const auto none_match = call.Header("If-None-Match");
  if (none_match && *none_match != "*") {
    return ValidationError("If-None-Match of a PUT can only be *");
  }
  const auto current = TRY(call.runtime().Get(entity, identity));
  if (none_match && current) return ChangedMeanwhile(call, *current);
  const design::TypedItem stored =
      TRY(none_match ? CreateItem(call, entity.name, attributes)
                     : UpsertItem(call, entity.name, identity, attributes));
  if (!current) return ReplyCreated(call, stored, ItemPath(entity, stored.record), reply);
  return ReplyItem(call, stored, reply);
}

Status PatchEntity(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const design::Record identity = TRY(IdentityOf(call));
  const design::Changes changes = TRY(ItemChanges(call, entity.name));
  const design::TypedItem changed = TRY(UpdateItem(call, entity.name, identity, changes));
  // An item that moved has another address now.
  const std::string path = ItemPath(entity, changed.record);
  if (path != ItemPath(entity, identity)) {
    call.AddHeader("Content-Location", MountPath(call.app()) + path);
  }
  return ReplyItem(call, changed, reply);
}

Status DeleteEntity(Call& call, json::Writer& /*reply*/) {
  TRY(CheckQuery(call, {}));
  const auto deleted = DeleteItem(call, EntityOf(call).name, TRY(IdentityOf(call)));
  if (!deleted.ok()) return OfParameters(deleted.error());
  return ReplyNothing(call);
}

}  // namespace trestle::platform
