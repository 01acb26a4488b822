#pragma once

#include <string>
#include <string_view>

#include "design/diagnostic.h"
#include "design/model.h"
#include "json/json.h"

// A design as the studio's pages see it: every name and template as text, nothing to resolve.

namespace trestle::studio {

void WriteText(std::string_view name, std::string_view text, json::Writer& writer);

// An object: the table, kinds of items, accesses, operations and costs.
void WriteDesign(const design::Model& model, std::string_view table, json::Writer& writer);

// An array.
void WriteDiagnostics(const design::Diagnostics& diagnostics, json::Writer& writer);

}  // namespace trestle::studio
