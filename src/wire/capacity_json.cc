#include "wire/capacity_json.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "protocol/attribute_json.h"

namespace trestle::wire {
namespace {

void WriteUnits(json::Writer& body, double read_units, double write_units, UnitNames names) {
  body.Key("CapacityUnits");
  body.Double(read_units + write_units);
  if (names == UnitNames::kTotal) return;
  if (read_units > 0) {
    body.Key("ReadCapacityUnits");
    body.Double(read_units);
  }
  if (write_units > 0) {
    body.Key("WriteCapacityUnits");
    body.Double(write_units);
  }
}

void WriteIndexes(json::Writer& body, std::string_view member, bool global,
                  const engine::ConsumedCapacity& consumed, UnitNames names) {
  const auto is_of_kind = [&](const engine::IndexUnits& units) {
    return units.is_global == global;
  };
  if (std::ranges::none_of(consumed.indexes, is_of_kind)) return;
  body.Key(member);
  body.BeginObject();
  for (const engine::IndexUnits& units : consumed.indexes) {
    if (!is_of_kind(units)) continue;
    body.Key(units.index);
    body.BeginObject();
    WriteUnits(body, units.read_units, units.write_units, names);
    body.EndObject();
  }
  body.EndObject();
}

void WriteOne(json::Writer& body, engine::ReturnConsumedCapacity asked,
              const engine::ConsumedCapacity& consumed, UnitNames names) {
  body.BeginObject();
  body.Key("TableName");
  body.String(consumed.table);
  WriteUnits(body, consumed.ReadUnits(), consumed.WriteUnits(), names);
  if (asked == engine::ReturnConsumedCapacity::kIndexes) {
    body.Key("Table");
    body.BeginObject();
    WriteUnits(body, consumed.table_read_units, consumed.table_write_units, names);
    body.EndObject();
    WriteIndexes(body, "LocalSecondaryIndexes", false, consumed, names);
    WriteIndexes(body, "GlobalSecondaryIndexes", true, consumed, names);
  }
  body.EndObject();
}

void WriteOne(json::Writer& body, const engine::ItemCollectionMetrics& metrics) {
  constexpr std::uint64_t kGigabyte = 1024ULL * 1024 * 1024;
  const std::uint64_t whole_gb = metrics.size_bytes / kGigabyte;
  const auto size_gb = static_cast<double>(whole_gb);
  body.BeginObject();
  body.Key("ItemCollectionKey");
  protocol::WriteItem(body, metrics.key.view());
  body.Key("SizeEstimateRangeGB");
  body.BeginArray();
  body.Double(size_gb);
  body.Double(size_gb + 1);
  body.EndArray();
  body.EndObject();
}

}  // namespace

void WriteConsumedCapacity(json::Writer& body, engine::ReturnConsumedCapacity asked,
                           const std::optional<engine::ConsumedCapacity>& consumed) {
  if (asked == engine::ReturnConsumedCapacity::kNone || !consumed) return;
  body.Key("ConsumedCapacity");
  WriteOne(body, asked, *consumed, UnitNames::kTotal);
}

void WriteConsumedCapacities(json::Writer& body, engine::ReturnConsumedCapacity asked,
                             const std::vector<engine::ConsumedCapacity>& consumed,
                             UnitNames names) {
  if (asked == engine::ReturnConsumedCapacity::kNone) return;
  body.Key("ConsumedCapacity");
  body.BeginArray();
  for (const engine::ConsumedCapacity& one : consumed)
    WriteOne(body, asked, one, names);
  body.EndArray();
}

void WriteItemCollectionMetrics(json::Writer& body,
                                const std::optional<engine::ItemCollectionMetrics>& metrics) {
  if (!metrics) return;
  body.Key("ItemCollectionMetrics");
  WriteOne(body, *metrics);
}

void WriteItemCollectionMetrics(json::Writer& body, engine::ReturnItemCollectionMetrics asked,
                                const std::vector<engine::ItemCollectionMetrics>& metrics) {
  if (asked == engine::ReturnItemCollectionMetrics::kNone) return;
  std::set<std::string_view> tables;
  for (const engine::ItemCollectionMetrics& one : metrics)
    tables.insert(one.table);

  body.Key("ItemCollectionMetrics");
  body.BeginObject();
  for (const std::string_view table : tables) {
    body.Key(table);
    body.BeginArray();
    for (const engine::ItemCollectionMetrics& one : metrics) {
      if (one.table == table) WriteOne(body, one);
    }
    body.EndArray();
  }
  body.EndObject();
}

}  // namespace trestle::wire
