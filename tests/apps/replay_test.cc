// Changes that come again change nothing: every consumer of every app gets its whole stream twice
// more, and then the tables are as they were, and what can be found too.

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include "apps/apps.h"
#include "apps/world_fixture.h"
#include "platform/consumers.h"

namespace trestle::apps::testing {
namespace {

// The letters of the items that are in one of the two lists alone.
std::string Different(std::vector<std::string> before, std::vector<std::string> after) {
  std::ranges::sort(before);
  std::ranges::sort(after);
  std::vector<std::string> different;
  std::ranges::set_symmetric_difference(before, after, std::back_inserter(different));
  std::string text;
  for (const std::string& item : different) {
    for (const char one : item)
      text += one >= ' ' && one <= '~' ? one : ' ';
    text += '\n';
  }
  return text;
}

class ReplayTest : public WorldFixture {
 protected:
  // How many changes there were.
  std::size_t Replay(const platform::App& app) {
    const platform::Mount& mount = *host().FindMount(app.name);
    auto reader = backend().Follow(mount.runtime->table(), "");
    EXPECT_TRUE(reader.ok());
    std::size_t count = 0;
    for (int quiet = 0; quiet < 2;) {
      const auto changes = (*reader)->Next(100, std::chrono::milliseconds(100));
      EXPECT_TRUE(changes.ok());
      if (!changes.ok()) break;
      if (changes->empty()) ++quiet;
      for (const design::Change& change : *changes) {
        platform::ItemChange item{.runtime = *mount.runtime, .change = change};
        if (change.old_image) item.old_item = mount.runtime->Recognise(change.old_image->view());
        if (change.new_image) item.new_item = mount.runtime->Recognise(change.new_image->view());
        if (!item.old_item && !item.new_item) continue;
        ++count;
        for (const platform::AppConsumer& consumer : app.consumers)
          EXPECT_TRUE(consumer.handle(mount, item).ok()) << app.name << " " << consumer.name;
      }
    }
    return count;
  }

  std::vector<std::string> Found() {
    std::vector<std::string> found;
    for (const platform::App& app : All())
      for (const std::string& word : {Secret("ann"), Shown("ann")})
        found.push_back(Somebody("ann", app).Get("/search?limit=100&q=" + word).At("items"));
    return found;
  }
};
TRESTLE_WORLD_BACKENDS(ReplayTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(ReplayTest);

TEST_P(ReplayTest, WhatComesAgainChangesNothing) {
  MakeWorld();
  LeaveDigest();
  Settle();
  const auto items = Items();
  const auto found = Found();
  for (int turn = 0; turn < 2; ++turn) {
    for (const platform::App& app : All())
      EXPECT_GT(Replay(app), 10U) << app.name;
    Settle();
    EXPECT_EQ(Different(items, Items()), "") << "turn " << turn;
    EXPECT_TRUE(Found() == found) << "turn " << turn;
  }
}

}  // namespace
}  // namespace trestle::apps::testing
