#include "platform/items.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "design/stored_item.h"
#include "design/validate.h"
#include "platform/address.h"
#include "platform/etag.h"
#include "platform/item_json.h"
#include "platform/json_record.h"
#include "platform/pictures.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "platform/whole_body.h"

namespace trestle::platform {
namespace {

constexpr ItemView kPlainView{.entity = ""};

const ItemView& ViewOf(const App& app, std::string_view entity) {
  const auto found = std::ranges::find(app.views, entity, &ItemView::entity);
  return found == app.views.end() ? kPlainView : *found;
}

std::string BodyOf(const Call& call, const design::TypedItem& item) {
  std::string body;
  json::Writer writer(body);
  WriteItem(call, item, writer);
  return body;
}

std::string TagOf(const Call& call, const design::TypedItem& item) {
  return MakeEntityTag(item.version, BodyOf(call, item));
}

Fields FieldsOf(const Call& call, const design::Entity& entity) {
  return Fields(entity.attributes, call.app().names, call.app().texts);
}

// The attributes that a caller may give. What else the body names is unknown, or read-only.
Status CheckGiven(const Call& call, const design::Entity& entity, const json::Tree::Object& body) {
  const ItemView& view = ViewOf(call.app(), entity.name);
  const NameStyle style = call.app().names;
  auto details = std::make_shared<ErrorDetails>();
  const auto fail = [&](const json::Member& member, std::string message, std::string code) {
    details->fields.push_back(
        {.field = "/" + member.name, .message = std::move(message), .code = std::move(code)});
  };
  for (const json::Member& member : body) {
    const auto is_it = [&](const design::Attribute& attribute) {
      return FieldName(attribute.name, style) == member.name;
    };
    const auto found = std::ranges::find_if(entity.attributes, is_it);
    const bool is_lock = member.name == FieldName(call.runtime().model().table.lock, style) &&
                         found == entity.attributes.end();
    if (is_lock) {
      fail(member, "is counted by the server; send it as If-Match", "read-only");
    } else if (found == entity.attributes.end() || Lists(view.hidden, found->name)) {
      fail(member, "is not known here", "unknown-field");
    } else if (Lists(view.read_only, found->name)) {
      fail(member, "is set by the server", "read-only");
    } else if (const auto* text = member.value.As<std::string>();
               text != nullptr && IsUploaded(*text) &&
               ShowsPicture(call.app(), entity.name, found->name)) {
      fail(member, std::string(kPictureGiven), "read-only");
    }
  }
  if (details->fields.empty()) return Ok();
  return Error(ErrorCode::kValidation, "fields that cannot be given", std::move(details));
}

// The app's own rules of fields join those of the handler.
void AddRules(const ItemView& view, design::WriteOptions& options) {
  if (view.check == nullptr) return;
  options.fields = [check = view.check, own = std::move(options.fields)](
                       const design::Record& now, const design::Record& next,
                       std::vector<FieldFailure>& failures) {
    check(now, next, failures);
    if (own) own(now, next, failures);
  };
}

// What is wrong with a body beside `first`. Keys that the path names and what callers cannot give
// are the handler's to add; of changes nothing is missing, and a map has its other members already.
Error AllWrong(const Call& call, const Error& first, const design::Entity& entity,
               const json::Tree::Object& body, bool is_new) {
  const ItemView& view = ViewOf(call.app(), entity.name);
  const NameStyle style = call.app().names;
  const BodyCheck others{
      .check = [&](const design::Record& readable) -> Status {
        design::WriteOptions options;
        AddRules(view, options);
        design::Record given = readable;
        if (view.normalise != nullptr) view.normalise(given);
        const auto planned = call.runtime().PlanCreate(entity, given, options);
        if (planned.ok()) return Ok();
        if (is_new || planned.error().details() == nullptr) return planned.error();
        auto details = std::make_shared<ErrorDetails>(*planned.error().details());
        std::erase_if(details->fields, [](const FieldFailure& failure) {
          return failure.code == "required" && failure.field.find('.') != std::string::npos;
        });
        return Error(planned.error().code(), planned.error().message(), std::move(details));
      },
      .is_callers =
          [&](std::string_view name, bool is_given) {
            const auto found =
                std::ranges::find_if(entity.attributes, [&](const design::Attribute& attribute) {
                  return FieldName(attribute.name, style) == name;
                });
            if (found == entity.attributes.end()) return false;
            const bool is_open =
                !Lists(view.hidden, found->name) && !Lists(view.read_only, found->name);
            const bool is_of_path =
                !call.path_values().empty() && design::IsKeyPart(entity, found->name);
            return is_open && (is_given || (is_new && !is_of_path));
          }};
  return WithOtherFailures(first, body, FieldsOf(call, entity), others);
}

// Whether who changes an item must say which version of it they have seen: where the operator wants
// that, and its address can be read.
bool NeedsIfMatch(const Call& call) {
  const Route& route = call.route();
  if (!call.shared().requires_if_match || route.method == "POST") return false;
  return std::ranges::any_of(call.app().routes, [&](const Route& other) {
    return other.method == "GET" && other.path == route.path && !other.shows.empty();
  });
}

// What If-Match asks of the item as it is. The version that it finds guards the write itself.
Status AddPrecondition(Call& call, const design::Entity& entity, const design::Record& identity,
                       design::WriteOptions& options) {
  const auto header = call.Header("If-Match");
  if (!header && NeedsIfMatch(call) && TRY(call.runtime().Get(entity, identity))) {
    return ProblemError("precondition-required", "say which version is meant: If-Match, with ETag");
  }
  if (!header) return Ok();
  const EntityTags tags = TRY(ParseEntityTags(*header));
  const auto current = TRY(call.runtime().Get(entity, identity));
  if (!current) return ProblemError("version-mismatch", "it is not there");
  if (!AllowsChange(tags, TagOf(call, *current))) return ChangedMeanwhile(call, *current);
  if (!tags.is_any) options.expected_version = current->version;
  return Ok();
}

// Why a write failed: a version that was right a moment ago may have been overtaken.
Error Explained(Call& call, const Error& error, const design::Entity& entity,
                const design::Record& identity, const design::WriteOptions& options) {
  if (error.code() != ErrorCode::kConditionalCheckFailed || !options.expected_version) return error;
  const auto current = call.runtime().Get(entity, identity);
  if (!current.ok() || !*current || (*current)->version == options.expected_version) return error;
  return ChangedMeanwhile(call, **current);
}

// The first write of a request with an Idempotency-Key takes its record along.
template <typename Write>
auto WithRecord(Call& call, design::WriteOptions& options, const Write& write)
    -> decltype(write()) {
  TRY(call.AddRecord(options));
  auto written = write();
  if (written.ok()) call.SetWritten();
  return written;
}

std::string QuestionOf(const Call& call) {
  design::Record arguments = call.arguments();
  arguments.Remove("cursor");
  arguments.Remove("limit");
  std::string path;
  for (const std::string& value : call.path_values())
    path += fmt::format("{}/", PercentEncode(value));
  return fmt::format("{}\n{}\n{}\n{}\n{}", call.app().name, call.route().path, path,
                     call.principal() ? call.principal()->sub : "", arguments.ToItem().bytes());
}

std::string NextAddress(const Call& call, std::string_view cursor) {
  std::string address(call.path());
  char divider = '?';
  for (const auto& [name, value] : call.query()) {
    if (name == "cursor") continue;
    address += fmt::format("{}{}={}", divider, PercentEncode(name), PercentEncode(value));
    divider = '&';
  }
  return fmt::format("{}{}cursor={}", address, divider, cursor);
}

}  // namespace

design::Record TextRecord(
    std::initializer_list<std::pair<std::string_view, std::string_view>> texts) {
  design::Record record;
  for (const auto& [name, text] : texts)
    record.SetText(name, text);
  return record;
}

const design::Entity& EntityNamed(const Call& call, std::string_view name) {
  const design::Entity* entity = call.runtime().model().FindEntity(name);
  CHECK(entity != nullptr, "an entity of the app's design");
  return *entity;
}

void WriteItemMembers(const Call& call, const design::TypedItem& item, json::Writer& writer) {
  const design::Entity& entity = item.kind.of();
  const ItemView& view = ViewOf(call.app(), entity.name);
  const auto is_shown = [&](const std::string& name) {
    return !Lists(view.hidden, name) && (view.may_see == nullptr || view.may_see(call, item, name));
  };
  WriteMembers(item.record, Fields(entity.attributes, call.app().names), writer, is_shown);
  const std::string& lock = call.runtime().model().table.lock;
  if (item.version && !item.record.Find(lock)) {
    writer.Key(FieldName(lock, call.app().names));
    writer.Integer(*item.version);
  }
  if (view.add != nullptr) view.add(call, item, writer);
}

void WriteItem(const Call& call, const design::TypedItem& item, json::Writer& writer) {
  writer.BeginObject();
  WriteItemMembers(call, item, writer);
  writer.EndObject();
}

Status ReplyItem(Call& call, const design::TypedItem& item, json::Writer& reply) {
  const std::string body = BodyOf(call, item);
  const std::string tag = MakeEntityTag(item.version, body);
  call.AddHeader("ETag", tag);
  const auto header = call.Header("If-None-Match");
  if (header && call.route().method == "GET" && Contains(TRY(ParseEntityTags(*header)), tag)) {
    call.SetStatus(304);
    return Ok();
  }
  reply.Raw(body);
  return Ok();
}

Status ReplyCreated(Call& call, const design::TypedItem& item, std::string_view path,
                    json::Writer& reply) {
  call.SetStatus(201);
  call.AddHeader("Location", MountPath(call.app()) + std::string(path));
  return ReplyItem(call, item, reply);
}

Status ReplyNothing(Call& call) {
  call.SetStatus(204);
  return Ok();
}

Result<design::Record> NewItem(const Call& call, std::string_view entity) {
  const design::Entity& kind = EntityNamed(call, entity);
  const json::Tree::Object body = TRY(call.Body());
  if (const Status given = CheckGiven(call, kind, body); !given.ok()) {
    return AllWrong(call, given.error(), kind, body, true);
  }
  auto read = RecordFromJson(body, FieldsOf(call, kind));
  if (!read.ok()) return AllWrong(call, read.error(), kind, body, true);
  design::Record record = *std::move(read);
  if (const auto normalise = ViewOf(call.app(), entity).normalise) normalise(record);
  return record;
}

Result<design::Changes> ItemChanges(const Call& call, std::string_view entity) {
  const design::Entity& kind = EntityNamed(call, entity);
  const json::Tree::Object body = TRY(call.Body());
  if (const Status given = CheckGiven(call, kind, body); !given.ok()) {
    return AllWrong(call, given.error(), kind, body, false);
  }
  auto read = ChangesFromJson(body, FieldsOf(call, kind));
  if (!read.ok()) return AllWrong(call, read.error(), kind, body, false);
  design::Changes changes = *std::move(read);
  const auto normalise = ViewOf(call.app(), entity).normalise;
  for (design::Changes::Set& set : changes.set) {
    if (normalise == nullptr || set.path.parts.size() != 1) continue;
    design::Record one;
    one.Set(set.path, set.value);
    normalise(one);
    set.value = std::string(one.Find(set.path)->bytes());
  }
  return changes;
}

Error NotFound(std::string_view what) {
  return {ErrorCode::kResourceNotFound, fmt::format("there is no such {}", what)};
}

Result<design::TypedItem> GetItem(const Call& call, std::string_view entity,
                                  const design::Record& identity) {
  auto found = call.runtime().Get(EntityNamed(call, entity), identity);
  // An identity that no item can have is nobody's.
  if (!found.ok() && found.error().code() == ErrorCode::kValidation) return NotFound(entity);
  std::optional<design::TypedItem> item = TRY(std::move(found));
  if (!item) return NotFound(entity);
  return *std::move(item);
}

Result<std::vector<design::TypedItem>> GetMany(design::Runtime& runtime, std::string_view entity,
                                               std::span<const design::Record> identities,
                                               bool is_consistent) {
  const design::Entity* const kind = runtime.model().FindEntity(entity);
  CHECK(kind != nullptr, "an entity of the design");
  std::vector<value::Item> keys;
  keys.reserve(identities.size());
  for (const design::Record& identity : identities) {
    auto key = design::KeyOf(runtime.model(), *kind, identity);
    const bool is_new = key.ok() && std::ranges::find(keys, *key) == keys.end();
    if (is_new) keys.push_back(*std::move(key));
  }
  std::vector<design::TypedItem> items;
  if (keys.empty()) return items;
  items.reserve(keys.size());
  for (const value::Item& stored :
       TRY(runtime.backend().BatchGet(runtime.table(), keys, is_consistent))) {
    auto item = runtime.Recognise(stored.view());
    if (item && item->kind.entity == kind) items.push_back(*std::move(item));
  }
  return items;
}

Result<design::TypedItem> UpdateItem(Call& call, std::string_view entity,
                                     const design::Record& identity, const design::Changes& changes,
                                     design::WriteOptions options) {
  const design::Entity& kind = EntityNamed(call, entity);
  AddRules(ViewOf(call.app(), entity), options);
  TRY(AddPrecondition(call, kind, identity, options));
  auto changed = WithRecord(
      call, options, [&] { return call.runtime().Update(kind, identity, changes, options); });
  if (!changed.ok()) return Explained(call, changed.error(), kind, identity, options);
  return changed;
}

Result<design::TypedItem> DeleteItem(Call& call, std::string_view entity,
                                     const design::Record& identity, design::WriteOptions options) {
  const design::Entity& kind = EntityNamed(call, entity);
  TRY(AddPrecondition(call, kind, identity, options));
  auto deleted =
      WithRecord(call, options, [&] { return call.runtime().Delete(kind, identity, options); });
  if (!deleted.ok()) return Explained(call, deleted.error(), kind, identity, options);
  return deleted;
}

Result<design::TypedItem> UpsertItem(Call& call, std::string_view entity,
                                     const design::Record& identity,
                                     const design::Record& attributes,
                                     design::WriteOptions options) {
  const design::Entity& kind = EntityNamed(call, entity);
  AddRules(ViewOf(call.app(), entity), options);
  TRY(AddPrecondition(call, kind, identity, options));
  auto stored =
      WithRecord(call, options, [&] { return call.runtime().Upsert(kind, attributes, options); });
  if (!stored.ok()) return Explained(call, stored.error(), kind, identity, options);
  return stored;
}

Error ChangedMeanwhile(Call& call, const design::TypedItem& current) {
  call.AddHeader("ETag", TagOf(call, current));
  return ProblemError("version-mismatch",
                      "somebody has changed it since; ETag is the version that it has now");
}

Result<design::TypedItem> CreateItem(Call& call, std::string_view entity,
                                     const design::Record& attributes,
                                     design::WriteOptions options) {
  AddRules(ViewOf(call.app(), entity), options);
  auto created = WithRecord(call, options, [&] {
    return call.runtime().Create(EntityNamed(call, entity), attributes, options);
  });
  if (!created.ok() && created.error().code() == ErrorCode::kConditionalCheckFailed) {
    return ProblemError("already-exists", created.error().message());
  }
  return created;
}

Result<design::TypedPage> RunAccess(const Call& call, std::string_view access,
                                    const design::Record& arguments,
                                    const design::PageOptions& options) {
  const design::Access* found = call.runtime().model().FindAccess(access);
  CHECK(found != nullptr, "an access pattern of the app's design");
  return call.runtime().Run(*found, arguments, options);
}

design::Record IdentityOf(const design::Entity& entity, const design::Record& record) {
  design::Record identity;
  for (const std::string& name : entity.identity)
    if (const auto value = record.Find(name)) identity.Set(name, std::string(value->bytes()));
  return identity;
}

design::Record IdentityOf(const design::TypedItem& item) {
  return IdentityOf(item.kind.of(), item.record);
}

Status DeleteIfThere(design::Runtime& runtime, const design::TypedItem& item) {
  const auto deleted = runtime.Delete(item.kind.of(), IdentityOf(item));
  if (deleted.ok() || deleted.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return deleted.error();
}

Result<std::vector<design::TypedItem>> RunWhole(design::Runtime& runtime, std::string_view access,
                                                const design::Record& arguments,
                                                const WholeOptions& whole) {
  const design::Access* found = runtime.model().FindAccess(access);
  CHECK(found != nullptr, "an access pattern of the app's design");
  constexpr std::uint32_t kPageItems = 1000;
  std::vector<design::TypedItem> items;
  design::PageOptions options{.limit = kPageItems, .attributes = whole.attributes};
  do {
    design::TypedPage page = TRY(runtime.Run(*found, arguments, options));
    std::ranges::move(page.items, std::back_inserter(items));
    if (items.size() > whole.items_max) {
      return Error(ErrorCode::kLimitExceeded, fmt::format("more than {} items", whole.items_max));
    }
    options.cursor = page.cursor;
  } while (!options.cursor.empty());
  return items;
}

Result<std::vector<design::TypedItem>> RunOperation(Call& call, std::string_view operation,
                                                    const design::Record& arguments,
                                                    design::WriteOptions options) {
  const design::Operation* found = call.runtime().model().FindOperation(operation);
  CHECK(found != nullptr, "an operation of the app's design");
  return WithRecord(call, options, [&] { return call.runtime().Run(*found, arguments, options); });
}

Result<std::vector<design::TypedItem>> RunOperationOn(Call& call, std::string_view entity,
                                                      std::string_view operation,
                                                      const design::Record& arguments) {
  const design::Entity& kind = EntityNamed(call, entity);
  const design::Record identity = IdentityOf(kind, arguments);
  design::WriteOptions options;
  TRY(AddPrecondition(call, kind, identity, options));
  auto changed = RunOperation(call, operation, arguments, options);
  if (!changed.ok()) return Explained(call, changed.error(), kind, identity, options);
  return changed;
}

std::uint32_t LimitOf(const Call& call) {
  return static_cast<std::uint32_t>(
      IntegerOf(call.arguments(), "limit").value_or(kPageItemsDefault));
}

Result<std::string> OpenCursor(const Call& call) {
  const auto cursor = call.arguments().FindText("cursor");
  if (!cursor) return std::string();
  return call.cursors().Open(*cursor, QuestionOf(call));
}

void WriteCursor(Call& call, std::string_view position, json::Writer& reply) {
  if (position.empty()) return;
  const std::string next = call.cursors().Seal(position, QuestionOf(call));
  reply.Key("nextCursor");
  reply.String(next);
  call.AddHeader("Link", fmt::format("<{}>; rel=\"next\"", NextAddress(call, next)));
}

Status ReplyList(Call& call, std::string_view access, const design::Record& arguments,
                 const ListOptions& options, json::Writer& reply) {
  constexpr int kPagesMax = 50;  // that a filter may leave empty for one request
  const std::uint32_t limit = LimitOf(call);
  design::PageOptions page_options{.is_descending = options.is_descending};
  page_options.cursor = TRY(OpenCursor(call));
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  std::uint32_t count = 0;
  for (int i = 0; i < kPagesMax && count < limit; ++i) {
    page_options.limit = limit - count;
    const design::TypedPage page = TRY(RunAccess(call, access, arguments, page_options));
    if (options.prepare) TRY(options.prepare(page.items));
    for (const design::TypedItem& item : page.items) {
      if (options.keep && !options.keep(item)) continue;
      if (options.write) {
        options.write(item, reply);
      } else {
        WriteItem(call, item, reply);
      }
      ++count;
    }
    page_options.cursor = page.cursor;
    if (page.cursor.empty()) break;
  }
  reply.EndArray();
  if (options.add) TRY(options.add(reply));
  WriteCursor(call, page_options.cursor, reply);
  reply.EndObject();
  return Ok();
}

Status ReplySorted(Call& call, std::span<const design::TypedItem> items,
                   const std::function<std::string(const design::TypedItem&)>& key_of,
                   const ListOptions& options, json::Writer& reply) {
  // No two items share a place: a key, and the item's identity.
  using Place = std::pair<std::string, std::string>;
  std::vector<std::pair<Place, const design::TypedItem*>> sorted;
  sorted.reserve(items.size());
  for (const design::TypedItem& item : items) {
    if (options.keep && !options.keep(item)) continue;
    std::string identity;
    for (const std::string& name : item.kind.of().identity) {
      const auto value = item.record.Find(name);
      identity += "/";
      if (value) identity += TextOfValue(*value);
    }
    sorted.emplace_back(Place(key_of(item), std::move(identity)), &item);
  }
  std::ranges::sort(sorted);
  // Keys may hold any byte.
  const std::string after = TRY(OpenCursor(call));
  const std::size_t divide = std::min(after.find('/'), after.size());
  const Place place(HexDecode(after.substr(0, divide)).value_or(""), after.substr(divide));
  auto next = after.empty()
                  ? sorted.begin()
                  : std::ranges::upper_bound(
                        sorted, place, {}, [](const auto& it) -> const Place& { return it.first; });
  std::string last;
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (std::uint32_t left = LimitOf(call); left > 0 && next != sorted.end(); --left, ++next) {
    if (options.write) {
      options.write(*next->second, reply);
    } else {
      WriteItem(call, *next->second, reply);
    }
    last = HexEncode(next->first.first) + next->first.second;
  }
  reply.EndArray();
  if (options.add) TRY(options.add(reply));
  WriteCursor(call, next == sorted.end() ? "" : last, reply);
  reply.EndObject();
  return Ok();
}

Status EnsureProfile(Call& call, std::string_view entity, const design::Record& attributes) {
  KnownPeople* known = call.mount().known;
  if (known != nullptr && known->Contains(call.sub())) return Ok();
  const auto created = call.runtime().Create(EntityNamed(call, entity), attributes);
  if (!created.ok() && created.error().code() != ErrorCode::kConditionalCheckFailed) {
    return created.error();
  }
  if (known != nullptr) known->Add(call.sub());
  return Ok();
}

}  // namespace trestle::platform
