#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "json/json.h"
#include "wire/operation.h"

// Tables in requests and replies. What is read here has passed its shape (table_shapes.h).

namespace trestle::wire {

[[nodiscard]] std::vector<engine::KeyAttribute> ParseAttributeDefinitions(const json::Array& array);
[[nodiscard]] std::vector<engine::KeySchemaElement> ParseKeySchema(const json::Array& array);

enum class IndexKind { kLocal, kGlobal };
[[nodiscard]] engine::IndexDefinition ParseIndex(const json::Object& object, IndexKind kind);

// Each reads one member of a table or an index, under its own name.
[[nodiscard]] std::optional<engine::ProvisionedThroughput> ParseProvisionedThroughput(
    const json::Object& object);
[[nodiscard]] std::optional<engine::OnDemandThroughput> ParseOnDemandThroughput(
    const json::Object& object);
[[nodiscard]] std::optional<engine::WarmThroughput> ParseWarmThroughput(const json::Object& object);
[[nodiscard]] std::optional<engine::BillingMode> ParseBillingMode(const json::Object& body);
[[nodiscard]] Result<std::optional<engine::TableClass>> ParseTableClass(const json::Object& body);
[[nodiscard]] std::optional<engine::StreamSpecification> ParseStreamSpecification(
    const json::Object& body);
[[nodiscard]] std::optional<engine::SseSpecification> ParseSseSpecification(
    const json::Object& body);

// The TableDescription of most replies. That of a table that is being created tells of its warm
// throughput only when the request `asks_for_warm`.
void RenderTable(const CallContext& context, const engine::TableDescription& description,
                 json::Writer& writer, bool asks_for_warm = false);

// The shorter one of DeleteTable, without attributes, keys and indexes.
void RenderDeletedTable(const CallContext& context, const engine::TableDescription& description,
                        json::Writer& writer);

}  // namespace trestle::wire
