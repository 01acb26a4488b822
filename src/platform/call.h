#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"
#include "http/message.h"
#include "json/tree.h"
#include "platform/address.h"
#include "platform/app.h"
#include "platform/cursor.h"

namespace trestle::platform {

// Somebody who is signed in.
struct Principal {
  std::string sub;
  std::vector<std::string> groups;
};

// One request as its handler sees it, and what the handler says besides the body. One thread.
class Call {
 public:
  struct Context {
    const http::Request* request = nullptr;  // these outlive the call
    const App* app = nullptr;
    const Route* route = nullptr;
    design::Runtime* runtime = nullptr;
    const CursorSealer* cursors = nullptr;
    std::string_view request_id;
    std::vector<std::string> path_values;  // of the route's placeholders
    QueryParameters query;
    std::optional<Principal> principal;
  };
  explicit Call(Context context) : context_(std::move(context)) {}

  [[nodiscard]] const App& app() const { return *context_.app; }
  [[nodiscard]] const Route& route() const { return *context_.route; }
  [[nodiscard]] design::Runtime& runtime() const { return *context_.runtime; }
  [[nodiscard]] const CursorSealer& cursors() const { return *context_.cursors; }
  [[nodiscard]] const std::optional<Principal>& principal() const { return context_.principal; }
  [[nodiscard]] std::string_view request_id() const { return context_.request_id; }
  [[nodiscard]] std::string_view path() const { return context_.request->path; }

  // The value of a placeholder of the route's path.
  [[nodiscard]] const std::string& PathValue(std::string_view name) const;
  // All of them, in their order.
  [[nodiscard]] const std::vector<std::string>& path_values() const { return context_.path_values; }
  [[nodiscard]] const QueryParameters& query() const { return context_.query; }
  // kValidation when it stands more than once.
  [[nodiscard]] Result<std::optional<std::string_view>> QueryValue(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> Header(std::string_view name) const {
    return context_.request->Find(name);
  }
  // The body, which must be an object. kSerialization when it is not JSON.
  [[nodiscard]] Result<json::Tree::Object> Body() const;
  [[nodiscard]] bool HasBody() const { return !context_.request->body.empty(); }

  // What the answer has beside its body. Headers are sent with an error too.
  void SetStatus(int status) { status_ = status; }
  void AddHeader(std::string name, std::string value) {
    headers_.emplace_back(std::move(name), std::move(value));
  }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& headers() const {
    return headers_;
  }

 private:
  Context context_;
  int status_ = 200;
  std::vector<std::pair<std::string, std::string>> headers_;
};

// How many items a list shall have, as the parameter of this name says.
inline constexpr std::uint32_t kPageItemsDefault = 20;
inline constexpr std::uint32_t kPageItemsMax = 100;
[[nodiscard]] Result<std::uint32_t> PageLimit(const Call& call, std::string_view name = "limit");

}  // namespace trestle::platform
