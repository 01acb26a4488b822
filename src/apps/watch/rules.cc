#include "apps/watch/rules.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "design/time_text.h"
#include "text/unicode.h"

namespace trestle::apps::watch {
namespace {

constexpr std::size_t kUsernameMin = 3;
constexpr std::size_t kUsernameMax = 30;
constexpr int kTokenBase = 36;

// Where the character at `place` ends.
std::size_t CharacterEnd(std::string_view text, std::size_t place) {
  ++place;
  while (place < text.size() && (static_cast<unsigned char>(text[place]) & 0xC0U) == 0x80U)
    ++place;
  return place;
}

std::string Shortened(std::string_view text, std::size_t characters_max, std::size_t& characters) {
  std::size_t end = 0;
  for (characters = 0; characters < characters_max && end < text.size(); ++characters)
    end = CharacterEnd(text, end);
  return std::string(text::Trim(text.substr(0, end)));
}

std::vector<std::string> Unique(std::vector<std::string> texts) {
  std::set<std::string> seen;
  std::erase_if(texts, [&](const std::string& text) {
    return !text.empty() && !seen.insert(text::Fold(text)).second;
  });
  return texts;
}

}  // namespace

std::vector<std::string> NormalisedTags(std::span<const std::string> tags) {
  std::vector<std::string> normalised;
  normalised.reserve(tags.size());
  for (const std::string& tag : tags)
    normalised.push_back(text::Nfc(text::Lower(text::Trim(tag))));
  return Unique(std::move(normalised));
}

std::vector<std::string> NormalisedNames(std::span<const std::string> names) {
  std::vector<std::string> normalised;
  normalised.reserve(names.size());
  for (const std::string& name : names)
    normalised.push_back(text::Nfc(text::Trim(name)));
  return Unique(std::move(normalised));
}

std::string UsernameOf(const KnownNames& known) {
  std::string_view best = text::Trim(known.name);
  if (best.empty()) best = known.email.substr(0, known.email.find('@'));
  std::size_t characters = 0;
  std::string username = Shortened(text::Nfc(best), kUsernameMax, characters);
  if (characters < kUsernameMin) username = fmt::format("user {}", username);
  return std::string(text::Trim(username));
}

std::string TokenOf(const CommentName& comment) {
  const std::int64_t time = design::ParseTimestamp(comment.created_at).value_or(0);
  char digits[16];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), time, kTokenBase);
  return fmt::format("{}_{}", std::string_view(digits, end), comment.user_id);
}

std::optional<CommentName> ReadToken(std::string_view token) {
  const std::size_t line = token.find('_');
  if (line == 0 || line == std::string_view::npos || line + 1 == token.size()) return std::nullopt;
  std::int64_t time = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + line, time, kTokenBase);
  constexpr std::int64_t kTimeMax = 253'402'300'799'999;  // the end of the year 9999
  if (error != std::errc() || end != token.data() + line || time < 0 || time > kTimeMax) {
    return std::nullopt;
  }
  return CommentName{
      .created_at = design::TimestampText(time, design::syntax::Precision::kMilliseconds),
      .user_id = std::string(token.substr(line + 1))};
}

std::int64_t QuarterOf(std::int64_t unix_ms) {
  constexpr std::int64_t kQuarterMs = 15LL * 60 * 1000;
  return unix_ms - unix_ms % kQuarterMs;
}

}  // namespace trestle::apps::watch
