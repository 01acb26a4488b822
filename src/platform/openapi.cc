#include "platform/openapi.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "platform/call.h"
#include "platform/design_routes_internal.h"
#include "platform/item_json.h"
#include "platform/problem.h"
#include "platform/request_shape.h"
#include "platform/router.h"
#include "platform/schema_json.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";

class OpenApiWriter {
 public:
  OpenApiWriter(const App& app, const design::Model& model, json::Writer& writer)
      : app_(app), model_(model), shapes_(app), writer_(writer) {}

  void Write() {
    writer_.BeginObject();
    Text("openapi", "3.1.0");
    writer_.Key("info");
    writer_.BeginObject();
    Text("title", app_.title);
    Text("version", fmt::format("{}", model_.version));
    writer_.EndObject();
    writer_.Key("servers");
    writer_.Raw(fmt::format(R"([{{"url":"{}"}}])", MountPath(app_)));
    WritePaths();
    WriteComponents();
    writer_.EndObject();
  }

 private:
  void Text(std::string_view name, std::string_view text) {
    writer_.Key(name);
    writer_.String(text);
  }

  void Reference(std::string_view kind, std::string_view name) {
    writer_.BeginObject();
    Text("$ref", fmt::format("#/components/{}/{}", kind, name));
    writer_.EndObject();
  }

  void WritePaths() {
    std::vector<std::string_view> order;
    std::map<std::string_view, std::vector<const Route*>> by_path;
    for (const Route& route : app_.routes) {
      auto& routes = by_path[route.path];
      if (routes.empty()) order.push_back(route.path);
      routes.push_back(&route);
    }
    writer_.Key("paths");
    writer_.BeginObject();
    for (const std::string_view path : order) {
      writer_.Key(path.empty() ? "/" : path);
      writer_.BeginObject();
      for (const Route* route : by_path[path])
        WriteRoute(*route);
      writer_.EndObject();
    }
    writer_.EndObject();
  }

  void WriteRoute(const Route& route) {
    std::string method(route.method);
    for (char& c : method)
      c = static_cast<char>(c - 'A' + 'a');
    writer_.Key(method);
    writer_.BeginObject();
    Text("summary", route.summary);
    Text("operationId", OperationId(route, method));
    WriteParameters(route);
    WriteRequestBody(route);
    WriteResponses(route);
    writer_.EndObject();
  }

  // Names of routes that are about nothing of the design end in what they show.
  static std::string OperationId(const Route& route, const std::string& method) {
    if (const auto* entity = std::get_if<const design::Entity*>(&route.subject)) {
      return fmt::format("{}_{}", method, (*entity)->name);
    }
    if (const auto* access = std::get_if<const design::Access*>(&route.subject)) {
      return fmt::format("access_{}", (*access)->name);
    }
    if (const auto* operation = std::get_if<const design::Operation*>(&route.subject)) {
      return fmt::format("operation_{}", (*operation)->name);
    }
    std::string id = method;
    for (const char c : route.path)
      id.push_back(c == '/' || c == '{' || c == '}' || c == '.' ? '_' : c);
    return id;
  }

  // Whether the app says itself what the route takes and gives.
  static bool IsOwn(const Route& route) {
    return std::holds_alternative<std::monostate>(route.subject);
  }

  void WriteParameter(std::string_view name, std::string_view place, bool is_required,
                      const design::ValueType& type) {
    writer_.BeginObject();
    Text("name", name);
    Text("in", place);
    writer_.Key("required");
    writer_.Bool(is_required);
    const bool is_list = !type.element.empty();
    if (is_list) {
      Text("style", "form");
      writer_.Key("explode");
      writer_.Bool(false);
    }
    writer_.Key("schema");
    writer_.BeginObject();
    WriteTypeSchema(type, "", false, writer_);
    writer_.EndObject();
    writer_.EndObject();
  }

  void WriteParameters(const Route& route) {
    writer_.Key("parameters");
    writer_.BeginArray();
    if (const auto* entity = std::get_if<const design::Entity*>(&route.subject)) {
      for (const std::string_view name : PlaceholdersOf(route.path)) {
        WriteParameter(name, "path", true, (*entity)->FindAttribute(name)->type);
      }
      WriteConditionHeaders(route);
    } else if (const auto* access = std::get_if<const design::Access*>(&route.subject)) {
      for (const design::Parameter& parameter : (*access)->parameters) {
        WriteParameter(parameter.name, "query", !parameter.is_optional, parameter.type);
      }
      WritePageParameters(**access);
    } else if (IsOwn(route)) {
      WriteOwnParameters(route);
    }
    writer_.EndArray();
  }

  void WriteOwnParameters(const Route& route) {
    const design::ValueType text{.kind = design::TypeKind::kString};
    for (const std::string_view name : PlaceholdersOf(route.path))
      WriteParameter(name, "path", true, text);
    for (const design::Attribute& attribute : shapes_.QueryShape(route)->attributes) {
      const bool is_required = !attribute.is_optional && !attribute.default_value;
      WriteParameter(attribute.name, "query", is_required, attribute.type);
    }
    if (!route.shows.empty() && !route.is_list) WriteConditionHeaders(route);
  }

  void WriteConditionHeaders(const Route& route) {
    if (route.method == "POST") return;
    if (route.method == "GET") return Reference("parameters", "IfNoneMatch");
    Reference("parameters", "IfMatch");
  }

  void WritePageParameters(const design::Access& access) {
    const auto* query = std::get_if<design::Query>(&access.action);
    if (query == nullptr) return;
    const design::ValueType text{.kind = design::TypeKind::kString};
    design::ValueType limit{.kind = design::TypeKind::kInt};
    limit.min = value::Number::FromInteger(1);
    limit.max = value::Number::FromInteger(kPageItemsMax);
    WriteParameter(PageParameter(access, "limit"), "query", false, limit);
    WriteParameter(PageParameter(access, "cursor"), "query", false, text);
    if (query->order != design::syntax::Order::kEither) return;
    design::ValueType order{.kind = design::TypeKind::kEnum};
    order.enum_values = {"asc", "desc"};
    WriteParameter(PageParameter(access, "order"), "query", false, order);
  }

  void WriteRequestBody(const Route& route) {
    if (route.method == "GET" || route.method == "DELETE") return;
    if (IsOwn(route)) return WriteOwnBody(route);
    writer_.Key("requestBody");
    writer_.BeginObject();
    const auto* entity = std::get_if<const design::Entity*>(&route.subject);
    const auto* operation = std::get_if<const design::Operation*>(&route.subject);
    writer_.Key("required");
    writer_.Bool(operation == nullptr || !(*operation)->parameters.empty());
    writer_.Key("content");
    writer_.BeginObject();
    writer_.Key(route.method == "PATCH" ? kMergePatch : kJson);
    writer_.BeginObject();
    writer_.Key("schema");
    if (entity != nullptr) {
      // A PUT has the identity in its address, so nothing that is required for a new one.
      Reference("schemas", (*entity)->name + (route.method == "POST" ? ".New" : ".Patch"));
    } else if (operation != nullptr) {
      WriteParametersSchema((*operation)->parameters, writer_);
    }
    writer_.EndObject();
    writer_.EndObject();
    writer_.EndObject();
  }

  void WriteOwnBody(const Route& route) {
    const design::Entity* shape = shapes_.BodyShape(route);
    if (shape == nullptr && route.shows.empty() && route.takes.empty()) return;
    writer_.Key("requestBody");
    writer_.BeginObject();
    writer_.Key("content");
    writer_.BeginObject();
    writer_.Key(route.method == "PATCH" ? kMergePatch : kJson);
    writer_.BeginObject();
    writer_.Key("schema");
    if (shape != nullptr) {
      WriteEntitySchema(shapes_.model(), *shape, SchemaUse::kNew, {}, writer_);
    } else if (!route.shows.empty()) {
      Reference("schemas",
                std::string(route.shows) + (route.method == "PATCH" ? ".Patch" : ".New"));
    } else {
      writer_.Raw("{}");
    }
    writer_.EndObject();
    writer_.EndObject();
    writer_.EndObject();
  }

  void WriteOwnResponses(const Route& route) {
    const std::string one =
        route.shows.empty() ? R"({"type":"object"})" : SchemaReference(route.shows);
    if (route.is_list) {
      return WriteResponse(
          "200", "A page.",
          fmt::format(
              R"({{"type":"object","required":["items"],"properties":{{)"
              R"("items":{{"type":"array","items":{}}},"nextCursor":{{"type":"string"}}}}}})",
              one));
    }
    if (route.method == "DELETE") WriteResponse("204", "It is done.", "");
    if (route.method == "POST") WriteResponse("201", "What was made.", one);
    WriteResponse("200", "What was asked for.", one);
    if (route.method == "GET") WriteResponse("304", "It is what If-None-Match says.", "");
  }

  void WriteResponse(std::string_view status, std::string_view description,
                     std::string_view schema) {
    writer_.Key(status);
    writer_.BeginObject();
    Text("description", description);
    if (!schema.empty()) {
      writer_.Key("content");
      writer_.Raw(fmt::format(R"({{"{}":{{"schema":{}}}}})", kJson, schema));
    }
    writer_.EndObject();
  }

  static std::string SchemaReference(std::string_view name) {
    return fmt::format(R"({{"$ref":"#/components/schemas/{}"}})", name);
  }

  // A page, or all that an operation changed.
  std::string ItemsSchema(const std::vector<std::string>& names, bool has_cursor) const {
    std::string any;
    for (const std::string& name : names)
      any += (any.empty() ? "" : ",") + SchemaReference(name);
    return fmt::format(R"({{"type":"object","properties":{{)"
                       R"("items":{{"type":"array","items":{{"anyOf":[{}]}}}}{}}},)"
                       R"("required":["items"],"additionalProperties":false}})",
                       any, has_cursor ? R"(,"nextCursor":{"type":"string"})" : "");
  }

  void WriteResponses(const Route& route) {
    writer_.Key("responses");
    writer_.BeginObject();
    if (const auto* entity = std::get_if<const design::Entity*>(&route.subject)) {
      WriteEntityResponses(route, SchemaReference((*entity)->name));
    } else if (const auto* access = std::get_if<const design::Access*>(&route.subject)) {
      std::vector<std::string> names;
      names.reserve((*access)->results.size());
      for (const design::KindReference& kind : (*access)->results)
        names.push_back(kind.of().name);
      WriteResponse("200", "A page of items.", ItemsSchema(names, true));
    } else if (std::holds_alternative<const design::Operation*>(route.subject)) {
      std::vector<std::string> names;
      names.reserve(model_.entities.size());
      for (const design::Entity& known : model_.entities)
        names.push_back(known.name);
      WriteResponse("200", "What was created or changed.", ItemsSchema(names, false));
    } else {
      WriteOwnResponses(route);
    }
    writer_.Key("default");
    Reference("responses", "Problem");
    writer_.EndObject();
  }

  void WriteEntityResponses(const Route& route, const std::string& schema) {
    const std::string_view method = route.method;
    if (method == "DELETE") return WriteResponse("204", "It is deleted.", "");
    if (method != "POST") WriteResponse("200", "The item.", schema);
    if (method == "POST" || method == "PUT") WriteResponse("201", "The new item.", schema);
    if (method == "GET") WriteResponse("304", "It is what If-None-Match says.", "");
  }

  // The routes of a design are about all of its entities, those of an app about what they name.
  [[nodiscard]] bool IsShown(const design::Entity& entity) const {
    return !app_.design.empty() || std::ranges::any_of(app_.routes, [&](const Route& route) {
      return !IsOwn(route) || route.shows == entity.name;
    });
  }

  void WriteComponents() {
    writer_.Key("components");
    writer_.BeginObject();
    writer_.Key("schemas");
    writer_.BeginObject();
    for (const design::Entity& entity : model_.entities) {
      if (!IsShown(entity)) continue;
      const SchemaStyle style = StyleOf(entity);
      writer_.Key(entity.name);
      WriteEntitySchema(model_, entity, SchemaUse::kShown, style, writer_);
      writer_.Key(entity.name + ".New");
      WriteEntitySchema(model_, entity, SchemaUse::kNew, style, writer_);
      if (entity.is_append_only) continue;
      writer_.Key(entity.name + ".Patch");
      WriteEntitySchema(model_, entity, SchemaUse::kPatch, style, writer_);
    }
    writer_.Key(kProblemSchema);
    WriteProblemSchema();
    writer_.EndObject();
    writer_.Key("parameters");
    writer_.Raw(
        R"({"IfMatch":{"name":"If-Match","in":"header","required":false,)"
        R"("schema":{"type":"string"},"description":"The ETag that the change is based on."},)"
        R"("IfNoneMatch":{"name":"If-None-Match","in":"header","required":false,)"
        R"("schema":{"type":"string"},"description":"The ETag of a copy."}})");
    writer_.Key("responses");
    writer_.Raw(
        fmt::format(R"({{"Problem":{{"description":"What went wrong, as RFC 9457 says it.",)"
                    R"("content":{{"application/problem+json":{{"schema":{}}}}}}}}})",
                    SchemaReference(kProblemSchema)));
    writer_.EndObject();
  }

  [[nodiscard]] SchemaStyle StyleOf(const design::Entity& entity) const {
    const auto view = std::ranges::find(app_.views, entity.name, &ItemView::entity);
    if (view == app_.views.end()) return {.names = app_.names};
    return {.names = app_.names,
            .hidden = view->hidden,
            .read_only = view->read_only,
            .is_open = view->add != nullptr};
  }

  void WriteProblemSchema() {
    writer_.Raw(
        R"({"type":"object","required":["type","title","status","detail","code","requestId"],)"
        R"("properties":{"type":{"type":"string"},"title":{"type":"string"},)"
        R"("status":{"type":"integer"},"detail":{"type":"string"},"instance":{"type":"string"},)"
        R"("code":{"type":"string"},"requestId":{"type":"string"},)"
        R"("errors":{"type":"array","items":{"type":"object","required":["code","message"],)"
        R"("properties":{"pointer":{"type":"string"},"parameter":{"type":"string"},)"
        R"("code":{"type":"string"},"message":{"type":"string"}}}}}})");
  }

  // No entity is called so: names of a design have no points.
  static constexpr std::string_view kProblemSchema = "trestle.Problem";

  const App& app_;
  const design::Model& model_;
  const RequestShapes shapes_;
  json::Writer& writer_;
};

}  // namespace

void WriteOpenApi(const App& app, const design::Model& model, json::Writer& writer) {
  OpenApiWriter(app, model, writer).Write();
}

Status ShowOpenApi(Call& call, json::Writer& reply) {
  WriteOpenApi(call.app(), call.runtime().model(), reply);
  return Ok();
}

}  // namespace trestle::platform
