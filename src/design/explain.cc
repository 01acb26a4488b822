#include "design/explain.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "design/condition.h"
#include "design/query_plan.h"
#include "design/values.h"
#include "json/json.h"
#include "protocol/attribute_json.h"

namespace trestle::design {
namespace {

// The members of a request, in the order in which people read them.
struct Member {
  std::string name;  // "TableName"
  std::string flag;  // "table-name"
  std::string json;
};
using Members = std::vector<Member>;

std::string Quoted(std::string_view text) {
  std::string json;
  json::AppendQuoted(json, text);
  return json;
}

std::string ItemJson(const Record& item) {
  std::string json;
  json::Writer writer(json);
  protocol::WriteItem(writer, item.ToItem().view());
  return json;
}

std::string NamesJson(const ExpressionNames& expressions) {
  std::string json;
  json::Writer writer(json);
  writer.BeginObject();
  for (const auto& [alias, name] : expressions.names) {
    writer.Key(alias);
    writer.String(name);
  }
  writer.EndObject();
  return json;
}

std::string ValuesJson(const ExpressionNames& expressions) {
  std::string json;
  json::Writer writer(json);
  writer.BeginObject();
  for (const auto& [alias, value] : expressions.values) {
    writer.Key(alias);
    protocol::WriteValue(writer, value::ValueView(value));
  }
  writer.EndObject();
  return json;
}

// In single quotes for a shell.
std::string ShellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ExplainedRequest Print(std::string operation, std::string_view command, const Members& members) {
  ExplainedRequest request{.operation = std::move(operation),
                           .json = "{",
                           .command = fmt::format("aws dynamodb {}", command)};
  for (const Member& member : members) {
    if (request.json.size() > 1) request.json += ',';
    request.json += fmt::format("\n  \"{}\": {}", member.name, member.json);
    if (member.json == "true" || member.json == "false") {
      const std::string_view no = member.json == "true" ? "" : "no-";
      request.command += fmt::format(" \\\n  --{}{}", no, member.flag);
      continue;
    }
    // A text is given as it is, anything else as JSON.
    const bool is_text = member.json.starts_with('"');
    const std::string_view value =
        is_text ? std::string_view(member.json).substr(1, member.json.size() - 2) : member.json;
    request.command += fmt::format(" \\\n  --{} {}", member.flag, ShellQuoted(value));
  }
  request.json += "\n}";
  return request;
}

ExplainedRequest PrintRead(const ReadPage& page) {
  ExpressionNames expressions = page.expressions;
  const std::string key_condition = KeyConditionText(expressions, page.key_condition);
  Members members{{"TableName", "table-name", Quoted(page.table)}};
  if (!page.index.empty()) members.push_back({"IndexName", "index-name", Quoted(page.index)});
  members.push_back({"KeyConditionExpression", "key-condition-expression", Quoted(key_condition)});
  if (!page.filter.empty())
    members.push_back({"FilterExpression", "filter-expression", Quoted(page.filter)});
  members.push_back(
      {"ExpressionAttributeNames", "expression-attribute-names", NamesJson(expressions)});
  members.push_back(
      {"ExpressionAttributeValues", "expression-attribute-values", ValuesJson(expressions)});
  if (page.limit) members.push_back({"Limit", "limit", std::to_string(*page.limit)});
  if (!page.is_forward) members.push_back({"ScanIndexForward", "scan-index-forward", "false"});
  if (page.is_consistent) members.push_back({"ConsistentRead", "consistent-read", "true"});
  return Print("Query", "query", members);
}

// What an access is explained from.
struct Explainer {
  const Model& model;
  const Access& access;
  const std::string& table;
  const Record& arguments;

  Record KeyOf(const ItemKind& kind) const {
    Record key;
    const KeyForm& form = kind.keys.front();
    key.SetText(model.table.partition_key, ComposeShown(form.partition_key, arguments));
    if (form.sort_key) key.SetText(model.table.sort_key, ComposeShown(*form.sort_key, arguments));
    return key;
  }

  ExplainedRequest Read(const ItemKind& kind, bool is_consistent) const {
    Members members{{"TableName", "table-name", Quoted(table)}};
    members.push_back({"Key", "key", ItemJson(KeyOf(kind))});
    if (is_consistent) members.push_back({"ConsistentRead", "consistent-read", "true"});
    return Print("GetItem", "get-item", members);
  }

  // A write by itself. What goes with it depends on the item.
  ExplainedRequest Write(std::string operation, std::string_view command, std::string_view item,
                         const Record& value, std::string_view condition) const {
    std::string flag(item == "Item" ? "item" : "key");
    Members members{{"TableName", "table-name", Quoted(table)}};
    members.push_back({std::string(item), std::move(flag), ItemJson(value)});
    members.push_back({"ConditionExpression", "condition-expression", Quoted(condition)});
    return Print(std::move(operation), command, members);
  }

  Result<ExplainedAccess> operator()(const Get& get) const {
    ExplainedAccess explained;
    const KindReference& kind = access.results.front();
    const Mirror* via = kind.entity != nullptr ? kind.entity->identity_via : nullptr;
    if (via != nullptr) explained.requests.push_back(Read(*via, get.is_consistent));
    explained.requests.push_back(Read(kind.kind(), get.is_consistent));
    return explained;
  }

  Result<ExplainedAccess> operator()(const Query& query) const {
    const QueryInputs inputs{
        .table = table,
        .arguments = arguments,
        .is_descending = query.order == syntax::Order::kDescending,
        .shows_missing = true,
    };
    const QueryPlan plan = TRY(PlanQuery(model, access, query, inputs));
    ExplainedAccess explained;
    for (const PlannedRead& read : plan) {
      ReadPage page = read.page;
      if (query.limit) page.limit = static_cast<std::uint32_t>(*query.limit);
      explained.requests.push_back(PrintRead(page));
    }
    if (query.hydrate) {
      Record key;
      key.SetText(model.table.partition_key, fmt::format("<{}>", model.table.partition_key));
      if (!model.table.sort_key.empty())
        key.SetText(model.table.sort_key, fmt::format("<{}>", model.table.sort_key));
      explained.requests.push_back(
          Print("BatchGetItem", "batch-get-item",
                {{"RequestItems", "request-items",
                  fmt::format("{{{}:{{\"Keys\":[{}]}}}}", Quoted(table), ItemJson(key))}}));
    }
    explained.remark = RemarkOn(query);
    return explained;
  }

  static std::string RemarkOn(const Query& query) {
    std::vector<std::string> remarks;
    if (!query.merge.empty())
      remarks.push_back(fmt::format("the results are merged over {}", query.merge));
    if (query.sort) remarks.push_back("the items are sorted after reading");
    if (query.match) remarks.push_back("the items are matched after reading");
    if (!query.only.empty() || query.filter)
      remarks.push_back("pages are read until enough items are left");
    return fmt::format("{}", fmt::join(remarks, "; "));
  }

  Result<ExplainedAccess> operator()(const Create&) const {
    const ItemKind& kind = access.results.front().kind();
    Record item = KeyOf(kind);
    if (!kind.tag.empty()) item.SetText(model.table.discriminator, kind.tag);
    for (const Parameter& parameter : access.parameters)
      item.SetText(parameter.name, fmt::format("<{}>", parameter.name));
    const std::string condition =
        fmt::format("attribute_not_exists({})", model.table.partition_key);
    return ExplainedAccess{.requests = {Write("PutItem", "put-item", "Item", item, condition)},
                           .remark = RemarkOnWrite()};
  }

  Result<ExplainedAccess> operator()(const Update&) const {
    const std::string condition = fmt::format("attribute_exists({})", model.table.partition_key);
    return ExplainedAccess{.requests = {Write("UpdateItem", "update-item", "Key",
                                              KeyOf(access.results.front().kind()), condition)},
                           .remark = RemarkOnWrite()};
  }

  Result<ExplainedAccess> operator()(const Delete&) const {
    const std::string condition = fmt::format("attribute_exists({})", model.table.partition_key);
    return ExplainedAccess{.requests = {Write("DeleteItem", "delete-item", "Key",
                                              KeyOf(access.results.front().kind()), condition)},
                           .remark = RemarkOnWrite()};
  }

  Result<ExplainedAccess> operator()(const External& external) const {
    return ExplainedAccess{.requests = {}, .remark = fmt::format("answered by {}", external.by)};
  }

  std::string RemarkOnWrite() const {
    const Entity* entity = access.results.front().entity;
    const bool is_alone =
        entity == nullptr ||
        (entity->mirrors.empty() && entity->uniques.empty() && entity->relations.empty());
    return is_alone ? ""
                    : "mirrors, guards and counts that follow from it are written in the same "
                      "transaction";
  }
};

}  // namespace

Result<ExplainedAccess> Explain(const Model& model, const Access& access, const std::string& table,
                                const Record& arguments) {
  CHECK(!access.results.empty(), "an access without results");
  return std::visit(Explainer{model, access, table, arguments}, access.action);
}

}  // namespace trestle::design
