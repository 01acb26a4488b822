#pragma once

#include <cstdint>

#include "design/diagnostic.h"
#include "design/model.h"
#include "design/syntax/tree.h"

// What a design that means something may still get wrong. An error is what will not work, a warning
// what will hurt; docs/design/diagnostics.md lists them. One file per letter of the codes.

namespace trestle::design {

// The back end that a design is checked for.
enum class Target : std::uint8_t { kDynamoDb, kAlternator };

// Adds what the checks say of a design, without what its comments accept. The model need not be
// whole: what is wrong with its names is in `diagnostics` already. A comment
//
//   // accepts H1: at most 5 writes a second
//
// on the line before a statement or at its end takes the warnings with that code away from the
// statement. An accept that takes nothing away is reported itself, with N6.
void Check(const syntax::Design& tree, const Model& model, Target target, Diagnostics& diagnostics);

}  // namespace trestle::design
