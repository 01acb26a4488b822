#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "design/syntax/tree.h"

// Every struct of the tree, field by field, for code that treats them all alike: the JSON twin and
// the tests' random trees. A visitor has these members:
//
//   Must(name, field)     a field that has to be there; a list of at least one
//   Several(name, field)  a list of at least two
//   May(name, field)      one that is left out when it is empty or false
//
// Positions are no fields: they say where something was read, not what it says.

namespace trestle::design::syntax {

template <typename Node, typename T>
concept Of = std::same_as<std::remove_const_t<Node>, T>;

// What an alternative of a variant is called.
template <typename T>
inline constexpr std::string_view kKind = "";

template <typename Content>
void VisitBody(std::string_view name, Block<Content>& block, auto& visit) {
  visit.May(name, block.statements);
  visit.May("end_comments", block.end_comments);
  visit.May("end_comment", block.end_comment);
}
template <typename Content>
void VisitBody(std::string_view name, const Block<Content>& block, auto& visit) {
  visit.May(name, block.statements);
  visit.May("end_comments", block.end_comments);
  visit.May("end_comment", block.end_comment);
}

template <>
inline constexpr std::string_view kKind<Text> = "text";
void VisitFields(Of<Text> auto& it, auto& visit) { visit.Must("text", it.text); }

template <>
inline constexpr std::string_view kKind<Number> = "number";
void VisitFields(Of<Number> auto& it, auto& visit) { visit.Must("digits", it.digits); }

template <>
inline constexpr std::string_view kKind<BoolValue> = "bool";
void VisitFields(Of<BoolValue> auto& it, auto& visit) { visit.Must("value", it.value); }

template <>
inline constexpr std::string_view kKind<NameValue> = "name";
void VisitFields(Of<NameValue> auto& it, auto& visit) { visit.Must("path", it.path); }

void VisitFields(Of<Duration> auto& it, auto& visit) {
  visit.Must("count", it.count);
  visit.Must("unit", it.unit);
}

template <>
inline constexpr std::string_view kKind<CallValue> = "call";
void VisitFields(Of<CallValue> auto& it, auto& visit) {
  visit.Must("function", it.function);
  visit.May("plus", it.plus);
}

template <>
inline constexpr std::string_view kKind<ListValue> = "list";
void VisitFields(Of<ListValue> auto& it, auto& visit) { visit.May("elements", it.elements); }

template <>
inline constexpr std::string_view kKind<Presence> = "presence";
void VisitFields(Of<Presence> auto& it, auto& visit) {
  visit.Must("path", it.path);
  visit.May("absent", it.absent);
}

template <>
inline constexpr std::string_view kKind<Comparison> = "comparison";
void VisitFields(Of<Comparison> auto& it, auto& visit) {
  visit.Must("path", it.path);
  visit.May("of_size", it.of_size);
  visit.Must("comparator", it.comparator);
  visit.Must("value", it.value);
}

template <>
inline constexpr std::string_view kKind<Junction> = "junction";
void VisitFields(Of<Junction> auto& it, auto& visit) {
  visit.Must("connective", it.connective);
  visit.Several("operands", it.operands);
}

template <>
inline constexpr std::string_view kKind<Negation> = "not";
void VisitFields(Of<Negation> auto& it, auto& visit) { visit.Must("operand", it.operand); }

void VisitFields(Of<Comment> auto& it, auto& visit) {
  visit.Must("text", it.text);
  visit.May("blank_before", it.blank_before);
}

void VisitFields(Of<Range> auto& it, auto& visit) {
  visit.May("min", it.min);
  visit.May("max", it.max);
}

template <>
inline constexpr std::string_view kKind<PlainType> = "plain";
void VisitFields(Of<PlainType> auto& it, auto& visit) { visit.Must("name", it.name); }

template <>
inline constexpr std::string_view kKind<RangedType> = "ranged";
void VisitFields(Of<RangedType> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("range", it.range);
}

template <>
inline constexpr std::string_view kKind<TimestampType> = "timestamp";
void VisitFields(Of<TimestampType> auto& it, auto& visit) { visit.May("precision", it.precision); }

template <>
inline constexpr std::string_view kKind<EnumType> = "enum";
void VisitFields(Of<EnumType> auto& it, auto& visit) { visit.Must("values", it.values); }

template <>
inline constexpr std::string_view kKind<ListType> = "list";
void VisitFields(Of<ListType> auto& it, auto& visit) {
  visit.Must("element", it.element);
  visit.May("range", it.range);
}

template <>
inline constexpr std::string_view kKind<SetType> = "set";
void VisitFields(Of<SetType> auto& it, auto& visit) {
  visit.Must("element", it.element);
  visit.May("range", it.range);
}

template <>
inline constexpr std::string_view kKind<MapType> = "map";
void VisitFields(Of<MapType> auto& it, auto& visit) {
  VisitBody("attributes", it.attributes, visit);
}

template <>
inline constexpr std::string_view kKind<FlagModifier> = "flag";
void VisitFields(Of<FlagModifier> auto& it, auto& visit) { visit.Must("flag", it.flag); }

template <>
inline constexpr std::string_view kKind<ConstModifier> = "const";
void VisitFields(Of<ConstModifier> auto& it, auto& visit) { visit.Must("value", it.value); }

template <>
inline constexpr std::string_view kKind<ComputedModifier> = "computed";
void VisitFields(Of<ComputedModifier> auto& it, auto& visit) { visit.Must("text", it.text); }

template <>
inline constexpr std::string_view kKind<NormaliseModifier> = "normalise";
void VisitFields(Of<NormaliseModifier> auto& it, auto& visit) { visit.Must("steps", it.steps); }

template <>
inline constexpr std::string_view kKind<PatternModifier> = "pattern";
void VisitFields(Of<PatternModifier> auto& it, auto& visit) { visit.Must("regex", it.regex); }

template <>
inline constexpr std::string_view kKind<RequiredWhenModifier> = "required_when";
void VisitFields(Of<RequiredWhenModifier> auto& it, auto& visit) {
  visit.Must("condition", it.condition);
}

template <>
inline constexpr std::string_view kKind<AbsentUnlessModifier> = "absent_unless";
void VisitFields(Of<AbsentUnlessModifier> auto& it, auto& visit) {
  visit.Must("condition", it.condition);
}

template <>
inline constexpr std::string_view kKind<OnUpdateModifier> = "on_update";
void VisitFields(Of<OnUpdateModifier> auto& it, auto& visit) { visit.Must("value", it.value); }

template <>
inline constexpr std::string_view kKind<WasModifier> = "was";
void VisitFields(Of<WasModifier> auto& it, auto& visit) { visit.Must("name", it.name); }

template <>
inline constexpr std::string_view kKind<Attribute> = "attribute";
void VisitFields(Of<Attribute> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.Must("type", it.type);
  visit.May("optional", it.optional);
  visit.May("default", it.default_value);
  visit.May("modifiers", it.modifiers);
}

void VisitFields(Of<Link> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.May("parent_attribute", it.parent_attribute);
}

template <>
inline constexpr std::string_view kKind<MustExist> = "must_exist";
void VisitFields(Of<MustExist> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<CopyRule> = "copy";
void VisitFields(Of<CopyRule> auto& it, auto& visit) {
  visit.Must("to", it.to);
  visit.Must("from", it.from);
}

template <>
inline constexpr std::string_view kKind<CountRule> = "count";
void VisitFields(Of<CountRule> auto& it, auto& visit) {
  visit.Must("into", it.into);
  visit.May("when", it.when);
}

template <>
inline constexpr std::string_view kKind<SumRule> = "sum";
void VisitFields(Of<SumRule> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.Must("into", it.into);
  visit.May("when", it.when);
}

template <>
inline constexpr std::string_view kKind<AverageRule> = "average";
void VisitFields(Of<AverageRule> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.Must("into", it.into);
  visit.May("when", it.when);
}

template <>
inline constexpr std::string_view kKind<OnDeleteRule> = "on_delete";
void VisitFields(Of<OnDeleteRule> auto& it, auto& visit) { visit.Must("action", it.action); }

template <>
inline constexpr std::string_view kKind<DetachRule> = "detach";
void VisitFields(Of<DetachRule> auto& it, auto& visit) { visit.Must("attributes", it.attributes); }

template <>
inline constexpr std::string_view kKind<OnRekeyMove> = "on_rekey_move";
void VisitFields(Of<OnRekeyMove> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<ThroughRule> = "through";
void VisitFields(Of<ThroughRule> auto& it, auto& visit) {
  visit.Must("access", it.access);
  visit.May("filter", it.filter);
}

template <>
inline constexpr std::string_view kKind<BelongsTo> = "belongs_to";
void VisitFields(Of<BelongsTo> auto& it, auto& visit) {
  visit.Must("parent", it.parent);
  visit.Must("links", it.links);
  visit.May("optional", it.optional);
  visit.May("when", it.when);
  VisitBody("rules", it.rules, visit);
}

template <>
inline constexpr std::string_view kKind<TypeTag> = "type";
void VisitFields(Of<TypeTag> auto& it, auto& visit) { visit.Must("tag", it.tag); }

template <>
inline constexpr std::string_view kKind<KeyEntry> = "key";
void VisitFields(Of<KeyEntry> auto& it, auto& visit) {
  visit.Must("partition_key", it.partition_key);
  visit.May("sort_key", it.sort_key);
  visit.May("when", it.when);
}

template <>
inline constexpr std::string_view kKind<IndexEntry> = "index";
void VisitFields(Of<IndexEntry> auto& it, auto& visit) {
  visit.Must("index", it.index);
  visit.Must("partition_key", it.partition_key);
  visit.May("sort_key", it.sort_key);
  visit.May("when", it.when);
  visit.May("shards", it.shards);
}

template <>
inline constexpr std::string_view kKind<DirectIndexEntry> = "direct_index";
void VisitFields(Of<DirectIndexEntry> auto& it, auto& visit) { visit.Must("index", it.index); }

template <>
inline constexpr std::string_view kKind<Identity> = "identity";
void VisitFields(Of<Identity> auto& it, auto& visit) {
  visit.Must("attributes", it.attributes);
  visit.May("via", it.via);
}

template <>
inline constexpr std::string_view kKind<RekeyOn> = "rekey_on";
void VisitFields(Of<RekeyOn> auto& it, auto& visit) { visit.Must("attributes", it.attributes); }

template <>
inline constexpr std::string_view kKind<Unique> = "unique";
void VisitFields(Of<Unique> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.Must("attributes", it.attributes);
}

template <>
inline constexpr std::string_view kKind<Entity> = "entity";
void VisitFields(Of<Entity> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("shapes", it.shapes);
  visit.May("append_only", it.append_only);
  VisitBody("members", it.members, visit);
}

template <>
inline constexpr std::string_view kKind<Shape> = "shape";
void VisitFields(Of<Shape> auto& it, auto& visit) {
  visit.Must("name", it.name);
  VisitBody("members", it.members, visit);
}

template <>
inline constexpr std::string_view kKind<Include> = "include";
void VisitFields(Of<Include> auto& it, auto& visit) { visit.Must("attributes", it.attributes); }

template <>
inline constexpr std::string_view kKind<Mirror> = "mirror";
void VisitFields(Of<Mirror> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.Must("entity", it.entity);
  visit.May("when", it.when);
  VisitBody("members", it.members, visit);
}

template <>
inline constexpr std::string_view kKind<Group> = "group";
void VisitFields(Of<Group> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.Must("entities", it.entities);
}

template <>
inline constexpr std::string_view kKind<TableKey> = "key";
void VisitFields(Of<TableKey> auto& it, auto& visit) {
  visit.Must("partition_key", it.partition_key);
  visit.May("sort_key", it.sort_key);
}

template <>
inline constexpr std::string_view kKind<Discriminate> = "discriminate";
void VisitFields(Of<Discriminate> auto& it, auto& visit) { visit.May("attribute", it.attribute); }

template <>
inline constexpr std::string_view kKind<Timestamps> = "timestamps";
void VisitFields(Of<Timestamps> auto& it, auto& visit) { visit.Must("precision", it.precision); }

template <>
inline constexpr std::string_view kKind<OnDemandBilling> = "billing_on_demand";
void VisitFields(Of<OnDemandBilling> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<ProvisionedBilling> = "billing_provisioned";
void VisitFields(Of<ProvisionedBilling> auto& it, auto& visit) {
  visit.Must("read_units", it.read_units);
  visit.Must("write_units", it.write_units);
}

template <>
inline constexpr std::string_view kKind<PointInTimeRecovery> = "pitr";
void VisitFields(Of<PointInTimeRecovery> auto& it, auto& visit) {
  visit.Must("setting", it.setting);
}

template <>
inline constexpr std::string_view kKind<ServiceEncryption> = "encryption";
void VisitFields(Of<ServiceEncryption> auto& it, auto& visit) { visit.Must("key", it.key); }

template <>
inline constexpr std::string_view kKind<KmsEncryption> = "encryption_kms";
void VisitFields(Of<KmsEncryption> auto& it, auto& visit) { visit.May("key", it.key); }

template <>
inline constexpr std::string_view kKind<TimeToLive> = "ttl";
void VisitFields(Of<TimeToLive> auto& it, auto& visit) { visit.May("attribute", it.attribute); }

template <>
inline constexpr std::string_view kKind<Stream> = "stream";
void VisitFields(Of<Stream> auto& it, auto& visit) { visit.Must("view", it.view); }

template <>
inline constexpr std::string_view kKind<Separator> = "separator";
void VisitFields(Of<Separator> auto& it, auto& visit) { visit.Must("text", it.text); }

template <>
inline constexpr std::string_view kKind<Lock> = "lock";
void VisitFields(Of<Lock> auto& it, auto& visit) { visit.Must("attribute", it.attribute); }

template <>
inline constexpr std::string_view kKind<ProjectAll> = "all";
void VisitFields(Of<ProjectAll> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<ProjectKeys> = "keys";
void VisitFields(Of<ProjectKeys> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<ProjectInclude> = "include";
void VisitFields(Of<ProjectInclude> auto& it, auto& visit) {
  visit.Must("attributes", it.attributes);
}

template <>
inline constexpr std::string_view kKind<TableIndex> = "index";
void VisitFields(Of<TableIndex> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.Must("key", it.key);
  visit.May("local", it.local);
  visit.Must("projection", it.projection);
}

template <>
inline constexpr std::string_view kKind<Table> = "table";
void VisitFields(Of<Table> auto& it, auto& visit) {
  visit.Must("name", it.name);
  VisitBody("settings", it.settings, visit);
}

void VisitFields(Of<Parameter> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("type", it.type);
}

void VisitFields(Of<AccessResult> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("many", it.many);
}

template <>
inline constexpr std::string_view kKind<SortKeyIs> = "is";
void VisitFields(Of<SortKeyIs> auto& it, auto& visit) { visit.Must("key", it.key); }

template <>
inline constexpr std::string_view kKind<SortKeyBegins> = "begins";
void VisitFields(Of<SortKeyBegins> auto& it, auto& visit) { visit.Must("prefix", it.prefix); }

template <>
inline constexpr std::string_view kKind<SortKeyBefore> = "before";
void VisitFields(Of<SortKeyBefore> auto& it, auto& visit) {
  visit.Must("end", it.end);
  visit.May("within", it.within);
}

template <>
inline constexpr std::string_view kKind<SortKeyAfter> = "after";
void VisitFields(Of<SortKeyAfter> auto& it, auto& visit) {
  visit.Must("start", it.start);
  visit.May("within", it.within);
}

template <>
inline constexpr std::string_view kKind<SortKeyBetween> = "between";
void VisitFields(Of<SortKeyBetween> auto& it, auto& visit) {
  visit.Must("first", it.first);
  visit.Must("last", it.last);
}

template <>
inline constexpr std::string_view kKind<SortKeyFrom> = "from";
void VisitFields(Of<SortKeyFrom> auto& it, auto& visit) {
  visit.Must("first", it.first);
  visit.Must("before", it.before);
}

void VisitFields(Of<FuzzyMatch> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.Must("parameter", it.parameter);
}

template <>
inline constexpr std::string_view kKind<Query> = "query";
void VisitFields(Of<Query> auto& it, auto& visit) {
  visit.May("index", it.index);
  visit.Must("partition_key", it.partition_key);
  visit.May("sort_key", it.sort_key);
  visit.May("only", it.only);
  visit.May("filter", it.filter);
  visit.May("merge", it.merge);
  visit.May("order", it.order);
  visit.May("sort", it.sort);
  visit.May("limit", it.limit);
  visit.May("hydrate", it.hydrate);
  visit.May("consistent", it.consistent);
  visit.May("match", it.match);
}

template <>
inline constexpr std::string_view kKind<GetItem> = "get";
void VisitFields(Of<GetItem> auto& it, auto& visit) { visit.May("consistent", it.consistent); }

template <>
inline constexpr std::string_view kKind<CreateItem> = "create";
void VisitFields(Of<CreateItem> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<UpdateItem> = "update";
void VisitFields(Of<UpdateItem> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<DeleteItem> = "delete";
void VisitFields(Of<DeleteItem> auto&, auto&) {}

template <>
inline constexpr std::string_view kKind<Access> = "access";
void VisitFields(Of<Access> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("parameters", it.parameters);
  visit.Must("results", it.results);
  visit.Must("action", it.action);
  visit.May("tenant", it.tenant);
}

template <>
inline constexpr std::string_view kKind<ExternalAccess> = "external_access";
void VisitFields(Of<ExternalAccess> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("parameters", it.parameters);
  visit.Must("results", it.results);
  visit.Must("by", it.by);
}

template <>
inline constexpr std::string_view kKind<Assign> = "assign";
void VisitFields(Of<Assign> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.May("value", it.value);
}

template <>
inline constexpr std::string_view kKind<Remove> = "remove";
void VisitFields(Of<Remove> auto& it, auto& visit) { visit.Must("attribute", it.attribute); }

template <>
inline constexpr std::string_view kKind<Append> = "append";
void VisitFields(Of<Append> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.Must("value", it.value);
}

template <>
inline constexpr std::string_view kKind<Drop> = "drop";
void VisitFields(Of<Drop> auto& it, auto& visit) {
  visit.Must("attribute", it.attribute);
  visit.Must("value", it.value);
}

void VisitFields(Of<ItemReference> auto& it, auto& visit) {
  visit.Must("name", it.entity);
  visit.May("arguments", it.arguments);
}

template <>
inline constexpr std::string_view kKind<CreateStep> = "create";
void VisitFields(Of<CreateStep> auto& it, auto& visit) {
  visit.Must("entity", it.entity);
  visit.May("attributes", it.attributes);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<UpsertStep> = "upsert";
void VisitFields(Of<UpsertStep> auto& it, auto& visit) {
  visit.Must("entity", it.entity);
  visit.May("attributes", it.attributes);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<UpdateStep> = "update";
void VisitFields(Of<UpdateStep> auto& it, auto& visit) {
  visit.Must("item", it.item);
  visit.May("changes", it.changes);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<DeleteStep> = "delete";
void VisitFields(Of<DeleteStep> auto& it, auto& visit) {
  visit.Must("item", it.item);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<IncrementStep> = "increment";
void VisitFields(Of<IncrementStep> auto& it, auto& visit) {
  visit.Must("item", it.item);
  visit.Must("attribute", it.attribute);
  visit.Must("by", it.by);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<CheckStep> = "check";
void VisitFields(Of<CheckStep> auto& it, auto& visit) {
  visit.Must("item", it.item);
  visit.Must("where", it.where);
}

template <>
inline constexpr std::string_view kKind<EachUpdateStep> = "each_update";
void VisitFields(Of<EachUpdateStep> auto& it, auto& visit) {
  visit.Must("access", it.access);
  visit.May("changes", it.changes);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<EachDeleteStep> = "each_delete";
void VisitFields(Of<EachDeleteStep> auto& it, auto& visit) {
  visit.Must("access", it.access);
  visit.May("where", it.where);
}

template <>
inline constexpr std::string_view kKind<Operation> = "operation";
void VisitFields(Of<Operation> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.May("parameters", it.parameters);
  visit.May("eventual", it.eventual);
  VisitBody("steps", it.steps, visit);
}

void VisitFields(Of<LoadPer> auto& it, auto& visit) {
  visit.Must("count", it.count);
  visit.Must("attribute", it.attribute);
}

template <>
inline constexpr std::string_view kKind<ItemLoad> = "item";
void VisitFields(Of<ItemLoad> auto& it, auto& visit) {
  visit.Must("entity", it.entity);
  visit.Must("size_bytes", it.size_bytes);
  visit.May("per", it.per);
}

template <>
inline constexpr std::string_view kKind<AccessRate> = "rate";
void VisitFields(Of<AccessRate> auto& it, auto& visit) {
  visit.Must("access", it.access);
  visit.Must("per_second", it.per_second);
}

template <>
inline constexpr std::string_view kKind<WriteRate> = "write_rate";
void VisitFields(Of<WriteRate> auto& it, auto& visit) {
  visit.Must("write", it.write);
  visit.Must("entity", it.entity);
  visit.Must("per_second", it.per_second);
}

template <>
inline constexpr std::string_view kKind<Load> = "load";
void VisitFields(Of<Load> auto& it, auto& visit) {
  VisitBody("assumptions", it.assumptions, visit);
}

template <>
inline constexpr std::string_view kKind<Tenant> = "tenant";
void VisitFields(Of<Tenant> auto& it, auto& visit) { visit.Must("attribute", it.attribute); }

template <>
inline constexpr std::string_view kKind<DesignParameter> = "param";
void VisitFields(Of<DesignParameter> auto& it, auto& visit) {
  visit.Must("name", it.name);
  visit.Must("default", it.default_value);
}

void VisitFields(Of<Header> auto& it, auto& visit) {
  visit.Must("design", it.name);
  visit.Must("version", it.version);
}

// What stands around a statement, beside the fields of its content.
template <typename Content>
void VisitAround(Statement<Content>& it, auto& visit) {
  visit.May("comments", it.comments);
  visit.May("blank_before", it.blank_before);
  visit.May("comment", it.comment);
}
template <typename Content>
void VisitAround(const Statement<Content>& it, auto& visit) {
  visit.May("comments", it.comments);
  visit.May("blank_before", it.blank_before);
  visit.May("comment", it.comment);
}

}  // namespace trestle::design::syntax
