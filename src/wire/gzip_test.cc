#include "wire/gzip.h"

#include <gtest/gtest.h>

namespace trestle::wire {
namespace {

TEST(Gzip, GivesBackWhatItCompressed) {
  const std::string text(10'000, 'a');
  std::string zipped;
  ASSERT_TRUE(Gzip(text, zipped));
  EXPECT_LT(zipped.size(), text.size());
  std::string unzipped;
  ASSERT_TRUE(Gunzip(zipped, text.size(), unzipped).ok());
  EXPECT_EQ(unzipped, text);
}

TEST(Gzip, DeclinesWhatWouldNotGetShorter) {
  std::string zipped;
  EXPECT_FALSE(Gzip("a", zipped));
}

TEST(Gunzip, RefusesMoreThanTheLimitWithoutMakingRoomForIt) {
  std::string zipped;
  ASSERT_TRUE(Gzip(std::string(10'000, 'a'), zipped));
  std::string unzipped;
  const Status status = Gunzip(zipped, 9'999, unzipped);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kSerialization);
  EXPECT_LT(unzipped.capacity(), 9'999U);
}

// The trailer's size is the sender's word. A smaller one must not end in an overrun.
TEST(Gunzip, RefusesATrailerThatLies) {
  std::string zipped;
  ASSERT_TRUE(Gzip(std::string(10'000, 'a'), zipped));
  zipped[zipped.size() - 3] = 0;
  std::string unzipped;
  EXPECT_FALSE(Gunzip(zipped, 1 << 20, unzipped).ok());
}

TEST(Gunzip, RefusesWhatIsNotGzip) {
  std::string unzipped;
  EXPECT_FALSE(Gunzip("", 100, unzipped).ok());
  EXPECT_FALSE(Gunzip(std::string(40, '\0'), 100, unzipped).ok());
}

}  // namespace
}  // namespace trestle::wire
