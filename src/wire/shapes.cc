#include "wire/shapes.h"

#include <algorithm>

namespace trestle::wire {
namespace {

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

}  // namespace

bool IsNamePattern(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsNameCharacter);
}

}  // namespace trestle::wire
