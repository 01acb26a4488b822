// From a table through its stream into the index.

#include "platform/search/feed.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/log.h"
#include "design/backend_engine.h"
#include "engine/testing_internal.h"
#include "platform/testing_internal.h"

namespace trestle::platform::search {
namespace {

using namespace std::chrono_literals;
using testing::Texts;

constexpr std::string_view kDesign = R"(design Notes version 1

table "notes" {
  key pk, sk
  discriminate by attribute kind
  stream new_and_old
}

entity Note {
  type "NOTE"
  key pk "USER#{userId}" sk "NOTE#{noteId}"

  userId : id
  noteId : id
  title  : string(0..200)
}

entity Setting {
  type "SETTING"
  key pk "USER#{userId}" sk "SETTING"

  userId : id
  title  : string(0..200)
}

access getNote(userId, noteId) -> Note = get
access getSetting(userId) -> Setting = get
)";

std::optional<Document> DescribeNote(const design::TypedItem& item) {
  if (item.kind.entity == nullptr || item.kind.entity->name != "Note") return std::nullopt;
  const auto text = [&item](std::string_view name) {
    return std::string(item.record.FindText(name).value_or(""));
  };
  return Document{.type = "note",
                  .visible_to = {"user:" + text("userId")},
                  .fields = {{.name = "title", .rank = FieldRank::kTitle, .text = text("title")}},
                  .payload = text("noteId")};
}

class FeedTest : public engine::testing::DatabaseFixture {
 protected:
  FeedTest() : DatabaseFixture(1'767'323'045'678) {}

  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    OpenInMemory();
    backend_ = design::NewEngineBackend(*database_);
    notes_.emplace(kDesign, *backend_, clock_, random_);
    std::string pattern = ::testing::TempDir() + "trestle-feed-XXXXXX";
    index_folder_ = ::mkdtemp(pattern.data());
    file_ = index_folder_ + "/notes.search";
  }
  void TearDown() override {
    feed_.reset();
    index_.reset();
    std::filesystem::remove_all(index_folder_);
    log::SetLevel(log::Level::kInfo);
  }

  void Begin() {
    feed_.reset();
    index_.reset();
    auto index = Index::Open({.file = file_});
    ASSERT_TRUE(index.ok());
    index_ = *std::move(index);
    feed_ = std::make_unique<SearchFeed>(FeedOptions{.app = "notes",
                                                     .runtime = notes_->runtime.get(),
                                                     .index = index_.get(),
                                                     .clock = &clock_,
                                                     .describe = DescribeNote});
    feed_->Start();
  }
  void Create(std::string_view id, std::string_view title, std::string_view user = "ann") {
    const auto created = notes_->runtime->Create(
        notes_->Entity("Note"), Texts({{"userId", user}, {"noteId", id}, {"title", title}}));
    ASSERT_TRUE(created.ok()) << created.error().message();
  }
  void Update(std::string_view id, std::string_view title) {
    ASSERT_TRUE(notes_->runtime
                    ->Update(notes_->Entity("Note"), Texts({{"userId", "ann"}, {"noteId", id}}),
                             testing::SetText("title", title))
                    .ok());
  }
  void Delete(std::string_view id) {
    ASSERT_TRUE(
        notes_->runtime->Delete(notes_->Entity("Note"), Texts({{"userId", "ann"}, {"noteId", id}}))
            .ok());
  }
  std::set<std::string> Find(std::string_view text, std::string_view user = "ann") {
    const auto hits = index_->Find(
        {.text = std::string(text), .may_see = {"user:" + std::string(user)}, .limit = 1000});
    EXPECT_TRUE(hits.ok()) << hits.error().message();
    std::set<std::string> found;
    if (!hits.ok()) return found;
    for (const Hit& hit : hits->items)
      EXPECT_TRUE(found.insert(hit.payload).second) << hit.payload;
    return found;
  }
  [[nodiscard]] bool Drained() { return feed_->Drained(30s); }

  std::string index_folder_;
  std::string file_;
  std::unique_ptr<design::Backend> backend_;
  std::optional<testing::DesignAtWork> notes_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<SearchFeed> feed_;
};

using Ids = std::set<std::string>;

TEST_F(FeedTest, FollowsTheTable) {
  Begin();
  ASSERT_TRUE(Drained());
  Create("n1", "buy milk");
  Create("n2", "milk the cow");
  Create("n3", "milk", "bob");
  ASSERT_TRUE(notes_->runtime
                  ->Create(notes_->Entity("Setting"), Texts({{"userId", "ann"}, {"title", "milk"}}))
                  .ok());
  ASSERT_TRUE(Drained());
  EXPECT_EQ(Find("milk"), (Ids{"n1", "n2"}));
  EXPECT_EQ(Find("milk", "bob"), (Ids{"n3"}));
  Update("n1", "buy bread");
  Delete("n2");
  ASSERT_TRUE(Drained());
  EXPECT_EQ(Find("milk"), Ids());
  EXPECT_EQ(Find("bread"), (Ids{"n1"}));
  EXPECT_EQ(feed_->LagMs(), 0);
  EXPECT_EQ(feed_->state().counters.given_up, 0U);
}

TEST_F(FeedTest, BuildsWhatWasThereBefore) {
  for (int i = 0; i < 1200; ++i)
    Create(fmt::format("n{}", i), "milk");
  Begin();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(index_->Find({.text = "milk", .may_see = {"user:ann"}})->total, 1200U);
  EXPECT_EQ(feed_->rebuilds(), 1U);
}

TEST_F(FeedTest, GoesOnWhereItWas) {
  Begin();
  Create("n1", "milk");
  ASSERT_TRUE(Drained());
  feed_->Stop();
  Create("n2", "milk");
  Delete("n1");
  Begin();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(Find("milk"), (Ids{"n2"}));
  EXPECT_EQ(feed_->rebuilds(), 0U);
}

// A crash between a batch and its position: the changes come again.
TEST_F(FeedTest, ChangesThatComeAgainAreHarmless) {
  Begin();
  ASSERT_TRUE(Drained());
  feed_->Stop();
  const std::string before = *index_->Position();
  feed_->Start();
  for (int i = 0; i < 30; ++i)
    Create(fmt::format("n{}", i), fmt::format("milk {}", i % 3));
  for (int i = 0; i < 10; ++i)
    Delete(fmt::format("n{}", i));
  Create("n3", "milk again");
  ASSERT_TRUE(Drained());
  const Ids found = Find("milk");
  ASSERT_EQ(found.size(), 21U);
  const double score = index_->Find({.text = "again", .may_see = {"user:ann"}})->items.at(0).score;
  for (int round = 0; round < 2; ++round) {
    feed_->Stop();
    ASSERT_TRUE(index_->Write({}, before).ok());
    feed_->Start();
    ASSERT_TRUE(Drained());
    EXPECT_EQ(Find("milk"), found);
    EXPECT_EQ(index_->Find({.text = "again", .may_see = {"user:ann"}})->items.at(0).score, score);
  }
  EXPECT_EQ(feed_->rebuilds(), 1U);
}

TEST_F(FeedTest, RebuildsWhileOthersWrite) {
  for (int i = 0; i < 500; ++i)
    Create(fmt::format("n{}", i), "milk");
  Begin();
  ASSERT_TRUE(Drained());
  std::thread writer([this] {
    for (int i = 0; i < 500; ++i) {
      if (i % 5 == 0) {
        Delete(fmt::format("n{}", i));
      } else if (i % 5 == 1) {
        Update(fmt::format("n{}", i), "bread");
      }
      Create(fmt::format("new{}", i), "milk");
    }
  });
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = feed_->rebuilds();
    feed_->Rebuild();
    EXPECT_TRUE(Eventually([&] { return feed_->rebuilds() > before; }));
  }
  writer.join();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(Find("milk").size(), 800U);
  EXPECT_EQ(Find("bread").size(), 100U);
  EXPECT_EQ(Find("").size(), 900U);
}

TEST_F(FeedTest, ALostFileIsBuiltAgain) {
  Create("n1", "milk");
  Begin();
  ASSERT_TRUE(Drained());
  feed_->Stop();
  index_.reset();
  std::filesystem::remove_all(index_folder_);
  std::filesystem::create_directory(index_folder_);
  Begin();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(Find("milk"), (Ids{"n1"}));
}

TEST_F(FeedTest, ADamagedFileIsBuiltAgainWhileItRuns) {
  for (int i = 0; i < 1000; ++i)
    Create(fmt::format("n{}", i), fmt::format("milk number{}", i));
  Begin();
  ASSERT_TRUE(Drained());
  feed_.reset();
  index_.reset();
  const auto size = std::filesystem::file_size(file_);
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  for (std::uintmax_t at = 3 * 4096; at < size; at += 4096) {
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(1000, '\x5a');
  }
  file.close();
  Begin();
  // A query or a write that meets the damage.
  Create("new", "milk");
  EXPECT_TRUE(Eventually([&] {
    const auto hits = index_->Find({.text = "milk", .may_see = {"user:ann"}});
    return hits.ok() && hits->total == 1001 && feed_->rebuilds() > 0;
  }));
}

}  // namespace
}  // namespace trestle::platform::search
