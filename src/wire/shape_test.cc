// The two walks over a request. The tables of single operations are tested by the scenarios.

#include "wire/shape.h"

#include <string>

#include <gtest/gtest.h>

#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Shape kLongShape = {.kind = Kind::kLong, .min = 1};
constexpr Member kInnerMembers[] = {
    {.name = "Units", .shape = &kLongShape, .presence = Presence::kRequired},
    {.name = "Name", .shape = &kIndexNameShape},
};
constexpr Shape kInnerShape = {.kind = Kind::kStructure, .name = "Inner", .members = kInnerMembers};
constexpr Shape kInnerListShape = {
    .kind = Kind::kList, .min = 1, .max = 2, .element = &kInnerShape};
constexpr Shape kInnerListMapShape = {
    .kind = Kind::kMap, .min = 1, .element = &kInnerListShape, .key = &kManagedTableNameShape};
constexpr Shape kShortTextShape = {.kind = Kind::kString, .min = 1, .max = 3};
constexpr Shape kShortTextListShape = {.kind = Kind::kList, .element = &kShortTextShape};
constexpr Member kMembers[] = {
    {.name = "Select", .shape = &kSelectShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "Limit", .shape = &kPositiveIntegerShape},
    {.name = "Flag", .shape = &kBooleanShape},
    {.name = "Inner", .shape = &kInnerShape},
    {.name = "Inners", .shape = &kInnerListShape},
    {.name = "InnersByName", .shape = &kInnerListMapShape},
    {.name = "Texts", .shape = &kShortTextListShape},
    {.name = "Item", .shape = &kAttributeMapShape},
    {.name = "Names", .shape = &kExpressionAttributeNamesShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "Input", .members = kMembers};

using Walk = Status (*)(const Shape&, const json::Object&);

// What `walk` says of a request; empty when it is fine.
std::string Says(Walk walk, std::string_view text) {
  json::Parser parser;
  const auto parsed = parser.Parse(text);
  if (!parsed.ok()) return "not JSON";
  json::Object object;
  if (parsed->get(object) != simdjson::SUCCESS) return "no object";
  const Status status = walk(kInput, object);
  return status.ok() ? "" : status.error().message();
}

std::string TypesOf(std::string_view text) { return Says(CheckTypes, text); }
std::string ConstraintsOf(std::string_view text) { return Says(CheckConstraints, text); }

TEST(CheckTypes, PassesWhatEachShapeCanBeReadFrom) {
  EXPECT_EQ(TypesOf(R"({"TableName": "t", "Limit": 1.5, "Flag": "TRUE", "Inner": {"Units": 1},
                        "Inners": [{}], "InnersByName": {"a": []}, "Texts": ["a"],
                        "Item": {"a": 1}, "Names": {"#a": "a"}})"),
            "");
}

TEST(CheckTypes, CountsNullAsAbsentAndIgnoresWhatItDoesNotKnow) {
  EXPECT_EQ(TypesOf(R"({"TableName": null, "Inner": null, "Other": [1]})"), "");
}

TEST(CheckTypes, NamesTheScalarThatCannotBeConverted) {
  EXPECT_EQ(TypesOf(R"({"TableName": 5})"), "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(TypesOf(R"({"TableName": 18446744073709551615})"),
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(TypesOf(R"({"TableName": 5.5})"), "DECIMAL_VALUE cannot be converted to String");
  EXPECT_EQ(TypesOf(R"({"TableName": true})"), "TRUE_VALUE cannot be converted to String");
  EXPECT_EQ(TypesOf(R"({"Limit": "5"})"), "STRING_VALUE cannot be converted to Integer");
  EXPECT_EQ(TypesOf(R"({"Limit": false})"), "FALSE_VALUE cannot be converted to Integer");
  EXPECT_EQ(TypesOf(R"({"Inner": {"Units": "1"}})"), "STRING_VALUE cannot be converted to Long");
  EXPECT_EQ(TypesOf(R"({"Flag": 1})"), "NUMBER_VALUE cannot be converted to Boolean");
  EXPECT_EQ(TypesOf(R"({"Flag": "yes"})"), "Unexpected token received from parser");
}

TEST(CheckTypes, NamesTheTypeThatAListDoesNotFit) {
  const std::string prefix = "Unrecognized collection type ";
  EXPECT_EQ(TypesOf(R"({"TableName": []})"), prefix + "class java.lang.String");
  EXPECT_EQ(TypesOf(R"({"Inner": []})"), prefix + "class com.amazonaws.dynamodb.v20120810.Inner");
  EXPECT_EQ(TypesOf(R"({"Names": []})"),
            prefix + "java.util.Map<java.lang.String, java.lang.String>");
  EXPECT_EQ(TypesOf(R"({"InnersByName": []})"),
            prefix +
                "java.util.Map<java.lang.String, "
                "java.util.List<com.amazonaws.dynamodb.v20120810.Inner>>");
}

TEST(CheckTypes, TellsMembersFromElements) {
  EXPECT_EQ(TypesOf(R"({"Inner": 5})"), "Unexpected field type");
  EXPECT_EQ(TypesOf(R"({"Inners": "a"})"), "Unexpected field type");
  EXPECT_EQ(TypesOf(R"({"Inners": ["a"]})"), "Unexpected value type in payload");
  EXPECT_EQ(TypesOf(R"({"Inners": {}})"), "Start of structure or map found where not expected");
  EXPECT_TRUE(TypesOf(R"({"InnersByName": {"a": 5}})")
                  .starts_with("class sun.reflect.generics.reflectiveObjects."));
}

TEST(CheckTypes, RefusesAMemberThatIsGivenTwice) {
  EXPECT_NE(TypesOf(R"({"TableName": "a", "TableName": "b"})"), "");
}

TEST(CheckTypes, LeavesAttributeValuesToTheirReader) {
  EXPECT_EQ(TypesOf(R"({"Item": {"a": {"S": 5}}})"), "");
  EXPECT_EQ(Says(CheckAllTypes, R"({"Item": {"a": {"S": 5}}})"),
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(Says(CheckAllTypes, R"({"Item": {"a": {"N": "x"}}})"), "");
}

TEST(CheckConstraints, ListsEveryViolationInTheOrderOfTheMembers) {
  EXPECT_EQ(ConstraintsOf(R"({"Limit": 0, "Select": "x", "Inner": {"Name": "a;"}})"),
            "6 validation errors detected: "
            "Value 'x' at 'select' failed to satisfy constraint: Member must satisfy enum value "
            "set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; "
            "Value null at 'tableName' failed to satisfy constraint: Member must not be null; "
            "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater "
            "than or equal to 1; "
            "Value null at 'inner.units' failed to satisfy constraint: Member must not be null; "
            "Value 'a;' at 'inner.name' failed to satisfy constraint: Member must satisfy regular "
            "expression pattern: [a-zA-Z0-9_.-]+; "
            "Value 'a;' at 'inner.name' failed to satisfy constraint: Member must have length "
            "greater than or equal to 3");
}

TEST(CheckConstraints, ReportsATableNameAlone) {
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "", "Limit": 0})"),
            "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1");
}

TEST(CheckConstraints, LeavesArnsToTheirReader) {
  const std::string long_arn = "arn:" + std::string(400, 'a');
  EXPECT_EQ(ConstraintsOf(R"({"TableName": ")" + long_arn + R"("})"), "");
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "abc", "InnersByName": {")" + long_arn +
                          R"(": [{"Units": 1}]}})"),
            "");
}

TEST(CheckConstraints, CountsListElementsFromOne) {
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "abc", "Inners": [{"Units": 1}, {"Units": 0}]})"),
            "1 validation error detected: Value '0' at 'inners.2.member.units' failed to satisfy "
            "constraint: Member must have value greater than or equal to 1");
}

TEST(CheckConstraints, SaysOfAMapWhatItsKeysAndValuesMustBe) {
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "abc", "InnersByName": {"a": [], "b": null}})"),
            "2 validation errors detected: Value '{a=[], b=null}' at 'innersByName' failed to "
            "satisfy constraint: Map keys must satisfy constraint: [Member must have length less "
            "than or equal to 255, Member must have length greater than or equal to 3, Member "
            "must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]; "
            "Value '{a=[], b=null}' at 'innersByName' failed to satisfy constraint: Map value must "
            "satisfy constraint: [Member must have length less than or equal to 2, Member must "
            "have length greater than or equal to 1]");
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "abc", "InnersByName": {"abc": [{}]}})"),
            "1 validation error detected: Value null at 'innersByName.abc.member.1.member.units' "
            "failed to satisfy constraint: Member must not be null");
}

TEST(CheckConstraints, SaysOfAListWhatItsTextsMustBe) {
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "abc", "Texts": ["a", "abcd"]})"),
            "1 validation error detected: Value '[a, abcd]' at 'texts' failed to satisfy "
            "constraint: Member must satisfy constraint: [Member must have length less than or "
            "equal to 3, Member must have length greater than or equal to 1]");
}

TEST(CheckConstraints, PrintsStructuresWithAllTheirMembers) {
  const std::string message = ConstraintsOf(
      R"({"TableName": "t-1", "Inners": [{"Units": 1}, {"Units": 2, "Name": "abc"},
                                         {"Units": 3}]})");
  EXPECT_TRUE(message.starts_with(
      "1 validation error detected: Value '[Inner(units=1, name=null), Inner(units=2, name=abc), "
      "Inner(units=3, name=null)]' at 'inners' failed to satisfy constraint: "))
      << message;
}

// Parse reads the elements of lists and maps without looking for null.
TEST(CheckConstraints, RefusesNullInsideListsAndMaps) {
  EXPECT_EQ(ConstraintsOf(R"({"TableName": "abc", "Inners": [null], "Texts": [null],
                              "Names": {"#a": null}, "InnersByName": {"abc": [null]}})"),
            "4 validation errors detected: "
            "Value null at 'inners.1.member' failed to satisfy constraint: Member must not be "
            "null; "
            "Value null at 'innersByName.abc.member.1.member' failed to satisfy constraint: Member "
            "must not be null; "
            "Value null at 'texts.1.member' failed to satisfy constraint: Member must not be null; "
            "Value null at 'names.#a.member' failed to satisfy constraint: Member must not be "
            "null");
}

TEST(CheckConstraints, StopsAtTenViolations) {
  std::string names = "{";
  for (int i = 0; i < 12; ++i)
    names += (i == 0 ? "\"#" : ",\"#") + std::to_string(i) + "\": null";
  names += "}";
  EXPECT_TRUE(ConstraintsOf(R"({"TableName": "abc", "Names": )" + names + "}")
                  .starts_with("10 validation errors detected: "));
}

TEST(CheckConstraints, HasSentencesForTheNameOfAGlobalTable) {
  static constexpr Shape kNameShape = {.kind = Kind::kString,
                                       .min = 3,
                                       .max = 255,
                                       .pattern = &kNamePattern,
                                       .table_name = TableNameRule::kSentences};
  static constexpr Member kGlobalMembers[] = {
      {.name = "TableName", .shape = &kNameShape, .presence = Presence::kRequired},
  };
  static constexpr Shape kGlobalInput = {
      .kind = Kind::kStructure, .name = "Input", .members = kGlobalMembers};
  const auto says = [](std::string_view text) {
    json::Parser parser;
    const auto parsed = parser.Parse(text);
    const Status status = CheckConstraints(kGlobalInput, json::Object(*parsed));
    return status.ok() ? "" : status.error().message();
  };
  EXPECT_EQ(says("{}"), "The parameter 'TableName' is required but was not present in the request");
  EXPECT_EQ(says(R"({"TableName": ""})"),
            "TableName must be at least 3 characters long and at most 255 characters long");
  EXPECT_EQ(says(R"({"TableName": "abc;"})"),
            "1 validation error detected: Value 'abc;' at 'tableName' failed to satisfy "
            "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

}  // namespace
}  // namespace trestle::wire
