// An access on live data: its items, the requests that it becomes, and what it has cost.

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/crypto.h"
#include "base/unit_counter.h"
#include "design/explain.h"
#include "design/runtime.h"
#include "platform/design_app.h"
#include "platform/item_json.h"
#include "platform/json_record.h"
#include "platform/problem.h"
#include "studio/counting_backend.h"
#include "studio/design_json.h"
#include "studio/studio.h"

namespace trestle::studio {
namespace {

struct RunBody {
  design::Record arguments;
  design::PageOptions page;
};

Error WrongField(std::string field, std::string message) {
  return platform::FieldError(
      {.field = std::move(field), .message = std::move(message), .code = "type"});
}

Result<std::uint32_t> LimitOf(const json::Tree& tree) {
  const auto* number = tree.As<json::Tree::Number>();
  std::uint32_t limit = 0;
  const bool is_whole =
      number != nullptr &&
      std::from_chars(number->text.data(), number->text.data() + number->text.size(), limit).ptr ==
          number->text.data() + number->text.size();
  if (!is_whole || limit < 1 || limit > platform::kPageItemsMax) {
    return WrongField("limit", "must be a number from 1 to 100");
  }
  return limit;
}

// Each argument is a text, as a person types it.
Result<design::Record> ArgumentsOf(const json::Tree& tree, const design::Access& access) {
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) return WrongField("arguments", "must be an object");
  design::Record arguments;
  for (const json::Member& member : *object) {
    const std::string field = "arguments." + member.name;
    const auto found = std::ranges::find(access.parameters, member.name, &design::Parameter::name);
    if (found == access.parameters.end()) return WrongField(field, "is not known here");
    const auto* text = member.value.As<std::string>();
    if (text == nullptr) return WrongField(field, "must be a text");
    auto value = platform::ValueFromText(*text, found->type);
    if (!value.ok()) return WrongField(field, value.error().message());
    arguments.Set(member.name, *std::move(value));
  }
  return arguments;
}

Result<RunBody> ReadBody(const platform::Call& call, const design::Access& access) {
  RunBody run;
  const json::Tree::Object body = TRY(call.Body());
  for (const json::Member& member : body) {
    const auto* text = member.value.As<std::string>();
    if (member.name == "arguments") {
      run.arguments = TRY(ArgumentsOf(member.value, access));
    } else if (member.name == "limit") {
      run.page.limit = TRY(LimitOf(member.value));
    } else if (member.name == "cursor" && text != nullptr) {
      auto cursor = Base64UrlDecode(*text);
      if (!cursor) return platform::ProblemError("invalid-cursor", "the cursor is none of ours");
      run.page.cursor = *std::move(cursor);
    } else if (member.name == "order" && text != nullptr) {
      run.page.is_descending = *text == "desc";
    } else {
      return WrongField(member.name, "is not known here");
    }
  }
  return run;
}

void WriteRequests(const design::ExplainedAccess& explained, json::Writer& reply) {
  reply.Key("requests");
  reply.BeginArray();
  for (const design::ExplainedRequest& request : explained.requests) {
    reply.BeginObject();
    WriteText("operation", request.operation, reply);
    WriteText("json", request.json, reply);
    WriteText("command", request.command, reply);
    reply.EndObject();
  }
  reply.EndArray();
  if (!explained.remark.empty()) WriteText("remark", explained.remark, reply);
}

// An argument's failure is one of the body's member.
Error OfArguments(const Error& error) {
  if (error.details() == nullptr || error.details()->fields.empty()) return error;
  auto details = std::make_shared<ErrorDetails>(*error.details());
  for (FieldFailure& failure : details->fields)
    failure.field = "/arguments/" + failure.field;
  return {error.code(), error.message(), std::move(details)};
}

}  // namespace

Status RunAccess(platform::Call& call, json::Writer& reply) {
  const StudioOptions& options = StudioOf(call).options();
  const KnownDesign& known = *TRY(DesignOf(call));
  const design::Access* access = known.model->FindAccess(call.PathValue("access"));
  if (access == nullptr) return platform::ProblemError("not-found", "there is no such access");
  if (!platform::IsRead(*access)) {
    return platform::ProblemError("semantic", "only accesses that read can be run here");
  }
  const RunBody body = TRY(ReadBody(call, *access));

  CountingBackend backend(*options.backend);
  design::Runtime runtime(*known.model, backend,
                          {.clock = options.clock, .random = options.random});
  const UnitCounter counter;
  const std::int64_t started_ns = options.clock->SteadyNs();
  const auto page = runtime.Run(*access, body.arguments, body.page);
  const std::int64_t duration_ns = options.clock->SteadyNs() - started_ns;
  if (!page.ok()) return OfArguments(page.error());

  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (const design::TypedItem& item : page->items)
    platform::WriteTypedItem(*known.model, item, reply);
  reply.EndArray();
  if (!page->cursor.empty()) WriteText("nextCursor", Base64UrlEncode(page->cursor), reply);
  const auto explained = design::Explain(*known.model, *access, known.table, body.arguments);
  if (explained.ok()) WriteRequests(*explained, reply);
  reply.Key("requestCount");
  reply.Integer(static_cast<std::int64_t>(backend.requests()));
  reply.Key("itemsRead");
  reply.Integer(static_cast<std::int64_t>(backend.items_read()));
  reply.Key("readUnits");
  reply.Double(counter.units().read);
  reply.Key("durationUs");
  reply.Integer(duration_ns / 1000);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::studio
