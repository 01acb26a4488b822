#pragma once

#include <memory>

#include "base/result.h"
#include "design/backend.h"
#include "remote/client.h"

namespace trestle::design {

// A back end on any endpoint that speaks DynamoDB's protocol. Asks the endpoint what it can do, so
// it fails when nobody answers or the credentials are refused. The client must outlive it and its
// readers.
//
// Point-in-time recovery and encryption are asked for where the endpoint knows the former; what an
// endpoint without it says of encryption is not believed.
[[nodiscard]] Result<std::unique_ptr<Backend>> OpenRemoteBackend(remote::Client& client);

}  // namespace trestle::design
