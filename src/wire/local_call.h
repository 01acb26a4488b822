#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/database.h"
#include "json/json.h"
#include "wire/operation.h"

// DynamoDB's operations without a socket and without a signature, for who has let the caller in
// already.

namespace trestle::wire {

struct LocalCaller {
  std::string account_id = "000000000000";
  std::string region = "us-east-1";
};

struct LocalReply {
  int status = 200;
  std::string body;
};

// Runs the operation that `target` names ("DynamoDB_20120810.GetItem") and waits for it. What is
// wrong is said in the reply, as the service says it.
struct LocalRequest {
  std::string_view target;
  std::string_view body;
};
[[nodiscard]] LocalReply CallLocally(engine::Database& database, const LocalCaller& caller,
                                     const LocalRequest& request);

// The request to the engine that a body is; every kind of refusal in the service's order.
[[nodiscard]] Result<engine::Request> ParseOperation(const Operation& operation,
                                                     const json::Object& body,
                                                     const CallContext& context);

}  // namespace trestle::wire
