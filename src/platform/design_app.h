#pragma once

#include <deque>
#include <string>
#include <vector>

#include "design/runtime.h"
#include "platform/app.h"

namespace trestle::platform {

// Any design as an app, at /api/<design>/v1, without a line of code:
//
//   GET    /                                  what there is
//   GET    /openapi.json                      the same for programs: OpenAPI 3.1
//   POST   /<Entity>                          creates an item
//   GET, PUT, PATCH, DELETE /<Entity>/{…}     one item by its identity, a segment per attribute
//   GET    /access/<name>?…                   an access pattern that reads, by its parameters
//   POST   /operations/<name>                 an operation, by its parameters
//
// Accesses that create, update or delete are their entity's own routes; external ones have none.
// An entity that is append_only can only be created and read.
class DesignApp {
 public:
  // The run time must outlive it.
  explicit DesignApp(design::Runtime& runtime);
  DesignApp(const DesignApp&) = delete;
  DesignApp& operator=(const DesignApp&) = delete;

  [[nodiscard]] const App& app() const { return app_; }

 private:
  void AddEntity(const design::Entity& entity);
  void Add(std::string_view method, std::string path, Handle handle, std::string summary,
           Subject subject);

  std::deque<std::string> texts_;  // that the routes look into
  std::vector<Route> routes_;
  App app_;
};

// Whether an access is one that GET can run.
[[nodiscard]] bool IsRead(const design::Access& access);

}  // namespace trestle::platform
