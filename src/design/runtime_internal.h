#pragma once

#include <string>

#include "design/identifier.h"
#include "design/runtime.h"
#include "design/validate.h"
#include "design/values.h"

// What the files of the run time share.

namespace trestle::design {

struct RuntimeState {
  RuntimeState(const Model& of, Backend& on, const RuntimeOptions& options);

  [[nodiscard]] ValueSources Sources() {
    return {.now_unix_ms = clock.NowUnixMs(), .identifiers = &identifiers};
  }

  const Model& model;
  Backend& backend;
  const Clock& clock;
  Random& random;
  const std::string table;
  Identifiers identifiers;
  const Validator validator;
};

struct Runtime::Impl : RuntimeState {
  using RuntimeState::RuntimeState;
};

}  // namespace trestle::design
