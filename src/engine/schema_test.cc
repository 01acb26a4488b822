// The catalogue row of a table: what is written is read back, and rows of released versions stay
// readable.

#include "engine/schema.h"

#include <string>

#include <gtest/gtest.h>

#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::engine {
namespace {

std::string ToHex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

TableSchema Minimal() {
  TableSchema schema;
  schema.id = TableId{1};
  schema.name = "orders";
  schema.partition = {.name = "pk", .type = value::Type::kS};
  schema.attribute_definitions = {schema.partition};
  return schema;
}

// Every field differs from its default, so that none can be forgotten.
TableSchema Full() {
  TableSchema schema = Minimal();
  schema.id = TableId{4'294'967'295};
  schema.uuid = "0b1c2d3e-0000-4000-8000-000000000001";
  schema.sort = {.name = "sk", .type = value::Type::kN};
  schema.attribute_definitions = {{.name = "pk", .type = value::Type::kS},
                                  {.name = "sk", .type = value::Type::kN},
                                  {.name = "x", .type = value::Type::kB}};
  IndexSchema local;
  local.id = IndexId{7};
  local.name = "by_x";
  local.is_global = false;
  local.partition = {schema.partition};
  local.sort = {{.name = "x", .type = value::Type::kB}};
  local.projection = ProjectionType::kInclude;
  local.non_key_attributes = {"a", "b"};
  IndexSchema global;
  global.id = IndexId{8};
  global.name = "by_x_sk";
  global.partition = {{.name = "x", .type = value::Type::kB}, schema.partition};
  global.sort = {*schema.sort};
  global.projection = ProjectionType::kKeysOnly;
  global.status = IndexStatus::kCreating;
  global.status_until_unix_ms = 5;
  global.is_backfilling = true;
  global.backfill_next_row = std::string("\0\xff row", 6);
  global.throughput = {1, 2, 3, 4, 5};
  global.on_demand = {.max_read_request_units = 10, .max_write_request_units = std::nullopt};
  global.warm = {.read_units_per_second = 12'000, .write_units_per_second = 4'000};
  schema.indexes = {local, global};
  schema.status = TableStatus::kUpdating;
  schema.status_until_unix_ms = 1'700'000'000'001;
  schema.created_unix_ms = 1'700'000'000'000;
  schema.billing_mode = BillingMode::kPayPerRequest;
  schema.has_billing_summary = true;
  schema.billing_changed_unix_ms = 6;
  schema.throughput = {6, 7, 8, 9, 10};
  schema.on_demand = OnDemandThroughput{};
  schema.warm = {.read_units_per_second = 1, .write_units_per_second = 2};
  schema.table_class = TableClass::kStandard;
  schema.table_class_changed_unix_ms = 11;
  schema.deletion_protection = true;
  schema.sse_kms_key = "";
  schema.stream = StreamSchema{.id = StreamId{9},
                               .view_type = StreamViewType::kOldImage,
                               .created_unix_ms = 12,
                               .is_enabled = true};
  schema.time_to_live = TimeToLive{.attribute = "ends",
                                   .is_enabled = true,
                                   .status_until_unix_ms = 13,
                                   .id = ExpiryId{10},
                                   .is_backfilling = true,
                                   .backfill_next_row = std::string("\0\xff row", 6)};
  schema.tags = {{"team", "red"}, {"empty", ""}};
  return schema;
}

// Equal rows are equal schemas, as long as every field is in the row: the test below this one.
TEST(Schema, RowIsReadBackAsItWasWritten) {
  for (const TableSchema& schema : {Minimal(), Full()}) {
    const value::Item row = EncodeSchema(schema);
    const auto read = DecodeSchema(row.bytes());
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(ToHex(EncodeSchema(*read).bytes()), ToHex(row.bytes()));
  }
}

TEST(Schema, EveryFieldSurvives) {
  const TableSchema full = Full();
  const auto read = DecodeSchema(EncodeSchema(full).bytes());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->id, full.id);
  EXPECT_EQ(read->uuid, full.uuid);
  EXPECT_EQ(read->name, full.name);
  EXPECT_EQ(read->partition, full.partition);
  EXPECT_EQ(read->sort, full.sort);
  EXPECT_EQ(read->attribute_definitions, full.attribute_definitions);
  EXPECT_EQ(read->status, full.status);
  EXPECT_EQ(read->status_until_unix_ms, full.status_until_unix_ms);
  EXPECT_EQ(read->created_unix_ms, full.created_unix_ms);
  EXPECT_EQ(read->billing_mode, full.billing_mode);
  EXPECT_TRUE(read->has_billing_summary);
  EXPECT_EQ(read->billing_changed_unix_ms, 6);
  EXPECT_EQ(read->throughput.read_capacity_units, 6);
  EXPECT_EQ(read->throughput.write_capacity_units, 7);
  EXPECT_EQ(read->throughput.last_increase_unix_ms, 8);
  EXPECT_EQ(read->throughput.last_decrease_unix_ms, 9);
  EXPECT_EQ(read->throughput.decreases_today, 10);
  ASSERT_TRUE(read->on_demand);
  EXPECT_EQ(read->on_demand->max_read_request_units, std::nullopt);
  ASSERT_TRUE(read->warm);
  EXPECT_EQ(read->warm->write_units_per_second, 2);
  EXPECT_EQ(read->table_class, TableClass::kStandard);
  EXPECT_EQ(read->table_class_changed_unix_ms, 11);
  EXPECT_TRUE(read->deletion_protection);
  EXPECT_EQ(read->sse_kms_key, "");
  ASSERT_TRUE(read->stream);
  EXPECT_EQ(read->stream->id, StreamId{9});
  EXPECT_EQ(read->stream->view_type, StreamViewType::kOldImage);
  EXPECT_EQ(read->stream->created_unix_ms, 12);
  EXPECT_TRUE(read->stream->is_enabled);
  EXPECT_EQ(read->tags, full.tags);
}

TEST(Schema, EveryFieldOfAnIndexSurvives) {
  const auto read = DecodeSchema(EncodeSchema(Full()).bytes());
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read->indexes.size(), 2U);
  const IndexSchema& local = read->indexes[0];
  EXPECT_EQ(local.id, IndexId{7});
  EXPECT_FALSE(local.is_global);
  EXPECT_EQ(local.projection, ProjectionType::kInclude);
  EXPECT_EQ(local.non_key_attributes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(local.status, IndexStatus::kActive);
  const IndexSchema& global = read->indexes[1];
  EXPECT_EQ(global.name, "by_x_sk");
  EXPECT_TRUE(global.is_global);
  EXPECT_EQ(global.partition, Full().indexes[1].partition);
  EXPECT_EQ(global.sort, Full().indexes[1].sort);
  EXPECT_EQ(global.status, IndexStatus::kCreating);
  EXPECT_EQ(global.status_until_unix_ms, 5);
  EXPECT_TRUE(global.is_backfilling);
  EXPECT_EQ(global.backfill_next_row, Full().indexes[1].backfill_next_row);
  EXPECT_EQ(global.throughput.decreases_today, 5);
  ASSERT_TRUE(global.on_demand);
  EXPECT_EQ(global.on_demand->max_read_request_units, 10);
  EXPECT_EQ(global.on_demand->max_write_request_units, std::nullopt);
  ASSERT_TRUE(global.warm);
  EXPECT_EQ(global.warm->read_units_per_second, 12'000);
}

TEST(Schema, FindsIndexesByName) {
  const TableSchema schema = Full();
  EXPECT_EQ(schema.FindIndex("by_x"), &schema.indexes[0]);
  EXPECT_EQ(schema.FindIndex("by_y"), nullptr);
  EXPECT_TRUE(schema.HasLocalIndexes());
  EXPECT_FALSE(Minimal().HasLocalIndexes());
}

// The bytes of docs/formats/catalogue.md. They must be readable for ever.
TEST(Schema, GoldenRow) {
  constexpr std::string_view kGolden =
      "0121000000040000000561747472734c0900000001000000530353706b0468617368530353706b0269644e04ff82"
      "0b"
      "00046e616d6553066f7264657273";
  EXPECT_EQ(ToHex(EncodeSchema(Minimal()).bytes()), kGolden);
  const auto read = DecodeSchema(FromHex(kGolden));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->name, "orders");
  EXPECT_EQ(read->partition, Minimal().partition);
  EXPECT_EQ(read->status, TableStatus::kActive);
}

// A row of a later version may have attributes that this one does not know.
TEST(Schema, UnknownFieldsAreIgnored) {
  value::ItemBuilder builder;
  const value::Item row = EncodeSchema(Minimal());
  for (const value::AttributeView attribute : row.view().attributes()) {
    builder.Add(attribute.name, attribute.value.bytes());
  }
  std::string yes;
  value::AppendBool(yes, true);
  builder.Add("later", yes);
  EXPECT_TRUE(DecodeSchema(builder.Finish().bytes()).ok());
}

// Replaces one field of a sound row and tries to read it.
Result<TableSchema> ReadWith(std::string_view name, const std::string& encoded) {
  value::ItemBuilder builder;
  const value::Item row = EncodeSchema(Full());
  for (const value::AttributeView attribute : row.view().attributes()) {
    if (attribute.name != name) builder.Add(attribute.name, attribute.value.bytes());
  }
  if (!encoded.empty()) builder.Add(name, encoded);
  return DecodeSchema(builder.Finish().bytes());
}

TEST(Schema, DamagedRowsAreRefused) {
  std::string text;
  value::AppendString(text, "X");
  std::string large;
  value::AppendNumber(large, value::Number::FromInteger(4'294'967'296));
  std::string fraction;
  value::AppendNumber(fraction, *value::Number::Parse("1.5"));
  std::string texts;
  const std::size_t place = value::BeginContainer(texts, value::Type::kL);
  value::AppendString(texts, "Xname");
  value::EndContainer(texts, place, 1);

  for (const auto& [name, encoded] : std::vector<std::pair<std::string, std::string>>{
           {"name", ""},        // absent
           {"hash", ""},        // absent
           {"hash", text},      // no name behind the type
           {"range", text},     //
           {"id", text},        // not a number
           {"id", large},       // more than 32 bits
           {"st", large},       // not a status
           {"made", fraction},  // not an integer
           {"attrs", texts},    // no type of a key
           {"idx", texts},      // not maps
       }) {
    const auto read = ReadWith(name, encoded);
    ASSERT_FALSE(read.ok()) << name;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorruption) << name;
  }
  EXPECT_EQ(DecodeSchema("").error().code(), ErrorCode::kCorruption);
  EXPECT_EQ(DecodeSchema("rubbish").error().code(), ErrorCode::kCorruption);
}

}  // namespace
}  // namespace trestle::engine
