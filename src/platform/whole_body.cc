#include "platform/whole_body.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace trestle::platform {
namespace {

using Pointers = std::set<std::string, std::less<>>;

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Takes what these pointers name out of a value, whose own pointer is `at`; of texts, what cannot
// be in them.
void Prune(json::Tree& tree, const std::string& at, const Pointers& pointers) {
  if (auto* object = std::get_if<json::Tree::Object>(&tree.is)) {
    std::erase_if(*object, [&](const json::Member& member) {
      return pointers.contains(fmt::format("{}/{}", at, member.name));
    });
    for (json::Member& member : *object)
      Prune(member.value, fmt::format("{}/{}", at, member.name), pointers);
  } else if (auto* array = std::get_if<json::Tree::Array>(&tree.is)) {
    for (std::size_t i = 0; i < array->size(); ++i)
      Prune((*array)[i], fmt::format("{}/{}", at, i), pointers);
  } else if (auto* text = std::get_if<std::string>(&tree.is); text && pointers.contains(at)) {
    std::ranges::replace_if(*text, IsControl, '?');  // as long as before
  }
}

// A member without what is wrong inside of it; an error when it is wrong itself.
Result<design::Record> ReadRest(json::Member member, const Error& error, const Fields& fields) {
  const std::string at = "/" + member.name;
  Pointers pointers;
  for (const FieldFailure& failure : error.details()->fields) {
    if (failure.field == at) return error;
    if (failure.code == "unknown-field" || failure.code == "characters") {
      pointers.insert(failure.field);
    }
  }
  Prune(member.value, at, pointers);
  return RecordFromJson({std::move(member)}, fields);
}

}  // namespace

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
    const bool has_failures = !read.ok() && read.error().details() != nullptr;
    const auto rest = has_failures ? ReadRest(member, read.error(), fields) : read;
    if (is_named || !rest.ok()) wrong.insert(member.name);
    if (is_named) continue;
    if (rest.ok()) {
      for (const auto& [name, value] : rest->attributes())
        readable.Set(name, value);
    }
    if (!has_failures) continue;
    for (const FieldFailure& failure : read.error().details()->fields) {
      const bool is_told = std::ranges::find(details->fields, failure.field,
                                             &FieldFailure::field) != details->fields.end();
      if (!is_told) details->fields.push_back(failure);
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
