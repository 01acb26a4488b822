#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "value/document_path.h"
#include "value/item.h"

// The two forms an expression takes: as it is written (Syntax, made by parser.h), and with its
// names and values resolved (ConditionProgram and UpdateClauses, made by bind.h). Both are flat:
// a client may nest as deep as 4 KB of parentheses go, so nothing here is walked by recursion.

namespace trestle::expr {

enum class NodeKind : std::uint8_t {
  kPath,
  kValue,
  kFunction,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAnd,
  kOr,
  kNot,
  kPlus,
  kMinus,
};

// "=", "BETWEEN", "+": what error texts call an operator. Not for paths, values and functions.
[[nodiscard]] std::string_view OperatorName(NodeKind kind);

// One step of a path as it is written.
struct PathPartView {
  enum class Kind : std::uint8_t { kIdentifier, kName, kIndex };
  Kind kind;
  std::uint32_t index;    // of kIndex
  std::string_view text;  // of the others: "a" or "#a"
};

// Operands stand before what uses them, in the order of the text: the operands of a node end just
// before it, and each is as long as its `size` says.
struct NodeView {
  NodeKind kind;
  std::uint16_t count;       // operands; of kPath, parts
  std::uint16_t size;        // nodes, this one and its operands'
  std::uint16_t first_part;  // of kPath
  std::string_view text;     // of kFunction and kValue
};

// What the text of one expression says. Looks into the text, which must outlive it.
struct SyntaxView {
  std::vector<NodeView> nodes;
  std::vector<PathPartView> parts;
  bool has_redundant_parentheses = false;
};

enum class UpdateAction : std::uint8_t { kSet, kRemove, kAdd, kDelete };

[[nodiscard]] std::string_view SectionName(UpdateAction action);

// One action of an UpdateExpression: the node of its target, then the nodes of its value.
struct ActionView {
  UpdateAction action;
  std::uint16_t target;  // node
  std::uint16_t end;     // one past the last node
};

struct UpdateSyntaxView {
  SyntaxView syntax;
  std::vector<ActionView> actions;
  std::string_view repeated_section;  // the first one that comes twice; empty when none does
};

// What a test compares: something of the item, or a constant.
struct Operand {
  enum class Kind : std::uint8_t { kPath, kSize, kValue };
  Kind kind;
  value::DocumentPath path;  // of kPath and kSize
  std::string value;         // of kValue: encoded
};

enum class TestKind : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
};

// Where a program goes after its last test.
inline constexpr std::uint32_t kMatches = 0xffff'ffff;
inline constexpr std::uint32_t kDoesNotMatch = 0xffff'fffe;

// One comparison or function. AND, OR and NOT have become the tests that follow it.
struct Test {
  TestKind kind;
  value::Type type;  // of kAttributeType
  std::uint32_t first_operand;
  std::uint32_t operand_count;
  std::uint32_t if_true;  // the next test, kMatches or kDoesNotMatch
  std::uint32_t if_false;
};

// A condition: begin with the first test, and follow where each leads. Requests without an
// expression (the legacy parameters) make their tests directly.
struct ConditionProgram {
  std::vector<Test> tests;
  std::vector<Operand> operands;
};

// A step of computing a SET action's value: operands first, as in NodeView.
struct UpdateStep {
  enum class Kind : std::uint8_t { kPath, kValue, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind;
  value::DocumentPath path;  // of kPath
  std::string value;         // of kValue: encoded
};

struct BoundAction {
  UpdateAction action;
  std::uint32_t first_step;  // of SET: how its value is made; of ADD and DELETE: one constant
  std::uint32_t step_count;
};

// An update: `targets` and `actions` correspond.
struct UpdateClauses {
  std::vector<value::DocumentPath> targets;
  std::vector<BoundAction> actions;
  std::vector<UpdateStep> steps;
  // AttributeUpdates have their own text for a stored value of the wrong type.
  bool is_attribute_updates = false;
};

}  // namespace trestle::expr
