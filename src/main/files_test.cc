#include "main/files.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace trestle {
namespace {

std::string Write(const std::string& name, const std::string& text, mode_t mode) {
  std::string file = testing::TempDir() + name;
  std::ofstream(file) << text;
  EXPECT_EQ(::chmod(file.c_str(), mode), 0);
  return file;
}

TEST(Files, TextIsReadWhole) {
  const std::string file = Write("text", "a\nb\n", 0644);
  const auto text = ReadTextFile(file);
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_EQ(*text, "a\nb\n");
}

TEST(Files, AnAbsentFileIsNamed) {
  const std::string file = testing::TempDir() + "absent";
  for (const auto& text : {ReadTextFile(file), ReadSecretFile(file)}) {
    ASSERT_FALSE(text.ok());
    EXPECT_NE(text.error().message().find(file), std::string::npos);
  }
}

TEST(Files, AFolderIsNotAText) { EXPECT_FALSE(ReadTextFile(testing::TempDir()).ok()); }

TEST(Files, SecretsAreTheirOwnersAlone) {
  EXPECT_TRUE(ReadSecretFile(Write("secret", "x", 0600)).ok());
  EXPECT_TRUE(ReadSecretFile(Write("secret", "x", 0400)).ok());
  for (const mode_t mode : {0640U, 0604U, 0620U, 0602U, 0610U, 0601U, 0644U}) {
    const auto text = ReadSecretFile(Write("secret", "canary", mode));
    ASSERT_FALSE(text.ok()) << std::oct << mode;
    EXPECT_NE(text.error().message().find("chmod 600"), std::string::npos);
    EXPECT_EQ(text.error().message().find("canary"), std::string::npos);
  }
}

}  // namespace
}  // namespace trestle
