#include "platform/problem.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "json/json.h"

namespace trestle::platform {
namespace {

// Within a status the most general one comes first.
constexpr ProblemKind kKinds[] = {
    {"validation", 400, "Invalid request"},
    {"unknown-field", 400, "Unknown field"},
    {"malformed-json", 400, "Malformed JSON"},
    {"invalid-cursor", 400, "Invalid cursor"},
    {"bad-request", 400, "Bad request"},
    {"unauthenticated", 401, "Not signed in"},
    {"token-expired", 401, "Token expired"},
    {"forbidden", 403, "Forbidden"},
    {"curator-required", 403, "Curators only"},
    {"account-pending", 403, "Account pending"},
    {"not-found", 404, "Not found"},
    {"user-not-found", 404, "No such person"},
    {"method-not-allowed", 405, "Method not allowed"},
    {"not-acceptable", 406, "Not acceptable"},
    {"request-timeout", 408, "Request too slow"},
    {"conflict", 409, "Conflict"},
    {"already-exists", 409, "Already exists"},
    {"already-lent", 409, "Already lent"},
    {"not-lent", 409, "Not lent"},
    {"collection-name-taken", 409, "Name taken"},
    {"email-taken", 409, "E-mail address taken"},
    {"still-shared", 409, "Still shared"},
    {"edit-window-closed", 409, "Edit window closed"},
    {"in-progress", 409, "In progress"},
    {"gone", 410, "Gone"},
    {"version-mismatch", 412, "Changed meanwhile"},
    {"too-large", 413, "Too large"},
    {"unsupported-media-type", 415, "Unsupported media type"},
    {"expectation-failed", 417, "Expectation failed"},
    {"misdirected-request", 421, "Misdirected request"},
    {"semantic", 422, "Impossible request"},
    {"idempotency-key-reused", 422, "Idempotency key reused"},
    {"precondition-required", 428, "Precondition required"},
    {"rate-limited", 429, "Too many requests"},
    {"header-too-large", 431, "Header too large"},
    {"internal", 500, "Internal error"},
    {"not-implemented", 501, "Not implemented"},
    {"unavailable", 503, "Unavailable"},
    {"http-version", 505, "HTTP version not supported"},
};

const ProblemKind& Kind(std::string_view code) {
  const ProblemKind* kind = FindProblemKind(code);
  CHECK(kind != nullptr, "a problem that is in the list");
  return *kind;
}

// A transaction fails for the first reason that says more than that another action failed.
const ProblemKind& KindOfReasons(const Error& error) {
  if (error.details() != nullptr) {
    for (const std::optional<Error>& reason : error.details()->reasons) {
      if (reason && reason->code() != ErrorCode::kTransactionCanceled) {
        return *ToProblem(*reason).kind;
      }
    }
  }
  return Kind("conflict");
}

const ProblemKind& KindOfValidation(const Error& error) {
  const auto is_unknown = [](const FieldFailure& failure) {
    return failure.code == "unknown-field";
  };
  const bool is_all_unknown = error.details() != nullptr && !error.details()->fields.empty() &&
                              std::ranges::all_of(error.details()->fields, is_unknown);
  return Kind(is_all_unknown ? "unknown-field" : "validation");
}

const ProblemKind& KindOf(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kValidation:
      return KindOfValidation(error);
    case ErrorCode::kSerialization:
      return Kind("malformed-json");
    case ErrorCode::kAccessDenied:
      return Kind("forbidden");
    case ErrorCode::kResourceNotFound:
      return Kind("not-found");
    case ErrorCode::kDuplicateItem:
      return Kind("already-exists");
    case ErrorCode::kResourceInUse:
    case ErrorCode::kConditionalCheckFailed:
    case ErrorCode::kTransactionConflict:
      return Kind("conflict");
    case ErrorCode::kTransactionCanceled:
      return KindOfReasons(error);
    case ErrorCode::kTrimmedDataAccess:
    case ErrorCode::kExpiredIterator:
      return Kind("gone");
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kItemCollectionTooLarge:
      return Kind("semantic");
    case ErrorCode::kIdempotentParameterMismatch:
      return Kind("idempotency-key-reused");
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
      return Kind("unavailable");
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      return Kind("internal");
  }
  UNREACHABLE("a code that is not in the enum");
}

std::string DetailOf(const Error& error, const ProblemKind& kind) {
  if (kind.status == 500) return "the server could not do it; its log says more";
  const std::size_t count = error.details() == nullptr ? 0 : error.details()->fields.size();
  if (count == 0) return error.message();
  return count == 1 ? "1 field is not acceptable"
                    : fmt::format("{} fields are not acceptable", count);
}

void WriteFailure(const FieldFailure& failure, json::Writer& writer) {
  writer.BeginObject();
  if (failure.field.starts_with('?')) {
    writer.Key("parameter");
    writer.String(std::string_view(failure.field).substr(1));
  } else {
    writer.Key("pointer");
    writer.String(PointerOf(failure.field));
  }
  writer.Key("code");
  writer.String(failure.code);
  writer.Key("message");
  writer.String(failure.message);
  writer.EndObject();
}

}  // namespace

const ProblemKind* FindProblemKind(std::string_view code) {
  const auto* found = std::ranges::find(kKinds, code, &ProblemKind::code);
  return found == std::end(kKinds) ? nullptr : found;
}

const ProblemKind& ProblemKindOf(int status) {
  if (status == 400) return Kind("bad-request");
  const auto* found = std::ranges::find(kKinds, status, &ProblemKind::status);
  return found == std::end(kKinds) ? Kind("internal") : *found;
}

Error ProblemError(std::string_view code, std::string detail) {
  auto details = std::make_shared<ErrorDetails>();
  details->name = Kind(code).code;
  return {ErrorCode::kValidation, std::move(detail), std::move(details)};
}

Error FieldError(FieldFailure failure) {
  auto details = std::make_shared<ErrorDetails>();
  std::string message = fmt::format("{} {}", failure.field, failure.message);
  details->fields.push_back(std::move(failure));
  return {ErrorCode::kValidation, std::move(message), std::move(details)};
}

Problem ToProblem(const Error& error) {
  const ErrorDetails* details = error.details();
  const ProblemKind* named = details == nullptr ? nullptr : FindProblemKind(details->name);
  const ProblemKind& kind = named == nullptr ? KindOf(error) : *named;
  return {.kind = &kind,
          .detail = DetailOf(error, kind),
          .errors = details == nullptr ? std::vector<FieldFailure>() : details->fields};
}

void AppendProblem(const Problem& problem, const ProblemContext& context, std::string& out) {
  json::Writer writer(out);
  writer.BeginObject();
  writer.Key("type");
  writer.String(fmt::format("/problems/{}", problem.kind->code));
  writer.Key("title");
  writer.String(problem.kind->title);
  writer.Key("status");
  writer.Integer(problem.kind->status);
  writer.Key("detail");
  writer.String(problem.detail);
  if (!context.instance.empty()) {
    writer.Key("instance");
    writer.String(context.instance);
  }
  writer.Key("code");
  writer.String(problem.kind->code);
  writer.Key("requestId");
  writer.String(context.request_id);
  if (!problem.errors.empty()) {
    writer.Key("errors");
    writer.BeginArray();
    for (const FieldFailure& failure : problem.errors)
      WriteFailure(failure, writer);
    writer.EndArray();
  }
  writer.EndObject();
}

std::string PointerOf(std::string_view field) {
  if (field.empty() || field.starts_with('/')) return std::string(field);
  std::string pointer = "/";
  for (const char c : field) {
    if (c == '.' || c == '[') {
      pointer.push_back('/');
    } else if (c != ']') {
      pointer.push_back(c);
    }
  }
  return pointer;
}

}  // namespace trestle::platform
