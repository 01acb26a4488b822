#include "platform/outbound.h"

#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "design/time_text.h"
#include "http/origin.h"
#include "json/json.h"
#include "platform/item_json.h"

namespace trestle::platform {
namespace {

constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kAnswerBytesMax = 64UL * 1024;

// The same change has the same id.
std::string IdOf(const Mount& mount, const design::Change& change) {
  const std::string digest =
      HexEncode(AsBytes(Sha256(fmt::format("{}\n{}", mount.app->name, change.sequence))));
  return digest.substr(0, kIdDigits);
}

std::string_view ChangeName(const ItemChange& change) {
  if (!change.old_item) return "created";
  return change.new_item ? "changed" : "deleted";
}

void WriteText(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.Key(name);
  writer.String(text);
}

void WriteImage(const Mount& mount, std::string_view name,
                const std::optional<design::TypedItem>& item, json::Writer& writer) {
  if (!item) return;
  design::TypedItem shown = *item;
  for (const ItemView& view : mount.app->views) {
    if (view.entity != item->kind.kind().name) continue;
    for (const design::Attribute& attribute : item->kind.of().attributes)
      if (Lists(view.hidden, attribute.name)) shown.record.Remove(attribute.name);
  }
  writer.Key(name);
  WriteTypedItem(mount.runtime->model(), shown, writer);
}

}  // namespace

Outbound::Outbound(OutboundOptions options, http::Url url, std::unique_ptr<TlsClientContext> tls,
                   const Clock& clock)
    : options_(std::move(options)),
      url_(std::move(url)),
      tls_(std::move(tls)),
      clock_(clock),
      signer_(options_.secret),
      client_({.origin = url_.origin, .tls = tls_.get(), .body_bytes_max = kAnswerBytesMax}) {}

Result<std::unique_ptr<Outbound>> Outbound::Open(OutboundOptions options, const Clock& clock) {
  http::Url url = TRY(http::ParseUrl(options.url));
  if (!url.origin.is_tls && !http::IsLoopbackHost(http::HostText(url.origin))) {
    return ValidationError(fmt::format("events are only sent over https, not to {}", options.url));
  }
  auto tls = TRY(TlsClientContext::Open(options.ca_file));
  return std::unique_ptr<Outbound>(
      new Outbound(std::move(options), std::move(url), std::move(tls), clock));
}

std::string Outbound::EventText(const Mount& mount, const ItemChange& change) const {
  const design::TypedItem& item = change.new_item ? *change.new_item : *change.old_item;
  const std::string& entity = item.kind.kind().name;
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  WriteText("version", "0", writer);
  WriteText("id", IdOf(mount, change.change), writer);
  WriteText("detail-type", fmt::format("{} {}", entity, ChangeName(change)), writer);
  WriteText("source", fmt::format("trestle.{}", mount.app->name), writer);
  WriteText("account", options_.account_id, writer);
  WriteText("time",
            design::TimestampText(change.change.time_unix_ms, design::syntax::Precision::kSeconds),
            writer);
  WriteText("region", options_.region, writer);
  writer.Key("resources");
  writer.BeginArray();
  writer.EndArray();
  writer.Key("detail");
  writer.BeginObject();
  WriteText("app", mount.app->name, writer);
  WriteText("entity", entity, writer);
  WriteText("change", ChangeName(change), writer);
  WriteText("sequence", change.change.sequence, writer);
  WriteImage(mount, "old", change.old_item, writer);
  WriteImage(mount, "new", change.new_item, writer);
  writer.EndObject();
  writer.EndObject();
  return body;
}

Status Outbound::Send(const Mount& mount, const ItemChange& change) {
  if (!change.old_item && !change.new_item) return Ok();
  const design::TypedItem& item = change.new_item ? *change.new_item : *change.old_item;
  if (item.kind.entity == nullptr) return Ok();
  return Post(EventText(mount, change));
}

Status Outbound::Post(std::string_view body) {
  const std::int64_t now_unix_s = clock_.NowUnixMs() / 1000;
  const std::string signature =
      fmt::format("t={},v1={}", now_unix_s,
                  HexEncode(AsBytes(signer_.Sign(fmt::format("{}.{}", now_unix_s, body)))));
  const std::vector<http::Header> headers = {{"Content-Type", "application/json"},
                                             {"Trestle-Signature", signature}};
  const auto answer = client_.Send({.method = "POST",
                                    .target = url_.target,
                                    .headers = headers,
                                    .body = body,
                                    .timeout_ms = options_.timeout_ms});
  if (const auto* failure = std::get_if<http::ClientFailure>(&answer)) {
    return Error(ErrorCode::kUnavailable, failure->reason);
  }
  const int status = std::get_if<http::ClientResponse>(&answer)->status;
  if (status >= 200 && status < 300) return Ok();
  const bool may_pass = status == 408 || status == 429 || status >= 500;
  return Error(may_pass ? ErrorCode::kUnavailable : ErrorCode::kValidation,
               fmt::format("the receiver of events answers {}", status));
}

}  // namespace trestle::platform
