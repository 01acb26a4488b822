#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "platform/search/expand_internal.h"
#include "platform/search/highlight.h"
#include "platform/search/index_internal.h"
#include "platform/search/ranking_internal.h"

namespace trestle::platform::search {
namespace {

constexpr std::uint32_t kHitsMax = 1000;      // of one page
constexpr std::uint64_t kRankedMax = 10'000;  // hits; a few milliseconds
// From so many documents on it is faster to walk along an order than to sort everything, unless
// few of those on the way are asked for.
constexpr std::int64_t kBrowseMin = 5000;
constexpr int kBrowseSteps = 1000;

// Where a hit is in its list: larger values first, then smaller numbers.
struct Place {
  double value = 0;
  std::int64_t number = 0;

  friend bool operator<(const Place& left, const Place& right) {
    if (left.value != right.value) return left.value > right.value;
    return left.number < right.number;
  }
};

// position := 'A' or 'O' (all words, or one of them), value, '.', number
//
// The value is the bits of a double as 16 hexadecimal digits.
struct Position {
  bool is_any_word = false;
  Place after;
};

std::string PositionText(const Position& position) {
  return fmt::format("{}{:016x}.{}", position.is_any_word ? 'O' : 'A',
                     std::bit_cast<std::uint64_t>(position.after.value), position.after.number);
}

Result<Position> ParsePosition(std::string_view text) {
  const Error error = ValidationError("the position is not one of this index");
  if (text.size() < 19 || (text[0] != 'A' && text[0] != 'O') || text[17] != '.') return error;
  std::uint64_t bits = 0;
  Position position{.is_any_word = text[0] == 'O'};
  const auto value = std::from_chars(text.data() + 1, text.data() + 17, bits, 16);
  const auto number =
      std::from_chars(text.data() + 18, text.data() + text.size(), position.after.number);
  if (value.ptr != text.data() + 17 || number.ec != std::errc() ||
      number.ptr != text.data() + text.size()) {
    return error;
  }
  position.after.value = std::bit_cast<double>(bits);
  return position;
}

// The best places of a list, up to a number.
class BestPlaces {
 public:
  BestPlaces(std::size_t count_max, std::optional<Place> after)
      : count_max_(count_max), after_(after) {}

  void Offer(const Place& place) {
    ++total_;
    if (after_ && !(*after_ < place)) return;
    if (places_.size() == count_max_ && !(place < places_.front())) return;
    if (places_.size() == count_max_) {
      std::ranges::pop_heap(places_, std::less<>());
      places_.pop_back();
    }
    places_.push_back(place);
    std::ranges::push_heap(places_, std::less<>());
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] bool is_full() const { return places_.size() == count_max_; }
  void Clear() {
    places_.clear();
    total_ = 0;
  }
  [[nodiscard]] std::vector<Place> Sorted() && {
    std::ranges::sort(places_, std::less<>());
    return std::move(places_);
  }

 private:
  const std::size_t count_max_;
  const std::optional<Place> after_;
  std::vector<Place> places_;  // a heap with the worst in front
  std::uint64_t total_ = 0;
};

// A query to SQLite's full-text index, and how its hits are ranked. Tokens have no quotes in them.
class Match {
 public:
  Match(const std::vector<Partition>& partitions, const std::vector<TypedTerm>& terms)
      : partitions_(partitions), terms_(terms) {
    double documents = 0;
    double length = 0;
    for (const Partition& partition : partitions) {
      documents += static_cast<double>(partition.documents);
      length += static_cast<double>(partition.length);
    }
    ranking_.average_length = std::max(1.0, length / std::max(1.0, documents));
    ranking_.rarity.reserve(terms.size());
    for (const TypedTerm& term : terms)
      ranking_.rarity.push_back(Rarity(documents, static_cast<double>(term.documents)));
  }

  // All words, or any of those that some document has. False: nothing can match.
  bool AddWords(bool is_any_word) {
    std::string words;
    for (std::size_t group = 0; group < terms_.size(); ++group) {
      const TypedTerm& term = terms_[group];
      if (term.expansions.empty() && !is_any_word) return false;
      if (term.expansions.empty()) continue;
      if (!words.empty()) words += is_any_word ? " OR " : " AND ";
      words += '(';
      for (std::size_t i = 0; i < term.expansions.size(); ++i) {
        const Expansion& expansion = term.expansions[i];
        words += fmt::format("{}\"{}\"{}", i == 0 ? "" : " OR ",
                             WordToken(partitions_[expansion.partition].number, expansion.term),
                             expansion.is_prefix ? "*" : "");
        ranking_.phrases.push_back(
            {.group = group, .partition = expansion.partition, .weight = expansion.weight});
      }
      words += ')';
    }
    if (words.empty()) return false;
    text_ = fmt::format("({})", words);
    return true;
  }

  // One of these marks must be there.
  void AddMarks(const std::vector<std::string>& marks) {
    text_ += text_.empty() ? "(" : " AND (";
    bool is_first = true;
    for (const Partition& partition : partitions_) {
      for (const std::string& mark : marks) {
        text_ += fmt::format("{}\"{}\"", std::exchange(is_first, false) ? "" : " OR ",
                             MarkToken(partition.number, mark));
        ranking_.phrases.push_back({.group = Ranking::kNoGroup});
      }
    }
    text_ += ')';
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Ranking& ranking() { return ranking_; }

 private:
  const std::vector<Partition>& partitions_;
  const std::vector<TypedTerm>& terms_;
  std::string text_;
  Ranking ranking_;
};

class Finder {
 public:
  Finder(Connection& connection, Vocabulary& vocabulary, const Query& query)
      : connection_(connection), vocabulary_(vocabulary), query_(query) {}

  Result<Hits> Find(const std::vector<std::string>& orders) {
    if (!query_.order.empty()) {
      const auto order = std::ranges::find(orders, query_.order);
      if (order == orders.end()) return ValidationError("there is no such order");
      order_ = static_cast<std::size_t>(order - orders.begin());
    }
    std::optional<Position> position;
    if (!query_.position.empty()) position = TRY(ParsePosition(query_.position));

    Hits hits;
    partitions_ = TRY(VisiblePartitions(connection_, query_.may_see));
    if (partitions_.empty()) return hits;
    terms_ = TypedTerms(query_.text);
    const bool has_words = !terms_.empty();
    // A text of nothing but signs asks for nothing that could be found.
    if (!has_words && !query_.text.empty() && !IsBlank(query_.text)) return hits;
    for (TypedTerm& term : terms_)
      TRY(Expand(connection_, vocabulary_, partitions_, term));
    if (!position) hits.did_you_mean = DidYouMean(query_.text, terms_);

    hits.is_any_word = position && position->is_any_word;
    TRY(Collect(position, hits));
    if (hits.total == 0 && terms_.size() > 1 && !position) {
      hits.is_any_word = true;
      TRY(Collect(position, hits));
    }
    return hits;
  }

 private:
  static bool IsBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  Status Collect(const std::optional<Position>& position, Hits& hits) {
    Match match(partitions_, terms_);
    if (!terms_.empty() && !match.AddWords(hits.is_any_word)) return Ok();
    if (!query_.types.empty()) {
      std::vector<std::string> marks;
      marks.reserve(query_.types.size());
      for (const std::string& type : query_.types)
        marks.push_back(TypeMark(type));
      match.AddMarks(marks);
    }
    for (const Facet& facet : query_.facets)
      match.AddMarks({FacetMark(facet)});
    if (match.text().empty()) match.AddMarks({""});

    const std::uint32_t limit = std::clamp(query_.limit, 1U, kHitsMax);
    BestPlaces best(limit + 1, position ? std::optional(position->after) : std::nullopt);
    const bool is_browsed = TRY(Browse(match, position, best));
    if (!is_browsed) TRY(Run(match, best));
    hits.total = best.total();
    hits.is_total_exact = !is_browsed && (order_ || hits.total < kRankedMax);
    if (is_browsed && IsEverything()) {
      hits.total = static_cast<std::uint64_t>(partitions_.front().documents);
      hits.is_total_exact = true;
    }
    std::vector<Place> places = std::move(best).Sorted();
    if (places.size() > limit) {
      places.resize(limit);
      hits.next = PositionText({.is_any_word = hits.is_any_word, .after = places.back()});
    }
    hits.items.reserve(places.size());
    for (const Place& place : places)
      hits.items.push_back(TRY(Read(place)));
    return Ok();
  }

  // Whether the query has no other condition than who asks, who sees one partition.
  [[nodiscard]] bool IsEverything() const {
    return terms_.empty() && query_.types.empty() && query_.facets.empty() &&
           partitions_.size() == 1;
  }

  // Walks along an order until there are enough. False when that is not worth it.
  Result<bool> Browse(const Match& match, const std::optional<Position>& position,
                      BestPlaces& best) {
    if (!order_ || !terms_.empty()) return false;
    std::int64_t documents = 0;
    for (const Partition& partition : partitions_)
      documents += partition.documents;
    if (documents < kBrowseMin) return false;
    static constexpr std::array<std::string_view, kOrdersMax> kAlong = {
        "SELECT no, order0 FROM documents WHERE order0 <= ?1 ORDER BY order0 DESC, no",
        "SELECT no, order1 FROM documents WHERE order1 <= ?1 ORDER BY order1 DESC, no",
        "SELECT no, order2 FROM documents WHERE order2 <= ?1 ORDER BY order2 DESC, no",
        "SELECT no, order3 FROM documents WHERE order3 <= ?1 ORDER BY order3 DESC, no"};
    Statement& along = *TRY(connection_.Prepare(kAlong[*order_]));
    Statement& is_hit =
        *TRY(connection_.Prepare("SELECT 1 FROM words WHERE words MATCH ?1 AND rowid = ?2"));
    along.Bind(1, position ? position->after.value : std::numeric_limits<double>::infinity());
    bool has_more = TRY(along.Step());
    for (int steps = 0; has_more && !best.is_full() && steps < kBrowseSteps; ++steps) {
      const Place place{.value = along.Real(1), .number = along.Integer(0)};
      is_hit.Bind(1, std::string_view(match.text())).Bind(2, place.number);
      if (TRY(is_hit.Step())) best.Offer(place);
      is_hit.Reset();
      has_more = TRY(along.Step());
    }
    along.Reset();
    if (best.is_full() || !has_more) return true;
    best.Clear();
    return false;
  }

  Status Run(Match& match, BestPlaces& best) {
    const bool is_ranked = !order_ && !terms_.empty();
    constexpr std::string_view kRanked =
        "SELECT words.rowid, trestle_rank(words, ?2, documents.length) "
        "FROM words CROSS JOIN documents ON documents.no = words.rowid WHERE words MATCH ?1 "
        "ORDER BY words.rowid DESC";
    constexpr std::string_view kOrdered =
        "SELECT words.rowid, order0, order1, order2, order3 "
        "FROM words CROSS JOIN documents ON documents.no = words.rowid WHERE words MATCH ?1";
    Statement& select = *TRY(connection_.Prepare(is_ranked ? kRanked : kOrdered));
    select.Bind(1, std::string_view(match.text()));
    if (is_ranked) select.BindPointer(2, &match.ranking(), kRankingPointer);
    const int column = 1 + static_cast<int>(order_.value_or(0));
    while (TRY(select.Step())) {
      const double value = is_ranked || order_ ? select.Real(column) : 0;
      best.Offer({.value = value, .number = select.Integer(0)});
      if (is_ranked && best.total() >= kRankedMax) break;
    }
    select.Reset();
    return Ok();
  }

  Result<Hit> Read(const Place& place) {
    Statement& select = *TRY(connection_.Prepare("SELECT id, content FROM contents WHERE no = ?1"));
    if (!TRY(select.Bind(1, place.number).Step()))
      return CorruptionError("a document of the search index is missing");
    Hit hit{.id = std::string(select.Text(0))};
    auto document = DecodeDocument(select.Text(1));
    select.Reset();
    if (!document) return CorruptionError("a document of the search index cannot be read");
    hit.type = std::move(document->type);
    hit.payload = std::move(document->payload);
    if (!order_ && !terms_.empty()) hit.score = place.value;
    for (const Field& field : document->fields) {
      auto segments =
          HighlightText(field.text, [this](std::string_view term) { return IsMatch(term); });
      if (!segments.empty())
        hit.highlights.push_back({.field = field.name, .segments = std::move(segments)});
    }
    return hit;
  }

  bool IsMatch(std::string_view term) {
    if (!are_matches_known_) {
      are_matches_known_ = true;
      for (const TypedTerm& typed : terms_) {
        for (const Expansion& expansion : typed.expansions) {
          if (expansion.is_prefix) {
            prefixes_.insert(expansion.term);
          } else {
            matches_.insert(expansion.term);
          }
        }
      }
    }
    return matches_.contains(term) ||
           std::ranges::any_of(
               prefixes_, [term](const std::string& prefix) { return term.starts_with(prefix); });
  }

  Connection& connection_;
  Vocabulary& vocabulary_;
  const Query& query_;
  std::optional<std::size_t> order_;  // nothing: by rank
  std::vector<Partition> partitions_;
  std::vector<TypedTerm> terms_;
  bool are_matches_known_ = false;
  std::set<std::string, std::less<>> matches_;
  std::set<std::string, std::less<>> prefixes_;
};

}  // namespace

Result<Hits> FindHits(Connection& connection, Vocabulary& vocabulary,
                      const std::vector<std::string>& orders, const Query& query) {
  const Transaction snapshot = TRY(Transaction::Begin(connection, Transaction::Kind::kRead));
  return Finder(connection, vocabulary, query).Find(orders);
}

}  // namespace trestle::platform::search
