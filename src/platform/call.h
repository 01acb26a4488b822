#pragma once

#include <chrono>
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
#include "platform/idempotency.h"
#include "platform/mount.h"

namespace trestle::platform {

// Somebody who is signed in.
struct Principal {
  std::string sub;
  std::vector<std::string> groups = {};
  std::optional<std::string> email = {};  // these two only when the token says so
  std::optional<std::string> name = {};
  std::int64_t auth_time_unix_s = 0;
  std::int64_t expires_unix_s = 0;

  [[nodiscard]] bool IsIn(std::string_view group) const;
};

// One request as its handler sees it, and what the handler says besides the body. One thread.
class Call {
 public:
  struct Context {
    const http::Request* request = nullptr;  // these outlive the call
    const Mount* mount = nullptr;
    const Route* route = nullptr;
    std::string_view request_id;
    std::vector<std::string> path_values;  // of the route's placeholders
    QueryParameters query;
    std::optional<Principal> principal;
    design::Record arguments = {};
    design::Record fields = {};
    design::Record facts = {};
    Idempotency::Running* running = nullptr;  // of a request with an Idempotency-Key
  };
  explicit Call(Context context) : context_(std::move(context)) {}

  [[nodiscard]] const Mount& mount() const { return *context_.mount; }
  [[nodiscard]] const App& app() const { return *mount().app; }
  [[nodiscard]] const Route& route() const { return *context_.route; }
  [[nodiscard]] design::Runtime& runtime() const { return *mount().runtime; }
  [[nodiscard]] const Shared& shared() const { return *mount().shared; }
  [[nodiscard]] const CursorSealer& cursors() const { return *shared().cursors; }
  [[nodiscard]] std::int64_t now_unix_ms() const { return shared().clock->NowUnixMs(); }

  [[nodiscard]] const std::optional<Principal>& principal() const { return context_.principal; }
  void SetPrincipal(std::optional<Principal> principal) {
    context_.principal = std::move(principal);
  }
  // Of routes that only somebody who is signed in can use.
  [[nodiscard]] const std::string& sub() const;
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
  // How long `Prefer: wait=<seconds>` wants to wait, at most 30 seconds.
  [[nodiscard]] std::chrono::seconds PreferredWait() const;
  // What Route::query and Route::body ask for, checked.
  [[nodiscard]] const design::Record& arguments() const { return context_.arguments; }
  [[nodiscard]] const design::Record& fields() const { return context_.fields; }
  void SetArguments(design::Record arguments) { context_.arguments = std::move(arguments); }
  void SetFields(design::Record fields) { context_.fields = std::move(fields); }
  // What App::admit has found out for the handler.
  [[nodiscard]] design::Record& facts() { return context_.facts; }
  [[nodiscard]] const design::Record& facts() const { return context_.facts; }

  // The body, which must be an object. kSerialization when it is not JSON.
  [[nodiscard]] Result<json::Tree::Object> Body() const;
  [[nodiscard]] bool HasBody() const { return !context_.request->body.empty(); }
  [[nodiscard]] std::string_view raw_body() const { return context_.request->body; }
  [[nodiscard]] const http::Request& request() const { return *context_.request; }

  // For a handler that writes through the run time itself; items.h does it for the others. The
  // record of a request with an Idempotency-Key joins the first write.
  [[nodiscard]] Result<design::WriteOptions> write_options();
  // The same in two steps: once the write has succeeded, no other one takes the record along.
  [[nodiscard]] Status AddRecord(design::WriteOptions& options) const;
  void SetWritten() { context_.running = nullptr; }
  void SetRunning(Idempotency::Running* running) { context_.running = running; }

  // Before something is written that everybody can see: the problem rate-limited when the caller
  // does it too often.
  [[nodiscard]] Status TakePublicWrite();

  // The answer is a stream of what happens to the caller, and in these topics (live.h).
  void SubscribeTo(std::vector<std::string> topics) { topics_ = std::move(topics); }
  [[nodiscard]] const std::optional<std::vector<std::string>>& topics() const { return topics_; }

  // What the answer has beside its body. Headers are sent with an error too.
  void SetStatus(int status) { status_ = status; }
  void SetContentType(std::string type) { content_type_ = std::move(type); }
  [[nodiscard]] const std::string& content_type() const { return content_type_; }
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
  std::string content_type_ = "application/json";
  std::optional<std::vector<std::string>> topics_;
  std::vector<std::pair<std::string, std::string>> headers_;
};

// How many items a list shall have, as the parameter of this name says.
inline constexpr std::uint32_t kPageItemsDefault = 20;
inline constexpr std::uint32_t kPageItemsMax = 100;
[[nodiscard]] Result<std::uint32_t> PageLimit(const Call& call, std::string_view name = "limit");

}  // namespace trestle::platform
