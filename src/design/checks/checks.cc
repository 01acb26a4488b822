#include "design/checks/checks.h"

#include <fmt/format.h>

#include "design/checks/checks_internal.h"

namespace trestle::design {
namespace {

// All of them are compared with each other.
constexpr std::size_t kFormsMax = 1000;

}  // namespace

void Check(const syntax::Design& tree, const Model& model, Target target,
           Diagnostics& diagnostics) {
  const std::deque<StoredForm> forms = StoredForms(model);
  if (forms.size() > kFormsMax) {
    AddError(diagnostics, "S7", tree.header.position,
             fmt::format("a design has at most {} keys and index keys", kFormsMax));
    return;
  }
  Diagnostics found;
  const Checking in{.model = model, .forms = forms, .diagnostics = found};
  CheckKeyParts(in);
  CheckKeyOrder(in);
  CheckKeyShapes(in);
  CheckAccess(in);
  CheckRelations(in);
  CheckHeat(in);
  if (target == Target::kAlternator) CheckBackend(in);
  SortDiagnostics(found);
  Accept(tree, diagnostics, found);
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  SortDiagnostics(diagnostics);
}

}  // namespace trestle::design
