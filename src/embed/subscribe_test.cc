// A table's changes followed from inside the process.

#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "trestle/database.h"

namespace trestle::embed {
namespace {

using namespace std::chrono_literals;
using V = AttributeValue;

Database OpenDatabase(const DatabaseOptions& options) {
  auto database = Database::Open(options);
  EXPECT_TRUE(database.ok()) << database.error().message;
  return *std::move(database);
}

void CreateTable(Database& database) {
  const auto created = database.CreateTable(
      {.table_name = "tasks",
       .attribute_definitions = {{.attribute_name = "id"}},
       .key_schema = {{.attribute_name = "id"}},
       .billing_mode = BillingMode::kPayPerRequest,
       .stream_specification = StreamSpecification{
           .stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages}});
  ASSERT_TRUE(created.ok()) << created.error().message;
}

Item Task(const std::string& id, int state) {
  return {{"id", V::String(id)}, {"state", V::Number(state)}};
}

void Put(Database& database, const Item& item) {
  const auto put = database.PutItem({.table_name = "tasks", .item = item});
  ASSERT_TRUE(put.ok()) << put.error().message;
}

Subscription Subscribe(Database& database, const SubscribeInput& input) {
  auto subscription = database.Subscribe(input);
  EXPECT_TRUE(subscription.ok()) << subscription.error().message;
  return *std::move(subscription);
}

TEST(Subscribe, RecordsSayWhatChanged) {
  Database database = OpenDatabase({.in_memory = true});
  CreateTable(database);
  Put(database, Task("a", 1));
  Put(database, Task("a", 2));
  Put(database, Task("a", 2));  // changes nothing
  ASSERT_TRUE(database.DeleteItem({.table_name = "tasks", .key = {{"id", V::String("a")}}}).ok());

  Subscription subscription = Subscribe(database, {.table_name = "tasks"});
  const auto records = subscription.Next({});
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->size(), 3U);
  const Item key = {{"id", V::String("a")}};
  const StreamRecord& inserted = (*records)[0];
  EXPECT_EQ(inserted.event_name, OperationType::kInsert);
  EXPECT_EQ(inserted.keys, key);
  EXPECT_EQ(inserted.new_image, Task("a", 1));
  EXPECT_EQ(inserted.old_image, std::nullopt);
  EXPECT_LT(std::chrono::system_clock::now() - inserted.approximate_creation_date_time, 1min);
  const StreamRecord& modified = (*records)[1];
  EXPECT_EQ(modified.event_name, OperationType::kModify);
  EXPECT_EQ(modified.old_image, Task("a", 1));
  EXPECT_EQ(modified.new_image, Task("a", 2));
  const StreamRecord& removed = (*records)[2];
  EXPECT_EQ(removed.event_name, OperationType::kRemove);
  EXPECT_FALSE(removed.is_expiry);
  EXPECT_EQ(removed.old_image, Task("a", 2));
  EXPECT_EQ(removed.new_image, std::nullopt);
  EXPECT_EQ(removed.position, subscription.position());
}

TEST(Subscribe, GoesOnFromAPositionAlsoInALaterProcess) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "trestle-subscribe";
  std::filesystem::remove_all(folder);
  std::string position;
  {
    Database database = OpenDatabase({.folder = folder});
    CreateTable(database);
    for (int i = 0; i < 5; ++i)
      Put(database, Task("a", i));
    Subscription subscription = Subscribe(database, {.table_name = "tasks"});
    const auto records = subscription.Next({.records_max = 3});
    ASSERT_EQ(records->size(), 3U);
    position = (*records)[1].position;  // the third was not dealt with
  }
  Database database = OpenDatabase({.folder = folder});
  Subscription subscription = Subscribe(database, {.table_name = "tasks", .position = position});
  for (int i = 2; i < 5; ++i) {
    const auto records = subscription.Next({.records_max = 1});
    ASSERT_EQ(records->size(), 1U);
    EXPECT_EQ(records->front().new_image, Task("a", i));
  }
  EXPECT_TRUE(subscription.Next({.wait = 0ms})->empty());
  std::filesystem::remove_all(folder);
}

// Writers and a reader at once: nothing is missed, repeated or out of order.
TEST(Subscribe, FollowsWritersAsTheyCommit) {
  Database database = OpenDatabase({.in_memory = true});
  CreateTable(database);
  Subscription subscription =
      Subscribe(database, {.table_name = "tasks", .start = SubscriptionStart::kLatest});
  constexpr int kWriters = 4;
  constexpr int kWrites = 200;
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&database, writer] {
      for (int i = 1; i <= kWrites; ++i)
        Put(database, Task(std::to_string(writer), i));
    });
  }
  std::map<std::string, int> last;
  for (int seen = 0; seen < kWriters * kWrites;) {
    const auto records = subscription.Next({.records_max = 7, .wait = 30s});
    ASSERT_TRUE(records.ok());
    ASSERT_FALSE(records->empty());
    for (const StreamRecord& record : *records) {
      const std::string& id = *record.keys.at("id").AsString();
      EXPECT_EQ(record.new_image, Task(id, ++last[id]));
      ++seen;
    }
  }
}

TEST(Subscribe, EndsWithTheStream) {
  Database database = OpenDatabase({.in_memory = true});
  CreateTable(database);
  Subscription subscription = Subscribe(database, {.table_name = "tasks"});
  std::jthread dropper([&] {
    std::this_thread::sleep_for(20ms);
    EXPECT_TRUE(database.DeleteTable({.table_name = "tasks"}).ok());
  });
  EXPECT_TRUE(subscription.Next({.wait = 60s})->empty());
  EXPECT_TRUE(subscription.IsOver());
}

TEST(Subscribe, StopEndsAWait) {
  Database database = OpenDatabase({.in_memory = true});
  CreateTable(database);
  Subscription subscription = Subscribe(database, {.table_name = "tasks"});
  std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    subscription.Stop();
  });
  EXPECT_TRUE(subscription.Next({.wait = 60s})->empty());
  EXPECT_FALSE(subscription.IsOver());
}

TEST(Subscribe, RefusesWhatIsNotThere) {
  Database database = OpenDatabase({.in_memory = true});
  EXPECT_EQ(database.Subscribe({.table_name = "tasks"}).error().code,
            ErrorCode::kResourceNotFoundException);
  CreateTable(database);
  for (const std::string position : {"", "1", "1.", ".1", "1.x", "a.1", "1.1 ", "-1.1"}) {
    const auto subscription = database.Subscribe({.table_name = "tasks", .position = position});
    ASSERT_FALSE(subscription.ok()) << position;
    EXPECT_EQ(subscription.error().code, ErrorCode::kValidationException) << position;
  }
  EXPECT_EQ(database.Subscribe({.table_name = "tasks", .position = "99.1"}).error().code,
            ErrorCode::kResourceNotFoundException);
}

}  // namespace
}  // namespace trestle::embed
