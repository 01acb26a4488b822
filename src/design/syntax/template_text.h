#pragma once

#include <string>
#include <string_view>

#include "design/diagnostic.h"
#include "design/syntax/terms.h"

// Key templates: "USER#{userId}", "CHILD#{order:05}#{nodeId}", "item#{Title:fold:esc}".
// {{ and }} stand for braces that are text.

namespace trestle::design::syntax {

// Reads the source between the quotes, whose first character is at `position`. What is wrong in it
// is reported at its own place, with S5; the result then lacks it.
[[nodiscard]] Template ParseTemplate(std::string_view source, Position position,
                                     Diagnostics& diagnostics);

// The template as text, in which placeholders are marked by braces. AppendTextSource makes its
// source.
[[nodiscard]] std::string TemplateText(const Template& key_template);

// "a.b"
[[nodiscard]] std::string PathText(const Path& path);

}  // namespace trestle::design::syntax
