#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "value/document_path.h"

namespace trestle::expr {

// Writes parts one after another so that different parts give different bytes: each says how long
// it is.
class FingerprintWriter {
 public:
  void AddNumber(std::uint64_t number);
  void AddBytes(std::string_view bytes);
  void AddPath(const value::DocumentPath& path);

  [[nodiscard]] std::string Finish() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace trestle::expr
