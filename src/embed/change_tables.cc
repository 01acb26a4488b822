// Tables: their definitions, what expires in them, and their tags.

#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "embed/constraints.h"
#include "embed/database_internal.h"
#include "embed/table_conversion_internal.h"
#include "engine/table_change.h"
#include "engine/tags.h"

namespace trestle::embed {
namespace {

constexpr Bounds kKeyAttributeNameLength = {.min = 1, .max = kKeyAttributeNameBytesMax};
constexpr std::size_t kNonKeyAttributesOfIndexMax = 20;

void CheckDefinitions(const std::vector<AttributeDefinition>& definitions,
                      Constraints& constraints) {
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    constraints.CheckLength(fmt::format("attributeDefinitions.{}.member.attributeName", i + 1),
                            definitions[i].attribute_name, kKeyAttributeNameLength);
  }
}

// `path` is that of the structure around the key schema, with its point.
void CheckKeySchema(std::string_view path, const std::vector<KeySchemaElement>& key_schema,
                    Bounds bounds, Constraints& constraints) {
  constraints.CheckCount(fmt::format("{}keySchema", path), "KeySchemaElement", key_schema.size(),
                         bounds);
  for (std::size_t i = 0; i < key_schema.size(); ++i) {
    constraints.CheckLength(fmt::format("{}keySchema.{}.member.attributeName", path, i + 1),
                            key_schema[i].attribute_name, kKeyAttributeNameLength);
  }
}

void CheckProjection(std::string_view path, const Projection& projection,
                     Constraints& constraints) {
  const std::vector<std::string>& names = projection.non_key_attributes;
  const std::string where = fmt::format("{}projection.nonKeyAttributes", path);
  if (names.size() > kNonKeyAttributesOfIndexMax) {
    constraints.Violate(where, fmt::format("[{}]", fmt::join(names, ", ")),
                        fmt::format("Member must have length less than or equal to {}",
                                    kNonKeyAttributesOfIndexMax));
  }
  for (const std::string& name : names) {
    Constraints one;
    one.CheckLength(where, name, kKeyAttributeNameLength);
    if (one.Finish().ok()) continue;
    constraints.Violate(
        where, fmt::format("[{}]", fmt::join(names, ", ")),
        fmt::format("Member must satisfy constraint: [Member must have length less than or equal "
                    "to {}, Member must have length greater than or equal to {}]",
                    kKeyAttributeNameLength.max, kKeyAttributeNameLength.min));
    break;
  }
}

void CheckThroughput(std::string_view path, const std::optional<ProvisionedThroughput>& throughput,
                     Constraints& constraints) {
  if (!throughput) return;
  constraints.CheckRange(fmt::format("{}provisionedThroughput.writeCapacityUnits", path),
                         throughput->write_capacity_units, {.min = 1});
  constraints.CheckRange(fmt::format("{}provisionedThroughput.readCapacityUnits", path),
                         throughput->read_capacity_units, {.min = 1});
}

trestle::Result<engine::CreateTableRequest> ToRequest(const CreateTableInput& input) {
  TRY(CheckTableName(input.table_name));
  Constraints constraints;
  CheckDefinitions(input.attribute_definitions, constraints);
  CheckThroughput("", input.provisioned_throughput, constraints);
  CheckKeySchema("", input.key_schema, {.min = 1, .max = 2}, constraints);
  for (std::size_t i = 0; i < input.local_secondary_indexes.size(); ++i) {
    const LocalSecondaryIndex& index = input.local_secondary_indexes[i];
    const std::string path = fmt::format("localSecondaryIndexes.{}.member.", i + 1);
    constraints.CheckName(path + "indexName", index.index_name);
    CheckKeySchema(path, index.key_schema, {.min = 1, .max = 2}, constraints);
    CheckProjection(path, index.projection, constraints);
  }
  for (std::size_t i = 0; i < input.global_secondary_indexes.size(); ++i) {
    const GlobalSecondaryIndex& index = input.global_secondary_indexes[i];
    const std::string path = fmt::format("globalSecondaryIndexes.{}.member.", i + 1);
    constraints.CheckName(path + "indexName", index.index_name);
    CheckKeySchema(path, index.key_schema, {.min = 1}, constraints);
    CheckProjection(path, index.projection, constraints);
    CheckThroughput(path, index.provisioned_throughput, constraints);
  }
  TRY(constraints.Finish());
  return ToEngine(input);
}

// The members of each action in the order of the service's errors.
void CheckIndexUpdate(std::string_view element, const CreateGlobalSecondaryIndexAction& create,
                      Constraints& constraints) {
  const std::string path = fmt::format("{}create.", element);
  CheckProjection(path, create.projection, constraints);
  constraints.CheckName(path + "indexName", create.index_name);
  CheckThroughput(path, create.provisioned_throughput, constraints);
  CheckKeySchema(path, create.key_schema, {.min = 1}, constraints);
}

void CheckIndexUpdate(std::string_view element, const UpdateGlobalSecondaryIndexAction& update,
                      Constraints& constraints) {
  const std::string path = fmt::format("{}update.", element);
  constraints.CheckName(path + "indexName", update.index_name);
  CheckThroughput(path, update.provisioned_throughput, constraints);
}

void CheckIndexUpdate(std::string_view element, const DeleteGlobalSecondaryIndexAction& remove,
                      Constraints& constraints) {
  constraints.CheckName(fmt::format("{}delete.indexName", element), remove.index_name);
}

trestle::Result<engine::UpdateTableRequest> ToRequest(const UpdateTableInput& input) {
  TRY(CheckTableName(input.table_name));
  Constraints constraints;
  CheckThroughput("", input.provisioned_throughput, constraints);
  CheckDefinitions(input.attribute_definitions, constraints);
  for (std::size_t i = 0; i < input.global_secondary_index_updates.size(); ++i) {
    const std::string element = fmt::format("globalSecondaryIndexUpdates.{}.member.", i + 1);
    std::visit([&](const auto& action) { CheckIndexUpdate(element, action, constraints); },
               input.global_secondary_index_updates[i]);
  }
  TRY(constraints.Finish());
  engine::UpdateTableRequest request = ToEngine(input);
  TRY(engine::CheckUpdate(request));
  return request;
}

trestle::Result<engine::DeleteTableRequest> ToRequest(const DeleteTableInput& input) {
  TRY(CheckTableName(input.table_name));
  return engine::DeleteTableRequest{.table = input.table_name};
}

trestle::Result<engine::DescribeTableRequest> ToRequest(const DescribeTableInput& input) {
  TRY(CheckTableName(input.table_name));
  return engine::DescribeTableRequest{.table = input.table_name};
}

trestle::Result<engine::ListTablesRequest> ToRequest(const ListTablesInput& input) {
  Constraints constraints;
  if (input.limit) constraints.CheckRange("limit", *input.limit, {.min = 1, .max = 100});
  if (input.exclusive_start_table_name) {
    constraints.CheckName("exclusiveStartTableName", *input.exclusive_start_table_name);
  }
  TRY(constraints.Finish());
  engine::ListTablesRequest request;
  request.exclusive_start_table_name = input.exclusive_start_table_name;
  if (input.limit) request.limit = static_cast<std::uint32_t>(*input.limit);
  return request;
}

trestle::Result<engine::UpdateTimeToLiveRequest> ToRequest(const UpdateTimeToLiveInput& input) {
  TRY(CheckTableName(input.table_name));
  const TimeToLiveSpecification& wanted = input.time_to_live_specification;
  Constraints constraints;
  constraints.CheckLength("timeToLiveSpecification.attributeName", wanted.attribute_name,
                          kKeyAttributeNameLength);
  TRY(constraints.Finish());
  return engine::UpdateTimeToLiveRequest{
      .table = input.table_name, .attribute = wanted.attribute_name, .is_enabled = wanted.enabled};
}

trestle::Result<engine::ChangeTagsRequest> ToRequest(const TagResourceInput& input) {
  TRY(CheckTableName(input.table_name));
  engine::ChangeTagsRequest request{.table = input.table_name};
  for (const Tag& tag : input.tags)
    request.set.emplace_back(tag.key, tag.value);
  if (request.set.empty()) {
    return ValidationError("Atleast one Tag needs to be provided as Input.");
  }
  TRY(engine::CheckTagChange(request));
  return request;
}

trestle::Result<engine::ChangeTagsRequest> ToRequest(const UntagResourceInput& input) {
  TRY(CheckTableName(input.table_name));
  engine::ChangeTagsRequest request{.table = input.table_name, .remove = input.tag_keys};
  if (request.remove.empty()) {
    return ValidationError("Atleast one Tag Key needs to be provided as Input.");
  }
  TRY(engine::CheckTagChange(request));
  return request;
}

template <typename Input>
Result<TableDescription> RunOnTable(engine::Database& database, const Input& input) {
  return Run<engine::TableReply>(database, ToRequest(input), [](const engine::TableReply& reply) {
    return FromEngine(reply.description);
  });
}

Result<std::vector<Tag>> TagsOf(engine::Database& database, const std::string& table) {
  return Run<engine::TableReply>(database, ToRequest(DescribeTableInput{.table_name = table}),
                                 [](const engine::TableReply& reply) {
                                   std::vector<Tag> tags;
                                   for (const auto& [key, value] : reply.description.schema->tags)
                                     tags.push_back({.key = key, .value = value});
                                   return tags;
                                 });
}

template <typename Input>
Result<std::vector<Tag>> ChangeTags(engine::Database& database, const Input& input) {
  const auto changed = Run<std::monostate>(database, ToRequest(input),
                                           [](const std::monostate& done) { return done; });
  if (!changed.ok()) return changed.error();
  return TagsOf(database, input.table_name);
}

}  // namespace

Result<TableDescription> Database::CreateTable(const CreateTableInput& input) {
  return RunOnTable(*impl_->database, input);
}

Result<TableDescription> Database::UpdateTable(const UpdateTableInput& input) {
  return RunOnTable(*impl_->database, input);
}

Result<TableDescription> Database::DeleteTable(const DeleteTableInput& input) {
  return RunOnTable(*impl_->database, input);
}

Result<TableDescription> Database::DescribeTable(const DescribeTableInput& input) const {
  return RunOnTable(*impl_->database, input);
}

Result<ListTablesOutput> Database::ListTables(const ListTablesInput& input) const {
  return Run<engine::ListTablesReply>(
      *impl_->database, ToRequest(input), [](const engine::ListTablesReply& reply) {
        return ListTablesOutput{.table_names = reply.tables,
                                .last_evaluated_table_name = reply.last_evaluated_table_name};
      });
}

Result<TimeToLiveSpecification> Database::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  return Run<std::monostate>(
      *impl_->database, ToRequest(input),
      [&](const std::monostate& /*reply*/) { return input.time_to_live_specification; });
}

Result<std::optional<TimeToLiveSpecification>> Database::DescribeTimeToLive(
    const DescribeTimeToLiveInput& input) const {
  return Run<engine::TableReply>(
      *impl_->database, ToRequest(DescribeTableInput{.table_name = input.table_name}),
      [](const engine::TableReply& reply) -> std::optional<TimeToLiveSpecification> {
        const auto& time_to_live = reply.description.schema->time_to_live;
        if (!time_to_live || !time_to_live->is_enabled) return std::nullopt;
        return TimeToLiveSpecification{.enabled = true, .attribute_name = time_to_live->attribute};
      });
}

Result<std::vector<Tag>> Database::ListTagsOfResource(const ListTagsOfResourceInput& input) const {
  return TagsOf(*impl_->database, input.table_name);
}

Result<std::vector<Tag>> Database::TagResource(const TagResourceInput& input) {
  return ChangeTags(*impl_->database, input);
}

Result<std::vector<Tag>> Database::UntagResource(const UntagResourceInput& input) {
  return ChangeTags(*impl_->database, input);
}

}  // namespace trestle::embed
