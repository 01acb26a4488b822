#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/limits.h"
#include "engine/index_definition_internal.h"

namespace trestle::engine {
namespace {

std::vector<std::string> NamesOf(std::span<const KeySchemaElement> key_schema) {
  std::vector<std::string> names;
  for (const KeySchemaElement& element : key_schema)
    names.push_back(element.attribute);
  return names;
}

Status CheckSingleKey(std::span<const KeySchemaElement> key_schema) {
  if (key_schema.size() > 2) {
    return InvalidParameter("The KeySchema of a table or local index has at most two elements");
  }
  if (key_schema.size() == 2 && key_schema[0].attribute == key_schema[1].attribute) {
    return ValidationError(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (key_schema.empty() || !key_schema[0].is_partition) {
    return ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (key_schema.size() == 2 && key_schema[1].is_partition) {
    return ValidationError(
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return Ok();
}

std::size_t CountPartition(std::span<const KeySchemaElement> key_schema) {
  return static_cast<std::size_t>(
      std::ranges::count(key_schema, true, &KeySchemaElement::is_partition));
}

Status CheckMultipleKey(std::span<const KeySchemaElement> key_schema) {
  const std::size_t partition_count = CountPartition(key_schema);
  if (key_schema.size() <= 2 && partition_count < 2) return CheckSingleKey(key_schema);
  std::vector<std::string> names = NamesOf(key_schema);
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) {
    return ValidationError("The KeySchema contains multiple key attributes with the same name");
  }
  if (!key_schema[0].is_partition) {
    return ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (!std::ranges::is_partitioned(key_schema, std::identity(), &KeySchemaElement::is_partition)) {
    return InvalidParameter(
        "All HASH key attributes must precede RANGE key attributes in the "
        "KeySchema");
  }
  if (partition_count > kIndexKeyAttributesMax) {
    return InvalidParameter(
        "The KeySchema exceeds the maximum allowed number of HASH key "
        "attributes");
  }
  if (key_schema.size() - partition_count > kIndexKeyAttributesMax) {
    return InvalidParameter(
        "The KeySchema exceeds the maximum allowed number of RANGE key "
        "attributes");
  }
  return Ok();
}

Status CheckNonKeyAttributes(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return Ok();
  return InvalidParameter(fmt::format("Duplicate element in NonKeyAttributes: {}", *twice));
}

Status CheckProjection(const IndexDefinition& definition) {
  if (!definition.projection) return InvalidParameter("Unknown ProjectionType: null");
  switch (*definition.projection) {
    case ProjectionType::kAll:
    case ProjectionType::kKeysOnly:
      if (!definition.non_key_attributes) return Ok();
      return InvalidParameter(
          fmt::format("ProjectionType is {}, but NonKeyAttributes is specified",
                      *definition.projection == ProjectionType::kAll ? "ALL" : "KEYS_ONLY"));
    case ProjectionType::kInclude:
      if (definition.non_key_attributes)
        return CheckNonKeyAttributes(*definition.non_key_attributes);
      return InvalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  UNREACHABLE("a projection type that is not in the enum");
}

Status CheckLocalKey(const IndexDefinition& definition, const ResolvedKey& key,
                     const KeyAttribute& table_partition) {
  if (key.sort.empty()) {
    return InvalidParameter(
        fmt::format("Index KeySchema does not have a range key for index: {}", definition.name));
  }
  if (key.partition[0].name != table_partition.name) {
    return InvalidParameter(fmt::format(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: "
        "{}. index hash key: {}, table hash key: {}",
        definition.name, key.partition[0].name, table_partition.name));
  }
  return Ok();
}

Status CheckGlobalThroughput(const IndexDefinition& definition, const IndexContext& context) {
  const ThroughputOwner owner = {
      .index = definition.name, .billing_mode = context.billing_mode, .change = context.change};
  TRY(CheckIndexThroughput(definition.throughput, owner));
  TRY(CheckOnDemand(definition.on_demand, owner));
  if (!definition.warm) return Ok();
  // A new index has nothing yet that could be decreased.
  const WarmThroughput initial = InitialWarmThroughput(
      context.billing_mode, definition.throughput.value_or(ProvisionedThroughput()));
  return CheckWarm(*definition.warm, initial,
                   {.index = definition.name,
                    .billing_mode = context.billing_mode,
                    .change = TableChange::kCreate});
}

}  // namespace

std::string ListOf(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::vector<std::string> NamesOf(std::span<const KeyAttribute> attributes) {
  std::vector<std::string> names;
  for (const KeyAttribute& attribute : attributes)
    names.push_back(attribute.name);
  return names;
}

Status CheckIsDefined(std::span<const KeySchemaElement> key_schema,
                      std::span<const KeyAttribute> definitions) {
  if (definitions.size() < key_schema.size()) {
    return ValidationError("Invalid KeySchema: Some index key attribute have no definition");
  }
  const auto is_defined = [&](const KeySchemaElement& element) {
    return std::ranges::find(definitions, element.attribute, &KeyAttribute::name) !=
           definitions.end();
  };
  if (std::ranges::all_of(key_schema, is_defined)) return Ok();
  return InvalidParameter(
      fmt::format("Some index key attributes are not defined in AttributeDefinitions. Keys: {}, "
                  "AttributeDefinitions: {}",
                  ListOf(NamesOf(key_schema)), ListOf(NamesOf(definitions))));
}

Result<ResolvedKey> ResolveKey(std::span<const KeySchemaElement> key_schema,
                               std::span<const KeyAttribute> definitions, KeyShape shape) {
  TRY(CheckIsDefined(key_schema, definitions));
  TRY(shape == KeyShape::kSingle ? CheckSingleKey(key_schema) : CheckMultipleKey(key_schema));
  ResolvedKey key;
  for (const KeySchemaElement& element : key_schema) {
    const auto definition = std::ranges::find(definitions, element.attribute, &KeyAttribute::name);
    (element.is_partition ? key.partition : key.sort).push_back(*definition);
  }
  return key;
}

Result<IndexSchema> ResolveIndex(const IndexDefinition& definition, const IndexContext& context) {
  const KeyShape shape = definition.is_global ? KeyShape::kMultiple : KeyShape::kSingle;
  ResolvedKey key = TRY(ResolveKey(definition.key_schema, context.definitions, shape));
  if (!definition.is_global) TRY(CheckLocalKey(definition, key, context.table_partition));
  TRY(CheckProjection(definition));
  if (definition.is_global) TRY(CheckGlobalThroughput(definition, context));

  IndexSchema index;
  index.name = definition.name;
  index.is_global = definition.is_global;
  index.partition = std::move(key.partition);
  index.sort = std::move(key.sort);
  index.projection = *definition.projection;
  index.non_key_attributes = definition.non_key_attributes.value_or(std::vector<std::string>());
  std::ranges::sort(index.non_key_attributes);
  if (!index.is_global) return index;

  index.throughput = definition.throughput.value_or(ProvisionedThroughput());
  if (definition.on_demand) ChangeOnDemand(*definition.on_demand, index.on_demand);
  RaiseWarm(InitialWarmThroughput(context.billing_mode, index.throughput), index.warm);
  if (definition.warm) RaiseWarm(*definition.warm, index.warm);
  return index;
}

Status CheckProjectedAttributes(std::span<const IndexSchema> indexes) {
  std::size_t projected_count = 0;
  for (const IndexSchema& index : indexes)
    projected_count += index.non_key_attributes.size();
  if (projected_count <= kNonKeyAttributesMax) return Ok();
  return InvalidParameter(
      fmt::format("Number of NonKeyAttributes of all indexes exceeds per-table limit of {}",
                  kNonKeyAttributesMax));
}

}  // namespace trestle::engine
