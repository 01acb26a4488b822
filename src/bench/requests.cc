#include "bench/requests.h"

#include <algorithm>
#include <ctime>
#include <random>

#include <fmt/format.h>

#include "protocol/canonical_request.h"
#include "protocol/sigv4.h"

namespace trestle::bench {
namespace {

constexpr std::uint64_t kBatchItems = 25;

// Text that does not compress to nothing, the same for the same item.
std::string Text(std::uint64_t item, std::size_t size) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";
  std::uint64_t state = item * 0x9E3779B97F4A7C15U + 1;
  std::string text(size, ' ');
  for (char& letter : text) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    letter = kLetters[state >> 58U];
  }
  return text;
}

std::string PartitionJson(std::uint64_t item) {
  return fmt::format(R"("customer":{{"S":"customer#{:08}"}})", item / kPartitionItems);
}

std::string KeyJson(std::uint64_t item) {
  return fmt::format(R"({},"order":{{"S":"order#{:02}"}})", PartitionJson(item),
                     item % kPartitionItems);
}

// Another `version` is another text: the engine does not write an item that stays as it was.
std::string ItemJson(std::uint64_t item, std::uint64_t version, const Workload& workload) {
  return fmt::format(
      R"({{{},"status":{{"S":"SHIPPED"}},"placedAt":{{"S":"2026-01-31T23:59:59.{:03}Z"}},)"
      R"("totalCents":{{"N":"{}"}},"views":{{"N":"0"}},"gift":{{"BOOL":false}},)"
      R"("tags":{{"L":[{{"S":"books"}},{{"S":"express"}}]}},"note":{{"S":"{}"}}}})",
      KeyJson(item), item % 1000, item % 100'000, Text(item + version, workload.text_bytes));
}

class SignedRequests {
 public:
  explicit SignedRequests(std::uint16_t port)
      : host_(fmt::format("127.0.0.1:{}", port)),
        timestamp_(protocol::TimestampOf(std::time(nullptr))) {}

  [[nodiscard]] std::string Make(std::string_view operation, const std::string& body) const {
    const std::string target = fmt::format("DynamoDB_20120810.{}", operation);
    const protocol::HeaderView headers[] = {{"Host", host_},
                                            {"Content-Type", "application/x-amz-json-1.0"},
                                            {"X-Amz-Date", timestamp_},
                                            {"X-Amz-Target", target}};
    const std::string authorization =
        protocol::Authorization({"POST", "/", "", headers, body},
                                {kAccessKeyId, kSecretAccessKey, "us-east-1"}, timestamp_);
    std::string request = "POST / HTTP/1.1\r\n";
    for (const auto& [name, value] : headers)
      request += fmt::format("{}: {}\r\n", name, value);
    return request + fmt::format("Authorization: {}\r\nContent-Length: {}\r\n\r\n{}", authorization,
                                 body.size(), body);
  }

 private:
  const std::string host_;
  const std::string timestamp_;
};

std::string CreateTable(const SignedRequests& requests) {
  return requests.Make(
      "CreateTable",
      R"({"TableName":"orders","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
      R"({"AttributeName":"customer","AttributeType":"S"},)"
      R"({"AttributeName":"order","AttributeType":"S"}],"KeySchema":[)"
      R"({"AttributeName":"customer","KeyType":"HASH"},)"
      R"({"AttributeName":"order","KeyType":"RANGE"}]})");
}

std::string BatchWrite(const SignedRequests& requests, std::uint64_t first, std::uint64_t end,
                       const Workload& workload) {
  std::string body = R"({"RequestItems":{"orders":[)";
  for (std::uint64_t item = first; item < end; ++item) {
    if (item > first) body += ',';
    body += fmt::format(R"({{"PutRequest":{{"Item":{}}}}})", ItemJson(item, 0, workload));
  }
  return requests.Make("BatchWriteItem", body + "]}}");
}

std::string BatchGet(const SignedRequests& requests, std::uint64_t first) {
  std::string body = R"({"RequestItems":{"orders":{"Keys":[)";
  for (std::uint64_t item = first; item < first + kPartitionItems; ++item)
    body += fmt::format("{}{{{}}}", item > first ? "," : "", KeyJson(item));
  return requests.Make("BatchGetItem", body + "]}}}");
}

std::string Query(const SignedRequests& requests, std::uint64_t item) {
  return requests.Make(
      "Query", fmt::format(R"({{"TableName":"orders","KeyConditionExpression":"customer = :c",)"
                           R"("ExpressionAttributeValues":{{":c":{{"S":"customer#{:08}"}}}}}})",
                           item / kPartitionItems));
}

std::string Update(const SignedRequests& requests, std::uint64_t item) {
  return requests.Make("UpdateItem",
                       fmt::format(R"({{"TableName":"orders","Key":{{{}}},"UpdateExpression":)"
                                   R"("ADD #v :one","ConditionExpression":"#s = :shipped",)"
                                   R"("ExpressionAttributeNames":{{"#v":"views","#s":"status"}},)"
                                   R"("ExpressionAttributeValues":{{":one":{{"N":"1"}},)"
                                   R"(":shipped":{{"S":"SHIPPED"}}}}}})",
                                   KeyJson(item)));
}

std::string RedisCommand(std::initializer_list<std::string_view> words) {
  std::string command = fmt::format("*{}\r\n", words.size());
  for (const std::string_view word : words)
    command += fmt::format("${}\r\n{}\r\n", word.size(), word);
  return command;
}

std::string RedisKey(std::uint64_t item) {
  return fmt::format("customer#{:08}/order#{:02}", item / kPartitionItems, item % kPartitionItems);
}

std::string MakeRequest(Kind kind, const SignedRequests& requests, std::uint64_t item,
                        std::uint64_t version, const Workload& workload) {
  switch (kind) {
    case Kind::kCreate:
      return CreateTable(requests);
    case Kind::kFill:
      return BatchWrite(requests, item,
                        std::min(item + kBatchItems, workload.first_item + workload.item_count),
                        workload);
    case Kind::kTouch:
      return BatchGet(requests, item);
    case Kind::kSweep:
    case Kind::kQuery:
      return Query(requests, item);
    case Kind::kGet:
      return requests.Make("GetItem",
                           fmt::format(R"({{"TableName":"orders","Key":{{{}}}}})", KeyJson(item)));
    case Kind::kPut:
      return requests.Make("PutItem", fmt::format(R"({{"TableName":"orders","Item":{}}})",
                                                  ItemJson(item, version, workload)));
    case Kind::kUpdate:
      return Update(requests, item);
    case Kind::kStatic:
      return fmt::format(
          "GET /{:08} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUser-Agent: trestle-bench\r\n"
          "Accept: application/json\r\nAccept-Encoding: identity\r\n\r\n",
          item, workload.port);
    case Kind::kRedisFill:
      return RedisCommand({"SET", RedisKey(item), ItemJson(item, 0, workload)});
    case Kind::kRedisGet:
      return RedisCommand({"GET", RedisKey(item)});
  }
  return {};
}

// How far apart the items are that the requests of a pass begin with.
std::uint64_t PassStep(Kind kind, const Workload& workload) {
  if (kind == Kind::kCreate) return workload.item_count;
  if (kind == Kind::kFill) return kBatchItems;
  return kind == Kind::kSweep || kind == Kind::kTouch ? kPartitionItems : 1;
}

}  // namespace

bool IsOnePass(Kind kind) {
  return kind == Kind::kCreate || kind == Kind::kFill || kind == Kind::kSweep ||
         kind == Kind::kTouch || kind == Kind::kRedisFill;
}

bool IsRedis(Kind kind) { return kind == Kind::kRedisFill || kind == Kind::kRedisGet; }

std::vector<std::string> MakeRequests(Kind kind, const Workload& workload, std::size_t count) {
  const SignedRequests requests(workload.port);
  std::vector<std::string> made;
  if (IsOnePass(kind)) {
    const std::uint64_t end = workload.first_item + workload.item_count;
    for (std::uint64_t item = workload.first_item; item < end; item += PassStep(kind, workload))
      made.push_back(MakeRequest(kind, requests, item, 0, workload));
    return made;
  }
  // Every run draws anew, or a second one would put what is there already.
  std::mt19937_64 random(std::random_device{}());
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t item = random() % workload.item_count;
    made.push_back(MakeRequest(kind, requests, item, random(), workload));
  }
  return made;
}

}  // namespace trestle::bench
