#include "design/values.h"

#include <set>

#include <gtest/gtest.h>

#include "design/testing_internal.h"
#include "design/time_text.h"

namespace trestle::design {
namespace {

using syntax::Precision;
using testing::ParseValue;
using testing::RecordOf;
using value::ValueView;

constexpr std::int64_t kNow = 1'768'471'200'123;  // 2026-01-15T10:00:00.123Z

ValueType Timestamp(Precision precision = Precision::kMilliseconds) {
  return {.kind = TypeKind::kTimestamp, .precision = precision};
}

std::string Text(std::string_view source, const ValueType& type, const ValueSources& sources = {}) {
  ValueSources now = sources;
  now.now_unix_ms = kNow;
  const auto value = Evaluate(ParseValue(source), type, now);
  if (!value.ok()) return "error: " + value.error().message();
  if (!*value) return "absent";
  const ValueView view(**value);
  if (view.type() == value::Type::kN) return value::NumberText(view.number());
  return view.type() == value::Type::kS ? std::string(view.text())
                                        : std::string(value::TypeName(view.type()));
}

TEST(TimeText, WritesAndReadsTimestamps) {
  EXPECT_EQ(TimestampText(kNow, Precision::kMilliseconds), "2026-01-15T10:00:00.123Z");
  EXPECT_EQ(TimestampText(kNow, Precision::kSeconds), "2026-01-15T10:00:00Z");
  EXPECT_EQ(TimestampText(-1, Precision::kMilliseconds), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(DateText(-86'400'000), "1969-12-31");
  EXPECT_EQ(ParseTimestamp("2026-01-15T10:00:00.123Z"), kNow);
  EXPECT_EQ(ParseTimestamp("2026-01-15T10:00:00.123456789Z"), kNow);
  EXPECT_EQ(ParseTimestamp("2026-01-15T12:30:00.123+02:30"), kNow);
  EXPECT_EQ(ParseTimestamp("2026-01-15T05:00:00.1-05:00"), kNow - 23);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00Z"), 0);
  for (const char* wrong :
       {"", "2026-01-15", "2026-01-15T10:00Z", "2026-01-15T10:00:00", "2026-02-30T10:00:00Z",
        "2026-01-15T24:00:00Z", "2026-01-15T10:00:60Z", "2026-01-15T10:00:00.Z",
        "2026-01-15T10:00:00.123Zx", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-01:00",
        "2026-01-15 10:00:00Z", "2026-1-15T10:00:00Z"}) {
    EXPECT_FALSE(ParseTimestamp(wrong)) << wrong;
  }
  EXPECT_TRUE(IsDate("2024-02-29"));
  EXPECT_FALSE(IsDate("2026-02-29"));
  EXPECT_FALSE(IsDate("2026-01-15T"));
}

TEST(Values, HaveOneFormOfEachTime) {
  EXPECT_EQ(Text("now()", Timestamp()), "2026-01-15T10:00:00.123Z");
  EXPECT_EQ(Text("now()", Timestamp(Precision::kSeconds)), "2026-01-15T10:00:00Z");
  EXPECT_EQ(Text("now() + 90 days", {.kind = TypeKind::kTimestamp, .is_epoch_seconds = true}),
            "1776247200");
  EXPECT_EQ(Text("today()", {.kind = TypeKind::kDate}), "2026-01-15");
  EXPECT_EQ(Text(R"("2026-01-15T10:00:00Z")", Timestamp()), "2026-01-15T10:00:00.000Z");
  EXPECT_EQ(Text(R"("2026-01-15T10:00:00.9Z")", Timestamp(Precision::kSeconds)),
            "2026-01-15T10:00:00Z");
  EXPECT_EQ(Text(R"("2026-01-15")", {.kind = TypeKind::kMoment}), "2026-01-15");
  EXPECT_EQ(Text(R"("2026-01-15T10:00:00Z")", {.kind = TypeKind::kMoment}),
            "2026-01-15T10:00:00.000Z");
  EXPECT_EQ(Text(R"("15.1.2026")", {.kind = TypeKind::kDate}),
            "error: must be a date, such as 2026-01-15");
}

TEST(Values, NamesAreParametersFirst) {
  const Record arguments = RecordOf(R"({status: "READ"})");
  const Record item = RecordOf(R"({status: "SHELF", title: "t", m: {n: 3}})");
  const std::vector<Parameter> parameters = {{.name = "status"}, {.name = "rating"}};
  const ValueSources sources = {.parameters = parameters, .arguments = &arguments, .item = &item};
  const ValueType any{.kind = TypeKind::kAny};
  EXPECT_EQ(Text("status", any, sources), "READ");
  EXPECT_EQ(Text("rating", any, sources), "absent");
  EXPECT_EQ(Text("title", any, sources), "t");
  EXPECT_EQ(Text("m.n", any, sources), "3");
  EXPECT_EQ(Text("other", any, sources), "absent");
}

TEST(Values, ListsBecomeSetsWhereTheTypeIsOne) {
  const ValueType set{.kind = TypeKind::kSet, .element = {ValueType{}}};
  EXPECT_EQ(Text(R"(["b", "a"])", set), "SS");
  EXPECT_EQ(Text(R"([1, 2])", set), "NS");
  EXPECT_EQ(Text(R"(["a", "a"])", set), "L");  // refused by the validation
  EXPECT_EQ(Text("[]", {.kind = TypeKind::kList, .element = {ValueType{}}}), "L");
}

TEST(Values, AreNormalised) {
  Attribute email{.name = "email", .type = {.kind = TypeKind::kEmail}};
  email.normalise = {syntax::Normalisation::kTrim, syntax::Normalisation::kLower};
  const auto value = Normalised(ValueView(EncodeText(" Ali@Test.com ")), email);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(ValueView(*value).text(), "ali@test.com");
}

TEST(Identifiers, SortInTheOrderTheyAreMade) {
  Random random(1);
  Identifiers identifiers(random);
  std::string last_uuid;
  std::string last_ulid;
  for (int i = 0; i < 10'000; ++i) {
    // Now and then the clock goes on, and is set back.
    const std::int64_t now = kNow + (i % 100 == 50 ? -5000 : i / 100);
    const std::string uuid = identifiers.Uuid(now);
    const std::string ulid = identifiers.Ulid(now);
    ASSERT_LT(last_uuid, uuid);
    ASSERT_LT(last_ulid, ulid);
    last_uuid = uuid;
    last_ulid = ulid;
  }
  EXPECT_EQ(last_uuid.size(), 36U);
  EXPECT_EQ(last_uuid[14], '7');
  EXPECT_NE(std::string_view("89ab").find(last_uuid[19]), std::string_view::npos);
  EXPECT_EQ(last_uuid.substr(0, 13), "019bc119-01de");  // the time, in hexadecimal
  EXPECT_EQ(last_ulid.size(), 26U);
}

}  // namespace
}  // namespace trestle::design
