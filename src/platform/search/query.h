#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/search/document.h"

namespace trestle::platform::search {

// Of a text that somebody types, what is behind these is not looked at.
inline constexpr std::size_t kQueryBytesMax = 1000;
inline constexpr std::size_t kQueryTermsMax = 12;
// Of the words that say what a caller may see.
inline constexpr std::size_t kVisibleMax = 500;

struct Query {
  // Words in any case, accented or not, with typos; the last one may be unfinished. Nothing in it
  // has a special meaning. Empty: everything that the rest of the query allows.
  std::string text;
  // Only documents that have one of these in Document::visible_to are found, ranked and counted,
  // and only their words are suggested.
  std::vector<std::string> may_see;
  std::vector<std::string> types;  // one of them; none: all
  std::vector<Facet> facets;       // all of them
  // One of IndexOptions::orders, largest value first; empty: best match first.
  std::string order;
  std::uint32_t limit = 20;
  std::string position;  // Hits::next of the page before; empty: the first page
};

// A part of a field's text, plain: whoever shows it escapes it.
struct Segment {
  std::string text;
  bool is_match = false;

  friend bool operator==(const Segment&, const Segment&) = default;
};

struct Highlight {
  std::string field;
  std::vector<Segment> segments;  // all of a short text, what is around the first match of a long
};

struct Hit {
  std::string id;
  std::string type;
  std::string payload;
  double score = 0;  // 0 when the query has no words; compare within one answer only
  std::vector<Highlight> highlights;
};

struct Hits {
  std::vector<Hit> items;
  std::string next;  // a position behind the last one, to be sealed; empty: no more
  std::uint64_t total = 0;
  // False when there are more than were looked at: of words that are nearly everywhere, only the
  // documents that came last are ranked.
  bool is_total_exact = true;
  // No document had all words; these have some.
  bool is_any_word = false;
  // The text with words that are there in place of those that are not.
  std::optional<std::string> did_you_mean;
};

}  // namespace trestle::platform::search
