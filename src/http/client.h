#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// A client for one small request at a time, plain HTTP only. It blocks.

namespace trestle::http {

struct GetRequest {
  std::string address;  // a name or a number
  std::uint16_t port = 0;
  std::string_view path = "/";
  std::int64_t timeout_ms = 0;  // to connect, to send, and for each piece of the response
};

struct ClientResponse {
  int status = 0;
  std::string body;
};

// Fails with kUnavailable when there is no answer, or none that is HTTP, in time. A response of
// more than a megabyte counts as none.
[[nodiscard]] Result<ClientResponse> Get(const GetRequest& request);

}  // namespace trestle::http
