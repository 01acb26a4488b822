#include "design/validate.h"

#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "design/resolve.h"
#include "design/testing_internal.h"

namespace trestle::design {
namespace {

using testing::RecordOf;

constexpr std::int64_t kNow = 1'768'471'200'123;  // 2026-01-15T10:00:00.123Z

constexpr std::string_view kDesign = R"(design D version 1
table "t" {
  key PK, SK
  discriminate by key
  timestamps ms
  ttl endsAt
  lock version
}
entity Thing {
  key pk "THING#{owner}" sk "{place}#{id}"
  rekey on (place)
  owner   : id                key_only
  id      : id                = uuid() immutable
  place   : string(1..5)      normalise trim, lower
  code    : string?           pattern /^[A-Z]+$/
  mail    : email?
  link    : url?
  blob    : binary(2..3)?
  names   : set<string>(1..2)?
  days    : list<date>(0..2)  = []
  kind    : int               const 7
  label   : string            computed "{place}-{kind}"
  at      : timestamp         = now()
  due     : moment?
  endsAt  : timestamp?
  size    : number(0.5..)?
  unit    : string?           required_when size absent_unless size
  hits    : int(0..)          = 0 counter
  total   : int(0..)          = 0 derived_count
  touched : timestamp         = now() on_update now()
  inner   : map {
    level : enum("LOW", "HIGH") = "LOW"
    note  : string(0..3)?
    count : int = 0 counter
  }
  need    : map {
    must : string
  }?
}
)";

class ValidateTest : public ::testing::Test {
 protected:
  ValidateTest() {
    const auto parsed = syntax::ParseDesign(kDesign);
    EXPECT_TRUE(parsed.diagnostics.empty());
    model_ = Resolve(parsed.design).model;
    validator_ = std::make_unique<Validator>(*model_);
  }

  const Entity& thing() { return *model_->FindEntity("Thing"); }
  ValueSources Sources() { return {.now_unix_ms = kNow, .identifiers = &identifiers_}; }

  // "field: message (code)" of each failure, or nothing.
  static std::map<std::string, std::string> Failures(const Result<Record>& result) {
    std::map<std::string, std::string> failures;
    if (result.ok()) return failures;
    EXPECT_EQ(result.error().code(), ErrorCode::kValidation);
    for (const FieldFailure& failure : result.error().details()->fields)
      failures.emplace(failure.field, failure.message + " (" + failure.code + ")");
    return failures;
  }

  Result<Record> Create(std::string_view attributes) {
    return validator_->ForCreate(thing(), RecordOf(attributes), Sources());
  }

  Record Old() {
    auto old = Create(R"({owner: "o", id: "i", place: "here"})");
    EXPECT_TRUE(old.ok());
    return *old;
  }

  Result<Record> Update(const Changes& changes, bool is_maintenance = false) {
    ValueSources later = Sources();
    later.now_unix_ms += 1000;
    return validator_->ForUpdate(thing(), Old(), changes, later, is_maintenance);
  }

  static Changes Set(std::string_view path, std::string_view value) {
    const value::Item item = expr::testing::ItemOf("{v: " + std::string(value) + "}");
    Changes changes;
    changes.set.push_back({PathOf(path), std::string(item.Find("v")->bytes())});
    return changes;
  }

  static Path PathOf(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == text.npos) return Path{{}, {std::string(text)}};
    return Path{{}, {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))}};
  }

  Random random_{1};
  Identifiers identifiers_{random_};
  std::unique_ptr<const Model> model_;
  std::unique_ptr<Validator> validator_;
};

using Expected = std::map<std::string, std::string>;

TEST_F(ValidateTest, FillsInWhatIsNotGiven) {
  const auto created = Create(R"({owner: "o", place: "  HERE ", names: ["b", "a"],
                                  endsAt: "2026-01-15T10:00:00Z", due: "2026-01-20",
                                  inner: {note: "x"}})");
  ASSERT_TRUE(created.ok()) << created.error().message();
  EXPECT_EQ(created->FindText("id")->size(), 36U);
  EXPECT_EQ(created->FindText("place"), "here");
  EXPECT_EQ(created->FindText("label"), "here-7");
  EXPECT_EQ(created->FindText("at"), "2026-01-15T10:00:00.123Z");
  EXPECT_EQ(created->Find("names")->type(), value::Type::kSs);
  EXPECT_EQ(created->Find("endsAt")->type(), value::Type::kN);
  EXPECT_EQ(created->Find("inner")->Find("level")->text(), "LOW");
  EXPECT_FALSE(created->Find("need"));
  EXPECT_TRUE(created->Find("total"));
}

TEST_F(ValidateTest, SaysEverythingThatIsWrong) {
  EXPECT_EQ(
      Failures(Create(R"({owner: "a#b", place: "toolong", code: "abc", mail: "a@b", link: "ftp://x",
                          blob: b"x", names: ["a", "a"], days: ["2026-01-15", "x"], kind: 8,
                          label: "x", at: "now", due: 5, size: 0.25, total: 1, other: 1,
                          unit: 5, inner: {level: "MID", note: "long", more: 1}, need: {}})")),
      (Expected{
          {"at", "must be a date with a time, such as 2026-01-15T10:30:00.000Z (format)"},
          {"blob", "must have 2 to 3 bytes (range)"},
          {"code", "must match ^[A-Z]+$ (pattern)"},
          {"days[1]", "must be a date, such as 2026-01-15 (format)"},
          {"due",
           "must be a date, such as 2026-01-15, or one with a time, such as "
           "2026-01-15T10:30:00.000Z (format)"},
          {"inner.level", "must be one of LOW, HIGH (enum)"},
          {"inner.more", "is not known here (unknown-field)"},
          {"inner.note", "must have at most 3 characters (range)"},
          {"kind", "is fixed (immutable)"},
          {"label", "follows from other attributes and cannot be set (read-only)"},
          {"link", "must be a web address that begins with https:// or http:// (format)"},
          {"mail", "must be an e-mail address (format)"},
          {"names", "must be a set: different values of one kind, at least one (type)"},
          {"need.must", "is required (required)"},
          {"other", "is no attribute of Thing (unknown-field)"},
          {"owner", "must be an id: 1 to 64 bytes, without # and control characters (format)"},
          {"place", "must have 1 to 5 characters (range)"},
          {"size", "must be at least 0.5 (range)"},
          {"total", "follows from other items and cannot be set (read-only)"},
          {"unit", "must be a text (type)"}}));
  EXPECT_EQ(Failures(Create(R"({place: "here", size: 1})")),
            (Expected{{"owner", "is required (required)"},
                      {"unit", "is required when size is given (required)"}}));
  EXPECT_EQ(Failures(Create(R"({owner: "o", place: "here", unit: "m"})")),
            (Expected{{"unit", "must be left out unless size is given (not-allowed)"}}));
}

TEST_F(ValidateTest, RulesOfCallersComeTogetherWithThoseOfTheDesign) {
  const FieldRules rules = [](const Record& /*now*/, const Record& /*next*/,
                              std::vector<FieldFailure>& failures) {
    for (const std::string_view field : {"names[0]", "names[1]", "place"})
      failures.push_back({.field = std::string(field), .message = "no", .code = "mine"});
  };
  // What the design has refused already is left at that.
  EXPECT_EQ(Failures(validator_->ForCreate(
                thing(), RecordOf(R"({owner: "a#b", place: "toolong", names: ["a"]})"), Sources(),
                rules)),
            (Expected{{"owner",
                       "must be an id: 1 to 64 bytes, without # and control characters (format)"},
                      {"place", "must have 1 to 5 characters (range)"},
                      {"names[0]", "no (mine)"},
                      {"names[1]", "no (mine)"}}));
  EXPECT_EQ(
      Failures(validator_->ForUpdate(thing(), Old(), Set("names", "5"), Sources(), false, rules)),
      (Expected{{"names", "must be a set: different values of one kind, at least one (type)"},
                {"place", "no (mine)"}}));
}

TEST_F(ValidateTest, CountsCharactersNotBytes) {
  EXPECT_TRUE(Create(R"({owner: "o", place: "ééééé"})").ok());
  EXPECT_FALSE(Create(R"({owner: "o", place: "éééééé"})").ok());
}

TEST_F(ValidateTest, ChangesWhatMayChange) {
  const auto moved = Update(Set("place", R"("There")"));
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->FindText("label"), "there-7");
  EXPECT_EQ(moved->FindText("touched"), "2026-01-15T10:00:01.123Z");
  const auto inner = Update(Set("inner.note", R"("x")"));
  ASSERT_TRUE(inner.ok());
  EXPECT_EQ(inner->Find("inner")->Find("level")->text(), "LOW");
  EXPECT_TRUE(Update(Set("id", R"("i")")).ok());  // it is what it was
  Changes remove;
  remove.remove = {PathOf("code"), PathOf("inner.note")};
  EXPECT_TRUE(Update(remove).ok());
}

TEST_F(ValidateTest, RefusesToChangeTheRest) {
  EXPECT_EQ(Failures(Update(Set("id", R"("j")"))),
            (Expected{{"id", "cannot be changed (immutable)"}}));
  EXPECT_EQ(Failures(Update(Set("owner", R"("p")"))),
            (Expected{{"owner", "cannot be changed (immutable)"}}));
  EXPECT_EQ(Failures(Update(Set("hits", "5"))),
            (Expected{{"hits", "cannot be changed (immutable)"}}));
  EXPECT_EQ(Failures(Update(Set("kind", "8"))),
            (Expected{{"kind", "cannot be changed (immutable)"}}));
  EXPECT_EQ(Failures(Update(Set("total", "5"))),
            (Expected{{"total", "follows from other items and cannot be set (read-only)"}}));
  EXPECT_EQ(Failures(Update(Set("place", "null"))),
            (Expected{{"place", "is required (required)"}}));
  EXPECT_EQ(Failures(Update(Set("inner.level", "null"))),
            (Expected{{"inner.level", "is required (required)"}}));
  EXPECT_EQ(Failures(Update(Set("size", "2"))),
            (Expected{{"unit", "is required when size is given (required)"}}));
  EXPECT_TRUE(Update(Set("total", "5"), true).ok());
}

TEST_F(ValidateTest, ListsGrowAndShrink) {
  Changes changes;
  changes.append = {{PathOf("days"), EncodeText("2026-01-15")},
                    {PathOf("days"), EncodeText("2026-01-16")}};
  changes.drop = {{PathOf("days"), EncodeText("2026-01-15")},
                  {PathOf("days"), EncodeText("2026-01-17")}};
  const auto next = Update(changes);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(next->Find("days")->count(), 2U) << "what goes, goes before what comes";
  changes.drop.clear();
  changes.append.push_back({PathOf("days"), EncodeText("2026-01-17")});
  EXPECT_EQ(Failures(Update(changes)),
            (Expected{{"days", "must have at most 2 elements (range)"}}));
}

TEST_F(ValidateTest, CountingIsNoEdit) {
  Changes changes;
  changes.increment = {{PathOf("hits"), EncodeInteger(3)},
                       {PathOf("inner.count"), EncodeInteger(2)}};
  const auto next = Update(changes);
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(ChangesOnlyCounters(thing(), Old(), *next));
  EXPECT_EQ(next->FindText("touched"), Old().FindText("touched"));
  changes.increment = {{PathOf("hits"), EncodeInteger(-1)}};
  EXPECT_EQ(Failures(Update(changes)), (Expected{{"hits", "must be at least 0 (range)"}}));
}

TEST_F(ValidateTest, LetsBeWhatWasWrongBefore) {
  Record raw = RecordOf(R"({owner: "o", id: "i", place: "much too long", size: 0.1})");
  Changes changes = Set("mail", R"("a@b.org")");
  EXPECT_TRUE(validator_->ForUpdate(thing(), raw, changes, Sources(), false).ok());
}

}  // namespace
}  // namespace trestle::design
