// Any bytes, parsed as the text of a design and as its JSON twin: nothing fails but with a
// diagnostic, and what is accepted survives being printed and being written as JSON. What parses is
// also given its meaning, checked for both kinds of back ends, and its costs counted.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "design/cost.h"
#include "design/resolve.h"
#include "design/syntax/json_twin.h"
#include "design/syntax/parser.h"
#include "design/syntax/printer.h"

namespace {

using trestle::design::syntax::ParsedDesign;

void CheckRoundTrip(const ParsedDesign& parsed) {
  const std::string text = PrintDesign(parsed.design);
  const ParsedDesign again = trestle::design::syntax::ParseDesign(text);
  CHECK(again.diagnostics.empty(), "a canonical text is a design");
  CHECK(PrintDesign(again.design) == text, "a canonical text stays as it is");
  CHECK(ToJson(again.design) == ToJson(parsed.design), "printing loses nothing");
}

void CheckMeaning(std::string_view text) {
  using trestle::design::Target;
  const auto compiled = trestle::design::Compile(text, Target::kAlternator);
  CHECK((compiled.model == nullptr) == HasErrors(compiled.diagnostics), "an error says why");
  if (compiled.model != nullptr) (void)PrintCosts(Costs(*compiled.model));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParsedDesign parsed = trestle::design::syntax::ParseDesign(text);
  if (parsed.diagnostics.empty()) {
    CheckRoundTrip(parsed);
    CheckMeaning(text);
  }
  const ParsedDesign twin = trestle::design::syntax::FromJson(text);
  if (twin.diagnostics.empty()) CheckRoundTrip(twin);
  return 0;
}
