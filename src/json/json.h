#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "base/result.h"

// JSON in and out. In: simdjson's DOM parser, which has read and verified the whole document
// before anything looks at it. Out: text appended to a string, with no tree in between.

namespace trestle::json {

using Value = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;
using Type = simdjson::dom::element_type;

// Keeps its buffers from one document to the next. One thread at a time; the values of a
// document are valid until the next Parse.
class Parser {
 public:
  // Fails with kSerialization when `text` is not one JSON document.
  [[nodiscard]] Result<Value> Parse(std::string_view text);

  // Gives back what a very large document made it grow to.
  void Shrink();

 private:
  simdjson::dom::parser parser_;
  std::string padded_;
};

// Appends JSON to a string that the caller owns. Commas are put by the writer.
//
//   json::Writer writer(out);
//   writer.BeginObject();
//   writer.Key("Count");
//   writer.Integer(3);
//   writer.EndObject();
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }

  void Key(std::string_view name);
  void String(std::string_view text);
  void Integer(std::int64_t integer);
  // The shortest text that reads back as the same double; whole numbers as "2.0", as the
  // service prints capacity units and times.
  void Double(double number);
  void Bool(bool boolean);
  void Null();
  // Text that is JSON already.
  void Raw(std::string_view json);

  [[nodiscard]] std::string& out() { return out_; }

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Separate();

  std::string& out_;
  bool needs_comma_ = false;
};

// The same document with a line for each member and element, for people. `json` is a document.
[[nodiscard]] std::string Indented(std::string_view json);

// `text` as a quoted JSON string.
void AppendQuoted(std::string& out, std::string_view text);

}  // namespace trestle::json
