#include "apps/stories/rules.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace trestle::apps::stories {
namespace {

bool IsOneOf(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

FieldFailure Repeated(std::string field) {
  return {.field = std::move(field), .message = "must stand once", .code = "repeated"};
}

std::string_view WithoutZeros(std::string_view number) {
  const std::size_t first = number.find_first_not_of('0');
  return first == std::string_view::npos ? std::string_view() : number.substr(first);
}

}  // namespace

std::size_t RatingRank(std::string_view rating) {
  const auto* const found = std::ranges::find(kRatings, rating);
  return found == std::end(kRatings) ? 0 : static_cast<std::size_t>(found - std::begin(kRatings));
}

std::vector<FieldFailure> CheckWarnings(std::span<const std::string> warnings,
                                        std::string_view field) {
  std::vector<FieldFailure> failures;
  std::size_t custom = 0;
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    std::string place = fmt::format("{}[{}]", field, i);
    const std::size_t characters = CharacterCount(warnings[i]);
    if (std::ranges::find(warnings.first(i), warnings[i]) != warnings.first(i).end()) {
      failures.push_back(Repeated(std::move(place)));
    } else if (IsOneOf(kWarnings, warnings[i])) {
      continue;
    } else if (characters == 0 || characters > kCustomWarningCharactersMax) {
      failures.push_back(
          {.field = std::move(place),
           .message = fmt::format("must have 1 to {} characters", kCustomWarningCharactersMax),
           .code = "length"});
    } else if (++custom > kCustomWarningsMax) {
      failures.push_back({.field = std::move(place),
                          .message = fmt::format("must be one of {}, or one of at most {} others",
                                                 fmt::join(kWarnings, ", "), kCustomWarningsMax),
                          .code = "enum"});
    }
  }
  return failures;
}

std::vector<FieldFailure> CheckLabels(const Labels& labels) {
  std::vector<FieldFailure> failures;
  const auto check_genre = [&](const std::string& genre, std::string field) {
    if (IsOneOf(kGenres, genre)) return true;
    failures.push_back({.field = std::move(field),
                        .message = fmt::format("must be one of {}", fmt::join(kGenres, ", ")),
                        .code = "enum"});
    return false;
  };
  check_genre(labels.genre, "genre");
  for (std::size_t i = 0; i < labels.genres.size(); ++i) {
    std::string field = fmt::format("genres[{}]", i);
    if (!check_genre(labels.genres[i], field)) continue;
    const auto before = std::span(labels.genres).first(i);
    const bool is_repeated = std::ranges::find(before, labels.genres[i]) != before.end();
    if (is_repeated || labels.genres[i] == labels.genre) {
      failures.push_back(Repeated(std::move(field)));
    }
  }
  std::ranges::move(CheckWarnings(labels.warnings, "contentWarnings"),
                    std::back_inserter(failures));
  return failures;
}

std::size_t CharacterCount(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

bool IsLaterSequence(std::string_view sequence, std::string_view than) {
  const std::string_view left = WithoutZeros(sequence);
  const std::string_view right = WithoutZeros(than);
  return left.size() != right.size() ? left.size() > right.size() : left > right;
}

}  // namespace trestle::apps::stories
