#include "platform/identity/mail.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace trestle::platform::identity {
namespace {

TEST(FileMail, AppendsALineForEachMail) {
  const std::string file = ::testing::TempDir() + "trestle_mail_test.log";
  std::filesystem::remove(file);
  const FixedClock clock(1'800'000'000'000);
  FileMail sender(file, clock);
  ASSERT_TRUE(sender.Send({.to = "a@example.com", .subject = "1", .text = "x\n\"y\""}).ok());
  ASSERT_TRUE(sender.Send({.to = "b@example.com", .subject = "2", .text = "z"}).ok());
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(
      text.str(),
      R"({"at":"2027-01-15T08:00:00.000Z","to":"a@example.com","subject":"1","text":"x\n\"y\""})"
      "\n"
      R"({"at":"2027-01-15T08:00:00.000Z","to":"b@example.com","subject":"2","text":"z"})"
      "\n");
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
  std::filesystem::remove(file);
}

TEST(FileMail, SaysWhenItCannot) {
  const FixedClock clock(0);
  FileMail sender("/nowhere/at/all/mail.log", clock);
  EXPECT_FALSE(sender.Send({.to = "a@example.com", .subject = "1", .text = ""}).ok());
}

TEST(MemoryMail, KeepsTheLastOnes) {
  MemoryMail sender;
  for (int i = 0; i < 1100; ++i)
    ASSERT_TRUE(sender.Send({.to = "a", .subject = std::to_string(i), .text = ""}).ok());
  EXPECT_EQ(sender.mails().size(), 1000);
  EXPECT_EQ(sender.mails().back().subject, "1099");
}

}  // namespace
}  // namespace trestle::platform::identity
