// Documents in, hits out: what can be found, by whom, and in which order.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/log.h"
#include "platform/search/edit_distance.h"
#include "platform/search/index.h"

namespace trestle::platform::search {
namespace {

struct Note {
  std::string id;
  std::string title;
  std::string text = {};
  std::vector<std::string> visible_to = {"public"};
  std::string people = {};
  std::string type = "note";
  std::vector<Facet> facets = {};
  double newest = 0;
};

Entry EntryOf(const Note& note) {
  Document document{.type = note.type,
                    .visible_to = note.visible_to,
                    .fields = {{.name = "title", .rank = FieldRank::kTitle, .text = note.title},
                               {.name = "people", .rank = FieldRank::kPeople, .text = note.people},
                               {.name = "text", .rank = FieldRank::kText, .text = note.text}},
                    .facets = note.facets,
                    .sort_values = {{.order = "newest", .value = note.newest}},
                    .payload = "payload of " + note.id};
  return {.id = note.id, .document = std::move(document)};
}

class SearchTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    if (GetParam()) {
      std::string pattern = ::testing::TempDir() + "trestle-search-XXXXXX";
      folder_ = ::mkdtemp(pattern.data());
      options_.file = folder_ + "/notes.search";
    }
    options_.orders = {"newest", "popular"};
    Open();
  }
  void TearDown() override {
    index_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
    log::SetLevel(log::Level::kInfo);
  }

  void Open() {
    index_.reset();
    auto opened = Index::Open(options_);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    index_ = *std::move(opened);
  }
  void Put(const std::vector<Note>& notes, const std::optional<std::string>& position = {}) {
    std::vector<Entry> entries;
    entries.reserve(notes.size());
    for (const Note& note : notes)
      entries.push_back(EntryOf(note));
    const Status written = index_->Write(entries, position);
    ASSERT_TRUE(written.ok()) << written.error().message();
  }
  void Remove(std::string_view id) {
    const Entry entry{.id = std::string(id)};
    ASSERT_TRUE(index_->Write({&entry, 1}, std::nullopt).ok());
  }

  Hits Find(Query query) {
    if (query.may_see.empty()) query.may_see = {"public"};
    auto hits = index_->Find(query);
    EXPECT_TRUE(hits.ok()) << hits.error().message();
    return hits.ok() ? *std::move(hits) : Hits();
  }
  static std::string Ids(const Hits& hits) {
    std::string ids;
    for (const Hit& hit : hits.items)
      ids += (ids.empty() ? "" : " ") + hit.id;
    return ids;
  }
  std::string Ids(std::string_view text) { return Ids(Find({.text = std::string(text)})); }

  std::string folder_;
  IndexOptions options_;
  std::unique_ptr<Index> index_;
};
INSTANTIATE_TEST_SUITE_P(Places, SearchTest, ::testing::Bool(), [](const auto& test) {
  return std::string(test.param ? "file" : "memory");
});

TEST_P(SearchTest, FindsWhatIsThereAndNothingElse) {
  Put({{.id = "1", .title = "Tax form", .text = "receipts of the dentist"},
       {.id = "2", .title = "Groceries", .text = "milk and bread"}});
  EXPECT_EQ(Ids("dentist"), "1");
  EXPECT_EQ(Ids("milk"), "2");
  EXPECT_EQ(Ids("piano"), "");
  const Hits hits = Find({.text = "tax"});
  ASSERT_EQ(hits.items.size(), 1U);
  EXPECT_EQ(hits.items[0].type, "note");
  EXPECT_EQ(hits.items[0].payload, "payload of 1");
  EXPECT_GT(hits.items[0].score, 0);
  EXPECT_EQ(hits.total, 1U);
}

TEST_P(SearchTest, ChangesAndRemovalsCount) {
  Put({{.id = "1", .title = "Tax form"}});
  Put({{.id = "1", .title = "Dentist", .text = "new"}});
  EXPECT_EQ(Ids("tax"), "");
  EXPECT_EQ(Ids("dentist"), "1");
  Remove("1");
  EXPECT_EQ(Ids("dentist"), "");
  EXPECT_EQ(Find({}).total, 0U);
  Remove("1");
  Remove("never there");
  Put({{.id = "1", .title = "Tax form"}});
  EXPECT_EQ(Ids("tax"), "1");
}

TEST_P(SearchTest, CaseAccentsAndFormsDoNotCount) {
  Put({{.id = "1", .title = "L'Étranger"},
       {.id = "2", .title = "Große Straße"},
       {.id = "3", .title = "Привет МИР"}});
  EXPECT_EQ(Ids("ETRANGER"), "1");
  EXPECT_EQ(Ids("e\u0301tranger"), "1");
  EXPECT_EQ(Ids("strasse"), "2");
  EXPECT_EQ(Ids("мир"), "3");
}

TEST_P(SearchTest, TheLastWordMayBeUnfinished) {
  Put({{.id = "1", .title = "mountain bicycle"}, {.id = "2", .title = "mountain"}});
  EXPECT_EQ(Ids("moun"), "2 1");
  EXPECT_EQ(Ids("mountain bi"), "1");
  EXPECT_TRUE(Find({.text = "bi mountain"}).is_any_word);  // only the last one
}

TEST_P(SearchTest, AllThatBeginSoAreFoundHoweverMany) {
  std::vector<Note> notes;
  for (int i = 0; i < 100; ++i)
    notes.push_back({.id = std::to_string(i), .title = fmt::format("alpha{:03}", i)});
  Put(notes);
  EXPECT_EQ(Find({.text = "alpha"}).total, 100U);
  EXPECT_EQ(Find({.text = "a"}).total, 100U);
}

TEST_P(SearchTest, TyposAreForgivenByLength) {
  Put({{.id = "1", .title = "receipt"},
       {.id = "2", .title = "cat"},
       {.id = "3", .title = "library"},
       {.id = "4", .title = "encyclopedia"}});
  EXPECT_EQ(Ids("reciept"), "1");       // swapped
  EXPECT_EQ(Ids("receit"), "1");        // left out
  EXPECT_EQ(Ids("receiptt"), "1");      // one too many
  EXPECT_EQ(Ids("rezeipt"), "1");       // wrong
  EXPECT_EQ(Ids("rezeitp"), "");        // two of seven letters
  EXPECT_EQ(Ids("cut"), "");            // none of three
  EXPECT_EQ(Ids("encyklopedja"), "4");  // two of eight and more
  EXPECT_EQ(Ids("enciklopedja"), "");
}

TEST_P(SearchTest, ExactIsBetterThanSimilarAndTitleBetterThanText) {
  Put({{.id = "text", .title = "other", .text = "a horse in the field"},
       {.id = "similar", .title = "house"},
       {.id = "title", .title = "horse"},
       {.id = "people", .title = "other", .people = "Horse"},
       {.id = "begins", .title = "horseradish"}});
  EXPECT_EQ(Ids("horse"), "title people begins text similar");
}

TEST_P(SearchTest, ManyWordsMustAllBeThereElseAny) {
  Put({{.id = "1", .title = "red house"},
       {.id = "2", .title = "blue house", .text = "not red"},
       {.id = "3", .title = "green tree"}});
  Hits hits = Find({.text = "house red"});
  EXPECT_EQ(Ids(hits), "1 2");
  EXPECT_FALSE(hits.is_any_word);
  hits = Find({.text = "green house"});
  EXPECT_TRUE(hits.is_any_word);
  EXPECT_EQ(hits.items.size(), 3U);
  EXPECT_EQ(hits.items[0].id, "3");  // the rarer word
  EXPECT_TRUE(Find({.text = "green piano"}).is_any_word);
}

TEST_P(SearchTest, ScriptsWithoutBlanks) {
  Put({{.id = "1", .title = "道德经"},
       {.id = "2", .title = "日本語の本"},
       {.id = "3", .title = "한국어"},
       {.id = "4", .title = "日记本"}});
  EXPECT_EQ(Ids("道德"), "1");
  EXPECT_EQ(Ids("德经"), "1");
  EXPECT_EQ(Ids("本語"), "2");
  EXPECT_EQ(Ids("日本語"), "2");
  EXPECT_EQ(Ids("国"), "");
  EXPECT_EQ(Ids("語"), "2");
  EXPECT_EQ(Ids("국어"), "3");
  EXPECT_EQ(Find({.text = "本"}).total, 2U);
}

TEST_P(SearchTest, NobodySeesWhatIsNotTheirs) {
  Put({{.id = "a", .title = "secret diary of ann", .visible_to = {"user:ann"}},
       {.id = "b", .title = "diary", .visible_to = {"user:bob"}},
       {.id = "both", .title = "shared list", .visible_to = {"user:ann", "user:bob"}},
       {.id = "nobody", .title = "diary", .visible_to = {}}});
  const auto as = [this](std::string_view who, std::string_view text) {
    return Find({.text = std::string(text), .may_see = {std::string(who)}});
  };
  EXPECT_EQ(Ids(as("user:bob", "diary")), "b");
  EXPECT_EQ(Ids(as("user:ann", "diary")), "a");
  EXPECT_EQ(Ids(as("user:bob", "secret")), "");
  EXPECT_EQ(Ids(as("user:bob", "list")), "both");
  EXPECT_EQ(Ids(as("user:eve", "diary")), "");
  EXPECT_EQ(Ids(as("user:bob", "")), "b both");
  EXPECT_EQ(as("user:ann", "list").total, 1U);
  EXPECT_EQ(Find({.text = "diary", .may_see = {"user:ann", "user:bob"}}).total, 2U);
  // Whoever loses sight of a document loses its words.
  Put({{.id = "both", .title = "shared list", .visible_to = {"user:ann"}}});
  EXPECT_EQ(Ids(as("user:bob", "list")), "");
}

TEST_P(SearchTest, WordsAndCountsOfOthersDoNotLeak) {
  Put({{.id = "b", .title = "ordinary words", .visible_to = {"user:bob"}}});
  const Query query{.text = "ordinary", .may_see = {"user:bob"}};
  const double score = Find(query).items.at(0).score;
  std::vector<Note> others;
  for (int i = 0; i < 50; ++i) {
    others.push_back({.id = std::to_string(i),
                      .title = "ordinary zanzibar",
                      .text = "many more words",
                      .visible_to = {"user:ann"}});
  }
  Put(others);
  EXPECT_EQ(Find(query).items.at(0).score, score);
  EXPECT_EQ(Find({.text = "zanzibat", .may_see = {"user:bob"}}).did_you_mean, std::nullopt);
  EXPECT_EQ(Find({.text = "zanzibat", .may_see = {"user:ann"}}).did_you_mean, "zanzibar");
}

TEST_P(SearchTest, TwoWaysToSeeADocumentDoNotMakeItBetter) {
  Put({{.id = "1", .title = "horse", .visible_to = {"public", "user:ann"}},
       {.id = "2", .title = "horse", .visible_to = {"public"}}});
  const Hits hits = Find({.text = "horse", .may_see = {"public", "user:ann"}});
  ASSERT_EQ(hits.items.size(), 2U);
  EXPECT_EQ(hits.total, 2U);
  EXPECT_EQ(hits.items[0].score, hits.items[1].score);
}

TEST_P(SearchTest, SuggestsWhatIsThere) {
  Put({{.id = "1", .title = "Receipts for the dentist"}});
  EXPECT_EQ(Find({.text = "Reciepts dentist"}).did_you_mean, "receipts dentist");
  EXPECT_EQ(Find({.text = "receipts dent"}).did_you_mean, std::nullopt);
  EXPECT_EQ(Find({.text = "xylophone"}).did_you_mean, std::nullopt);
}

TEST_P(SearchTest, TypesAndFacetsFilter) {
  Put({{.id = "1",
        .title = "Dune",
        .type = "book",
        .facets = {{"genre", "Science fiction"}, {"year", "1965"}}},
       {.id = "2",
        .title = "Dune",
        .type = "film",
        .facets = {{"genre", "Science fiction"}, {"year", "2021"}}},
       {.id = "3", .title = "Dune guide", .type = "book", .facets = {{"genre", "Travel"}}}});
  EXPECT_EQ(Ids(Find({.text = "dune", .types = {"film"}})), "2");
  EXPECT_EQ(Ids(Find({.text = "dune", .types = {"book"}})), "1 3");
  EXPECT_EQ(Ids(Find({.text = "dune", .types = {"book", "film"}})), "1 2 3");
  EXPECT_EQ(Ids(Find({.text = "dune", .types = {"song"}})), "");
  EXPECT_EQ(Ids(Find({.facets = {{"genre", "SCIENCE Fiction"}}})), "1 2");
  EXPECT_EQ(Ids(Find({.facets = {{"genre", "science fiction"}, {"year", "2021"}}})), "2");
  EXPECT_EQ(Ids(Find({.facets = {{"year", "1966"}}})), "");
  EXPECT_EQ(Ids("travel"), "");  // a facet is not a word
}

TEST_P(SearchTest, OtherOrders) {
  Put({{.id = "1", .title = "horse", .newest = 3},
       {.id = "2", .title = "a horse and more words", .newest = 9},
       {.id = "3", .title = "horse", .newest = 5}});
  EXPECT_EQ(Ids(Find({.text = "horse", .order = "newest"})), "2 3 1");
  EXPECT_EQ(Ids(Find({.order = "newest"})), "2 3 1");
  const auto unknown = index_->Find({.may_see = {"public"}, .order = "oldest"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code(), ErrorCode::kValidation);
}

TEST_P(SearchTest, PagesHaveEverythingOnce) {
  std::vector<Note> notes;
  for (int i = 0; i < 95; ++i) {
    notes.push_back({.id = std::to_string(i),
                     .title = i % 3 == 0 ? "horse horse" : "horse",
                     .newest = static_cast<double>(i / 10)});
  }
  Put(notes);
  for (const std::string& order : {std::string(), std::string("newest")}) {
    std::set<std::string> seen;
    Query query{.text = "horse", .order = order, .limit = 10};
    int pages = 0;
    do {
      const Hits hits = Find(query);
      EXPECT_EQ(hits.total, 95U);
      for (const Hit& hit : hits.items)
        EXPECT_TRUE(seen.insert(hit.id).second) << hit.id;
      query.position = hits.next;
      // What is written between pages shifts nothing.
      if (++pages == 2 && !order.empty())
        Put({{.id = "new" + order, .title = "nothing", .newest = 100}});
    } while (!query.position.empty());
    EXPECT_EQ(pages, 10);
    EXPECT_EQ(seen.size(), 95U);
  }
  for (const char* bad :
       {"x", "A", "A0000000000000000.", "Azzzzzzzzzzzzzzzz.1", "A0000000000000000.1x"})
    EXPECT_FALSE(index_->Find({.text = "horse", .may_see = {"public"}, .position = bad}).ok())
        << bad;
}

// So many that other ways are taken: along the order, and not all of them ranked.
TEST_P(SearchTest, ManyDocumentsArePagedTheSame) {
  if (GetParam()) return;
  constexpr int kNotes = 22'000;
  std::vector<Note> notes;
  notes.reserve(kNotes);
  for (int i = 0; i < kNotes; ++i) {
    notes.push_back({.id = std::to_string(i),
                     .title = i % 4 != 0 ? "horse" : "horse two",
                     .type = i < 30 ? "rare" : "note",
                     .newest = static_cast<double>(i * 7919 % kNotes / 4)});
  }
  Put(notes);
  std::ranges::stable_sort(notes, std::greater<>(), &Note::newest);
  Query query{.order = "newest", .limit = 100};
  for (int page = 0; page < 5; ++page) {
    const Hits hits = Find(query);
    EXPECT_EQ(hits.total, static_cast<std::uint64_t>(kNotes));
    ASSERT_EQ(hits.items.size(), 100U);
    for (std::size_t i = 0; i < 100; ++i)
      ASSERT_EQ(hits.items[i].id, notes[static_cast<std::size_t>(page) * 100 + i].id);
    query.position = hits.next;
  }
  EXPECT_EQ(Find({.types = {"rare"}, .order = "newest"}).total, 30U);

  Hits hits = Find({.text = "horse", .limit = 1});
  EXPECT_FALSE(hits.is_total_exact);
  EXPECT_EQ(hits.items.size(), 1U);
  hits = Find({.text = "two"});
  EXPECT_TRUE(hits.is_total_exact);
  EXPECT_EQ(hits.total, 5'500U);
}

std::string Marked(const Hit& hit, std::string_view field) {
  std::string out;
  for (const Highlight& highlight : hit.highlights) {
    if (highlight.field != field) continue;
    for (const Segment& segment : highlight.segments)
      out += segment.is_match ? "[" + segment.text + "]" : segment.text;
  }
  return out;
}

TEST_P(SearchTest, HighlightsAreThePlainText) {
  Put({{.id = "1", .title = "<b>L'Étranger</b> & \"Co\"", .text = "nothing"},
       {.id = "2", .title = "日本語の本"},
       {.id = "3",
        .title = "long",
        .text = std::string(3000, 'x') + " before horse after " + std::string(3000, 'y')}});
  Hits hits = Find({.text = "etranger"});
  ASSERT_EQ(hits.items.size(), 1U);
  EXPECT_EQ(Marked(hits.items[0], "title"), "<b>L'[Étranger]</b> & \"Co\"");
  EXPECT_EQ(hits.items[0].highlights.size(), 1U);
  EXPECT_EQ(Marked(Find({.text = "日本語"}).items.at(0), "title"), "[日本語]の本");
  EXPECT_EQ(Marked(Find({.text = "etrangr"}).items.at(0), "title"), "<b>L'[Étranger]</b> & \"Co\"");
  const std::string text = Marked(Find({.text = "hors"}).items.at(0), "text");
  EXPECT_NE(text.find(" before [horse] after "), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("…") && text.ends_with("…"));
  EXPECT_LT(text.size(), 500U);
}

TEST_P(SearchTest, NothingThatIsTypedIsSyntax) {
  Put({{.id = "1", .title = "title OR near* \"quoted\" -minus col:on (paren) ^caret {brace}"}});
  for (const char* text : {"\"",
                           "\"\"",
                           "quoted\"",
                           "\"quoted",
                           "'",
                           "''; DROP TABLE words; --",
                           "title:near",
                           "body : x",
                           "-minus",
                           "NOT",
                           "AND",
                           "OR",
                           "AND AND",
                           "NEAR(",
                           "NEAR(a b)",
                           "near*",
                           "*",
                           "**",
                           "(",
                           ")",
                           "((((((",
                           "^",
                           "^caret",
                           "{brace}",
                           "{title body}:x",
                           "+",
                           "a + b",
                           "1_title",
                           "1-",
                           "_",
                           "%",
                           "\\",
                           "\x01\x02",
                           "\xff\xfe",
                           "\xc3",
                           "\xed\xa0\x80",
                           "🐎",
                           "\u0000"}) {
    const auto hits = index_->Find({.text = text, .may_see = {"public"}});
    EXPECT_TRUE(hits.ok()) << text << ": " << hits.error().message();
  }
  EXPECT_EQ(Ids("\"quoted\" NEAR OR (paren)"), "1");
  EXPECT_EQ(Ids(Find({.text = std::string("quoted\0col", 10)})), "1");
  EXPECT_EQ(Ids("1_"), "");     // a token is not a word
  EXPECT_EQ(Ids("\"*()"), "");  // and signs alone are not everything
  EXPECT_EQ(Find({.text = "", .may_see = {"\" OR *", "public"}}).total, 1U);
  EXPECT_EQ(Find({.text = "title", .types = {"\" OR \"1-"}}).total, 0U);
}

TEST_P(SearchTest, AnyBytesCanBeTyped) {
  Put({{.id = "1", .title = "horse \"and\" cart*", .text = "日本語"}});
  std::mt19937 random(3);
  constexpr std::string_view kParts[] = {"\"",   "'",    "*",  "(",    ")", "OR ",  "AND ",
                                         "NOT ", "NEAR", ":",  "-",    "^", "+",    "horse",
                                         "cart", " ",    "日", "\xff", "{", "}",    "\x01",
                                         "_",    "1_",   "1-", "é",    ",", "hrose"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t parts = random() % 12; parts > 0; --parts)
      text += kParts[random() % std::size(kParts)];
    const auto hits = index_->Find({.text = text, .may_see = {"public"}});
    ASSERT_TRUE(hits.ok()) << text << ": " << hits.error().message();
  }
}

TEST_P(SearchTest, ManyPartitionsAtOnce) {
  std::vector<Note> notes;
  std::vector<std::string> may_see;
  for (int i = 0; i < 400; ++i) {
    may_see.push_back(fmt::format("library:{}", i));
    notes.push_back({.id = std::to_string(i),
                     .title = "red horse house",
                     .visible_to = {may_see.back()},
                     .facets = {{"year", "2001"}}});
  }
  Put(notes);
  const Query query{.text = "red hrose hous",
                    .may_see = may_see,
                    .types = {"note", "other"},
                    .facets = {{"year", "2001"}},
                    .limit = 1000};
  EXPECT_EQ(Find(query).items.size(), 400U);
}

TEST_P(SearchTest, LongQueriesAreCut) {
  Put({{.id = "1", .title = "horse"}});
  EXPECT_EQ(Find({.text = "horse " + std::string(10'000, 'x')}).items.size(), 1U);
  std::string words = "horse";
  for (int i = 0; i < 5000; ++i)
    words += fmt::format(" word{}", i);
  EXPECT_EQ(Ids(words), "1");
  std::string emojis;
  for (int i = 0; i < 1000; ++i)
    emojis += "é";
  EXPECT_TRUE(index_->Find({.text = emojis, .may_see = {"public"}}).ok());
  std::vector<std::string> many(5000, "public");
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] += std::to_string(i);
  many[0] = "public";
  EXPECT_EQ(Ids(Find({.text = "horse", .may_see = many})), "1");
}

TEST_P(SearchTest, DocumentsMayHoldAnything) {
  Put({{.id = std::string("\0\xff'\"", 4),
        .title = std::string("a\0b \xff\xfe \" ' * zebra", 18),
        .visible_to = {"pub\"lic", std::string("x\0y", 3)},
        .type = "\"",
        .facets = {{"\"", ""}, {"", "\""}}},
       {.id = "empty", .title = ""}});
  const Hits hits = Find({.text = "zebra", .may_see = {"pub\"lic"}});
  ASSERT_EQ(hits.items.size(), 1U);
  EXPECT_EQ(hits.items[0].id, std::string("\0\xff'\"", 4));
  EXPECT_EQ(Find({.may_see = {std::string("x\0y", 3)}, .facets = {{"", "\""}}}).total, 1U);
  EXPECT_EQ(Find({.may_see = {"x"}}).total, 0U);
  EXPECT_EQ(Find({}).total, 1U);
}

TEST_P(SearchTest, ThePositionIsStoredWithTheDocuments) {
  EXPECT_EQ(*index_->Position(), "");
  Put({{.id = "1", .title = "horse"}}, "p1");
  EXPECT_EQ(*index_->Position(), "p1");
  Put({{.id = "2", .title = "horse"}});
  EXPECT_EQ(*index_->Position(), "p1");
  if (folder_.empty()) return;
  Open();
  EXPECT_EQ(*index_->Position(), "p1");
  EXPECT_EQ(Ids("horse"), "1 2");
}

TEST_P(SearchTest, WritingTheSameAgainChangesNothing) {
  const std::vector<Note> notes = {{.id = "1", .title = "horse", .text = "fast"},
                                   {.id = "2", .title = "house"}};
  Put(notes);
  const Hits before = Find({.text = "horse"});
  Put(notes, "p2");
  Put(notes, "p2");
  const Hits after = Find({.text = "horse"});
  ASSERT_EQ(Ids(after), Ids(before));
  EXPECT_EQ(after.items[0].score, before.items[0].score);
  EXPECT_EQ(after.total, before.total);
}

TEST_P(SearchTest, ARebuildKeepsWhatIsThereAndRemovesTheRest) {
  Put({{.id = "1", .title = "horse"}, {.id = "2", .title = "horse"}, {.id = "3", .title = "horse"}},
      "p1");
  ASSERT_TRUE(index_->BeginRebuild().ok());
  EXPECT_EQ(*index_->Position(), "");
  EXPECT_EQ(Ids("horse"), "1 2 3");
  Put({{.id = "2", .title = "horse"},
       {.id = "3", .title = "donkey"},
       {.id = "4", .title = "horse"}});
  ASSERT_TRUE(index_->EndRebuild("p2").ok());
  EXPECT_EQ(Ids("horse"), "2 4");
  EXPECT_EQ(Ids("donkey"), "3");
  EXPECT_EQ(*index_->Position(), "p2");
  Put({{.id = "5", .title = "horse"}}, "p3");
  EXPECT_EQ(Ids("horse"), "2 4 5");
}

TEST_P(SearchTest, AFileThatIsNoneIsMadeAnew) {
  if (folder_.empty()) return;
  Put({{.id = "1", .title = "horse"}}, "p1");
  index_.reset();
  std::ofstream(options_.file) << std::string(100'000, 'x');
  Open();
  EXPECT_EQ(*index_->Position(), "");
  EXPECT_EQ(Ids("horse"), "");
  Put({{.id = "1", .title = "horse"}}, "p1");
  EXPECT_EQ(Ids("horse"), "1");
  options_.orders = {"newest", "best"};
  Open();
  EXPECT_EQ(*index_->Position(), "");
}

TEST_P(SearchTest, DamageInsideIsNoticed) {
  if (folder_.empty()) return;
  std::vector<Note> notes;
  for (int i = 0; i < 2000; ++i)
    notes.push_back({.id = std::to_string(i), .title = fmt::format("horse number{}", i)});
  Put(notes, "p1");
  index_.reset();
  const auto size = std::filesystem::file_size(options_.file);
  std::fstream file(options_.file, std::ios::in | std::ios::out | std::ios::binary);
  for (std::uintmax_t at = 3 * 4096; at < size; at += 4096) {
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(1000, '\x5a');
  }
  file.close();
  Open();
  for (int i = 0; i < 50 && !index_->is_damaged(); ++i)
    static_cast<void>(index_->Find({.text = fmt::format("number{}", i), .may_see = {"public"}}));
  const bool was_lost = index_->Position().ok() && index_->Position()->empty();
  ASSERT_TRUE(index_->is_damaged() || was_lost);
  ASSERT_TRUE(index_->Recreate().ok());
  EXPECT_FALSE(index_->is_damaged());
  Put({{.id = "1", .title = "horse"}}, "p1");
  EXPECT_EQ(Ids("horse"), "1");
}

TEST_P(SearchTest, ManyThreadsReadWhileOneWrites) {
  std::atomic<bool> is_over = false;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 6; ++i) {
    readers.emplace_back([&] {
      while (!is_over) {
        // Both halves of a batch, or none.
        const auto hits = index_->Find({.text = "pair", .may_see = {"public"}, .limit = 1});
        if (!hits.ok() || hits->total % 2 != 0) ++wrong;
        const auto typo = index_->Find({.text = "hrose", .may_see = {"public"}});
        if (!typo.ok()) ++wrong;
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    Put({{.id = fmt::format("a{}", i), .title = fmt::format("pair horse{}", i)},
         {.id = fmt::format("b{}", i), .title = "pair horse"}});
    if (i % 3 == 2) {
      const Entry gone[] = {{.id = fmt::format("a{}", i - 1)}, {.id = fmt::format("b{}", i - 1)}};
      ASSERT_TRUE(index_->Write(gone, std::nullopt).ok());
    }
  }
  is_over = true;
  readers.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(Find({.text = "pair"}).total, 2 * (100U - 33U));
  EXPECT_EQ(Find({.text = "hrose"}).total, 67U);
}

TEST(EditDistance, CountsEachMistakeOnce) {
  EXPECT_EQ(EditDistance(U"horse", U"horse", 2), 0U);
  EXPECT_EQ(EditDistance(U"horse", U"hrose", 2), 1U);
  EXPECT_EQ(EditDistance(U"horse", U"hose", 2), 1U);
  EXPECT_EQ(EditDistance(U"horse", U"horses", 2), 1U);
  EXPECT_EQ(EditDistance(U"horse", U"house", 2), 1U);
  EXPECT_EQ(EditDistance(U"horse", U"mouse", 2), 2U);
  EXPECT_EQ(EditDistance(U"horse", U"table", 2), 3U);
  EXPECT_EQ(EditDistance(U"", U"ab", 2), 2U);
  EXPECT_EQ(EditDistance(U"ab", U"abcdef", 2), 3U);
}

}  // namespace
}  // namespace trestle::platform::search
