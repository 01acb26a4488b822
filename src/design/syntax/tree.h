#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "design/syntax/terms.h"

// A design as it is written: every statement in its place, with the comments around it. The parser
// makes it, the printer writes it, and the stages after them read it; see docs/design/grammar.md.
//
// A new construct needs its struct here, its lines in the parser, the printer and
// tree_fields_internal.h, its place in the grammar page and in docs/design/design.schema.json.

namespace trestle::design::syntax {

// "// text" on a line of its own.
struct Comment {
  std::string text;           // without slashes, and without blanks at the end
  bool blank_before = false;  // an empty line stands before it
};

// A statement and what a person wrote around it.
template <typename Content>
struct Statement {
  Position position;
  std::vector<Comment> comments;  // the lines before it
  bool blank_before = false;      // an empty line stands between them, or it has none, and it
  std::string comment;            // at the end of its line, or of the line that opens its block
  Content content;
};

// Statements between braces, or a whole file.
template <typename Content>
struct Block {
  std::vector<Statement<Content>> statements;
  std::vector<Comment> end_comments;  // the lines before the closing brace
  std::string end_comment;            // behind the closing brace
};

// Types and attributes.

// Of the length of texts, lists and sets, or of the value of numbers. Ends are included.
struct Range {
  std::optional<Number> min;
  std::optional<Number> max;
};

enum class Precision : std::uint8_t { kSeconds, kMilliseconds };
constexpr auto WordsOf(Precision) { return Words("s", "ms"); }

enum class PlainTypeName : std::uint8_t { kBool, kId, kEmail, kUrl, kDate, kMoment, kAny };
constexpr auto WordsOf(PlainTypeName) {
  return Words("bool", "id", "email", "url", "date", "moment", "any");
}
struct PlainType {
  PlainTypeName name = PlainTypeName::kBool;
};

enum class RangedTypeName : std::uint8_t { kString, kInt, kNumber, kBinary };
constexpr auto WordsOf(RangedTypeName) { return Words("string", "int", "number", "binary"); }
struct RangedType {
  RangedTypeName name = RangedTypeName::kString;
  std::optional<Range> range;
};

struct TimestampType {
  std::optional<Precision> precision;  // none: the table's
};

struct EnumType {
  std::vector<Text> values;  // at least one
};

struct Type;
struct Attribute;

struct ListType {
  Box<Type> element;
  std::optional<Range> range;
};

struct SetType {
  Box<Type> element;
  std::optional<Range> range;
};

struct MapType {
  Block<Attribute> attributes;
};

struct Type {
  Position position;
  std::variant<PlainType, RangedType, TimestampType, EnumType, ListType, SetType, MapType> is;
};

enum class Flag : std::uint8_t {
  kImmutable,
  kKeyOnly,
  kMonotonic,
  kExternal,
  kCounter,
  kDerivedCopy,
  kDerivedCount,
  kDerivedSum,
  kDerivedAverage,
};
constexpr auto WordsOf(Flag) {
  return Words("immutable", "key_only", "monotonic", "external", "counter", "derived_copy",
               "derived_count", "derived_sum", "derived_average");
}
struct FlagModifier {
  Flag flag = Flag::kImmutable;
};

struct ConstModifier {
  Value value;
};

struct ComputedModifier {
  Template text;
};

enum class Normalisation : std::uint8_t { kLower, kTrim, kNfc };
constexpr auto WordsOf(Normalisation) { return Words("lower", "trim", "nfc"); }
struct NormaliseModifier {
  std::vector<Normalisation> steps;  // at least one
};

struct PatternModifier {
  std::string regex;  // as between the slashes; a slash inside is written \/
};

struct RequiredWhenModifier {
  Condition condition;
};

struct AbsentUnlessModifier {
  Condition condition;
};

struct OnUpdateModifier {
  Value value;
};

// The attribute's name in an earlier version of the design.
struct WasModifier {
  Name name;
};

struct Modifier {
  Position position;
  std::variant<FlagModifier, ConstModifier, ComputedModifier, NormaliseModifier, PatternModifier,
               RequiredWhenModifier, AbsentUnlessModifier, OnUpdateModifier, WasModifier>
      is;
};

struct Attribute {
  Name name;
  Type type;
  bool optional = false;
  std::optional<Value> default_value;
  std::vector<Modifier> modifiers;
};

// Relations.

// "a -> b": the child's attribute and the parent's that it equals.
struct Link {
  Name attribute;
  std::optional<Name> parent_attribute;  // none: of the same name
};

struct MustExist {};

struct CopyRule {
  Path to;
  Path from;  // of the parent
};

struct CountRule {
  Path into;  // of the parent
  std::optional<Condition> when;
};

struct SumRule {
  Path attribute;
  Path into;
  std::optional<Condition> when;
};

struct AverageRule {
  Path attribute;
  Path into;
  std::optional<Condition> when;
};

enum class OnDelete : std::uint8_t { kCascade, kRestrict, kIgnore };
constexpr auto WordsOf(OnDelete) { return Words("cascade", "restrict", "ignore"); }
struct OnDeleteRule {
  OnDelete action = OnDelete::kCascade;
};

struct DetachRule {
  std::vector<Name> attributes;  // at least one; they become absent
};

struct OnRekeyMove {};

// The access by which a parent's children are found.
struct ThroughRule {
  Name access;
  std::optional<Path> filter;  // this attribute, compared with the parent's
};

using RelationRule = std::variant<MustExist, CopyRule, CountRule, SumRule, AverageRule,
                                  OnDeleteRule, DetachRule, OnRekeyMove, ThroughRule>;

struct BelongsTo {
  Name parent;              // an entity or a group
  std::vector<Link> links;  // at least one
  bool optional = false;
  std::optional<Condition> when;
  Block<RelationRule> rules;
};

// Entities, shapes and mirrors.

// What the discriminating attribute holds.
struct TypeTag {
  Text tag;
};

// The table's keys of an item. Of several, the first counts whose condition holds.
struct KeyEntry {
  Template partition_key;
  std::optional<Template> sort_key;
  std::optional<Condition> when;
};

// An index's keys of an item. Of several, the first counts whose condition holds; when none does,
// the item is not in the index.
struct IndexEntry {
  Name index;
  Template partition_key;
  std::optional<Template> sort_key;
  std::optional<Condition> when;
  std::optional<Count> shards;
};

// The index is keyed on attributes of the entity itself.
struct DirectIndexEntry {
  Name index;
};

// What a caller names an item by when that is not every part of its key.
struct Identity {
  std::vector<Name> attributes;  // at least one
  std::optional<Name> via;       // the mirror that finds the rest
};

struct RekeyOn {
  std::vector<Name> attributes;  // at least one
};

struct Unique {
  Name name;
  std::vector<Name> attributes;  // at least one
};

using EntityMember = std::variant<TypeTag, KeyEntry, IndexEntry, DirectIndexEntry, Identity,
                                  RekeyOn, Unique, Attribute, BelongsTo>;

struct Entity {
  Name name;
  std::vector<Name> shapes;
  bool append_only = false;
  Block<EntityMember> members;
};

struct Shape {
  Name name;
  Block<EntityMember> members;
};

struct Include {
  std::vector<Name> attributes;  // at least one
};

using MirrorMember = std::variant<TypeTag, KeyEntry, IndexEntry, DirectIndexEntry, Include>;

// A second item that follows each item of an entity.
struct Mirror {
  Name name;
  Name entity;
  std::optional<Condition> when;
  Block<MirrorMember> members;
};

// Either of several entities.
struct Group {
  Name name;
  std::vector<Name> entities;  // at least one
};

// The table.

struct TableKey {
  Name partition_key;
  std::optional<Name> sort_key;
};

struct Discriminate {
  std::optional<Name> attribute;  // none: by key
};

struct Timestamps {
  Precision precision = Precision::kSeconds;
};

struct OnDemandBilling {};

struct ProvisionedBilling {
  Count read_units = 0;
  Count write_units = 0;
};

enum class Switch : std::uint8_t { kOff, kOn };
constexpr auto WordsOf(Switch) { return Words("off", "on"); }
struct PointInTimeRecovery {
  Switch setting = Switch::kOff;
};

enum class ServiceKey : std::uint8_t { kAwsOwned, kAwsManaged };
constexpr auto WordsOf(ServiceKey) { return Words("aws_owned", "aws_managed"); }
struct ServiceEncryption {
  ServiceKey key = ServiceKey::kAwsOwned;
};

struct KmsEncryption {
  std::optional<Template> key;  // of parameters
};

struct TimeToLive {
  std::optional<Name> attribute;  // none: off
};

enum class StreamView : std::uint8_t { kOff, kNewAndOld, kNew, kOld, kKeys };
constexpr auto WordsOf(StreamView) { return Words("off", "new_and_old", "new", "old", "keys"); }
struct Stream {
  StreamView view = StreamView::kOff;
};

// Stands between the parts of a key; "#" unless said.
struct Separator {
  Text text;
};

// The attribute that counts the writes of an item.
struct Lock {
  Name attribute;
};

struct ProjectAll {};
struct ProjectKeys {};
struct ProjectInclude {
  std::vector<Name> attributes;  // at least one
};
using Projection = std::variant<ProjectAll, ProjectKeys, ProjectInclude>;

struct TableIndex {
  Name name;
  TableKey key;
  bool local = false;
  Projection projection;
};

using TableSetting = std::variant<TableKey, Discriminate, Timestamps, OnDemandBilling,
                                  ProvisionedBilling, PointInTimeRecovery, ServiceEncryption,
                                  KmsEncryption, TimeToLive, Stream, Separator, Lock, TableIndex>;

struct Table {
  Template name;  // of parameters
  Block<TableSetting> settings;
};

// Access patterns.

struct Parameter {
  Name name;
  std::optional<Type> type;  // none: that of the attribute of this name
};

struct AccessResult {
  Name name;  // an entity, a mirror or a group
  bool many = false;
};

struct SortKeyIs {
  Template key;
};
struct SortKeyBegins {
  Template prefix;
};
struct SortKeyBefore {
  Template end;
  std::optional<Template> within;
};
struct SortKeyAfter {
  Template start;
  std::optional<Template> within;
};
// Both included; the last one with everything that extends it.
struct SortKeyBetween {
  Template first;
  Template last;
};
// Half open.
struct SortKeyFrom {
  Template first;
  Template before;
};
using SortKeyRange = std::variant<SortKeyIs, SortKeyBegins, SortKeyBefore, SortKeyAfter,
                                  SortKeyBetween, SortKeyFrom>;

enum class Order : std::uint8_t { kAscending, kDescending, kEither };
constexpr auto WordsOf(Order) { return Words("asc", "desc", "either"); }

struct FuzzyMatch {
  Path attribute;
  Name parameter;
};

struct Query {
  std::optional<Name> index;  // none: the table
  Template partition_key;
  std::optional<SortKeyRange> sort_key;
  std::vector<Name> only;
  std::optional<Condition> filter;
  std::optional<Name> merge;
  std::optional<Order> order;
  std::optional<Path> sort;
  std::optional<Count> limit;
  bool hydrate = false;
  bool consistent = false;
  Position consistent_position;
  std::optional<FuzzyMatch> match;
};

struct GetItem {
  bool consistent = false;
};
struct CreateItem {};
struct UpdateItem {};
struct DeleteItem {};

using AccessAction = std::variant<GetItem, CreateItem, UpdateItem, DeleteItem, Query>;

struct Access {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<AccessResult> results;  // at least one
  AccessAction action;
  std::optional<Name> tenant;  // the parameter that stands for the design's tenant
};

// Answered by something that is not this table.
struct ExternalAccess {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<AccessResult> results;  // at least one
  Text by;
};

// Operations.

struct Assign {
  Path attribute;
  std::optional<Value> value;  // none: the parameter of the same name
};
struct Remove {
  Path attribute;
};
struct Append {
  Path attribute;
  Value value;
};
struct Drop {
  Path attribute;
  Value value;
};
using Change = std::variant<Assign, Remove, Append, Drop>;

// An item by its identity: Book(userId, bookId).
struct ItemReference {
  Name entity;
  std::vector<Value> arguments;
};

struct CreateStep {
  Name entity;
  std::vector<Assign> attributes;
  std::optional<Condition> where;
};
struct UpsertStep {
  Name entity;
  std::vector<Assign> attributes;
  std::optional<Condition> where;
};
struct UpdateStep {
  ItemReference item;
  std::vector<Change> changes;
  std::optional<Condition> where;
};
struct DeleteStep {
  ItemReference item;
  std::optional<Condition> where;
};
struct IncrementStep {
  ItemReference item;
  Path attribute;
  Value by;
  std::optional<Condition> where;
};
// Changes nothing; the operation fails unless the condition holds.
struct CheckStep {
  ItemReference item;
  Condition where;
};
// Every item that an access finds.
struct EachUpdateStep {
  ItemReference access;
  std::vector<Change> changes;
  std::optional<Condition> where;
};
struct EachDeleteStep {
  ItemReference access;
  std::optional<Condition> where;
};
using OperationStep = std::variant<CreateStep, UpsertStep, UpdateStep, DeleteStep, IncrementStep,
                                   CheckStep, EachUpdateStep, EachDeleteStep>;

struct Operation {
  Name name;
  std::vector<Parameter> parameters;
  bool eventual = false;  // not one transaction
  Block<OperationStep> steps;
};

// Assumptions for the reports on heat and cost.

struct LoadPer {
  Count count = 0;
  Name attribute;
};
struct ItemLoad {
  Name entity;
  Count size_bytes = 0;
  std::optional<LoadPer> per;
};
struct AccessRate {
  Name access;
  Number per_second;
};
enum class WriteKind : std::uint8_t { kCreate, kUpdate, kDelete };
constexpr auto WordsOf(WriteKind) { return Words("create", "update", "delete"); }
struct WriteRate {
  WriteKind write = WriteKind::kCreate;
  Name entity;
  Number per_second;
};
using LoadAssumption = std::variant<ItemLoad, AccessRate, WriteRate>;

struct Load {
  Block<LoadAssumption> assumptions;
};

// The file.

struct Tenant {
  Name attribute;
};

struct DesignParameter {
  Name name;
  Text default_value;
};

using Declaration = std::variant<Tenant, DesignParameter, Table, Entity, Shape, Group, Mirror,
                                 Access, ExternalAccess, Operation, Load>;

struct Header {
  Name name;
  Count version = 1;
};

struct Design {
  Statement<Header> header;
  Block<Declaration> declarations;  // its end_comment stays empty
};

}  // namespace trestle::design::syntax
