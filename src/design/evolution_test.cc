#include "design/evolution.h"

#include <gtest/gtest.h>

#include "design/resolve.h"
#include "design/syntax/parser.h"

namespace trestle::design {
namespace {

constexpr std::string_view kBase = R"(design Shop version 1
table "shop" {
  key PK, SK
  discriminate by attribute kind
  stream new_and_old
  index GSI1 (GSI1PK, GSI1SK) project all
}
entity Shelf {
  type "SHELF"
  key pk "SHELF#{shelfId}" sk "META"
  shelfId : id immutable
  name    : string(1..50)
}
entity Book {
  type "BOOK"
  key pk "SHELF#{shelfId}" sk "BOOK#{order:05}"
  index GSI1 pk "{state}" sk "{shelfId}"
  shelfId : id immutable
  order   : int(0..99999) immutable
  state   : enum("NEW", "SOLD") = "NEW"
  note    : string(0..100)?
}
access getBook(shelfId, order) -> Book = get
access booksByState(state) -> Book* = query GSI1 pk "{state}"
)";

// The base with one text in place of another.
std::vector<std::string> ChangesAfter(std::string_view old_text, std::string_view new_text) {
  std::string text(kBase);
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, text.npos) << old_text;
  text.replace(at, old_text.size(), new_text);
  // Without the checks: what a change asks of a table has nothing to do with them.
  const ResolvedDesign before = Resolve(syntax::ParseDesign(kBase).design);
  const ResolvedDesign after = Resolve(syntax::ParseDesign(text).design);
  EXPECT_TRUE(before.model);
  EXPECT_TRUE(after.model) << (after.diagnostics.empty() ? "" : after.diagnostics[0].message);
  std::vector<std::string> out;
  for (const DesignChange& it : Compare(*before.model, *after.model))
    out.push_back(std::string(Word(it.kind)) + ": " + it.sentence);
  return out;
}

using Lines = std::vector<std::string>;

TEST(Evolution, NothingChanged) { EXPECT_EQ(ChangesAfter("NEW", "NEW"), Lines{}); }

TEST(Evolution, FreeChanges) {
  EXPECT_EQ(ChangesAfter("  note    :", "  page    : int?\n  note    :"),
            Lines{"free: Book.page is new"});
  EXPECT_EQ(ChangesAfter("0..100)", "0..200)"), Lines{"free: Book.note allows more than it did"});
  EXPECT_EQ(
      ChangesAfter("access getBook", "access getShelf(shelfId) -> Shelf = get\naccess getBook"),
      Lines{"free: access getShelf is new"});
}

TEST(Evolution, TableChanges) {
  EXPECT_EQ(ChangesAfter("stream new_and_old", "stream new"),
            Lines{"table: the stream is set differently"});
  EXPECT_EQ(ChangesAfter("project all", "project keys"),
            Lines{"table: index GSI1 differs and has to be built again"});
}

TEST(Evolution, Backfills) {
  EXPECT_EQ(ChangesAfter("note    : string(0..100)?", "remark  : string(0..100)? was note"),
            Lines{"backfill: Book.remark was called note"});
  EXPECT_EQ(ChangesAfter("note    : string(0..100)?", "note : string(0..100)?\n  pages : int = 0"),
            Lines{"backfill: Book.pages is new and gets a value in all items"});
}

TEST(Evolution, Rekeys) {
  EXPECT_EQ(ChangesAfter("{order:05}", "{order:06}"),
            Lines{"re-key: the key of Book is SHELF#{shelfId} / BOOK#{order:06} and was "
                  "SHELF#{shelfId} / BOOK#{order:05}"});
}

TEST(Evolution, BreakingChanges) {
  EXPECT_EQ(ChangesAfter("\"NEW\", \"SOLD\"", "\"NEW\""),
            Lines{"breaking: Book.state allows less than it did"});
  EXPECT_EQ(ChangesAfter("note    : string(0..100)?", ""), Lines{"breaking: Book.note is gone"});
  EXPECT_EQ(
      ChangesAfter("note    : string(0..100)?", "note : string(0..100)?\n  pages : int"),
      Lines{"breaking: Book.pages is new and required, and the items that are there lack it"});
}

}  // namespace
}  // namespace trestle::design
