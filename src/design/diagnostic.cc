#include "design/diagnostic.h"

#include <utility>

#include <fmt/format.h>

namespace trestle::design {

void AddError(Diagnostics& diagnostics, std::string_view code, Position position,
              std::string message) {
  if (diagnostics.size() >= kDiagnosticsMax) return;
  diagnostics.push_back({.severity = Severity::kError,
                         .code = std::string(code),
                         .position = position,
                         .message = std::move(message)});
}

std::string Print(const Diagnostic& diagnostic, std::string_view file) {
  const std::string_view severity = diagnostic.severity == Severity::kError ? "error" : "warning";
  const std::string place =
      diagnostic.position.line == 0
          ? std::string(file)
          : fmt::format("{}:{}:{}", file, diagnostic.position.line, diagnostic.position.column);
  return fmt::format("{}: {} {}: {}", place, severity, diagnostic.code, diagnostic.message);
}

}  // namespace trestle::design
