#include "main/people.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trestle {
namespace {

std::string Refusal(std::string_view text) {
  const auto admins = ParseAdmins(text);
  return admins.ok() ? "accepted" : admins.error().message();
}

TEST(Admins, AreAnAddressAndAPasswordALine) {
  const auto admins = ParseAdmins("# who decides\n\nann@example.org a long secret\r\nbo@x.org y");
  ASSERT_TRUE(admins.ok()) << admins.error().message();
  ASSERT_EQ(admins->size(), 2U);
  EXPECT_EQ((*admins)[0].email, "ann@example.org");
  EXPECT_EQ((*admins)[0].password, "a long secret");
  EXPECT_EQ((*admins)[0].name, "ann");
  EXPECT_EQ((*admins)[0].groups, std::vector<std::string>{"admin"});
  EXPECT_EQ((*admins)[1].email, "bo@x.org");
}

TEST(Admins, AWrongLineIsNamedWithoutItsSecret) {
  for (const std::string_view line : {"canary", "ann@example.org", "ann@example.org ", "@x canary"})
    EXPECT_EQ(Refusal("#\n" + std::string(line)),
              "line 2 must be an e-mail address, a blank and a password");
  EXPECT_EQ(Refusal("\n"), "names nobody");
}

TEST(OtherIssuers, KeysAreReadOverHttpsOrFromThisMachine) {
  const SystemClock clock;
  const auto open = [&](std::string url) {
    const std::vector<IssuerFlags> flags = {{.url = std::move(url), .client_ids = {"web"}}};
    return OtherIssuers::Open(flags, "", clock);
  };
  const auto opened = open("https://pool.example.org/p1");
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  EXPECT_EQ((*opened)->issuers().at(0).name, "https://pool.example.org/p1");
  EXPECT_TRUE(open("http://127.0.0.1:9/pool").ok());
  for (const std::string url : {"http://pool.example.org", "pool", "ftp://127.0.0.1"}) {
    const auto refused = open(url);
    ASSERT_FALSE(refused.ok()) << url;
    EXPECT_TRUE(refused.error().message().starts_with("--issuer " + url)) << url;
  }
}

}  // namespace
}  // namespace trestle
