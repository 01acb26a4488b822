#include "platform/request_shape.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "design/syntax/parser.h"
#include "platform/call.h"
#include "platform/json_record.h"
#include "platform/problem.h"
#include "platform/whole_body.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kPageAttributes = "limit : int(1..{}) = {}; cursor : string(1..4000)?";

std::string QueryText(const Route& route) {
  std::string text(route.query);
  if (route.is_list) {
    text += "; " + fmt::format(fmt::runtime(kPageAttributes), kPageItemsMax, kPageItemsDefault);
  }
  return text;
}

// A request is checked as a new item of an entity with these attributes would be.
std::string EntityText(std::string_view name, std::string_view attributes) {
  std::string lines(attributes);
  std::ranges::replace(lines, ';', '\n');
  return fmt::format("entity {0} {{\n key pk \"{0}\" sk \"{0}\"\n{1}\n}}\n", name, lines);
}

Error OfQuery(const Error& error) {
  if (error.details() == nullptr) return error;
  auto details = std::make_shared<ErrorDetails>(*error.details());
  for (FieldFailure& failure : details->fields)
    failure.field = "?" + failure.field;
  return {error.code(), error.message(), std::move(details)};
}

}  // namespace

RequestShapes::RequestShapes(const App& app) : texts_(app.texts) {
  std::string text = "design Requests version 1\ntable \"Requests\" { key pk, sk }\n";
  for (std::size_t i = 0; i < app.routes.size(); ++i) {
    text += EntityText(fmt::format("Query{}", i), QueryText(app.routes[i]));
    text += EntityText(fmt::format("Body{}", i), app.routes[i].body);
  }
  const design::syntax::ParsedDesign parsed = design::syntax::ParseDesign(text);
  std::string wrong;
  for (const design::Diagnostic& diagnostic : parsed.diagnostics)
    wrong += design::Print(diagnostic, app.name) + "\n";
  design_ = design::Resolve(parsed.design);
  for (const design::Diagnostic& diagnostic : design_.diagnostics)
    wrong += design::Print(diagnostic, app.name) + "\n";
  if (!wrong.empty()) fmt::print(stderr, "{}\n{}", text, wrong);
  CHECK(wrong.empty() && design_.model != nullptr, "an app whose requests can be read");
  validator_ = std::make_unique<design::Validator>(*design_.model);
  for (std::size_t i = 0; i < app.routes.size(); ++i) {
    shapes_[&app.routes[i]] = {.query = design_.model->FindEntity(fmt::format("Query{}", i)),
                               .body = design_.model->FindEntity(fmt::format("Body{}", i))};
  }
}

const design::Entity* RequestShapes::QueryShape(const Route& route) const {
  return shapes_.at(&route).query;
}

const design::Entity* RequestShapes::BodyShape(const Route& route) const {
  return route.body.empty() ? nullptr : shapes_.at(&route).body;
}

Result<design::Record> RequestShapes::Query(const Route& route,
                                            const QueryParameters& given) const {
  const design::Entity& shape = *QueryShape(route);
  auto details = std::make_shared<ErrorDetails>();
  const auto fail = [&](const std::string& name, std::string message, std::string code) {
    details->fields.push_back(
        {.field = "?" + name, .message = std::move(message), .code = std::move(code)});
  };
  design::Record record;
  for (const auto& [name, text] : given) {
    const design::Attribute* attribute = shape.FindAttribute(name);
    if (attribute == nullptr) {
      fail(name, "is not known here", "unknown-field");
    } else if (record.Find(name)) {
      fail(name, "must stand once", "repeated");
    } else if (auto value = ValueFromText(text, attribute->type); value.ok()) {
      record.Set(name, *std::move(value));
    } else {
      fail(name, value.error().message(), "type");
    }
  }
  if (!details->fields.empty()) {
    const std::string message =
        details->fields.front().field.substr(1) + " " + details->fields.front().message;
    return Error(ErrorCode::kValidation, message, std::move(details));
  }
  auto checked = validator_->ForCreate(shape, record, {});
  if (!checked.ok()) return OfQuery(checked.error());
  return checked;
}

Result<design::Record> RequestShapes::Body(const Route& route, const json::Tree::Object& given,
                                           const design::FieldRules& rules) const {
  const design::Entity& shape = *shapes_.at(&route).body;
  const Fields fields(shape.attributes, NameStyle::kAsWritten, texts_);
  const auto record = RecordFromJson(given, fields);
  if (record.ok()) return validator_->ForCreate(shape, *record, {}, rules);
  const BodyCheck others{.check = [&](const design::Record& readable) -> Status {
                           const auto checked = validator_->ForCreate(shape, readable, {}, rules);
                           return checked.ok() ? Ok() : Status(checked.error());
                         },
                         .is_callers = [](std::string_view, bool) { return true; }};
  return WithOtherFailures(record.error(), given, fields, others);
}

}  // namespace trestle::platform
