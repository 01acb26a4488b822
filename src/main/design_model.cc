#include "main/design_model.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "design/diagnostic.h"
#include "design/resolve.h"
#include "main/files.h"

namespace trestle {

std::unique_ptr<const design::Model> CompileModel(const std::string& file, std::string_view text) {
  design::ResolvedDesign design = design::Compile(text);
  for (const design::Diagnostic& diagnostic : design.diagnostics) {
    if (diagnostic.severity == design::Severity::kError)
      fmt::print(stderr, "{}\n", design::Print(diagnostic, file));
  }
  return std::move(design.model);
}

Result<std::unique_ptr<const design::Model>> ReadModel(const std::string& file) {
  const std::string text = TRY(ReadTextFile(file));
  return CompileModel(file, text);
}

}  // namespace trestle
