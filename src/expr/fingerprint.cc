#include "expr/fingerprint.h"

#include "base/bytes.h"

namespace trestle::expr {

void FingerprintWriter::AddNumber(std::uint64_t number) { AppendVarint(bytes_, number); }

void FingerprintWriter::AddBytes(std::string_view bytes) {
  AppendVarint(bytes_, bytes.size());
  bytes_ += bytes;
}

void FingerprintWriter::AddPath(const value::DocumentPath& path) {
  AddNumber(path.elements.size());
  for (const value::PathElement& element : path.elements) {
    AddNumber(element.index());
    if (const auto* name = std::get_if<std::string>(&element)) {
      AddBytes(*name);
    } else {
      AddNumber(std::get<std::size_t>(element));
    }
  }
}

}  // namespace trestle::expr
