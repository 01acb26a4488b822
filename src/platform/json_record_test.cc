#include "platform/json_record.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "design/resolve.h"
#include "platform/problem.h"
#include "value/item_codec.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kDesign = R"(design Things version 1

table "things" {
  key pk
  timestamps ms
  ttl expires
}

entity Thing {
  key pk "THING#{ThingId}"

  ThingId   : id
  Title     : string(1..20)?
  ISBN      : string?
  Price     : number?
  Count     : int?
  Old       : bool?
  Picture   : binary?
  Tags      : set<string>?
  Primes    : set<int>?
  Blobs     : set<binary>?
  Pages     : list<int>?
  Stats     : map {
    ReadCount : int = 0
    Last      : timestamp?
  }?
  expires   : timestamp?
  Born      : date?
  Extra     : any?
}

access getThing(ThingId) -> Thing = get
)";

class JsonRecordTest : public testing::Test {
 protected:
  void SetUp() override {
    resolved_ = design::Compile(kDesign);
    for (const auto& diagnostic : resolved_.diagnostics)
      if (diagnostic.severity == design::Severity::kError)
        ADD_FAILURE() << Print(diagnostic, "things.design");
    ASSERT_NE(resolved_.model, nullptr);
  }

  [[nodiscard]] Fields ThingFields(NameStyle style = NameStyle::kAsWritten) const {
    return {resolved_.model->entities.front().attributes, style};
  }
  [[nodiscard]] Result<design::Record> Read(std::string_view text,
                                            NameStyle style = NameStyle::kAsWritten) const {
    const json::Tree tree = *json::ParseTree(text);
    return RecordFromJson(*tree.As<json::Tree::Object>(), ThingFields(style));
  }
  [[nodiscard]] Result<design::Changes> Patch(std::string_view text) const {
    const json::Tree tree = *json::ParseTree(text);
    return ChangesFromJson(*tree.As<json::Tree::Object>(), ThingFields());
  }
  [[nodiscard]] std::string Write(const design::Record& record,
                                  NameStyle style = NameStyle::kAsWritten) const {
    std::string out;
    json::Writer writer(out);
    writer.BeginObject();
    WriteMembers(record, ThingFields(style), writer);
    writer.EndObject();
    return out;
  }
  [[nodiscard]] std::string FailuresOf(std::string_view text) const {
    const auto record = Read(text);
    if (record.ok()) return "none";
    std::string failures;
    for (const FieldFailure& failure : record.error().details()->fields)
      failures += failure.field + " " + failure.code + "; ";
    return failures;
  }

  design::ResolvedDesign resolved_;
};

TEST_F(JsonRecordTest, ComesBackAsItWas) {
  const std::string text =
      R"({"ThingId":"t1","Title":"é \"😀\"\n","Price":12345678901234567890123456789.012345678,)"
      R"("Count":-7,"Old":false,"Picture":"AP8=","Tags":["a","b"],"Primes":[2,3,10],)"
      R"("Blobs":["AA==","/w=="],"Pages":[3,1,2],)"
      R"("Stats":{"Last":"2026-01-15T10:30:00.000Z","ReadCount":5},"Born":"2026-01-15",)"
      R"("Extra":{"a":[1,"x",null,{"b":true}]}})";
  const auto record = Read(text);
  ASSERT_TRUE(record.ok()) << record.error().message();
  // Sets become sets when the run time stores them; until then they are lists in their order.
  EXPECT_EQ(Write(*record), text);
  EXPECT_EQ(record->Find("Blobs")->type(), value::Type::kBs);
}

TEST_F(JsonRecordTest, WritesSetsAndSecondsAsTheyAreStored) {
  auto record = *Read(R"({"ThingId":"t1"})");
  std::string set;
  value::AppendNumberSet(set, {value::Number::FromInteger(10), value::Number::FromInteger(9)});
  record.Set("Primes", set);
  std::string seconds;
  value::AppendNumber(seconds, value::Number::FromInteger(1'768'473'000));
  record.Set("expires", seconds);
  EXPECT_EQ(Write(record),
            R"({"ThingId":"t1","Primes":[9,10],"expires":"2026-01-15T10:30:00.000Z"})");
}

TEST_F(JsonRecordTest, LeavesOutWhatIsNull) {
  const auto record = Read(R"({"ThingId":"t1","Title":null,"Tags":[],"Stats":{"Last":null}})");
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(Write(*record), R"({"ThingId":"t1","Stats":{}})");
}

TEST_F(JsonRecordTest, RefusesWhatItCannotEncodeAllAtOnce) {
  EXPECT_EQ(FailuresOf(R"({"Nope":1,"Stats":{"x~/y":1},"Picture":"?","Blobs":["A"]})"),
            "/Nope unknown-field; /Stats/x~0~1y unknown-field; /Picture type; /Blobs/0 type; ");
  EXPECT_EQ(FailuresOf(R"({"Price":1e126,"Pages":[1,1e-131]})"), "/Price range; /Pages/1 range; ");
  EXPECT_EQ(FailuresOf(R"({"Count":123456789012345678901234567890123456789})"), "/Count range; ");
  EXPECT_EQ(FailuresOf(R"({"Blobs":["AA==","AA=="]})"), "/Blobs repeated; ");
  std::string deep = "1";
  for (int i = 0; i < 40; ++i)
    deep = "[" + deep + "]";
  EXPECT_NE(FailuresOf("{\"Extra\":" + deep + "}").find(" depth; "), std::string::npos);
}

// Values of other types are encoded as what they are: the run time says what they must be.
TEST_F(JsonRecordTest, LeavesTypesToTheRunTime) {
  EXPECT_EQ(FailuresOf(R"({"Title":5,"Count":"x","Old":[1],"Born":{},"Stats":3})"), "none");
}

TEST_F(JsonRecordTest, ReadsAMergePatch) {
  const auto changes =
      Patch(R"({"Title":null,"Stats":{"ReadCount":3,"Last":null},"Pages":[1],"Extra":{"a":1}})");
  ASSERT_TRUE(changes.ok());
  std::string text;
  for (const auto& set : changes->set)
    text += fmt::format("set {}; ", fmt::join(set.path.parts, "."));
  for (const auto& path : changes->remove)
    text += fmt::format("remove {}; ", fmt::join(path.parts, "."));
  EXPECT_EQ(text, "set Stats.ReadCount; set Pages; set Extra; remove Title; remove Stats.Last; ");
  EXPECT_FALSE(Patch(R"({"Stats":{"Nope":null}})").ok());
}

TEST_F(JsonRecordTest, CanCallAttributesInCamelCase) {
  EXPECT_EQ(FieldName("OwnerName", NameStyle::kCamelCase), "ownerName");
  EXPECT_EQ(FieldName("ISBN", NameStyle::kCamelCase), "isbn");
  EXPECT_EQ(FieldName("UPCCode", NameStyle::kCamelCase), "upcCode");
  EXPECT_EQ(FieldName("title", NameStyle::kCamelCase), "title");
  EXPECT_EQ(FieldName("X", NameStyle::kCamelCase), "x");
  EXPECT_EQ(FieldName("GSI1PK", NameStyle::kCamelCase), "gsi1PK");

  const std::string text = R"({"thingId":"t1","isbn":"9","stats":{"readCount":1}})";
  const auto record = Read(text, NameStyle::kCamelCase);
  ASSERT_TRUE(record.ok()) << record.error().message();
  EXPECT_TRUE(record->Find("ISBN").has_value());
  EXPECT_EQ(Write(*record, NameStyle::kCamelCase), text);
  EXPECT_FALSE(Read(R"({"ThingId":"t1"})", NameStyle::kCamelCase).ok());

  const Error error =
      WithJsonNames(FieldError({"Stats.ReadCount", "is wrong"}), NameStyle::kCamelCase);
  EXPECT_EQ(error.details()->fields.front().field, "stats.readCount");
}

TEST_F(JsonRecordTest, ReadsValuesOutOfAddresses) {
  const auto back = [](std::string_view text, design::TypeKind kind) {
    const auto value = ValueFromText(text, {.kind = kind});
    return value.ok() ? TextOfValue(value::ValueView(*value)) : "refused";
  };
  EXPECT_EQ(back("0012.50", design::TypeKind::kNumber), "12.5");
  EXPECT_EQ(back("x", design::TypeKind::kInt), "refused");
  EXPECT_EQ(back("true", design::TypeKind::kBool), "true");
  EXPECT_EQ(back("1", design::TypeKind::kBool), "refused");
  EXPECT_EQ(back("-__-", design::TypeKind::kBinary), "-__-");
  EXPECT_EQ(back("a,b", design::TypeKind::kString), "a,b");
  EXPECT_EQ(back("{}", design::TypeKind::kMap), "refused");
  const auto list = ValueFromText(
      "1,2", {.kind = design::TypeKind::kList, .element = {{.kind = design::TypeKind::kInt}}});
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(value::ValueView(*list).count(), 2U);
}

}  // namespace
}  // namespace trestle::platform
