#include "remote/profile.h"

#include <gtest/gtest.h>

#include "remote/testing_internal.h"

namespace trestle::remote {
namespace {

using testing::EnvironmentOf;

TEST(Profiles, AreReadFromTheFormOfEachFile) {
  constexpr std::string_view kText =
      "# a comment\n"
      "lost = setting\n"
      "[default]\r\n"
      "region = eu-west-1  # near\n"
      "s3 =\n"
      "  addressing_style = path\n"
      "[profile  work]\n"
      "region=us-west-2\n"
      "[profiles]\n"
      "region = nowhere\n"
      "[services local]\n"
      "region = nowhere\n"
      "[profile broken\n"
      "nothing";
  const Profiles profiles = ParseProfiles(kText, ProfileFile::kConfig);
  EXPECT_EQ(profiles.size(), 3u);
  EXPECT_EQ(profiles.at("default"), (Profile{{"region", "eu-west-1"}, {"s3", ""}}));
  EXPECT_EQ(profiles.at("work"), (Profile{{"region", "us-west-2"}}));

  const Profiles plain = ParseProfiles("[work]\na=b=c", ProfileFile::kCredentials);
  EXPECT_EQ(plain.at("work"), (Profile{{"a", "b=c"}}));
}

TEST(Profiles, BothFilesAreJoinedAndTheCredentialsFileCounts) {
  const auto profile = ReadProfile(
      EnvironmentOf({{"HOME", "/h"}, {"AWS_PROFILE", "work"}},
                    {{"/h/.aws/config", "[profile work]\nregion = r\naws_access_key_id = old"},
                     {"/h/.aws/credentials", "[work]\naws_access_key_id = new"}}));
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(*profile, (Profile{{"region", "r"}, {"aws_access_key_id", "new"}}));
}

TEST(Profiles, FilesCanBeElsewhere) {
  const auto profile = ReadProfile(EnvironmentOf(
      {{"HOME", "/h"}, {"AWS_CONFIG_FILE", "~/c"}, {"AWS_SHARED_CREDENTIALS_FILE", "/elsewhere"}},
      {{"/h/c", "[default]\na = 1"}, {"/elsewhere", "[default]\nb = 2"}}));
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(*profile, (Profile{{"a", "1"}, {"b", "2"}}));
}

TEST(Profiles, OneThatIsAskedForMustBeThere) {
  EXPECT_TRUE(ReadProfile(EnvironmentOf({}))->empty());
  const auto missing = ReadProfile(EnvironmentOf({{"AWS_PROFILE", "work"}}));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message(), "The config profile (work) could not be found");
}

}  // namespace
}  // namespace trestle::remote
