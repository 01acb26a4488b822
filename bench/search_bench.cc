// How long a query takes on an index of many notes, and how long it takes to fill it. Words are
// drawn as in natural texts: few of them often, most of them seldom. Queries are measured in CPU,
// so that others on the machine do not count.
//
//   bench_search [notes] [file]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "platform/search/index.h"

namespace trestle {
namespace {

using platform::search::Entry;
using platform::search::FieldRank;
using platform::search::Index;
using platform::search::Query;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kVocabulary = 150'000;
constexpr std::size_t kWordsOfNote = 100;
constexpr std::size_t kUsers = 1000;
constexpr std::size_t kBatch = 1000;
constexpr int kRounds = 200;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double CpuMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

class Author {
 public:
  Author() {
    constexpr std::string_view kSyllables[] = {"ba", "ke", "ri",  "to", "mu",   "sa", "len", "dor",
                                               "vi", "pa", "chi", "na", "ster", "om", "gu",  "fe"};
    for (std::size_t i = 0; i < kVocabulary; ++i) {
      std::string word;
      std::size_t number = i * 2'654'435'761U % 1'048'576U + 16;  // spread over all beginnings
      for (; number > 0; number /= 16)
        word += kSyllables[number % 16];
      words_.push_back(word);
    }
  }
  // Zipf's law, near enough.
  const std::string& Word() {
    const double share = std::uniform_real_distribution<double>(0, 1)(random_);
    const double place = std::exp(share * std::log(static_cast<double>(kVocabulary)));
    return words_[std::min(static_cast<std::size_t>(place), kVocabulary - 1)];
  }
  std::string Text(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
      text += Word() + ' ';
    return text;
  }
  // The n-th most frequent one.
  [[nodiscard]] const std::string& word(std::size_t place) const { return words_[place]; }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_{7};
  std::vector<std::string> words_;
};

std::string Misspelt(std::string word) {
  std::swap(word[word.size() / 2], word[word.size() / 2 - 1]);
  return word;
}

void Fill(Index& index, Author& author, std::size_t notes) {
  const auto start = Clock::now();
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < notes; ++i) {
    Entry& entry = entries.emplace_back();
    entry.id = fmt::format("note{}", i);
    entry.document.emplace();
    entry.document->type = i % 4 == 0 ? "story" : "note";
    entry.document->visible_to = {"public", fmt::format("user:{}", i % kUsers)};
    entry.document->fields = {
        {.name = "title", .rank = FieldRank::kTitle, .text = author.Text(4)},
        {.name = "text", .rank = FieldRank::kText, .text = author.Text(kWordsOfNote)}};
    entry.document->facets = {{.name = "year", .value = std::to_string(1990 + i % 30)}};
    entry.document->sort_values = {
        {.order = "newest", .value = static_cast<double>(i * 7919 % notes)}};
    if (entries.size() < kBatch && i + 1 < notes) continue;
    CHECK(index.Write(entries, std::to_string(i)).ok(), "a batch can be written");
    entries.clear();
  }
  const double ms = MillisecondsSince(start);
  fmt::print("filled with {} notes in {:.1f} s, {:.0f}/s\n", notes, ms / 1000,
             static_cast<double>(notes) * 1000 / ms);
}

template <typename MakeQuery>
void Measure(std::string_view name, Index& index, MakeQuery make) {
  std::vector<double> times;
  std::uint64_t total = 0;
  for (int i = 0; i < kRounds; ++i) {
    const Query query = make(i);
    const double start = CpuMilliseconds();
    const auto hits = index.Find(query);
    times.push_back(CpuMilliseconds() - start);
    CHECK(hits.ok(), "a query that can be answered");
    total += hits->total;
  }
  std::ranges::sort(times);
  fmt::print("{:34} p50 {:7.2f} ms   p99 {:7.2f} ms   max {:7.2f} ms   {} hits\n", name,
             times[kRounds / 2], times[kRounds * 99 / 100], times.back(), total / kRounds);
}

}  // namespace

int Run(int argc, char** argv) {
  const std::size_t notes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
  auto index = Index::Open({.file = argc > 2 ? argv[2] : "", .orders = {"newest"}});
  CHECK(index.ok(), "an index can be opened");
  Author author;
  if ((*index)->Position().ok() && (*index)->Position()->empty()) Fill(**index, author, notes);

  const auto place = [&](std::size_t from, std::size_t to) {
    return author.word(std::uniform_int_distribution<std::size_t>(from, to)(author.random()));
  };
  const std::vector<std::string> everyone = {"public"};
  const auto of_user = [](int i) {
    return std::vector<std::string>{fmt::format("user:{}", static_cast<std::size_t>(i) % kUsers)};
  };
  Measure("own notes, one word", **index,
          [&](int i) { return Query{.text = place(100, 5000), .may_see = of_user(i)}; });
  Measure("own notes, two words, one misspelt", **index, [&](int i) {
    return Query{.text = place(10, 500) + " " + Misspelt(place(10, 500)), .may_see = of_user(i)};
  });
  Measure("all notes, a seldom word", **index,
          [&](int) { return Query{.text = place(5000, 100'000), .may_see = everyone}; });
  Measure("all notes, a usual word", **index,
          [&](int) { return Query{.text = place(200, 5000), .may_see = everyone}; });
  Measure("all notes, two usual words", **index, [&](int) {
    return Query{.text = place(50, 2000) + " " + place(50, 2000), .may_see = everyone};
  });
  Measure("all notes, a misspelt word", **index,
          [&](int) { return Query{.text = Misspelt(place(500, 20'000)), .may_see = everyone}; });
  Measure("all notes, one of the 20 commonest", **index, [&](int i) {
    return Query{.text = author.word(static_cast<std::size_t>(i) % 20), .may_see = everyone};
  });
  Measure("all notes, 3 letters typed", **index, [&](int) {
    return Query{.text = place(100, 100'000).substr(0, 3), .may_see = everyone};
  });
  Measure("all notes, usual word and a facet", **index, [&](int) {
    return Query{.text = place(200, 5000), .may_see = everyone, .facets = {{"year", "2001"}}};
  });
  Measure("all notes, newest, no words", **index,
          [&](int) { return Query{.may_see = everyone, .order = "newest"}; });
  Measure("own notes, newest, no words", **index,
          [&](int i) { return Query{.may_see = of_user(i), .order = "newest"}; });
  return 0;
}

}  // namespace trestle

int main(int argc, char** argv) { return trestle::Run(argc, argv); }
