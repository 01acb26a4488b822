// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction.

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "embed/constraints.h"
#include "embed/database_internal.h"
#include "embed/value_codec.h"
#include "engine/statement.h"

namespace trestle::embed {
namespace {

constexpr Bounds kStatementLength = {.min = 1, .max = kStatementLengthMax};

// Of a Statement or an ExecuteStatementInput.
template <typename Input>
trestle::Result<engine::StatementRequest> ParseStatement(const Input& input) {
  TRY(CheckUtf8(input.statement));
  std::vector<std::string> parameters;
  parameters.reserve(input.parameters.size());
  for (const AttributeValue& parameter : input.parameters)
    TRY(AppendValue(parameter, parameters.emplace_back()));
  engine::StatementRequest request{.statement =
                                       TRY(expr::partiql::Parse(input.statement, parameters))};
  request.consistency = ConsistencyOf(input.consistent_read);
  request.return_item_on_condition_failure = input.return_values_on_condition_check_failure ==
                                             ReturnValuesOnConditionCheckFailure::kAllOld;
  return request;
}

trestle::Result<engine::StatementRequest> ToRequest(const ExecuteStatementInput& input) {
  Constraints constraints;
  constraints.CheckLength("statement", input.statement, kStatementLength);
  if (input.limit) constraints.CheckRange("limit", *input.limit, {.min = 1});
  TRY(constraints.Finish());
  engine::StatementRequest request = TRY(ParseStatement(input));
  TRY(engine::CheckAlone(request.statement));
  if (input.exclusive_start_key) {
    request.exclusive_start_key = TRY(EncodeItem(*input.exclusive_start_key));
  }
  if (input.limit) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::uint32_t>::max();
    request.limit = static_cast<std::uint32_t>(std::min(*input.limit, kEnd));
  }
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  return request;
}

// `path` is "statements" or "transactStatements", `structure` what the service calls an element.
void CheckStatements(std::string_view path, std::string_view structure, std::size_t count_max,
                     const std::vector<Statement>& statements, Constraints& constraints) {
  constraints.CheckCount(path, structure, statements.size(),
                         {.min = 1, .max = static_cast<std::int64_t>(count_max)});
  for (std::size_t i = 0; i < statements.size(); ++i) {
    constraints.CheckLength(fmt::format("{}.{}.member.statement", path, i + 1),
                            statements[i].statement, kStatementLength);
  }
}

trestle::Result<engine::StatementRequest> ParseOfBatch(const Statement& statement,
                                                       engine::ReturnConsumedCapacity asked) {
  engine::StatementRequest request = TRY(ParseStatement(statement));
  TRY(engine::CheckAlone(request.statement));
  request.return_consumed_capacity = asked;
  return request;
}

trestle::Result<engine::BatchStatementRequest> ToRequest(const BatchExecuteStatementInput& input) {
  Constraints constraints;
  CheckStatements("statements", "BatchStatementRequest", kBatchStatementsMax, input.statements,
                  constraints);
  TRY(constraints.Finish());
  engine::BatchStatementRequest request;
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  request.statements.reserve(input.statements.size());
  for (const Statement& statement : input.statements)
    request.statements.push_back(ParseOfBatch(statement, request.return_consumed_capacity));
  TRY(engine::CheckTogether(request));
  return request;
}

trestle::Result<engine::StatementRequest> ParseTransacted(const Statement& statement) {
  engine::StatementRequest request = TRY(ParseStatement(statement));
  TRY(engine::CheckTransacted(request.statement));
  return request;
}

trestle::Result<engine::TransactStatementRequest> ToRequest(const ExecuteTransactionInput& input) {
  Constraints constraints;
  CheckStatements("transactStatements", "ParameterizedStatement", kTransactActionsMax,
                  input.transact_statements, constraints);
  if (input.client_request_token) {
    constraints.CheckLength("clientRequestToken", *input.client_request_token,
                            {.min = 1, .max = kClientTokenLengthMax});
  }
  TRY(constraints.Finish());
  engine::TransactStatementRequest request;
  for (const Statement& statement : input.transact_statements) {
    trestle::Result<engine::StatementRequest> one = ParseTransacted(statement);
    if (!one.ok()) return engine::InTransaction(request.statements.size(), one.error());
    request.return_items_on_condition_failure.push_back(one->return_item_on_condition_failure);
    request.statements.push_back((*std::move(one)).statement);
  }
  TRY(engine::CheckTogether(request));
  request.client_request_token = input.client_request_token.value_or("");
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  return request;
}

}  // namespace

Result<ExecuteStatementOutput> Database::ExecuteStatement(const ExecuteStatementInput& input) {
  return Run<engine::StatementReply>(
      *impl_->database, ToRequest(input), [&](const engine::StatementReply& reply) {
        ExecuteStatementOutput output = {
            .last_evaluated_key = ToOutput(reply.last_evaluated_key),
            .consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity)};
        output.items.reserve(reply.items.size());
        for (std::size_t i = 0; i < reply.items.size(); ++i)
          output.items.push_back(DecodeItem(reply.items[i]));
        return output;
      });
}

Result<BatchExecuteStatementOutput> Database::BatchExecuteStatement(
    const BatchExecuteStatementInput& input) {
  return Run<engine::BatchStatementReply>(
      *impl_->database, ToRequest(input), [&](const engine::BatchStatementReply& reply) {
        BatchExecuteStatementOutput output = {
            .consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity)};
        output.responses.reserve(reply.items.size());
        for (const auto& item : reply.items) {
          if (item.ok()) {
            output.responses.emplace_back(ToOutput(*item));
          } else {
            output.responses.emplace_back(ToOutput(item.error()));
          }
        }
        return output;
      });
}

Result<ExecuteTransactionOutput> Database::ExecuteTransaction(
    const ExecuteTransactionInput& input) {
  return Run<engine::TransactStatementReply>(
      *impl_->database, ToRequest(input), [&](const engine::TransactStatementReply& reply) {
        ExecuteTransactionOutput output = {
            .consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity)};
        output.responses.reserve(reply.items.size());
        for (const std::optional<value::Item>& item : reply.items)
          output.responses.push_back(ToOutput(item));
        return output;
      });
}

}  // namespace trestle::embed
