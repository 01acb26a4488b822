#include "apps/library/isbn.h"

namespace trestle::apps::library {
namespace {

constexpr std::size_t kOldDigits = 10;
constexpr std::size_t kDigits = 13;
constexpr std::size_t kShortDigits = 8;

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

// Counted from the right, every second digit three times.
int EanSum(std::string_view digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i)
    sum += (digits[i] - '0') * ((digits.size() - i) % 2 == 1 ? 1 : 3);
  return sum;
}

}  // namespace

std::string IsbnWith13(const std::string& isbn) {
  if (isbn.size() == kDigits) return isbn;
  std::string digits = "978" + isbn.substr(0, kOldDigits - 1) + "0";
  digits.back() = static_cast<char>('0' + (10 - EanSum(digits) % 10) % 10);
  return digits;
}

std::optional<std::string> NormalisedEan(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c == '-' || c == ' ') continue;
    if (c < '0' || c > '9') return std::nullopt;
    digits.push_back(c);
  }
  if (digits.size() == kDigits - 1) digits.insert(digits.begin(), '0');
  if (digits.size() != kDigits && digits.size() != kShortDigits) return std::nullopt;
  if (EanSum(digits) % 10 != 0) return std::nullopt;
  return digits;
}

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
