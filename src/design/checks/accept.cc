#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "design/checks/checks_internal.h"

// "// accepts H1, K9: the reason", which takes warnings away from the statement that it stands at.

namespace trestle::design {
namespace {

constexpr std::string_view kWord = "accepts ";

struct Acceptance {
  Position position;  // of its statement
  std::string code;
  bool has_reason = false;
  bool is_used = false;
};

std::pair<std::uint32_t, std::uint32_t> Place(Position position) {
  return {position.line, position.column};
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

// Every statement of a tree, with what it accepts.
class Collector {
 public:
  std::vector<Acceptance> acceptances;
  std::vector<Position> statements;

  template <typename Content>
  void Add(const syntax::Block<Content>& block) {
    for (const syntax::Statement<Content>& statement : block.statements) {
      statements.push_back(statement.position);
      for (const syntax::Comment& comment : statement.comments)
        AddComment(statement.position, comment.text);
      AddComment(statement.position, statement.comment);
      Inside(statement.content);
    }
  }

 private:
  void AddComment(Position position, std::string_view comment) {
    comment = Trim(comment);
    if (!comment.starts_with(kWord)) return;
    comment.remove_prefix(kWord.size());
    const std::size_t colon = comment.find(':');
    const bool has_reason = colon != comment.npos && !Trim(comment.substr(colon + 1)).empty();
    std::string_view codes = comment.substr(0, colon);
    while (!codes.empty()) {
      const std::size_t comma = std::min(codes.find(','), codes.size());
      acceptances.push_back({.position = position,
                             .code = std::string(Trim(codes.substr(0, comma))),
                             .has_reason = has_reason});
      codes.remove_prefix(std::min(comma + 1, codes.size()));
    }
  }

  template <typename... Contents>
  void Inside(const std::variant<Contents...>& content) {
    std::visit([&](const auto& it) { Inside(it); }, content);
  }
  void Inside(const syntax::Table& table) { Add(table.settings); }
  void Inside(const syntax::Entity& entity) { Add(entity.members); }
  void Inside(const syntax::Shape& shape) { Add(shape.members); }
  void Inside(const syntax::Mirror& mirror) { Add(mirror.members); }
  void Inside(const syntax::BelongsTo& relation) { Add(relation.rules); }
  void Inside(const syntax::Operation& operation) { Add(operation.steps); }
  void Inside(const syntax::Load& load) { Add(load.assumptions); }
  void Inside(const syntax::Attribute& attribute) { Inside(attribute.type); }
  void Inside(const syntax::Type& type) {
    if (const auto* map = std::get_if<syntax::MapType>(&type.is)) Add(map->attributes);
    if (const auto* list = std::get_if<syntax::ListType>(&type.is)) Inside(*list->element);
  }
  template <typename Other>
  void Inside(const Other&) {}
};

// The statement that a place is in: the last one that begins before it.
Position StatementAt(const std::vector<Position>& statements, Position position) {
  Position found;
  for (const Position& statement : statements) {
    if (Place(statement) <= Place(position) && Place(statement) > Place(found)) found = statement;
  }
  return found;
}

}  // namespace

void Accept(const syntax::Design& tree, const Diagnostics& names, Diagnostics& diagnostics) {
  Collector collector;
  collector.Add(tree.declarations);
  std::set<std::pair<std::uint32_t, std::uint32_t>> meaningless;
  for (const Diagnostic& name : names)
    meaningless.insert(Place(StatementAt(collector.statements, name.position)));
  const auto follows = [&](const Diagnostic& diagnostic) {
    return meaningless.contains(Place(StatementAt(collector.statements, diagnostic.position)));
  };
  std::erase_if(diagnostics, follows);
  const auto is_accepted = [&](const Diagnostic& diagnostic) {
    if (diagnostic.severity == Severity::kError) return false;
    const Position statement = StatementAt(collector.statements, diagnostic.position);
    bool is_found = false;
    for (Acceptance& acceptance : collector.acceptances) {
      if (acceptance.code != diagnostic.code || Place(acceptance.position) != Place(statement))
        continue;
      acceptance.is_used = true;
      is_found = true;
    }
    return is_found;
  };
  std::erase_if(diagnostics, is_accepted);
  for (const Acceptance& acceptance : collector.acceptances) {
    if (!acceptance.has_reason) {
      AddWarning(diagnostics, "N6", acceptance.position,
                 fmt::format("`accepts {}` has no reason", acceptance.code),
                 fmt::format("// accepts {}: ...", acceptance.code));
    } else if (!acceptance.is_used && !acceptance.code.starts_with('B') &&
               !meaningless.contains(Place(acceptance.position))) {
      AddWarning(diagnostics, "N6", acceptance.position,
                 fmt::format("`accepts {}` accepts nothing here", acceptance.code),
                 "remove the comment");
    }
  }
}

}  // namespace trestle::design
