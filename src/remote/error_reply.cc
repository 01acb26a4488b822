#include "remote/error_reply.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "json/json.h"
#include "protocol/attribute_json.h"
#include "protocol/error_names.h"
#include "value/item.h"

namespace trestle::remote {
namespace {

// Names that stand for a code besides the code's own.
struct Synonym {
  std::string_view name;
  ErrorCode code;
};
constexpr Synonym kSynonyms[] = {
    {"ProvisionedThroughputExceededException", ErrorCode::kThrottled},
    {"RequestLimitExceeded", ErrorCode::kThrottled},
    {"TooManyRequestsException", ErrorCode::kThrottled},
    {"ContinuousBackupsUnavailableException", ErrorCode::kThrottled},
    {"TransactionInProgressException", ErrorCode::kTransactionConflict},
    {"TableNotFoundException", ErrorCode::kResourceNotFound},
    {"TableAlreadyExistsException", ErrorCode::kResourceInUse},
    {"ExpiredTokenException", ErrorCode::kAccessDenied},
    {"IncompleteSignatureException", ErrorCode::kAccessDenied},
    {"InvalidSignatureException", ErrorCode::kAccessDenied},
    {"MissingAuthenticationTokenException", ErrorCode::kAccessDenied},
    {"UnrecognizedClientException", ErrorCode::kAccessDenied},
    {"SignatureDoesNotMatch", ErrorCode::kAccessDenied},
};

ErrorCode CodeOf(int status, std::string_view type) {
  if (const auto code = protocol::ErrorCodeOf(type)) return *code;
  const auto* const found =
      std::ranges::find(kSynonyms, protocol::ShortErrorName(type), &Synonym::name);
  if (found != std::end(kSynonyms)) return found->code;
  if (status == 503) return ErrorCode::kUnavailable;
  return status >= 500 ? ErrorCode::kInternal : ErrorCode::kValidation;
}

Remedy RemedyOf(int status, std::string_view name, ErrorCode code) {
  if (code == ErrorCode::kThrottled || name == "TransactionInProgressException") {
    return Remedy::kRepeat;
  }
  if (name == "ExpiredTokenException") return Remedy::kNewCredentials;
  return status >= 500 ? Remedy::kRepeatIfHarmless : Remedy::kNone;
}

std::string_view TextOf(json::Object object, std::string_view name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// The text is under "message", or "Message" in some errors.
std::string MessageOf(json::Object object) {
  const std::string_view message = TextOf(object, "message");
  return std::string(message.empty() ? TextOf(object, "Message") : message);
}

std::string ItemOf(json::Object object) {
  json::Object item;
  if (object["Item"].get(item) != simdjson::SUCCESS) return {};
  auto parsed = protocol::ParseItem(item);
  return parsed.ok() ? (*std::move(parsed)).bytes() : std::string();
}

std::shared_ptr<const ErrorDetails> DetailsWithItem(std::string item) {
  if (item.empty()) return nullptr;
  return std::make_shared<const ErrorDetails>(ErrorDetails{.item = std::move(item), .reasons = {}});
}

std::optional<Error> ParseReason(json::Object reason) {
  const std::string_view code = TextOf(reason, "Code");
  if (code == "None") return std::nullopt;
  return Error(protocol::ErrorCodeOfReason(code).value_or(ErrorCode::kInternal), MessageOf(reason),
               DetailsWithItem(ItemOf(reason)));
}

std::shared_ptr<const ErrorDetails> DetailsOf(json::Object object, std::string_view name) {
  ErrorDetails details;
  details.item = ItemOf(object);
  // What the code does not say already.
  if (!protocol::ErrorCodeOf(name)) details.name = name;
  json::Array reasons;
  if (object["CancellationReasons"].get(reasons) == simdjson::SUCCESS) {
    for (const json::Value value : reasons) {
      json::Object reason;
      if (value.get(reason) == simdjson::SUCCESS) details.reasons.push_back(ParseReason(reason));
    }
  }
  if (details.item.empty() && details.name.empty() && details.reasons.empty()) return nullptr;
  return std::make_shared<const ErrorDetails>(std::move(details));
}

}  // namespace

Failure ParseErrorReply(int status, std::string_view body) {
  json::Parser parser;
  const auto parsed = parser.Parse(body);
  json::Object object;
  if (!parsed.ok() || parsed->get(object) != simdjson::SUCCESS) {
    const ErrorCode code = CodeOf(status, "");
    return {.error = Error(code, fmt::format("The endpoint answers {} without saying why", status)),
            .remedy = RemedyOf(status, "", code)};
  }
  const std::string_view type = TextOf(object, "__type");
  const std::string_view name = protocol::ShortErrorName(type);
  const ErrorCode code = CodeOf(status, type);
  std::string message = MessageOf(object);
  if (message.empty()) message = name;
  return {.error = Error(code, std::move(message), DetailsOf(object, name)),
          .remedy = RemedyOf(status, name, code)};
}

}  // namespace trestle::remote
