#include "platform/parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "platform/values.h"
#include "value/item_codec.h"

namespace trestle::platform {
namespace {

constexpr std::size_t kPartBytes = 350'000;  // as the entities say

}  // namespace

Status PlanParts(design::Runtime& platform, std::string_view entity, const design::Record& whole,
                 std::string_view bytes, std::vector<design::WriteItem>& actions) {
  const design::Entity* const part_entity = platform.model().FindEntity(entity);
  CHECK(part_entity != nullptr, "an entity of platform.design");
  for (std::size_t start = 0; start < bytes.size(); start += kPartBytes) {
    design::Record part = whole;
    SetInteger(part, "n", static_cast<std::int64_t>(start / kPartBytes));
    std::string encoded;
    value::AppendBinary(encoded, bytes.substr(start, kPartBytes));
    part.Set("bytes", std::move(encoded));
    std::vector<design::WriteItem> planned = TRY(platform.PlanCreate(*part_entity, part));
    std::ranges::move(planned, std::back_inserter(actions));
  }
  return Ok();
}

void AppendPart(const design::Record& part, std::string& bytes) {
  if (const auto found = part.Find("bytes")) bytes += found->text();
}

}  // namespace trestle::platform
