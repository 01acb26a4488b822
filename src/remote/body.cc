#include <fmt/format.h>

#include "protocol/attribute_json.h"
#include "remote/body_internal.h"

namespace trestle::remote {
namespace {

Result<value::Item> ParseItem(json::Object json) {
  auto item = protocol::ParseItem(json);
  if (item.ok()) return item;
  return CorruptionError(
      fmt::format("The endpoint answers with a faulty item: {}", item.error().message()));
}

}  // namespace

void Body::Text(std::string_view name, std::string_view text) {
  writer_.Key(name);
  writer_.String(text);
}

void Body::Integer(std::string_view name, std::int64_t integer) {
  writer_.Key(name);
  writer_.Integer(integer);
}

void Body::Bool(std::string_view name, bool boolean) {
  writer_.Key(name);
  writer_.Bool(boolean);
}

void Body::Item(std::string_view name, value::ItemView item) {
  writer_.Key(name);
  protocol::WriteItem(writer_, item);
}

void Body::BeginObject(std::string_view name) {
  writer_.Key(name);
  writer_.BeginObject();
}

const std::string& Body::Finish() {
  writer_.EndObject();
  return text_;
}

std::optional<json::Value> FindMember(json::Object object, std::string_view name) {
  json::Value value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

std::string FindText(json::Object object, std::string_view name) {
  std::string_view text;
  return object.at_key(name).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::optional<std::int64_t> FindInteger(json::Object object, std::string_view name) {
  std::int64_t integer = 0;
  if (object.at_key(name).get(integer) != simdjson::SUCCESS) return std::nullopt;
  return integer;
}

double FindDouble(json::Object object, std::string_view name) {
  double number = 0;
  return object.at_key(name).get(number) == simdjson::SUCCESS ? number : 0;
}

bool FindBool(json::Object object, std::string_view name) {
  bool boolean = false;
  return object.at_key(name).get(boolean) == simdjson::SUCCESS && boolean;
}

std::optional<json::Object> FindObject(json::Object object, std::string_view name) {
  json::Object found;
  if (object.at_key(name).get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

std::vector<json::Object> FindObjects(json::Object object, std::string_view name) {
  std::vector<json::Object> objects;
  json::Array array;
  if (object.at_key(name).get(array) != simdjson::SUCCESS) return objects;
  for (const json::Value value : array) {
    json::Object element;
    if (value.get(element) == simdjson::SUCCESS) objects.push_back(element);
  }
  return objects;
}

std::vector<std::string> FindTexts(json::Object object, std::string_view name) {
  std::vector<std::string> texts;
  json::Array array;
  if (object.at_key(name).get(array) != simdjson::SUCCESS) return texts;
  for (const json::Value value : array) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) texts.emplace_back(text);
  }
  return texts;
}

Result<std::optional<value::Item>> FindItem(json::Object object, std::string_view name) {
  const auto json = FindObject(object, name);
  if (!json) return std::optional<value::Item>();
  return std::optional(TRY(ParseItem(*json)));
}

Result<std::vector<value::Item>> FindItems(json::Object object, std::string_view name) {
  const std::vector<json::Object> objects = FindObjects(object, name);
  std::vector<value::Item> items;
  items.reserve(objects.size());
  for (const json::Object json : objects)
    items.push_back(TRY(ParseItem(json)));
  return items;
}

}  // namespace trestle::remote
