#include "wire/local_call.h"

#include <optional>
#include <utility>

#include "base/log.h"
#include "protocol/error_names.h"
#include "wire/error_reply.h"
#include "wire/operations.h"

namespace trestle::wire {
namespace {

LocalReply Failed(const Error& error) {
  LocalReply reply = {.status = HttpStatusOf(error.code()), .body = {}};
  if (reply.status == 500) log::Error("request failed", {{"error", error.message()}});
  AppendErrorBody(error, reply.body);
  return reply;
}

Result<std::string> Run(engine::Database& database, const Operation& operation,
                        const json::Object& body, const LocalCaller& caller) {
  const CallContext context = {
      .account_id = caller.account_id, .region = caller.region, .body = &body};
  const engine::Request request = TRY(ParseOperation(operation, body, context));
  const Result<engine::Reply> reply = database.Execute(request);
  if (operation.refuse != nullptr) {
    if (std::optional<Error> refusal = operation.refuse(context, request, reply)) {
      return *std::move(refusal);
    }
  }
  if (!reply.ok()) return reply.error();
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  if (operation.render != nullptr) operation.render(context, request, *reply, writer);
  writer.EndObject();
  return text;
}

}  // namespace

Result<engine::Request> ParseOperation(const Operation& operation, const json::Object& body,
                                       const CallContext& context) {
  const auto parse = [&]() -> Result<engine::Request> {
    TRY(CheckTypes(*operation.input, body));
    TRY(CheckConstraints(*operation.input, body));
    return operation.parse(body, context);
  };
  Result<engine::Request> request = parse();
  if (!request.ok()) TRY(CheckAllTypes(*operation.input, body));
  return request;
}

LocalReply CallLocally(engine::Database& database, const LocalCaller& caller,
                       const LocalRequest& request) {
  const auto index = FindOperation(request.target);
  if (!index) {
    LocalReply reply = {.status = 400, .body = {}};
    AppendErrorBody(protocol::kUnknownOperation, "", reply.body);
    return reply;
  }
  json::Parser parser;
  const Result<json::Value> document = parser.Parse(request.body);
  json::Object body;
  if (!document.ok() || document->get(body) != simdjson::SUCCESS) {
    return Failed(SerializationError("the body is not a JSON object"));
  }
  Result<std::string> reply = Run(database, *AllOperations()[*index], body, caller);
  if (!reply.ok()) return Failed(reply.error());
  return {.status = 200, .body = *std::move(reply)};
}

}  // namespace trestle::wire
