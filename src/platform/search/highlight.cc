#include "platform/search/highlight.h"

#include <algorithm>
#include <utility>

#include "text/words.h"

namespace trestle::platform::search {
namespace {

constexpr std::size_t kSnippetBytes = 240;
constexpr std::size_t kLeadBytes = 80;     // before the first match
constexpr std::size_t kChunkBytes = 2000;  // read at a time, until there is a match
constexpr std::size_t kReadBytesMax = 40'000;
constexpr std::string_view kLeftOut = "…";

using Range = std::pair<std::size_t, std::size_t>;

bool IsInsideCharacter(std::string_view text, std::size_t at) {
  return at > 0 && at < text.size() && (text[at] & 0xc0) == 0x80;
}

// Where a text is cut near `at`: at a blank when there is one close by, and never inside of a
// character.
std::size_t CutBefore(std::string_view text, std::size_t at) {
  constexpr std::size_t kNear = 24;
  if (at >= text.size()) return text.size();
  const std::size_t blank = text.find_last_of(" \n\t", at);
  if (blank != std::string_view::npos && blank + kNear >= at && blank > 0) return blank;
  while (IsInsideCharacter(text, at))
    --at;
  return at;
}

std::vector<Range> MatchesIn(std::string_view text, std::size_t start, std::size_t end,
                             const std::function<bool(std::string_view)>& is_match) {
  std::vector<Range> ranges;
  for (const text::Word& word : text::Words(text.substr(start, end - start))) {
    if (!is_match(word.term)) continue;
    const Range range(word.start + start, word.end + start);
    if (!ranges.empty() && range.first <= ranges.back().second) {
      ranges.back().second = std::max(ranges.back().second, range.second);
    } else {
      ranges.push_back(range);
    }
  }
  return ranges;
}

// Where the first match of a long text is; its end when there is none.
std::size_t FirstMatch(std::string_view text,
                       const std::function<bool(std::string_view)>& is_match) {
  const std::size_t end = std::min(text.size(), kReadBytesMax);
  for (std::size_t at = 0; at < end;) {
    const std::size_t next = std::max(at + 1, CutBefore(text, at + kChunkBytes));
    const auto matches = MatchesIn(text, at, next, is_match);
    if (!matches.empty()) return matches.front().first;
    at = next;
  }
  return text.size();
}

}  // namespace

std::vector<Segment> HighlightText(std::string_view text,
                                   const std::function<bool(std::string_view)>& is_match) {
  std::size_t start = 0;
  std::size_t end = text.size();
  if (text.size() > kSnippetBytes + kLeadBytes) {
    const std::size_t first = FirstMatch(text, is_match);
    if (first == text.size()) return {};
    start = first > kLeadBytes ? CutBefore(text, first - kLeadBytes) : 0;
    end = std::max(first, CutBefore(text, start + kSnippetBytes));
  }
  const std::vector<Range> matches = MatchesIn(text, start, end, is_match);
  if (matches.empty()) return {};
  std::vector<Segment> segments;
  segments.reserve(matches.size() * 2 + 1);
  std::string before(start > 0 ? kLeftOut : "");
  std::size_t at = start;
  for (const Range& match : matches) {
    before += text.substr(at, match.first - at);
    if (!before.empty()) segments.push_back({.text = std::exchange(before, {})});
    segments.push_back({.text = std::string(text.substr(match.first, match.second - match.first)),
                        .is_match = true});
    at = match.second;
  }
  before += text.substr(at, end - at);
  if (end < text.size()) before += kLeftOut;
  if (!before.empty()) segments.push_back({.text = before});
  return segments;
}

}  // namespace trestle::platform::search
