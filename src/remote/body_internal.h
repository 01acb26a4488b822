#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "value/item.h"

// Bodies of requests and replies: what the files of operations have in common.

namespace trestle::remote {

// A body under construction. Members that are empty are left out.
class Body {
 public:
  Body() : writer_(text_) { writer_.BeginObject(); }

  [[nodiscard]] json::Writer& writer() { return writer_; }
  void Text(std::string_view name, std::string_view text);
  void TextIf(std::string_view name, std::string_view text) {
    if (!text.empty()) Text(name, text);
  }
  void Integer(std::string_view name, std::int64_t integer);
  void Bool(std::string_view name, bool boolean);
  void Item(std::string_view name, value::ItemView item);
  void BeginObject(std::string_view name);
  void EndObject() { writer_.EndObject(); }

  // The text, which is whole now.
  [[nodiscard]] const std::string& Finish();

 private:
  std::string text_;
  json::Writer writer_;
};

// Members of replies; nothing, or empty, when they are absent or of another type.
[[nodiscard]] std::optional<json::Value> FindMember(json::Object object, std::string_view name);
[[nodiscard]] std::string FindText(json::Object object, std::string_view name);
[[nodiscard]] std::optional<std::int64_t> FindInteger(json::Object object, std::string_view name);
[[nodiscard]] double FindDouble(json::Object object, std::string_view name);
[[nodiscard]] bool FindBool(json::Object object, std::string_view name);
[[nodiscard]] std::optional<json::Object> FindObject(json::Object object, std::string_view name);
// The objects of a list, or none.
[[nodiscard]] std::vector<json::Object> FindObjects(json::Object object, std::string_view name);
[[nodiscard]] std::vector<std::string> FindTexts(json::Object object, std::string_view name);

// kCorruption when what the endpoint calls an item is none.
[[nodiscard]] Result<std::optional<value::Item>> FindItem(json::Object object,
                                                          std::string_view name);
[[nodiscard]] Result<std::vector<value::Item>> FindItems(json::Object object,
                                                         std::string_view name);

}  // namespace trestle::remote
