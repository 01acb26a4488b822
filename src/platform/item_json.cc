#include "platform/item_json.h"

#include "platform/address.h"
#include "platform/json_record.h"

namespace trestle::platform {

void WriteTypedItem(const design::Model& model, const design::TypedItem& item,
                    json::Writer& writer) {
  writer.BeginObject();
  writer.Key(kTypeMember);
  writer.String(item.kind.kind().name);
  WriteMembers(item.record, Fields(item.kind.of().attributes, NameStyle::kAsWritten), writer);
  if (item.version && !item.record.Find(model.table.lock)) {
    writer.Key(model.table.lock);
    writer.Integer(*item.version);
  }
  writer.EndObject();
}

std::string ItemPath(const design::Entity& entity, const design::Record& record) {
  std::string path = "/" + entity.name;
  for (const std::string& name : entity.identity) {
    const auto value = record.Find(name);
    path += "/" + (value ? PercentEncode(TextOfValue(*value)) : std::string());
  }
  return path;
}

}  // namespace trestle::platform
