#include "wire/statement_json.h"

#include <string>
#include <vector>

#include "base/check.h"
#include "protocol/attribute_json.h"
#include "wire/item_options.h"
#include "wire/members.h"

namespace trestle::wire {

Result<engine::StatementRequest> ParseStatement(const json::Object& body,
                                                const CallContext& context) {
  const auto text = FindString(body, "Statement");
  CHECK(text.has_value(), "a required member, by CheckConstraints");
  std::vector<std::string> parameters;
  if (const auto values = FindArray(body, "Parameters")) {
    parameters.reserve(values->size());
    for (const json::Value value : *values)
      TRY(protocol::AppendValue(value, parameters.emplace_back()));
  }
  engine::StatementRequest request{.statement = TRY(expr::partiql::Parse(*text, parameters))};
  request.statement.table = TRY(ParseTableName(request.statement.table, context));
  request.consistency = ParseConsistentRead(body);
  request.return_item_on_condition_failure = WantsItemOnConditionFailure(body);
  return request;
}

}  // namespace trestle::wire
