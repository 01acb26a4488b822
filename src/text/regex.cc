#include "text/regex.h"

#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unicode/regex.h>
#include <unicode/utext.h>

namespace trestle::text {
namespace {

// In ICU's steps, of about a millisecond each: what a person writes into a form needs none.
constexpr std::int32_t kTimeLimit = 100;

// ICU's `$` also stands before a line end at the end; `\z` does not.
std::string WithStrictEnd(std::string_view pattern) {
  std::string out;
  bool is_in_set = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      out += c;
      out += pattern[++i];
      continue;
    }
    if (c == '[') is_in_set = true;
    if (c == ']') is_in_set = false;
    if (c == '$' && !is_in_set) {
      out += "\\z";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

struct Regex::Program {
  std::unique_ptr<const icu::RegexPattern> pattern;
};

Result<Regex> Regex::Parse(std::string_view pattern) {
  UErrorCode error = U_ZERO_ERROR;
  UParseError place{};
  std::unique_ptr<const icu::RegexPattern> compiled(icu::RegexPattern::compile(
      icu::UnicodeString::fromUTF8(WithStrictEnd(pattern)), 0, place, error));
  if (U_FAILURE(error)) {
    return ValidationError(fmt::format("the regular expression {} cannot be read", pattern));
  }
  return Regex(std::make_shared<const Program>(Program{std::move(compiled)}));
}

bool Regex::Finds(std::string_view text) const {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<icu::RegexMatcher> matcher(program_->pattern->matcher(error));
  UText input = UTEXT_INITIALIZER;
  utext_openUTF8(&input, text.data(), static_cast<std::int64_t>(text.size()), &error);
  if (U_FAILURE(error)) return false;
  matcher->setTimeLimit(kTimeLimit, error);
  matcher->reset(&input);
  const bool is_found = matcher->find(error) != 0;
  utext_close(&input);
  return is_found && U_SUCCESS(error);
}

}  // namespace trestle::text
