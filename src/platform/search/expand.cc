#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "platform/search/edit_distance.h"
#include "platform/search/expand_internal.h"
#include "platform/search/query.h"
#include "text/words.h"

namespace trestle::platform::search {
namespace {

constexpr double kPrefixWeight = 0.5;
constexpr double kMistakeWeights[] = {1, 0.3, 0.15};
constexpr std::size_t kNearMax = 20;  // words of one partition that one with typos can mean
// A beginning that more documents have than these stands for its most frequent words only: merging
// the lists of all of them would take too long.
constexpr std::int64_t kPrefixDocumentsMax = 20'000;
constexpr std::int64_t kPrefixWordsMax = 30;

std::size_t Letters(std::string_view term) {
  return static_cast<std::size_t>(
      std::ranges::count_if(term, [](char c) { return (c & 0xc0) != 0x80; }));
}

// Behind all texts that begin so.
std::string EndOfPrefix(std::string_view prefix) { return std::string(prefix) + '\xff'; }

Result<std::int64_t> DocumentsWith(Connection& connection, std::int64_t partition,
                                   std::string_view term) {
  Statement& select =
      *TRY(connection.Prepare("SELECT documents FROM terms WHERE partition = ?1 AND term = ?2"));
  const bool is_there = TRY(select.Bind(1, partition).Bind(2, term).Step());
  const std::int64_t documents = is_there ? select.Integer(0) : 0;
  select.Reset();
  return documents;
}

// What one word means in one partition.
class Expander {
 public:
  Expander(Connection& connection, Vocabulary& vocabulary, TypedTerm& term)
      : connection_(connection), vocabulary_(vocabulary), term_(term) {}

  Status Exact(const Partition& partition, std::size_t place) {
    const std::int64_t documents = TRY(DocumentsWith(connection_, partition.number, term_.term));
    if (documents == 0) return Ok();
    Add({.partition = place, .term = term_.term}, documents);
    is_known_ = true;
    return Ok();
  }

  // All words that begin so and are longer.
  Status Prefix(const Partition& partition, std::size_t place) {
    const std::string end = EndOfPrefix(term_.term);
    Statement& sum =
        *TRY(connection_.Prepare("SELECT sum(documents) FROM terms "
                                 "WHERE partition = ?1 AND term > ?2 AND term < ?3"));
    sum.Bind(1, partition.number).Bind(2, term_.term).Bind(3, std::string_view(end));
    const std::int64_t documents = TRY(sum.Step()) ? sum.Integer(0) : 0;
    sum.Reset();
    if (documents == 0) return Ok();
    is_known_ = true;
    if (documents <= kPrefixDocumentsMax) {
      Add({.partition = place, .term = term_.term, .is_prefix = true, .weight = kPrefixWeight},
          documents);
      return Ok();
    }
    Statement& select =
        *TRY(connection_.Prepare("SELECT term, documents FROM terms "
                                 "WHERE partition = ?1 AND term > ?2 AND term < ?3 "
                                 "ORDER BY documents DESC LIMIT ?4"));
    select.Bind(1, partition.number).Bind(2, term_.term).Bind(3, std::string_view(end));
    select.Bind(4, kPrefixWordsMax);
    while (TRY(select.Step())) {
      Add({.partition = place, .term = std::string(select.Text(0)), .weight = kPrefixWeight},
          select.Integer(1));
    }
    select.Reset();
    return Ok();
  }

  Status Near(const Partition& partition, std::size_t place) {
    const unsigned mistakes_max = term_.is_pair ? 0 : MistakesMax(Letters(term_.term));
    if (mistakes_max == 0) return Ok();
    const auto load = [this](std::int64_t number,
                             const std::function<void(std::string_view)>& add) -> Status {
      Statement& select = *TRY(connection_.Prepare("SELECT term FROM terms WHERE partition = ?1"));
      select.Bind(1, number);
      while (TRY(select.Step())) {
        if (IsUtf8(select.Text(0))) add(select.Text(0));
      }
      select.Reset();
      return Ok();
    };
    struct Candidate {
      NearWord word;
      std::int64_t documents;
    };
    std::vector<Candidate> candidates;
    for (NearWord& word :
         TRY(vocabulary_.FindNear(partition.number, term_.term, mistakes_max, load))) {
      if (term_.is_prefix && word.term.starts_with(term_.term)) continue;
      const std::int64_t documents = TRY(DocumentsWith(connection_, partition.number, word.term));
      if (documents > 0) candidates.push_back({std::move(word), documents});
    }
    std::ranges::sort(candidates, {}, [](const Candidate& it) {
      return std::tuple(it.word.distance, -it.documents, std::string_view(it.word.term));
    });
    if (candidates.size() > kNearMax) candidates.resize(kNearMax);
    for (const Candidate& candidate : candidates) {
      Add({.partition = place,
           .term = candidate.word.term,
           .weight = kMistakeWeights[candidate.word.distance]},
          candidate.documents);
    }
    if (!candidates.empty()) {
      const Candidate& best = candidates.front();
      const std::tuple rank(best.word.distance, -best.documents, best.word.term);
      if (!best_ || rank < *best_) best_ = rank;
    }
    return Ok();
  }

  void Finish() {
    if (!is_known_ && best_) term_.suggestion = std::get<2>(*best_);
  }

 private:
  void Add(Expansion expansion, std::int64_t documents) {
    term_.expansions.push_back(std::move(expansion));
    term_.documents += documents;
  }

  Connection& connection_;
  Vocabulary& vocabulary_;
  TypedTerm& term_;
  bool is_known_ = false;
  std::optional<std::tuple<unsigned, std::int64_t, std::string>> best_;  // to suggest
};

std::string_view CutText(std::string_view text) {
  if (text.size() <= kQueryBytesMax) return text;
  std::size_t length = kQueryBytesMax;
  while (length > 0 && (text[length] & 0xc0) == 0x80)
    --length;
  return text.substr(0, length);
}

}  // namespace

Result<std::vector<Partition>> VisiblePartitions(Connection& connection,
                                                 const std::vector<std::string>& names) {
  std::set<std::string_view> distinct;
  std::vector<Partition> partitions;
  for (const std::string& name : names) {
    if (distinct.size() >= kVisibleMax) break;
    if (!distinct.insert(name).second) continue;
    Statement& select = *TRY(connection.Prepare(
        "SELECT no, documents, length FROM partitions WHERE name = ?1 AND documents > 0"));
    if (TRY(select.Bind(1, std::string_view(name)).Step())) {
      partitions.push_back({.number = select.Integer(0),
                            .documents = select.Integer(1),
                            .length = select.Integer(2)});
    }
    select.Reset();
  }
  return partitions;
}

std::vector<TypedTerm> TypedTerms(std::string_view text) {
  std::vector<TypedTerm> terms;
  const std::vector<text::Word> words = text::Words(CutText(text));
  for (std::size_t i = 0; i < words.size() && terms.size() < kQueryTermsMax; ++i) {
    const text::Word& word = words[i];
    // Behind pairs the last character says nothing new.
    const bool is_rest =
        word.is_run_end && i > 0 && words[i - 1].is_pair && words[i - 1].end == word.end;
    const bool is_last = i + 1 == words.size();
    if (is_rest) continue;
    const auto same = std::ranges::find(terms, word.term, &TypedTerm::term);
    if (same != terms.end()) {
      same->is_prefix = same->is_prefix || is_last;
      continue;
    }
    terms.push_back({.term = word.term,
                     .start = word.start,
                     .end = word.end,
                     .is_prefix = is_last || word.is_run_end,
                     .is_pair = word.is_pair || word.is_run_end});
  }
  return terms;
}

Status Expand(Connection& connection, Vocabulary& vocabulary,
              const std::vector<Partition>& partitions, TypedTerm& term) {
  Expander expander(connection, vocabulary, term);
  for (std::size_t place = 0; place < partitions.size(); ++place) {
    TRY(expander.Exact(partitions[place], place));
    if (term.is_prefix) TRY(expander.Prefix(partitions[place], place));
    TRY(expander.Near(partitions[place], place));
  }
  expander.Finish();
  return Ok();
}

std::optional<std::string> DidYouMean(std::string_view text, const std::vector<TypedTerm>& terms) {
  std::string out;
  std::size_t at = 0;
  bool is_changed = false;
  for (const TypedTerm& term : terms) {
    if (!term.suggestion || term.start < at) continue;
    out += text.substr(at, term.start - at);
    out += *term.suggestion;
    at = term.end;
    is_changed = true;
  }
  if (!is_changed) return std::nullopt;
  out += CutText(text).substr(std::min(at, CutText(text).size()));
  return out;
}

}  // namespace trestle::platform::search
