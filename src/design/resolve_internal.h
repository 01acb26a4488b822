#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/diagnostic.h"
#include "design/model.h"
#include "design/syntax/tree.h"

// The stages of resolve.h, in the order in which it runs them. Each reports what has no meaning and
// goes on without it.
//
// Codes: N1 an unknown name, N2 a second declaration, N3 a name or a word that cannot be used so,
// N4 something that is missing, N5 a value that does not fit its type. K1 is N1 for placeholders.

namespace trestle::design {

// What the stages share. Entities, mirrors, accesses and operations are in the model from the
// first stage on, by name only, in the order of the text; each stage fills in its part.
struct Resolving {
  const syntax::Design& tree;
  Model& model;
  Diagnostics& diagnostics;

  std::map<std::string, const syntax::Shape*, std::less<>> shapes;
  std::map<std::string, const syntax::Group*, std::less<>> groups;
};

// The names that a text may use.
struct Scope {
  // Whose attributes they may be: any one's.
  std::vector<const Entity*> entities;
  std::span<const Parameter> parameters;
  // Of the place, for sentences: "Book", "listBooks".
  std::string_view name;

  [[nodiscard]] const Attribute* FindAttribute(const Path& path) const;
  [[nodiscard]] const Parameter* FindParameter(std::string_view parameter) const;
};

// What every stage uses (resolve_names.cc).

// "; did you mean `x`?" or nothing.
[[nodiscard]] std::string DidYouMean(std::string_view word,
                                     const std::vector<std::string>& candidates);
// An unknown name: `what` is "an attribute of Book".
void AddUnknown(Diagnostics& diagnostics, std::string_view code, Position position,
                std::string_view word, std::string_view what,
                const std::vector<std::string>& candidates);
// The attribute, reported when there is none.
const Attribute* ResolveAttribute(const Resolving& in, const Scope& scope, const Path& path);
const Attribute* ResolveAttribute(const Resolving& in, const Scope& scope,
                                  const syntax::Name& name);
// The parameter, reported when there is none.
const Parameter* ResolveParameter(const Resolving& in, const Scope& scope,
                                  const syntax::Name& name);
// Names of attributes, without those that there are none of.
[[nodiscard]] std::vector<std::string> ResolveAttributes(const Resolving& in, const Scope& scope,
                                                         std::span<const syntax::Name> names);
// Names of entities, mirrors and groups, groups spread.
void ResolveKinds(const Resolving& in, const syntax::Name& name, std::vector<KindReference>& out);
// One entity, or those of a group.
[[nodiscard]] std::vector<const Entity*> ResolveEntities(const Resolving& in,
                                                         const syntax::Name& name);
const Access* ResolveAccess(const Resolving& in, const syntax::Name& name);
// Reports names and values in a condition that mean nothing.
void ResolveCondition(const Resolving& in, const Scope& scope, const Condition& condition);
// Likewise a value; `type` is what it must be, or null.
void ResolveValue(const Resolving& in, const Scope& scope, const syntax::Value& value,
                  const ValueType* type);
// Reports placeholders that are no attributes.
void CheckTemplate(const Resolving& in, const Scope& scope, const KeyTemplate& key_template);
// A template of attributes.
[[nodiscard]] KeyTemplate ResolveTemplate(const Resolving& in, const Scope& scope,
                                          const syntax::Template& source);
// "{attribute}"
[[nodiscard]] KeyTemplate TemplateOf(const Resolving& in, std::string_view attribute,
                                     Position position);
// The statements of one kind among all declarations.
template <typename Content>
[[nodiscard]] std::vector<const syntax::Statement<syntax::Declaration>*> StatementsOf(
    const syntax::Design& tree) {
  std::vector<const syntax::Statement<syntax::Declaration>*> found;
  for (const auto& statement : tree.declarations.statements) {
    if (std::holds_alternative<Content>(statement.content)) found.push_back(&statement);
  }
  return found;
}

// Types (resolve_types.cc).
[[nodiscard]] ValueType ResolveType(const Resolving& in, const syntax::Type& type);
[[nodiscard]] Attribute ResolveAttributeDeclaration(const Resolving& in,
                                                    const syntax::Attribute& attribute,
                                                    Position position);
// Reports what its conditions, values and templates name wrongly, when all attributes are known.
void CheckAttributeTerms(const Resolving& in, const Scope& scope, const Attribute& attribute);

// The stages.
// False when there is no table.
bool ResolveTable(const Resolving& in);             // resolve_table.cc
void ResolveEntityAttributes(const Resolving& in);  // resolve_entity.cc
void AddAverageParts(const Resolving& in);          // resolve_relation.cc
void ResolveMirrors(const Resolving& in);           // resolve_keys.cc
void ResolveEntityKeys(const Resolving& in);        // resolve_keys.cc
void ResolveEntityMembers(const Resolving& in);     // resolve_entity.cc
void ResolveRelations(const Resolving& in);         // resolve_relation.cc
void ResolveAccesses(const Resolving& in);          // resolve_access.cc
void ResolveOperations(const Resolving& in);        // resolve_operation.cc
void ResolveLoad(const Resolving& in);              // resolve_load.cc

// The members of an entity: those of its shapes, then its own.
[[nodiscard]] std::vector<const syntax::Statement<syntax::EntityMember>*> MembersOf(
    const Resolving& in, const syntax::Entity& entity);
// The entities of the tree in the order of Model::entities; a name that is declared twice is there
// once.
[[nodiscard]] std::vector<const syntax::Entity*> EntitiesOf(const Resolving& in);

}  // namespace trestle::design
