#include "design/backend_remote.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/mutex.h"
#include "design/condition.h"
#include "design/remote_tables_internal.h"
#include "design/step_writer.h"
#include "design/table_plan.h"
#include "remote/items.h"
#include "remote/stream_reader.h"
#include "remote/tables.h"

namespace trestle::design {
namespace {

constexpr std::chrono::milliseconds kPollMin{2};
constexpr std::chrono::milliseconds kPollMax{1000};

remote::Expressions ToRemote(const ExpressionNames& expressions) {
  return {.names = expressions.names, .values = expressions.values};
}

remote::WriteKind KindOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::kPut:
      return remote::WriteKind::kPut;
    case ActionKind::kUpdate:
      return remote::WriteKind::kUpdate;
    case ActionKind::kDelete:
      return remote::WriteKind::kDelete;
    case ActionKind::kCheck:
      return remote::WriteKind::kConditionCheck;
  }
  UNREACHABLE("a kind that is not in the enum");
}

remote::WriteInput ToRemote(const WriteItem& write) {
  return {.kind = KindOf(write.kind),
          .table = write.table,
          .item = write.item,
          .update_expression = write.update,
          .condition_expression = write.condition,
          .expressions = ToRemote(write.expressions),
          .returns_item_on_failure = write.return_item_on_failure};
}

std::vector<remote::WriteInput> ToRemote(std::span<const WriteItem> writes) {
  std::vector<remote::WriteInput> inputs;
  inputs.reserve(writes.size());
  for (const WriteItem& write : writes)
    inputs.push_back(ToRemote(write));
  return inputs;
}

// Numbers of up to 40 digits, as texts that have their order.
Change ToChange(remote::StreamRecord record) {
  return {.sequence = fmt::format("{:0>40}", record.sequence_number),
          .keys = std::move(record.keys),
          .old_image = std::move(record.old_image),
          .new_image = std::move(record.new_image),
          .is_expiry = record.is_expiry,
          .time_unix_ms = record.time_unix_ms};
}

// The readers of each table. An endpoint tells nobody of its changes: readers look now and then,
// and at once when the change is our own.
class OpenReaders {
 public:
  using Entry = std::multimap<std::string, remote::StreamReader*>::iterator;

  [[nodiscard]] Entry Add(const std::string& table, remote::StreamReader& reader) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return readers_.emplace(table, &reader);
  }
  void Remove(Entry entry) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    readers_.erase(entry);
  }
  void Look(const std::string& table) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto [first, last] = readers_.equal_range(table);
    for (auto reader = first; reader != last; ++reader)
      reader->second->Look();
  }

 private:
  Mutex mutex_;
  std::multimap<std::string, remote::StreamReader*> readers_ GUARDED_BY(mutex_);
};

class RemoteChangeReader final : public ChangeReader {
 public:
  RemoteChangeReader(OpenReaders& open, const std::string& table,
                     std::unique_ptr<remote::StreamReader> reader)
      : open_(open), reader_(std::move(reader)), entry_(open.Add(table, *reader_)) {}
  ~RemoteChangeReader() override { open_.Remove(entry_); }
  RemoteChangeReader(const RemoteChangeReader&) = delete;
  RemoteChangeReader& operator=(const RemoteChangeReader&) = delete;

  Result<std::vector<Change>> Next(std::size_t changes_max,
                                   std::chrono::milliseconds wait) override {
    std::vector<remote::StreamRecord> records = TRY(reader_->Next(changes_max, wait));
    std::vector<Change> changes;
    changes.reserve(records.size());
    for (remote::StreamRecord& record : records)
      changes.push_back(ToChange(std::move(record)));
    return changes;
  }
  std::string position() const override { return reader_->position(); }
  void Stop() override { reader_->Stop(); }

 private:
  OpenReaders& open_;
  const std::unique_ptr<remote::StreamReader> reader_;
  const OpenReaders::Entry entry_;
};

class RemoteBackend final : public Backend {
 public:
  RemoteBackend(remote::Client& client, BackendFeatures features)
      : client_(client), features_(features) {}

  BackendFeatures features() const override { return features_; }

  Result<std::optional<value::Item>> Get(const ReadItem& read) override {
    return remote::GetItem(
        client_, {.table = read.table, .key = read.key, .consistent_read = read.is_consistent});
  }

  Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                            std::span<const value::Item> keys,
                                            bool is_consistent) override {
    return remote::BatchGetItems(client_,
                                 {.table = table, .keys = keys, .consistent_read = is_consistent});
  }

  Result<Page> Read(const ReadPage& read) override {
    ExpressionNames expressions = read.expressions;
    const std::string key_condition = KeyConditionText(expressions, read.key_condition);
    remote::PageOutput output =
        TRY(remote::ReadPage(client_, {.table = read.table,
                                       .index = read.index,
                                       .key_condition_expression = key_condition,
                                       .filter_expression = read.filter,
                                       .projection_expression = read.projection,
                                       .expressions = ToRemote(expressions),
                                       .exclusive_start_key = read.exclusive_start_key,
                                       .limit = read.limit,
                                       .scan_index_forward = read.is_forward,
                                       .consistent_read = read.is_consistent,
                                       .segment = read.segment,
                                       .total_segments = read.total_segments}));
    return Page{.items = std::move(output.items),
                .last_evaluated_key = std::move(output.last_evaluated_key)};
  }

  Status Write(const WriteItem& write) override {
    TRY(remote::WriteItem(client_, ToRemote(write)));
    readers_.Look(write.table);
    return Ok();
  }

  Status Transact(std::span<const WriteItem> writes, const std::string& token) override {
    if (!features_.has_transactions) return steps_.Write(writes);
    TRY(remote::TransactWriteItems(client_, ToRemote(writes), token));
    LookAt(writes);
    return Ok();
  }

  Status BatchWrite(std::span<const WriteItem> writes) override {
    TRY(remote::BatchWriteItems(client_, ToRemote(writes)));
    LookAt(writes);
    return Ok();
  }

  Result<TableSettings> DescribeTable(const std::string& table) override {
    const remote::TableDescription description = TRY(remote::DescribeTable(client_, table));
    TableSettings settings = SettingsOf(description);
    if (!features_.has_encryption_at_rest) {
      settings.encryption = TableSettings::Encryption::kAwsOwned;
      settings.kms_key.clear();
    }
    // A table on its way in or out has no more to tell.
    if (description.status == "CREATING" || description.status == "DELETING") return settings;
    const remote::TimeToLive time_to_live = TRY(remote::DescribeTimeToLive(client_, table));
    if (time_to_live.status.starts_with("ENABL")) settings.time_to_live = time_to_live.attribute;
    // The service calls it ENABLING for up to an hour, in which nothing has to wait for it.
    settings.is_active = settings.is_active && time_to_live.status != "DISABLING";
    if (features_.has_point_in_time_recovery) {
      settings.point_in_time_recovery = TRY(remote::HasPointInTimeRecovery(client_, table));
    }
    return settings;
  }

  Status CreateTable(const TableSettings& settings) override {
    TRY(remote::CreateTable(client_, DescriptionOf(WithWhatIsThere(settings))));
    TRY(WaitUntilActive(settings.name));
    return UpdateTable(settings, IsApartFromCreation);
  }

  Status UpdateTable(const TableSettings& settings) override {
    return UpdateTable(settings, [](const TableStep& /*step*/) { return true; });
  }

  Status DeleteTable(const std::string& table) override {
    TRY(remote::DeleteTable(client_, table));
    for (auto pause = kPollMin;; pause = std::min(pause * 2, kPollMax)) {
      const auto described = remote::DescribeTable(client_, table);
      if (!described.ok()) {
        if (described.error().code() == ErrorCode::kResourceNotFound) return Ok();
        return described.error();
      }
      std::this_thread::sleep_for(pause);
    }
  }

  Result<std::unique_ptr<ChangeReader>> Follow(const std::string& table,
                                               const std::string& position) override {
    return std::unique_ptr<ChangeReader>(std::make_unique<RemoteChangeReader>(
        readers_, table, TRY(remote::StreamReader::Open(client_, table, position))));
  }

  Result<std::string> CurrentPosition(const std::string& table) override {
    return remote::StreamReader::CurrentPosition(client_, table);
  }

 private:
  void LookAt(std::span<const WriteItem> writes) {
    for (const WriteItem& write : writes)
      readers_.Look(write.table);
  }

  // What CreateTable has no words for. The rest an endpoint has done, or will not do.
  static bool IsApartFromCreation(const TableStep& step) {
    return std::holds_alternative<SetTimeToLive>(step) ||
           std::holds_alternative<SetPointInTimeRecovery>(step);
  }

  Status UpdateTable(const TableSettings& settings, bool (*is_to_do)(const TableStep&)) {
    const TableSettings wanted = WithWhatIsThere(settings);
    const TableSettings current = TRY(DescribeTable(settings.name));
    const std::vector<TableStep> steps = TRY(PlanSteps(current, wanted));
    for (const TableStep& step : steps) {
      if (!is_to_do(step)) continue;
      TRY(StartStep(client_, wanted, step));
      TRY(WaitUntilActive(settings.name));
    }
    return Ok();
  }

  // What the endpoint has not is not asked of it.
  [[nodiscard]] TableSettings WithWhatIsThere(TableSettings settings) const {
    if (!features_.has_encryption_at_rest) {
      settings.encryption = TableSettings::Encryption::kAwsOwned;
      settings.kms_key.clear();
    }
    if (!features_.has_point_in_time_recovery) settings.point_in_time_recovery = false;
    return settings;
  }

  // For as long as it takes: an index over a large table is built for hours.
  Status WaitUntilActive(const std::string& table) {
    for (auto pause = kPollMin;; pause = std::min(pause * 2, kPollMax)) {
      const TableSettings settings = TRY(DescribeTable(table));
      if (settings.is_active) return Ok();
      std::this_thread::sleep_for(pause);
    }
  }

  remote::Client& client_;
  const BackendFeatures features_;
  StepWriter steps_{*this, client_.clock(), client_.random()};
  OpenReaders readers_;
};

}  // namespace

Result<std::unique_ptr<Backend>> OpenRemoteBackend(remote::Client& client) {
  BackendFeatures features;
  features.has_transactions = TRY(client.Knows("TransactWriteItems"));
  features.has_point_in_time_recovery = TRY(client.Knows("UpdateContinuousBackups"));
  features.has_encryption_at_rest = features.has_point_in_time_recovery;
  return std::unique_ptr<Backend>(std::make_unique<RemoteBackend>(client, features));
}

}  // namespace trestle::design
