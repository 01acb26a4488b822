#include "design/recognise.h"

#include <gtest/gtest.h>

#include "design/syntax/template_text.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

KeyTemplate Template(std::string_view text) {
  Diagnostics diagnostics;
  auto parsed = syntax::ParseTemplate(text, Position{}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return {std::move(parsed), "#"};
}

KeyForm Key(std::string_view partition_key, std::string_view sort_key) {
  return {.position = {},
          .partition_key = Template(partition_key),
          .sort_key = Template(sort_key),
          .when = std::nullopt};
}

Attribute& Add(std::vector<Attribute>& attributes, std::string name, TypeKind kind) {
  Attribute& attribute = attributes.emplace_back();
  attribute.name = std::move(name);
  attribute.type.kind = kind;
  return attribute;
}

syntax::Value Zero() { return {.position = {}, .is = syntax::Number{{}, "0"}}; }

std::string NumberValue(std::int64_t number) {
  std::string value;
  value::AppendNumber(value, value::Number::FromInteger(number));
  return value;
}

// Users with notes that have a key with a deadline, and one without; a mirror that is all key.
class RecogniseTest : public testing::Test {
 protected:
  RecogniseTest() {
    model_.table.partition_key = "PK";
    model_.table.sort_key = "SK";
    model_.table.lock = "version";

    Entity& user = model_.entities.emplace_back();
    user.name = "User";
    user.tag = "USER";
    user.keys.push_back(Key("USER#{email}", "PROFILE"));
    Add(user.attributes, "email", TypeKind::kEmail);
    Add(user.attributes, "name", TypeKind::kString).was = "fullName";
    Add(user.attributes, "createdAt", TypeKind::kTimestamp);
    Attribute& counts = Add(user.attributes, "counts", TypeKind::kMap);
    Add(counts.type.members, "open", TypeKind::kInt).default_value = Zero();
    Add(counts.type.members, "done", TypeKind::kInt).default_value = Zero();
    Add(user.attributes, "rating", TypeKind::kNumber).derived = Derived::kAverage;
    user.attributes.back().is_optional = true;
    Add(user.attributes, "ratingSum", TypeKind::kInt).default_value = Zero();
    Add(user.attributes, "ratingCount", TypeKind::kInt).default_value = Zero();

    Entity& note = model_.entities.emplace_back();
    note.name = "Note";
    note.tag = "NOTE";
    note.keys.push_back(Key("USER#{email}", "NOTE#{deadline}#{id}"));
    note.keys.push_back(Key("USER#{email}", "NOTE#NONE#{id}"));
    Add(note.attributes, "email", TypeKind::kEmail).is_key_only = true;
    Add(note.attributes, "id", TypeKind::kId);
    Add(note.attributes, "deadline", TypeKind::kMoment).is_optional = true;

    Mirror& mirror = model_.mirrors.emplace_back();
    mirror.name = "Place";
    mirror.tag = "PLACE";
    mirror.keys.push_back(Key("PLACE#{deadline:day}", "{id}#{email}"));
    mirror.of = &note;
    for (Entity& entity : model_.entities)
      entity.IndexAttributes();
  }

  [[nodiscard]] std::optional<TypedItem> Read(Record item, std::string_view partition_key,
                                              std::string_view sort_key) const {
    item.SetText("PK", partition_key);
    item.SetText("SK", sort_key);
    return Recognise(model_, item.ToItem().view());
  }

  Model model_;
};

TEST_F(RecogniseTest, TellsItemsApartByTheirKeys) {
  const auto user = Read({}, "USER#a@b.c", "PROFILE");
  ASSERT_TRUE(user);
  EXPECT_EQ(user->kind.entity, &model_.entities[0]);
  EXPECT_EQ(user->record.FindText("email"), "a@b.c");
  EXPECT_FALSE(user->record.Find("PK"));

  const auto dated = Read({}, "USER#a@b.c", "NOTE#2026-01-20#n1");
  ASSERT_TRUE(dated);
  EXPECT_EQ(dated->kind.entity, &model_.entities[1]);
  EXPECT_EQ(dated->record.FindText("deadline"), "2026-01-20");

  const auto undated = Read({}, "USER#a@b.c", "NOTE#NONE#n1");
  ASSERT_TRUE(undated);
  EXPECT_EQ(undated->record.FindText("id"), "n1");
  EXPECT_FALSE(undated->record.Find("deadline"));
}

TEST_F(RecogniseTest, AMirrorSaysWhatItsKeySays) {
  const auto place = Read({}, "PLACE#2026-01-20", "n1#a@b.c");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->kind.mirror, &model_.mirrors.front());
  EXPECT_EQ(place->record.FindText("email"), "a@b.c");
  EXPECT_FALSE(place->record.Find("deadline")) << "a day is not the whole moment";
}

TEST_F(RecogniseTest, KnowsNothingElse) {
  EXPECT_FALSE(Read({}, "USER#a@b.c", "OTHER"));
  EXPECT_FALSE(Read({}, "USER#a@b.c", "NOTE#2026-01-20#n#1")) << "an id holds no separator";
  EXPECT_FALSE(Read({}, "~trestle#job#1", "~"));
}

TEST_F(RecogniseTest, TagsGoBeforeKeys) {
  model_.table.discriminator = "kind";
  Record item;
  item.SetText("kind", "NOTE");
  const auto note = Read(item, "USER#a@b.c", "PROFILE");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->kind.entity, &model_.entities[1]);
  item.SetText("kind", "OTHER");
  EXPECT_FALSE(Read(item, "USER#a@b.c", "PROFILE"));
}

TEST_F(RecogniseTest, ReadsOldAndRawItems) {
  Record item;
  item.SetText("fullName", "Ada");
  item.SetText("createdAt", "2026-01-15T10:30:00Z");
  item.SetText("unknown", "x");
  item.Set("version", NumberValue(3));
  const auto user = Read(item, "USER#a@b.c", "PROFILE");
  ASSERT_TRUE(user);
  EXPECT_EQ(user->record.FindText("name"), "Ada");
  EXPECT_EQ(user->record.FindText("createdAt"), "2026-01-15T10:30:00.000Z");
  EXPECT_EQ(user->record.Find(Path{{}, {"counts", "done"}})->bytes(), NumberValue(0));
  EXPECT_FALSE(user->record.Find("unknown"));
  EXPECT_FALSE(user->record.Find("version"));
  EXPECT_EQ(user->version, 3);
  EXPECT_FALSE(user->record.Find("rating"));
}

TEST_F(RecogniseTest, AveragesAreComputed) {
  Record item;
  item.Set("rating", NumberValue(1));  // what the stream has not mended yet
  item.Set("ratingSum", NumberValue(22));
  item.Set("ratingCount", NumberValue(3));
  const auto user = Read(item, "USER#a@b.c", "PROFILE");
  ASSERT_TRUE(user);
  EXPECT_EQ(value::NumberText(user->record.Find("rating")->number()), "7.3333");

  item.Set("ratingCount", NumberValue(0));
  EXPECT_FALSE(Read(item, "USER#a@b.c", "PROFILE")->record.Find("rating"));
}

TEST_F(RecogniseTest, KeyOnlyAttributesAreTheKeys) {
  Record item;
  item.SetText("email", "x@y.z");
  EXPECT_EQ(Read(item, "USER#a@b.c", "NOTE#NONE#n1")->record.FindText("email"), "a@b.c");
}

}  // namespace
}  // namespace trestle::design
