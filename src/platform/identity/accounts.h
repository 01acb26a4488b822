#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "design/runtime.h"
#include "platform/identity/backoff.h"
#include "platform/identity/codes.h"
#include "platform/identity/mail.h"
#include "platform/identity/password.h"
#include "platform/identity/sessions.h"
#include "platform/identity/signing_keys.h"

// The local pool: who has an account, how they prove it, and the tokens that they get for it.

namespace trestle::platform::identity {

inline constexpr std::int64_t kAccessTokenSeconds = 60 * 60;

// What stands between a sign-up and the first sign-in.
enum class SignUpPolicy : std::uint8_t {
  kOpen,       // nothing
  kEmailCode,  // a code that is sent to the e-mail address
  kApproval,   // an administrator
};

struct Tokens {
  std::string access_token;
  std::string id_token;
  // None when it cannot be sent again (sessions.h).
  std::optional<std::string> refresh_token;
  std::int64_t refresh_seconds = 0;  // until the session ends
};

// Safe from many threads; calls block. An account is an item of platform.design, as it is stored:
// its passwordHash is for nobody's eyes.
//
// Errors are problems (problem.h). What could tell whether an e-mail address has an account is the
// same for all: `unauthenticated`, WrongCode, or no error at all; only a sign-up says
// `email-taken`.
class Accounts {
 public:
  struct Options {
    design::Runtime* runtime = nullptr;  // of platform.design; these outlive it
    const Clock* clock = nullptr;
    SigningKeys* keys = nullptr;
    MailSender* mail = nullptr;
    std::string issuer;     // the name of the pool, in its tokens
    std::string client_id;  // whom they are for
    std::string secret;     // 32 bytes that are kept with the data
    SignUpPolicy policy = SignUpPolicy::kOpen;
    PasswordHasher::Options passwords = {};
  };
  explicit Accounts(Options options);

  [[nodiscard]] const std::string& issuer() const { return options_.issuer; }
  [[nodiscard]] const std::string& client_id() const { return options_.client_id; }
  // As JSON, for others who verify.
  [[nodiscard]] std::string PublicKeys() const { return options_.keys->PublicText(); }

  struct NewAccount {
    std::string email;
    std::string password;
    std::string name;
    std::vector<std::string> groups = {};
    std::string sub = {};  // of the account; empty: a new one
  };
  [[nodiscard]] Result<design::TypedItem> SignUp(const NewAccount& account);
  // Makes sure of an account that the operator names, whatever the policy. One that is there and in
  // these groups already stays as it is; one that is not in them gets them, and the password.
  [[nodiscard]] Status Provide(const NewAccount& account);

  // Who says something about an e-mail address, from where.
  struct Claim {
    std::string email;
    std::string address;  // the client's
  };
  struct CodeClaim {
    Claim claim;
    std::string code;
  };
  [[nodiscard]] Status Confirm(const CodeClaim& claim);
  [[nodiscard]] Status ResendCode(std::string_view email);

  struct PasswordClaim {
    Claim claim;
    std::string password;
  };
  // `rate-limited` after too many wrong ones; RetrySeconds says for how long.
  [[nodiscard]] Result<Tokens> LogIn(const PasswordClaim& claim);
  [[nodiscard]] Result<Tokens> Refresh(std::string_view refresh_token);
  [[nodiscard]] Status LogOut(std::string_view refresh_token);
  [[nodiscard]] std::int64_t RetrySeconds(const Claim& claim) const;

  [[nodiscard]] Status Forgot(std::string_view email);
  [[nodiscard]] Status Reset(const CodeClaim& claim, std::string_view new_password);

  // Of somebody who is signed in.
  struct Person {
    std::string sub;
    std::string address;
  };
  struct PasswordChange {
    std::string current;
    std::string next;
    std::string refresh_token;  // the session that stays; all others end
  };
  [[nodiscard]] Status ChangePassword(const Person& person, const PasswordChange& change);
  struct EmailChange {
    std::string password;
    std::string new_email;
  };
  [[nodiscard]] Status ChangeEmail(const Person& person, const EmailChange& change);
  [[nodiscard]] Result<design::TypedItem> ConfirmEmail(const Person& person, std::string_view code);

  // kResourceNotFound when there is none.
  [[nodiscard]] Result<design::TypedItem> Get(const std::string& sub);
  [[nodiscard]] Result<std::optional<design::TypedItem>> FindByEmail(std::string_view email);
  // Its sessions and codes go with it.
  [[nodiscard]] Status Delete(const std::string& sub);

  // Of administrators. An account that was disabled is approved again.
  [[nodiscard]] Result<design::TypedItem> Approve(const std::string& sub,
                                                  const design::WriteOptions& options = {});
  [[nodiscard]] Result<design::TypedItem> Disable(const std::string& sub,
                                                  const design::WriteOptions& options = {});
  [[nodiscard]] Result<design::TypedItem> SetGroups(const std::string& sub,
                                                    const std::vector<std::string>& groups,
                                                    const design::WriteOptions& options = {});

  // Whether tokens of an account are still good. Other processes are believed for two seconds; what
  // happened here is known at once.
  [[nodiscard]] Result<bool> IsActive(std::string_view sub) EXCLUDES(mutex_);

 private:
  struct Activity {
    bool is_active = false;
    std::int64_t asked_ns = 0;
  };

  [[nodiscard]] Result<design::TypedItem> Create(const NewAccount& account,
                                                 std::string_view status);
  [[nodiscard]] Result<design::TypedItem> Update(const std::string& sub,
                                                 const design::Changes& changes,
                                                 const design::WriteOptions& options = {});
  [[nodiscard]] Result<Tokens> IssueTokens(const design::Record& account,
                                           const Sessions::Session& session) const;
  // Counts the attempt, or refuses it.
  [[nodiscard]] Status BeginAttempt(const Claim& claim);
  void EndAttempt(const Claim& claim);
  [[nodiscard]] Status BeginCode(const Claim& claim);
  // The account whose password this is, with its status whatever it is.
  [[nodiscard]] Result<design::TypedItem> CheckPassword(const PasswordClaim& claim);
  [[nodiscard]] Result<design::TypedItem> CheckOwnPassword(const Person& person,
                                                           const std::string& password);
  void SendCode(const Codes::Request& request, const std::string& email);
  void ForgetActivity(const std::string& sub) EXCLUDES(mutex_);

  const Options options_;
  design::Runtime& runtime_;
  const Clock& clock_;
  const design::Entity& entity_;
  PasswordHasher hasher_;
  Sessions sessions_;
  Codes codes_;
  Backoff by_account_;
  Backoff by_address_;
  Backoff by_code_;

  Mutex mutex_;
  std::unordered_map<std::string, Activity> activities_ GUARDED_BY(mutex_);
};

}  // namespace trestle::platform::identity
