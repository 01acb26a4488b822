#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "design/exports/exports.h"
#include "design/syntax/lexer.h"
#include "design/syntax/parser.h"
#include "design/syntax/printer.h"
#include "design/syntax/text_literal.h"
#include "json/json.h"

namespace trestle::design {
namespace {

Error NoModel(std::string_view what) {
  return ValidationError(fmt::format("This is no data model of NoSQL Workbench: {}", what));
}

std::string Text(json::Value object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

std::string TextOf(json::Value value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

std::vector<json::Value> Elements(json::Value object, std::string_view key) {
  json::Array array;
  if (object[key].get(array) != simdjson::SUCCESS) return {};
  return {array.begin(), array.end()};
}

bool IsName(std::string_view text) {
  return !text.empty() && syntax::IsNameStart(text.front()) &&
         std::ranges::all_of(text, syntax::IsNameCharacter);
}

// A name of the language, from one that may be none.
std::string ToName(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += syntax::IsNameCharacter(c) ? c : '_';
  return out.empty() || !syntax::IsNameStart(out.front()) ? "_" + out : out;
}

std::string Source(std::string_view text) {
  std::string out = "\"";
  syntax::AppendTextSource(out, text);
  return out + "\"";
}

std::string_view TypeOf(std::string_view stored) {
  static const std::map<std::string_view, std::string_view> kTypes = {
      {"S", "string"},       {"N", "number"},       {"B", "binary"},
      {"BOOL", "bool"},      {"SS", "set<string>"}, {"NS", "set<number>"},
      {"BS", "set<binary>"}, {"L", "list<any>"},    {"M", "any"}};
  const auto found = kTypes.find(stored);
  return found == kTypes.end() ? "any" : found->second;
}

// "USER#{id}" stays, "USER#<id>" becomes it, and a plain word is the attribute itself.
std::string TemplateOf(std::string alias, std::set<std::string>& placeholders) {
  std::ranges::replace(alias, '<', '{');
  std::ranges::replace(alias, '>', '}');
  if (IsName(alias) && alias.find('#') == alias.npos) alias = "{" + alias + "}";
  for (std::size_t start = alias.find('{'); start != alias.npos;
       start = alias.find('{', start + 1)) {
    const std::size_t end = alias.find_first_of(":}", start);
    if (end != alias.npos) placeholders.insert(alias.substr(start + 1, end - start - 1));
  }
  return alias;
}

// The design's text, declaration by declaration.
class DesignText {
 public:
  DesignText(json::Value model, json::Value table) : table_(table) {
    out_ = fmt::format("// From a data model of NoSQL Workbench.\n\ndesign {} version 1\n\n",
                       ToName(Text(model, "ModelName")));
    for (json::Value attribute : Elements(table, "NonKeyAttributes"))
      types_[Text(attribute, "AttributeName")] = Text(attribute, "AttributeType");
  }

  Result<std::string> Make() {
    partition_key_ = KeyName(table_, "PartitionKey");
    sort_key_ = KeyName(table_, "SortKey");
    if (!IsName(partition_key_)) return NoModel("its table has no partition key with a plain name");
    out_ += fmt::format("table {} {{\n  key {}{}\n  discriminate by key\n",
                        Source(Text(table_, "TableName")), partition_key_,
                        sort_key_.empty() ? "" : ", " + sort_key_);
    for (json::Value index : Elements(table_, "GlobalSecondaryIndexes"))
      AddIndex(index);
    out_ += "}\n";
    for (json::Value facet : Elements(table_, "TableFacets"))
      AddEntity(facet);
    if (Elements(table_, "TableFacets").empty()) AddWholeTable();
    return std::move(out_);
  }

 private:
  static std::string KeyName(json::Value object, std::string_view role) {
    json::Value key;
    if (object["KeyAttributes"][role].get(key) != simdjson::SUCCESS) return "";
    return Text(key, "AttributeName");
  }

  void AddIndex(json::Value index) {
    const std::string name = ToName(Text(index, "IndexName"));
    const std::string partition_key = KeyName(index, "PartitionKey");
    const std::string sort_key = KeyName(index, "SortKey");
    std::string projection = "all";
    json::Value projected;
    if (index["Projection"].get(projected) == simdjson::SUCCESS) {
      const std::string type = Text(projected, "ProjectionType");
      if (type == "KEYS_ONLY") projection = "keys";
      if (type == "INCLUDE") {
        projection.clear();
        for (json::Value attribute : Elements(projected, "NonKeyAttributes"))
          projection += (projection.empty() ? "include (" : ", ") + TextOf(attribute);
        projection += ")";
      }
    }
    out_ += fmt::format("  index {} ({}{}) project {}\n", name, partition_key,
                        sort_key.empty() ? "" : ", " + sort_key, projection);
    indexes_.push_back({name, partition_key, sort_key});
  }

  void AddAttribute(const std::string& name, std::set<std::string>& placeholders) {
    const bool is_in_key = placeholders.erase(name) != 0;
    if (!IsName(name)) {
      out_ += fmt::format("  // {} has no plain name and is left out\n", name);
      return;
    }
    const auto type = types_.find(name);
    out_ +=
        fmt::format("  {} : {}{}\n", name, type == types_.end() ? "string" : TypeOf(type->second),
                    is_in_key ? "" : "?");
  }

  void AddEntity(json::Value facet) {
    std::string partition_alias = partition_key_;
    std::string sort_alias = sort_key_;
    json::Value aliases;
    if (facet["KeyAttributeAlias"].get(aliases) == simdjson::SUCCESS) {
      partition_alias = Text(aliases, "PartitionKeyAlias");
      sort_alias = Text(aliases, "SortKeyAlias");
    }
    std::vector<std::string> attributes;
    for (json::Value attribute : Elements(facet, "NonKeyAttributes"))
      attributes.push_back(TextOf(attribute));
    Add(Text(facet, "FacetName"), partition_alias, sort_alias, attributes);
  }

  void AddWholeTable() {
    std::vector<std::string> attributes;
    attributes.reserve(types_.size());
    for (const auto& [name, type] : types_)
      attributes.push_back(name);
    Add("Item", partition_key_, sort_key_, attributes);
  }

  void Add(const std::string& name, const std::string& partition_alias,
           const std::string& sort_alias, const std::vector<std::string>& attributes) {
    std::set<std::string> placeholders;
    out_ += fmt::format("\nentity {} {{\n  key pk {}", ToName(name),
                        Source(TemplateOf(partition_alias, placeholders)));
    if (!sort_key_.empty() && !sort_alias.empty())
      out_ += fmt::format(" sk {}", Source(TemplateOf(sort_alias, placeholders)));
    out_ += "\n";
    const auto has = [&](const std::string& attribute) {
      return attribute.empty() || std::ranges::find(attributes, attribute) != attributes.end();
    };
    for (const IndexKeys& index : indexes_) {
      if (has(index.partition_key) && has(index.sort_key))
        out_ += fmt::format("  index {} direct\n", index.name);
    }
    for (const std::string& attribute : attributes)
      AddAttribute(attribute, placeholders);
    for (const std::string& placeholder : placeholders)
      out_ += fmt::format("  {} : string key_only\n", placeholder);
    out_ += "}\n";
  }

  struct IndexKeys {
    std::string name;
    std::string partition_key;
    std::string sort_key;
  };

  json::Value table_;
  std::map<std::string, std::string> types_;
  std::string partition_key_;
  std::string sort_key_;
  std::vector<IndexKeys> indexes_;
  std::string out_;
};

}  // namespace

Result<std::string> FromWorkbench(std::string_view json) {
  json::Parser parser;
  const json::Value model = TRY(parser.Parse(json));
  const std::vector<json::Value> tables = Elements(model, "DataModel");
  if (tables.empty()) return NoModel("it has no DataModel with a table");
  if (tables.size() > 1) {
    return ValidationError(fmt::format(
        "A design is one table, and this model has {}: keep one of its DataModel", tables.size()));
  }
  const std::string text = TRY(DesignText(model, tables.front()).Make());
  const syntax::ParsedDesign parsed = syntax::ParseDesign(text);
  if (!parsed.diagnostics.empty()) return NoModel(parsed.diagnostics.front().message);
  return syntax::PrintDesign(parsed.design);
}

}  // namespace trestle::design
