#include "remote/tables.h"

#include "remote/body_internal.h"

namespace trestle::remote {
namespace {

void AddKeySchema(const KeySchema& keys, Body& body) {
  json::Writer& writer = body.writer();
  writer.Key("KeySchema");
  writer.BeginArray();
  const auto add = [&](const std::string& attribute, std::string_view type) {
    if (attribute.empty()) return;
    writer.BeginObject();
    body.Text("AttributeName", attribute);
    body.Text("KeyType", type);
    writer.EndObject();
  };
  add(keys.partition_key, "HASH");
  add(keys.sort_key, "RANGE");
  writer.EndArray();
}

void AddAttributeTypes(const std::map<std::string, std::string>& types, Body& body) {
  json::Writer& writer = body.writer();
  writer.Key("AttributeDefinitions");
  writer.BeginArray();
  for (const auto& [attribute, type] : types) {
    writer.BeginObject();
    body.Text("AttributeName", attribute);
    body.Text("AttributeType", type);
    writer.EndObject();
  }
  writer.EndArray();
}

void AddThroughput(const std::optional<Throughput>& throughput, Body& body) {
  if (!throughput) return;
  body.BeginObject("ProvisionedThroughput");
  body.Integer("ReadCapacityUnits", throughput->read_units);
  body.Integer("WriteCapacityUnits", throughput->write_units);
  body.EndObject();
}

void AddBilling(const std::optional<Throughput>& provisioned, Body& body) {
  body.Text("BillingMode", provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  AddThroughput(provisioned, body);
}

// The members of one index, inside of its object.
void AddIndex(const IndexDescription& index, const std::optional<Throughput>& provisioned,
              Body& body) {
  body.Text("IndexName", index.name);
  AddKeySchema(index.keys, body);
  body.BeginObject("Projection");
  body.Text("ProjectionType", index.projection_type);
  if (!index.non_key_attributes.empty()) {
    body.writer().Key("NonKeyAttributes");
    body.writer().BeginArray();
    for (const std::string& attribute : index.non_key_attributes)
      body.writer().String(attribute);
    body.writer().EndArray();
  }
  body.EndObject();
  if (!index.is_local) AddThroughput(provisioned, body);
}

void AddIndexes(const TableDescription& table, bool is_local, Body& body) {
  bool is_first = true;
  for (const IndexDescription& index : table.indexes) {
    if (index.is_local != is_local) continue;
    if (is_first) {
      body.writer().Key(is_local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
      body.writer().BeginArray();
      is_first = false;
    }
    body.writer().BeginObject();
    AddIndex(index, table.provisioned, body);
    body.writer().EndObject();
  }
  if (!is_first) body.writer().EndArray();
}

void AddStream(const std::string& view_type, Body& body) {
  body.BeginObject("StreamSpecification");
  body.Bool("StreamEnabled", !view_type.empty());
  body.TextIf("StreamViewType", view_type);
  body.EndObject();
}

void AddEncryption(const std::string& sse_type, const std::string& kms_key, Body& body) {
  body.BeginObject("SSESpecification");
  body.Bool("Enabled", !sse_type.empty());
  body.TextIf("SSEType", sse_type);
  body.TextIf("KMSMasterKeyId", kms_key);
  body.EndObject();
}

// One element of GlobalSecondaryIndexUpdates for each of `names`.
template <typename AddMembers>
void AddIndexUpdates(std::string_view action, const std::vector<std::string>& names,
                     AddMembers add_members, Body& body) {
  json::Writer& writer = body.writer();
  writer.Key("GlobalSecondaryIndexUpdates");
  writer.BeginArray();
  for (const std::string& name : names) {
    writer.BeginObject();
    body.BeginObject(action);
    add_members(name);
    body.EndObject();
    writer.EndObject();
  }
  writer.EndArray();
}

void AddUpdate(const BillingUpdate& update, Body& body) {
  AddBilling(update.provisioned, body);
  if (!update.provisioned || update.indexes.empty()) return;
  const auto add = [&](const std::string& name) {
    body.Text("IndexName", name);
    AddThroughput(update.provisioned, body);
  };
  AddIndexUpdates("Update", update.indexes, add, body);
}

void AddUpdate(const StreamUpdate& update, Body& body) { AddStream(update.view_type, body); }

void AddUpdate(const IndexCreation& update, Body& body) {
  AddAttributeTypes(update.attribute_types, body);
  const auto add = [&](const std::string& /*name*/) {
    AddIndex(update.index, update.provisioned, body);
  };
  AddIndexUpdates("Create", {update.index.name}, add, body);
}

void AddUpdate(const IndexDeletion& update, Body& body) {
  const auto add = [&](const std::string& name) { body.Text("IndexName", name); };
  AddIndexUpdates("Delete", {update.name}, add, body);
}

void AddUpdate(const EncryptionUpdate& update, Body& body) {
  AddEncryption(update.sse_type, update.kms_key, body);
}

KeySchema ParseKeySchema(json::Object object) {
  KeySchema keys;
  for (const json::Object element : FindObjects(object, "KeySchema")) {
    std::string& names =
        FindText(element, "KeyType") == "HASH" ? keys.partition_key : keys.sort_key;
    if (!names.empty()) names += ", ";
    names += FindText(element, "AttributeName");
  }
  return keys;
}

IndexDescription ParseIndex(json::Object object, bool is_local) {
  IndexDescription index;
  index.name = FindText(object, "IndexName");
  index.is_local = is_local;
  index.keys = ParseKeySchema(object);
  index.status = FindText(object, "IndexStatus");
  if (const auto projection = FindObject(object, "Projection")) {
    index.projection_type = FindText(*projection, "ProjectionType");
    index.non_key_attributes = FindTexts(*projection, "NonKeyAttributes");
  }
  return index;
}

// A table that was never on demand says nothing of billing.
std::optional<Throughput> ParseThroughput(json::Object table) {
  if (const auto billing = FindObject(table, "BillingModeSummary")) {
    if (FindText(*billing, "BillingMode") == "PAY_PER_REQUEST") return std::nullopt;
  }
  const auto throughput = FindObject(table, "ProvisionedThroughput");
  if (!throughput) return std::nullopt;
  return Throughput{.read_units = FindInteger(*throughput, "ReadCapacityUnits").value_or(0),
                    .write_units = FindInteger(*throughput, "WriteCapacityUnits").value_or(0)};
}

TableDescription ParseTable(json::Object table) {
  TableDescription description;
  description.name = FindText(table, "TableName");
  description.keys = ParseKeySchema(table);
  for (const json::Object attribute : FindObjects(table, "AttributeDefinitions")) {
    description.attribute_types[FindText(attribute, "AttributeName")] =
        FindText(attribute, "AttributeType");
  }
  for (const json::Object index : FindObjects(table, "LocalSecondaryIndexes"))
    description.indexes.push_back(ParseIndex(index, true));
  for (const json::Object index : FindObjects(table, "GlobalSecondaryIndexes"))
    description.indexes.push_back(ParseIndex(index, false));
  description.provisioned = ParseThroughput(table);
  const auto stream = FindObject(table, "StreamSpecification");
  if (stream && FindBool(*stream, "StreamEnabled")) {
    description.stream_view_type = FindText(*stream, "StreamViewType");
  }
  const auto sse = FindObject(table, "SSEDescription");
  if (sse && FindText(*sse, "Status").starts_with("ENABL")) {
    description.sse_type = FindText(*sse, "SSEType");
    description.kms_key = FindText(*sse, "KMSMasterKeyArn");
  }
  description.status = FindText(table, "TableStatus");
  description.latest_stream_arn = FindText(table, "LatestStreamArn");
  return description;
}

std::string TableBody(const std::string& table) {
  Body body;
  body.Text("TableName", table);
  return body.Finish();
}

Result<Reply> Ask(Client& client, std::string_view operation, const std::string& table) {
  return client.Send({.operation = operation, .body = TableBody(table), .is_repeatable = true});
}

Error Unexpected(std::string_view operation) {
  return CorruptionError("The endpoint answers " + std::string(operation) + " with something else");
}

}  // namespace

Result<TableDescription> DescribeTable(Client& client, const std::string& table) {
  const Reply reply = TRY(Ask(client, "DescribeTable", table));
  const auto description = FindObject(reply.body, "Table");
  if (!description) return Unexpected("DescribeTable");
  return ParseTable(*description);
}

// What changes a table is not sent again when nobody knows what became of it: the second time it
// would be refused, since the table is there, or is changing.

Status CreateTable(Client& client, const TableDescription& table) {
  Body body;
  body.Text("TableName", table.name);
  AddAttributeTypes(table.attribute_types, body);
  AddKeySchema(table.keys, body);
  AddIndexes(table, true, body);
  AddIndexes(table, false, body);
  AddBilling(table.provisioned, body);
  if (!table.stream_view_type.empty()) AddStream(table.stream_view_type, body);
  if (!table.sse_type.empty()) AddEncryption(table.sse_type, table.kms_key, body);
  TRY(client.Send({.operation = "CreateTable", .body = body.Finish()}));
  return Ok();
}

Status DeleteTable(Client& client, const std::string& table) {
  TRY(client.Send({.operation = "DeleteTable", .body = TableBody(table)}));
  return Ok();
}

Status UpdateTable(Client& client, const std::string& table, const TableUpdate& update) {
  Body body;
  body.Text("TableName", table);
  std::visit([&](const auto& it) { AddUpdate(it, body); }, update);
  TRY(client.Send({.operation = "UpdateTable", .body = body.Finish()}));
  return Ok();
}

Result<TimeToLive> DescribeTimeToLive(Client& client, const std::string& table) {
  const Reply reply = TRY(Ask(client, "DescribeTimeToLive", table));
  const auto description = FindObject(reply.body, "TimeToLiveDescription");
  if (!description) return Unexpected("DescribeTimeToLive");
  return TimeToLive{.attribute = FindText(*description, "AttributeName"),
                    .status = FindText(*description, "TimeToLiveStatus")};
}

Status UpdateTimeToLive(Client& client, const std::string& table, const std::string& attribute,
                        bool is_enabled) {
  Body body;
  body.Text("TableName", table);
  body.BeginObject("TimeToLiveSpecification");
  body.Text("AttributeName", attribute);
  body.Bool("Enabled", is_enabled);
  body.EndObject();
  TRY(client.Send({.operation = "UpdateTimeToLive", .body = body.Finish()}));
  return Ok();
}

Result<bool> HasPointInTimeRecovery(Client& client, const std::string& table) {
  const Reply reply = TRY(Ask(client, "DescribeContinuousBackups", table));
  const auto backups = FindObject(reply.body, "ContinuousBackupsDescription");
  if (!backups) return Unexpected("DescribeContinuousBackups");
  const auto recovery = FindObject(*backups, "PointInTimeRecoveryDescription");
  return recovery && FindText(*recovery, "PointInTimeRecoveryStatus") == "ENABLED";
}

Status UpdatePointInTimeRecovery(Client& client, const std::string& table, bool is_enabled) {
  Body body;
  body.Text("TableName", table);
  body.BeginObject("PointInTimeRecoverySpecification");
  body.Bool("PointInTimeRecoveryEnabled", is_enabled);
  body.EndObject();
  TRY(client.Send(
      {.operation = "UpdateContinuousBackups", .body = body.Finish(), .is_repeatable = true}));
  return Ok();
}

}  // namespace trestle::remote
