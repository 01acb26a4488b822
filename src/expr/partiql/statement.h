#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/update.h"
#include "value/document_path.h"
#include "value/item.h"

// PartiQL statements, as the service knows them:
//
//   select   := SELECT ("*" | path, ...) FROM table ["." index] [WHERE condition]
//               [ORDER BY name [ASC | DESC], ...]
//   insert   := INSERT INTO table VALUE tuple
//   update   := UPDATE table (SET path "=" value, ... | REMOVE path, ...)... [WHERE condition]
//               [RETURNING (ALL | MODIFIED) (OLD | NEW) "*"]
//   delete   := DELETE FROM table [WHERE condition] [RETURNING ALL OLD "*"]
//   exists   := EXISTS "(" select ")"
//
// Conditions and values stand in condition_reader.cc, update_reader.cc and value_reader.cc.

namespace trestle::expr::partiql {

enum class StatementKind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

enum class Returning : std::uint8_t { kNone, kAllOld, kModifiedOld, kAllNew, kModifiedNew };

// How the tests of a condition are joined: operands stand before what joins them, and the tests
// among them in the order of the program.
enum class Connective : std::uint8_t { kTest, kAnd, kOr, kNot };

struct Where {
  ConditionProgram program;
  std::vector<Connective> shape;
};

struct OrderTerm {
  std::string attribute;
  bool is_descending = false;
};

// A statement with its parameters in place. What it means for a table is the engine's question.
struct Statement {
  StatementKind kind = StatementKind::kSelect;
  std::string table;                         // as it is written: a name or an ARN
  std::string index;                         // empty: none
  std::vector<value::DocumentPath> columns;  // of SELECT; empty: all attributes
  std::optional<Where> where;
  std::vector<OrderTerm> order;
  value::Item item;  // of INSERT
  Update update;     // of UPDATE
  Returning returning = Returning::kNone;
  std::string digest;  // of the text and the parameters, for comparing two requests

  [[nodiscard]] bool IsRead() const { return kind == StatementKind::kSelect; }
};

// Everything that can be wrong without a table is found here, with the service's text.
// `parameters` are encoded values (value/item.h); each "?" takes the next one, and none is left.
[[nodiscard]] Result<Statement> Parse(std::string_view text,
                                      const std::vector<std::string>& parameters);

// What SELECT calls a column: its path from the last name on, "b[0]" for a.b[0].
[[nodiscard]] std::string ColumnName(const value::DocumentPath& path);

}  // namespace trestle::expr::partiql
