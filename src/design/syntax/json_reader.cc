#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "design/spelling.h"
#include "design/syntax/json_twin.h"
#include "design/syntax/printer.h"
#include "design/syntax/template_text.h"
#include "design/syntax/text_literal.h"
#include "design/syntax/tree_fields_internal.h"
#include "json/json.h"

namespace trestle::design::syntax {
namespace {

// Deeper than any design that the parser takes, and shallow enough for the stack.
constexpr int kJsonNestingMax = 128;

// The place in the JSON that is being read, outermost first, and how to say it.
class JsonPlace {
 public:
  void Enter(std::string step) { steps_.push_back(std::move(step)); }
  void Leave() { steps_.pop_back(); }
  [[nodiscard]] bool IsTooDeep() const { return steps_.size() > kJsonNestingMax; }
  [[nodiscard]] Error Wrong(std::string_view what) const {
    return ValidationError(
        fmt::format("at {}{}: {}", steps_.empty() ? "the top" : "/", fmt::join(steps_, "/"), what));
  }

 private:
  std::vector<std::string> steps_;
};

template <typename T>
Status ReadInto(json::Value value, JsonPlace& place, T& field);

// The members of one object; the visitor of tree_fields_internal.h. Keeps the first failure.
class ObjectReader {
 public:
  ObjectReader(json::Object object, JsonPlace& place) : object_(object), place_(place) {}

  template <typename T>
  void Must(std::string_view name, T& field) {
    if (Read(name, field) || !status_.ok()) return;
    status_ = place_.Wrong(fmt::format("\"{}\" is missing", name));
  }
  template <typename T>
  void Must(std::string_view name, std::vector<T>& field) {
    NeedAtLeast(1, name, field);
  }
  template <typename T>
  void Several(std::string_view name, std::vector<T>& field) {
    NeedAtLeast(2, name, field);
  }
  template <typename T>
  void May(std::string_view name, T& field) {
    static_cast<void>(Read(name, field));
  }

  // Which alternative it is.
  [[nodiscard]] Result<std::string_view> Kind() {
    std::string_view kind;
    known_.push_back("kind");
    if (object_["kind"].get(kind) != simdjson::SUCCESS) {
      return place_.Wrong("\"kind\" is missing, or no text");
    }
    return kind;
  }

  // Call when all fields have been visited.
  [[nodiscard]] Status Finish() {
    for (const auto member : object_) {
      if (!status_.ok()) break;
      if (std::ranges::find(known_, member.key) != known_.end()) continue;
      const std::string_view near = ClosestWord(member.key, known_);
      status_ =
          place_.Wrong(near.empty() ? fmt::format("\"{}\" is not known here", member.key)
                                    : fmt::format("\"{}\" is not known here; did you mean \"{}\"?",
                                                  member.key, near));
    }
    return status_;
  }

 private:
  template <typename T>
  bool Read(std::string_view name, T& field) {
    known_.push_back(name);
    json::Value value;
    if (object_[name].get(value) != simdjson::SUCCESS) return false;
    if (!status_.ok()) return true;
    place_.Enter(std::string(name));
    status_ = ReadInto(value, place_, field);
    place_.Leave();
    return true;
  }

  template <typename T>
  void NeedAtLeast(std::size_t count, std::string_view name, std::vector<T>& field) {
    const bool is_there = Read(name, field);
    if (!status_.ok() || (is_there && field.size() >= count)) return;
    status_ = place_.Wrong(fmt::format("\"{}\" needs at least {}", name, count));
  }

  json::Object object_;
  JsonPlace& place_;
  std::vector<std::string_view> known_;
  Status status_ = Ok();
};

Result<std::string> ReadString(json::Value value, const JsonPlace& place) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return place.Wrong("expected a text");
  return std::string(text);
}

Result<json::Object> ReadObject(json::Value value, const JsonPlace& place) {
  json::Object object;
  if (value.get(object) != simdjson::SUCCESS) return place.Wrong("expected an object");
  if (place.IsTooDeep()) return place.Wrong("this is nested too deep");
  return object;
}

// One function per kind of field.
class FieldReader {
 public:
  FieldReader(json::Value value, JsonPlace& place) : value_(value), place_(place) {}

  Status Read(std::string& it) {
    it = TRY(ReadString(value_, place_));
    return Ok();
  }
  Status Read(bool& it) {
    if (value_.get(it) != simdjson::SUCCESS) return place_.Wrong("expected true or false");
    return Ok();
  }
  Status Read(Count& it) {
    if (value_.get(it) != simdjson::SUCCESS) return place_.Wrong("expected a whole number");
    return Ok();
  }
  Status Read(Name& it) { return Read(it.text); }
  Status Read(Text& it) { return Read(it.text); }
  Status Read(Number& it) { return Read(it.digits); }
  Status Read(Path& it) {
    std::string text = TRY(ReadString(value_, place_));
    for (std::string_view rest = text;; rest.remove_prefix(it.parts.back().size() + 1)) {
      it.parts.emplace_back(rest.substr(0, rest.find('.')));
      if (it.parts.back().size() == rest.size()) return Ok();
    }
  }
  Status Read(Template& it) {
    const std::string text = TRY(ReadString(value_, place_));
    std::string source;
    AppendTextSource(source, text);
    Diagnostics diagnostics;
    it = ParseTemplate(source, {}, diagnostics);
    return diagnostics.empty() ? Ok() : Status(place_.Wrong(diagnostics.front().message));
  }
  Status Read(Value& it) { return Read(it.is); }
  Status Read(Condition& it) { return Read(it.is); }
  Status Read(Type& it) { return Read(it.is); }
  Status Read(Modifier& it) { return Read(it.is); }
  template <HasWords Enum>
  Status Read(Enum& it) {
    const std::string word = TRY(ReadString(value_, place_));
    const auto found = FromWord<Enum>(word);
    if (!found) {
      return place_.Wrong(
          fmt::format("\"{}\" is none of {}", word, fmt::join(WordsOf(Enum{}), ", ")));
    }
    it = *found;
    return Ok();
  }
  template <typename T>
  Status Read(Box<T>& it) {
    return Read(*it);
  }
  template <typename T>
  Status Read(std::optional<T>& it) {
    return Read(it.emplace());
  }
  template <typename T>
  Status Read(std::vector<T>& it) {
    json::Array array;
    if (value_.get(array) != simdjson::SUCCESS) return place_.Wrong("expected a list");
    for (const json::Value element : array) {
      place_.Enter(std::to_string(it.size()));
      TRY(ReadInto(element, place_, it.emplace_back()));
      place_.Leave();
    }
    return Ok();
  }
  template <typename... Alternatives>
  Status Read(std::variant<Alternatives...>& it) {
    const json::Object object = TRY(ReadObject(value_, place_));
    ObjectReader members(object, place_);
    TRY(ReadContent(members, it));
    return members.Finish();
  }
  template <typename Content>
  Status Read(Statement<Content>& it) {
    const json::Object object = TRY(ReadObject(value_, place_));
    ObjectReader members(object, place_);
    TRY(ReadContent(members, it.content));
    VisitAround(it, members);
    return members.Finish();
  }
  template <typename Node>
  Status Read(Node& it) {
    const json::Object object = TRY(ReadObject(value_, place_));
    ObjectReader members(object, place_);
    VisitFields(it, members);
    return members.Finish();
  }
  Status Read(Design& it) {
    const json::Object object = TRY(ReadObject(value_, place_));
    ObjectReader members(object, place_);
    VisitFields(it.header.content, members);
    VisitAround(it.header, members);
    VisitBody("declarations", it.declarations, members);
    return members.Finish();
  }

 private:
  template <typename... Alternatives>
  Status ReadContent(ObjectReader& members, std::variant<Alternatives...>& it) {
    const std::string_view kind = TRY(members.Kind());
    const bool found = (TryAlternative<Alternatives>(members, kind, it) || ...);
    if (found) return Ok();
    constexpr std::string_view kKinds[] = {kKind<Alternatives>...};
    return place_.Wrong(
        fmt::format("the kind \"{}\" is none of {}", kind, fmt::join(kKinds, ", ")));
  }
  template <typename Node>
  Status ReadContent(ObjectReader& members, Node& it) {
    VisitFields(it, members);
    return Ok();
  }

  template <typename Alternative, typename Variant>
  static bool TryAlternative(ObjectReader& members, std::string_view kind, Variant& it) {
    if (kind != kKind<Alternative>) return false;
    VisitFields(it.template emplace<Alternative>(), members);
    return true;
  }

  json::Value value_;
  JsonPlace& place_;
};

template <typename T>
Status ReadInto(json::Value value, JsonPlace& place, T& field) {
  return FieldReader(value, place).Read(field);
}

ParsedDesign Refused(std::string message) {
  ParsedDesign refused;
  AddError(refused.diagnostics, "S8", {}, std::move(message));
  return refused;
}

}  // namespace

ParsedDesign FromJson(std::string_view json) {
  json::Parser parser;
  const auto document = parser.Parse(json);
  if (!document.ok()) {
    return Refused(fmt::format("this is not JSON: {}", document.error().message()));
  }
  Design design;
  JsonPlace place;
  const Status status = ReadInto(*document, place, design);
  if (!status.ok()) return Refused(status.error().message());

  // Names, numbers and patterns are checked by the one who knows their rules: the parser. A text
  // that reads as something else than the JSON said is refused too, as a name with a line end.
  ParsedDesign parsed = ParseDesign(PrintDesign(design));
  if (!parsed.diagnostics.empty()) {
    const Diagnostic& first = parsed.diagnostics.front();
    return Refused(fmt::format("as text it would have an error at {}:{}: {}", first.position.line,
                               first.position.column, first.message));
  }
  if (ToJson(parsed.design) != ToJson(design)) {
    return Refused(
        "as text it would say something else; look for odd characters in names and "
        "comments, and for empty lines at the beginning of a block");
  }
  return parsed;
}

}  // namespace trestle::design::syntax
