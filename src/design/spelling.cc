#include "design/spelling.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace trestle::design {
namespace {

constexpr std::size_t kWordLengthMax = 40;  // longer ones are not compared

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// How many letters must be added, removed, changed or swapped with a neighbour.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t changed = Lower(a[i - 1]) == Lower(b[j - 1]) ? 0 : 1;
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
          Lower(a[i - 2]) == Lower(b[j - 1])) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string_view ClosestWord(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view closest;
  std::size_t smallest = word.size() / 3 + (word.size() > 1 ? 1 : 0);
  if (word.size() > kWordLengthMax) return closest;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kWordLengthMax) continue;
    const std::size_t distance = Distance(word, candidate);
    if (distance < smallest) {
      smallest = distance;
      closest = candidate;
    }
  }
  return closest;
}

}  // namespace trestle::design
