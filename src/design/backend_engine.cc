#include "design/backend_engine.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/check.h"
#include "base/limits.h"
#include "base/mutex.h"
#include "base/unit_counter.h"
#include "design/engine_tables_internal.h"
#include "design/table_plan.h"
#include "engine/subscription.h"
#include "expr/placeholders.h"

namespace trestle::design {
namespace {

constexpr std::chrono::milliseconds kPollInterval{2};

engine::Consistency ConsistencyOf(bool is_consistent) {
  return is_consistent ? engine::Consistency::kStrong : engine::Consistency::kEventual;
}

engine::ReturnConsumedCapacity CapacityIfCounted() {
  return UnitCounter::IsCounting() ? engine::ReturnConsumedCapacity::kTotal
                                   : engine::ReturnConsumedCapacity::kNone;
}

// Of one table, or of each.
template <typename Consumed>
void CountUnits(const Consumed& consumed) {
  if constexpr (requires { consumed->ReadUnits(); }) {
    if (consumed) UnitCounter::Add({consumed->ReadUnits(), consumed->WriteUnits()});
  } else {
    for (const engine::ConsumedCapacity& of_table : consumed)
      UnitCounter::Add({of_table.ReadUnits(), of_table.WriteUnits()});
  }
}

Result<expr::Placeholders> PlaceholdersOf(const ExpressionNames& expressions) {
  expr::Placeholders placeholders(expr::Placeholders::EntriesOf(expressions.names),
                                  expr::Placeholders::EntriesOf(expressions.values));
  TRY(placeholders.CheckSyntax());
  return placeholders;
}

Result<expr::Condition> ParseCondition(expr::ConditionKind kind, const std::string& text,
                                       expr::Placeholders& placeholders) {
  if (text.empty()) return expr::Condition();
  return expr::Condition::Parse(kind, text, placeholders);
}

engine::WriteKind KindOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::kPut:
      return engine::WriteKind::kPut;
    case ActionKind::kUpdate:
      return engine::WriteKind::kUpdate;
    case ActionKind::kDelete:
      return engine::WriteKind::kDelete;
    case ActionKind::kCheck:
      return engine::WriteKind::kConditionCheck;
  }
  UNREACHABLE("a kind that is not in the enum");
}

Result<engine::WriteAction> ToAction(const WriteItem& write) {
  engine::WriteAction action;
  action.kind = KindOf(write.kind);
  action.table = write.table;
  action.item = write.item;
  action.return_item_on_condition_failure = write.return_item_on_failure;
  expr::Placeholders placeholders = TRY(PlaceholdersOf(write.expressions));
  if (!write.update.empty()) {
    action.update = TRY(expr::Update::Parse(write.update, placeholders));
  }
  action.condition =
      TRY(ParseCondition(expr::ConditionKind::kCondition, write.condition, placeholders));
  TRY(placeholders.CheckAllUsed());
  return action;
}

Result<engine::PageRequest> ToRequest(const ReadPage& read) {
  engine::PageRequest request;
  request.table = read.table;
  request.index = read.index;
  expr::Placeholders placeholders = TRY(PlaceholdersOf(read.expressions));
  if (!read.key_condition.terms.empty()) request.key_condition = read.key_condition;
  request.filter = TRY(ParseCondition(expr::ConditionKind::kFilter, read.filter, placeholders));
  if (!read.projection.empty()) {
    request.projection = TRY(expr::Projection::Parse(read.projection, placeholders));
  }
  TRY(placeholders.CheckAllUsed());
  request.exclusive_start_key = read.exclusive_start_key;
  request.limit = read.limit;
  request.direction = read.is_forward ? engine::Direction::kForward : engine::Direction::kBackward;
  request.consistency = ConsistencyOf(read.is_consistent);
  request.segment = read.segment;
  request.total_segments = read.total_segments;
  request.return_consumed_capacity = CapacityIfCounted();
  return request;
}

void AppendItems(const engine::ItemList& list, std::vector<value::Item>& items) {
  items.reserve(items.size() + list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    items.emplace_back(std::string(list[i].bytes()));
}

// A position outside: "<stream id>.<next sequence>".
std::string TextOf(const engine::StreamPosition& position) {
  return fmt::format("{}.{}", static_cast<std::uint32_t>(position.stream), position.next_sequence);
}

Result<engine::StreamPosition> ParsePosition(std::string_view text) {
  std::uint32_t stream = 0;
  engine::StreamPosition position;
  const char* end = text.data() + text.size();
  const auto id = std::from_chars(text.data(), end, stream);
  const bool has_point = id.ec == std::errc() && id.ptr != end && *id.ptr == '.';
  const auto sequence = std::from_chars(has_point ? id.ptr + 1 : end, end, position.next_sequence);
  if (!has_point || sequence.ec != std::errc() || sequence.ptr != end) {
    return ValidationError("The position is not one of this back end");
  }
  position.stream = static_cast<engine::StreamId>(stream);
  return position;
}

std::optional<value::Item> ImageOf(std::string& bytes) {
  if (bytes.empty()) return std::nullopt;
  return value::Item(std::move(bytes));
}

Change ToChange(engine::SequencedRecord entry) {
  engine::StreamRecord& record = entry.record;
  return {.sequence = fmt::format("{:020}", entry.sequence),
          .keys = value::Item(std::move(record.keys)),
          .old_image = ImageOf(record.old_image),
          .new_image = ImageOf(record.new_image),
          .is_expiry = record.event == engine::StreamEvent::kExpire,
          .time_unix_ms = record.time_unix_ms};
}

// Goes on in the table's next stream when one has ended.
class EngineChangeReader final : public ChangeReader {
 public:
  EngineChangeReader(const engine::Database& database, std::string table,
                     std::unique_ptr<engine::Subscription> subscription)
      : database_(database), table_(std::move(table)), subscription_(std::move(subscription)) {}

  Result<std::vector<Change>> Next(std::size_t changes_max,
                                   std::chrono::milliseconds wait) override {
    std::vector<engine::SequencedRecord> records = TRY(subscription_->Next(changes_max, wait));
    if (records.empty() && subscription_->IsOver()) {
      TRY(EnterNextStream());
      records = TRY(subscription_->Next(changes_max, wait));
    }
    std::vector<Change> changes;
    changes.reserve(records.size());
    for (engine::SequencedRecord& record : records)
      changes.push_back(ToChange(std::move(record)));
    return changes;
  }

  std::string position() const override { return TextOf(subscription_->position()); }

  void Stop() override EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    subscription_->Stop();
  }

 private:
  Status EnterNextStream() EXCLUDES(mutex_) {
    std::unique_ptr<engine::Subscription> next = TRY(database_.Subscribe({.table = table_}));
    const MutexLock lock(mutex_);
    if (is_stopped_) next->Stop();
    subscription_.swap(next);
    return Ok();
  }

  const engine::Database& database_;
  const std::string table_;

  // Replaced by the reading thread alone, under the mutex; so only Stop needs it to look.
  Mutex mutex_;
  std::unique_ptr<engine::Subscription> subscription_;
  bool is_stopped_ GUARDED_BY(mutex_) = false;
};

class EngineBackend final : public Backend {
 public:
  explicit EngineBackend(engine::Database& database) : database_(database) {}

  BackendFeatures features() const override {
    return {.has_transactions = true,
            .has_point_in_time_recovery = false,
            .has_encryption_at_rest = false};
  }

  Result<std::optional<value::Item>> Get(const ReadItem& read) override {
    engine::GetReply reply = TRY(database_.Get({.table = read.table,
                                                .key = read.key,
                                                .projection = std::nullopt,
                                                .consistency = ConsistencyOf(read.is_consistent),
                                                .return_consumed_capacity = CapacityIfCounted()}));
    CountUnits(reply.consumed);
    return std::move(reply.item);
  }

  Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                            std::span<const value::Item> keys,
                                            bool is_consistent) override {
    std::vector<value::Item> items;
    std::vector<value::Item> waiting(keys.begin(), keys.end());
    while (!waiting.empty()) {
      const std::size_t count = std::min(waiting.size(), kBatchGetKeysMax);
      const auto rest = waiting.end() - static_cast<std::ptrdiff_t>(count);
      engine::BatchGetRequest request;
      request.tables.push_back({.table = table,
                                .keys = {rest, waiting.end()},
                                .projection = std::nullopt,
                                .consistency = ConsistencyOf(is_consistent)});
      request.return_consumed_capacity = CapacityIfCounted();
      waiting.erase(rest, waiting.end());
      const engine::BatchGetReply reply = TRY(database_.BatchGet(request));
      CountUnits(reply.consumed);
      const engine::BatchGetReply::Table& found = reply.tables.front();
      AppendItems(found.items, items);
      for (const std::size_t position : found.unprocessed)
        waiting.push_back(request.tables.front().keys[position]);
    }
    return items;
  }

  Result<Page> Read(const ReadPage& read) override {
    const engine::PageRequest request = TRY(ToRequest(read));
    engine::PageReply reply = TRY(database_.ReadPage(request));
    Page page;
    AppendItems(reply.items, page.items);
    page.last_evaluated_key = std::move(reply.last_evaluated_key);
    CountUnits(reply.consumed);
    page.read_count = reply.scanned_count;
    return page;
  }

  Status Write(const WriteItem& write) override {
    CHECK(write.kind != ActionKind::kCheck, "only a transaction can check without writing");
    engine::WriteRequest request;
    request.action = TRY(ToAction(write));
    return RunCounted<engine::WriteReply>(std::move(request));
  }

  Status Transact(std::span<const WriteItem> writes, const std::string& token) override {
    engine::TransactWriteRequest request;
    request.client_request_token = token;
    request.actions.reserve(writes.size());
    for (const WriteItem& write : writes)
      request.actions.push_back(TRY(ToAction(write)));
    return RunCounted<engine::TransactWriteReply>(std::move(request));
  }

  Status BatchWrite(std::span<const WriteItem> writes) override {
    for (std::size_t start = 0; start < writes.size(); start += kBatchWriteRequestsMax) {
      engine::BatchWriteRequest request;
      for (const WriteItem& write :
           writes.subspan(start, std::min(writes.size() - start, kBatchWriteRequestsMax)))
        request.actions.push_back(TRY(ToAction(write)));
      TRY(RunCounted<engine::BatchWriteReply>(std::move(request)));
    }
    return Ok();
  }

  Result<TableSettings> DescribeTable(const std::string& table) override {
    const engine::TableReply reply = TRY(database_.DescribeTable({.table = table}));
    return SettingsOf(*reply.description.schema);
  }

  Status CreateTable(const TableSettings& settings) override {
    TRY(Run(CreateRequestOf(settings)));
    TRY(WaitUntilActive(settings.name));
    return UpdateTable(settings);
  }

  Status UpdateTable(const TableSettings& settings) override {
    const TableSettings current = TRY(DescribeTable(settings.name));
    const std::vector<TableStep> steps = TRY(PlanSteps(current, settings));
    for (const TableStep& step : steps) {
      TRY(DoStep(database_, settings, step));
      TRY(WaitUntilActive(settings.name));
    }
    return Ok();
  }

  Status DeleteTable(const std::string& table) override {
    TRY(Run(engine::DeleteTableRequest{.table = table}));
    while (true) {
      const auto settings = DescribeTable(table);
      if (!settings.ok()) {
        if (settings.error().code() == ErrorCode::kResourceNotFound) return Ok();
        return settings.error();
      }
      TRY(Pause());
    }
  }

  Result<std::unique_ptr<ChangeReader>> Follow(const std::string& table,
                                               const std::string& position) override {
    engine::SubscribeRequest request{.table = table};
    if (!position.empty()) request.position = TRY(ParsePosition(position));
    auto subscription = database_.Subscribe(request);
    if (!subscription.ok() && request.position) {
      return Error(ErrorCode::kTrimmedDataAccess, "The stream of this position is no longer kept");
    }
    return std::unique_ptr<ChangeReader>(
        std::make_unique<EngineChangeReader>(database_, table, TRY(std::move(subscription))));
  }

  Result<std::string> CurrentPosition(const std::string& table) override {
    const auto subscription = TRY(database_.Subscribe({.table = table, .starts_at_latest = true}));
    return TextOf(subscription->position());
  }

 private:
  Status Run(engine::Request request) {
    TRY(database_.Execute(std::move(request)));
    return Ok();
  }

  template <typename Reply, typename Request>
  Status RunCounted(Request request) {
    request.return_consumed_capacity = CapacityIfCounted();
    const engine::Reply reply = TRY(database_.Execute(std::move(request)));
    CountUnits(std::get<Reply>(reply).consumed);
    return Ok();
  }

  // A database that has lost its disk finishes nothing any more.
  Status Pause() const {
    if (!database_.IsWritable()) {
      return Error(ErrorCode::kUnavailable, "the store refuses writes until it is reopened");
    }
    std::this_thread::sleep_for(kPollInterval);
    return Ok();
  }

  Status WaitUntilActive(const std::string& table) {
    while (true) {
      const TableSettings settings = TRY(DescribeTable(table));
      if (settings.is_active) return Ok();
      TRY(Pause());
    }
  }

  engine::Database& database_;
};

}  // namespace

std::unique_ptr<Backend> NewEngineBackend(engine::Database& database) {
  return std::make_unique<EngineBackend>(database);
}

}  // namespace trestle::design
