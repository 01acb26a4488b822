#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/result.h"
#include "base/tls.h"
#include "http/client.h"
#include "platform/consumers.h"
#include "platform/mount.h"

namespace trestle::platform {

struct OutboundOptions {
  std::string url;     // https, or http on this machine
  std::string secret;  // shared with who gets the events
  std::string account_id;
  std::string region;
  std::string ca_file;             // whom to believe; empty: whom the system does
  std::int64_t timeout_ms = 5000;  // of one event
};

// Tells a server elsewhere of every change of an app's items, one POST each, in the shape of an
// event of Amazon EventBridge:
//
//   {"version":"0","id":"…","detail-type":"Book changed","source":"trestle.books","account":"…",
//    "time":"2026-01-02T03:04:05Z","region":"…","resources":[],
//    "detail":{"app":"books","entity":"Book","change":"changed","sequence":"…",
//              "old":{…},"new":{…}}}
//
//   Trestle-Signature: t=1767323045,v1=<hex of HMAC-SHA256(secret, "1767323045." + body)>
//
// The id follows from the change, so that one that comes again can be told. Attributes that an app
// hides are left out, and so is what a design derives as items of its own (mirrors). Safe from many
// threads.
class Outbound {
 public:
  // kValidation for an address that is not allowed. The clock must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Outbound>> Open(OutboundOptions options,
                                                              const Clock& clock);

  // Waits for the answer, which must be 2xx. kUnavailable when there was none, or one that says
  // that it will not last (408, 429, 5xx); else kValidation.
  [[nodiscard]] Status Send(const Mount& mount, const ItemChange& change);

 private:
  Outbound(OutboundOptions options, http::Url url, std::unique_ptr<TlsClientContext> tls,
           const Clock& clock);
  [[nodiscard]] std::string EventText(const Mount& mount, const ItemChange& change) const;
  [[nodiscard]] Status Post(std::string_view body);

  const OutboundOptions options_;
  const http::Url url_;
  const std::unique_ptr<TlsClientContext> tls_;
  const Clock& clock_;
  const HmacSha256 signer_;
  http::Client client_;
};

}  // namespace trestle::platform
