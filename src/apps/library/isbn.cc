#include "apps/library/isbn.h"

namespace trestle::apps::library {
namespace {

constexpr std::size_t kOldDigits = 10;
constexpr std::size_t kDigits = 13;

// X is ten, and only as the last one of an old number.
bool IsSumRight(std::string_view digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = digits[i] == 'X' ? 10 : digits[i] - '0';
    const int weight =
        digits.size() == kOldDigits ? static_cast<int>(kOldDigits - i) : (i % 2 == 0 ? 1 : 3);
    sum += digit * weight;
  }
  return sum % (digits.size() == kOldDigits ? 11 : 10) == 0;
}

}  // namespace

std::optional<std::string> NormalisedIsbn(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c == '-' || c == ' ') continue;
    const bool is_ten = (c == 'X' || c == 'x') && digits.size() == kOldDigits - 1;
    if (!is_ten && (c < '0' || c > '9')) return std::nullopt;
    digits.push_back(is_ten ? 'X' : c);
  }
  if (digits.size() != kOldDigits && digits.size() != kDigits) return std::nullopt;
  if (digits.size() == kDigits && digits.find('X') != std::string::npos) return std::nullopt;
  if (!IsSumRight(digits)) return std::nullopt;
  return digits;
}

}  // namespace trestle::apps::library
