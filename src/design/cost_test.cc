#include "design/cost.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "design/resolve.h"

namespace trestle::design {
namespace {

constexpr std::string_view kDesign = R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute Kind
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  // accepts K9: bytes
  index GSI1 pk "owner#{OwnerId}" sk "library#{Name:esc}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
  Name      : string(1..100)
  Total     : int = 0 derived_count
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}"
  OwnerId   : id immutable
  LibraryId : id immutable
  ItemId    : id = uuid() immutable
  belongs_to Library by (OwnerId, LibraryId) {
    must_exist
    count into Total
    on_delete cascade
    through books
  }
}
entity Event {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}#event#{At}"
  OwnerId   : id immutable
  LibraryId : id immutable
  ItemId    : id immutable
  At        : timestamp = now() immutable monotonic
  belongs_to Book by (OwnerId, LibraryId, ItemId) { must_exist }
}
// accepts A6: to be compared with the index
access libraries(OwnerId) -> Library* =
  query table pk "owner#{OwnerId}" sk begins "library#" only Library
access librariesByName(OwnerId) -> Library* = query GSI1 pk "owner#{OwnerId}"
// accepts A6: events are few
access books(OwnerId, LibraryId) -> Book* =
  query table pk "owner#{OwnerId}" sk begins "library#{LibraryId}#item#" only Book
access getBook(OwnerId, LibraryId, ItemId) -> Book = get consistent
access events(OwnerId, LibraryId, ItemId) -> Event* =
  query table pk "owner#{OwnerId}" sk begins "library#{LibraryId}#item#{ItemId}#event#"
operation add(OwnerId, LibraryId, ItemId) {
  create Book { OwnerId, LibraryId, ItemId }
}
load {
  item Library 300 bytes 3 per OwnerId
  item Book 700 bytes 300 per LibraryId
  item Event 250 bytes 2 per ItemId
  rate librariesByName 10 per_second
}
)";

class CostReport : public testing::Test {
 protected:
  CostReport() : resolved_(Compile(kDesign)) {}
  void SetUp() override { ASSERT_NE(resolved_.model, nullptr); }

  CostLine Line(std::string_view what) const {
    const std::vector<CostLine> lines = Costs(*resolved_.model);
    const auto found = std::ranges::find(lines, what, &CostLine::what);
    EXPECT_NE(found, lines.end()) << what;
    return found == lines.end() ? CostLine{} : *found;
  }

  ResolvedDesign resolved_;
};

TEST_F(CostReport, AQueryReadsAllThatIsInItsRange) {
  const CostLine libraries = Line("access libraries");
  EXPECT_EQ(libraries.read_units, 132);  // 900 + 900 x 700 + 1,800 x 250 bytes
  EXPECT_EQ(libraries.assumption, "3 x 300 B, 900 x 700 B, 1,800 x 250 B");
  EXPECT_EQ(libraries.remark, "2 pages; 99 % of it is thrown away");
}

TEST_F(CostReport, AnIndexReadsLess) {
  const CostLine by_name = Line("access librariesByName");
  EXPECT_EQ(by_name.read_units, 0.5);
  EXPECT_EQ(by_name.remark, "10 a second: 5 units");
}

TEST_F(CostReport, AConsistentGetCostsAWholeUnit) {
  EXPECT_EQ(Line("access getBook").read_units, 1);
}

TEST_F(CostReport, AWriteBringsItsParentAndItsIndexEntries) {
  // Twice for the book and its library, which are one transaction, and the library's index entry.
  EXPECT_EQ(Line("create Book").write_units, 5);
  EXPECT_EQ(Line("operation add").write_units, 5);
  EXPECT_EQ(Line("create Library").write_units, 2);
  EXPECT_EQ(Line("update Library").write_units, 2);
}

TEST_F(CostReport, ACascadeIsAboutAllChildren) {
  const CostLine cascade = Line("cascade Library to Book");
  EXPECT_EQ(cascade.assumption, "300 of Book");
  EXPECT_GT(cascade.write_units, 299);
}

TEST_F(CostReport, IsPrintedInColumns) {
  const std::string text = PrintCosts({{.what = "access a",
                                        .assumption = "1 x 100 B",
                                        .read_units = 0.5,
                                        .write_units = 0,
                                        .remark = "fine"}});
  EXPECT_EQ(text,
            "pattern       read     write  assumption  remark\n"
            "access a       0.5         -  1 x 100 B   fine\n");
}

}  // namespace
}  // namespace trestle::design
