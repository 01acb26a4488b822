#include "design/cursor.h"

#include <gtest/gtest.h>

#include "design/testing_internal.h"

namespace trestle::design {
namespace {

using testing::RecordOf;

Access NamedAccess(std::string name) {
  Access access;
  access.name = std::move(name);
  return access;
}

TEST(Cursor, KeepsEveryPlace) {
  const std::string scope =
      CursorScope(NamedAccess("listBooks"), RecordOf(R"({userId: "u"})"), false);
  Cursor cursor;
  cursor.places.push_back({});
  cursor.places.push_back({.after = RecordOf(R"({pk: "USER#u", sk: "BOOK#1"})").ToItem()});
  cursor.places.push_back({.is_at_end = true});
  cursor.order = std::string("a\0b", 3);

  const auto read = DecodeCursor(EncodeCursor(cursor, scope), scope);
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read->places.size(), 3U);
  EXPECT_FALSE(read->places[0].after || read->places[0].is_at_end);
  EXPECT_EQ(read->places[1].after, cursor.places[1].after);
  EXPECT_TRUE(read->places[2].is_at_end);
  EXPECT_EQ(read->order, cursor.order);
}

TEST(Cursor, IsOfOneAccessWithItsArguments) {
  const Record arguments = RecordOf(R"({userId: "u"})");
  const std::string scope = CursorScope(NamedAccess("listBooks"), arguments, false);
  const std::string text = EncodeCursor({}, scope);
  EXPECT_TRUE(DecodeCursor(text, scope).ok());
  EXPECT_FALSE(DecodeCursor(text, CursorScope(NamedAccess("listNotes"), arguments, false)).ok());
  EXPECT_FALSE(DecodeCursor(text, CursorScope(NamedAccess("listBooks"), arguments, true)).ok());
  EXPECT_FALSE(
      DecodeCursor(text, CursorScope(NamedAccess("listBooks"), RecordOf(R"({userId: "v"})"), false))
          .ok());
}

TEST(Cursor, RefusesWhatItDidNotWrite) {
  const std::string scope = CursorScope(NamedAccess("a"), {}, false);
  Cursor cursor;
  cursor.places.push_back({.after = RecordOf(R"({pk: "USER#u"})").ToItem()});
  const std::string text = EncodeCursor(cursor, scope);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(DecodeCursor(text.substr(0, length), scope).ok()) << length;
  EXPECT_FALSE(DecodeCursor(text + "AAAA", scope).ok());
  EXPECT_FALSE(DecodeCursor("not base64!", scope).ok());
}

}  // namespace
}  // namespace trestle::design
