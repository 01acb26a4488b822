// DescribeEndpoints: where clients with endpoint discovery shall send their requests: here.

#include "wire/operations.h"

namespace trestle::wire {
namespace {

constexpr std::int64_t kCachePeriodMinutes = 1440;

constexpr Shape kInput = {.kind = Kind::kStructure, .name = "DescribeEndpointsRequest"};

Result<std::monostate> Parse(const json::Object& /*body*/, const CallContext& /*context*/) {
  return std::monostate{};
}

void Render(const CallContext& context, const std::monostate& /*request*/,
            const std::monostate& /*reply*/, json::Writer& body) {
  body.Key("Endpoints");
  body.BeginArray();
  body.BeginObject();
  body.Key("Address");
  body.String(context.host);
  body.Key("CachePeriodInMinutes");
  body.Integer(kCachePeriodMinutes);
  body.EndObject();
  body.EndArray();
}

}  // namespace

constinit const Operation kDescribeEndpoints =
    MakeOperation<std::monostate, std::monostate, Parse, Render>("DescribeEndpoints", kInput);

}  // namespace trestle::wire
