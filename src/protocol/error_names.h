#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"

// What errors are called on the wire: the "__type" of an error reply, with the namespace that the
// service puts in front of each name. Both ends of the wire use these names.

namespace trestle::protocol {

// Errors of the protocol itself, which no ErrorCode stands for.
inline constexpr std::string_view kMissingAuthenticationToken =
    "com.amazon.coral.service#MissingAuthenticationTokenException";
inline constexpr std::string_view kIncompleteSignature =
    "com.amazon.coral.service#IncompleteSignatureException";
inline constexpr std::string_view kInvalidSignature =
    "com.amazon.coral.service#InvalidSignatureException";
inline constexpr std::string_view kUnrecognizedClient =
    "com.amazon.coral.service#UnrecognizedClientException";
inline constexpr std::string_view kUnknownOperation =
    "com.amazon.coral.service#UnknownOperationException";

[[nodiscard]] std::string_view ErrorTypeOf(ErrorCode code);

// "ValidationException" of "com.amazon.coral.validate#ValidationException".
[[nodiscard]] std::string_view ShortErrorName(std::string_view error_type);

// What an endpoint meant by an error's type, with its namespace or without. Nothing when it is not
// one of ours; several codes share InternalServerError, which comes back as kInternal.
[[nodiscard]] std::optional<ErrorCode> ErrorCodeOf(std::string_view error_type);

// What the reasons of a cancelled transaction are called, "ConditionalCheckFailed", and back.
// Nothing for "None" and for what is not known.
[[nodiscard]] std::string_view ReasonCodeOf(ErrorCode code);
[[nodiscard]] std::optional<ErrorCode> ErrorCodeOfReason(std::string_view reason);

}  // namespace trestle::protocol
