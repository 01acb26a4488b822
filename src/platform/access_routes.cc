// Access patterns and operations by their parameters.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "platform/address.h"
#include "platform/design_routes_internal.h"
#include "platform/item_json.h"
#include "platform/json_record.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

Result<design::Record> ArgumentsOf(const Call& call, const design::Access& access) {
  const std::string ours[] = {PageParameter(access, "limit"), PageParameter(access, "cursor"),
                              PageParameter(access, "order")};
  std::vector<std::string_view> known(std::begin(ours), std::end(ours));
  for (const design::Parameter& parameter : access.parameters)
    known.push_back(parameter.name);
  TRY(CheckQuery(call, known));
  design::Record arguments;
  for (const design::Parameter& parameter : access.parameters) {
    const auto text = TRY(call.QueryValue(parameter.name));
    if (!text) continue;
    auto value = ValueFromText(*text, parameter.type);
    if (!value.ok()) {
      return FieldError(
          {.field = "?" + parameter.name, .message = value.error().message(), .code = "type"});
    }
    arguments.Set(parameter.name, *std::move(value));
  }
  return arguments;
}

Result<std::optional<bool>> IsDescending(const Call& call, const design::Access& access) {
  const std::string name = PageParameter(access, "order");
  const auto text = TRY(call.QueryValue(name));
  if (!text) return std::optional<bool>();
  const auto* query = std::get_if<design::Query>(&access.action);
  if (query == nullptr || query->order != design::syntax::Order::kEither) {
    return FieldError({.field = "?" + name, .message = "cannot be chosen here", .code = "invalid"});
  }
  if (*text != "asc" && *text != "desc") {
    return FieldError({.field = "?" + name, .message = "must be asc or desc", .code = "enum"});
  }
  return std::optional(*text == "desc");
}

// The access's own limit is a default and a bound.
Result<std::uint32_t> LimitOf(const Call& call, const design::Access& access) {
  const std::string name = PageParameter(access, "limit");
  const std::uint32_t limit = TRY(PageLimit(call, name));
  const auto* query = std::get_if<design::Query>(&access.action);
  if (query == nullptr || !query->limit) return limit;
  const bool is_given = TRY(call.QueryValue(name)).has_value();
  const auto own =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(*query->limit, 1, kPageItemsMax));
  return is_given ? std::min(limit, own) : own;
}

// All that the request for the next page must repeat.
std::string QuestionOf(const Call& call, const design::Record& arguments,
                       std::optional<bool> is_descending) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", call.app().name, call.route().path,
                     call.principal() ? call.principal()->sub : "",
                     is_descending ? (*is_descending ? "desc" : "asc") : "",
                     arguments.ToItem().bytes());
}

std::string NextAddress(const Call& call, std::string_view parameter, std::string_view cursor) {
  std::string address(call.path());
  char divider = '?';
  for (const auto& [name, value] : call.query()) {
    if (name == parameter) continue;
    address += fmt::format("{}{}={}", divider, PercentEncode(name), PercentEncode(value));
    divider = '&';
  }
  return fmt::format("{}{}{}={}", address, divider, parameter, cursor);
}

void WriteItems(const Call& call, std::span<const design::TypedItem> items, json::Writer& reply) {
  reply.Key("items");
  reply.BeginArray();
  for (const design::TypedItem& item : items)
    WriteTypedItem(call.runtime().model(), item, reply);
  reply.EndArray();
}

}  // namespace

std::string PageParameter(const design::Access& access, std::string_view name) {
  const bool is_taken = std::ranges::find(access.parameters, name, &design::Parameter::name) !=
                        access.parameters.end();
  return is_taken ? fmt::format("_{}", name) : std::string(name);
}

Error OfParameters(const Error& error) {
  if (error.details() == nullptr || error.details()->fields.empty()) return error;
  auto details = std::make_shared<ErrorDetails>(*error.details());
  for (FieldFailure& failure : details->fields) {
    if (!failure.field.starts_with('?')) failure.field = "?" + failure.field;
  }
  return {error.code(), error.message(), std::move(details)};
}

Status CheckQuery(const Call& call, std::span<const std::string_view> known) {
  auto details = std::make_shared<ErrorDetails>();
  for (const auto& [name, value] : call.query()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    details->fields.push_back(
        {.field = "?" + name, .message = "is not known here", .code = "unknown-field"});
  }
  if (details->fields.empty()) return Ok();
  return Error(ErrorCode::kValidation, "unknown parameters", std::move(details));
}

Status GetAccess(Call& call, json::Writer& reply) {
  const design::Access& access = *std::get<const design::Access*>(call.route().subject);
  const design::Record arguments = TRY(ArgumentsOf(call, access));
  design::PageOptions options;
  options.limit = TRY(LimitOf(call, access));
  options.is_descending = TRY(IsDescending(call, access));
  const std::string question = QuestionOf(call, arguments, options.is_descending);
  const std::string cursor_name = PageParameter(access, "cursor");
  const auto cursor = TRY(call.QueryValue(cursor_name));
  if (cursor) options.cursor = TRY(call.cursors().Open(*cursor, question));

  const auto page = call.runtime().Run(access, arguments, options);
  if (!page.ok()) return OfParameters(page.error());
  reply.BeginObject();
  WriteItems(call, page->items, reply);
  if (!page->cursor.empty()) {
    const std::string next = call.cursors().Seal(page->cursor, question);
    reply.Key("nextCursor");
    reply.String(next);
    call.AddHeader("Link", fmt::format("<{}>; rel=\"next\"", NextAddress(call, cursor_name, next)));
  }
  reply.EndObject();
  return Ok();
}

Status PostOperation(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const auto& operation = *std::get<const design::Operation*>(call.route().subject);
  const json::Tree::Object body = call.HasBody() ? TRY(call.Body()) : json::Tree::Object();
  const design::Record arguments =
      TRY(RecordFromJson(body, Fields(operation.parameters, NameStyle::kAsWritten)));
  const design::WriteOptions options = TRY(call.write_options());
  const auto items = TRY(call.runtime().Run(operation, arguments, options));
  reply.BeginObject();
  WriteItems(call, items, reply);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::platform
