#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/check.h"
#include "base/result.h"
#include "engine/request.h"
#include "json/json.h"
#include "wire/shape.h"

namespace trestle::wire {

// What an operation may know besides its request.
struct CallContext {
  std::string_view account_id;
  std::string_view region;
  // The request as it came. In Render it is there for reads only, which are answered at once;
  // null for writes.
  const json::Object* body = nullptr;
  std::string_view host = {};  // as the client spells it in its Host header
};

// Which of the service's two interfaces an operation belongs to; each has its own target prefix.
enum class Api : std::uint8_t { kDynamoDb, kStreams };

// One DynamoDB operation: what the client calls it, what its request may look like, how that
// becomes a request to the engine, and how the engine's reply becomes a body. All are pure; the
// service runs reads in place and hands writes to the committer between the two. It has already
// checked the signature and the form of the request, and counts and times every call.
struct Operation {
  std::string_view name;
  Api api;
  const Shape* input;
  Result<engine::Request> (*parse)(const json::Object& body, const CallContext& context);
  // Writes the members of the reply, inside an object that is open. Null: the body is empty.
  void (*render)(const CallContext& context, const engine::Request& request,
                 const engine::Reply& reply, json::Writer& body);
  // Null, or an operation's own refusal of what the engine answered, and its own words for what the
  // engine refused.
  std::optional<Error> (*refuse)(const CallContext& context, const engine::Request& request,
                                 const Result<engine::Reply>& reply) = nullptr;
};

// Joins a Parse and a Render that deal in their own types:
//
//   Result<engine::GetRequest> Parse(const json::Object& body, const CallContext& context);
//   void Render(const CallContext& context, const engine::GetRequest& request,
//               const engine::GetReply& reply, json::Writer& body);
//
//   constinit const Operation kGetItem =
//       MakeOperation<engine::GetRequest, engine::GetReply, Parse, Render>("GetItem", kInput);
//
// An operation that needs no engine uses std::monostate for both types. Render may be a null
// pointer.
template <typename RequestType, typename ReplyType, auto Parse, auto Render>
constexpr Operation MakeOperation(std::string_view name, const Shape& input,
                                  Api api = Api::kDynamoDb) {
  Operation operation = {
      .name = name,
      .api = api,
      .input = &input,
      .parse = [](const json::Object& body, const CallContext& context) -> Result<engine::Request> {
        return engine::Request(TRY(Parse(body, context)));
      },
      .render = nullptr,
      .refuse = nullptr,
  };
  if constexpr (!std::is_null_pointer_v<decltype(Render)>) {
    operation.render = [](const CallContext& context, const engine::Request& request,
                          const engine::Reply& reply, json::Writer& body) {
      const auto* own_request = std::get_if<RequestType>(&request);
      const auto* own_reply = std::get_if<ReplyType>(&reply);
      CHECK(own_request != nullptr, "the request that this operation parsed");
      CHECK(own_reply != nullptr, "the engine answers with the reply of the request");
      Render(context, *own_request, *own_reply, body);
    };
  }
  return operation;
}

// The same for an operation that has something to refuse.
template <typename RequestType, typename ReplyType, auto Parse, auto Render>
constexpr Operation MakeOperation(std::string_view name, const Shape& input,
                                  decltype(Operation::refuse) refuse) {
  Operation operation = MakeOperation<RequestType, ReplyType, Parse, Render>(name, input);
  operation.refuse = refuse;
  return operation;
}

}  // namespace trestle::wire
