#include "design/exports/exports.h"

#include <gtest/gtest.h>

#include "design/diagram.h"
#include "design/resolve.h"
#include "json/json.h"

namespace trestle::design {
namespace {

constexpr std::string_view kDesign = R"(design Shop version 2
param Stage = "dev"

table "shop-{Stage}" {
  key PK, SK
  discriminate by attribute kind
  timestamps ms
  billing provisioned 7 read 8 write
  pitr on
  encryption kms "alias/{Stage}"
  ttl expiresAt
  stream new_and_old
  lock version
  index GSI1 (GSI1PK, GSI1SK) project include (title)
  index ByPrice (kind, price) project keys
}

entity Shelf {
  type "SHELF"
  key pk "SHELF#{shelfId}" sk "META"
  shelfId : id = uuid() immutable
  name    : string(1..50)
  counts  : map {
    all : int(0..) = 0 derived_count
  }
}

entity Book {
  type "BOOK"
  key pk "SHELF#{shelfId}" sk "BOOK#{order:05}#{title:esc}"
  index GSI1 pk "{state}" sk "{title:esc}" when price > 5 and state <> "SOLD"
  index ByPrice direct
  shelfId   : id key_only
  order     : int(0..99999) immutable
  title     : string(1..100) immutable
  state     : enum("NEW", "SOLD") = "NEW"
  price     : number(0..)
  tags      : set<string>?
  cover     : binary?
  default   : any?
  expiresAt : timestamp?

  belongs_to Shelf by (shelfId) {
    must_exist
    count into counts.all
    on_delete cascade
    through booksOfShelf
  }
}

access getShelf(shelfId) -> Shelf = get
access booksOfShelf(shelfId) -> Book* = query table pk "SHELF#{shelfId}" sk begins "BOOK#"
access booksByState(state) -> Book* = query GSI1 pk "{state}" hydrate
)";

const Model& Shop() {
  static const ResolvedDesign kShop = Compile(kDesign);
  for (const Diagnostic& it : kShop.diagnostics)
    EXPECT_EQ(it.severity, Severity::kWarning) << Print(it, "shop");
  return *kShop.model;
}

void ExpectHolds(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    EXPECT_NE(text.find(part), text.npos) << part << "\nis not in\n" << text;
}

TEST(Exports, CloudFormationKeepsParameters) {
  const auto text = ToCloudFormation(Shop());
  ASSERT_TRUE(text.ok());
  json::Parser parser;
  const auto json = parser.Parse(*text);
  ASSERT_TRUE(json.ok());
  const json::Value root = *json;
  const json::Value table = root["Resources"]["Table"]["Properties"];
  EXPECT_EQ(std::string_view(table["TableName"]["Fn::Sub"]), "shop-${Stage}");
  EXPECT_EQ(std::string_view(root["Parameters"]["Stage"]["Default"]), "dev");
  EXPECT_EQ(std::string_view(root["Parameters"]["BillingMode"]["Default"]), "PROVISIONED");
  EXPECT_EQ(std::string_view(root["Parameters"]["ReadCapacityUnits"]["Default"]), "7");
  EXPECT_EQ(std::string_view(root["Parameters"]["PointInTimeRecovery"]["Default"]), "true");
  EXPECT_EQ(std::string_view(table["SSESpecification"]["KMSMasterKeyId"]["Fn::Sub"]),
            "alias/${Stage}");
  EXPECT_EQ(std::string_view(table["TimeToLiveSpecification"]["AttributeName"]), "expiresAt");
  EXPECT_EQ(std::string_view(table["StreamSpecification"]["StreamViewType"]), "NEW_AND_OLD_IMAGES");
  EXPECT_EQ(std::string_view(table["GlobalSecondaryIndexes"].at(0)["Projection"]["ProjectionType"]),
            "INCLUDE");
  ExpectHolds(*text, {R"("AttributeName": "price",
            "AttributeType": "N")"});
}

TEST(Exports, CdkIsAConstruct) {
  const auto text = ToCdk(Shop());
  ASSERT_TRUE(text.ok());
  ExpectHolds(*text, {"export class ShopTable extends Construct", "readonly Stage?: string;",
                      "const Stage = props.Stage ?? \"dev\";", "tableName: `shop-${Stage}`,",
                      "kms.Alias.fromAliasName(this, \"Key\", `alias/${Stage}`)",
                      "sortKey: { name: \"price\", type: dynamodb.AttributeType.NUMBER },",
                      "nonKeyAttributes: [\"title\"],", "props.pointInTimeRecovery ?? true"});
}

TEST(Exports, TypeScriptHasAnInterfaceForEachKind) {
  ExpectHolds(ToTypeScript(Shop()),
              {"export interface Book {\n  readonly kind: \"BOOK\";\n", "  price: number;\n",
               "  state: \"NEW\" | \"SOLD\";\n", "  tags?: Set<string>;\n",
               "  cover?: Uint8Array;\n", "  counts: {\n    readonly all: number;\n  };\n",
               "export type ShopItem =\n  | Shelf\n  | Book;\n"});
}

TEST(Exports, CppHasAStructForEachKind) {
  ExpectHolds(ToCpp(Shop()),
              {"namespace shop {", "struct Book {\n", "  std::int64_t order{};\n",
               "  std::optional<std::set<std::string>> tags{};\n",
               "  std::optional<trestle::embed::AttributeValue> default_{};\n",
               "  struct Counts {\n    std::int64_t all{};\n  };\n  Counts counts{};\n"});
}

TEST(Exports, WorkbenchComesBackAsADesign) {
  const auto model = ToWorkbench(Shop());
  ASSERT_TRUE(model.ok());
  const auto design = FromWorkbench(*model);
  ASSERT_TRUE(design.ok()) << design.error().message();
  ExpectHolds(*design, {"table \"shop-dev\" {\n  key PK, SK\n",
                        "index GSI1 (GSI1PK, GSI1SK) project include (title)",
                        "key pk \"SHELF#{shelfId}\" sk \"BOOK#{order:05}#{title:esc}\"",
                        "price     : number?", "tags      : set<string>?"});
}

TEST(Exports, ImportsModelsOfOthers) {
  const auto design = FromWorkbench(
      R"({"ModelName":"My model","DataModel":[{"TableName":"T","KeyAttributes":{"PartitionKey":)"
      R"({"AttributeName":"pk","AttributeType":"S"}},"NonKeyAttributes":[{"AttributeName":"a-b",)"
      R"("AttributeType":"S"},{"AttributeName":"age","AttributeType":"N"}],"TableFacets":[)"
      R"({"FacetName":"Big user","KeyAttributeAlias":{"PartitionKeyAlias":"USER#<id>"},)"
      R"("NonKeyAttributes":["a-b","age"]}]}]})");
  ASSERT_TRUE(design.ok()) << design.error().message();
  ExpectHolds(*design, {"design My_model version 1", "entity Big_user {", "key pk \"USER#{id}\"",
                        "// a-b has no plain name and is left out", "age : number?"});
}

TEST(Exports, RefusesWhatIsNoModel) {
  EXPECT_EQ(FromWorkbench("[]").error().message(),
            "This is no data model of NoSQL Workbench: it has no DataModel with a table");
  EXPECT_FALSE(FromWorkbench("{").ok());
  EXPECT_EQ(FromWorkbench(R"({"DataModel":[{},{}]})").error().message(),
            "A design is one table, and this model has 2: keep one of its DataModel");
}

TEST(Diagram, DrawsCardsAndLines) {
  ExpectHolds(DrawDiagram(Shop()),
              {"<svg xmlns", "pk SHELF#{shelfId}</text>", ">Book (BOOK)</text>",
               "sk BOOK#{order:05}#{title:esc}", "price &gt; 5 and state &lt;&gt; &quot;SOLD&quot;",
               "<title>Book belongs to Shelf</title>"});
}

}  // namespace
}  // namespace trestle::design
