#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "platform/search/sqlite.h"

namespace trestle::platform::search {

// How the hits of one query are ranked: BM25 over the caller's partitions, with fields weighed
// before a word's frequency saturates (BM25F). Only numbers about these partitions are in it, so
// that a score tells nothing about the rest of the index.
struct Ranking {
  struct Phrase {
    std::size_t group = 0;      // the word of the query that it stands for
    std::size_t partition = 0;  // a document in two of them counts once
    double weight = 1;          // less for words that are only similar

    friend bool operator==(const Phrase&, const Phrase&) = default;
  };
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);  // of filters

  // By their place in the full-text query: those of one group are together, in it those of one
  // partition, in it those of one weight. Filters come last.
  std::vector<Phrase> phrases;
  std::vector<double> rarity;  // by group
  double average_length = 1;   // of documents, in words
};

inline constexpr char kRankingPointer[] = "trestle-ranking";

// Lets statements of the connection call trestle_rank(words, ranking, length).
[[nodiscard]] Status RegisterRanking(Connection& connection);

// How much it says that a document has a word: of `documents`, `having` have it.
[[nodiscard]] double Rarity(double documents, double having);

}  // namespace trestle::platform::search
