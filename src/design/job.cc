#include "design/job.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/crypto.h"
#include "design/recognise.h"
#include "design/values.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

constexpr std::string_view kJobPrefix = "job#";
constexpr std::array<std::string_view, 2> kKindNames = {"delete", "rekey"};

std::string EncodeRecord(const Record& record) {
  value::ItemBuilder map;
  for (const auto& [name, value] : record.attributes())
    map.Add(name, value);
  std::string encoded;
  map.AppendMapTo(encoded);
  return encoded;
}

Record DecodeRecord(const Record& item, std::string_view name) {
  Record record;
  const auto map = item.Find(name);
  if (!map || map->type() != value::Type::kM) return record;
  for (const value::AttributeView member : value::AttributeRange(map->contents()))
    record.Set(member.name, std::string(member.value.bytes()));
  return record;
}

Record JobRecord(const Model& model, const Job& job) {
  Record record(JobKey(model, job.id).view());
  record.SetText("~kind", kKindNames[static_cast<std::size_t>(job.kind)]);
  record.SetText("~entity", job.entity->name);
  record.Set("~parent", EncodeRecord(job.parent));
  if (job.kind == JobKind::kRekey) record.Set("~next", EncodeRecord(job.next));
  record.SetText("~at", job.at);
  record.SetText("~nonce", job.nonce);
  return record;
}

}  // namespace

value::Item InternalKey(const std::string& partition_key, const std::string& sort_key,
                        std::string_view name) {
  Record key;
  key.SetText(partition_key, std::string(kInternalPrefix).append(name));
  if (!sort_key.empty()) key.SetText(sort_key, kInternalSortKey);
  return key.ToItem();
}

value::Item InternalKey(const Model& model, std::string_view name) {
  return InternalKey(model.table.partition_key, model.table.sort_key, name);
}

std::string JobId(const Entity& entity, const value::Item& parent_key) {
  return entity.name + "#" + HexEncode(AsBytes(Sha256(parent_key.bytes())));
}

bool HasMovers(const Entity& entity) {
  return std::ranges::any_of(entity.child_relations, &Relation::on_rekey_move);
}

bool HasFollowers(const Entity& entity) {
  return HasMovers(entity) ||
         std::ranges::any_of(entity.child_relations, [](const Relation* relation) {
           return relation->on_delete == DeleteRule::kCascade ||
                  relation->on_delete == DeleteRule::kDetach;
         });
}

value::Item JobKey(const Model& model, std::string_view id) {
  return InternalKey(model, std::string(kJobPrefix).append(id));
}

value::Item JobItem(const Model& model, const Job& job) { return JobRecord(model, job).ToItem(); }

WriteItem PutJob(const Model& model, const std::string& table, const Job& job) {
  // Children follow a parent that is gone, or that is at its new place already.
  return {.kind = ActionKind::kPut,
          .table = table,
          .item = JobItem(model, job),
          .turn = job.kind == JobKind::kDelete ? Turn::kLast : Turn::kMiddle};
}

Result<std::optional<Job>> ReadJob(const Model& model, value::ItemView item) {
  const Record record(item);
  const std::string prefix = fmt::format("{}{}", kInternalPrefix, kJobPrefix);
  const auto key = record.FindText(model.table.partition_key);
  if (!key || !key->starts_with(prefix)) return std::optional<Job>();
  const auto kind = std::ranges::find(kKindNames, record.FindText("~kind").value_or(""));
  const auto entity =
      std::ranges::find(model.entities, record.FindText("~entity").value_or(""), &Entity::name);
  if (kind == kKindNames.end() || entity == model.entities.end()) {
    return CorruptionError(fmt::format("the job {} cannot be read", key->substr(prefix.size())));
  }
  return std::optional(Job{.id = std::string(key->substr(prefix.size())),
                           .kind = static_cast<JobKind>(kind - kKindNames.begin()),
                           .entity = &*entity,
                           .parent = DecodeRecord(record, "~parent"),
                           .next = DecodeRecord(record, "~next"),
                           .at = std::string(record.FindText("~at").value_or("")),
                           .nonce = std::string(record.FindText("~nonce").value_or(""))});
}

}  // namespace trestle::design
