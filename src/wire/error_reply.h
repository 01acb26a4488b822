#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

// Errors as a client sees them: the one place where error codes meet the protocol.

namespace trestle::wire {

[[nodiscard]] int HttpStatusOf(ErrorCode code);

// Appends the body of an error reply.
void AppendErrorBody(const Error& error, std::string& body);

// Of an error that no ErrorCode stands for (protocol/error_names.h). An empty message is left out.
void AppendErrorBody(std::string_view error_type, std::string_view message, std::string& body);

}  // namespace trestle::wire
