#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "design/key_template.h"
#include "design/syntax/tree.h"
#include "value/number.h"

// A design with every name given its meaning: shapes are spread over their entities, types have
// their precision, relations, accesses and steps point to what they name. Made by resolve.h, read
// by the checks, the reports and the run time. Conditions and values stay as they are written: a
// name on the left of a condition is an attribute; a name that is a value is a parameter when there
// is one of that name, else an attribute of the same item.

namespace trestle::design {

using syntax::Condition;
using syntax::Path;

enum class TypeKind : std::uint8_t {
  kString,
  kInt,
  kNumber,
  kBool,
  kId,
  kEmail,
  kUrl,
  kDate,
  kTimestamp,
  kMoment,  // a date or a timestamp
  kEnum,
  kList,
  kSet,
  kMap,
  kBinary,
  kAny,
};

struct Attribute;

struct ValueType {
  TypeKind kind = TypeKind::kString;
  // Of the value of numbers, else of the length. Ends are included.
  std::optional<value::Number> min;
  std::optional<value::Number> max;
  syntax::Precision precision = syntax::Precision::kMilliseconds;  // of kTimestamp and kMoment
  // Of kTimestamp: kept as a number of seconds, because it is the table's time to live.
  bool is_epoch_seconds = false;
  std::vector<std::string> enum_values;  // of kEnum
  std::vector<ValueType> element;        // of kList and kSet: one
  std::vector<Attribute> members;        // of kMap
};

enum class Derived : std::uint8_t { kNo, kCopy, kCount, kSum, kAverage };

struct Attribute {
  std::string name;
  Position position;
  ValueType type;
  bool is_optional = false;
  bool is_immutable = false;
  bool is_key_only = false;  // not stored, read from the key
  bool is_in_key = false;    // of an entity: a part of one of its keys
  bool is_monotonic = false;
  bool is_external = false;
  bool is_counter = false;
  Derived derived = Derived::kNo;
  std::optional<syntax::Value> default_value;
  std::optional<syntax::Value> const_value;
  std::optional<KeyTemplate> computed;
  std::vector<syntax::Normalisation> normalise;
  std::string pattern;  // a regular expression; empty: none
  std::optional<Condition> required_when;
  std::optional<Condition> absent_unless;
  std::optional<syntax::Value> on_update;
  std::string was;  // the name in an earlier version; empty: none
};

// A secondary index of the table.
struct Index {
  std::string name;
  Position position;
  std::string partition_key;
  std::string sort_key;  // empty: none
  bool is_local = false;
  syntax::Projection projection;
};

struct Table {
  Position position;
  KeyTemplate name;           // of parameters
  std::string partition_key;  // the physical names
  std::string sort_key;       // empty: none
  // Holds an item's type tag; empty: items are told apart by their keys.
  std::string discriminator;
  syntax::Precision precision = syntax::Precision::kMilliseconds;
  std::variant<syntax::OnDemandBilling, syntax::ProvisionedBilling> billing;
  bool point_in_time_recovery = false;
  std::variant<syntax::ServiceEncryption, syntax::KmsEncryption> encryption;
  std::string time_to_live;  // the attribute; empty: off
  syntax::StreamView stream = syntax::StreamView::kOff;
  std::string separator = "#";
  std::string lock;  // the attribute that counts the writes of an item; empty: none
  std::deque<Index> indexes;
};

// The table's key of an item. Of several, the first counts whose condition holds.
struct KeyForm {
  Position position;
  KeyTemplate partition_key;
  std::optional<KeyTemplate> sort_key;
  std::optional<Condition> when;
};

// An index's key of an item, likewise; when none holds, the item is not in the index.
struct IndexForm {
  const Index* index = nullptr;
  // The index is keyed on attributes of the item itself: the templates are "{attribute}".
  bool is_direct = false;
  KeyForm key;
  std::int64_t shards = 0;  // 0: not sharded
};

// What is stored as one item: an entity's, or a mirror of it.
struct ItemKind {
  std::string name;
  Position position;
  std::string tag;           // empty: none
  std::deque<KeyForm> keys;  // at least one
  std::deque<IndexForm> indexes;
};

struct Access;
struct Entity;
struct Mirror;

struct Link {
  std::string attribute;  // of the child
  std::string parent_attribute;
};

struct Copy {
  Position position;
  Path to;
  Path from;  // of the parent
};

// count, sum and average: what a child adds to its parent.
struct Tally {
  Position position;
  Derived kind = Derived::kCount;
  std::optional<Path> attribute;  // of the child; none for a count
  Path into;                      // of the parent
  std::optional<Condition> when;  // of the child
};

enum class DeleteRule : std::uint8_t { kIgnore, kCascade, kRestrict, kDetach };

struct Relation {
  Position position;
  const Entity* child = nullptr;
  std::vector<const Entity*> parents;  // one; or those of a group, which share their key
  std::vector<Link> links;
  bool is_optional = false;
  std::optional<Condition> when;  // of the child
  bool must_exist = false;
  std::vector<Copy> copies;
  std::vector<Tally> tallies;
  DeleteRule on_delete = DeleteRule::kIgnore;
  Position on_delete_position;
  std::vector<std::string> detach;  // of kDetach: what becomes absent
  bool on_rekey_move = false;
  Position on_rekey_position;
  const Access* through = nullptr;  // finds the children of a parent
  Position through_position;
  std::optional<Path> through_filter;
};

struct Unique {
  Position position;
  std::string name;
  std::vector<std::string> attributes;
};

struct Entity : ItemKind {
  bool is_append_only = false;
  std::vector<Attribute> attributes;
  // What callers name an item by; every attribute of its keys when the design does not say.
  std::vector<std::string> identity;
  const Mirror* identity_via = nullptr;  // the mirror that finds the rest of the key
  std::vector<std::string> rekey_on;
  std::vector<Unique> uniques;
  std::deque<Relation> relations;                // where it is the child
  std::vector<const Relation*> child_relations;  // where it is a parent
  std::vector<const Mirror*> mirrors;

  // How an attribute is read from an item; few bytes, because that is done all the time.
  struct Reading {
    std::string_view name;
    std::uint64_t head = 0;  // of the name (name_head.h)
    const Attribute* attribute = nullptr;
    bool is_as_stored = false;        // callers see any stored value as it is, but for NULL
    bool is_absent_unstored = false;  // nothing but its value says what it is
  };
  // Made when all else is there, for who reads items: Attribute::is_in_key, readings in order of
  // the names, and whether an attribute is an average, or has one inside.
  void IndexAttributes();
  std::vector<Reading> readings;
  bool has_average = false;

  [[nodiscard]] const Attribute* FindAttribute(std::string_view name) const;
  // Also inside maps.
  [[nodiscard]] const Attribute* FindAttribute(const Path& path) const;
};

struct Mirror : ItemKind {
  const Entity* of = nullptr;
  std::optional<Condition> when;
  std::vector<std::string> include;  // attributes of the entity
};

// An entity or a mirror; one of them is set.
struct KindReference {
  const Entity* entity = nullptr;
  const Mirror* mirror = nullptr;

  [[nodiscard]] const ItemKind& kind() const;
  // The entity whose attributes the items have.
  [[nodiscard]] const Entity& of() const { return entity != nullptr ? *entity : *mirror->of; }
  friend bool operator==(const KindReference&, const KindReference&) = default;
};

struct Parameter {
  std::string name;
  Position position;
  ValueType type;
  bool is_optional = false;  // the attribute that its type is from may be absent
};

// Which sort keys a query reads. The templates are of parameters.
struct SortKeyRange {
  enum class Kind : std::uint8_t { kAll, kIs, kBegins, kBefore, kAfter, kBetween, kFrom };
  Kind kind = Kind::kAll;
  KeyTemplate first;                  // of all but kAll
  std::optional<KeyTemplate> last;    // of kBetween and kFrom
  std::optional<KeyTemplate> within;  // of kBefore and kAfter
};

struct Query {
  const Index* index = nullptr;  // null: the table
  KeyTemplate partition_key;
  SortKeyRange sort_key;
  std::vector<KindReference> only;
  std::optional<Condition> filter;
  std::string merge;  // an enum attribute; empty: none
  syntax::Order order = syntax::Order::kAscending;
  std::optional<Path> sort;  // after reading
  std::optional<std::int64_t> limit;
  bool hydrate = false;
  bool is_consistent = false;
  Position consistent_position;
  std::optional<syntax::FuzzyMatch> match;
};

struct Get {
  bool is_consistent = false;
};
struct Create {};
struct Update {};
struct Delete {};
struct External {
  std::string by;
};

struct Access {
  std::string name;
  Position position;
  std::vector<Parameter> parameters;
  std::vector<KindReference> results;  // groups are spread
  bool is_many = false;                // any of them
  std::variant<Get, Create, Update, Delete, Query, External> action;
  std::string tenant;  // the parameter that stands for the tenant; empty: the tenant itself
};

// A step of an operation. `entities` are those of a group, which share their key.
struct Step {
  Position position;
  std::vector<const Entity*> entities;  // of all but each
  const Access* access = nullptr;       // of each
  syntax::OperationStep is;
};

struct Operation {
  std::string name;
  Position position;
  std::vector<Parameter> parameters;
  bool is_eventual = false;
  std::vector<Step> steps;
};

struct DesignParameter {
  std::string name;
  Position position;
  std::string default_value;
};

// Points into itself, so it stays where it was made.
struct Model {
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  std::string name;
  std::int64_t version = 1;
  Position position;
  std::string tenant;  // the attribute; empty: none
  std::vector<DesignParameter> parameters;
  Table table;
  std::deque<Entity> entities;
  std::deque<Mirror> mirrors;
  std::deque<Access> accesses;
  std::deque<Operation> operations;
  std::vector<syntax::Statement<syntax::LoadAssumption>> load;

  [[nodiscard]] const Entity* FindEntity(std::string_view name) const;
  [[nodiscard]] const Mirror* FindMirror(std::string_view name) const;
  [[nodiscard]] const Access* FindAccess(std::string_view name) const;
  [[nodiscard]] const Operation* FindOperation(std::string_view name) const;
};

}  // namespace trestle::design
