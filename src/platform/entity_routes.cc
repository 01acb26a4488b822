// One item of an entity: created, read, changed and deleted.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "platform/design_routes_internal.h"
#include "platform/etag.h"
#include "platform/item_json.h"
#include "platform/json_record.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

const design::Entity& EntityOf(const Call& call) {
  return *std::get<const design::Entity*>(call.route().subject);
}

Fields FieldsOf(const design::Entity& entity) { return {entity.attributes, NameStyle::kAsWritten}; }

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

// The body, without the lock: the server counts.
Result<json::Tree::Object> BodyOf(const Call& call) {
  json::Tree::Object body = TRY(call.Body());
  const std::string& lock = call.runtime().model().table.lock;
  const bool has_lock = !lock.empty() && EntityOf(call).FindAttribute(lock) == nullptr &&
                        std::ranges::find(body, lock, &json::Member::name) != body.end();
  if (!has_lock) return body;
  return FieldError({.field = "/" + lock,
                     .message = "is counted by the server; send it as If-Match",
                     .code = "read-only"});
}

Status NotFound(const design::Entity& entity) {
  return Error(ErrorCode::kResourceNotFound, fmt::format("there is no such {}", entity.name));
}

// Answers with an item: its body and its tag.
void Show(Call& call, const design::TypedItem& item, json::Writer& reply) {
  const std::string body = ItemBody(call.runtime().model(), item);
  call.AddHeader("ETag", MakeEntityTag(item.version, body));
  reply.Raw(body);
}

Error ChangedMeanwhile(Call& call, const design::TypedItem& current) {
  const std::string body = ItemBody(call.runtime().model(), current);
  call.AddHeader("ETag", MakeEntityTag(current.version, body));
  return ProblemError("version-mismatch",
                      "somebody has changed it since; ETag is the version that it has now");
}

// What If-Match asks of the item as it is. The version that it finds guards the write itself.
Result<design::WriteOptions> Precondition(Call& call, const design::Record& identity) {
  design::WriteOptions options;
  const auto header = call.Header("If-Match");
  if (!header) return options;
  const EntityTags tags = TRY(ParseEntityTags(*header));
  const auto current = TRY(call.runtime().Get(EntityOf(call), identity));
  if (!current) return ProblemError("version-mismatch", "it is not there");
  const std::string tag =
      MakeEntityTag(current->version, ItemBody(call.runtime().model(), *current));
  if (!AllowsChange(tags, tag)) return ChangedMeanwhile(call, *current);
  if (!tags.is_any) options.expected_version = current->version;
  return options;
}

// Why a write failed: a version that was right a moment ago may have been overtaken.
Error Explained(Call& call, const Error& error, const design::Record& identity,
                const design::WriteOptions& options) {
  if (error.code() != ErrorCode::kConditionalCheckFailed || !options.expected_version) return error;
  const auto current = call.runtime().Get(EntityOf(call), identity);
  if (!current.ok() || !*current || (*current)->version == options.expected_version) return error;
  return ChangedMeanwhile(call, **current);
}

// The item that the path names must be the one that the body names, where it does.
Status AddIdentity(const design::Record& identity, design::Record& attributes) {
  for (const auto& [name, value] : identity.attributes()) {
    const auto given = attributes.Find(name);
    if (given && given->bytes() != value) {
      return FieldError(
          {.field = name, .message = "must be what the address says", .code = "mismatch"});
    }
    attributes.Set(name, value);
  }
  return Ok();
}

}  // namespace

Status CreateItem(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const json::Tree::Object body = TRY(BodyOf(call));
  const design::Record attributes = TRY(RecordFromJson(body, FieldsOf(entity)));
  const auto created = call.runtime().Create(entity, attributes);
  if (!created.ok()) {
    const Error& error = created.error();
    if (error.code() != ErrorCode::kConditionalCheckFailed) return error;
    return ProblemError("already-exists", error.message());
  }
  call.SetStatus(201);
  call.AddHeader("Location", ItemAddress(call.app(), entity, created->record));
  Show(call, *created, reply);
  return Ok();
}

Status GetItem(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const design::Record identity = TRY(IdentityOf(call));
  const auto found = call.runtime().Get(entity, identity);
  if (!found.ok()) return OfParameters(found.error());
  if (!*found) return NotFound(entity);

  const std::string body = ItemBody(call.runtime().model(), **found);
  const std::string tag = MakeEntityTag((*found)->version, body);
  call.AddHeader("ETag", tag);
  if (const auto header = call.Header("If-None-Match")) {
    const EntityTags tags = TRY(ParseEntityTags(*header));
    if (Contains(tags, tag)) {
      call.SetStatus(304);
      return Ok();
    }
  }
  reply.Raw(body);
  return Ok();
}

Status PutItem(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const design::Record identity = TRY(IdentityOf(call));
  const json::Tree::Object body = TRY(BodyOf(call));
  design::Record attributes = TRY(RecordFromJson(body, FieldsOf(entity)));
  TRY(AddIdentity(identity, attributes));
  const design::WriteOptions options = TRY(Precondition(call, identity));

  const auto none_match = call.Header("If-None-Match");
  if (none_match && *none_match != "*") {
    return ValidationError("If-None-Match of a PUT can only be *");
  }
  const auto current = TRY(call.runtime().Get(entity, identity));
  if (none_match && current) return ChangedMeanwhile(call, *current);
  const auto stored = none_match ? call.runtime().Create(entity, attributes, options)
                                 : call.runtime().Upsert(entity, attributes, options);
  if (!stored.ok()) return Explained(call, stored.error(), identity, options);
  if (!current) {
    call.SetStatus(201);
    call.AddHeader("Location", ItemAddress(call.app(), entity, stored->record));
  }
  Show(call, *stored, reply);
  return Ok();
}

Status PatchItem(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Entity& entity = EntityOf(call);
  const design::Record identity = TRY(IdentityOf(call));
  const json::Tree::Object body = TRY(BodyOf(call));
  const design::Changes changes = TRY(ChangesFromJson(body, FieldsOf(entity)));
  const design::WriteOptions options = TRY(Precondition(call, identity));
  const auto changed = call.runtime().Update(entity, identity, changes, options);
  if (!changed.ok()) return Explained(call, changed.error(), identity, options);
  // An item that moved has another address now.
  const std::string address = ItemAddress(call.app(), entity, changed->record);
  if (address != ItemAddress(call.app(), entity, identity)) {
    call.AddHeader("Content-Location", address);
  }
  Show(call, *changed, reply);
  return Ok();
}

Status DeleteItem(Call& call, json::Writer& /*reply*/) {
  TRY(CheckQuery(call, {}));
  const design::Record identity = TRY(IdentityOf(call));
  const design::WriteOptions options = TRY(Precondition(call, identity));
  const auto deleted = call.runtime().Delete(EntityOf(call), identity, options);
  if (!deleted.ok()) {
    return OfParameters(Explained(call, deleted.error(), identity, options));
  }
  call.SetStatus(204);
  return Ok();
}

}  // namespace trestle::platform
