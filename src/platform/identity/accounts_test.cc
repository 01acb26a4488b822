#include "platform/identity/accounts.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/identity/accounts_fixture_test.h"
#include "platform/identity/jwt.h"
#include "platform/identity/verifier.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform::identity {
namespace {

using testing::kClient;
using testing::kIssuer;
using testing::kPassword;

template <typename T>
std::string CodeOf(const Result<T>& result) {
  if (result.ok()) return "ok";
  const Problem problem = ToProblem(result.error());
  return problem.errors.empty()
             ? std::string(problem.kind->code)
             : fmt::format("{} {}", problem.errors.front().field, problem.errors.front().code);
}

class AccountsTest : public testing::AccountsFixture {
 protected:
  [[nodiscard]] Result<design::TypedItem> SignUp(std::string email,
                                                 std::string password = std::string(kPassword)) {
    return accounts_->SignUp(
        {.email = std::move(email), .password = std::move(password), .name = "Anna"});
  }
  std::string Sub(const std::string& email) {
    const auto found = accounts_->FindByEmail(email);
    return found.ok() && *found ? TextOf((*found)->record, "sub") : "";
  }
  [[nodiscard]] Result<Tokens> LogIn(std::string email,
                                     std::string password = std::string(kPassword),
                                     std::string address = "192.0.2.1") {
    return accounts_->LogIn({.claim = {.email = std::move(email), .address = std::move(address)},
                             .password = std::move(password)});
  }
  // Of a session that is started with it.
  std::string RefreshToken(const std::string& email) {
    const auto tokens = LogIn(email);
    EXPECT_TRUE(tokens.ok()) << tokens.error().message();
    return tokens.ok() ? tokens->refresh_token.value_or("") : "";
  }
  [[nodiscard]] Status Confirm(std::string email, std::string code) {
    return accounts_->Confirm(
        {.claim = {.email = std::move(email), .address = "192.0.2.1"}, .code = std::move(code)});
  }
  [[nodiscard]] Status Reset(std::string email, std::string code,
                             std::string_view password = "neues wort hier") {
    return accounts_->Reset(
        {.claim = {.email = std::move(email), .address = "192.0.2.1"}, .code = std::move(code)},
        password);
  }
  std::size_t ItemsOf(const std::string& access, const std::string& sub) {
    const auto items = RunWhole(*runtime_, access, TextRecord({{"sub", sub}}));
    return items.ok() ? items->size() : 999;
  }
  // Another code than this one.
  static std::string WrongOf(const std::string& code) {
    return code == "000000" ? "000001" : "000000";
  }
};

TEST_F(AccountsTest, SignUpAndSignIn) {
  const auto account = SignUp(" Anna@Example.COM ");
  ASSERT_TRUE(account.ok()) << account.error().message();
  EXPECT_EQ(TextOf(account->record, "email"), "anna@example.com");
  EXPECT_EQ(TextOf(account->record, "status"), "CONFIRMED");
  EXPECT_EQ(BoolOf(account->record, "emailVerified"), false);
  const auto tokens = LogIn("ANNA@example.com");
  ASSERT_TRUE(tokens.ok()) << tokens.error().message();
  EXPECT_TRUE(tokens->refresh_token);
  EXPECT_EQ(tokens->refresh_seconds, 30 * 24 * 60 * 60);
}

TEST_F(AccountsTest, TokensSayWhatCognitosSay) {
  ASSERT_TRUE(accounts_
                  ->Provide({.email = "root@example.com",
                             .password = std::string(kPassword),
                             .name = "Root",
                             .groups = {"admin"}})
                  .ok());
  const auto tokens = LogIn("root@example.com");
  ASSERT_TRUE(tokens.ok());
  Verifier verifier(
      {{.name = std::string(kIssuer),
        .client_ids = {std::string(kClient)},
        .keys = &Keys(),
        .is_active = [this](std::string_view sub) { return accounts_->IsActive(sub); }}},
      clock_);
  const auto principal = verifier.Verify(tokens->access_token, TokenUse::kAccess);
  ASSERT_TRUE(principal.ok()) << principal.error().message();
  EXPECT_EQ(principal->sub, Sub("root@example.com"));
  EXPECT_TRUE(principal->IsIn("admin"));
  EXPECT_EQ(principal->expires_unix_s - clock_.NowUnixMs() / 1000, 3600);
  const auto person = verifier.Verify(tokens->id_token, TokenUse::kId);
  ASSERT_TRUE(person.ok());
  EXPECT_EQ(person->email, std::nullopt);  // nobody has verified it
  EXPECT_EQ(person->name, "Root");
  EXPECT_FALSE(verifier.Verify(tokens->id_token, TokenUse::kAccess).ok());

  const auto names = [](const std::string& token) {
    const auto parsed = ParseToken(token);
    std::vector<std::string> members;
    if (parsed.ok())
      for (const json::Member& member : parsed->claims)
        members.push_back(member.name);
    std::ranges::sort(members);
    return members;
  };
  EXPECT_EQ(names(tokens->access_token),
            (std::vector<std::string>{"auth_time", "client_id", "cognito:groups", "exp", "iat",
                                      "iss", "jti", "scope", "sub", "token_use", "username"}));
  EXPECT_EQ(names(tokens->id_token),
            (std::vector<std::string>{"aud", "auth_time", "cognito:groups", "cognito:username",
                                      "email", "email_verified", "exp", "iat", "iss", "jti", "name",
                                      "sub", "token_use"}));

  ASSERT_TRUE(accounts_->Disable(principal->sub).ok());
  EXPECT_EQ(CodeOf(verifier.Verify(tokens->access_token, TokenUse::kAccess)), "unauthenticated");
  ASSERT_TRUE(accounts_->Approve(principal->sub).ok());
  EXPECT_EQ(CodeOf(verifier.Verify(tokens->access_token, TokenUse::kAccess)), "ok");
  ASSERT_TRUE(accounts_->Delete(principal->sub).ok());
  EXPECT_EQ(CodeOf(verifier.Verify(tokens->access_token, TokenUse::kAccess)), "unauthenticated");
}

TEST_F(AccountsTest, AnAddressHasOneAccount) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  EXPECT_EQ(CodeOf(SignUp("ANNA@example.com")), "email-taken");
  EXPECT_EQ(CodeOf(SignUp("anna2@example.com")), "ok");
}

TEST_F(AccountsTest, OfAHundredAtOnceOneSucceeds) {
  std::map<std::string, int> outcomes;
  Mutex mutex;
  std::vector<std::thread> threads;
  threads.reserve(100);
  for (unsigned i = 0; i < 100; ++i) {
    std::string email = "same.person@example.com";
    for (std::size_t bit = 0; bit < 7; ++bit)
      if ((i >> bit & 1) != 0) email[bit] = static_cast<char>(std::toupper(email[bit]));
    threads.emplace_back([this, email, &outcomes, &mutex] {
      const std::string code = CodeOf(SignUp(email));
      const MutexLock lock(mutex);
      ++outcomes[code];
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(outcomes, (std::map<std::string, int>{{"ok", 1}, {"email-taken", 99}}));
}

TEST_F(AccountsTest, RefusesBadPasswordsAndNames) {
  EXPECT_EQ(CodeOf(SignUp("anna@example.com", "short")), "password weak-password");
  EXPECT_EQ(CodeOf(SignUp("anna@example.com", "Password1234")), "password weak-password");
  EXPECT_EQ(CodeOf(SignUp("annabella@example.com", "annabella@example.com")),
            "password weak-password");
  EXPECT_EQ(CodeOf(SignUp("no address")), "email format");
  EXPECT_EQ(CodeOf(accounts_->SignUp(
                {.email = "a@example.com", .password = std::string(kPassword), .name = ""})),
            "name range");
}

TEST_F(AccountsTest, ARefusedSignInTellsNothing) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  ASSERT_TRUE(SignUp("gone@example.com").ok());
  ASSERT_TRUE(accounts_->Disable(Sub("gone@example.com")).ok());
  const auto message = [this](const std::string& email, const std::string& password) {
    const auto tokens = LogIn(email, password);
    return CodeOf(tokens) + ": " + (tokens.ok() ? "" : tokens.error().message());
  };
  const std::string refusal = "unauthenticated: the e-mail address or the password is wrong";
  EXPECT_EQ(message("anna@example.com", "wrong password"), refusal);
  EXPECT_EQ(message("nobody@example.com", std::string(kPassword)), refusal);
  EXPECT_EQ(message("gone@example.com", std::string(kPassword)), refusal);
  EXPECT_EQ(message("not an address", std::string(kPassword)), refusal);
  EXPECT_EQ(message("", ""), refusal);
}

// Not the time itself, which a busy machine stretches, but its ratio, and that only roughly.
TEST_F(AccountsTest, ARefusedSignInTakesItsTimeForUnknownPeopleToo) {
  accounts_ = std::make_unique<Accounts>(Accounts::Options{.runtime = runtime_.get(),
                                                           .clock = &clock_,
                                                           .keys = &Keys(),
                                                           .mail = &mail_,
                                                           .issuer = std::string(kIssuer),
                                                           .client_id = std::string(kClient),
                                                           .secret = std::string(32, 's')});
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const SystemClock stopwatch;
  const auto fastest = [&](const std::string& email) {
    std::int64_t best_ns = INT64_MAX;
    for (int i = 0; i < 5; ++i) {
      const std::int64_t start_ns = stopwatch.SteadyNs();
      EXPECT_FALSE(LogIn(email, "wrong password").ok());
      best_ns = std::min(best_ns, stopwatch.SteadyNs() - start_ns);
    }
    return static_cast<double>(best_ns);
  };
  const double ratio = fastest("anna@example.com") / fastest("nobody@example.com");
  EXPECT_GT(ratio, 0.5);
  EXPECT_LT(ratio, 2);
}

TEST_F(AccountsTest, GuessingIsSlowedDownForKnownAndUnknownAlike) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  for (const std::string email : {"anna@example.com", "nobody@example.com"}) {
    for (int i = 0; i < 10; ++i)
      EXPECT_EQ(CodeOf(LogIn(email, "wrong", fmt::format("192.0.2.{}", i))), "unauthenticated");
    EXPECT_EQ(CodeOf(LogIn(email, "wrong")), "rate-limited");
    EXPECT_EQ(CodeOf(LogIn(email)), "rate-limited");
    EXPECT_EQ(accounts_->RetrySeconds({.email = email, .address = "192.0.2.1"}), 1);
    clock_.Advance(1000);
    EXPECT_EQ(CodeOf(LogIn(email, "wrong")), "unauthenticated");
    EXPECT_EQ(accounts_->RetrySeconds({.email = email, .address = "192.0.2.1"}), 2);
    clock_.Advance(2000);
  }
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "ok");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "wrong")), "unauthenticated");  // all is forgotten
}

TEST_F(AccountsTest, AnAddressThatGuessesManyNamesIsSlowedDown) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  for (int i = 0; i < 50; ++i)
    (void)LogIn(fmt::format("p{}@example.com", i), "wrong",
                fmt::format("2001:db8:1:2::{:x}", i + 1));
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "wrong", "2001:db8:1:2:ffff::1")), "rate-limited");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", std::string(kPassword), "2001:db8:1:3::1")), "ok");
  for (int i = 0; i < 100; ++i)  // many who succeed are no guesses
    ASSERT_EQ(CodeOf(LogIn("anna@example.com", std::string(kPassword), "192.0.2.9")), "ok");
}

TEST_F(AccountsTest, HashesOfOldSettingsAreMadeAnew) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const auto hash = [this] {
    const auto account = accounts_->Get(Sub("anna@example.com"));
    return account.ok() ? TextOf(account->record, "passwordHash") : "";
  };
  const std::string before = hash();
  ASSERT_TRUE(LogIn("anna@example.com").ok());
  EXPECT_EQ(hash(), before);
  accounts_ = std::make_unique<Accounts>(Accounts::Options{.runtime = runtime_.get(),
                                                           .clock = &clock_,
                                                           .keys = &Keys(),
                                                           .mail = &mail_,
                                                           .passwords = {.memory_kib = 128}});
  ASSERT_TRUE(LogIn("anna@example.com").ok());
  EXPECT_NE(hash(), before);
  EXPECT_TRUE(LogIn("anna@example.com").ok());
}

TEST_F(AccountsTest, RefreshReplacesTheToken) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  std::string token = RefreshToken("anna@example.com");
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(60 * 60 * 1000);
    const auto tokens = accounts_->Refresh(token);
    ASSERT_TRUE(tokens.ok()) << tokens.error().message();
    ASSERT_TRUE(tokens->refresh_token);
    EXPECT_NE(*tokens->refresh_token, token);
    EXPECT_EQ(tokens->refresh_seconds, 30 * 24 * 60 * 60 - (i + 1) * 60 * 60);
    token = *tokens->refresh_token;
  }
  clock_.Advance(kSessionLifetimeMs);
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "unauthenticated");
}

TEST_F(AccountsTest, AnOldRefreshTokenEndsItsFamily) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string first = RefreshToken("anna@example.com");
  const std::string elsewhere = RefreshToken("anna@example.com");
  const auto second = accounts_->Refresh(first);
  ASSERT_TRUE(second.ok());
  clock_.Advance(kRefreshGraceMs + 1);
  EXPECT_EQ(CodeOf(accounts_->Refresh(first)), "unauthenticated");
  EXPECT_EQ(CodeOf(accounts_->Refresh(*second->refresh_token)), "unauthenticated");
  EXPECT_EQ(CodeOf(accounts_->Refresh(elsewhere)), "ok");  // another family
}

TEST_F(AccountsTest, ATokenOfTwoTurnsAgoEndsItsFamilyAtOnce) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string first = RefreshToken("anna@example.com");
  const auto second = accounts_->Refresh(first);
  ASSERT_TRUE(second.ok());
  const auto third = accounts_->Refresh(*second->refresh_token);
  ASSERT_TRUE(third.ok());
  EXPECT_EQ(CodeOf(accounts_->Refresh(first)), "unauthenticated");
  EXPECT_EQ(CodeOf(accounts_->Refresh(*third->refresh_token)), "unauthenticated");
}

TEST_F(AccountsTest, TwoTabsMayRefreshAtOnce) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string token = RefreshToken("anna@example.com");
  std::atomic<int> succeeded = 0;
  std::vector<std::string> replaced;
  Mutex mutex;
  std::vector<std::thread> tabs;
  tabs.reserve(8);
  for (int i = 0; i < 8; ++i) {
    tabs.emplace_back([&] {
      const auto tokens = accounts_->Refresh(token);
      if (!tokens.ok()) return;
      ++succeeded;
      const MutexLock lock(mutex);
      if (tokens->refresh_token) replaced.push_back(*tokens->refresh_token);
    });
  }
  for (std::thread& tab : tabs)
    tab.join();
  EXPECT_EQ(succeeded, 8);
  ASSERT_EQ(replaced.size(), 8);
  for (const std::string& each : replaced)
    EXPECT_EQ(each, replaced.front());  // whichever answer comes last
  clock_.Advance(kRefreshGraceMs);
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "ok");
  EXPECT_EQ(CodeOf(accounts_->Refresh(replaced.front())), "ok");
}

TEST_F(AccountsTest, RefreshTokensCannotBeMadeUp) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string token = RefreshToken("anna@example.com");
  const std::string other = RefreshToken("anna@example.com");
  for (const std::string& made_up :
       {std::string(), std::string("."), std::string(".."), token.substr(0, token.size() - 1),
        token + "A", "x" + token, token.substr(token.find('.')),
        "a.b." + token.substr(token.rfind('.') + 1), std::string(100'000, '.'), "a#b" + token,
        std::string(10'000, 'a')}) {
    EXPECT_EQ(CodeOf(accounts_->Refresh(made_up)), "unauthenticated") << made_up.substr(0, 100);
    EXPECT_EQ(CodeOf(accounts_->LogOut(made_up)), "ok");
  }
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "ok");
}

TEST_F(AccountsTest, LogOutEndsTheSession) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string token = RefreshToken("anna@example.com");
  const std::string other = RefreshToken("anna@example.com");
  EXPECT_TRUE(accounts_->LogOut(token).ok());
  EXPECT_TRUE(accounts_->LogOut(token).ok());
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "unauthenticated");
  EXPECT_EQ(CodeOf(accounts_->Refresh(other)), "ok");
}

TEST_F(AccountsTest, SecretsAreNotKept) {
  Use(SignUpPolicy::kEmailCode);
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string code = CodeFor("anna@example.com");
  ASSERT_TRUE(Confirm("anna@example.com", code).ok());
  ASSERT_TRUE(accounts_->Forgot("anna@example.com").ok());
  const std::string reset_code = CodeFor("anna@example.com");
  const std::string token = RefreshToken("anna@example.com");
  const std::string secret = token.substr(token.rfind('.') + 1);
  const auto page = backend_->Read({.table = runtime_->table()});
  ASSERT_TRUE(page.ok());
  EXPECT_GE(page->items.size(), 4);
  for (const value::Item& item : page->items) {
    const std::string_view bytes = item.bytes();
    for (const std::string_view hidden :
         {std::string_view(secret), kPassword, std::string_view(reset_code)}) {
      EXPECT_EQ(bytes.find(hidden), std::string_view::npos);
    }
  }
}

TEST_F(AccountsTest, ACodeConfirmsAnAddress) {
  Use(SignUpPolicy::kEmailCode);
  const auto account = SignUp("anna@example.com");
  ASSERT_TRUE(account.ok());
  EXPECT_EQ(TextOf(account->record, "status"), "UNCONFIRMED");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "account-pending");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "wrong")), "unauthenticated");
  const std::string code = CodeFor("anna@example.com");
  ASSERT_EQ(code.size(), 6);
  EXPECT_EQ(CodeOf(Confirm("anna@example.com", WrongOf(code))), "code wrong-code");
  EXPECT_EQ(CodeOf(Confirm("nobody@example.com", code)), "code wrong-code");
  EXPECT_EQ(CodeOf(Confirm("Anna@example.com", code)), "ok");
  EXPECT_EQ(CodeOf(Confirm("anna@example.com", code)), "code wrong-code");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "ok");
  const auto now = accounts_->Get(Sub("anna@example.com"));
  EXPECT_EQ(BoolOf(now->record, "emailVerified"), true);
}

TEST_F(AccountsTest, ACodeIsGoodForAQuarterOfAnHour) {
  Use(SignUpPolicy::kEmailCode);
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string code = CodeFor("anna@example.com");
  clock_.Advance(kCodeLifetimeMs);
  EXPECT_EQ(CodeOf(Confirm("anna@example.com", code)), "code wrong-code");
  ASSERT_TRUE(accounts_->ResendCode("anna@example.com").ok());
  clock_.Advance(kCodeLifetimeMs - 1000);
  EXPECT_EQ(CodeOf(Confirm("anna@example.com", CodeFor("anna@example.com"))), "ok");
}

TEST_F(AccountsTest, ACodeCanBeTriedFiveTimesAlsoAtOnce) {
  Use(SignUpPolicy::kEmailCode);
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string code = CodeFor("anna@example.com");
  std::vector<std::thread> guesses;
  guesses.reserve(5);
  for (int i = 0; i < 5; ++i)
    guesses.emplace_back([&] { EXPECT_FALSE(Confirm("anna@example.com", WrongOf(code)).ok()); });
  for (std::thread& guess : guesses)
    guess.join();
  EXPECT_EQ(CodeOf(Confirm("anna@example.com", code)), "code wrong-code");
  clock_.Advance(kCodePauseMs);
  ASSERT_TRUE(accounts_->ResendCode("anna@example.com").ok());
  EXPECT_EQ(CodeOf(Confirm("anna@example.com", CodeFor("anna@example.com"))), "ok");
}

TEST_F(AccountsTest, GuessingCodesIsSlowedDownOverManyCodes) {
  Use(SignUpPolicy::kEmailCode);
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  int tried = 0;
  for (int minute = 0; minute < 24 * 60; ++minute) {
    clock_.Advance(kCodePauseMs);
    (void)accounts_->ResendCode("anna@example.com");
    for (int i = 0; i < 5; ++i)
      if (CodeOf(Confirm("anna@example.com", WrongOf(CodeFor("anna@example.com")))) !=
          "rate-limited")
        ++tried;
  }
  EXPECT_LT(tried, 60);  // a day
}

TEST_F(AccountsTest, AnswersDoNotTellWhoHasAnAccount) {
  Use(SignUpPolicy::kEmailCode);
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  EXPECT_TRUE(accounts_->ResendCode("nobody@example.com").ok());
  EXPECT_TRUE(accounts_->Forgot("nobody@example.com").ok());
  EXPECT_TRUE(accounts_->Forgot("no address").ok());
  EXPECT_EQ(CodeOf(Reset("nobody@example.com", "123456")), "code wrong-code");
  EXPECT_EQ(CodeOf(Reset("anna@example.com", "123456")), "code wrong-code");
  EXPECT_EQ(mail_.mails().size(), 1);
}

TEST_F(AccountsTest, NobodysLetterBoxIsFilled) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(accounts_->Forgot("anna@example.com").ok());
  EXPECT_EQ(mail_.mails().size(), 1);
  clock_.Advance(kCodePauseMs);
  EXPECT_TRUE(accounts_->Forgot("anna@example.com").ok());
  EXPECT_EQ(mail_.mails().size(), 2);
}

TEST_F(AccountsTest, AResetChangesThePasswordAndEndsAllSessions) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string token = RefreshToken("anna@example.com");
  ASSERT_TRUE(accounts_->Forgot("anna@example.com").ok());
  const std::string code = CodeFor("anna@example.com");
  EXPECT_EQ(CodeOf(Reset("anna@example.com", code, "Password1234")), "newPassword weak-password");
  EXPECT_EQ(CodeOf(Reset("anna@example.com", code)), "ok");
  EXPECT_EQ(CodeOf(Reset("anna@example.com", code)), "code wrong-code");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "neues wort hier")), "ok");
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "unauthenticated");
}

TEST_F(AccountsTest, WhoReadsTheMailsGetsAnAccountBackThatAnotherHasBegun) {
  Use(SignUpPolicy::kEmailCode);
  ASSERT_TRUE(SignUp("anna@example.com", "of the other one").ok());
  ASSERT_TRUE(accounts_->Forgot("anna@example.com").ok());
  EXPECT_EQ(CodeOf(Reset("anna@example.com", CodeFor("anna@example.com"))), "ok");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "of the other one")), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "neues wort hier")), "ok");
}

TEST_F(AccountsTest, APasswordIsChangedByWhoKnowsIt) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string sub = Sub("anna@example.com");
  const std::string here = RefreshToken("anna@example.com");
  const std::string elsewhere = RefreshToken("anna@example.com");
  const Accounts::Person anna{.sub = sub, .address = "192.0.2.1"};
  EXPECT_EQ(CodeOf(accounts_->ChangePassword(
                anna, {.current = "wrong", .next = "neues wort hier", .refresh_token = here})),
            "forbidden");
  EXPECT_EQ(CodeOf(accounts_->ChangePassword(
                anna, {.current = std::string(kPassword), .next = "short", .refresh_token = here})),
            "newPassword weak-password");
  EXPECT_EQ(CodeOf(accounts_->ChangePassword(anna, {.current = std::string(kPassword),
                                                    .next = "neues wort hier",
                                                    .refresh_token = here})),
            "ok");
  EXPECT_EQ(CodeOf(accounts_->Refresh(here)), "ok");
  EXPECT_EQ(CodeOf(accounts_->Refresh(elsewhere)), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com", "neues wort hier")), "ok");
}

TEST_F(AccountsTest, AnAddressIsChangedByWhoReadsTheNewOne) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  ASSERT_TRUE(SignUp("berta@example.com").ok());
  const std::string sub = Sub("anna@example.com");
  const Accounts::Person anna{.sub = sub, .address = "192.0.2.1"};
  const auto change = [&](std::string email, std::string password) {
    return CodeOf(accounts_->ChangeEmail(
        anna, {.password = std::move(password), .new_email = std::move(email)}));
  };
  EXPECT_EQ(change("new@example.com", "wrong"), "forbidden");
  EXPECT_EQ(CodeFor("new@example.com"), "");
  EXPECT_EQ(change("New@example.com", std::string(kPassword)), "ok");
  const std::string code = CodeFor("new@example.com");
  EXPECT_EQ(CodeOf(accounts_->ConfirmEmail(anna, WrongOf(code))), "code wrong-code");
  const auto changed = accounts_->ConfirmEmail(anna, code);
  ASSERT_TRUE(changed.ok()) << changed.error().message();
  EXPECT_EQ(TextOf(changed->record, "email"), "new@example.com");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("new@example.com")), "ok");
  EXPECT_EQ(Sub("new@example.com"), sub);
  EXPECT_EQ(CodeOf(SignUp("anna@example.com")), "ok");  // it is free again

  EXPECT_EQ(change("berta@example.com", std::string(kPassword)), "ok");
  EXPECT_EQ(CodeOf(accounts_->ConfirmEmail(anna, CodeFor("berta@example.com"))), "email-taken");
  EXPECT_EQ(CodeOf(LogIn("new@example.com")), "ok");
}

TEST_F(AccountsTest, AdministratorsApprove) {
  Use(SignUpPolicy::kApproval);
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "account-pending");
  EXPECT_EQ(CodeOf(accounts_->Approve("nobody")), "not-found");
  EXPECT_EQ(CodeOf(accounts_->Approve("no#id")), "not-found");
  EXPECT_EQ(CodeOf(accounts_->Approve(Sub("anna@example.com"))), "ok");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "ok");
}

TEST_F(AccountsTest, DisablingEndsSessions) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string token = RefreshToken("anna@example.com");
  const std::string sub = Sub("anna@example.com");
  EXPECT_TRUE(*accounts_->IsActive(sub));
  ASSERT_TRUE(accounts_->Disable(sub).ok());
  EXPECT_FALSE(*accounts_->IsActive(sub));
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "unauthenticated");
  EXPECT_TRUE(accounts_->Forgot("anna@example.com").ok());
  EXPECT_TRUE(mail_.mails().empty());
  ASSERT_TRUE(accounts_->Approve(sub).ok());
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("anna@example.com")), "ok");
}

TEST_F(AccountsTest, NoticesWhatAnotherProcessDid) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string sub = Sub("anna@example.com");
  EXPECT_TRUE(*accounts_->IsActive(sub));
  design::Changes changes;
  SetText(changes, "status", "DISABLED");
  ASSERT_TRUE(
      runtime_->Update(*design_.model->FindEntity("Account"), TextRecord({{"sub", sub}}), changes)
          .ok());
  clock_.Advance(2000);
  EXPECT_FALSE(*accounts_->IsActive(sub));
}

TEST_F(AccountsTest, DeletingLeavesNothing) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  const std::string token = RefreshToken("anna@example.com");
  const std::string sub = Sub("anna@example.com");
  ASSERT_TRUE(accounts_->Forgot("anna@example.com").ok());
  EXPECT_EQ(ItemsOf("sessionsOfAccount", sub), 1);
  ASSERT_TRUE(accounts_->Delete(sub).ok());
  EXPECT_EQ(CodeOf(accounts_->Refresh(token)), "unauthenticated");
  EXPECT_EQ(CodeOf(accounts_->Get(sub)), "not-found");
  EXPECT_EQ(CodeOf(accounts_->Delete(sub)), "not-found");
  EXPECT_EQ(ItemsOf("sessionsOfAccount", sub), 0);
  EXPECT_EQ(ItemsOf("codesOfAccount", sub), 0);
  EXPECT_EQ(CodeOf(SignUp("anna@example.com")), "ok");
}

TEST_F(AccountsTest, TheOperatorProvidesAccounts) {
  Use(SignUpPolicy::kApproval);
  const Accounts::NewAccount root{.email = "root@example.com",
                                  .password = std::string(kPassword),
                                  .name = "Root",
                                  .groups = {"admin"}};
  EXPECT_EQ(CodeOf(accounts_->Provide(root)), "ok");
  EXPECT_EQ(CodeOf(LogIn("root@example.com")), "ok");
  Accounts::NewAccount other = root;
  other.password = "ganz ein anderes";
  EXPECT_EQ(CodeOf(accounts_->Provide(other)), "ok");
  EXPECT_EQ(CodeOf(LogIn("root@example.com")), "ok");  // as it was
  other.groups = {"moderator"};
  EXPECT_EQ(CodeOf(accounts_->Provide(other)), "ok");
  EXPECT_EQ(CodeOf(LogIn("root@example.com")), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("root@example.com", "ganz ein anderes")), "ok");
  const auto account = accounts_->Get(Sub("root@example.com"));
  EXPECT_EQ(TextsOf(account->record, "groups"), (std::vector<std::string>{"admin", "moderator"}));
}

TEST_F(AccountsTest, WhoSignedUpWithTheOperatorsAddressGetsNothing) {
  ASSERT_TRUE(SignUp("root@example.com", "of the other one").ok());
  const auto tokens = LogIn("root@example.com", "of the other one");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ(CodeOf(accounts_->Provide({.email = "root@example.com",
                                       .password = std::string(kPassword),
                                       .name = "Root",
                                       .groups = {"admin"}})),
            "ok");
  EXPECT_EQ(CodeOf(LogIn("root@example.com", "of the other one")), "unauthenticated");
  EXPECT_EQ(CodeOf(accounts_->Refresh(*tokens->refresh_token)), "unauthenticated");
  EXPECT_EQ(CodeOf(LogIn("root@example.com")), "ok");
}

TEST_F(AccountsTest, GroupsAreInTheNextTokens) {
  ASSERT_TRUE(SignUp("anna@example.com").ok());
  ASSERT_TRUE(accounts_->SetGroups(Sub("anna@example.com"), {"moderator"}).ok());
  const auto account = accounts_->Get(Sub("anna@example.com"));
  EXPECT_EQ(TextsOf(account->record, "groups"), std::vector<std::string>{"moderator"});
  ASSERT_TRUE(accounts_->SetGroups(Sub("anna@example.com"), {}).ok());
}

}  // namespace
}  // namespace trestle::platform::identity
