// Sample data: all of it or, after a restart, the rest of it.

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "apps/apps.h"
#include "apps/world_fixture.h"

namespace trestle::apps::testing {
namespace {

class SamplesTest : public AppFixture {
 protected:
  SamplesTest() { UseAll(); }

  bool HasAnn() {
    const auto account = host().accounts()->FindByEmail("ann@example.org");
    return account.ok() && account->has_value();
  }
  bool AreLoaded() {
    return Eventually([&] { return HasAnn(); });
  }

  // How many items of each kind there are, whatever followed from the samples included.
  std::map<std::string, int> Counts() {
    Settle();
    std::map<std::string, int> counts;
    for (const platform::App& app : All()) {
      const design::Runtime& runtime = *host().FindRuntime(app.name);
      design::ReadPage read{.table = runtime.table(), .is_consistent = true};
      do {
        const auto page = backend().Read(read);
        EXPECT_TRUE(page.ok());
        for (const value::Item& item : page->items) {
          const auto typed = runtime.Recognise(item.view());
          // Whether who saved a list is told of an item depends on which came first.
          if (typed && typed->kind.kind().name != "FeedEntry") {
            ++counts[std::string(app.name) + " " + typed->kind.kind().name];
          }
        }
        read.exclusive_start_key = page->last_evaluated_key;
      } while (read.exclusive_start_key);
    }
    return counts;
  }
};
TRESTLE_WORLD_BACKENDS(SamplesTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(SamplesTest);

TEST_P(SamplesTest, ALoadThatIsCutOffGoesOn) {
  for (const int writes : {20, 400, 1500}) {
    watching().EndAfter(writes);
    host().LoadSamples();
    ASSERT_TRUE(Eventually([&] { return watching().has_ended() || HasAnn(); })) << writes;
    UseAll();
  }
  ASSERT_TRUE(AreLoaded());
  std::map<std::string, int> cut_off = Counts();
  RemoveTables();

  UseAll();
  ASSERT_TRUE(host().LoadSamples());
  ASSERT_TRUE(AreLoaded());
  const std::map<std::string, int> whole = Counts();
  EXPECT_EQ(cut_off.size(), whole.size());
  for (const auto& [kind, count] : whole)
    EXPECT_EQ(cut_off[kind], count) << kind;
  EXPECT_GT(whole.at("stories Chapter"), 200);
  EXPECT_GT(whole.at("books ReadingEvent"), 100);

  ASSERT_TRUE(host().LoadSamples());  // which are there already
  EXPECT_EQ(Counts(), whole);
}

}  // namespace
}  // namespace trestle::apps::testing
