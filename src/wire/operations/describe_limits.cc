// DescribeLimits: the capacity that an account and a table may have. This server has no such
// limits and answers what a new account is given.

#include "wire/operations.h"

namespace trestle::wire {
namespace {

constexpr std::int64_t kAccountCapacityUnitsMax = 80'000;
constexpr std::int64_t kTableCapacityUnitsMax = 40'000;

constexpr Shape kInput = {.kind = Kind::kStructure, .name = "DescribeLimitsInput"};

Result<std::monostate> Parse(const json::Object& /*body*/, const CallContext& /*context*/) {
  return std::monostate{};
}

void Render(const CallContext& /*context*/, const std::monostate& /*request*/,
            const std::monostate& /*reply*/, json::Writer& body) {
  body.Key("AccountMaxReadCapacityUnits");
  body.Integer(kAccountCapacityUnitsMax);
  body.Key("AccountMaxWriteCapacityUnits");
  body.Integer(kAccountCapacityUnitsMax);
  body.Key("TableMaxReadCapacityUnits");
  body.Integer(kTableCapacityUnitsMax);
  body.Key("TableMaxWriteCapacityUnits");
  body.Integer(kTableCapacityUnitsMax);
}

}  // namespace

constinit const Operation kDescribeLimits =
    MakeOperation<std::monostate, std::monostate, Parse, Render>("DescribeLimits", kInput);

}  // namespace trestle::wire
