#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// What a story may say of itself. Pure.

namespace trestle::apps::stories {

inline constexpr std::string_view kAdult = "ADULT_18_PLUS";
inline constexpr std::string_view kRatings[] = {"G", "PG", "PG_13", "M", kAdult};
inline constexpr std::string_view kGenres[] = {
    "Adventure", "Comedy",          "Crime",         "Drama",   "Fairy Tale", "Fantasy",
    "Folklore",  "Gothic",          "History",       "Horror",  "Mystery",    "Romance",
    "Satire",    "Science Fiction", "Slice of Life", "Thriller"};
inline constexpr std::string_view kWarnings[] = {
    "Abuse",          "Death",           "Gore",          "Self-Harm",
    "Sexual Content", "Strong Language", "Substance Use", "Violence"};
inline constexpr std::size_t kCustomWarningsMax = 3;
inline constexpr std::size_t kCustomWarningCharactersMax = 60;
inline constexpr std::size_t kContentCharactersMin = 500;
inline constexpr std::int64_t kChildrenMax = 200;
inline constexpr std::int64_t kDepthMax = 1000;
inline constexpr std::int64_t kCommentDepthMax = 5;
// 0 for G up to 4. 0 too for a word that others have written.
[[nodiscard]] std::size_t RatingRank(std::string_view rating);

// What is wrong, field by field.
struct Labels {
  std::string genre;
  std::vector<std::string> genres;
  std::vector<std::string> warnings;
};
[[nodiscard]] std::vector<FieldFailure> CheckLabels(const Labels& labels);
[[nodiscard]] std::vector<FieldFailure> CheckWarnings(std::span<const std::string> warnings,
                                                      std::string_view field);

// Of UTF-8.
[[nodiscard]] std::size_t CharacterCount(std::string_view text);

// Whether a sequence of a stream is behind another one. They are decimal numbers of any length.
[[nodiscard]] bool IsLaterSequence(std::string_view sequence, std::string_view than);

}  // namespace trestle::apps::stories
