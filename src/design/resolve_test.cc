#include "design/resolve.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "design/syntax/parser.h"

namespace trestle::design {
namespace {

constexpr std::string_view kShop = R"(design Shop version 3
tenant shopId
param Stage = "dev"

table "shop-{Stage}" {
  key PK, SK
  discriminate by attribute kind
  timestamps s
  ttl expiresAt
  stream new_and_old
  lock version
  index GSI1 (GSI1PK, GSI1SK) project all
  index ByKind (kind, createdAt) project keys
}

shape Dated {
  index ByKind direct
  createdAt : timestamp(ms) = now() immutable
}

entity Product uses Dated {
  type "PRODUCT"
  key pk "SHOP#{shopId}" sk "PRODUCT#{id}"
  shopId : id immutable
  id     : id = uuid() immutable
  price  : number(0..1000.5)
  rating : number? derived_average
}

entity Service {
  type "SERVICE"
  key pk "SHOP#{shopId}" sk "PRODUCT#{id}"
  shopId : id immutable
  id     : id = uuid() immutable
  rating : number? derived_average
}

group Offer = Product, Service

entity Review {
  type "REVIEW"
  key pk "SHOP#{shopId}" sk "REVIEW#{id}#{author}"
  index GSI1 pk "AUTHOR#{author}" sk "{mark:02}" when mark
  shopId    : id key_only
  id        : id key_only
  author    : id key_only
  mark      : int(1..10)?
  note      : string?
  expiresAt : timestamp = now() + 9 days
  belongs_to Offer by (shopId, id) {
    must_exist
    average mark into rating
    on_delete cascade
    through reviews
  }
}

access reviews(shopId, id) -> Review* = query table pk "SHOP#{shopId}" sk begins "REVIEW#{id}#"
access getOffer(shopId, id) -> Offer = get
access review(shopId, id, author, mark, note) -> Review = create

operation judge(shopId, offer, who: id, mark, remark) {
  check Offer(shopId, offer) where rating absent
  upsert Review { shopId, id = offer, author = who, mark, note = remark }
}
)";

std::string Printed(std::string_view text) {
  std::string lines;
  for (const Diagnostic& diagnostic : Resolve(syntax::ParseDesign(text).design).diagnostics)
    lines += Print(diagnostic, "shop") + "\n";
  return lines;
}

class Shop : public testing::Test {
 protected:
  Shop() : resolved_(Compile(kShop)) {}

  void SetUp() override { ASSERT_NE(resolved_.model, nullptr) << Printed(kShop); }

  const Model& model() const { return *resolved_.model; }

 private:
  ResolvedDesign resolved_;
};

TEST_F(Shop, TableAndTypes) {
  EXPECT_EQ(model().name, "Shop");
  EXPECT_EQ(model().version, 3);
  EXPECT_EQ(model().table.lock, "version");
  const Entity& product = *model().FindEntity("Product");
  EXPECT_EQ(product.FindAttribute("price")->type.max, *value::Number::Parse("1000.5"));
  EXPECT_EQ(product.FindAttribute("createdAt")->type.precision, syntax::Precision::kMilliseconds);
  const Attribute& expiry = *model().FindEntity("Review")->FindAttribute("expiresAt");
  EXPECT_TRUE(expiry.type.is_epoch_seconds);
  EXPECT_EQ(expiry.type.precision, syntax::Precision::kSeconds);
}

TEST_F(Shop, ShapesAreSpread) {
  const Entity& product = *model().FindEntity("Product");
  ASSERT_EQ(product.indexes.size(), 1U);
  EXPECT_TRUE(product.indexes.front().is_direct);
  EXPECT_EQ(product.indexes.front().key.partition_key.Attributes(),
            std::vector<std::string>{"kind"});
  EXPECT_EQ(product.indexes.front().key.sort_key->Attributes(),
            std::vector<std::string>{"createdAt"});
}

TEST_F(Shop, IdentityIsEveryKeyPart) {
  EXPECT_EQ(model().FindEntity("Review")->identity,
            (std::vector<std::string>{"shopId", "id", "author"}));
}

TEST_F(Shop, RelationsKnowBothSides) {
  const Entity& review = *model().FindEntity("Review");
  const Entity& service = *model().FindEntity("Service");
  const Relation& relation = review.relations.front();
  EXPECT_EQ(relation.parents.size(), 2U);
  EXPECT_EQ(relation.through, model().FindAccess("reviews"));
  ASSERT_EQ(service.child_relations.size(), 1U);
  EXPECT_EQ(service.child_relations.front(), &relation);
}

TEST_F(Shop, AveragesHaveTheirParts) {
  for (const std::string_view name : {"Product", "Service"}) {
    const Entity& entity = *model().FindEntity(name);
    ASSERT_NE(entity.FindAttribute("ratingSum"), nullptr);
    EXPECT_EQ(entity.FindAttribute("ratingSum")->derived, Derived::kSum);
    EXPECT_EQ(entity.FindAttribute("ratingCount")->derived, Derived::kCount);
  }
}

TEST_F(Shop, ParametersHaveTheTypesOfTheirUse) {
  const Access& create = *model().FindAccess("review");
  EXPECT_EQ(create.parameters[3].type.kind, TypeKind::kInt);
  EXPECT_TRUE(create.parameters[4].is_optional);
  EXPECT_FALSE(create.parameters[0].is_optional);
  const Operation& judge = *model().FindOperation("judge");
  EXPECT_EQ(judge.parameters[1].type.kind, TypeKind::kId);
  EXPECT_EQ(judge.parameters[3].type.kind, TypeKind::kInt);
  EXPECT_TRUE(judge.parameters[4].is_optional);
  EXPECT_EQ(judge.steps.front().entities.size(), 2U);
}

struct WrongCase {
  std::string_view from;  // in the shop
  std::string_view to;
  std::string_view said;
};

class Wrong : public testing::TestWithParam<WrongCase> {};

TEST_P(Wrong, IsReportedAtItsPlace) {
  std::string text(kShop);
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, text.npos);
  text.replace(at, GetParam().from.size(), GetParam().to);
  const std::string said = Printed(text);
  EXPECT_EQ(said.substr(0, said.find('\n')), GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(
    Resolve, Wrong,
    testing::Values(
        WrongCase{"tenant shopId", "tenant shopID",
                  "shop:2:8: error N1: `shopID` is not an attribute of any entity; did you mean "
                  "`shopId`?"},
        WrongCase{
            "{Stage}", "{Stag}",
            "shop:5:14: error K1: `Stag` is not a param of the design; did you mean `Stage`?"},
        WrongCase{"SHOP#{shopId}\" sk \"REVIEW", "SHOP#{shpId}\" sk \"REVIEW",
                  "shop:42:17: error K1: `shpId` is not an attribute of Review; did you mean "
                  "`shopId`?"},
        WrongCase{"index GSI1 pk", "index GSI2 pk",
                  "shop:43:9: error N1: `GSI2` is not an index of the table; did you mean `GSI1`?"},
        WrongCase{"uses Dated", "uses Datet",
                  "shop:21:21: error N1: `Datet` is not a shape; did you mean `Dated`?"},
        WrongCase{"Product, Service", "Product, Servis",
                  "shop:38:24: error N1: `Servis` is not an entity or a group; did you mean "
                  "`Service`?"},
        WrongCase{"entity Service", "entity Product",
                  "shop:30:8: error N2: `Product` is declared a second time"},
        WrongCase{"lock version", "lock price",
                  "shop:26:3: error N3: `price` is the table's lock, which every item has"},
        WrongCase{"type \"SERVICE\"", "type \"PRODUCT\"",
                  "shop:30:8: error N2: Product and Service have the same type \"PRODUCT\""},
        WrongCase{
            "(shopId, id) {", "(shopId) {",
            "shop:50:24: error N4: an item of Offer is found by `id`, which this relation does not "
            "give"},
        WrongCase{"through reviews", "through reviewz",
                  "shop:54:13: error N1: `reviewz` is not an access; did you mean `reviews`?"},
        WrongCase{"int(1..10)?", "int(10..1)?",
                  "shop:47:19: error N5: the range begins at 10 and ends at 1, so nothing is in "
                  "it"},
        WrongCase{"begins \"REVIEW#{id}#\"", "begins \"REVIEW#{ident}#\"",
                  "shop:58:91: error K1: `ident` is not a parameter of reviews"},
        WrongCase{"Offer(shopId, offer)", "Offer(shopId)",
                  "shop:63:9: error N3: Offer is named by 2 values, not 1"},
        WrongCase{"note = remark", "nota = remark",
                  "shop:64:59: error N1: `nota` is not an attribute of Review; did you mean "
                  "`note`?"},
        WrongCase{"rating absent", "rating = \"high\"",
                  "shop:63:45: error N5: a text is not of its type"}));

}  // namespace
}  // namespace trestle::design
