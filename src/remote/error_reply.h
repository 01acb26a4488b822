#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace trestle::remote {

// What may be done about a call that failed.
enum class Remedy : std::uint8_t {
  kNone,
  kRepeat,            // it has surely had no effect
  kRepeatIfHarmless,  // nobody knows whether it had
  kNewCredentials,
};

struct Failure {
  Error error;
  Remedy remedy = Remedy::kNone;
};

// An error reply as the code, the text, the item and the reasons that it tells.
[[nodiscard]] Failure ParseErrorReply(int status, std::string_view body);

}  // namespace trestle::remote
