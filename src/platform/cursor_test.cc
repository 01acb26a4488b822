#include "platform/cursor.h"

#include <gtest/gtest.h>

#include "base/crypto.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

class CursorTest : public testing::Test {
 protected:
  std::string CodeOf(std::string_view cursor, std::string_view question) const {
    const auto opened = sealer_.Open(cursor, question);
    return opened.ok() ? "" : std::string(ToProblem(opened.error()).kind->code);
  }

  FixedClock clock_{1'700'000'000'000};
  CursorSealer sealer_{SecureRandomBytes(kSealKeyBytes), clock_};
};

TEST_F(CursorTest, ComesBackForTheSameQuestionOnly) {
  const std::string cursor = sealer_.Seal("position", "GET /a?b=1");
  const auto opened = sealer_.Open(cursor, "GET /a?b=1");
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(*opened, "position");
  EXPECT_EQ(CodeOf(cursor, "GET /a?b=2"), "invalid-cursor");
}

TEST_F(CursorTest, RefusesWhatItDidNotMake) {
  const std::string cursor = sealer_.Seal("position", "q");
  for (std::size_t i = 0; i < cursor.size(); ++i) {
    std::string changed = cursor;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(CodeOf(changed, "q"), "invalid-cursor") << i;
  }
  for (const std::string_view other : {"", "x", "AAAA", "../../etc", "\xff"})
    EXPECT_EQ(CodeOf(other, "q"), "invalid-cursor") << other;
  const CursorSealer another(SecureRandomBytes(kSealKeyBytes), clock_);
  EXPECT_FALSE(another.Open(cursor, "q").ok());
}

TEST_F(CursorTest, EndsAfterSevenDays) {
  const std::string cursor = sealer_.Seal("position", "q");
  clock_.Advance(kCursorLifetimeMs);
  EXPECT_TRUE(sealer_.Open(cursor, "q").ok());
  clock_.Advance(1);
  EXPECT_EQ(CodeOf(cursor, "q"), "invalid-cursor");
}

}  // namespace
}  // namespace trestle::platform
