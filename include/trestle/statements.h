#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trestle/attribute_value.h"
#include "trestle/items.h"
#include "trestle/result.h"

// PartiQL: what statements are asked and what they answer; see items.h for the style.

namespace trestle::embed {

// Of BatchExecuteStatement and ExecuteTransaction.
struct Statement {
  std::string statement{};
  std::vector<AttributeValue> parameters{};  // one for each "?"
  bool consistent_read = false;              // not in a transaction, which always is
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

struct ExecuteStatementInput {
  std::string statement{};
  std::vector<AttributeValue> parameters{};  // one for each "?"
  bool consistent_read = false;
  std::optional<Item> exclusive_start_key{};  // the service has it in its NextToken
  std::optional<std::int64_t> limit{};        // items evaluated, before the filter
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ExecuteStatementOutput {
  std::vector<Item> items{};  // of a SELECT, or what RETURNING asks for
  // More may follow; the next call's exclusive_start_key.
  std::optional<Item> last_evaluated_key{};
  std::optional<ConsumedCapacity> consumed_capacity{};
};

// Up to 25 statements, all reads or all writes, each for itself.
struct BatchExecuteStatementInput {
  std::vector<Statement> statements{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchExecuteStatementOutput {
  std::vector<Result<std::optional<Item>>> responses{};  // one for each statement
  std::vector<ConsumedCapacity> consumed_capacity{};
};

// Up to 100 statements, all reads or all writes, that all happen or none.
struct ExecuteTransactionInput {
  std::vector<Statement> transact_statements{};
  // Repeating a call with its token within ten minutes has no second effect.
  std::optional<std::string> client_request_token{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ExecuteTransactionOutput {
  std::vector<std::optional<Item>> responses{};  // one for each statement
  std::vector<ConsumedCapacity> consumed_capacity{};
};

}  // namespace trestle::embed
