#include "platform/item_json.h"

#include "platform/address.h"
#include "platform/json_record.h"

namespace trestle::platform {

const design::Entity& EntityOf(const design::KindReference& kind) {
  return kind.entity != nullptr ? *kind.entity : *kind.mirror->of;
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
