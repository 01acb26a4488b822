#include "platform/audit.h"

#include <map>
#include <utility>

#include "base/check.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

// Stands for all who did something and are gone.
constexpr std::string_view kErasedActor = "erased";

const design::Entity& AuditEntity(const design::Runtime& platform) {
  const design::Entity* const entity = platform.model().FindEntity("AuditEntry");
  CHECK(entity != nullptr, "acts are of platform.design");
  return *entity;
}

design::Record EntryOf(const Act& act) {
  design::Record entry = TextRecord({{"action", act.action}});
  const std::pair<std::string_view, std::string_view> others[] = {
      {"actor", act.actor}, {"target", act.target}, {"app", act.app}, {"consumer", act.consumer}};
  for (const auto& [name, text] : others)
    if (!text.empty()) entry.SetText(name, text);
  SetTexts(entry, "groups", {act.groups.begin(), act.groups.end()});
  return entry;
}

// Accounts by their ids.
using People = std::map<std::string, design::Record, std::less<>>;

Status ReadPeople(design::Runtime& platform, std::span<const design::TypedItem> entries,
                  People& people) {
  std::vector<design::Record> wanted;
  wanted.reserve(entries.size() * 2);
  for (const design::TypedItem& entry : entries) {
    for (const std::string_view role : {"actor", "target"}) {
      const std::string sub = TextOf(entry.record, role);
      if (!sub.empty() && !people.contains(sub)) wanted.push_back(TextRecord({{"sub", sub}}));
    }
  }
  for (design::TypedItem& account : TRY(GetMany(platform, "Account", wanted)))
    people.insert_or_assign(TextOf(account.record, "sub"), std::move(account.record));
  return Ok();
}

void WriteEntry(const Call& call, const design::TypedItem& entry, const People& people,
                json::Writer& writer) {
  writer.BeginObject();
  WriteItemMembers(call, entry, writer);
  for (const std::string_view role : {"actor", "target"}) {
    const auto person = people.find(TextOf(entry.record, role));
    if (person == people.end()) continue;
    writer.Key(std::string(role) + "Name");
    writer.String(TextOf(person->second, "name"));
    writer.Key(std::string(role) + "Email");
    writer.String(TextOf(person->second, "email"));
  }
  writer.EndObject();
}

}  // namespace

Result<design::WriteOptions> WithAudit(design::Runtime& platform, const Act& act) {
  design::WriteOptions options;
  options.together_with = TRY(platform.PlanCreate(AuditEntity(platform), EntryOf(act)));
  return options;
}

Status WriteAudit(design::Runtime& platform, const Act& act) {
  TRY(platform.Create(AuditEntity(platform), EntryOf(act)));
  return Ok();
}

Status ForgetActor(design::Runtime& platform, const std::string& sub) {
  const design::Entity& entity = AuditEntity(platform);
  design::Changes changes;
  SetText(changes, "actor", kErasedActor);
  for (const design::TypedItem& act :
       TRY(RunWhole(platform, "actsOf", TextRecord({{"actor", sub}})))) {
    const auto changed =
        platform.Update(entity, IdentityOf(entity, act.record), changes, {.is_maintenance = true});
    if (!changed.ok() && changed.error().code() != ErrorCode::kResourceNotFound) {
      return changed.error();
    }
  }
  return Ok();
}

Status ListAudit(Call& call, json::Writer& reply) {
  const auto target = call.arguments().FindText("target");
  People people;
  const ListOptions options{
      .prepare = [&](std::span<const design::TypedItem> entries) -> Status {
        return ReadPeople(call.runtime(), entries, people);
      },
      .write = [&](const design::TypedItem& entry,
                   json::Writer& writer) { WriteEntry(call, entry, people, writer); }};
  if (!target) return ReplyList(call, "audit", {}, options, reply);
  return ReplyList(call, "auditOfAccount", TextRecord({{"target", *target}}), options, reply);
}

}  // namespace trestle::platform
