#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "design/backend.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "engine/testing_internal.h"
#include "platform/identity/accounts.h"

// What the tests of accounts stand on.

namespace trestle::platform::identity::testing {

inline constexpr std::string_view kIssuer = "https://auth.example.com/pool";
inline constexpr std::string_view kClient = "web-client";
inline constexpr std::string_view kPassword = "fluss tal berg";

// A pool on a database in memory, with a clock and mails of the test's own.
class AccountsFixture : public engine::testing::DatabaseFixture {
 protected:
  AccountsFixture();
  void Use(SignUpPolicy policy);

  // RSA keys take long to make: all tests have the same.
  static SigningKeys& Keys();

  // The code in the last mail to an address; empty when there is none.
  [[nodiscard]] std::string CodeFor(std::string_view email) const;

  std::string issuer_{kIssuer};  // from the next Use on
  std::unique_ptr<design::Backend> backend_;
  design::ResolvedDesign design_;
  std::unique_ptr<design::Runtime> runtime_;
  MemoryMail mail_;
  std::unique_ptr<Accounts> accounts_;
};

}  // namespace trestle::platform::identity::testing
