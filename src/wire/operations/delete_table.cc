// DeleteTable: removes a table with its items, indexes and settings.

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
    .kind = Kind::kStructure, .name = "DeleteTableInput", .members = kMembers};

Result<engine::DeleteTableRequest> Parse(const json::Object& body, const CallContext& context) {
  return engine::DeleteTableRequest{.table = TRY(ParseTableName(body, context))};
}

void Render(const CallContext& context, const engine::DeleteTableRequest& /*request*/,
            const engine::TableReply& reply, json::Writer& body) {
  body.Key("TableDescription");
  RenderDeletedTable(context, reply.description, body);
}

}  // namespace

constinit const Operation kDeleteTable =
    MakeOperation<engine::DeleteTableRequest, engine::TableReply, Parse, Render>("DeleteTable",
                                                                                 kInput);

}  // namespace trestle::wire
