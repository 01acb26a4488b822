#pragma once

#include <string>

#include "base/result.h"
#include "http/client.h"
#include "remote/environment.h"

namespace trestle::remote {

// Whom to call, and for which region requests are signed.
struct Endpoint {
  http::Url dynamodb;
  http::Url streams;
  std::string region;
};

struct EndpointOptions {
  std::string endpoint;  // a URL; empty: from the surroundings, else the region's own
  std::string region;    // empty: from the surroundings
};

// An endpoint that is given, else AWS_ENDPOINT_URL_DYNAMODB (and _STREAMS), AWS_ENDPOINT_URL, the
// profile's endpoint_url, else https://dynamodb.<region>.amazonaws.com. The region is the given
// one, else AWS_REGION, AWS_DEFAULT_REGION, the profile's; an endpoint that is not the region's own
// can do without and is signed for as us-east-1.
[[nodiscard]] Result<Endpoint> ResolveEndpoint(const Environment& environment,
                                               const EndpointOptions& options);

}  // namespace trestle::remote
