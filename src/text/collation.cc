#include "text/collation.h"

#include <cstdint>
#include <memory>
#include <vector>

#include <unicode/coll.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/ucurr.h>
#include <unicode/unistr.h>

#include "base/check.h"
#include "text/unicode.h"

namespace trestle::text {
namespace {

icu::UnicodeString FromUtf8(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

const icu::Collator& RootCollator() {
  static const std::unique_ptr<const icu::Collator> kCollator = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::Collator> collator(
        icu::Collator::createInstance(icu::Locale::getRoot(), error));
    CHECK(U_SUCCESS(error) != 0, "ICU has no data for collation");
    return collator;
  }();
  return *kCollator;
}

}  // namespace

std::string CollationKey(std::string_view text) {
  const icu::UnicodeString source = FromUtf8(text);
  std::vector<std::uint8_t> key(64);
  auto length =
      RootCollator().getSortKey(source, key.data(), static_cast<std::int32_t>(key.size()));
  if (static_cast<std::size_t>(length) > key.size()) {
    key.resize(static_cast<std::size_t>(length));
    length = RootCollator().getSortKey(source, key.data(), length);
  }
  return {reinterpret_cast<const char*>(key.data()), static_cast<std::size_t>(length)};
}

std::string IndexLetter(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  const char first = trimmed.empty() ? '\0' : trimmed.front();
  if (first >= 'A' && first <= 'Z') return {first};
  if (first >= 'a' && first <= 'z') return {static_cast<char>(first - 'a' + 'A')};
  const icu::UnicodeString folded = FromUtf8(Fold(trimmed));
  if (folded.isEmpty() || u_isalpha(folded.char32At(0)) == 0) return "#";
  icu::UnicodeString letter(folded.char32At(0));
  std::string out;
  letter.toUpper(icu::Locale::getRoot()).toUTF8String(out);
  return out;
}

std::optional<int> CurrencyDigits(std::string_view code) {
  constexpr std::size_t kCodeLetters = 3;
  if (code.size() != kCodeLetters) return std::nullopt;
  for (const char c : code)
    if (c < 'A' || c > 'Z') return std::nullopt;
  icu::UnicodeString text = FromUtf8(code);
  const char16_t* terminated = text.getTerminatedBuffer();
  if (ucurr_getNumericCode(terminated) == 0) return std::nullopt;
  UErrorCode error = U_ZERO_ERROR;
  const int digits = ucurr_getDefaultFractionDigits(terminated, &error);
  if (U_FAILURE(error) != 0) return std::nullopt;
  return digits;
}

}  // namespace trestle::text
