#include "platform/call.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/check.h"
#include "platform/problem.h"
#include "platform/rate_limit.h"
#include "platform/router.h"

namespace trestle::platform {

bool Principal::IsIn(std::string_view group) const {
  return std::ranges::find(groups, group) != groups.end();
}

const std::string& Call::sub() const {
  CHECK(principal().has_value(), "a route that is not public");
  return principal()->sub;
}

Status Call::AddRecord(design::WriteOptions& options) const {
  if (context_.running == nullptr) return Ok();
  std::vector<design::WriteItem> record = TRY(context_.running->ToWrite(headers_));
  std::ranges::move(record, std::back_inserter(options.together_with));
  return Ok();
}

Result<design::WriteOptions> Call::write_options() {
  design::WriteOptions options;
  TRY(AddRecord(options));
  SetWritten();
  return options;
}

std::chrono::seconds Call::PreferredWait() const {
  constexpr std::int64_t kSecondsMax = 30;  // a caller that waits holds a worker
  constexpr std::string_view kWait = "wait=";
  // "respond-async, wait=10"
  std::string_view prefer = Header("Prefer").value_or("");
  while (!prefer.empty()) {
    std::string_view word = prefer.substr(0, prefer.find(','));
    prefer.remove_prefix(std::min(word.size() + 1, prefer.size()));
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    if (!word.starts_with(kWait)) continue;
    word.remove_prefix(kWait.size());
    std::int64_t seconds = 0;
    std::from_chars(word.data(), word.data() + word.size(), seconds);
    return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kSecondsMax));
  }
  return std::chrono::seconds(0);
}

Status Call::TakePublicWrite() {
  RateLimiter* const limiter = shared().public_writes;
  const auto wait_s = limiter == nullptr ? std::nullopt : limiter->Take(sub());
  if (!wait_s) return Ok();
  AddHeader("Retry-After", std::to_string(*wait_s));
  return ProblemError("rate-limited", "too much was published; wait a while");
}

const std::string& Call::PathValue(std::string_view name) const {
  const std::vector<std::string_view> names = PlaceholdersOf(route().path);
  const auto found = std::ranges::find(names, name);
  CHECK(found != names.end(), "a placeholder of the route");
  return context_.path_values[static_cast<std::size_t>(found - names.begin())];
}

Result<std::optional<std::string_view>> Call::QueryValue(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const auto& [key, value] : context_.query) {
    if (key != name) continue;
    if (found) {
      return FieldError(
          {.field = fmt::format("?{}", name), .message = "must stand once", .code = "repeated"});
    }
    found = value;
  }
  return found;
}

Result<json::Tree::Object> Call::Body() const {
  json::Tree tree = TRY(json::ParseTree(context_.request->body));
  auto* object = std::get_if<json::Tree::Object>(&tree.is);
  if (object == nullptr) {
    return FieldError({.field = "", .message = "must be an object", .code = "type"});
  }
  return std::move(*object);
}

Result<std::uint32_t> PageLimit(const Call& call, std::string_view name) {
  const auto text = TRY(call.QueryValue(name));
  if (!text) return kPageItemsDefault;
  std::uint32_t limit = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
  if (error != std::errc() || end != text->data() + text->size() || limit < 1 ||
      limit > kPageItemsMax) {
    return FieldError({.field = fmt::format("?{}", name),
                       .message = fmt::format("must be between 1 and {}", kPageItemsMax),
                       .code = "range"});
  }
  return limit;
}

}  // namespace trestle::platform
