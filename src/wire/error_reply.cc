#include "wire/error_reply.h"

#include <fmt/format.h>

#include "json/json.h"
#include "protocol/attribute_json.h"
#include "protocol/error_names.h"
#include "value/item.h"

namespace trestle::wire {
namespace {

// Whether the member that holds the text is "message", or "Message" as some shapes have it.
std::string_view MessageMemberOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSerialization:
    case ErrorCode::kTransactionCanceled:
    case ErrorCode::kIdempotentParameterMismatch:
    case ErrorCode::kAccessDenied:
      return "Message";
    case ErrorCode::kValidation:
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kResourceInUse:
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kConditionalCheckFailed:
    case ErrorCode::kDuplicateItem:
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kItemCollectionTooLarge:
    case ErrorCode::kTrimmedDataAccess:
    case ErrorCode::kExpiredIterator:
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      return "message";
  }
  UNREACHABLE("a code that is not in the enum");
}

void WriteDetailedItem(const Error& error, json::Writer& writer) {
  if (error.details() == nullptr || error.details()->item.empty()) return;
  writer.Key("Item");
  protocol::WriteItem(writer, value::ItemView(error.details()->item));
}

void WriteReasons(const ErrorDetails& details, json::Writer& writer) {
  writer.Key("CancellationReasons");
  writer.BeginArray();
  for (const std::optional<Error>& reason : details.reasons) {
    writer.BeginObject();
    writer.Key("Code");
    writer.String(reason ? protocol::ReasonCodeOf(reason->code()) : "None");
    if (reason) {
      writer.Key("Message");
      writer.String(reason->message());
      WriteDetailedItem(*reason, writer);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

std::string CancellationMessage(const ErrorDetails& details) {
  std::string codes;
  for (const std::optional<Error>& reason : details.reasons) {
    if (!codes.empty()) codes += ", ";
    codes += reason ? protocol::ReasonCodeOf(reason->code()) : "None";
  }
  return fmt::format(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes);
}

std::string TypeOf(const Error& error) {
  if (error.details() != nullptr && !error.details()->name.empty()) {
    return fmt::format("com.amazonaws.dynamodb.v20120810#{}", error.details()->name);
  }
  return std::string(protocol::ErrorTypeOf(error.code()));
}

// What a client may know: the inside of a failure of ours is for the log.
std::string MessageOf(const Error& error) {
  if (HttpStatusOf(error.code()) == 500) return "The request processing has failed.";
  if (error.code() == ErrorCode::kTransactionCanceled && error.details() != nullptr) {
    return CancellationMessage(*error.details());
  }
  return error.message();
}

}  // namespace

int HttpStatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      return 500;
    case ErrorCode::kUnavailable:
      return 503;
    case ErrorCode::kValidation:
    case ErrorCode::kSerialization:
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kResourceInUse:
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kConditionalCheckFailed:
    case ErrorCode::kDuplicateItem:
    case ErrorCode::kTransactionCanceled:
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kIdempotentParameterMismatch:
    case ErrorCode::kItemCollectionTooLarge:
    case ErrorCode::kTrimmedDataAccess:
    case ErrorCode::kExpiredIterator:
    case ErrorCode::kThrottled:
    case ErrorCode::kAccessDenied:
      return 400;
  }
  UNREACHABLE("a code that is not in the enum");
}

void AppendErrorBody(const Error& error, std::string& body) {
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("__type");
  writer.String(TypeOf(error));
  if (const std::string message = MessageOf(error); !message.empty()) {
    writer.Key(MessageMemberOf(error.code()));
    writer.String(message);
  }
  if (error.code() == ErrorCode::kTransactionCanceled && error.details() != nullptr) {
    WriteReasons(*error.details(), writer);
  } else {
    WriteDetailedItem(error, writer);
  }
  writer.EndObject();
}

void AppendErrorBody(std::string_view error_type, std::string_view message, std::string& body) {
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("__type");
  writer.String(error_type);
  if (!message.empty()) {
    writer.Key("message");
    writer.String(message);
  }
  writer.EndObject();
}

}  // namespace trestle::wire
