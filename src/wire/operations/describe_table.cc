// DescribeTable: what a table is, and how large.

#include "wire/item_options.h"
#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/table_json.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {"TableName", &kNeededTableNameShape, Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "DescribeTableInput", .members = kMembers};

Result<engine::DescribeTableRequest> Parse(const json::Object& body, const CallContext& context) {
  return engine::DescribeTableRequest{.table = TRY(ParseTableName(body, context))};
}

void Render(const CallContext& context, const engine::DescribeTableRequest& /*request*/,
            const engine::TableReply& reply, json::Writer& body) {
  body.Key("Table");
  RenderTable(context, reply.description, body);
}

}  // namespace

constinit const Operation kDescribeTable =
    MakeOperation<engine::DescribeTableRequest, engine::TableReply, Parse, Render>("DescribeTable",
                                                                                   kInput);

}  // namespace trestle::wire
