// The order of shards, and what happens to places in them, on a stream that the test makes up. What
// a real server's streams give is tested in tests/design.

#include "remote/stream_reader.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "json/json.h"
#include "remote/testing_internal.h"

namespace trestle::remote {
namespace {

using testing::EnvironmentOf;
using testing::FakeServer;
using testing::JsonResponse;
using testing::Seen;

constexpr std::chrono::milliseconds kShort{20};
constexpr std::chrono::milliseconds kLong{5000};

struct FakeShard {
  std::string parent;
  bool is_open = false;
  std::vector<int> records;  // their sequence numbers
};

// A table's stream. An iterator is "<shard>:<next index>".
class FakeStream {
 public:
  std::map<std::string, FakeShard> shards;
  std::string arn = "arn:1";
  std::string status = "ENABLED";
  bool is_enabled = true;
  std::set<std::string> expired;   // iterators
  std::int64_t time_unix_s = 100;  // of every record
  std::size_t page = 2;            // shards in one description, and records in one reply

  [[nodiscard]] http::Response Answer(const Seen& seen) {
    json::Parser parser;
    const auto parsed = parser.Parse(seen.body);
    json::Object body;
    if (!parsed.ok() || parsed->get(body) != simdjson::SUCCESS) return JsonResponse(400, "");
    const std::string& target = seen.headers.at("x-amz-target");
    if (target.ends_with(".DescribeTable")) return DescribeTable();
    if (target.ends_with(".DescribeStream")) return DescribeStream(body);
    if (target.ends_with(".GetShardIterator")) return GetShardIterator(body);
    return GetRecords(body);
  }

 private:
  static std::string Text(json::Object body, std::string_view name) {
    std::string_view text;
    return body.at_key(name).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
  }
  static http::Response Failure(std::string_view name) {
    return JsonResponse(400, fmt::format(R"({{"__type":"x#{}"}})", name));
  }

  [[nodiscard]] http::Response DescribeTable() const {
    return JsonResponse(200,
                        fmt::format(R"({{"Table":{{"TableName":"t","TableStatus":"ACTIVE",)"
                                    R"("StreamSpecification":{{"StreamEnabled":{},)"
                                    R"("StreamViewType":"KEYS_ONLY"}},"LatestStreamArn":"{}"}}}})",
                                    is_enabled, arn));
  }

  [[nodiscard]] http::Response DescribeStream(json::Object body) const {
    if (Text(body, "StreamArn") != arn) return Failure("ResourceNotFoundException");
    std::string list;
    std::string last;
    std::size_t count = 0;
    for (auto it = shards.upper_bound(Text(body, "ExclusiveStartShardId")); it != shards.end();
         ++it) {
      if (count++ == page) break;
      last = it->first;
      list += fmt::format(R"({}{{"ShardId":"{}","ParentShardId":"{}",)"
                          R"("SequenceNumberRange":{{"StartingSequenceNumber":"0"{}}}}})",
                          list.empty() ? "" : ",", it->first, it->second.parent,
                          it->second.is_open ? "" : R"(,"EndingSequenceNumber":"9")");
    }
    if (last.empty() || last == shards.rbegin()->first) last.clear();
    return JsonResponse(200, fmt::format(R"({{"StreamDescription":{{"StreamStatus":"{}",)"
                                         R"("Shards":[{}],"LastEvaluatedShardId":"{}"}}}})",
                                         status, list, last));
  }

  [[nodiscard]] http::Response GetShardIterator(json::Object body) const {
    const std::string id = Text(body, "ShardId");
    if (!shards.contains(id)) return Failure("ResourceNotFoundException");
    const std::vector<int>& records = shards.at(id).records;
    std::size_t next = 0;
    if (Text(body, "ShardIteratorType") == "LATEST") next = records.size();
    if (const std::string after = Text(body, "SequenceNumber"); !after.empty()) {
      while (next < records.size() && records[next] <= std::stoi(after))
        ++next;
    }
    return JsonResponse(200, fmt::format(R"({{"ShardIterator":"{}:{}"}})", id, next));
  }

  [[nodiscard]] http::Response GetRecords(json::Object body) {
    const std::string iterator = Text(body, "ShardIterator");
    if (expired.erase(iterator) > 0) return Failure("ExpiredIteratorException");
    const std::size_t colon = iterator.find(':');
    const FakeShard& shard = shards.at(iterator.substr(0, colon));
    std::size_t next = std::stoul(iterator.substr(colon + 1));
    std::int64_t limit = 0;
    EXPECT_EQ(body.at_key("Limit").get(limit), simdjson::SUCCESS);
    const std::size_t most = std::min(page, static_cast<std::size_t>(limit));
    std::string list;
    for (std::size_t i = 0; i < most && next < shard.records.size(); ++i, ++next) {
      list += fmt::format(R"({}{{"dynamodb":{{"SequenceNumber":"{}","Keys":{{}},)"
                          R"("ApproximateCreationDateTime":{}}}}})",
                          list.empty() ? "" : ",", shard.records[next], time_unix_s);
    }
    const bool is_over = !shard.is_open && next == shard.records.size();
    return JsonResponse(200, fmt::format(R"({{"Records":[{}]{}}})", list,
                                         is_over ? ""
                                                 : fmt::format(R"(,"NextShardIterator":"{}:{}")",
                                                               iterator.substr(0, colon), next)));
  }
};

class StreamReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto client = Client::Open(
        {.environment = EnvironmentOf({{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
         .endpoint = {.endpoint = server_.url(), .region = {}},
         .clock = &clock_,
         .random = &random_,
         .sleep = [](std::chrono::milliseconds) {}});
    ASSERT_TRUE(client.ok()) << client.error().message();
    client_ = *std::move(client);
  }

  [[nodiscard]] std::unique_ptr<StreamReader> Open(const std::string& position = "") {
    auto reader = StreamReader::Open(*client_, "t", position);
    EXPECT_TRUE(reader.ok()) << reader.error().message();
    return reader.ok() ? *std::move(reader) : nullptr;
  }

  // The sequence numbers of the next `count` records, in calls of at most `at_once`.
  [[nodiscard]] std::vector<int> Read(StreamReader& reader, std::size_t count,
                                      std::size_t at_once = 100) {
    std::vector<int> numbers;
    while (numbers.size() < count) {
      const auto records = reader.Next(at_once, kLong);
      EXPECT_TRUE(records.ok()) << records.error().message();
      if (!records.ok() || records->empty()) break;
      for (const StreamRecord& record : *records)
        numbers.push_back(std::stoi(record.sequence_number));
    }
    return numbers;
  }

  [[nodiscard]] ErrorCode Failure(StreamReader& reader) {
    const auto records = reader.Next(1, kShort);
    EXPECT_FALSE(records.ok());
    return records.ok() ? ErrorCode::kInternal : records.error().code();
  }

  FixedClock clock_{1'767'323'045'678};
  Random random_{1};
  FakeStream stream_;
  FakeServer server_{[this](const Seen& seen) { return stream_.Answer(seen); }};
  std::unique_ptr<Client> client_;
};

// Names that sort the other way round than the shards came: only their parents tell.
TEST_F(StreamReaderTest, ReadsParentsBeforeChildren) {
  stream_.shards = {{"c", {.parent = "gone", .records = {1, 2, 3, 4, 5}}},
                    {"b", {.parent = "c", .records = {6, 7, 8}}},
                    {"a", {.parent = "b", .is_open = true, .records = {9, 10}}}};
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(Read(*reader, 10), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_TRUE(reader->Next(1, kShort)->empty());
}

TEST_F(StreamReaderTest, ResumesAnywhere) {
  stream_.shards = {{"c", {.records = {1, 2, 3, 4, 5}}},
                    {"b", {.parent = "c", .records = {}}},
                    {"a", {.parent = "b", .is_open = true, .records = {6, 7, 8}}}};
  std::string position;
  std::vector<int> numbers;
  for (int i = 0; i < 8; ++i) {
    const auto reader = Open(position);
    ASSERT_NE(reader, nullptr);
    const std::vector<int> next = Read(*reader, 1, 1);
    numbers.insert(numbers.end(), next.begin(), next.end());
    position = reader->position();
  }
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(StreamReaderTest, FindsTheChildrenOfAShardThatIsReplaced) {
  stream_.shards = {{"b", {.is_open = true, .records = {1}}}};
  const auto reader = Open();
  EXPECT_EQ(Read(*reader, 1), (std::vector<int>{1}));
  stream_.shards["b"].is_open = false;
  stream_.shards["a"] = {.parent = "b", .is_open = true, .records = {2}};
  EXPECT_EQ(Read(*reader, 1), (std::vector<int>{2}));
}

TEST_F(StreamReaderTest, AnExpiredIteratorIsReplaced) {
  stream_.shards = {{"a", {.is_open = true, .records = {1, 2, 3}}}};
  const auto reader = Open();
  EXPECT_EQ(Read(*reader, 2), (std::vector<int>{1, 2}));
  stream_.expired = {"a:2"};
  EXPECT_EQ(Read(*reader, 1), (std::vector<int>{3}));
}

// Without a number and without an iterator only the time is left. Records that may be newer than
// the position are read rather than lost.
TEST_F(StreamReaderTest, APositionOfNowThatHasExpiredGoesByTime) {
  stream_.shards = {{"a", {.is_open = true, .records = {1, 2}}}, {"b", {.records = {3}}}};
  const auto position = StreamReader::CurrentPosition(*client_, "t");
  ASSERT_TRUE(position.ok()) << position.error().message();
  stream_.shards["a"].records.push_back(4);
  {
    const auto reader = Open(*position);
    EXPECT_EQ(Read(*reader, 1), (std::vector<int>{4}));
  }
  stream_.expired = {"a:2"};
  {
    const auto reader = Open(*position);
    EXPECT_TRUE(reader->Next(10, kShort)->empty());  // all are from long before
  }
  stream_.expired = {"a:2"};
  stream_.time_unix_s = clock_.NowUnixMs() / 1000;
  const auto reader = Open(*position);
  EXPECT_EQ(Read(*reader, 3), (std::vector<int>{1, 2, 4}));
}

TEST_F(StreamReaderTest, SaysWhenUnreadRecordsAreGone) {
  stream_.shards = {{"a", {.is_open = true, .records = {1, 2, 3}}}};
  const auto reader = Open();
  EXPECT_EQ(Read(*reader, 2), (std::vector<int>{1, 2}));
  const std::string position = reader->position();

  stream_.shards = {{"z", {.is_open = true, .records = {9}}}};
  EXPECT_EQ(Failure(*Open(position)), ErrorCode::kTrimmedDataAccess);
  stream_.arn = "arn:2";
  EXPECT_EQ(Failure(*Open(position)), ErrorCode::kTrimmedDataAccess);
  EXPECT_EQ(Read(*Open(), 1), (std::vector<int>{9}));
}

TEST_F(StreamReaderTest, ForgetsShardsThatAreReadAndGone) {
  stream_.shards = {{"a", {.records = {1}}},
                    {"b", {.parent = "a", .is_open = true, .records = {2}}}};
  const auto reader = Open();
  EXPECT_EQ(Read(*reader, 2), (std::vector<int>{1, 2}));
  stream_.shards.erase("a");
  stream_.shards["b"].is_open = false;
  stream_.shards["c"] = {.parent = "b", .is_open = true, .records = {3}};
  EXPECT_EQ(Read(*reader, 1), (std::vector<int>{3}));
  EXPECT_EQ(reader->position(),
            R"({"stream":"arn:1","shards":{"b":{"done":true},"c":{"after":"3"}}})");
}

TEST_F(StreamReaderTest, ADisabledStreamEndsOrIsFollowedByAnother) {
  stream_.shards = {{"a", {.records = {1}}}};
  stream_.status = "DISABLED";
  const auto reader = Open();
  EXPECT_EQ(Read(*reader, 1), (std::vector<int>{1}));
  stream_.is_enabled = false;
  EXPECT_EQ(Failure(*reader), ErrorCode::kResourceNotFound);

  stream_.is_enabled = true;
  stream_.status = "ENABLED";
  stream_.arn = "arn:2";
  stream_.shards = {{"b", {.is_open = true, .records = {7}}}};
  EXPECT_EQ(Read(*reader, 1), (std::vector<int>{7}));
}

TEST_F(StreamReaderTest, APositionIsNoOtherJson) {
  for (const std::string position : {"{", "[]", "{}", R"({"stream":"a"})", R"({"shards":{}})",
                                     R"({"stream":"a","shards":{"b":1}})"}) {
    const auto reader = StreamReader::Open(*client_, "t", position);
    ASSERT_FALSE(reader.ok()) << position;
    EXPECT_EQ(reader.error().code(), ErrorCode::kValidation);
  }
}

}  // namespace
}  // namespace trestle::remote
