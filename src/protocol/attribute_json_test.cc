#include "protocol/attribute_json.h"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/item_codec.h"
#include "value/item_size.h"

namespace trestle::protocol {
namespace {

// The code and text of what is wrong with `text` as one AttributeValue: with its types, and if
// those are right, with its value. "ok" when nothing is.
std::string VerdictOn(std::string_view text) {
  json::Parser parser;
  const auto json = parser.Parse(text);
  if (!json.ok()) return "not JSON";
  const Status types = CheckValueTypes(*json);
  if (!types.ok()) {
    EXPECT_EQ(types.error().code(), ErrorCode::kSerialization);
    return "types: " + types.error().message();
  }
  std::string bytes;
  const Status appended = AppendValue(*json, bytes);
  if (appended.ok()) return "ok";
  return (appended.error().code() == ErrorCode::kValidation ? "value: " : "late: ") +
         appended.error().message();
}

Result<value::Item> ItemOf(std::string_view text) {
  json::Parser parser;
  const json::Value json = TRY(parser.Parse(text));
  TRY(CheckItemTypes(json));
  return ParseItem(json::Object(json));
}

std::string RoundTrip(std::string_view text) {
  const auto item = ItemOf(text);
  if (!item.ok()) return item.error().message();
  EXPECT_TRUE(value::CheckItem(item->bytes()).ok());
  std::string out;
  json::Writer writer(out);
  WriteItem(writer, item->view());
  return out;
}

std::string Nested(std::string_view open, std::string_view close, int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i)
    text += open;
  text += R"({"S":"x"})";
  for (int i = 0; i < levels; ++i)
    text += close;
  return text;
}

TEST(AttributeJson, EveryTypeComesBackAsItWas) {
  const std::string text =
      R"({"b":{"B":"AAH/"},"bs":{"BS":["","YQ=="]},"f":{"BOOL":false},)"
      R"("l":{"L":[{"S":"x"},{"L":[]},{"M":{}}]},"m":{"M":{"k":{"N":"1"},"l":{"NULL":true}}},)"
      R"("n":{"N":"-12.5"},"ns":{"NS":["-1","2"]},"nu":{"NULL":true},"s":{"S":"a\"\né"},)"
      R"("ss":{"SS":["","a"]},"t":{"BOOL":true}})";
  EXPECT_EQ(RoundTrip(text), text);
}

TEST(AttributeJson, AnEmptyItemIsAnEmptyObject) { EXPECT_EQ(RoundTrip("{}"), "{}"); }

TEST(AttributeJson, NamesSetsAndNumbersGetTheirOneForm) {
  EXPECT_EQ(RoundTrip(R"({"b":{"NS":["10","9.0"]},"a":{"M":{"y":{"N":"+1e1"},"x":{"S":""}}}})"),
            R"({"a":{"M":{"x":{"S":""},"y":{"N":"10"}}},"b":{"NS":["9","10"]}})");
}

TEST(AttributeJson, WriteValueTakesItsPlaceBetweenCommas) {
  json::Parser parser;
  std::string bytes;
  ASSERT_TRUE(AppendValue(*parser.Parse(R"({"S":"x"})"), bytes).ok());
  std::string out;
  json::Writer writer(out);
  writer.BeginArray();
  WriteValue(writer, value::ValueView(bytes));
  WriteValue(writer, value::ValueView(bytes));
  WriteItem(writer, value::Item().view());
  writer.Integer(1);
  writer.EndArray();
  EXPECT_EQ(out, R"([{"S":"x"},{"S":"x"},{},1])");
}

struct Case {
  std::string_view json;
  std::string_view verdict;
};

constexpr std::string_view kStart = "types: Start of structure or map found where not expected";
constexpr std::string_view kString = "types: Unrecognized collection type class java.lang.String";
constexpr std::string_view kBase64 = "types: Invalid last non-pad Base64 character dectected";
constexpr std::string_view kNoBytes =
    "types: only base-64-encoded strings are convertible to bytes";
constexpr std::string_view kToken = "types: Unexpected token received from parser";
constexpr std::string_view kField = "types: Unexpected field type";
constexpr std::string_view kPayload = "types: Unexpected value type in payload";
constexpr std::string_view kCollection =
    "types: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue";
constexpr std::string_view kMap =
    "types: Unrecognized collection type java.util.Map<java.lang.String, "
    "com.amazonaws.dynamodb.v20120810.AttributeValue>";
constexpr std::string_view kEmpty =
    "value: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
constexpr std::string_view kTwo =
    "value: Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
    "the supported datatypes";
constexpr std::string_view kNull =
    "value: One or more parameter values were invalid: Null attribute value types must have the "
    "value of true";

constexpr Case kWrongTypes[] = {
    {"5", kPayload},
    {"\"x\"", kPayload},
    {"true", kPayload},
    {"[]", kCollection},
    {R"({"S":5})", "types: NUMBER_VALUE cannot be converted to String"},
    {R"({"S":-5})", "types: NUMBER_VALUE cannot be converted to String"},
    {R"({"S":18446744073709551615})", "types: NUMBER_VALUE cannot be converted to String"},
    {R"({"S":1.5})", "types: DECIMAL_VALUE cannot be converted to String"},
    {R"({"S":true})", "types: TRUE_VALUE cannot be converted to String"},
    {R"({"N":false})", "types: FALSE_VALUE cannot be converted to String"},
    {R"({"N":5})", "types: NUMBER_VALUE cannot be converted to String"},
    {R"({"S":{}})", kStart},
    {R"({"S":[]})", kString},
    {R"({"B":5})", kNoBytes},
    {R"({"B":true})", kNoBytes},
    {R"({"B":{}})", kStart},
    {R"({"B":[]})", "types: Unrecognized collection type class java.nio.ByteBuffer"},
    {R"({"B":"a"})", "types: Base64 encoded length is expected a multiple of 4 bytes but found: 1"},
    {R"({"B":"ab=c"})", kBase64},
    {R"({"B":"!!!!"})", kBase64},
    {R"({"B":"YR=="})", kBase64},
    {R"({"BOOL":"x"})", kToken},
    {R"({"BOOL":""})", kToken},
    {R"({"BOOL":5})", "types: NUMBER_VALUE cannot be converted to Boolean"},
    {R"({"BOOL":{}})", kStart},
    {R"({"NULL":[]})", "types: Unrecognized collection type class java.lang.Boolean"},
    {R"({"SS":5})", kField},
    {R"({"SS":{}})", kStart},
    {R"({"SS":[5]})", "types: NUMBER_VALUE cannot be converted to String"},
    {R"({"NS":["1",2]})", "types: NUMBER_VALUE cannot be converted to String"},
    {R"({"SS":[[]]})", kString},
    {R"({"BS":[5]})", kNoBytes},
    {R"({"BS":["YQ==","YR=="]})", kBase64},
    {R"({"L":"x"})", kField},
    {R"({"L":{}})", kStart},
    {R"({"L":[5]})", kPayload},
    {R"({"L":[[]]})", kCollection},
    {R"({"M":5})", kField},
    {R"({"M":[]})", kMap},
    {R"({"M":{"x":5}})", kPayload},
    {R"({"M":{"x":[]}})", kCollection},
};

constexpr Case kWrongValues[] = {
    {"{}", kEmpty},
    {"null", kEmpty},
    {R"({"X":"a"})", kEmpty},
    {R"({"S":null})", kEmpty},
    {R"({"L":[{}]})", kEmpty},
    {R"({"L":[null]})", kEmpty},
    {R"({"M":{"x":{}}})", kEmpty},
    {R"({"M":{"x":null}})", kEmpty},
    {R"({"S":"a","N":"1"})", kTwo},
    {R"({"S":"a","S":"b"})", kTwo},
    {R"({"L":[{"S":"a","N":"1"}]})", kTwo},
    {R"({"NULL":false})", kNull},
    {R"({"NULL":"no"})", kNull},
    {R"({"SS":[]})",
     "value: One or more parameter values were invalid: An string set  may not be empty"},
    {R"({"NS":[]})",
     "value: One or more parameter values were invalid: An number set  may not be empty"},
    {R"({"BS":[]})",
     "value: One or more parameter values were invalid: Binary sets should not be empty"},
    {R"({"SS":["b","a","b"]})",
     "value: One or more parameter values were invalid: Input collection [b, a, b] contains "
     "duplicates."},
    {R"({"BS":["YQ==","YQ=="]})",
     "value: One or more parameter values were invalid: Input collection [YQ==, YQ==]of type BS "
     "contains duplicates."},
    {R"({"SS":["a",null]})",
     "value: One or more parameter values were invalid: An string set may not have a null string "
     "as a member"},
    {R"({"NS":["1","1.0"]})", "value: Input collection contains duplicates"},
    {R"({"N":"x"})", "value: The parameter cannot be converted to a numeric value: x"},
    {R"({"NS":["x","x"]})", "value: The parameter cannot be converted to a numeric value: x"},
    {R"({"S":"x","N":"x"})", "value: The parameter cannot be converted to a numeric value: x"},
};

TEST(AttributeJson, WrongTypesAreRefusedInTheServicesWords) {
  for (const auto& [json, verdict] : kWrongTypes)
    EXPECT_EQ(VerdictOn(json), verdict) << json;
}

TEST(AttributeJson, WrongValuesAreRefusedInTheServicesWords) {
  for (const auto& [json, verdict] : kWrongValues)
    EXPECT_EQ(VerdictOn(json), verdict) << json;
}

// AppendValue must not rely on the first walk: a caller may have skipped it.
TEST(AttributeJson, TheSecondStepRefusesWrongTypesToo) {
  json::Parser parser;
  for (const auto& [json, verdict] : kWrongTypes) {
    std::string bytes;
    const Status status = AppendValue(*parser.Parse(json), bytes);
    ASSERT_FALSE(status.ok()) << json;
    EXPECT_EQ("types: " + status.error().message(), verdict) << json;
  }
}

TEST(AttributeJson, TakesWordsForBooleansAndIgnoresUnknownAndAbsentMembers) {
  for (const std::string_view json :
       {R"({"BOOL":"True"})", R"({"BOOL":"no"})", R"({"NULL":"1"})", R"({"X":5,"S":"a"})",
        R"({"S":"a","N":null})", R"({"SS":[""]})", R"({"B":""})", R"({"M":{"":{"S":""}}})"}) {
    EXPECT_EQ(VerdictOn(json), "ok") << json;
  }
}

TEST(AttributeJson, DocumentsNestThirtyTwoLevelsAndNoMore) {
  const std::string too_deep = "value: " + std::string(value::kTooDeepText);
  EXPECT_EQ(VerdictOn(Nested(R"({"L":[)", "]}", 31)), "ok");
  EXPECT_EQ(VerdictOn(Nested(R"({"L":[)", "]}", 32)), too_deep);
  EXPECT_EQ(VerdictOn(Nested(R"({"M":{"q":)", "}}", 31)), "ok");
  EXPECT_EQ(VerdictOn(Nested(R"({"M":{"q":)", "}}", 32)), too_deep);
  EXPECT_EQ(VerdictOn(Nested(R"({"L":[)", "]}", 500)), too_deep);
}

TEST(AttributeJson, AWrongTypeOnTheDeepestAllowedLevelIsFoundFirst) {
  std::string text = Nested(R"({"L":[)", "]}", 31);
  text.replace(text.find("\"x\""), 3, "5");
  EXPECT_EQ(VerdictOn(text), "types: NUMBER_VALUE cannot be converted to String");
}

TEST(AttributeJson, ANameTwiceInAMapIsRefused) {
  for (const std::string_view text :
       {R"({"a":{"S":"1"},"a":{"S":"1"}})",
        R"({"a":{"M":{"x":{"S":"1"},"y":{"S":"1"},"x":{"N":"1"}}}})"}) {
    const auto item = ItemOf(text);
    ASSERT_FALSE(item.ok()) << text;
    EXPECT_EQ(item.error().code(), ErrorCode::kSerialization);
  }
}

TEST(AttributeJson, AnItemsValuesAreJudgedInTheOrderTheyWereSent) {
  EXPECT_EQ(RoundTrip(R"({"c":{"N":"x"},"b":{"SS":[]}})"),
            "The parameter cannot be converted to a numeric value: x");
}

TEST(AttributeJson, AnItemMustBeAnObject) {
  json::Parser parser;
  EXPECT_EQ("types: " + CheckItemTypes(*parser.Parse("[]")).error().message(), kMap);
  EXPECT_EQ("types: " + CheckItemTypes(*parser.Parse("5")).error().message(), kField);
  EXPECT_TRUE(CheckItemTypes(*parser.Parse("null")).ok());
}

TEST(AttributeJson, AnAttributeNameHasAtMost65535Bytes) {
  const auto with_name = [](std::size_t size) {
    return fmt::format(R"({{"{}":{{"BOOL":true}}}})", std::string(size, 'n'));
  };
  EXPECT_TRUE(ItemOf(with_name(65535)).ok());
  const auto refused = ItemOf(with_name(65536));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
}

}  // namespace
}  // namespace trestle::protocol
