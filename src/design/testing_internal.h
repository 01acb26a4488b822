#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/check.h"
#include "design/record.h"
#include "design/syntax/parser.h"
#include "expr/key_condition.h"
#include "expr/testing_internal.h"

// Parts of designs written as text, for the tests of this folder.

namespace trestle::design::testing {

// The first attribute of a design that has only one entity with the lines `members`.
inline syntax::Attribute ParseAttribute(std::string_view line) {
  const std::string text = "design D version 1\nentity E {\n" + std::string(line) + "\n}\n";
  const syntax::ParsedDesign parsed = syntax::ParseDesign(text);
  CHECK(parsed.diagnostics.empty(), "an attribute that can be read");
  const auto& declaration = parsed.design.declarations.statements.front().content;
  const auto& members = std::get<syntax::Entity>(declaration).members.statements;
  return std::get<syntax::Attribute>(members.front().content);
}

inline syntax::Condition ParseCondition(std::string_view text) {
  const syntax::Attribute attribute =
      ParseAttribute("a : string? required_when " + std::string(text));
  return std::get<syntax::RequiredWhenModifier>(attribute.modifiers.front().is).condition;
}

inline syntax::Value ParseValue(std::string_view text) {
  return *ParseAttribute("a : any = " + std::string(text)).default_value;
}

// A KeyConditionExpression as it is written; values are by their placeholder, ":v".
inline expr::KeyCondition KeyConditionOf(std::string_view text,
                                         expr::Placeholders::Entries values) {
  expr::Placeholders placeholders({}, std::move(values));
  auto condition = expr::KeyCondition::Parse(text, placeholders);
  CHECK(condition.ok() && placeholders.CheckAllUsed().ok(), "a key condition that can be read");
  return *std::move(condition);
}

// {a: "abc", n: 5}, as expr/testing_internal.h reads it.
inline Record RecordOf(std::string_view text) { return Record(expr::testing::ItemOf(text).view()); }

}  // namespace trestle::design::testing
