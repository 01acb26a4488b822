#include "design/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace trestle::design {
namespace {

void Add(Diagnostics& diagnostics, Severity severity, std::string_view code, Position position,
         std::string message, std::string suggestion) {
  if (diagnostics.size() >= kDiagnosticsMax) return;
  diagnostics.push_back({.severity = severity,
                         .code = std::string(code),
                         .position = position,
                         .message = std::move(message),
                         .suggestion = std::move(suggestion)});
}

}  // namespace

void AddError(Diagnostics& diagnostics, std::string_view code, Position position,
              std::string message, std::string suggestion) {
  Add(diagnostics, Severity::kError, code, position, std::move(message), std::move(suggestion));
}

void AddWarning(Diagnostics& diagnostics, std::string_view code, Position position,
                std::string message, std::string suggestion) {
  Add(diagnostics, Severity::kWarning, code, position, std::move(message), std::move(suggestion));
}

void SortDiagnostics(Diagnostics& diagnostics) {
  const auto place = [](const Diagnostic& it) {
    return std::tuple(it.position.line, it.position.column, it.code);
  };
  std::ranges::stable_sort(diagnostics, {}, place);
  const auto is_same = [&](const Diagnostic& a, const Diagnostic& b) {
    return place(a) == place(b);
  };
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), is_same),
                    diagnostics.end());
}

bool HasErrors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics,
                             [](const Diagnostic& it) { return it.severity == Severity::kError; });
}

std::string Print(const Diagnostic& diagnostic, std::string_view file) {
  const std::string_view severity = diagnostic.severity == Severity::kError ? "error" : "warning";
  const std::string place =
      diagnostic.position.line == 0
          ? std::string(file)
          : fmt::format("{}:{}:{}", file, diagnostic.position.line, diagnostic.position.column);
  std::string line =
      fmt::format("{}: {} {}: {}", place, severity, diagnostic.code, diagnostic.message);
  if (!diagnostic.suggestion.empty()) line += fmt::format("\n  try: {}", diagnostic.suggestion);
  return line;
}

}  // namespace trestle::design
