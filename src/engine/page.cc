#include "engine/page.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/index_lag.h"
#include "engine/keys.h"
#include "engine/page_range.h"
#include "engine/rows.h"

namespace trestle::engine {
namespace {

// What a projection names and the rows of the index do not hold.
std::vector<std::string> AttributesNotInIndex(const PageSource& source,
                                              const expr::Projection& projection) {
  std::vector<std::string> missing;
  for (const value::DocumentPath& path : projection.paths()) {
    if (IsProjected(*source.table, *source.index, path.attribute())) continue;
    missing.push_back(path.attribute());
  }
  return missing;
}

Result<PageSource> FindSource(const TableSchema& table, const PageRequest& request) {
  if (request.index.empty()) return PageSource{.table = &table};
  const IndexSchema* index = table.FindIndex(request.index);
  if (index == nullptr || index->status == IndexStatus::kDeleting) {
    return ValidationError(
        fmt::format("The table does not have the specified index: {}", request.index));
  }
  if (index->is_global && request.consistency == Consistency::kStrong) {
    return ValidationError("Consistent reads are not supported on global secondary indexes");
  }
  if (index->is_global && index->status == IndexStatus::kCreating) {
    return ValidationError(
        fmt::format("Cannot read from backfilling global secondary index: {}", request.index));
  }
  return PageSource{.table = &table, .index = index};
}

Status CheckFilter(const PageSource& source, const PageRequest& request) {
  if (!request.key_condition || request.filter.empty()) return Ok();
  std::vector<KeyAttribute> keys = source.PartitionKeys();
  for (KeyAttribute& attribute : source.SortKeys())
    keys.push_back(std::move(attribute));
  const std::set<std::string> attributes = request.filter.Attributes();
  for (const KeyAttribute& key : keys) {
    if (!attributes.contains(key.name)) continue;
    return ValidationError(
        fmt::format("{} can only contain non-primary key attributes: Primary key attribute: {}",
                    request.filter_name, key.name));
  }
  return CheckFilterIsProjected(source, attributes);
}

// Whether the items must be read from the table because the local index does not hold what is
// asked for.
bool MustFetch(const PageSource& source, const PageRequest& request) {
  if (source.index == nullptr || source.index->is_global) return false;
  if (source.index->projection == ProjectionType::kAll) return false;
  if (request.select == Select::kAllAttributes) return true;
  return request.projection && !AttributesNotInIndex(source, *request.projection).empty();
}

class Reader final : public PageReader {
 public:
  Reader(const PagePlace& place, std::shared_ptr<const TableSchema> table, PageSource source,
         const PageRequest& request, std::vector<RowRange> ranges)
      : store_(place.store),
        table_(std::move(table)),
        source_(source),
        request_(request),
        must_fetch_(MustFetch(source, request)),
        ranges_(std::move(ranges)),
        snapshot_(TakeSnapshot(place)) {
    OpenNextRange();
  }

  [[nodiscard]] Result<bool> Step(std::size_t rows_max) override {
    for (std::size_t rows = 0; cursor_ != nullptr; ++rows) {
      if (!cursor_->Valid()) {
        TRY(cursor_->status());
        OpenNextRange();
        continue;
      }
      if (rows == rows_max) return false;
      TRY(Take(value::ItemView(cursor_->value())));
      if (IsFull()) {
        reply_.last_evaluated_key = StartKeyOf(value::ItemView(cursor_->value()));
        return true;
      }
      request_.direction == Direction::kForward ? cursor_->Next() : cursor_->Previous();
    }
    return true;
  }

  [[nodiscard]] PageReply Finish() override {
    if (request_.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
      reply_.consumed = Consumed();
    }
    return std::move(reply_);
  }

 private:
  [[nodiscard]] std::shared_ptr<const storage::Snapshot> TakeSnapshot(
      const PagePlace& place) const {
    const bool is_of_global_index = source_.index != nullptr && source_.index->is_global;
    if (place.index_lag != nullptr && is_of_global_index) {
      if (auto past = place.index_lag->Past()) return past;
    }
    // Index row and item, or all ranges, of the same moment.
    return must_fetch_ || ranges_.size() > 1 ? store_.TakeSnapshot() : nullptr;
  }

  // Goes to the first row of the next range that is not empty.
  void OpenNextRange() {
    cursor_.reset();
    while (cursor_ == nullptr && next_range_ < ranges_.size()) {
      const RowRange& range = ranges_[next_range_++];
      if (range.first >= range.end) continue;
      cursor_ = store_.NewCursor(range.first, range.end, snapshot_.get());
      if (request_.direction == Direction::kForward) {
        cursor_->Seek(range.first);
      } else {
        cursor_->SeekBefore(range.end);
      }
    }
  }

  [[nodiscard]] bool IsFull() const {
    return scanned_size_bytes_ >= kPageBytesMax || reply_.scanned_count == request_.limit;
  }

  // One row: counted before the filter, kept after it.
  Status Take(value::ItemView row) {
    ++reply_.scanned_count;
    scanned_size_bytes_ += row.size_bytes();
    std::string fetched;
    value::ItemView item = row;
    if (must_fetch_) {
      const bool is_there = TRY(store_.Read(ItemRow(*table_, row), fetched, snapshot_.get()));
      if (!is_there) return CorruptionError("an index row has no item");
      item = value::ItemView(fetched);
      fetched_units_ += ReadUnits(item.size_bytes(), request_.consistency);
    }
    if (!request_.filter.Matches(item)) return Ok();
    ++reply_.count;
    if (request_.select == Select::kCount) return Ok();
    if (request_.projection) {
      reply_.items.Append(request_.projection->Apply(item).view());
    } else {
      reply_.items.Append(item);
    }
    return Ok();
  }

  [[nodiscard]] value::Item StartKeyOf(value::ItemView item) const {
    return source_.index != nullptr ? KeyOf(*table_, *source_.index, item) : KeyOf(*table_, item);
  }

  [[nodiscard]] ConsumedCapacity Consumed() const {
    const double units = ReadUnits(scanned_size_bytes_, request_.consistency);
    if (source_.index == nullptr) return {.table = table_->name, .table_read_units = units};
    return {.table = table_->name,
            .table_read_units = fetched_units_,
            .indexes = {{.index = source_.index->name,
                         .is_global = source_.index->is_global,
                         .read_units = units}}};
  }

  const storage::Store& store_;
  const std::shared_ptr<const TableSchema> table_;
  const PageSource source_;
  const PageRequest request_;
  const bool must_fetch_;
  const std::vector<RowRange> ranges_;
  const std::shared_ptr<const storage::Snapshot> snapshot_;  // null: now
  std::unique_ptr<storage::Cursor> cursor_;                  // null behind the last range
  std::size_t next_range_ = 0;

  PageReply reply_;
  std::uint64_t scanned_size_bytes_ = 0;
  double fetched_units_ = 0;
};

}  // namespace

Status CheckSelect(const PageSource& source, const PageRequest& request) {
  if (source.index == nullptr || !source.index->is_global) return Ok();
  if (request.select == Select::kAllAttributes &&
      source.index->projection != ProjectionType::kAll) {
    return ValidationError(
        fmt::format("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
                    "supported for global secondary index {} because its projection type is not "
                    "ALL",
                    source.index->name));
  }
  if (!request.projection) return Ok();
  const std::vector<std::string> missing = AttributesNotInIndex(source, *request.projection);
  if (missing.empty()) return Ok();
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Global secondary index {} does not "
                  "project [{}]",
                  source.index->name, fmt::join(missing, ", ")));
}

Result<std::unique_ptr<PageReader>> StartPage(const PagePlace& place,
                                              std::shared_ptr<const TableSchema> table,
                                              const PageRequest& request) {
  const PageSource source = TRY(FindSource(*table, request));
  TRY(CheckSelect(source, request));
  RowRange range;
  if (request.key_condition) {
    range = TRY(QueryRange(source, *request.key_condition));
    TRY(CheckFilter(source, request));
  } else {
    range = ScanRange(source, request.segment, request.total_segments);
  }
  return StartRanges(place, std::move(table), source, request, {std::move(range)});
}

Result<std::unique_ptr<PageReader>> StartRanges(const PagePlace& place,
                                                std::shared_ptr<const TableSchema> table,
                                                const PageSource& source,
                                                const PageRequest& request,
                                                std::vector<RowRange> ranges) {
  TRY(StartAfter(source, request, ranges));
  return std::unique_ptr<PageReader>(
      std::make_unique<Reader>(place, std::move(table), source, request, std::move(ranges)));
}

}  // namespace trestle::engine
