#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "design/apply.h"
#include "design/backend.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "design/values.h"

// What the tests of this folder and of search/ stand on.

namespace trestle {
extern const std::string_view kPlatformDesign;
}

namespace trestle::platform::testing {

// A design at work on its table.
struct DesignAtWork {
  DesignAtWork(std::string_view text, design::Backend& backend, const Clock& clock, Random& random)
      : design(design::Compile(text)) {
    CHECK(design.model != nullptr, "a design without errors");
    const auto plan = design::PlanApply(*design.model, {}, backend);
    CHECK(plan.ok() && design::Apply(*plan, backend).ok(), "the design's table can be made");
    runtime = std::make_unique<design::Runtime>(
        *design.model, backend, design::RuntimeOptions{.clock = &clock, .random = &random});
  }

  [[nodiscard]] const design::Entity& Entity(std::string_view name) const {
    const design::Entity* entity = design.model->FindEntity(name);
    CHECK(entity != nullptr, "an entity of the design");
    return *entity;
  }

  design::ResolvedDesign design;
  std::unique_ptr<design::Runtime> runtime;
};

inline std::string PlatformDesign() { return std::string(kPlatformDesign); }

// {{"noteId", "n1"}, {"title", "Milk"}}
inline design::Record Texts(
    std::initializer_list<std::pair<std::string_view, std::string_view>> attributes) {
  design::Record record;
  for (const auto& [name, text] : attributes)
    record.SetText(name, text);
  return record;
}

inline design::Changes SetText(std::string_view name, std::string_view text) {
  design::Changes changes;
  changes.set.push_back(
      {.path = design::Path{{}, {std::string(name)}}, .value = design::EncodeText(text)});
  return changes;
}

}  // namespace trestle::platform::testing
