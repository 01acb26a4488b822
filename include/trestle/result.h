#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "trestle/attribute_value.h"

// What a call answers: a value, or the Error that says why there is none. Nothing here throws.

namespace trestle::embed {

// One entry per reaction that a caller may have, under DynamoDB's names.
enum class ErrorCode {
  kValidationException,
  kSerializationException,
  kResourceNotFoundException,
  kResourceInUseException,  // also: another process has the folder open
  kLimitExceededException,
  kConditionalCheckFailedException,
  kDuplicateItemException,
  kTransactionCanceledException,
  kTransactionConflictException,
  kIdempotentParameterMismatchException,
  kItemCollectionSizeLimitExceededException,
  kTrimmedDataAccessException,
  kExpiredIteratorException,
  kThrottlingException,
  kAccessDeniedException,
  kServiceUnavailableException,  // a sync has failed; nothing is written until it is reopened
  kInternalServerError,
  kCorruption,  // ours: the folder is damaged, or a later version has written it
};

// "ConditionalCheckFailedException".
[[nodiscard]] std::string_view ErrorName(ErrorCode code);

// Why one action of a cancelled transaction did not happen. `code` is the service's: "None" for an
// action that was fine, "ConditionalCheckFailed", "ValidationError".
struct CancellationReason {
  std::string code{};
  std::string message{};
  std::optional<Item> item{};  // as it was, when it was asked for
};

struct Error {
  ErrorCode code = ErrorCode::kInternalServerError;
  std::string message{};       // the service's text
  std::optional<Item> item{};  // of a failed condition: as it was, when it was asked for
  std::vector<CancellationReason> cancellation_reasons{};  // one per action
};

// Ends the program: a Result was read for what it does not hold.
[[noreturn]] void FailAccess(std::string_view what);

// A T, or an Error. Look at ok() before reading either.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }

  [[nodiscard]] const Error& error() const {
    if (ok()) FailAccess("error() of a Result that holds a value");
    return *std::get_if<Error>(&state_);
  }

  [[nodiscard]] const T& operator*() const& { return *Value(std::get_if<T>(&state_)); }
  [[nodiscard]] T& operator*() & { return *Value(std::get_if<T>(&state_)); }
  [[nodiscard]] T&& operator*() && { return std::move(*Value(std::get_if<T>(&state_))); }
  [[nodiscard]] const T* operator->() const { return Value(std::get_if<T>(&state_)); }
  [[nodiscard]] T* operator->() { return Value(std::get_if<T>(&state_)); }

 private:
  template <typename P>
  static P Value(P pointer) {
    if (pointer == nullptr) FailAccess("the value of a Result that holds an error");
    return pointer;
  }

  std::variant<T, Error> state_;
};

}  // namespace trestle::embed
