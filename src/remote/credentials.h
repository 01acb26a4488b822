#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/tls.h"
#include "remote/environment.h"

// Who calls: the credentials that AWS's own tools would find, in their order.
//
//   1. AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   2. the profile's keys (profile.h)
//   3. a container's: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI
//   4. an instance's role, by its metadata service (IMDSv2)
//
// Roles to assume, single sign-on, web identities and credential_process are not followed.

namespace trestle::remote {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;                    // empty: none
  std::optional<std::int64_t> expires_unix_ms;  // none: never

  friend bool operator==(const Credentials&, const Credentials&) = default;
};

struct CredentialOptions {
  Environment environment;
  const Clock* clock = nullptr;           // must outlive the chain
  const TlsClientContext* tls = nullptr;  // likewise; for a container's https address
  std::string container_origin = "http://169.254.170.2";
  std::string instance_origin = "http://169.254.169.254";
};

// Finds credentials, and finds them again before they expire. Safe from many threads; calls block.
class CredentialChain {
 public:
  explicit CredentialChain(CredentialOptions options) : options_(std::move(options)) {}

  // kAccessDenied when there are none; the message says where they were looked for.
  [[nodiscard]] Result<Credentials> Get() EXCLUDES(mutex_);
  // The service has refused them: the next Get looks again.
  void Forget() EXCLUDES(mutex_);

 private:
  const CredentialOptions options_;

  Mutex mutex_;
  std::optional<Credentials> known_ GUARDED_BY(mutex_);
};

}  // namespace trestle::remote
