// ListTables: the names of all tables, in order, a page at a time.

#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Shape kLimit = {.kind = Kind::kInteger, .min = 1, .max = 100};
// Judged with the others, unlike the name of a table that is asked for.
constexpr Shape kStartTableName = {
    .kind = Kind::kString, .min = 3, .max = 255, .pattern = &kNamePattern};
constexpr Member kMembers[] = {
    {"Limit", &kLimit},
    {"ExclusiveStartTableName", &kStartTableName},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "ListTablesInput", .members = kMembers};

Result<engine::ListTablesRequest> Parse(const json::Object& body, const CallContext& /*context*/) {
  engine::ListTablesRequest request;
  if (const auto start = FindString(body, "ExclusiveStartTableName")) {
    request.exclusive_start_table_name = *start;
  }
  if (const auto limit = FindInteger(body, "Limit")) {
    request.limit = static_cast<std::uint32_t>(*limit);
  }
  return request;
}

void Render(const CallContext& /*context*/, const engine::ListTablesRequest& /*request*/,
            const engine::ListTablesReply& reply, json::Writer& body) {
  body.Key("TableNames");
  body.BeginArray();
  for (const std::string& table : reply.tables)
    body.String(table);
  body.EndArray();
  if (reply.last_evaluated_table_name) {
    body.Key("LastEvaluatedTableName");
    body.String(*reply.last_evaluated_table_name);
  }
}

}  // namespace

constinit const Operation kListTables =
    MakeOperation<engine::ListTablesRequest, engine::ListTablesReply, Parse, Render>("ListTables",
                                                                                     kInput);

}  // namespace trestle::wire
