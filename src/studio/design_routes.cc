// Designs, their check, their table, and what items are.

#include <algorithm>
#include <optional>
#include <utility>

#include "design/apply.h"
#include "design/recognise.h"
#include "design/resolve.h"
#include "json/json.h"
#include "platform/problem.h"
#include "protocol/attribute_json.h"
#include "studio/design_json.h"
#include "studio/studio.h"

namespace trestle::studio {
namespace {

Result<std::string> TextOfBody(const platform::Call& call) {
  json::Tree::Object body = TRY(call.Body());
  const auto found = std::ranges::find(body, "text", &json::Member::name);
  auto* text = found == body.end() ? nullptr : std::get_if<std::string>(&found->value.is);
  if (text == nullptr) {
    return platform::FieldError(
        {.field = "text", .message = "must be the text of a design", .code = "type"});
  }
  return std::move(*text);
}

void WriteSentences(std::string_view name, const std::vector<std::string>& sentences,
                    json::Writer& reply) {
  reply.Key(name);
  reply.BeginArray();
  for (const std::string& sentence : sentences)
    reply.String(sentence);
  reply.EndArray();
}

// What an item is to a design: "Book", "~" for what the run time keeps for itself, null for what
// the design does not know.
void WriteKindOf(const design::Model& model, value::ItemView item, json::Writer& reply) {
  if (design::IsInternal(model, item)) return reply.String("~");
  const auto kind = design::FindKind(model, item);
  if (!kind) return reply.Null();
  reply.String(kind->kind().name);
}

}  // namespace

Status ListDesigns(platform::Call& call, json::Writer& reply) {
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (const KnownDesign& design : StudioOf(call).designs()) {
    reply.BeginObject();
    WriteText("name", design.model->name, reply);
    WriteText("table", design.table, reply);
    reply.Key("version");
    reply.Integer(design.model->version);
    reply.Key("entities");
    reply.Integer(static_cast<std::int64_t>(design.model->entities.size()));
    reply.Key("accesses");
    reply.Integer(static_cast<std::int64_t>(design.model->accesses.size()));
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status ShowDesign(platform::Call& call, json::Writer& reply) {
  const KnownDesign& design = *TRY(DesignOf(call));
  reply.BeginObject();
  WriteText("text", design.text, reply);
  reply.Key("design");
  WriteDesign(*design.model, design.table, reply);
  reply.EndObject();
  return Ok();
}

Status CheckDesign(platform::Call& call, json::Writer& reply) {
  const design::ResolvedDesign resolved = design::Compile(TRY(TextOfBody(call)));
  reply.BeginObject();
  reply.Key("diagnostics");
  WriteDiagnostics(resolved.diagnostics, reply);
  if (resolved.model != nullptr) {
    const auto settings = design::SettingsOf(*resolved.model, {});
    reply.Key("design");
    WriteDesign(*resolved.model, settings.ok() ? settings->name : "", reply);
  }
  reply.EndObject();
  return Ok();
}

Status ApplyDesign(platform::Call& call, json::Writer& reply) {
  const design::ResolvedDesign resolved = design::Compile(TRY(TextOfBody(call)));
  if (resolved.model == nullptr) {
    return platform::FieldError(
        {.field = "text", .message = "has errors; check it first", .code = "invalid"});
  }
  design::Backend& backend = *StudioOf(call).options().backend;
  const design::ApplyPlan plan = TRY(design::PlanApply(*resolved.model, {}, backend));
  std::vector<std::string> not_in_force;
  if (plan.refusals.empty()) not_in_force = TRY(design::Apply(plan, backend));
  reply.BeginObject();
  WriteText("table", plan.wanted.name, reply);
  WriteSentences("changes", plan.changes, reply);
  WriteSentences("refusals", plan.refusals, reply);
  WriteSentences("notInForce", not_in_force, reply);
  reply.EndObject();
  return Ok();
}

Status RecogniseItems(platform::Call& call, json::Writer& reply) {
  const KnownDesign& design = *TRY(DesignOf(call));
  json::Parser parser;
  const json::Value body = TRY(parser.Parse(call.raw_body()));
  json::Array items;
  if (body["items"].get(items) != simdjson::SUCCESS) {
    return platform::FieldError(
        {.field = "items", .message = "must be a list of items", .code = "type"});
  }
  reply.BeginObject();
  reply.Key("kinds");
  reply.BeginArray();
  for (const json::Value element : items) {
    json::Object object;
    if (element.get(object) != simdjson::SUCCESS) {
      return platform::FieldError(
          {.field = "items", .message = "must be a list of items", .code = "type"});
    }
    const value::Item item = TRY(protocol::ParseItem(object));
    WriteKindOf(*design.model, item.view(), reply);
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::studio
