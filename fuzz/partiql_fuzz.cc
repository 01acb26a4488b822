// Any bytes as a PartiQL statement: nothing fails but with an error, what is accepted can be
// applied to an item, and makes well-formed items.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "expr/condition.h"
#include "expr/partiql/statement.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::expr::partiql {
namespace {

// As many parameters as the text has question marks: most of them are parameters.
std::vector<std::string> SampleParameters(std::string_view text) {
  std::string string;
  value::AppendString(string, "x");
  std::string number;
  value::AppendNumber(number, value::Number::FromInteger(7));
  std::string set;
  value::AppendStringSet(set, value::Type::kSs, {"p", "q"});
  const std::vector<std::string> samples = {string, number, set};
  std::vector<std::string> parameters;
  for (const char c : text) {
    if (c == '?') parameters.push_back(samples[parameters.size() % samples.size()]);
  }
  return parameters;
}

void CheckWellFormed(const value::Item& item) {
  CHECK(value::CheckItem(item.bytes()).ok(), "a statement makes well-formed items");
}

void TryStatement(std::string_view text) {
  const auto statement = Parse(text, SampleParameters(text));
  if (!statement.ok()) return;
  CHECK(!statement->table.empty(), "a statement names a table");
  CheckWellFormed(statement->item);
  for (const value::DocumentPath& column : statement->columns)
    static_cast<void>(ColumnName(column));

  value::ItemBuilder builder;
  std::string value;
  value::AppendString(value, "abc");
  builder.Add("a", value);
  const value::Item item = builder.Finish();
  if (statement->where) {
    const Condition condition(statement->where->program);
    static_cast<void>(condition.Matches(item.view()));
    static_cast<void>(condition.Matches(std::nullopt));
    const auto tests = std::ranges::count(statement->where->shape, Connective::kTest);
    CHECK(static_cast<std::size_t>(tests) == statement->where->program.tests.size(),
          "the shape holds each test once");
  }
  if (statement->kind == StatementKind::kUpdate) {
    const auto updated = statement->update.Apply(item.view(), item.view());
    if (updated.ok()) CheckWellFormed(*updated);
  }
}

}  // namespace
}  // namespace trestle::expr::partiql

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::expr::partiql::TryStatement({reinterpret_cast<const char*>(data), size});
  return 0;
}
