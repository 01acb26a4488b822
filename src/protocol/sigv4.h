#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/mutex.h"
#include "protocol/access_keys.h"
#include "protocol/canonical_request.h"

// AWS Signature Version 4: who sent a request, and that nobody changed it. In a header
// (Authorization) or in the query of a presigned address (X-Amz-Signature).

namespace trestle::protocol {

// Why a request was not let in. The reply's status is 400.
struct Refusal {
  std::string_view error_type;  // one of error_names.h
  std::string message;
};

struct SignatureRules {
  // Who may call. Without them any credentials will do, as long as they are well-formed: neither
  // the signature nor the time is looked at.
  std::optional<AccessKeys> keys;
  // The region that credentials must be scoped to; empty for any.
  std::string region;
  const Clock* clock = nullptr;  // must outlive the verifier
};

// Verifies requests under one set of rules. Safe from many threads.
//
// A signature holds for 15 minutes around its time (a presigned one for as long as it says), and
// the same request can be sent again within them: that is how the protocol is. Use TLS.
class SignatureVerifier {
 public:
  explicit SignatureVerifier(SignatureRules rules);

  [[nodiscard]] bool enforces_keys() const { return rules_.keys.has_value(); }

  // Nothing when the request may pass.
  [[nodiscard]] std::optional<Refusal> Verify(const RequestView& request) const EXCLUDES(mutex_);

 private:
  struct Claim;

  [[nodiscard]] std::optional<Refusal> CheckTime(const Claim& claim) const;
  [[nodiscard]] std::optional<Refusal> CheckScope(const Claim& claim) const;
  [[nodiscard]] std::optional<Refusal> CheckSignature(const RequestView& request,
                                                      const Claim& claim) const EXCLUDES(mutex_);
  [[nodiscard]] HmacSha256 SigningKey(std::string_view access_key_id, std::string_view secret,
                                      const Claim& claim) const EXCLUDES(mutex_);

  const SignatureRules rules_;

  // Signing keys by access key id and scope. They change once a day.
  mutable Mutex mutex_;
  mutable std::map<std::string, HmacSha256, std::less<>> signing_keys_ GUARDED_BY(mutex_);
};

// What a request is signed with.
struct Signer {
  std::string_view access_key_id;
  std::string_view secret_access_key;
  std::string_view region;
  std::string_view service = "dynamodb";
};

// The Authorization header of a request. All its headers are signed; Host must be one of them, and
// X-Amz-Date, with `timestamp`.
[[nodiscard]] std::string Authorization(const RequestView& request, const Signer& signer,
                                        std::string_view timestamp);

}  // namespace trestle::protocol
