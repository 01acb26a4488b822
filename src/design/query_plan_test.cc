#include "design/query_plan.h"

#include <gtest/gtest.h>

#include "design/arguments.h"
#include "design/condition.h"
#include "design/explain.h"
#include "design/resolve.h"
#include "design/syntax/parser.h"
#include "design/testing_internal.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using testing::RecordOf;

constexpr std::string_view kDesign = R"(
design D version 1

table "T" {
  key pk, sk
  discriminate by attribute kind
  timestamps ms
  index GSI1 (gsi1pk, gsi1sk) project all
  index GSI2 (owner, weight) project keys
}

entity Book {
  type "BOOK"
  key pk "USER#{user}" sk "BOOK#{id}"
  index GSI1 pk "USER#{user}" sk "STATUS#{status}#{at}"
  index GSI2 direct

  user   : id
  id     : id
  email  : email? normalise lower
  owner  : id
  weight : int(0..999)
  status : enum("NEW", "READ") = "NEW"
  at     : timestamp
  note   : string?
}

entity Shelf {
  type "SHELF"
  key pk "USER#{user}" sk "BOOK#{id}#SHELF"
  user : id
  id   : id
}

access all(user) -> Book*, Shelf* = query table pk "USER#{user}"
access one(user, id) -> Book = query table pk "USER#{user}" sk "BOOK#{id}" consistent
access begins(user) -> Book* = query table pk "USER#{user}" sk begins "BOOK#" only Book
access before(user, id) -> Book* = query table pk "USER#{user}" sk before "BOOK#{id}" within "BOOK#"
access below(user, id) -> Book* = query table pk "USER#{user}" sk before "BOOK#{id}"
access after(user, id) -> Book* = query table pk "USER#{user}" sk after "BOOK#{id}" within "BOOK#"
access between(user, from: id, to: id) -> Book* =
  query table pk "USER#{user}" sk between "BOOK#{from}" and "BOOK#{to}" order desc
access halfOpen(user, from: id, to: id) -> Book* =
  query table pk "USER#{user}" sk from "BOOK#{from}" before "BOOK#{to}"
access byUpdate(user) -> Book* =
  query GSI1 pk "USER#{user}" sk begins "STATUS#{status}#" merge status order either
access light(owner, most: int) -> Book* = query GSI2 pk "{owner}" sk before "{most}" hydrate
access noted(user, note) -> Book* = query table pk "USER#{user}" filter note = note
access inState(user, status) -> Book* = query table pk "USER#{user}" filter status = status
access byEmail(user, email) -> Book* = query table pk "USER#{user}" filter email = email
access get(user, id) -> Book = get
)";

class QueryPlanTest : public ::testing::Test {
 protected:
  QueryPlanTest() {
    const syntax::ParsedDesign parsed = syntax::ParseDesign(kDesign);
    EXPECT_TRUE(parsed.diagnostics.empty());
    resolved_ = Resolve(parsed.design);
    for (const Diagnostic& diagnostic : resolved_.diagnostics)
      ADD_FAILURE() << Print(diagnostic, "test");
  }

  const Access& Find(std::string_view name) const { return *resolved_.model->FindAccess(name); }

  // "key condition | filter", with what stands for the aliases, for each read.
  std::vector<std::string> Plan(std::string_view name, std::string_view arguments) const {
    const Access& access = Find(name);
    const auto checked = CheckArguments(*resolved_.model, access, RecordOf(arguments));
    if (!checked.ok()) return {checked.error().message()};
    const auto plan = PlanQuery(*resolved_.model, access, std::get<Query>(access.action),
                                {.table = "T", .arguments = *checked});
    if (!plan.ok()) return {plan.error().message()};
    std::vector<std::string> texts;
    for (const PlannedRead& read : *plan) {
      ExpressionNames expressions = read.page.expressions;
      std::string text = KeyConditionText(expressions, read.page.key_condition);
      text = Spell(std::move(text), expressions);
      if (!read.page.filter.empty()) text += " | " + Spell(read.page.filter, expressions);
      texts.push_back(std::move(text));
    }
    return texts;
  }

  static std::string Spell(std::string text, const ExpressionNames& expressions) {
    const auto replace = [&](const std::string& alias, const std::string& by) {
      for (auto at = text.find(alias); at != text.npos; at = text.find(alias, at + by.size()))
        text.replace(at, alias.size(), by);
    };
    for (const auto& [alias, name] : expressions.names)
      replace(alias, name);
    for (const auto& [alias, encoded] : expressions.values) {
      const value::ValueView value(encoded);
      replace(alias, value.type() == value::Type::kN ? value::NumberText(value.number())
                                                     : "'" + std::string(value.text()) + "'");
    }
    return text;
  }

  ResolvedDesign resolved_;
};

using Texts = std::vector<std::string>;

TEST_F(QueryPlanTest, RangesOfSortKeys) {
  EXPECT_EQ(Plan("all", R"({user: "u"})"), Texts{"pk = 'USER#u'"});
  EXPECT_EQ(Plan("one", R"({user: "u", id: "b"})"), Texts{"pk = 'USER#u' AND sk = 'BOOK#b'"});
  EXPECT_EQ(Plan("below", R"({user: "u", id: "b"})"), Texts{"pk = 'USER#u' AND sk < 'BOOK#b'"});
  EXPECT_EQ(Plan("before", R"({user: "u", id: "b"})"),
            Texts{"pk = 'USER#u' AND sk BETWEEN 'BOOK#' AND 'BOOK#b'"});
  EXPECT_EQ(Plan("after", R"({user: "u", id: "b"})"),
            Texts{"pk = 'USER#u' AND sk BETWEEN 'BOOK#b' AND 'BOOK$'"});
  EXPECT_EQ(Plan("between", R"({user: "u", from: "a", to: "b"})"),
            Texts{"pk = 'USER#u' AND sk BETWEEN 'BOOK#a' AND 'BOOK#c'"});
  EXPECT_EQ(Plan("halfOpen", R"({user: "u", from: "a", to: "b"})"),
            Texts{"pk = 'USER#u' AND sk BETWEEN 'BOOK#a' AND 'BOOK#b'"});
  EXPECT_EQ(Plan("halfOpen", R"({user: "u", from: "b", to: "a"})"), Texts{}) << "nothing is in it";
  EXPECT_EQ(Plan("light", R"({owner: "o", most: 5})"), Texts{"owner = 'o' AND weight < 5"});
}

// BETWEEN includes both ends; the end that is none is left out after reading.
TEST_F(QueryPlanTest, NamesTheEndThatIsNotInIt) {
  const Access& access = Find("between");
  const auto plan =
      PlanQuery(*resolved_.model, access, std::get<Query>(access.action),
                {.table = "T", .arguments = RecordOf(R"({user: "u", from: "a", to: "b"})")});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(value::ValueView(plan->front().excluded_sort_key).text(), "BOOK#c");
}

TEST_F(QueryPlanTest, OnlyIsAFilterOnTheTag) {
  EXPECT_EQ(Plan("begins", R"({user: "u"})"),
            Texts{"pk = 'USER#u' AND begins_with(sk, 'BOOK#') | kind IN ('BOOK')"});
}

TEST_F(QueryPlanTest, MergesOneReadPerValue) {
  EXPECT_EQ(Plan("byUpdate", R"({user: "u"})"),
            (Texts{"gsi1pk = 'USER#u' AND begins_with(gsi1sk, 'STATUS#NEW#')",
                   "gsi1pk = 'USER#u' AND begins_with(gsi1sk, 'STATUS#READ#')"}));
}

// An item may lack what has a default, and is read as if it had it: only the run time can tell.
TEST_F(QueryPlanTest, TheBackEndFiltersWhatIsStoredAsItIsRead) {
  EXPECT_EQ(Plan("noted", R"({user: "u", note: "x"})"), Texts{"pk = 'USER#u' | note = 'x'"});
  EXPECT_EQ(Plan("inState", R"({user: "u", status: "READ"})"), Texts{"pk = 'USER#u'"});
}

TEST_F(QueryPlanTest, ArgumentsAreCheckedAndNormalised) {
  EXPECT_EQ(Plan("byEmail", R"({user: "u", email: "Ali@Test.com"})"),
            Texts{"pk = 'USER#u' | email = 'ali@test.com'"});
  EXPECT_EQ(Plan("all", R"({user: "u#BOOK"})"),
            Texts{"user must be an id: 1 to 64 bytes without # and control characters"});
  EXPECT_EQ(Plan("inState", R"({user: "u", status: "OLD"})"),
            Texts{"status must be one of NEW, READ"});

  const auto failed =
      CheckArguments(*resolved_.model, Find("one"), RecordOf(R"({id: 5, other: "x"})"));
  ASSERT_FALSE(failed.ok());
  ASSERT_NE(failed.error().details(), nullptr);
  std::vector<std::string> fields;
  for (const FieldFailure& failure : failed.error().details()->fields)
    fields.push_back(failure.field + " " + failure.message);
  EXPECT_EQ(fields,
            (Texts{"user is missing", "id must be a text", "other is no parameter of one"}));
}

TEST(EndOfPrefix, IsTheNextTextThatBeginsOtherwise) {
  EXPECT_EQ(EndOfPrefix("NOTE#"), "NOTE$");
  EXPECT_EQ(EndOfPrefix("a\u007f"), "a\u0080");
  EXPECT_EQ(EndOfPrefix("\ud7ff"), "\ue000");
  EXPECT_EQ(EndOfPrefix("a\U0010ffff"), "b");
}

TEST_F(QueryPlanTest, ExplainShowsRequestsAndCommands) {
  const auto explained = Explain(*resolved_.model, Find("before"), "T", RecordOf(R"({id: "b"})"));
  ASSERT_TRUE(explained.ok());
  ASSERT_EQ(explained->requests.size(), 1U);
  EXPECT_EQ(explained->requests[0].operation, "Query");
  EXPECT_EQ(explained->requests[0].json, R"({
  "TableName": "T",
  "KeyConditionExpression": "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2",
  "ExpressionAttributeNames": {"#n0":"pk","#n1":"sk"},
  "ExpressionAttributeValues": {":v0":{"S":"USER#<user>"},":v1":{"S":"BOOK#"},":v2":{"S":"BOOK#b"}}
})");
  EXPECT_EQ(explained->requests[0].command,
            R"(aws dynamodb query \
  --table-name 'T' \
  --key-condition-expression '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2' \
  --expression-attribute-names '{"#n0":"pk","#n1":"sk"}' \
  --expression-attribute-values ')"
            R"({":v0":{"S":"USER#<user>"},":v1":{"S":"BOOK#"},":v2":{"S":"BOOK#b"}}')");
}

TEST_F(QueryPlanTest, ExplainShowsEveryRequestOfAnAccess) {
  const auto light = Explain(*resolved_.model, Find("light"), "T", {});
  ASSERT_TRUE(light.ok());
  ASSERT_EQ(light->requests.size(), 2U);
  EXPECT_EQ(light->requests[1].operation, "BatchGetItem");
  const auto get = Explain(*resolved_.model, Find("get"), "T", {});
  ASSERT_TRUE(get.ok());
  EXPECT_EQ(get->requests[0].json, R"({
  "TableName": "T",
  "Key": {"pk":{"S":"USER#<user>"},"sk":{"S":"BOOK#<id>"}}
})");
}

}  // namespace
}  // namespace trestle::design
