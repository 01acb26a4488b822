#include "design/write_plan.h"

#include <algorithm>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "design/recognise.h"
#include "design/resolve.h"
#include "design/stored_item.h"
#include "design/testing_internal.h"

namespace trestle::design {
namespace {

using testing::RecordOf;

constexpr std::string_view kDesign = R"(design D version 1
table "t" {
  key PK, SK
  discriminate by key
  lock version
  index GSI1 (G1, G2) project all
}
entity Shelf {
  key pk "SHELF#{shelf}" sk "META"
  shelf : id immutable
  name  : string
  room  : id
  stats : map {
    books : int = 0 derived_count
    pages : int = 0 derived_sum
  }
  belongs_to Room by (room) {
    sum stats.pages into pages
  }
}
entity Room {
  key pk "ROOM#{room}" sk "META"
  room  : id immutable
  pages : int = 0 derived_sum
}
entity Book {
  key pk "SHELF#{shelf}" sk "BOOK#{id}"
  index GSI1 pk "NAME#{shelfName:esc}" sk "{title:esc}" when title
  rekey on (shelf)
  shelf     : id
  id        : id immutable
  title     : string?
  shelfName : string? derived_copy
  pages     : int = 0
  reads     : int = 0 counter
  isbn      : string?
  unique isbn (isbn)
  belongs_to Shelf by (shelf) {
    must_exist
    copy shelfName = name
    count into stats.books
    sum pages into stats.pages
  }
}
mirror ByIsbn of Book when isbn {
  key pk "ISBN#{isbn:esc}" sk "BOOK"
  include title
}
)";

// "put", "update", … with the item's key, the condition and the update, placeholders replaced.
std::string Print(const WriteItem& action) {
  static constexpr const char* kKinds[] = {"put", "update", "delete", "check"};
  const auto replace = [&](std::string text) {
    for (const auto* aliases : {&action.expressions.names, &action.expressions.values}) {
      for (auto it = aliases->rbegin(); it != aliases->rend(); ++it) {
        std::string with = it->second;
        if (aliases == &action.expressions.values) {
          const value::ValueView value(it->second);
          with = value.type() == value::Type::kN   ? value::NumberText(value.number())
                 : value.type() == value::Type::kS ? "'" + std::string(value.text()) + "'"
                                                   : std::string(TypeName(value.type()));
        }
        for (std::size_t at = text.find(it->first); at != text.npos;
             at = text.find(it->first, at + with.size())) {
          text.replace(at, it->first.size(), with);
        }
      }
    }
    return text;
  };
  std::string text = kKinds[static_cast<std::size_t>(action.kind)];
  text += " " + std::string(action.item.Find("PK")->text()) + "|" +
          std::string(action.item.Find("SK")->text());
  if (!action.update.empty()) text += " " + replace(action.update);
  if (!action.condition.empty()) text += " if " + replace(action.condition);
  return text;
}

class WritePlanTest : public ::testing::Test {
 protected:
  WritePlanTest() : model_(Resolve(syntax::ParseDesign(kDesign).design).model) {
    Store(R"({PK: "SHELF#s1", SK: "META", shelf: "s1", name: "A#B", room: "r1", version: 4,
              stats: {books: 1, pages: 100}})");
    Store(R"({PK: "SHELF#s2", SK: "META", shelf: "s2", name: "C", room: "r2", version: 1,
              stats: {books: 0, pages: 0}})");
    Store(R"({PK: "SHELF#s1", SK: "BOOK#b1", shelf: "s1", id: "b1", title: "t", pages: 100,
              reads: 7, shelfName: "A#B", isbn: "1", version: 2, G1: "NAME#A%23B", G2: "t",
              own: true})");
  }

  void Store(std::string_view text) {
    const value::Item item = expr::testing::ItemOf(text);
    items_[KeyPart(*model_, item.view()).bytes()] = item;
  }

  EntityChange Of(std::string_view entity, std::string_view pk, std::string_view sk) {
    Record key;
    key.SetText("PK", pk);
    key.SetText("SK", sk);
    EntityChange change{.entity = model_->FindEntity(entity), .key = key.ToItem()};
    const auto found = items_.find(change.key.bytes());
    if (found == items_.end()) return change;
    change.old =
        ItemState{found->second, Recognise(*model_, found->second.view())->record, change.entity};
    change.next = change.old->record;
    return change;
  }

  EntityChange New(std::string_view entity, std::string_view text) {
    const Record record = RecordOf(text);
    EntityChange change{.entity = model_->FindEntity(entity)};
    change.key = *KeyOf(*model_, *change.entity, record);
    change.next = record;
    return change;
  }

  std::vector<std::string> Plan(std::vector<EntityChange> changes) {
    const std::string table = "t";
    const PlanInput input{
        .model = *model_,
        .table = table,
        .find = [&](const value::Item& key) -> Result<std::optional<value::Item>> {
          const auto found = items_.find(key.bytes());
          return found == items_.end() ? std::optional<value::Item>()
                                       : std::optional(found->second);
        },
        .missing_parents = missing_};
    auto plan = WritePlan::Make(input, changes);
    if (!plan.ok()) return {plan.error().message()};
    plan_ = std::make_unique<WritePlan>(*std::move(plan));
    actions_ = *plan_->Actions();
    std::vector<std::string> lines;
    std::ranges::transform(actions_, std::back_inserter(lines), Print);
    std::ranges::sort(lines);
    return lines;
  }

  // What Explain makes of a condition that failed on the action of an item.
  std::string Explain(std::string_view pk, const std::optional<value::Item>& found) {
    auto details = std::make_shared<ErrorDetails>();
    for (const WriteItem& action : actions_) {
      std::optional<Error> reason;
      if (action.item.Find("PK")->text() == pk) {
        auto item = std::make_shared<ErrorDetails>();
        if (found) item->item = found->bytes();
        reason.emplace(ErrorCode::kConditionalCheckFailed, "The conditional request failed", item);
      }
      details->reasons.push_back(reason);
    }
    const auto why =
        plan_->Explain(Error(ErrorCode::kTransactionCanceled, "cancelled", std::move(details)));
    if (const auto* error = std::get_if<Error>(&why)) return error->message();
    const auto& again = std::get<WritePlan::PlanAgain>(why);
    return again.missing_parents.empty() ? "again" : "again without the parent";
  }

  std::unique_ptr<const Model> model_;
  std::map<std::string, value::Item> items_;
  std::set<std::string> missing_;
  std::unique_ptr<WritePlan> plan_;
  std::vector<WriteItem> actions_;
};

using Lines = std::vector<std::string>;

TEST_F(WritePlanTest, ACreateFoldsAllThatItDoesToItsParent) {
  EXPECT_EQ(
      Plan({New("Book", R"({shelf: "s1", id: "b2", title: "u", pages: 50, isbn: "2"})")}),
      (Lines{
          "put ISBN#2|BOOK if attribute_not_exists(PK)",
          "put SHELF#s1|BOOK#b2 if attribute_not_exists(PK)",
          "put ~trestle#unique#Book.isbn#2|~ if attribute_not_exists(PK)",
          "update ROOM#r1|META SET pages = if_not_exists(pages, 0) + 50 if attribute_exists(PK)",
          "update SHELF#s1|META SET stats.books = if_not_exists(stats.books, 0) + 1, stats.pages = "
          "if_not_exists(stats.pages, 0) + 50 if name = 'A#B' AND attribute_exists(PK) AND room = "
          "'r1'"}));
  const auto book = std::ranges::find_if(
      actions_, [](const WriteItem& it) { return it.item.Find("SK")->text() == "BOOK#b2"; });
  EXPECT_EQ(book->item.Find("G1")->text(), "NAME#A%23B");
  EXPECT_EQ(value::NumberText(book->item.Find("version")->number()), "1");

  // The shelf that was copied from is gone: the next plan says that there is none.
  EXPECT_EQ(Explain("SHELF#s1", std::nullopt), "again");
  EXPECT_EQ(Explain("ROOM#r1", std::nullopt), "again without the parent");
  EXPECT_EQ(Explain("~trestle#unique#Book.isbn#2", value::Item()),
            "another Book has this isbn already (unique isbn)");
}

TEST_F(WritePlanTest, AParentOfTheSameRequestIsPutWithItsCounts) {
  const Lines lines = Plan({New("Book", R"({shelf: "s9", id: "b2", pages: 50})"),
                            New("Shelf", R"({shelf: "s9", name: "N", room: "r1"})")});
  EXPECT_EQ(lines, (Lines{"put SHELF#s9|BOOK#b2 if attribute_not_exists(PK)",
                          "put SHELF#s9|META if attribute_not_exists(PK)",
                          "update ROOM#r1|META SET pages = if_not_exists(pages, 0) + 50 if "
                          "attribute_exists(PK)"}));
  const auto shelf = std::ranges::find_if(
      actions_, [](const WriteItem& it) { return it.item.Find("SK")->text() == "META"; });
  EXPECT_EQ(value::NumberText(shelf->item.Find("stats")->Find("pages")->number()), "50");
}

TEST_F(WritePlanTest, AnUpdateWritesWhatDiffersUnderTheVersion) {
  EntityChange change = Of("Book", "SHELF#s1", "BOOK#b1");
  change.next->SetText("title", "u");
  EXPECT_EQ(Plan({change}),
            (Lines{"put ISBN#1|BOOK",
                   "update SHELF#s1|BOOK#b1 SET title = 'u', G2 = 'u', version = 3 if "
                   "attribute_exists(PK) AND version = 2 AND shelfName = 'A#B'"}));
  // It may have moved: the next attempt knows.
  EXPECT_EQ(Explain("SHELF#s1", std::nullopt), "again");
  EXPECT_EQ(Explain("SHELF#s1", expr::testing::ItemOf(R"({PK: "x", version: 3})")), "again");
}

TEST_F(WritePlanTest, AnEntryLeavesTheIndexWithItsAttributes) {
  EntityChange change = Of("Book", "SHELF#s1", "BOOK#b1");
  change.next->Remove("title");
  change.next->Remove("isbn");
  EXPECT_EQ(Plan({change}),
            (Lines{"delete ISBN#1|BOOK", "delete ~trestle#unique#Book.isbn#1|~",
                   "update SHELF#s1|BOOK#b1 SET version = 3 REMOVE title, isbn, G1, G2 if "
                   "attribute_exists(PK) AND version = 2 AND shelfName = 'A#B'"}));
}

TEST_F(WritePlanTest, CountingAsksForNoVersion) {
  EntityChange change = Of("Book", "SHELF#s1", "BOOK#b1");
  change.next->Set("reads", EncodeInteger(9));
  EXPECT_EQ(Plan({change}),
            (Lines{"update SHELF#s1|BOOK#b1 SET reads = if_not_exists(reads, 0) + 2 if "
                   "attribute_exists(PK)"}));
}

TEST_F(WritePlanTest, AMoveTakesAllAlongAndCountsOnBothSides) {
  EntityChange change = Of("Book", "SHELF#s1", "BOOK#b1");
  change.next->SetText("shelf", "s2");
  EXPECT_EQ(
      Plan({change}),
      (Lines{
          "delete SHELF#s1|BOOK#b1 if attribute_exists(PK) AND version = 2 AND shelfName = 'A#B' "
          "AND reads = 7",
          "put SHELF#s2|BOOK#b1 if attribute_not_exists(PK)", "put ~trestle#unique#Book.isbn#1|~",
          "update ROOM#r1|META SET pages = if_not_exists(pages, 0) + -100 if attribute_exists(PK)",
          "update ROOM#r2|META SET pages = if_not_exists(pages, 0) + 100 if attribute_exists(PK)",
          "update SHELF#s1|META SET stats.books = if_not_exists(stats.books, 0) + -1, stats.pages "
          "= if_not_exists(stats.pages, 0) + -100 if attribute_exists(PK) AND room = 'r1'",
          "update SHELF#s2|META SET stats.books = if_not_exists(stats.books, 0) + 1, stats.pages = "
          "if_not_exists(stats.pages, 0) + 100 if name = 'C' AND attribute_exists(PK) AND room = "
          "'r2'"}));
  const auto book = std::ranges::find_if(
      actions_, [](const WriteItem& it) { return it.kind == ActionKind::kPut; });
  EXPECT_TRUE(book->item.Find("own")) << "what the design does not know moves along";
  EXPECT_EQ(book->item.Find("shelfName")->text(), "C");
}

TEST_F(WritePlanTest, ADeleteTakesBackWhatWasCounted) {
  EntityChange change = Of("Shelf", "SHELF#s1", "META");
  change.next.reset();
  EXPECT_EQ(
      Plan({change}),
      (Lines{"delete SHELF#s1|META if attribute_exists(PK) AND version = 4 AND stats.pages = 100",
             "update ROOM#r1|META SET pages = if_not_exists(pages, 0) + -100 if "
             "attribute_exists(PK)"}));
}

TEST_F(WritePlanTest, AMissingParentIsNotCountedIn) {
  Record key;
  key.SetText("PK", "SHELF#s1");
  key.SetText("SK", "META");
  missing_.insert(key.ToItem().bytes());
  EntityChange change = Of("Book", "SHELF#s1", "BOOK#b1");
  change.next.reset();
  EXPECT_EQ(Plan({change}),
            (Lines{"delete ISBN#1|BOOK",
                   "delete SHELF#s1|BOOK#b1 if attribute_exists(PK) AND version = 2",
                   "delete ~trestle#unique#Book.isbn#1|~"}));
}

TEST_F(WritePlanTest, AParentThatMustExistDoesNot) {
  EXPECT_EQ(Plan({New("Book", R"({shelf: "s5", id: "b2"})")}),
            (Lines{"there is no Shelf with shelf s5"}));
}

}  // namespace
}  // namespace trestle::design
