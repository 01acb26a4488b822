#include <algorithm>
#include <array>
#include <cmath>

#include <sqlite3.h>

#include "platform/search/ranking_internal.h"
#include "platform/search/terms_internal.h"

namespace trestle::platform::search {
namespace {

constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.6;
// Title, people, tags, text; marks are no words.
constexpr std::array<double, kColumns> kBoosts = {8, 4, 3, 1, 0};

// How often the phrase stands in the current row, weighed by where.
double Frequency(const Fts5ExtensionApi& api, Fts5Context* context, int phrase) {
  Fts5PhraseIter at{};
  int column = 0;
  int offset = 0;
  double frequency = 0;
  if (api.xPhraseFirst(context, phrase, &at, &column, &offset) != SQLITE_OK) return 0;
  for (; column >= 0; api.xPhraseNext(context, &at, &column, &offset))
    frequency += kBoosts[static_cast<std::size_t>(column)];
  return frequency;
}

// A word counts as the best of what it was found as: exactly in a text is worth more than with a
// typo in a title.
double Score(const Ranking& ranking, const Fts5ExtensionApi& api, Fts5Context* context,
             double length) {
  const double norm =
      kSaturation * (1 - kLengthShare + kLengthShare * length / ranking.average_length);
  const auto& phrases = ranking.phrases;
  double score = 0;
  double best = 0;  // of the group
  for (std::size_t i = 0; i < phrases.size() && phrases[i].group != Ranking::kNoGroup;) {
    const Ranking::Phrase& first = phrases[i];
    double frequency = 0;
    for (; i < phrases.size() && phrases[i] == first; ++i)
      frequency += Frequency(api, context, static_cast<int>(i));
    if (frequency > 0) {
      best = std::max(best, first.weight * frequency * (kSaturation + 1) / (frequency + norm));
    }
    if (i < phrases.size() && phrases[i].group == first.group) continue;
    score += ranking.rarity[first.group] * best;
    best = 0;
  }
  return score;
}

void Rank(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int count,
          sqlite3_value** values) {
  const auto* ranking =
      count == 2 ? static_cast<const Ranking*>(sqlite3_value_pointer(values[0], kRankingPointer))
                 : nullptr;
  if (ranking == nullptr) return;
  sqlite3_result_double(result, Score(*ranking, *api, context, sqlite3_value_double(values[1])));
}

}  // namespace

Status RegisterRanking(Connection& connection) {
  fts5_api* api = nullptr;
  Statement& statement = *TRY(connection.Prepare("SELECT fts5(?1)"));
  statement.BindPointer(1, static_cast<void*>(&api), "fts5_api_ptr");
  TRY(statement.Run());
  if (api == nullptr ||
      api->xCreateFunction(api, "trestle_rank", nullptr, Rank, nullptr) != SQLITE_OK) {
    return Error(ErrorCode::kInternal, "SQLite has no full-text index");
  }
  return Ok();
}

double Rarity(double documents, double having) {
  return std::log(1 + (documents - std::min(having, documents) + 0.5) / (having + 0.5));
}

}  // namespace trestle::platform::search
