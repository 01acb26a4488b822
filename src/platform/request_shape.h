#pragma once

#include <map>
#include <memory>

#include "base/result.h"
#include "design/resolve.h"
#include "design/validate.h"
#include "json/tree.h"
#include "platform/address.h"
#include "platform/app.h"

namespace trestle::platform {

// What the requests of an app's routes may hold, read from Route::query and Route::body. Immutable;
// safe from many threads.
class RequestShapes {
 public:
  // A text that cannot be read is a bug of the app.
  explicit RequestShapes(const App& app);

  // With defaults. kValidation, with every failure: names that are unknown, missing or repeated,
  // values of another type or beyond their limits.
  [[nodiscard]] Result<design::Record> Query(const Route& route,
                                             const QueryParameters& given) const;
  [[nodiscard]] Result<design::Record> Body(const Route& route, const json::Tree::Object& given,
                                            const design::FieldRules& rules = nullptr) const;

  [[nodiscard]] const design::Model& model() const { return *design_.model; }
  // For the API's description. Null: the route takes none.
  [[nodiscard]] const design::Entity* QueryShape(const Route& route) const;
  [[nodiscard]] const design::Entity* BodyShape(const Route& route) const;

 private:
  struct Shapes {
    const design::Entity* query = nullptr;
    const design::Entity* body = nullptr;
  };

  TextStyle texts_;
  design::ResolvedDesign design_;
  std::unique_ptr<design::Validator> validator_;
  std::map<const Route*, Shapes> shapes_;
};

}  // namespace trestle::platform
