#include "main/mail.h"

#include <string>

#include <gtest/gtest.h>

namespace trestle {
namespace {

TEST(Mail, AServerIsAHostAndAPort) {
  ServeOptions options;
  options.mail_from = "a@example.org";
  const auto read = [&](std::string server) {
    options.smtp_server = std::move(server);
    const auto smtp = SmtpOptionsOf(options);
    return smtp.ok() ? smtp->host + " " + std::to_string(smtp->port) : smtp.error().message();
  };
  EXPECT_EQ(read("mail.example.org:465"), "mail.example.org 465");
  EXPECT_EQ(read("mail.example.org"), "mail.example.org 587");
  EXPECT_EQ(read("[::1]:25"), "::1 25");
  EXPECT_EQ(read("[::1]"), "::1 587");
  for (const std::string wrong : {"a/b:25", "a:b", ":25"})
    EXPECT_EQ(read(wrong), "--smtp-server must have the form host:port") << wrong;
}

TEST(Mail, ALoginIsALine) {
  const auto login = ParseSmtpLogin("user a secret\n");
  ASSERT_TRUE(login.ok()) << login.error().message();
  EXPECT_EQ(login->user, "user");
  EXPECT_EQ(login->password, "a secret");
  for (const std::string_view wrong : {"", "canary", "canary ", " canary", "\nuser canary"}) {
    const auto refused = ParseSmtpLogin(wrong);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().message(), "its first line must be a user, a blank and a password");
  }
}

}  // namespace
}  // namespace trestle
