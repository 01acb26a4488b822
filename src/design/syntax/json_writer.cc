#include <concepts>
#include <optional>
#include <variant>
#include <vector>

#include "design/syntax/json_twin.h"
#include "design/syntax/template_text.h"
#include "design/syntax/tree_fields_internal.h"
#include "json/json.h"

namespace trestle::design::syntax {
namespace {

template <typename T>
bool IsEmpty(const std::optional<T>& it) {
  return !it.has_value();
}
template <typename T>
bool IsEmpty(const std::vector<T>& it) {
  return it.empty();
}
bool IsEmpty(const std::string& it) { return it.empty(); }
bool IsEmpty(const bool& it) { return !it; }

// Writes each kind of field; the visitor of tree_fields_internal.h.
class TwinWriter {
 public:
  explicit TwinWriter(std::string& out) : json_(out) {}

  template <typename T>
  void Must(std::string_view name, const T& field) {
    json_.Key(name);
    Write(field);
  }
  template <typename T>
  void Several(std::string_view name, const T& field) {
    Must(name, field);
  }
  template <typename T>
  void May(std::string_view name, const T& field) {
    if (!IsEmpty(field)) Must(name, field);
  }

  void WriteFile(const Design& design) {
    json_.BeginObject();
    VisitFields(design.header.content, *this);
    VisitAround(design.header, *this);
    VisitBody("declarations", design.declarations, *this);
    json_.EndObject();
  }

 private:
  void Write(const std::string& it) { json_.String(it); }
  void Write(const bool& it) { json_.Bool(it); }
  void Write(const Count& it) { json_.Integer(it); }
  void Write(const Name& it) { json_.String(it.text); }
  void Write(const Path& it) { json_.String(PathText(it)); }
  void Write(const Text& it) { json_.String(it.text); }
  void Write(const Number& it) { json_.String(it.digits); }
  void Write(const Template& it) { json_.String(TemplateText(it)); }
  void Write(const Value& it) { Write(it.is); }
  void Write(const Condition& it) { Write(it.is); }
  void Write(const Type& it) { Write(it.is); }
  void Write(const Modifier& it) { Write(it.is); }
  template <HasWords Enum>
  void Write(const Enum& it) {
    json_.String(WordOf(it));
  }
  template <typename T>
  void Write(const Box<T>& it) {
    Write(*it);
  }
  template <typename T>
  void Write(const std::optional<T>& it) {
    Write(*it);
  }
  template <typename T>
  void Write(const std::vector<T>& it) {
    json_.BeginArray();
    for (const T& element : it)
      Write(element);
    json_.EndArray();
  }
  template <typename... Alternatives>
  void Write(const std::variant<Alternatives...>& it) {
    json_.BeginObject();
    WriteContent(it);
    json_.EndObject();
  }
  template <typename Content>
  void Write(const Statement<Content>& it) {
    json_.BeginObject();
    WriteContent(it.content);
    VisitAround(it, *this);
    json_.EndObject();
  }
  template <typename Node>
  void Write(const Node& it) {
    json_.BeginObject();
    VisitFields(it, *this);
    json_.EndObject();
  }

  template <typename... Alternatives>
  void WriteContent(const std::variant<Alternatives...>& it) {
    std::visit(
        [&](const auto& alternative) {
          json_.Key("kind");
          json_.String(kKind<std::remove_cvref_t<decltype(alternative)>>);
          VisitFields(alternative, *this);
        },
        it);
  }
  template <typename Node>
  void WriteContent(const Node& it) {
    VisitFields(it, *this);
  }

  json::Writer json_;
};

}  // namespace

std::string ToJson(const Design& design) {
  std::string out;
  TwinWriter(out).WriteFile(design);
  return out;
}

}  // namespace trestle::design::syntax
