// Random operations on the engine and on a simple reference, which must agree on every answer; some
// of them are PartiQL statements. Then every read path is compared with the reference: table, scan,
// segments, each index, counters, and the stream replayed from its beginning.
//
//   model_test [operations [seed]]      prints the seed, and repeats a run from it

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/database.h"
#include "engine/stream.h"
#include "engine/subscription.h"
#include "storage/memory_store.h"
#include "storage/rocks_store.h"
#include "value/testing_internal.h"

namespace trestle::engine {
namespace {

using expr::partiql::Statement;

using value::testing::N;
using value::testing::S;

// An item of the model: its key, and attributes that are strings or whole numbers.
struct ModelItem {
  std::map<std::string, std::string> strings;
  std::map<std::string, std::int64_t> numbers;

  friend bool operator==(const ModelItem&, const ModelItem&) = default;
};

using ModelKey = std::pair<std::string, std::int64_t>;
using ModelTable = std::map<ModelKey, ModelItem>;

value::Item ToItem(const ModelItem& model) {
  std::map<std::string, std::string> encoded;
  for (const auto& [name, text] : model.strings)
    encoded[name] = S(text);
  for (const auto& [name, integer] : model.numbers)
    encoded[name] = N(integer);
  value::ItemBuilder builder;
  for (const auto& [name, bytes] : encoded)
    builder.Add(name, bytes);
  return builder.Finish();
}

ModelItem FromItem(value::ItemView item) {
  ModelItem model;
  for (const value::AttributeView attribute : item.attributes()) {
    const std::string name(attribute.name);
    if (attribute.value.type() == value::Type::kS) {
      model.strings[name] = attribute.value.text();
    } else {
      model.numbers[name] = std::stoll(value::NumberText(attribute.value.number()));
    }
  }
  return model;
}

ModelKey KeyOfModel(const ModelItem& item) {
  return {item.strings.at("pk"), item.numbers.at("sk")};
}

ModelItem KeyItem(const ModelKey& key) {
  return {.strings = {{"pk", key.first}}, .numbers = {{"sk", key.second}}};
}

// A condition and an update: as DynamoDB writes them, and as the model understands them.
struct ModelCondition {
  const char* text;
  bool (*holds)(const ModelItem* item);
};

const ModelCondition kConditions[] = {
    {"", [](const ModelItem*) { return true; }},
    {"attribute_not_exists(pk)", [](const ModelItem* item) { return item == nullptr; }},
    {"attribute_exists(pk)", [](const ModelItem* item) { return item != nullptr; }},
    {"n > :five",
     [](const ModelItem* item) {
       return item != nullptr && item->numbers.contains("n") && item->numbers.at("n") > 5;
     }},
    {"attribute_exists(g) AND NOT begins_with(g, :a)",
     [](const ModelItem* item) {
       return item != nullptr && item->strings.contains("g") &&
              !item->strings.at("g").starts_with("g1");
     }},
};

struct ModelUpdate {
  const char* text;
  bool creates;
  void (*apply)(ModelItem& item, std::int64_t value);
};

const ModelUpdate kUpdates[] = {
    {"SET n = :v", true, [](ModelItem& item, std::int64_t v) { item.numbers["n"] = v; }},
    {"ADD c :v", true, [](ModelItem& item, std::int64_t v) { item.numbers["c"] += v; }},
    {"REMOVE g", false, [](ModelItem& item, std::int64_t) { item.strings.erase("g"); }},
    {"SET g = :g", true,
     [](ModelItem& item, std::int64_t v) { item.strings["g"] = fmt::format("g{}", v); }},
    {"SET n = if_not_exists(n, :v) + :v, l = :g", true,
     [](ModelItem& item, std::int64_t v) {
       const auto n = item.numbers.find("n");
       item.numbers["n"] = (n == item.numbers.end() ? v : n->second) + v;
       item.strings["l"] = fmt::format("g{}", v);
     }},
    {"REMOVE n, l", false,
     [](ModelItem& item, std::int64_t) {
       item.numbers.erase("n");
       item.strings.erase("l");
     }},
};

expr::Condition ParseCondition(const char* text) {
  if (*text == '\0') return {};
  expr::Placeholders placeholders({}, {{":five", N(5)}, {":a", S("g1")}});
  auto parsed = expr::Condition::Parse(expr::ConditionKind::kCondition, text, placeholders);
  CHECK(parsed.ok(), "the model's conditions are valid");
  return *std::move(parsed);
}

expr::Update ParseUpdate(const char* text, std::int64_t value) {
  expr::Placeholders placeholders({}, {{":v", N(value)}, {":g", S(fmt::format("g{}", value))}});
  auto parsed = expr::Update::Parse(text, placeholders);
  CHECK(parsed.ok(), "the model's updates are valid");
  return *std::move(parsed);
}

// One action, for the engine and for the model.
struct ModelAction {
  WriteAction action;
  ModelKey key;
  const ModelCondition* condition = &kConditions[0];
  const ModelUpdate* update = nullptr;
  std::int64_t value = 0;
  ModelItem item;  // of a put

  [[nodiscard]] bool Holds(const ModelTable& table) const {
    const auto found = table.find(key);
    return condition->holds(found == table.end() ? nullptr : &found->second);
  }

  void Apply(ModelTable& table) const {
    switch (action.kind) {
      case WriteKind::kPut:
        table[key] = item;
        return;
      case WriteKind::kDelete:
        table.erase(key);
        return;
      case WriteKind::kConditionCheck:
        return;
      case WriteKind::kUpdate:
        if (!table.contains(key) && !update->creates) return;
        update->apply(table.try_emplace(key, KeyItem(key)).first->second, value);
        return;
    }
  }
};

class Model {
 public:
  Model(std::uint64_t seed, bool is_fake)
      : engine_(seed), random_(seed), clock_(1'700'000'000'000), is_fake_(is_fake) {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("trestle-model-{:x}", seed);
    std::filesystem::remove_all(folder_);
  }
  ~Model() { std::filesystem::remove_all(folder_); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  void Run(std::uint64_t operations) {
    Open();
    CreateTable();
    const std::uint64_t quarter = std::max<std::uint64_t>(1, operations / 4);
    for (std::uint64_t i = 0; i < operations; ++i) {
      clock_.Advance(1);
      Step();
      if (i % quarter == quarter - 1) {
        Compare();
        ChangeIndexes();
        Reopen();
      }
    }
    Compare();
  }

 private:
  std::uint64_t Below(std::uint64_t end) { return engine_() % end; }

  void Open() {
    std::unique_ptr<storage::Store> store;
    if (is_fake_) {
      store = storage::NewMemoryStore();
    } else {
      auto opened = storage::OpenRocksStore({.folder = folder_.string()});
      CHECK(opened.ok(), opened.error().message().c_str());
      store = *std::move(opened);
    }
    auto database = Database::Open(std::move(store),
                                   {.clock = &clock_,
                                    .random = &random_,
                                    .durability = storage::Durability::kRelaxed,
                                    .shards = {.lifetime_ms = 5000, .records_per_second_max = 20}});
    CHECK(database.ok(), "the database opens");
    database_ = *std::move(database);
  }

  void Reopen() {
    if (is_fake_) return;
    database_.reset();
    Open();
  }

  Reply Must(Request request) {
    auto reply = database_->Execute(std::move(request));
    CHECK(reply.ok(), reply.error().message().c_str());
    return *std::move(reply);
  }

  static IndexDefinition Index(const char* name, bool is_global, std::vector<KeySchemaElement> keys,
                               ProjectionType projection) {
    return {.name = name,
            .is_global = is_global,
            .key_schema = std::move(keys),
            .projection = projection,
            .non_key_attributes = projection == ProjectionType::kInclude
                                      ? std::optional(std::vector<std::string>{"l"})
                                      : std::nullopt};
  }

  void CreateTable() {
    using value::Type;
    Must(CreateTableRequest{
        .table = "model",
        .attribute_definitions =
            {{"pk", Type::kS}, {"sk", Type::kN}, {"g", Type::kS}, {"n", Type::kN}},
        .key_schema = {{"pk", true}, {"sk", false}},
        .local_indexes = {{Index("by_n", false, {{"pk", true}, {"n", false}},
                                 ProjectionType::kAll)}},
        .global_indexes =
            {{Index("by_g", true, {{"g", true}, {"n", false}}, ProjectionType::kInclude),
              Index("by_gn", true, {{"g", true}, {"n", true}}, ProjectionType::kKeysOnly)}},
        .billing_mode = BillingMode::kPayPerRequest,
        .stream = StreamSpecification{.is_enabled = true,
                                      .view_type = StreamViewType::kNewAndOldImages}});
  }

  ModelKey RandomKey() {
    return {fmt::format("p{}", Below(20)), static_cast<std::int64_t>(Below(60)) - 30};
  }

  ModelAction RandomAction(bool may_check) {
    ModelAction it;
    it.key = RandomKey();
    it.action.table = "model";
    it.action.item = ToItem(KeyItem(it.key));
    it.value = static_cast<std::int64_t>(Below(30)) - 10;
    it.condition = &kConditions[Below(3) == 0 ? Below(std::size(kConditions)) : 0];
    const std::uint64_t kind = Below(may_check ? 10 : 9);
    if (kind < 4) {
      it.action.kind = WriteKind::kPut;
      it.item = KeyItem(it.key);
      if (Below(2) == 0) it.item.strings["g"] = fmt::format("g{}", Below(20));
      if (Below(2) == 0) it.item.numbers["n"] = it.value;
      if (Below(2) == 0) it.item.strings["l"] = std::string(1 + Below(300), 'l');
      it.action.item = ToItem(it.item);
    } else if (kind < 7) {
      it.action.kind = WriteKind::kUpdate;
      it.update = &kUpdates[Below(std::size(kUpdates))];
      it.action.update = ParseUpdate(it.update->text, it.value);
    } else {
      it.action.kind = kind < 9 ? WriteKind::kDelete : WriteKind::kConditionCheck;
      if (it.action.kind == WriteKind::kConditionCheck) it.condition = &kConditions[1 + Below(4)];
    }
    it.action.condition = ParseCondition(it.condition->text);
    return it;
  }

  void Step() {
    const std::uint64_t kind = Below(20);
    if (kind < 10) {
      SingleWrite();
    } else if (kind < 13) {
      WriteStatement();
    } else if (kind < 14) {
      SelectStatement();
    } else if (kind < 16) {
      Transaction();
    } else if (kind < 17) {
      BatchWrite();
    } else if (kind < 19) {
      Get();
    } else {
      QueryPartition();
    }
  }

  void SingleWrite() {
    ModelAction it = RandomAction(false);
    const auto before = model_.find(it.key);
    const std::optional<ModelItem> old =
        before == model_.end() ? std::nullopt : std::optional(before->second);
    const bool holds = it.Holds(model_);
    if (holds) it.Apply(model_);
    auto reply = database_->Execute(
        WriteRequest{.action = std::move(it.action), .return_values = ReturnValues::kAllOld});
    CHECK(reply.ok() == holds, "a condition holds in both or in neither");
    if (!holds) return;
    const auto& old_item = std::get<WriteReply>(*reply).old_item;
    CHECK(old_item.has_value() == old.has_value(), "both had an old item, or neither");
    if (old) CHECK(FromItem(old_item->view()) == *old, "the old item is the model's");
  }

  Statement Parsed(const std::string& text, const std::vector<std::string>& parameters = {}) {
    auto statement = expr::partiql::Parse(text, parameters);
    CHECK(statement.ok(), "the model's statements are valid");
    return *std::move(statement);
  }

  // A statement that writes, as one of one, of a batch or of a transaction.
  void WriteStatement() {
    const ModelKey key = RandomKey();
    const auto value = static_cast<std::int64_t>(Below(30)) - 10;
    const std::string where = fmt::format("pk = '{}' AND sk = {}", key.first, key.second);
    const auto found = model_.find(key);
    const bool is_there = found != model_.end();
    const bool is_small =
        is_there && found->second.numbers.contains("n") && found->second.numbers.at("n") < 5;
    bool succeeds = true;
    Statement statement;
    switch (Below(5)) {
      case 0:
        statement =
            Parsed(fmt::format("INSERT INTO model VALUE {{'pk': ?, 'sk': ?, 'n': {}}}", value),
                   {S(key.first), N(key.second)});
        succeeds = !is_there;
        if (succeeds) {
          model_[key] = KeyItem(key);
          model_[key].numbers["n"] = value;
        }
        break;
      case 1:
        statement = Parsed(
            fmt::format("UPDATE model SET g = 'g{}' SET n = ? REMOVE l WHERE {}", value, where),
            {N(value)});
        succeeds = is_there;
        if (succeeds) {
          found->second.strings["g"] = fmt::format("g{}", value);
          found->second.numbers["n"] = value;
          found->second.strings.erase("l");
        }
        break;
      case 2:
        statement =
            Parsed(fmt::format("UPDATE model SET n = n + {} WHERE n < 5 AND {}", value, where));
        succeeds = is_small;
        if (succeeds) found->second.numbers["n"] += value;
        break;
      case 3:
        statement = Parsed(fmt::format("DELETE FROM model WHERE {} AND n < 5", where));
        succeeds = !is_there || is_small;
        if (is_small) model_.erase(found);
        break;
      default:
        statement = Parsed(fmt::format("DELETE FROM model WHERE {}", where));
        if (is_there) model_.erase(found);
    }
    CHECK(RunStatement(std::move(statement)) == succeeds, "a statement writes in both or neither");
  }

  bool RunStatement(Statement statement) {
    const std::uint64_t way = Below(3);
    if (way == 0) return database_->Execute(StatementRequest{std::move(statement)}).ok();
    if (way == 1) {
      BatchStatementRequest batch;
      batch.statements.emplace_back(StatementRequest{std::move(statement)});
      return std::get<BatchStatementReply>(Must(std::move(batch))).items.front().ok();
    }
    TransactStatementRequest transaction;
    transaction.statements.push_back(std::move(statement));
    transaction.return_items_on_condition_failure.push_back(false);
    return database_->Execute(std::move(transaction)).ok();
  }

  // A SELECT that is a query of one or several partitions, or a scan, paged through.
  void SelectStatement() {
    const ModelKey key = RandomKey();
    const ModelKey other = RandomKey();
    const std::string conditions[] = {
        fmt::format("pk = '{}' AND sk >= {}", key.first, key.second),
        fmt::format("pk = '{}' AND sk = {}", key.first, key.second),
        fmt::format("pk IN ['{}', '{}'] AND n > 0", key.first,
                    key.first == other.first ? "none" : other.first),
        fmt::format("(pk = '{0}' AND sk < {1}) OR (pk = '{0}' AND sk > {1} AND sk < 20)", key.first,
                    key.second),
        fmt::format("g = 'g{}' OR n IS MISSING", key.second),
    };
    const std::size_t chosen = Below(std::size(conditions));
    const auto holds = [&](const ModelItem& item) {
      const auto [pk, sk] = KeyOfModel(item);
      const auto n = item.numbers.find("n");
      const auto g = item.strings.find("g");
      switch (chosen) {
        case 0:
          return pk == key.first && sk >= key.second;
        case 1:
          return pk == key.first && sk == key.second;
        case 2:
          return (pk == key.first || pk == other.first) && n != item.numbers.end() && n->second > 0;
        case 3:
          return pk == key.first && (sk < key.second || (sk > key.second && sk < 20));
        default:
          return n == item.numbers.end() ||
                 (g != item.strings.end() && g->second == fmt::format("g{}", key.second));
      }
    };
    std::vector<ModelItem> expected;
    for (const auto& [model_key, item] : model_) {
      if (holds(item)) expected.push_back(item);
    }
    StatementRequest request{Parsed("SELECT * FROM model WHERE " + conditions[chosen])};
    request.limit = static_cast<std::uint32_t>(1 + Below(100));
    std::vector<ModelItem> selected;
    while (true) {
      const auto page = std::get<StatementReply>(Must(request));
      for (std::size_t i = 0; i < page.items.size(); ++i)
        selected.push_back(FromItem(page.items[i]));
      if (!page.last_evaluated_key) break;
      request.exclusive_start_key = page.last_evaluated_key;
    }
    CHECK(Sorted(std::move(selected)) == expected, "a SELECT pages through what the model holds");
  }

  void Transaction() {
    TransactWriteRequest request;
    std::vector<ModelAction> actions;
    std::set<ModelKey> keys;
    for (std::uint64_t i = 0; i < 1 + Below(5); ++i) {
      ModelAction it = RandomAction(true);
      if (keys.insert(it.key).second) actions.push_back(std::move(it));
    }
    const bool holds =
        std::ranges::all_of(actions, [&](const ModelAction& it) { return it.Holds(model_); });
    for (const ModelAction& it : actions) {
      if (holds) it.Apply(model_);
      request.actions.push_back(it.action);
    }
    const bool has_token = Below(4) == 0;
    if (has_token) request.client_request_token = random_.Uuid();
    auto reply = database_->Execute(request);
    CHECK(reply.ok() == holds, "a transaction commits in both or in neither");
    if (!holds) {
      CHECK(reply.error().code() == ErrorCode::kTransactionCanceled, "it is cancelled");
    } else if (has_token) {
      // A replay has no second effect; the comparison at the end would show one.
      CHECK(database_->Execute(request).ok(), "a replay is answered");
    }
  }

  void BatchWrite() {
    BatchWriteRequest request;
    std::set<ModelKey> keys;
    for (std::uint64_t i = 0; i < 1 + Below(25); ++i) {
      ModelAction it = RandomAction(false);
      if (it.action.kind == WriteKind::kUpdate || !keys.insert(it.key).second) continue;
      it.action.condition = {};
      it.Apply(model_);
      request.actions.push_back(std::move(it.action));
    }
    if (!request.actions.empty()) Must(std::move(request));
  }

  void Get() {
    const ModelKey key = RandomKey();
    const auto reply =
        std::get<GetReply>(Must(GetRequest{.table = "model", .key = ToItem(KeyItem(key))}));
    const auto found = model_.find(key);
    CHECK(reply.item.has_value() == (found != model_.end()), "an item is in both or in neither");
    if (reply.item) CHECK(FromItem(reply.item->view()) == found->second, "items agree");
  }

  void QueryPartition() {
    const ModelKey low = RandomKey();
    const std::int64_t high = low.second + static_cast<std::int64_t>(Below(30));
    PageRequest request{.table = "model"};
    request.key_condition =
        expr::KeyCondition{{{"pk", expr::KeyOperator::kEqual, S(low.first), ""},
                            {"sk", expr::KeyOperator::kBetween, N(low.second), N(high)}}};
    request.direction = Below(2) == 0 ? Direction::kForward : Direction::kBackward;
    request.limit = static_cast<std::uint32_t>(1 + Below(10));
    std::vector<ModelItem> expected;
    for (const auto& [key, item] : model_) {
      if (key.first == low.first && key.second >= low.second && key.second <= high) {
        expected.push_back(item);
      }
    }
    if (request.direction == Direction::kBackward) std::ranges::reverse(expected);
    CHECK(ReadAll(request) == expected, "a query pages through what the model holds, in order");
  }

  std::vector<ModelItem> ReadAll(PageRequest request) {
    std::vector<ModelItem> items;
    while (true) {
      const auto page = std::get<PageReply>(Must(request));
      for (std::size_t i = 0; i < page.items.size(); ++i) {
        items.push_back(FromItem(page.items[i]));
      }
      if (!page.last_evaluated_key) return items;
      request.exclusive_start_key = page.last_evaluated_key;
    }
  }

  // What an index must hold, in the order of its key and then of the table's.
  std::vector<ModelItem> Expected(const std::vector<std::string>& keys,
                                  const std::set<std::string>& projected) const {
    std::vector<ModelItem> items;
    for (const auto& entry : model_) {
      const ModelItem& item = entry.second;
      const bool is_indexed = std::ranges::all_of(keys, [&](const std::string& name) {
        return item.strings.contains(name) || item.numbers.contains(name);
      });
      if (!is_indexed) continue;
      ModelItem view = item;
      const auto is_left_out = [&](const auto& attribute) {
        return !projected.empty() && !projected.contains(attribute.first);
      };
      std::erase_if(view.strings, is_left_out);
      std::erase_if(view.numbers, is_left_out);
      items.push_back(std::move(view));
    }
    return items;
  }

  static std::vector<ModelItem> Sorted(std::vector<ModelItem> items) {
    std::ranges::sort(items, std::less<>(), KeyOfModel);
    return items;
  }

  void CompareIndex(const char* name, const std::vector<std::string>& keys,
                    const std::set<std::string>& projected) {
    const std::vector<ModelItem> expected = Expected(keys, projected);
    std::vector<ModelItem> found = ReadAll({.table = "model", .index = name, .limit = 100});
    CHECK(Sorted(std::move(found)) == expected, "an index holds what the table says");
    for (std::size_t i = 0; i < description_.schema->indexes.size(); ++i) {
      if (description_.schema->indexes[i].name != name) continue;
      CHECK(description_.indexes[i].item_count == expected.size(), "an index counts its rows");
    }
  }

  void Compare() {
    description_ = std::get<TableReply>(Must(DescribeTableRequest{.table = "model"})).description;
    std::vector<ModelItem> expected;
    std::uint64_t size_bytes = 0;
    for (const auto& [key, item] : model_) {
      expected.push_back(item);
      size_bytes += ToItem(item).view().size_bytes();
    }
    CHECK(Sorted(ReadAll({.table = "model", .limit = 77})) == expected, "a scan finds all");
    CHECK(description_.table.item_count == expected.size(), "the table counts its items");
    CHECK(description_.table.size_bytes == size_bytes, "the table knows its size");

    std::vector<ModelItem> parts;
    for (std::uint32_t segment = 0; segment < 7; ++segment) {
      auto part = ReadAll({.table = "model", .segment = segment, .total_segments = 7});
      parts.insert(parts.end(), part.begin(), part.end());
    }
    CHECK(Sorted(std::move(parts)) == expected, "segments are disjoint and complete");

    CompareIndex("by_n", {"n"}, {});
    CompareIndex("by_g", {"g", "n"}, {"pk", "sk", "g", "n", "l"});
    CompareIndex("by_gn", {"g", "n"}, {"pk", "sk", "g", "n"});
    if (has_late_index_) CompareIndex("late", {"l"}, {});
    CompareStream(expected);
  }

  // The stream replayed from its first record gives the table, without a gap or a repeat: in the
  // order of its commits, and shard by shard.
  void CompareStream(const std::vector<ModelItem>& expected) {
    Replay in_order;
    const auto subscription = database_->Subscribe({.table = "model"});
    CHECK(subscription.ok(), "the table has a stream");
    for (bool is_end = false; !is_end;) {
      const auto records = (*subscription)->Next(1 + Below(1000), std::chrono::milliseconds(0));
      CHECK(records.ok(), "a subscription reads on");
      for (const SequencedRecord& entry : *records) {
        CHECK(entry.sequence == in_order.records + 1, "no gap");
        in_order.Apply(entry.record);
      }
      is_end = records->empty();
    }
    CHECK(in_order.Items() == expected, "the stream replays to the table");

    Replay by_shards;
    std::set<ShardId> read;
    for (const Shard& shard : ReadShards()) {
      CHECK(!shard.parent || read.contains(shard.parent->id), "parents come first");
      read.insert(shard.id);
      ReplayShard(shard, by_shards);
    }
    CHECK(by_shards.records == in_order.records, "each record is in one shard");
    CHECK(by_shards.Items() == expected, "the shards replay to the table");
  }

  // What the records of a stream make of an empty table.
  struct Replay {
    std::map<ModelKey, std::string> images;
    std::uint64_t records = 0;

    void Apply(const StreamRecord& record) {
      const ModelKey key = KeyOfModel(FromItem(value::ItemView(record.keys)));
      CHECK(images[key] == record.old_image, "a record continues the one before");
      CHECK(record.old_image != record.new_image, "a record is a change");
      images[key] = record.new_image;
      ++records;
    }
    [[nodiscard]] std::vector<ModelItem> Items() const {
      std::vector<ModelItem> items;
      for (const auto& [key, image] : images) {
        if (!image.empty()) items.push_back(FromItem(value::ItemView(image)));
      }
      return items;
    }
  };

  StreamName StreamNameOf() const {
    return {.table = "model",
            .created_unix_ms = description_.schema->stream->created_unix_ms,
            .arn = "model"};
  }

  std::vector<Shard> ReadShards() {
    std::vector<Shard> shards;
    DescribeStreamRequest request{.stream = StreamNameOf(), .limit = 7};
    while (true) {
      const auto page = std::get<DescribeStreamReply>(Must(request));
      shards.insert(shards.end(), page.shards.begin(), page.shards.end());
      if (!page.has_more) return shards;
      request.exclusive_start_shard = shards.back().Name();
    }
  }

  void ReplayShard(const Shard& shard, Replay& replay) {
    const auto begin = std::get<ShardIteratorReply>(
        Must(ShardIteratorRequest{.stream = StreamNameOf(), .shard = shard.Name()}));
    std::optional<std::string> iterator = begin.iterator;
    for (bool is_end = false; iterator && !is_end;) {
      const auto page = std::get<RecordsReply>(
          Must(RecordsRequest{.arn = "model",
                              .iterator = *iterator,
                              .limit = static_cast<std::uint32_t>(1 + Below(1000))}));
      for (const SequencedRecord& entry : page.records) {
        CHECK(entry.record.shard == shard.id && entry.sequence >= shard.first_sequence &&
                  (shard.IsOpen() || entry.sequence <= shard.last_sequence),
              "a record is in its shard");
        replay.Apply(entry.record);
      }
      // An open shard has no end; a page may be empty because other shards had many records.
      is_end = page.records.empty() && shard.IsOpen() && page.next_iterator == iterator;
      iterator = page.next_iterator;
    }
  }

  // Creates a global index on a table full of items, or drops it again.
  void ChangeIndexes() {
    UpdateTableRequest request{.table = "model"};
    if (has_late_index_) {
      request.global_index_updates = {{GlobalIndexUpdate{.remove = "late"}}};
    } else {
      request.attribute_definitions = {{"pk", value::Type::kS},
                                       {"sk", value::Type::kN},
                                       {"g", value::Type::kS},
                                       {"n", value::Type::kN},
                                       {"l", value::Type::kS}};
      request.global_index_updates = {
          {GlobalIndexUpdate{.create = Index("late", true, {{"l", true}}, ProjectionType::kAll)}}};
    }
    Must(std::move(request));
    has_late_index_ = !has_late_index_;
    // Writes go on while the backfill runs; the comparison waits for its end.
    for (int i = 0; i < 200; ++i)
      Step();
    while (has_late_index_ && IsLateIndexBusy())
      Step();
  }

  bool IsLateIndexBusy() {
    const auto reply = std::get<TableReply>(Must(DescribeTableRequest{.table = "model"}));
    const IndexSchema* index = reply.description.schema->FindIndex("late");
    return index != nullptr && index->status != IndexStatus::kActive;
  }

  std::mt19937_64 engine_;
  Random random_;
  FixedClock clock_;
  const bool is_fake_;
  std::filesystem::path folder_;
  std::unique_ptr<Database> database_;
  ModelTable model_;
  TableDescription description_;
  bool has_late_index_ = false;
};

}  // namespace
}  // namespace trestle::engine

int main(int argc, char** argv) {
  const std::uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 16) : trestle::SystemSeed();
  const bool is_fake = argc > 3 && std::string_view(argv[3]) == "fake";
  std::printf("model: %llu operations, seed %llx, %s\n",
              static_cast<unsigned long long>(operations), static_cast<unsigned long long>(seed),
              is_fake ? "fake store" : "RocksDB");
  trestle::engine::Model(seed, is_fake).Run(operations);
  std::puts("model: every answer and every read path agrees");
  return 0;
}
