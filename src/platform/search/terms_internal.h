#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/search/document.h"

// How a document lies in the full-text index.
//
// SQLite's index knows tokens only, and each of them says whose it is: a word of a document stands
// in it once for every partition, which is a number for one of the words of Document::visible_to.
// A query asks for the tokens of the caller's partitions, so that nothing else is ever read, and
// how often a word occurs in a partition is known too.
//
//   word    := partition '_' term          12_etranger
//   marks   := partition '-'               every document of the partition has it
//            | partition '-' hash          a type or a facet; 16 hexadecimal digits

namespace trestle::platform::search {

inline constexpr std::size_t kRanks = 4;             // of FieldRank: a column each
inline constexpr std::size_t kColumns = kRanks + 1;  // and the marks

struct DocumentTerms {
  std::array<std::vector<std::string>, kRanks> words;
  std::vector<std::string> distinct;  // of all words, sorted
  std::vector<std::string> marks;     // hashes, sorted
  std::size_t length = 0;             // in words
};
[[nodiscard]] DocumentTerms TermsOf(const Document& document);

// The columns of the index's row.
[[nodiscard]] std::array<std::string, kColumns> ColumnsOf(const DocumentTerms& terms,
                                                          std::span<const std::int64_t> partitions);

[[nodiscard]] std::string WordToken(std::int64_t partition, std::string_view term);
[[nodiscard]] std::string MarkToken(std::int64_t partition, std::string_view mark);
[[nodiscard]] std::string TypeMark(std::string_view type);
[[nodiscard]] std::string FacetMark(const Facet& facet);

// A document as one blob, without its id. Nothing when the bytes are not one.
[[nodiscard]] std::string EncodeDocument(const Document& document);
[[nodiscard]] std::optional<Document> DecodeDocument(std::string_view bytes);

}  // namespace trestle::platform::search
