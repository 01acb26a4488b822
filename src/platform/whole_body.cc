#include "platform/whole_body.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace trestle::platform {

Error WithOtherFailures(const Error& first, const json::Tree::Object& body, const Fields& fields,
                        const BodyCheck& others) {
  if (first.details() == nullptr || first.details()->fields.empty()) return first;
  auto details = std::make_shared<ErrorDetails>(*first.details());
  std::set<std::string, std::less<>> wrong;
  design::Record readable;
  for (const json::Member& member : body) {
    const bool is_named = std::ranges::any_of(
        first.details()->fields,
        [&](const FieldFailure& failure) { return failure.field == "/" + member.name; });
    const auto read = RecordFromJson({member}, fields);
    if (is_named || !read.ok()) wrong.insert(member.name);
    if (is_named) continue;
    if (read.ok()) {
      for (const auto& [name, value] : read->attributes())
        readable.Set(name, value);
      continue;
    }
    if (read.error().details() == nullptr) continue;
    for (const FieldFailure& failure : read.error().details()->fields) {
      const bool is_known = std::ranges::find(details->fields, failure.field,
                                              &FieldFailure::field) != details->fields.end();
      if (!is_known) details->fields.push_back(failure);
    }
  }
  const Status checked = others.check(readable);
  if (!checked.ok() && checked.error().code() == ErrorCode::kValidation) {
    const Error named = WithJsonNames(checked.error(), fields.style());
    for (const FieldFailure& failure :
         named.details() == nullptr ? std::vector<FieldFailure>() : named.details()->fields) {
      const std::string name = failure.field.substr(0, failure.field.find_first_of(".["));
      const bool is_given = std::ranges::find(body, name, &json::Member::name) != body.end();
      if (!wrong.contains(name) && others.is_callers(name, is_given)) {
        details->fields.push_back(failure);
      }
    }
  }
  return {first.code(), first.message(), std::move(details)};
}

}  // namespace trestle::platform
