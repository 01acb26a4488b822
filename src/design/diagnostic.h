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
  std::string message;     // a plain sentence without its full stop
  std::string suggestion;  // an edit that cures it; empty: none
};

using Diagnostics = std::vector<Diagnostic>;

// Adds an error, unless there are so many that nobody will read it.
void AddError(Diagnostics& diagnostics, std::string_view code, Position position,
              std::string message, std::string suggestion = {});
void AddWarning(Diagnostics& diagnostics, std::string_view code, Position position,
                std::string message, std::string suggestion = {});
inline constexpr std::size_t kDiagnosticsMax = 1000;

// In the order of the text; what is said twice of one place is kept once.
void SortDiagnostics(Diagnostics& diagnostics);

[[nodiscard]] bool HasErrors(const Diagnostics& diagnostics);

// "books.design:12:7: error S2: expected `)` after the last attribute", and the suggestion, if
// there is one, as a second line: "  try: ..."
[[nodiscard]] std::string Print(const Diagnostic& diagnostic, std::string_view file);

}  // namespace trestle::design
