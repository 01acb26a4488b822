#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trestle {

// One entry per reaction a caller may have, not one per place that fails.
enum class ErrorCode : std::uint8_t {
  kValidation,
  kSerialization,
  kResourceNotFound,
  kResourceInUse,
  kLimitExceeded,
  kConditionalCheckFailed,
  kDuplicateItem,  // of an INSERT
  kTransactionCanceled,
  kTransactionConflict,
  kIdempotentParameterMismatch,
  kItemCollectionTooLarge,
  kTrimmedDataAccess,
  kExpiredIterator,
  kThrottled,
  kAccessDenied,
  kUnavailable,  // the store refuses writes until it is reopened
  kCorruption,
  kInternal,
};

struct ErrorDetails;

// Why an operation did not happen. `message` is what a client will read, so it
// holds no file names, addresses, or keys of other items.
class Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
  Error(ErrorCode code, std::string message, std::shared_ptr<const ErrorDetails> details)
      : code_(code), message_(std::move(message)), details_(std::move(details)) {}

  [[nodiscard]] ErrorCode code() const { return code_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const ErrorDetails* details() const { return details_.get(); }

 private:
  ErrorCode code_;
  std::string message_;
  std::shared_ptr<const ErrorDetails> details_;
};

// What is wrong with one attribute, or one field, of what a caller gave.
struct FieldFailure {
  std::string field;  // "title", "stats.reads", "tags[2]"
  std::string message;
  std::string code = "invalid";  // for programs: "required", "range", "unknown-field"
};

// What more a caller is told: the item as it was when a condition failed, why each action of a
// cancelled transaction did not happen, a name that says more than the code, or everything that is
// wrong with the caller's attributes.
struct ErrorDetails {
  std::string item;                           // value::Item bytes; empty: absent or not asked for
  std::vector<std::optional<Error>> reasons;  // one per action; none for one that was fine
  std::string name = {};  // "TableNotFoundException" for what is but one more kind of not found
  std::vector<FieldFailure> fields = {};
  bool fails_transaction = false;  // fails one with this error, instead of cancelling it
};

[[nodiscard]] inline Error ValidationError(std::string message) {
  return {ErrorCode::kValidation, std::move(message)};
}

[[nodiscard]] inline Error SerializationError(std::string message) {
  return {ErrorCode::kSerialization, std::move(message)};
}

[[nodiscard]] inline Error CorruptionError(std::string message) {
  return {ErrorCode::kCorruption, std::move(message)};
}

}  // namespace trestle
