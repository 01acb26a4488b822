// A table of another shape is brought into a design while it is written to; nothing is lost.

#include "design/adopt.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "design/design_fixture.h"

namespace trestle::design::testing {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kMap = R"([
  {"entity": "User", "when": {"type": "user"},
   "attributes": {"userId": "id", "email": "mail", "username": "name"}},
  {"entity": "Movie", "when": {"type": "movie"},
   "attributes": {"movieId": "id", "title": "name", "runtime": "info.minutes", "createdBy": "by"}},
  {"entity": "Watchlist", "when": {"type": "list"},
   "attributes": {"watchlistId": "id", "title": "name", "curatorId": "by"}}
])";

class AdoptTest : public DesignFixture {
 protected:
  void UseBoth() {
    Use("watch");
    old_table_ = TableName("old");
    const Status created = backend().CreateTable({.name = old_table_,
                                                  .partition_key = "id",
                                                  .sort_key = "",
                                                  .key_types = {{"id", KeyType::kString}},
                                                  .stream = StreamImages::kNewAndOld});
    ASSERT_TRUE(created.ok()) << created.error().message();
  }
  void PutOld(std::string_view item) {
    const Status put = backend().Write(
        {.kind = ActionKind::kPut, .table = old_table_, .item = RecordOf(item).ToItem()});
    ASSERT_TRUE(put.ok()) << put.error().message();
  }
  void DeleteOld(std::string_view key) {
    const Status deleted = backend().Write(
        {.kind = ActionKind::kDelete, .table = old_table_, .item = RecordOf(key).ToItem()});
    ASSERT_TRUE(deleted.ok()) << deleted.error().message();
  }
  void PutMovie(int number, int minutes) {
    PutOld(fmt::format(R"({{id: "m{}", type: "movie", name: "M{}", info: {{minutes: {}}},
                            by: "u1"}})",
                       number, number, minutes));
  }

  AdoptReport RunAdopt() {
    const auto map = ParseAdoptMap(runtime().model(), kMap);
    EXPECT_TRUE(map.ok()) << map.error().message();
    said_.clear();
    const auto report =
        Adopt(runtime(), *map,
              {.from = old_table_, .report = [&](const std::string& item, const std::string& why) {
                 said_.push_back(item + ": " + why);
               }});
    EXPECT_TRUE(report.ok()) << report.error().message();
    return report.ok() ? *report : AdoptReport();
  }

  std::string old_table_;
  Texts said_;
};
TRESTLE_ON_EVERY_BACKEND(AdoptTest);
TRESTLE_ALSO_WITHOUT_TRANSACTIONS(AdoptTest);

// Children come before their parents in the other table; the map's order is what counts.
TEST_P(AdoptTest, ItemsBecomeEntities) {
  UseBoth();
  PutOld(R"({id: "a-list", type: "list", name: "Best", by: "u1"})");
  PutOld(R"({id: "u1", type: "user", name: "johndoe", mail: "John@Example.com"})");
  PutMovie(1, 148);
  PutOld(R"({id: "x", type: "strange"})");
  PutOld(R"({id: "bad", type: "movie", by: "u1"})");

  const AdoptReport report = RunAdopt();
  EXPECT_EQ(report.read, 5U);
  EXPECT_EQ(report.unmapped, 1U);
  EXPECT_EQ(report.refused, 1U);
  EXPECT_EQ(report.differing, 1U) << "what was refused is not there";
  EXPECT_EQ(At("User", R"({userId: "u1"})", "email"), "john@example.com");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "runtime"), "148");
  EXPECT_EQ(At("Watchlist", R"({watchlistId: "a-list"})", "curatorName"), "johndoe");
  EXPECT_EQ(said_.size(), 3U);

  // Again: nothing changes.
  const AdoptReport again = RunAdopt();
  EXPECT_EQ(again.differing, 1U);
}

TEST_P(AdoptTest, NothingIsLostOfWhatIsWrittenMeanwhile) {
  UseBoth();
  PutOld(R"({id: "u1", type: "user", name: "johndoe", mail: "a@b.c"})");
  for (int i = 0; i < 150; ++i)
    PutMovie(i, i);
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    for (int i = 0; !is_over && i < 600; ++i) {
      PutMovie(i * 7 % 200, i % 900);
      if (i % 5 == 0) DeleteOld(fmt::format(R"({{id: "m{}"}})", i * 3 % 200));
    }
  });
  RunAdopt();
  is_over = true;
  writer.join();

  const AdoptReport last = RunAdopt();
  EXPECT_EQ(last.refused, 0U);
  EXPECT_EQ(last.differing, 0U);
  std::size_t old_count = 0;
  ReadPage read{.table = old_table_, .is_consistent = true};
  do {
    const auto page = backend().Read(read);
    ASSERT_TRUE(page.ok());
    old_count += page->items.size();
    read.exclusive_start_key = page->last_evaluated_key;
  } while (read.exclusive_start_key);
  const Texts keys = Keys();
  const auto is_item = [](const std::string& key) {
    const bool is_mirror = key.find("ADDED#") != std::string::npos;
    return !key.starts_with("~") && !is_mirror;
  };
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(keys, is_item)), old_count)
      << "what was deleted there is gone here too";
}

TEST_P(AdoptTest, RefusesMapsThatItDoesNotUnderstand) {
  Use("watch");
  const auto why = [&](std::string_view json) {
    const auto map = ParseAdoptMap(runtime().model(), json);
    return map.ok() ? std::string("ok") : map.error().message();
  };
  EXPECT_EQ(why(R"([{"entity": "Film"}])"), "Film is no entity of the design");
  EXPECT_EQ(why(R"([{"entity": "Movie", "attributes": {"length": "x"}}])"),
            "length is no attribute of Movie");
  EXPECT_EQ(why(R"([{"when": {}}])"), "a rule needs an entity");
  EXPECT_EQ(why(R"({})"), "a map is a list of rules");
  EXPECT_EQ(why(R"([{"entity": "Movie", "where": 1}])"),
            "where is not understood: a rule has an entity, a map when and a map attributes");
}

}  // namespace
}  // namespace trestle::design::testing
