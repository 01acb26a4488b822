#include "platform/design_app.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "platform/design_routes_internal.h"
#include "platform/openapi.h"
#include "platform/router.h"

namespace trestle::platform {
namespace {

void WriteText(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.Key(name);
  writer.String(text);
}

void WriteParameters(std::span<const design::Parameter> parameters, json::Writer& writer) {
  writer.Key("parameters");
  writer.BeginArray();
  for (const design::Parameter& parameter : parameters)
    writer.String(parameter.name);
  writer.EndArray();
}

// The routes that are about one kind of thing, as a list under `name`.
template <typename T>
void WriteRoutes(const App& app, std::string_view name, json::Writer& writer) {
  writer.Key(name);
  writer.BeginArray();
  for (const Route& route : app.routes) {
    const auto* subject = std::get_if<const T*>(&route.subject);
    if (subject == nullptr) continue;
    writer.BeginObject();
    WriteText("name", (*subject)->name, writer);
    WriteText("method", route.method, writer);
    WriteText("href", MountPath(app) + std::string(route.path), writer);
    if constexpr (!std::is_same_v<T, design::Entity>) {
      WriteParameters((*subject)->parameters, writer);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

bool IsRead(const design::Access& access) {
  return std::holds_alternative<design::Get>(access.action) ||
         std::holds_alternative<design::Query>(access.action);
}

DesignApp::DesignApp(design::Runtime& runtime) {
  const design::Model& model = runtime.model();
  Add("GET", "", ShowDesign, "What there is", {});
  Add("GET", "/openapi.json", ShowOpenApi, "This description", {});
  for (const design::Entity& entity : model.entities)
    AddEntity(entity);
  for (const design::Access& access : model.accesses) {
    if (!IsRead(access)) continue;
    Add("GET", fmt::format("/access/{}", access.name), GetAccess,
        fmt::format("The access pattern {}", access.name), &access);
  }
  for (const design::Operation& operation : model.operations) {
    Add("POST", fmt::format("/operations/{}", operation.name), PostOperation,
        fmt::format("The operation {}", operation.name), &operation);
  }
  app_ = {.name = model.name, .title = model.name, .routes = routes_};
}

void DesignApp::AddEntity(const design::Entity& entity) {
  std::string item_path = fmt::format("/{}", entity.name);
  for (const std::string& name : entity.identity)
    item_path += fmt::format("/{{{}}}", name);
  Add("POST", fmt::format("/{}", entity.name), PostEntity, fmt::format("Creates a {}", entity.name),
      &entity);
  Add("GET", item_path, GetEntity, fmt::format("One {}", entity.name), &entity);
  if (entity.is_append_only) return;
  Add("PUT", item_path, PutEntity,
      fmt::format("Creates a {}, or changes what is given of it", entity.name), &entity);
  Add("PATCH", item_path, PatchEntity, fmt::format("Changes a {}", entity.name), &entity);
  Add("DELETE", item_path, DeleteEntity, fmt::format("Deletes a {}", entity.name), &entity);
}

void DesignApp::Add(std::string_view method, std::string path, Handle handle, std::string summary,
                    Subject subject) {
  routes_.push_back({.method = method,
                     .path = texts_.emplace_back(std::move(path)),
                     .access = Access::kPublic,
                     .handle = handle,
                     .summary = texts_.emplace_back(std::move(summary)),
                     .subject = subject});
}

Status ShowDesign(Call& call, json::Writer& reply) {
  TRY(CheckQuery(call, {}));
  const design::Model& model = call.runtime().model();
  reply.BeginObject();
  WriteText("design", model.name, reply);
  reply.Key("version");
  reply.Integer(model.version);
  WriteText("openapi", MountPath(call.app()) + "/openapi.json", reply);
  WriteRoutes<design::Entity>(call.app(), "entities", reply);
  WriteRoutes<design::Access>(call.app(), "accesses", reply);
  WriteRoutes<design::Operation>(call.app(), "operations", reply);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::platform
