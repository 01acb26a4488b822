// The routes of the local pool over real sockets.

#include "platform/identity/auth_app.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "http/client.h"
#include "http/server.h"
#include "json/tree.h"
#include "platform/identity/accounts_fixture_test.h"
#include "platform/identity/bearer.h"
#include "platform/identity/jwt.h"
#include "platform/service.h"

namespace trestle::platform::identity {
namespace {

using testing::kClient;
using testing::kIssuer;
using testing::kPassword;

struct Answer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  [[nodiscard]] std::string Header(std::string_view name) const {
    for (const auto& [key, value] : headers)
      if (key == name) return value;
    return {};
  }
  // A member of the body, as text.
  [[nodiscard]] std::string At(std::string_view name) const {
    const auto tree = json::ParseTree(body);
    const auto* object = tree.ok() ? tree->As<json::Tree::Object>() : nullptr;
    const std::string* text = object == nullptr ? nullptr : FindString(*object, name);
    return text == nullptr ? "" : *text;
  }
  // "400 validation", or "204".
  [[nodiscard]] std::string Code() const {
    return At("code").empty() ? std::to_string(status) : fmt::format("{} {}", status, At("code"));
  }
};

class AuthAppTest : public testing::AccountsFixture {
 protected:
  AuthAppTest() { Serve(SignUpPolicy::kOpen); }
  ~AuthAppTest() override { Stop(); }

  void Serve(SignUpPolicy policy) {
    Stop();
    Use(policy);
    shared_ = {.clock = &clock_, .cursors = &cursors_, .accounts = accounts_.get()};
    verifier_ = std::make_unique<Verifier>(
        std::vector<Issuer>{
            {.name = issuer_,
             .client_ids = {std::string(kClient)},
             .keys = &Keys(),
             .is_active = [this](std::string_view sub) { return accounts_->IsActive(sub); }}},
        clock_);
    service_ = std::make_unique<Service>(ServiceOptions{
        .mounts = {{.app = &kAuthApp, .runtime = runtime_.get(), .shared = &shared_}},
        .clock = &clock_,
        .random = &random_,
        .identify = [this](const http::Request& request) { return Identify(*verifier_, request); },
        .workers = {.worker_count = 4}});
    auto server =
        http::Server::Start({.bind_address = "127.0.0.1", .port = 0, .loop_count = 1}, *service_);
    ASSERT_TRUE(server.ok());
    server_ = *std::move(server);
    client_ = std::make_unique<http::Client>(http::ClientOptions{
        .origin = {.host = "127.0.0.1", .port = server_->port(), .is_tls = false}});
  }

  void Stop() {
    client_.reset();
    if (server_ != nullptr) server_->Shutdown(0);
    if (service_ != nullptr) service_->Stop();
    server_.reset();
    service_.reset();
  }

  struct Extra {
    std::string token;   // of the Authorization header
    std::string cookie;  // the whole header
  };
  Answer Ask(std::string_view method, const std::string& path, const std::string& body = "",
             const Extra& extra = {}) {
    std::vector<http::Header> headers;
    const std::string authorization = "Bearer " + extra.token;
    if (!body.empty()) headers.push_back({.name = "Content-Type", .value = "application/json"});
    if (!extra.token.empty()) headers.push_back({.name = "Authorization", .value = authorization});
    if (!extra.cookie.empty()) headers.push_back({.name = "Cookie", .value = extra.cookie});
    const std::string target = "/auth/v1" + path;
    auto answer = client_->Send({.method = method,
                                 .target = target,
                                 .headers = headers,
                                 .body = body,
                                 .timeout_ms = 20'000});
    auto* response = std::get_if<http::ClientResponse>(&answer);
    if (response == nullptr) return {};
    return {.status = response->status, .headers = response->headers, .body = response->body};
  }
  Answer Post(const std::string& path, const std::string& body = "", const Extra& extra = {}) {
    return Ask("POST", path, body, extra);
  }

  static std::string Credentials(std::string_view email, std::string_view password = kPassword) {
    return fmt::format(R"({{"email":"{}","password":"{}"}})", email, password);
  }
  Answer SignUp(std::string_view email) {
    return Post("/signup",
                fmt::format(R"({{"email":"{}","password":"{}","name":"Anna"}})", email, kPassword));
  }
  Answer LogIn(std::string_view email) { return Post("/login", Credentials(email)); }
  // "name=value" of the cookie that an answer sets.
  static std::string CookieOf(const Answer& answer) {
    const std::string header = answer.Header("set-cookie");
    return header.substr(0, header.find(';'));
  }
  std::string AdminToken() {
    EXPECT_TRUE(accounts_
                    ->Provide({.email = "root@example.com",
                               .password = std::string(kPassword),
                               .name = "Root",
                               .groups = {"admin"}})
                    .ok());
    return LogIn("root@example.com").At("accessToken");
  }

  CursorSealer cursors_{SecureRandomBytes(kSealKeyBytes), clock_};
  Shared shared_;
  std::unique_ptr<Verifier> verifier_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<http::Client> client_;
};

TEST_F(AuthAppTest, SignsUpInAndOut) {
  const Answer signed_up = SignUp("Anna@Example.com");
  EXPECT_EQ(signed_up.status, 201) << signed_up.body;
  EXPECT_EQ(signed_up.At("status"), "CONFIRMED");
  EXPECT_FALSE(signed_up.At("sub").empty());
  EXPECT_EQ(SignUp("anna@example.com").Code(), "409 email-taken");

  const Answer logged_in = LogIn("anna@example.com");
  EXPECT_EQ(logged_in.status, 200) << logged_in.body;
  EXPECT_EQ(logged_in.Header("cache-control"), "no-store");
  EXPECT_NE(logged_in.body.find("\"expiresIn\":3600"), std::string::npos);
  EXPECT_EQ(logged_in.body.find("efresh"), std::string::npos);  // scripts never see it

  const Answer me = Ask("GET", "/me", "", {.token = logged_in.At("accessToken")});
  EXPECT_EQ(me.status, 200) << me.body;
  EXPECT_EQ(me.At("email"), "anna@example.com");
  EXPECT_EQ(me.At("sub"), signed_up.At("sub"));
  EXPECT_EQ(me.body.find("argon2"), std::string::npos);
  EXPECT_EQ(me.body.find("passwordHash"), std::string::npos);

  const std::string cookie = CookieOf(logged_in);
  const Answer refreshed = Post("/refresh", "", {.cookie = "a=b; " + cookie + "; c=d"});
  EXPECT_EQ(refreshed.status, 200) << refreshed.body;
  const std::string next = CookieOf(refreshed);
  EXPECT_NE(next, cookie);
  const Answer logged_out = Post("/logout", "", {.cookie = next});
  EXPECT_EQ(logged_out.status, 204);
  EXPECT_NE(logged_out.Header("set-cookie").find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(Post("/refresh", "", {.cookie = next}).Code(), "401 unauthenticated");
  EXPECT_EQ(Post("/refresh").Code(), "401 unauthenticated");
}

TEST_F(AuthAppTest, TheCookieIsKeptFromScriptsAndOtherSites) {
  (void)SignUp("anna@example.com");
  const std::string secure = LogIn("anna@example.com").Header("set-cookie");
  EXPECT_EQ(secure.substr(secure.find(';')),
            "; Path=/auth/v1; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure");
  issuer_ = "http://localhost:8000/auth/v1";
  Serve(SignUpPolicy::kOpen);
  const std::string plain = LogIn("anna@example.com").Header("set-cookie");
  EXPECT_EQ(plain.substr(plain.find(';')),
            "; Path=/auth/v1; Max-Age=2592000; HttpOnly; SameSite=Strict");
}

TEST_F(AuthAppTest, TwoTabsKeepOneCookie) {
  (void)SignUp("anna@example.com");
  const std::string cookie = CookieOf(LogIn("anna@example.com"));
  const Answer first = Post("/refresh", "", {.cookie = cookie});
  const Answer second = Post("/refresh", "", {.cookie = cookie});
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(CookieOf(second), CookieOf(first));
  EXPECT_NE(CookieOf(second), cookie);
  EXPECT_FALSE(second.At("accessToken").empty());
  EXPECT_EQ(Post("/refresh", "", {.cookie = CookieOf(first)}).status, 200);
  clock_.Advance(kRefreshGraceMs + 1);
  const Answer stolen = Post("/refresh", "", {.cookie = cookie});
  EXPECT_EQ(stolen.Code(), "401 unauthenticated");
  EXPECT_NE(stolen.Header("set-cookie").find("Max-Age=0"), std::string::npos);
}

// The page that had asked was left before the answer came.
TEST_F(AuthAppTest, AnAbortedRefreshSignsNobodyOut) {
  (void)SignUp("anna@example.com");
  const std::string cookie = CookieOf(LogIn("anna@example.com"));
  EXPECT_EQ(Post("/refresh", "", {.cookie = cookie}).status, 200);
  const std::string next = CookieOf(Post("/refresh", "", {.cookie = cookie}));
  clock_.Advance(60 * 60 * 1000);
  EXPECT_EQ(Post("/refresh", "", {.cookie = next}).status, 200);
}

TEST_F(AuthAppTest, NamesEveryWrongField) {
  const Answer answer = Post("/signup", R"({"email":"x","password":"short","name":""})");
  EXPECT_EQ(answer.Code(), "400 validation");
  for (const std::string_view pointer : {"/email", "/password", "/name"})
    EXPECT_NE(answer.body.find(fmt::format("\"pointer\":\"{}\"", pointer)), std::string::npos)
        << answer.body;
  const Answer unknown =
      Post("/login", R"({"email":"a@example.com","password":"x","otp":"1","role":1})");
  EXPECT_EQ(unknown.Code(), "400 unknown-field");
  for (const std::string_view pointer : {"/otp", "/role"})
    EXPECT_NE(unknown.body.find(fmt::format("\"pointer\":\"{}\"", pointer)), std::string::npos);
  EXPECT_EQ(Post("/login", R"({"email":"a@example.com"})").status, 400);
  EXPECT_EQ(Post("/login", R"({"email":["a@example.com"],"password":"x"})").status, 400);
  EXPECT_EQ(Post("/login", "[]").status, 400);
  EXPECT_EQ(Post("/login", "{").Code(), "400 malformed-json");
  const Answer weak =
      Post("/signup", R"({"email":"a@example.com","password":"Password1234","name":"A"})");
  EXPECT_EQ(weak.Code(), "400 validation");
  EXPECT_NE(weak.body.find("\"pointer\":\"/password\",\"code\":\"weak-password\""),
            std::string::npos)
      << weak.body;
}

TEST_F(AuthAppTest, RefusedSignInsAreAllTheSame) {
  (void)SignUp("anna@example.com");
  const auto shown = [](const Answer& answer) {
    std::string body = answer.body;
    const std::size_t id = body.find("\"requestId\"");
    body.erase(id, 42);
    return fmt::format("{} {}", answer.status, body);
  };
  const std::string wrong = shown(Post("/login", Credentials("anna@example.com", "wrong")));
  EXPECT_EQ(wrong.substr(0, 3), "401");
  EXPECT_EQ(shown(LogIn("nobody@example.com")), wrong);
  EXPECT_EQ(shown(LogIn("no address")), wrong);
  EXPECT_EQ(Post("/login", Credentials("anna@example.com", "wrong")).Header("www-authenticate"),
            "Bearer");
}

TEST_F(AuthAppTest, SaysWhenToTryAgain) {
  for (int i = 0; i < 11; ++i)
    (void)Post("/login", Credentials("nobody@example.com", "wrong"));
  const Answer answer = LogIn("nobody@example.com");
  EXPECT_EQ(answer.Code(), "429 rate-limited");
  EXPECT_EQ(answer.Header("retry-after"), "1");
}

TEST_F(AuthAppTest, ConfirmsWithACode) {
  Serve(SignUpPolicy::kEmailCode);
  EXPECT_EQ(SignUp("anna@example.com").At("status"), "UNCONFIRMED");
  EXPECT_EQ(LogIn("anna@example.com").Code(), "403 account-pending");
  const auto confirm = [this](std::string_view email, std::string_view code) {
    return Post("/confirm", fmt::format(R"({{"email":"{}","code":"{}"}})", email, code));
  };
  EXPECT_EQ(confirm("anna@example.com", "1").Code(), "400 validation");
  EXPECT_EQ(confirm("nobody@example.com", "1").Code(), "400 validation");
  EXPECT_EQ(Post("/resend-code", R"({"email":"nobody@example.com"})").status, 204);
  EXPECT_EQ(Post("/resend-code", R"({"email":"anna@example.com"})").status, 204);
  EXPECT_EQ(confirm("anna@example.com", CodeFor("anna@example.com")).status, 204);
  EXPECT_EQ(LogIn("anna@example.com").status, 200);
}

TEST_F(AuthAppTest, ResetsAForgottenPassword) {
  (void)SignUp("anna@example.com");
  EXPECT_EQ(Post("/forgot", R"({"email":"nobody@example.com"})").status, 204);
  EXPECT_EQ(Post("/forgot", R"({"email":"anna@example.com"})").status, 204);
  const auto reset = [this](std::string_view password) {
    return Post("/reset",
                fmt::format(R"({{"email":"anna@example.com","code":"{}","newPassword":"{}"}})",
                            CodeFor("anna@example.com"), password));
  };
  EXPECT_EQ(reset("Password1234").Code(), "400 validation");
  EXPECT_EQ(reset("neues wort hier").status, 204);
  EXPECT_EQ(LogIn("anna@example.com").Code(), "401 unauthenticated");
  EXPECT_EQ(Post("/login", Credentials("anna@example.com", "neues wort hier")).status, 200);
}

TEST_F(AuthAppTest, ChangesPasswordAddressAndName) {
  (void)SignUp("anna@example.com");
  const Answer here = LogIn("anna@example.com");
  const std::string elsewhere = CookieOf(LogIn("anna@example.com"));
  const std::string token = here.At("accessToken");
  const auto change = [&](std::string_view current) {
    return Post(
        "/change-password",
        fmt::format(R"({{"currentPassword":"{}","newPassword":"neues wort hier"}})", current),
        {.token = token, .cookie = CookieOf(here)});
  };
  EXPECT_EQ(change("wrong").Code(), "403 forbidden");
  EXPECT_EQ(change(kPassword).status, 204);
  EXPECT_EQ(Post("/refresh", "", {.cookie = elsewhere}).status, 401);
  EXPECT_EQ(Post("/refresh", "", {.cookie = CookieOf(here)}).status, 200);

  EXPECT_EQ(Post("/change-email", R"({"newEmail":"new@example.com","password":"neues wort hier"})",
                 {.token = token})
                .status,
            204);
  const Answer changed =
      Post("/change-email/confirm", fmt::format(R"({{"code":"{}"}})", CodeFor("new@example.com")),
           {.token = token});
  EXPECT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.At("email"), "new@example.com");

  const Answer named = Ask("PATCH", "/me", R"({"name":"  Anna B.  "})", {.token = token});
  EXPECT_EQ(named.status, 200) << named.body;
  EXPECT_EQ(named.At("name"), "Anna B.");
  for (const char* body : {R"({"email":"x@example.com"})", R"({"groups":["admin"]})",
                           R"({"status":"CONFIRMED"})", R"({"passwordHash":"x"})", R"({"sub":"x"})",
                           R"({"emailVerified":true})", R"({"name":null})", R"({"name":""})"}) {
    EXPECT_EQ(Ask("PATCH", "/me", body, {.token = token}).status, 400) << body;
  }
}

TEST_F(AuthAppTest, DeletesAnAccount) {
  (void)SignUp("anna@example.com");
  const Answer logged_in = LogIn("anna@example.com");
  const std::string token = logged_in.At("accessToken");
  EXPECT_EQ(Ask("DELETE", "/me", "", {.token = token}).status, 204);
  EXPECT_EQ(Ask("GET", "/me", "", {.token = token}).Code(), "401 unauthenticated");
  EXPECT_EQ(LogIn("anna@example.com").Code(), "401 unauthenticated");
  EXPECT_EQ(Post("/refresh", "", {.cookie = CookieOf(logged_in)}).status, 401);
}

TEST_F(AuthAppTest, WantsAnAccessToken) {
  (void)SignUp("anna@example.com");
  const Answer logged_in = LogIn("anna@example.com");
  EXPECT_EQ(Ask("GET", "/me").Code(), "401 unauthenticated");
  EXPECT_EQ(Ask("GET", "/me", "", {.token = "x"}).Code(), "401 unauthenticated");
  EXPECT_EQ(Ask("GET", "/me", "", {.token = logged_in.At("idToken")}).Code(),
            "401 unauthenticated");
  clock_.Advance((3600 + 61) * 1000);
  EXPECT_EQ(Ask("GET", "/me", "", {.token = logged_in.At("accessToken")}).Code(),
            "401 token-expired");
}

TEST_F(AuthAppTest, IsForAdministrators) {
  Serve(SignUpPolicy::kApproval);
  const std::string admin = AdminToken();
  const std::string anna = SignUp("anna@example.com").At("sub");
  const std::string self = Ask("GET", "/me", "", {.token = admin}).At("sub");
  EXPECT_EQ(LogIn("anna@example.com").Code(), "403 account-pending");

  const Answer waiting = Ask("GET", "/users?status=PENDING_APPROVAL", "", {.token = admin});
  EXPECT_EQ(waiting.status, 200) << waiting.body;
  EXPECT_NE(waiting.body.find(anna), std::string::npos);
  EXPECT_EQ(waiting.body.find("argon2"), std::string::npos);
  EXPECT_NE(Ask("GET", "/users?email=Anna@example.com", "", {.token = admin}).body.find(anna),
            std::string::npos);
  EXPECT_EQ(Ask("GET", "/users?status=X", "", {.token = admin}).status, 400);

  EXPECT_EQ(Post("/users/" + anna + "/approve", "", {.token = admin}).At("status"), "CONFIRMED");
  const std::string token = LogIn("anna@example.com").At("accessToken");
  EXPECT_EQ(Ask("GET", "/users", "", {.token = token}).Code(), "403 forbidden");
  EXPECT_EQ(Post("/users/" + self + "/disable", "", {.token = token}).Code(), "403 forbidden");
  EXPECT_EQ(Ask("GET", "/users").Code(), "401 unauthenticated");

  const Answer grouped =
      Post("/users/" + anna + "/groups", R"({"groups":["moderator"]})", {.token = admin});
  EXPECT_NE(grouped.body.find("\"groups\":[\"moderator\"]"), std::string::npos) << grouped.body;
  EXPECT_EQ(Post("/users/" + self + "/groups", R"({"groups":[]})", {.token = admin}).Code(),
            "409 conflict");
  EXPECT_EQ(Post("/users/" + self + "/disable", "", {.token = admin}).Code(), "409 conflict");
  EXPECT_EQ(Post("/users/nobody/disable", "", {.token = admin}).Code(), "404 not-found");
  EXPECT_EQ(Post("/users/" + anna + "/disable", "", {.token = admin}).At("status"), "DISABLED");
  EXPECT_EQ(Ask("GET", "/me", "", {.token = token}).Code(), "401 unauthenticated");
}

TEST_F(AuthAppTest, PublishesItsKeys) {
  (void)SignUp("anna@example.com");
  const Answer keys = Ask("GET", "/.well-known/jwks.json");
  EXPECT_EQ(keys.status, 200);
  EXPECT_EQ(keys.Header("cache-control"), "public, max-age=3600");
  const auto set = ParseKeySet(keys.body);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->size(), 2);
  const std::string token = LogIn("anna@example.com").At("idToken");
  const auto parsed = ParseToken(token);
  ASSERT_TRUE(parsed.ok());
  EXPECT_TRUE(FindKey(*set, parsed->key_id)->Verify(parsed->signed_text, parsed->signature));
  const Answer configuration = Ask("GET", "/.well-known/openid-configuration");
  EXPECT_EQ(configuration.At("issuer"), kIssuer);
  EXPECT_EQ(configuration.At("jwks_uri"), std::string(kIssuer) + "/.well-known/jwks.json");
}

}  // namespace
}  // namespace trestle::platform::identity
