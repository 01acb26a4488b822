#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/placeholders.h"

namespace trestle::expr {

enum class KeyOperator {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kNotIndexable,  // one that KeyConditions can say and no key understands; has no value
};

// One comparison of a key attribute with one constant, or two for kBetween.
struct KeyTerm {
  std::string attribute;
  KeyOperator op;
  std::string value;   // encoded
  std::string second;  // encoded; kBetween only
};

// A KeyConditionExpression: comparisons joined by AND. What the schema says of the attributes
// is checked by the engine, which knows the schema.
struct KeyCondition {
  std::vector<KeyTerm> terms;

  // Fails on syntax and on what a key condition cannot contain (OR, NOT, IN, <>, other functions,
  // nested paths, the same attribute twice where that is refused without the schema).
  [[nodiscard]] static Result<KeyCondition> Parse(std::string_view text,
                                                  Placeholders& placeholders);
};

}  // namespace trestle::expr
