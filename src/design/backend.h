#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "expr/key_condition.h"
#include "value/item.h"

// Where a design's table lives: the engine of this process (backend_engine.h), or any DynamoDB
// endpoint (backend_remote.h). The run time asks for the same things of both, in DynamoDB's
// expressions, and gets the same errors: kConditionalCheckFailed, kTransactionCanceled with its
// reasons, kResourceNotFound and so on (base/error.h).

namespace trestle::design {

// "#n" to a name and ":v" to an encoded value (value/item.h), for all expressions of one request.
struct ExpressionNames {
  std::map<std::string, std::string, std::less<>> names;
  std::map<std::string, std::string, std::less<>> values;
};

struct ReadItem {
  std::string table;
  value::Item key;
  bool is_consistent = false;
};

// A Query when its key condition has terms, a Scan when it has none. Other expressions are texts; a
// key condition is not, because every Query has one and a design knows its terms.
struct ReadPage {
  std::string table;
  std::string index;  // empty: the table itself
  expr::KeyCondition key_condition = {};
  std::string filter;      // empty: none
  std::string projection;  // empty: whole items
  ExpressionNames expressions;
  std::optional<value::Item> exclusive_start_key;
  std::optional<std::uint32_t> limit;  // items evaluated
  bool is_forward = true;
  bool is_consistent = false;
  std::uint32_t segment = 0;  // of a parallel Scan
  std::uint32_t total_segments = 1;
};

struct Page {
  std::vector<value::Item> items;
  std::optional<value::Item> last_evaluated_key;
  // Items that were read, those that the filter has dropped too; 0 where the endpoint does not say.
  std::uint64_t read_count = 0;
};

enum class ActionKind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };

// When a write of a transaction is done where there are none and all are done one by one.
enum class Turn : std::uint8_t { kFirst, kMiddle, kLast };

struct WriteItem {
  ActionKind kind = ActionKind::kPut;
  std::string table;
  value::Item item;  // of kPut: the whole item; else the key
  std::string update;
  std::string condition;  // empty: none
  ExpressionNames expressions;
  // The error of a failed condition carries the item as it was.
  bool return_item_on_failure = false;
  Turn turn = Turn::kMiddle;
};

// A table as a design wants it, or as it is.
struct IndexSettings {
  std::string name;
  bool is_local = false;
  std::string partition_key;
  std::string sort_key;  // empty: none
  enum class Projection : std::uint8_t { kAll, kKeys, kInclude };
  Projection projection = Projection::kAll;
  std::vector<std::string> include;
  bool is_active = true;  // false while it is built or removed

  friend bool operator==(const IndexSettings&, const IndexSettings&) = default;
};

enum class KeyType : std::uint8_t { kString, kNumber, kBinary };
enum class StreamImages : std::uint8_t { kNone, kKeys, kOld, kNew, kNewAndOld };

struct TableSettings {
  std::string name;
  std::string partition_key;
  std::string sort_key;                      // empty: none
  std::map<std::string, KeyType> key_types;  // of the keys of table and indexes
  std::vector<IndexSettings> indexes;
  // Provisioned read and write units; none: on demand.
  std::optional<std::pair<std::int64_t, std::int64_t>> provisioned;
  StreamImages stream = StreamImages::kNone;
  std::string time_to_live;  // the attribute; empty: off
  bool point_in_time_recovery = false;
  enum class Encryption : std::uint8_t { kAwsOwned, kAwsManaged, kKms };
  Encryption encryption = Encryption::kAwsOwned;
  std::string kms_key;  // of kKms; empty: the account's own
  bool is_active = true;
};

// One change of one item, as the table's stream tells it.
struct Change {
  std::string sequence;  // of its record; grows along the changes of one item
  value::Item keys;
  std::optional<value::Item> old_image;
  std::optional<value::Item> new_image;
  bool is_expiry = false;  // removed because its time to live was over
  std::int64_t time_unix_ms = 0;
};

// The changes of a table, those of one item in their order, each once. One thread at a time,
// except for Stop.
class ChangeReader {
 public:
  virtual ~ChangeReader() = default;

  // The next changes; waits until there is one, at most as long as `wait`. kResourceNotFound when
  // the stream has ended and the table has no other.
  [[nodiscard]] virtual Result<std::vector<Change>> Next(std::size_t changes_max,
                                                         std::chrono::milliseconds wait) = 0;
  // Behind what Next has returned, to be kept and to go on from: opaque text.
  [[nodiscard]] virtual std::string position() const = 0;
  // Ends a Next that waits, and all later ones. Safe from any thread.
  virtual void Stop() = 0;
};

// What a back end can do that another cannot.
struct BackendFeatures {
  bool has_transactions = true;
  bool has_point_in_time_recovery = true;
  bool has_encryption_at_rest = true;
};

// Safe from many threads. Calls block, and count what they consume (base/unit_counter.h).
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual BackendFeatures features() const = 0;

  [[nodiscard]] virtual Result<std::optional<value::Item>> Get(const ReadItem& read) = 0;
  // Any number of keys of one table, none twice; those that exist, in no order.
  [[nodiscard]] virtual Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                                                  std::span<const value::Item> keys,
                                                                  bool is_consistent) = 0;
  [[nodiscard]] virtual Result<Page> Read(const ReadPage& read) = 0;

  // Not of kCheck, which only a transaction has.
  [[nodiscard]] virtual Status Write(const WriteItem& write) = 0;
  // All or none of up to 100 actions on different items. The same token again within ten minutes
  // has no second effect; empty: none. Without has_transactions it is as step_writer.h says.
  [[nodiscard]] virtual Status Transact(std::span<const WriteItem> writes,
                                        const std::string& token) = 0;
  // Any number of puts and deletes of different items, without conditions, each for itself. What an
  // endpoint leaves unprocessed is sent again.
  [[nodiscard]] virtual Status BatchWrite(std::span<const WriteItem> writes) = 0;

  // kResourceNotFound when there is none.
  [[nodiscard]] virtual Result<TableSettings> DescribeTable(const std::string& table) = 0;
  // Creates the table with all that the back end can give, and waits until it is active.
  [[nodiscard]] virtual Status CreateTable(const TableSettings& settings) = 0;
  // Makes an existing table so, index by index, and waits; keys and local indexes cannot change.
  [[nodiscard]] virtual Status UpdateTable(const TableSettings& settings) = 0;
  // Waits until it is gone.
  [[nodiscard]] virtual Status DeleteTable(const std::string& table) = 0;

  // From a position; from the oldest change that is kept when it is empty. kTrimmedDataAccess, here
  // or from Next, when the position is too old. The back end must outlive the reader.
  [[nodiscard]] virtual Result<std::unique_ptr<ChangeReader>> Follow(
      const std::string& table, const std::string& position) = 0;
  // Where a reader is that has seen all changes so far, for who begins with a scan.
  [[nodiscard]] virtual Result<std::string> CurrentPosition(const std::string& table) = 0;
};

}  // namespace trestle::design
