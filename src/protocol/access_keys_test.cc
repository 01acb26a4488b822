#include "protocol/access_keys.h"

#include <gtest/gtest.h>

namespace trestle::protocol {
namespace {

TEST(AccessKeys, AreReadByLineBetweenCommentsAndBlanks) {
  const auto keys = ParseAccessKeys("# who\n\nAKID1 secret/1+=\r\n  AKID2\t secret2  \n   # end");
  ASSERT_TRUE(keys.ok()) << keys.error().message();
  EXPECT_EQ(*keys, (AccessKeys{{"AKID1", "secret/1+="}, {"AKID2", "secret2"}}));
}

TEST(AccessKeys, AWrongLineIsNamedWithoutItsSecret) {
  for (const std::string_view text : {"AKID1 one\nAKID2\n", "AKID1 one\nAKID2 canary more\n",
                                      "AKID1 one\nAKID1 canary\n", "#\nAK/ID canary\n"}) {
    const auto keys = ParseAccessKeys(text);
    ASSERT_FALSE(keys.ok()) << text;
    EXPECT_EQ(keys.error().code(), ErrorCode::kValidation);
    EXPECT_NE(keys.error().message().find("line 2"), std::string::npos);
    EXPECT_EQ(keys.error().message().find("canary"), std::string::npos);
  }
}

// Enforcing signatures with no key would lock everybody out without a word.
TEST(AccessKeys, AFileWithoutKeysIsRefused) {
  EXPECT_FALSE(ParseAccessKeys("").ok());
  EXPECT_FALSE(ParseAccessKeys("# nothing\n").ok());
}

}  // namespace
}  // namespace trestle::protocol
