#include "studio/design_json.h"

#include <span>
#include <variant>

#include <fmt/format.h>

#include "design/cost.h"
#include "design/syntax/printer.h"
#include "platform/design_app.h"

namespace trestle::studio {
namespace {

using design::TypeKind;

std::string_view WordOf(TypeKind kind) {
  constexpr std::string_view kWords[] = {"string", "int",  "number",    "bool",   "id",   "email",
                                         "url",    "date", "timestamp", "moment", "enum", "list",
                                         "set",    "map",  "binary",    "any"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string TypeText(const design::ValueType& type) {
  if (type.element.empty()) return std::string(WordOf(type.kind));
  return fmt::format("{}<{}>", WordOf(type.kind), TypeText(type.element.front()));
}

std::string Text(const design::KeyTemplate& key) {
  std::string printed = design::syntax::Print(key.source());
  // Printed as in a design's text: between quotes.
  if (printed.size() >= 2 && printed.front() == '"')
    printed = printed.substr(1, printed.size() - 2);
  return printed;
}

void WriteEnum(const design::ValueType& type, json::Writer& writer) {
  if (type.enum_values.empty()) return;
  writer.Key("values");
  writer.BeginArray();
  for (const std::string& value : type.enum_values)
    writer.String(value);
  writer.EndArray();
}

void WriteKeyMembers(const design::KeyForm& key, json::Writer& writer) {
  WriteText("partitionKey", Text(key.partition_key), writer);
  if (key.sort_key) WriteText("sortKey", Text(*key.sort_key), writer);
  if (key.when) WriteText("when", design::syntax::Print(*key.when), writer);
}

void WriteKind(const design::ItemKind& kind, json::Writer& writer) {
  WriteText("name", kind.name, writer);
  if (!kind.tag.empty()) WriteText("tag", kind.tag, writer);
  writer.Key("line");
  writer.Integer(kind.position.line);
  writer.Key("keys");
  writer.BeginArray();
  for (const design::KeyForm& key : kind.keys) {
    writer.BeginObject();
    WriteKeyMembers(key, writer);
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("indexes");
  writer.BeginArray();
  for (const design::IndexForm& form : kind.indexes) {
    writer.BeginObject();
    WriteText("index", form.index->name, writer);
    WriteKeyMembers(form.key, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteAttribute(const design::Attribute& attribute, json::Writer& writer) {
  writer.BeginObject();
  WriteText("name", attribute.name, writer);
  WriteText("type", TypeText(attribute.type), writer);
  WriteEnum(attribute.type, writer);
  const auto flag = [&](std::string_view name, bool is_set) {
    if (!is_set) return;
    writer.Key(name);
    writer.Bool(true);
  };
  flag("optional", attribute.is_optional);
  flag("immutable", attribute.is_immutable);
  flag("inKey", attribute.is_in_key);
  flag("derived", attribute.derived != design::Derived::kNo);
  writer.EndObject();
}

void WriteRelation(const design::Relation& relation, json::Writer& writer) {
  constexpr std::string_view kRules[] = {"ignore", "cascade", "restrict", "detach"};
  for (const design::Entity* parent : relation.parents) {
    writer.BeginObject();
    WriteText("parent", parent->name, writer);
    WriteText("onDelete", kRules[static_cast<std::size_t>(relation.on_delete)], writer);
    writer.Key("by");
    writer.BeginArray();
    for (const design::Link& link : relation.links)
      writer.String(link.attribute);
    writer.EndArray();
    writer.EndObject();
  }
}

void WriteEntity(const design::Entity& entity, json::Writer& writer) {
  writer.BeginObject();
  WriteKind(entity, writer);
  writer.Key("attributes");
  writer.BeginArray();
  for (const design::Attribute& attribute : entity.attributes)
    WriteAttribute(attribute, writer);
  writer.EndArray();
  writer.Key("relations");
  writer.BeginArray();
  for (const design::Relation& relation : entity.relations)
    WriteRelation(relation, writer);
  writer.EndArray();
  writer.EndObject();
}

void WriteMirror(const design::Mirror& mirror, json::Writer& writer) {
  writer.BeginObject();
  WriteKind(mirror, writer);
  WriteText("mirrorOf", mirror.of->name, writer);
  writer.Key("attributes");
  writer.BeginArray();
  for (const std::string& name : mirror.include) {
    if (const design::Attribute* attribute = mirror.of->FindAttribute(name)) {
      WriteAttribute(*attribute, writer);
    }
  }
  writer.EndArray();
  writer.Key("relations");
  writer.BeginArray();
  writer.EndArray();
  writer.EndObject();
}

void WriteParameters(std::span<const design::Parameter> parameters, json::Writer& writer) {
  writer.Key("parameters");
  writer.BeginArray();
  for (const design::Parameter& parameter : parameters) {
    writer.BeginObject();
    WriteText("name", parameter.name, writer);
    WriteText("type", TypeText(parameter.type), writer);
    WriteEnum(parameter.type, writer);
    if (parameter.is_optional) {
      writer.Key("optional");
      writer.Bool(true);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

std::string RangeText(const design::SortKeyRange& range) {
  using Kind = design::SortKeyRange::Kind;
  const std::string first = range.kind == Kind::kAll ? "" : Text(range.first);
  const std::string last = range.last ? Text(*range.last) : "";
  switch (range.kind) {
    case Kind::kAll:
      return "";
    case Kind::kIs:
      return fmt::format("is {}", first);
    case Kind::kBegins:
      return fmt::format("begins {}", first);
    case Kind::kBefore:
      return fmt::format("before {}", first);
    case Kind::kAfter:
      return fmt::format("after {}", first);
    case Kind::kBetween:
      return fmt::format("between {} and {}", first, last);
    case Kind::kFrom:
      return fmt::format("from {} to {}", first, last);
  }
  return "";
}

void WriteQuery(const design::Query& query, json::Writer& writer) {
  if (query.index != nullptr) WriteText("index", query.index->name, writer);
  WriteText("partitionKey", Text(query.partition_key), writer);
  const std::string range = RangeText(query.sort_key);
  if (!range.empty()) WriteText("sortKey", range, writer);
  if (query.filter) WriteText("filter", design::syntax::Print(*query.filter), writer);
  if (!query.merge.empty()) WriteText("merge", query.merge, writer);
  WriteText("order", design::syntax::WordOf(query.order), writer);
}

std::string_view ActionWord(const design::Access& access) {
  constexpr std::string_view kWords[] = {"get", "create", "update", "delete", "query", "external"};
  return kWords[access.action.index()];
}

void WriteAccess(const design::Access& access, json::Writer& writer) {
  writer.BeginObject();
  WriteText("name", access.name, writer);
  writer.Key("line");
  writer.Integer(access.position.line);
  WriteText("action", ActionWord(access), writer);
  writer.Key("reads");
  writer.Bool(platform::IsRead(access));
  writer.Key("many");
  writer.Bool(access.is_many);
  writer.Key("results");
  writer.BeginArray();
  for (const design::KindReference& kind : access.results)
    writer.String(kind.kind().name);
  writer.EndArray();
  WriteParameters(access.parameters, writer);
  if (const auto* query = std::get_if<design::Query>(&access.action)) WriteQuery(*query, writer);
  writer.EndObject();
}

void WriteTable(const design::Table& table, std::string_view name, json::Writer& writer) {
  writer.BeginObject();
  WriteText("name", name, writer);
  WriteText("partitionKey", table.partition_key, writer);
  if (!table.sort_key.empty()) WriteText("sortKey", table.sort_key, writer);
  if (!table.discriminator.empty()) WriteText("discriminator", table.discriminator, writer);
  if (!table.lock.empty()) WriteText("lock", table.lock, writer);
  if (!table.time_to_live.empty()) WriteText("timeToLive", table.time_to_live, writer);
  WriteText("stream", design::syntax::WordOf(table.stream), writer);
  writer.Key("indexes");
  writer.BeginArray();
  for (const design::Index& index : table.indexes) {
    writer.BeginObject();
    WriteText("name", index.name, writer);
    WriteText("partitionKey", index.partition_key, writer);
    if (!index.sort_key.empty()) WriteText("sortKey", index.sort_key, writer);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
}

void WriteCosts(const design::Model& model, json::Writer& writer) {
  writer.BeginArray();
  for (const design::CostLine& line : design::Costs(model)) {
    writer.BeginObject();
    WriteText("what", line.what, writer);
    WriteText("assumption", line.assumption, writer);
    writer.Key("readUnits");
    writer.Double(line.read_units);
    writer.Key("writeUnits");
    writer.Double(line.write_units);
    if (!line.remark.empty()) WriteText("remark", line.remark, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

void WriteText(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.Key(name);
  writer.String(text);
}

void WriteDesign(const design::Model& model, std::string_view table, json::Writer& writer) {
  writer.BeginObject();
  WriteText("name", model.name, writer);
  writer.Key("version");
  writer.Integer(model.version);
  writer.Key("table");
  WriteTable(model.table, table, writer);
  writer.Key("entities");
  writer.BeginArray();
  for (const design::Entity& entity : model.entities)
    WriteEntity(entity, writer);
  for (const design::Mirror& mirror : model.mirrors)
    WriteMirror(mirror, writer);
  writer.EndArray();
  writer.Key("accesses");
  writer.BeginArray();
  for (const design::Access& access : model.accesses)
    WriteAccess(access, writer);
  writer.EndArray();
  writer.Key("operations");
  writer.BeginArray();
  for (const design::Operation& operation : model.operations) {
    writer.BeginObject();
    WriteText("name", operation.name, writer);
    WriteParameters(operation.parameters, writer);
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("costs");
  WriteCosts(model, writer);
  writer.EndObject();
}

void WriteDiagnostics(const design::Diagnostics& diagnostics, json::Writer& writer) {
  writer.BeginArray();
  for (const design::Diagnostic& diagnostic : diagnostics) {
    writer.BeginObject();
    WriteText("severity", diagnostic.severity == design::Severity::kError ? "error" : "warning",
              writer);
    WriteText("code", diagnostic.code, writer);
    writer.Key("line");
    writer.Integer(diagnostic.position.line);
    writer.Key("column");
    writer.Integer(diagnostic.position.column);
    WriteText("message", diagnostic.message, writer);
    if (!diagnostic.suggestion.empty()) WriteText("suggestion", diagnostic.suggestion, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace trestle::studio
