#include "platform/identity/accounts_fixture_test.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "design/apply.h"
#include "design/backend_engine.h"

namespace trestle::platform::identity::testing {
namespace {

constexpr std::int64_t kStartUnixMs = 1'800'000'000'000;

}  // namespace

AccountsFixture::AccountsFixture() : DatabaseFixture(kStartUnixMs) {
  log::SetLevel(log::Level::kOff);
  OpenInMemory();
  backend_ = design::NewEngineBackend(*database_);
  std::ifstream file("src/platform/platform.design");
  std::ostringstream text;
  text << file.rdbuf();
  design_ = design::Compile(text.str());
  CHECK(design_.model != nullptr, "the platform's design can be read");
  auto plan = design::PlanApply(*design_.model, {}, *backend_);
  CHECK(plan.ok() && design::Apply(*plan, *backend_).ok(), "a table");
  runtime_ = std::make_unique<design::Runtime>(
      *design_.model, *backend_, design::RuntimeOptions{.clock = &clock_, .random = &random_});
  Use(SignUpPolicy::kOpen);
}

void AccountsFixture::Use(SignUpPolicy policy) {
  accounts_ = std::make_unique<Accounts>(Accounts::Options{
      .runtime = runtime_.get(),
      .clock = &clock_,
      .keys = &Keys(),
      .mail = &mail_,
      .issuer = issuer_,
      .client_id = std::string(kClient),
      .secret = std::string(32, 's'),
      .policy = policy,
      .passwords = {.memory_kib = 64, .passes = 1, .at_once_max = 4, .waiting_max = 200}});
}

SigningKeys& AccountsFixture::Keys() {
  static const FixedClock clock(kStartUnixMs);
  static const std::unique_ptr<SigningKeys> keys = [] {
    auto opened = SigningKeys::Open({}, clock);
    CHECK(opened.ok(), "keys in memory");
    return *std::move(opened);
  }();
  return *keys;
}

std::string AccountsFixture::CodeFor(std::string_view email) const {
  std::string code;
  for (const Mail& mail : mail_.mails())
    if (mail.to == email) code = mail.subject.substr(0, 6);
  return code;
}

}  // namespace trestle::platform::identity::testing
