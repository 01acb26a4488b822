#include "platform/item_json.h"

#include "platform/address.h"
#include "platform/router.h"

namespace trestle::platform {

const design::Entity& EntityOf(const design::KindReference& kind) {
  return kind.entity != nullptr ? *kind.entity : *kind.mirror->of;
}

void WriteItem(const design::Model& model, const design::TypedItem& item, bool names_type,
               json::Writer& writer) {
  const design::Entity& entity = EntityOf(item.kind);
  writer.BeginObject();
  if (names_type) {
    writer.Key(kTypeMember);
    writer.String(item.kind.kind().name);
  }
  WriteMembers(item.record, Fields(entity.attributes, NameStyle::kAsWritten), writer);
  if (item.version && !item.record.Find(model.table.lock)) {
    writer.Key(model.table.lock);
    writer.Integer(*item.version);
  }
  writer.EndObject();
}

std::string ItemBody(const design::Model& model, const design::TypedItem& item) {
  std::string body;
  json::Writer writer(body);
  WriteItem(model, item, false, writer);
  return body;
}

std::string ItemAddress(const App& app, const design::Entity& entity,
                        const design::Record& record) {
  std::string address = MountPath(app) + "/" + entity.name;
  for (const std::string& name : entity.identity) {
    const auto value = record.Find(name);
    address += "/" + (value ? PercentEncode(TextOfValue(*value)) : std::string());
  }
  return address;
}

}  // namespace trestle::platform
