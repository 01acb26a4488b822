// A process that ends in the middle of a transaction, where those are done in steps.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "design/design_fixture.h"
#include "design/maintainer.h"
#include "design/passing_backend.h"
#include "design/step_writer.h"
#include "design/verify.h"

namespace trestle::design::testing {
namespace {

constexpr const char* kDesign = R"(design shelves version 1
table "t" {
  key PK, SK
  discriminate by key
  lock version
}
entity Shelf {
  key pk "SHELF#{shelf}" sk "META"
  shelf : id immutable
  books : int = 0 derived_count
  pages : int = 0 derived_sum
}
entity Book {
  key pk "SHELF#{shelf}" sk "BOOK#{id}"
  rekey on (shelf)
  shelf : id
  id    : id immutable
  pages : int = 0
  text  : string(0..300000)?
  isbn  : string(1..100)
  unique isbn (isbn)
  belongs_to Shelf by (shelf) {
    must_exist
    count into books
    sum pages into pages
  }
}
mirror ByIsbn of Book {
  key pk "ISBN#{isbn:esc}" sk "BOOK"
  include isbn, pages
}
)";

// Has no transactions, and no answer once its writes are used up.
class EndingBackend final : public PassingBackend {
 public:
  EndingBackend(Backend& inner, const Clock& clock, Random& random)
      : PassingBackend(inner), steps_(*this, clock, random) {}

  std::optional<int> writes_left;

  BackendFeatures features() const override { return {.has_transactions = false}; }
  Status Write(const WriteItem& write) override {
    if (writes_left && --*writes_left < 0) return Error(ErrorCode::kUnavailable, "ended");
    return inner().Write(write);
  }
  Status Transact(std::span<const WriteItem> writes, const std::string& /*token*/) override {
    return steps_.Write(writes);
  }

 private:
  StepWriter steps_;
};

class LeftStepsTest : public DesignFixture {
 protected:
  void SetUp() override {
    UseText(kDesign);
    Create("Shelf", R"({shelf: "s1"})");
    Create("Shelf", R"({shelf: "s2"})");
    Create("Book", R"({shelf: "s1", id: "b1", pages: 7, isbn: "1"})");
    ending_ = std::make_unique<EndingBackend>(backend(), clock(), random());
    in_steps_ = std::make_unique<Runtime>(runtime().model(), *ending_,
                                          RuntimeOptions{.clock = &clock(), .random = &random()});
    before_ = Keys();
  }

  // Moves the book in a process that ends after some writes. Whether it was moved.
  bool Move(int writes, std::string_view set) {
    ending_->writes_left = writes;
    const auto moved =
        in_steps_->Update(entity("Book"), RecordOf(R"({shelf: "s1", id: "b1"})"), SetOf(set));
    ending_->writes_left.reset();
    return moved.ok();
  }
  // The kinds of what differs from the design.
  std::vector<std::string> Drifts(bool repair) {
    std::vector<std::string> kinds;
    const auto report = Verify(*in_steps_, {.repair = repair, .report = [&](const Drift& drift) {
                                              kinds.emplace_back(DriftName(drift.kind));
                                            }});
    EXPECT_TRUE(report.ok()) << report.error().message();
    return kinds;
  }

  static constexpr std::string_view kMove = R"({shelf: "s2", isbn: "2"})";

  std::unique_ptr<EndingBackend> ending_;
  std::unique_ptr<Runtime> in_steps_;
  std::vector<std::string> before_;
};
INSTANTIATE_TEST_SUITE_P(Engine, LeftStepsTest, ::testing::Values("engine"));

TEST_P(LeftStepsTest, VerifyTakesThemBack) {
  using Kinds = std::vector<std::string>;
  int writes = 1;
  for (; !Move(writes, kMove); ++writes) {
    Advance(60'000);
    ASSERT_EQ(Drifts(true), Kinds{"unfinished write"}) << "after " << writes << " writes";
    ASSERT_EQ(Drifts(false), Kinds{});
    ASSERT_EQ(Keys(), before_);
  }
  EXPECT_GT(writes, 8)
      << "the record, the book here and there, its mirrors and guards, two shelves";
  EXPECT_EQ(Drifts(false), Kinds{});
  EXPECT_EQ(At("Book", R"({shelf: "s2", id: "b1"})", "isbn"), "2");
}

TEST_P(LeftStepsTest, TheMaintainerTakesThemBackAfterAMinute) {
  for (int writes = 2; writes <= 6; ++writes) {
    ASSERT_FALSE(Move(writes, kMove));
    Maintainer maintainer(*in_steps_, {});
    ASSERT_TRUE(maintainer.Start().ok());
    EXPECT_FALSE(maintainer.Drained(std::chrono::milliseconds(50)));
    Advance(60'000);
    ASSERT_TRUE(maintainer.Drained(std::chrono::seconds(60)));
    EXPECT_EQ(maintainer.failed_changes(), 0U);
    EXPECT_EQ(Drifts(false), std::vector<std::string>{});
    EXPECT_EQ(At("Shelf", R"({shelf: "s1"})", "pages"), "7");
    EXPECT_EQ(At("Book", R"({shelf: "s1", id: "b1"})", "isbn"), "1");
  }
}

TEST_P(LeftStepsTest, ARepairDoesNotWait) {
  ASSERT_FALSE(Move(3, kMove));
  EXPECT_EQ(Drifts(true), std::vector<std::string>{"unfinished write"});
  EXPECT_EQ(Keys(), before_);
}

// What does not fit into one item is left in several.
TEST_P(LeftStepsTest, LargeItemsAreTakenBackToo) {
  const std::string text(300'000, 'x');
  const std::string set = fmt::format(R"({{shelf: "s2", text: "{}"}})", text);
  Update("Book", R"({shelf: "s1", id: "b1"})", fmt::format(R"({{text: "{}"}})", text));
  int writes = 1;
  for (; !Move(writes, set); ++writes) {
    Advance(60'000);
    const auto drifts = Drifts(true);
    ASSERT_FALSE(drifts.empty());
    for (const std::string& drift : drifts)
      ASSERT_EQ(drift, "unfinished write") << "after " << writes << " writes";
    ASSERT_EQ(Drifts(false), std::vector<std::string>{});
    ASSERT_EQ(Keys(), before_);
    ASSERT_EQ(At("Book", R"({shelf: "s1", id: "b1"})", "text"), text);
  }
  EXPECT_EQ(At("Book", R"({shelf: "s2", id: "b1"})", "text"), text);
  // It had ended before it removed the parts of its record.
  EXPECT_EQ(Drifts(true), std::vector<std::string>{});
  Advance(60'000);
  EXPECT_FALSE(Drifts(true).empty());
  EXPECT_EQ(Keys().size(), before_.size());
}

}  // namespace
}  // namespace trestle::design::testing
