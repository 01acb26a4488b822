#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What every stage of the design language says about a design: one sentence, a code, and the place
// in the text. docs/design/diagnostics.md lists the codes.

namespace trestle::design {

// A place in a design's text, counted in characters from 1. 0 is a place that is in no text.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class Severity : std::uint8_t { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // "S1"
  Position position;
  std::string message;  // a plain sentence without its full stop
};

using Diagnostics = std::vector<Diagnostic>;

// Adds an error, unless there are so many that nobody will read it.
void AddError(Diagnostics& diagnostics, std::string_view code, Position position,
              std::string message);
inline constexpr std::size_t kDiagnosticsMax = 1000;

// "books.design:12:7: error S2: expected `)` after the last attribute"
[[nodiscard]] std::string Print(const Diagnostic& diagnostic, std::string_view file);

}  // namespace trestle::design
