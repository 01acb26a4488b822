#include "text/unicode.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include <unicode/bytestream.h>
#include <unicode/idna.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include "base/check.h"

namespace trestle::text {
namespace {

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string LowerAscii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

icu::UnicodeString FromUtf8(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

std::string ToUtf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

icu::UnicodeString Normalize(const icu::Normalizer2* normalizer, const icu::UnicodeString& text,
                             UErrorCode& error) {
  icu::UnicodeString out = normalizer->normalize(text, error);
  CHECK(U_SUCCESS(error), "ICU has no data for normalization");
  return out;
}

}  // namespace

std::string Lower(std::string_view text) {
  if (IsAscii(text)) return LowerAscii(text);
  return ToUtf8(FromUtf8(text).toLower(icu::Locale::getRoot()));
}

std::string Fold(std::string_view text) {
  if (IsAscii(text)) return LowerAscii(text);
  UErrorCode error = U_ZERO_ERROR;
  icu::UnicodeString folded = FromUtf8(text);
  folded.foldCase();
  const icu::UnicodeString apart =
      Normalize(icu::Normalizer2::getNFKDInstance(error), folded, error);
  icu::UnicodeString bare;
  for (std::int32_t i = 0; i < apart.length(); i = apart.moveIndex32(i, 1)) {
    const UChar32 c = apart.char32At(i);
    if (u_charType(c) != U_NON_SPACING_MARK) bare.append(c);
  }
  return ToUtf8(bare);
}

std::string Nfc(std::string_view text) {
  if (IsAscii(text)) return std::string(text);
  UErrorCode error = U_ZERO_ERROR;
  return ToUtf8(Normalize(icu::Normalizer2::getNFCInstance(error), FromUtf8(text), error));
}

std::string EmailKey(std::string_view email) {
  std::string key = Lower(Nfc(Trim(email)));
  const std::size_t at = key.rfind('@');
  if (at == std::string::npos || IsAscii(std::string_view(key).substr(at))) return key;
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<icu::IDNA> names(
      icu::IDNA::createUTS46Instance(UIDNA_NONTRANSITIONAL_TO_ASCII, error));
  CHECK(U_SUCCESS(error), "ICU has no data for domains");
  std::string domain;
  icu::StringByteSink<std::string> sink(&domain);
  icu::IDNAInfo info;
  names->nameToASCII_UTF8(std::string_view(key).substr(at + 1), sink, info, error);
  // What is no domain stays, for whoever checks addresses.
  if (U_SUCCESS(error) && !info.hasErrors()) key.replace(at + 1, std::string::npos, domain);
  return key;
}

std::string_view Trim(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto length = static_cast<std::int32_t>(text.size());
  std::int32_t start = 0;
  std::int32_t end = length;
  for (std::int32_t next = start; next < length; start = next) {
    UChar32 c = 0;
    U8_NEXT(bytes, next, length, c);
    if (c < 0 || !u_isUWhiteSpace(c)) break;
  }
  for (std::int32_t previous = end; previous > start; end = previous) {
    UChar32 c = 0;
    U8_PREV(bytes, 0, previous, c);
    if (c < 0 || !u_isUWhiteSpace(c)) break;
  }
  return text.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
}

}  // namespace trestle::text
