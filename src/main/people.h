#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/tls.h"
#include "platform/identity/accounts.h"
#include "platform/identity/remote_keys.h"
#include "platform/identity/verifier.h"

// Who may sign in beside those who sign up here: people of other pools, and administrators that the
// operator names.

namespace trestle {

// A pool elsewhere, as flags name it.
struct IssuerFlags {
  std::string url;                      // without a slash at its end; the tokens' `iss`
  std::vector<std::string> client_ids;  // whom its tokens may be for
};

// Pools of Cognito's kind, whose keys are at <url>/.well-known/jwks.json.
class OtherIssuers {
 public:
  // kValidation for an address that is neither https nor on this machine. Asks nobody yet. The
  // clock must outlive it. `ca_file` is of authorities to believe; empty: those of the system.
  [[nodiscard]] static Result<std::unique_ptr<OtherIssuers>> Open(
      std::span<const IssuerFlags> flags, const std::string& ca_file, const Clock& clock);

  // It outlives whoever uses them.
  [[nodiscard]] const std::vector<platform::identity::Issuer>& issuers() const { return issuers_; }

 private:
  OtherIssuers() = default;

  std::unique_ptr<TlsClientContext> tls_;
  std::vector<std::unique_ptr<platform::identity::RemoteKeys>> keys_;
  std::vector<platform::identity::Issuer> issuers_;
};

// Lines of an e-mail address and a password with a blank between; `#` begins a comment. Errors are
// sentences that name the line and nothing in it.
[[nodiscard]] Result<std::vector<platform::identity::Accounts::NewAccount>> ParseAdmins(
    std::string_view text);

}  // namespace trestle
