#include "platform/idempotency.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "json/json.h"
#include "json/tree.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kKeyBytesMax = 128;
constexpr std::size_t kKeptBodyBytesMax = 64UL * 1024;
constexpr std::size_t kHeaderBytesMax = 8UL * 1024;

const design::Entity& EntityIn(const design::Runtime& runtime) {
  const design::Entity* entity = runtime.model().FindEntity("Idempotency");
  CHECK(entity != nullptr, "requests are of platform.design");
  return *entity;
}

Status CheckKey(std::string_view key) {
  const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!key.empty() && key.size() <= kKeyBytesMax && std::ranges::all_of(key, is_visible)) {
    return Ok();
  }
  return ValidationError("Idempotency-Key must have 1 to 128 visible characters");
}

Headers OnlyLocation(const Headers& headers) {
  Headers kept;
  std::ranges::copy_if(headers, std::back_inserter(kept),
                       [](const auto& header) { return header.first == "Location"; });
  return kept;
}

// As ["Location","/a","ETag","1"]: a name may stand twice. Cookies are for one browser only.
std::string HeadersText(const Headers& headers) {
  std::string text;
  json::Writer writer(text);
  writer.BeginArray();
  for (const auto& [name, value] : headers) {
    if (name == "Set-Cookie") continue;
    writer.String(name);
    writer.String(value);
  }
  writer.EndArray();
  return text;
}

Headers ParseHeaders(std::string_view text) {
  Headers headers;
  const auto tree = json::ParseTree(text);
  const auto* texts = tree.ok() ? tree->As<json::Tree::Array>() : nullptr;
  if (texts == nullptr) return headers;
  headers.reserve(texts->size() / 2);
  for (std::size_t i = 0; i + 1 < texts->size(); i += 2) {
    const auto* name = (*texts)[i].As<std::string>();
    const auto* value = (*texts)[i + 1].As<std::string>();
    if (name != nullptr && value != nullptr) headers.emplace_back(*name, *value);
  }
  return headers;
}

StoredAnswer AnswerOf(const design::Record& record) {
  return {.status = static_cast<int>(IntegerOf(record, "status").value_or(200)),
          .headers = ParseHeaders(TextOf(record, "headers")),
          .body = TextOf(record, "body")};
}

}  // namespace

std::string FingerprintOf(const http::Request& request) {
  std::string text;
  for (const std::string_view part : {request.method, request.path, request.query, request.body})
    text += fmt::format("{}:{}", part.size(), part);
  const Sha256Digest digest = Sha256(text);
  return HexEncode(AsBytes(digest));
}

Idempotency::Idempotency(const Options& options)
    : options_(options), entity_(EntityIn(*options.runtime)) {}

bool Idempotency::Take(const Request& request) {
  const std::pair<std::string, std::string> name(request.sub, request.key);
  const auto until = std::chrono::steady_clock::now() + options_.wait;
  const MutexLock lock(mutex_);
  while (!running_.insert(name).second) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    released_.WaitFor(mutex_, left);
  }
  return true;
}

void Idempotency::Release(const std::string& sub, const std::string& key) {
  {
    const MutexLock lock(mutex_);
    running_.erase({sub, key});
  }
  released_.WakeAll();
}

Result<Idempotency::Begun> Idempotency::Begin(const Request& request) {
  TRY(CheckKey(request.key));
  if (!Take(request)) {
    return ProblemError("in-progress", "a request with this Idempotency-Key is still running");
  }
  Running running(*this, std::string(request.sub), std::string(request.key),
                  std::string(request.fingerprint));
  const design::Record identity = TextRecord({{"sub", request.sub}, {"key", request.key}});
  const auto found = TRY(options_.runtime->Get(entity_, identity));
  if (!found) return Begun(std::move(running));
  // What has expired may be removed late.
  const std::int64_t expires_s = IntegerOf(found->record, "expiresAt").value_or(0);
  if (expires_s * 1000 <= options_.clock->NowUnixMs()) {
    TRY(options_.runtime->Delete(entity_, identity));
    return Begun(std::move(running));
  }
  if (TextOf(found->record, "fingerprint") != request.fingerprint) {
    return ProblemError("idempotency-key-reused", "another request has had this Idempotency-Key");
  }
  return Begun(AnswerOf(found->record));
}

Idempotency::Running::Running(Idempotency& owner, std::string sub, std::string key,
                              std::string fingerprint)
    : owner_(&owner),
      sub_(std::move(sub)),
      key_(std::move(key)),
      fingerprint_(std::move(fingerprint)) {}

Idempotency::Running::Running(Running&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      sub_(std::move(other.sub_)),
      key_(std::move(other.key_)),
      fingerprint_(std::move(other.fingerprint_)),
      may_be_stored_(other.may_be_stored_) {}

Idempotency::Running::~Running() {
  if (owner_ != nullptr) owner_->Release(sub_, key_);
}

Result<std::vector<design::WriteItem>> Idempotency::Running::ToWrite(const Headers& headers) {
  design::Record record = TextRecord({{"sub", sub_}, {"key", key_}, {"fingerprint", fingerprint_}});
  record.SetText("headers", HeadersText(OnlyLocation(headers)));
  may_be_stored_ = true;
  return owner_->options_.runtime->PlanCreate(owner_->entity_, record);
}

Status Idempotency::Running::Finish(const StoredAnswer& answer) {
  const std::string all_headers = HeadersText(answer.headers);
  const bool is_long =
      answer.body.size() > kKeptBodyBytesMax || all_headers.size() > kHeaderBytesMax;
  design::Record kept;
  SetInteger(kept, "status", answer.status);
  kept.SetText("headers", is_long ? HeadersText(OnlyLocation(answer.headers)) : all_headers);
  if (!is_long) kept.SetText("body", answer.body);

  design::Runtime& runtime = *owner_->options_.runtime;
  if (may_be_stored_) {
    const auto updated = runtime.Update(owner_->entity_, TextRecord({{"sub", sub_}, {"key", key_}}),
                                        design::SetAll(kept));
    if (updated.ok()) return Ok();
    if (updated.error().code() != ErrorCode::kResourceNotFound) return updated.error();
  }
  if (answer.status >= 400) return Ok();
  kept.SetText("sub", sub_);
  kept.SetText("key", key_);
  kept.SetText("fingerprint", fingerprint_);
  TRY(runtime.Create(owner_->entity_, kept));
  return Ok();
}

}  // namespace trestle::platform
