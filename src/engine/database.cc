#include "engine/database.h"

#include <algorithm>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "engine/catalog.h"
#include "engine/committer.h"
#include "engine/index_lag.h"
#include "engine/item_writer.h"
#include "engine/page.h"
#include "engine/read.h"
#include "engine/statement.h"
#include "engine/stream_iterator.h"
#include "engine/stream_read.h"
#include "engine/subscription.h"
#include "engine/ttl.h"

namespace trestle::engine {
namespace {

constexpr std::size_t kBlockingRowsMax = 1'000'000;

// A write whose caller waits for it.
class AwaitedWrite final : public Submission {
 public:
  explicit AwaitedWrite(Request write) {
    writes.push_back({.request = std::move(write), .reply = std::nullopt});
  }
  void Done(std::unique_ptr<Submission> self) override {
    const std::unique_ptr<Submission> owned = std::move(self);
    done_.set_value(*std::move(writes.front().reply));
  }
  [[nodiscard]] std::future<Result<Reply>> Future() { return done_.get_future(); }

 private:
  std::promise<Result<Reply>> done_;
};

Result<PageReply> ReadAll(PageReader& reader) {
  bool is_complete = false;
  while (!is_complete)
    is_complete = TRY(reader.Step(kBlockingRowsMax));
  return reader.Finish();
}

bool IsRead(const expr::partiql::Statement& statement) { return statement.IsRead(); }

bool IsReadOrError(const Result<StatementRequest>& statement) {
  return !statement.ok() || statement->statement.IsRead();
}

}  // namespace

bool IsWrite(const Request& request) {
  if (const auto* one = std::get_if<StatementRequest>(&request)) return !one->statement.IsRead();
  if (const auto* batch = std::get_if<BatchStatementRequest>(&request)) {
    return !std::ranges::all_of(batch->statements, IsReadOrError);
  }
  if (const auto* transaction = std::get_if<TransactStatementRequest>(&request)) {
    return !std::ranges::all_of(transaction->statements, IsRead);
  }
  return std::holds_alternative<WriteRequest>(request) ||
         std::holds_alternative<BatchWriteRequest>(request) ||
         std::holds_alternative<TransactWriteRequest>(request) || IsTableChange(request);
}

bool IsTableChange(const Request& request) {
  return std::holds_alternative<CreateTableRequest>(request) ||
         std::holds_alternative<UpdateTableRequest>(request) ||
         std::holds_alternative<UpdateTimeToLiveRequest>(request) ||
         std::holds_alternative<ChangeTagsRequest>(request) ||
         std::holds_alternative<DeleteTableRequest>(request);
}

Database::Database(std::unique_ptr<storage::Store> store, const DatabaseOptions& options)
    : options_(options),
      store_(std::move(store)),
      catalog_(std::make_unique<Catalog>()),
      index_lag_(options.index_lag_ms > 0
                     ? std::make_unique<IndexLag>(*store_, *options.clock, options.index_lag_ms)
                     : nullptr) {}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(std::unique_ptr<storage::Store> store,
                                                 const DatabaseOptions& options) {
  CHECK(options.clock != nullptr, "a database is given its clock");
  CHECK(options.random != nullptr, "a database is given its randomness");
  std::unique_ptr<Database> database(new Database(std::move(store), options));
  TRY(database->catalog_->Load(*database->store_));
  database->sealer_ = std::make_unique<IteratorSealer>(
      TRY(IteratorSealer::Load(*database->store_, options.durability)));
  database->committer_ =
      std::make_unique<Committer>(*database->store_, *database->catalog_, options);
  return database;
}

Result<Reply> Database::Execute(Request request) {
  if (IsWrite(request)) {
    auto write = std::make_unique<AwaitedWrite>(std::move(request));
    std::future<Result<Reply>> future = write->Future();
    Submit(std::move(write));
    return future.get();
  }
  if (const auto* get = std::get_if<GetRequest>(&request)) return ToReply(Get(*get));
  if (const auto* batch = std::get_if<BatchGetRequest>(&request)) return ToReply(BatchGet(*batch));
  if (const auto* gets = std::get_if<TransactGetRequest>(&request)) {
    return ToReply(TransactGet(*gets));
  }
  if (const auto* page = std::get_if<PageRequest>(&request)) return ToReply(ReadPage(*page));
  if (const auto* describe = std::get_if<DescribeTableRequest>(&request)) {
    return ToReply(DescribeTable(*describe));
  }
  if (const auto* list = std::get_if<ListTablesRequest>(&request))
    return ToReply(ListTables(*list));
  if (const auto* list = std::get_if<ListStreamsRequest>(&request)) {
    return ToReply(ListStreams(*list));
  }
  if (const auto* describe = std::get_if<DescribeStreamRequest>(&request)) {
    return ToReply(DescribeStream(*describe));
  }
  if (const auto* iterator = std::get_if<ShardIteratorRequest>(&request)) {
    return ToReply(MakeShardIterator(*iterator));
  }
  if (const auto* records = std::get_if<RecordsRequest>(&request)) {
    return ToReply(ReadRecords(*records));
  }
  if (const auto* select = std::get_if<StatementRequest>(&request)) return ToReply(Select(*select));
  if (const auto* batch = std::get_if<BatchStatementRequest>(&request)) {
    return ToReply(SelectBatch(*batch));
  }
  if (const auto* reads = std::get_if<TransactStatementRequest>(&request)) {
    return ToReply(TransactSelect(*reads));
  }
  return Reply(std::monostate{});
}

void Database::Submit(std::unique_ptr<Submission> submission) {
  if (index_lag_ != nullptr) index_lag_->BeforeWrite();
  committer_->Submit(std::move(submission));
}

Result<std::unique_ptr<PageReader>> Database::StartPage(const PageRequest& request) const {
  auto table = TRY(FindUsableTable(*catalog_, request.table, options_.clock->NowUnixMs()));
  return engine::StartPage({*store_, index_lag_.get()}, std::move(table), request);
}

Result<GetReply> Database::Get(const GetRequest& request) const {
  return ReadItem(*store_, *catalog_, request, options_.clock->NowUnixMs());
}

Result<BatchGetReply> Database::BatchGet(const BatchGetRequest& request) const {
  return ReadBatch(*store_, *catalog_, request, options_.clock->NowUnixMs());
}

Result<TransactGetReply> Database::TransactGet(const TransactGetRequest& request) const {
  return ReadTransaction(*store_, *catalog_, request, options_.clock->NowUnixMs());
}

Result<PageReply> Database::ReadPage(const PageRequest& request) const {
  const std::unique_ptr<PageReader> reader = TRY(StartPage(request));
  return ReadAll(*reader);
}

Result<std::unique_ptr<PageReader>> Database::StartPage(const StatementRequest& request) const {
  auto table =
      TRY(FindUsableTable(*catalog_, request.statement.table, options_.clock->NowUnixMs()));
  return StartSelect({*store_, index_lag_.get()}, std::move(table), request);
}

Result<StatementReply> Database::Select(const StatementRequest& request) const {
  const std::unique_ptr<PageReader> reader = TRY(StartPage(request));
  return ToStatementReply(request.statement, TRY(ReadAll(*reader)));
}

Result<BatchStatementReply> Database::SelectBatch(const BatchStatementRequest& request) const {
  return ReadStatements(*store_, *catalog_, request, options_.clock->NowUnixMs());
}

Result<TransactStatementReply> Database::TransactSelect(
    const TransactStatementRequest& request) const {
  return ReadStatements(*store_, *catalog_, request, options_.clock->NowUnixMs());
}

Result<TableReply> Database::DescribeTable(const DescribeTableRequest& request) const {
  std::optional<TableDescription> description = catalog_->Describe(request.table);
  if (!description) {
    return Error(ErrorCode::kResourceNotFound,
                 fmt::format("Requested resource not found: Table: {} not found", request.table));
  }
  TableSchema schema = *description->schema;
  const std::int64_t now_unix_ms = options_.clock->NowUnixMs();
  schema.status = StatusAt(schema, now_unix_ms);
  schema.time_to_live = TimeToLiveAt(schema, now_unix_ms);
  description->schema = std::make_shared<const TableSchema>(std::move(schema));
  return TableReply{*std::move(description)};
}

Result<ListTablesReply> Database::ListTables(const ListTablesRequest& request) const {
  return catalog_->List(request);
}

StreamReader Database::Streams() const {
  return {*store_, *catalog_, *sealer_, options_.clock->NowUnixMs()};
}

Result<ListStreamsReply> Database::ListStreams(const ListStreamsRequest& request) const {
  return Streams().List(request);
}

Result<DescribeStreamReply> Database::DescribeStream(const DescribeStreamRequest& request) const {
  return Streams().Describe(request, options_.transient_status_ms);
}

Result<ShardIteratorReply> Database::MakeShardIterator(const ShardIteratorRequest& request) const {
  return Streams().MakeIterator(request);
}

Result<RecordsReply> Database::ReadRecords(const RecordsRequest& request) const {
  return Streams().Read(request);
}

Result<std::unique_ptr<Subscription>> Database::Subscribe(const SubscribeRequest& request) const {
  return Subscription::Open(*store_, *catalog_, request);
}

std::size_t Database::pending_writes() const { return committer_->pending(); }

bool Database::IsWritable() const { return committer_->IsWritable(); }

}  // namespace trestle::engine
