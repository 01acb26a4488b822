// Who has changed what, and what a curator has done day by day.

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/watch/watch_internal.h"
#include "base/crypto.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/time_zone.h"

namespace trestle::apps::watch {
namespace {

using design::Attribute;
using design::Record;
using design::TypedItem;
using platform::ItemChange;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kFirstTime = "0000-01-01T00:00:00.000Z";
constexpr std::string_view kLastTime = "9999-12-31T23:59:59.999Z";
constexpr std::int64_t kAuditMs = 400LL * 24 * 3600 * 1000;
constexpr std::int64_t kActivityDaysMax = 3700;

// What somebody changed; what follows from other changes is nobody's doing.
std::vector<std::string> ChangedFields(const ItemChange& change) {
  const Record nothing;
  const Record& before = change.old_item ? change.old_item->record : nothing;
  const Record& after = change.new_item ? change.new_item->record : nothing;
  const design::Entity& entity =
      *(change.new_item ? change.new_item : change.old_item)->kind.entity;
  std::vector<std::string> fields;
  for (const Attribute& attribute : entity.attributes) {
    const bool is_own = attribute.derived == design::Derived::kNo && !attribute.computed &&
                        attribute.type.kind != design::TypeKind::kMap && !attribute.is_key_only &&
                        attribute.name != "updatedAt" && attribute.name != "updatedBy" &&
                        attribute.name != "feedSeenAt";
    if (is_own && before.Find(attribute.name) != after.Find(attribute.name)) {
      fields.push_back(attribute.name);
    }
  }
  return fields;
}

// Of who did it the item says; what is deleted is on the account of who changed it last.
std::string ActorOf(const TypedItem& item) {
  for (const std::string_view name : {"updatedBy", "curatorId", "createdBy", "userId"})
    if (const auto actor = item.record.FindText(name)) return std::string(*actor);
  return {};
}

std::string KeyText(const design::Runtime& runtime, const design::Change& change) {
  const Record keys(change.keys.view());
  const design::Table& table = runtime.model().table;
  return fmt::format("{} {}", TextOf(keys, table.partition_key), TextOf(keys, table.sort_key));
}

struct Day {
  std::int64_t lists = 0;
  std::int64_t items = 0;
};

// The lists and items of a curator that everybody can see, by the day on which they came.
Result<std::map<std::string, Day>> DaysOf(const Call& call, const std::string& curator) {
  std::map<std::string, Day> days;
  for (const TypedItem& list : TRY(platform::RunWhole(call.runtime(), "watchlistsByCurator",
                                                      TextRecord({{"curatorId", curator}})))) {
    if (!platform::BoolOf(list.record, "isPublic").value_or(false)) continue;
    ++days[TextOf(list.record, "createdAt").substr(0, 10)].lists;
    for (const TypedItem& item :
         TRY(platform::RunWhole(call.runtime(), "watchlistItems",
                                TextRecord({{"watchlistId", TextOf(list.record, "watchlistId")}}))))
      ++days[TextOf(item.record, "addedAt").substr(0, 10)].items;
  }
  return days;
}

}  // namespace

Status ListAudit(Call& call, json::Writer& reply) {
  const Record& given = call.arguments();
  Record arguments = TextRecord({{"actorId", TextOf(given, "user")}});
  arguments.SetText("from", given.FindText("from").value_or(kFirstTime));
  arguments.SetText("to", given.FindText("to").value_or(kLastTime));
  return platform::ReplyList(call, "auditOfUser", arguments, {}, reply);
}

Status GetActivity(Call& call, json::Writer& reply) {
  const std::string& curator = call.PathValue("id");
  TRY(platform::GetItem(call, "User", TextRecord({{"userId", curator}})));
  const std::string today = design::DateText(call.now_unix_ms());
  const Record& given = call.arguments();
  const std::string to(given.FindText("to").value_or(today));
  const std::string from(given.FindText("from").value_or(text::AddDays(to, -364)));
  const std::int64_t length = text::DayNumber(to) - text::DayNumber(from);
  if (length < 0 || length > kActivityDaysMax) {
    return platform::FieldError({.field = "?from",
                                 .message = "must be before `to`, by at most ten years",
                                 .code = "range"});
  }
  reply.BeginObject();
  WriteText("from", from, reply);
  WriteText("to", to, reply);
  reply.Key("items");
  reply.BeginArray();
  for (const auto& [date, day] : TRY(DaysOf(call, curator))) {
    if (date < from || date > to) continue;
    reply.BeginObject();
    WriteText("date", date, reply);
    WriteInteger("lists", day.lists, reply);
    WriteInteger("items", day.items, reply);
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status Audit(const platform::Mount& mount, const ItemChange& change) {
  if (!change.new_item && !change.old_item) return Ok();
  const TypedItem& item = change.new_item ? *change.new_item : *change.old_item;
  // Who leaves is found by their entries, so what has none any more must not name them.
  if (IsOf(item, "AuditEntry")) {
    return change.new_item ? Ok() : ForgetActor(*mount.runtime, item.record);
  }
  const bool is_followed = IsOf(item, "User") || IsOf(item, "Watchlist") ||
                           IsOf(item, "WatchlistItem") || IsOf(item, "Movie") || IsOf(item, "Show");
  // People leave by themselves, and nothing is kept of it.
  if (IsOf(item, "User") && !change.new_item) return Ok();
  const std::int64_t time = change.change.time_unix_ms;
  if (!is_followed || time + kAuditMs < mount.shared->clock->NowUnixMs()) return Ok();
  const std::vector<std::string> fields = ChangedFields(change);
  const std::string actor = ActorOf(item);
  if (actor.empty() || fields.empty()) return Ok();
  design::Runtime& runtime = *mount.runtime;
  // Nothing is kept of who is gone.
  if (!TRY(runtime.Get(EntityOf(runtime, "User"), TextRecord({{"userId", actor}})))) return Ok();
  const std::string key = KeyText(runtime, change.change);
  Record entry = TextRecord(
      {{"actorId", actor},
       {"entryId", HexEncode(AsBytes(Sha256(fmt::format("{}\n{}", change.change.sequence, key))))
                       .substr(0, 32)},
       {"entity", item.kind.entity->name},
       {"entityKey", key},
       {"change", !change.old_item   ? "CREATED"
                  : !change.new_item ? "DELETED"
                                     : "CHANGED"},
       {"at", design::TimestampText(time, design::syntax::Precision::kMilliseconds)}});
  platform::SetTexts(entry, "fields", fields);
  const std::string target = IsOf(item, "User") ? TextOf(item.record, "userId") : actor;
  if (target != actor) entry.SetText("target", target);
  const auto created = runtime.Create(EntityOf(runtime, "AuditEntry"), entry);
  // It was there already: the change came again.
  if (created.ok() || created.error().code() == ErrorCode::kConditionalCheckFailed) return Ok();
  return created.error();
}

}  // namespace trestle::apps::watch
