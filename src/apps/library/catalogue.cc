// What a code or a title may be: a table in memory, and the index of its titles.

#include "apps/library/catalogue.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "apps/library/isbn.h"
#include "apps/library/library_internal.h"
#include "base/check.h"
#include "platform/csv.h"
#include "platform/problem.h"
#include "platform/search/index.h"
#include "platform/values.h"
#include "text/unicode.h"
#include "text/words.h"

namespace trestle::apps::library {
namespace {

namespace search = platform::search;
using platform::Catalogue;
using platform::TextOf;

constexpr std::string_view kEverybody = "all";
constexpr std::size_t kEntriesPerWrite = 1000;
// Who has no more in common with a question than words that a tenth of a catalogue has is not what
// was meant. In a small one no word says so little.
constexpr std::size_t kCommonPart = 10;
constexpr std::size_t kCommonRowsMin = 10;

// In the style of a shop: our own words about what is long known.
constexpr std::string_view kSampleText =
    "type,title,authors,isbn,directors,cast,releaseYear,duration,code,summary\n"
    "book,Pride and Prejudice,Jane Austen,9780141439518,,,,,,First impressions are wrong twice.\n"
    "book,Emma,Jane Austen,9780141439587,,,,,,\"A matchmaker is wrong about everybody, herself "
    "first.\"\n"
    "book,Middlemarch,George Eliot,9780141439549,,,,,,\"A whole town thinks, marries and "
    "regrets.\"\n"
    "book,Frankenstein,Mary Shelley,9780141439471,,,,,,A student makes a person and runs away.\n"
    "book,Dracula,Bram Stoker,9780141439846,,,,,,Letters about a guest who is never hungry.\n"
    "book,Moby-Dick,Herman Melville,9780142437247,,,,,,Everything there is to know about whales.\n"
    "book,The Time Machine,H. G. Wells,9780141439976,,,,,,A short trip with a long way back.\n"
    "video,Metropolis,,,Fritz Lang,Brigitte Helm; Gustav Fröhlich,1927,153,4006381333931,\"A city "
    "of towers, and what is below them.\"\n"
    "video,Nosferatu,,,F. W. Murnau,Max Schreck,1922,94,4012345678901,A shadow climbs the stairs.\n"
    "video,The General,,,Buster Keaton; Clyde Bruckman,Buster Keaton,1926,78,5012345678900,\"A "
    "locomotive, and the man who loves it.\"\n";

class TableCatalogue final : public Catalogue {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Catalogue>> Read(std::string_view text) {
    std::unique_ptr<TableCatalogue> catalogue(new TableCatalogue);
    catalogue->lines_ = TRY(platform::ParseCsv(text));
    if (catalogue->lines_.empty()) return ValidationError("the catalogue has no header");
    TRY(catalogue->CheckHeader());
    catalogue->index_ = TRY(search::Index::Open({}));
    std::vector<search::Entry> entries;
    for (std::size_t row = 1; row < catalogue->lines_.size(); ++row) {
      auto entry = catalogue->Take(row);
      if (!entry.ok()) {
        return ValidationError(fmt::format("row {}: {}", row, entry.error().message()));
      }
      entries.push_back(*std::move(entry));
      if (entries.size() < kEntriesPerWrite && row + 1 < catalogue->lines_.size()) continue;
      TRY(catalogue->index_->Write(entries, std::nullopt));
      entries.clear();
    }
    return std::unique_ptr<Catalogue>(std::move(catalogue));
  }

  [[nodiscard]] Result<std::vector<Entry>> Find(const Question& question) const override {
    std::vector<Entry> found;
    if (!question.code.empty()) {
      const auto [begin, end] = codes_.equal_range(question.type + question.code);
      for (auto it = begin; it != end && found.size() < question.limit; ++it)
        found.push_back(EntryOf(it->second));
      return found;
    }
    const std::string words = WithoutCommonWords(question.title);
    if (words.empty()) return found;
    const search::Hits hits =
        TRY(index_->Find({.text = words,
                          .may_see = {std::string(kEverybody)},
                          .types = {question.type},
                          .limit = static_cast<std::uint32_t>(question.limit)}));
    found.reserve(hits.items.size());
    for (const search::Hit& hit : hits.items)
      if (HasRareWord(hit)) found.push_back(EntryOf(std::stoul(hit.payload)));
    return found;
  }

 private:
  TableCatalogue() = default;

  [[nodiscard]] bool IsCommon(const std::string& term) const {
    const auto found = row_counts_.find(term);
    const std::size_t rows = found == row_counts_.end() ? 0 : found->second;
    return rows >= kCommonRowsMin && rows * kCommonPart >= lines_.size() - 1;
  }

  [[nodiscard]] std::string WithoutCommonWords(std::string_view text) const {
    std::string words;
    for (const text::Word& word : text::Words(text)) {
      if (IsCommon(word.term)) continue;
      if (!words.empty()) words += ' ';
      words += text.substr(word.start, word.end - word.start);
    }
    return words;
  }

  // A typo or a beginning may have found a common word all the same.
  [[nodiscard]] bool HasRareWord(const search::Hit& hit) const {
    for (const search::Highlight& highlight : hit.highlights)
      for (const search::Segment& segment : highlight.segments)
        if (segment.is_match && !WithoutCommonWords(segment.text).empty()) return true;
    return false;
  }

  [[nodiscard]] Status CheckHeader() const {
    for (const std::string& name : lines_.front()) {
      const bool is_code = text::Lower(text::Trim(name)) == "code";
      if (!is_code && !IsImportColumn(name)) {
        return ValidationError(fmt::format("there is no column of the name {}", name));
      }
    }
    return Ok();
  }

  [[nodiscard]] std::string TextAt(std::size_t row, std::string_view column) const {
    const platform::CsvRow& header = lines_.front();
    for (std::size_t i = 0; i < header.size() && i < lines_[row].size(); ++i)
      if (text::Lower(text::Trim(header[i])) == column) {
        return std::string(text::Trim(lines_[row][i]));
      }
    return {};
  }

  // Remembers the codes of a row, and describes it for the index.
  [[nodiscard]] Result<search::Entry> Take(std::size_t row) {
    const ImportRow read = TRY(ReadImportRow(lines_.front(), lines_[row]));
    const std::string title = TextOf(read.item, "Title");
    if (title.empty()) return ValidationError("it has no title");
    const std::string type = read.kind == "Book" ? "book" : "video";
    for (const std::string_view column : {"isbn", "code"}) {
      const std::string text = TextAt(row, column);
      if (text.empty() || (column == "isbn" && type != "book")) continue;
      const auto code = CatalogueCode(type, text);
      if (!code) return ValidationError(fmt::format("{} has a wrong check digit", text));
      codes_.emplace(type + *code, row);
    }
    search::Document document{.id = std::to_string(row),
                              .type = type,
                              .visible_to = {std::string(kEverybody)},
                              .fields = {},
                              .facets = {},
                              .sort_values = {},
                              .payload = std::to_string(row)};
    document.fields.push_back({.name = "title", .rank = search::FieldRank::kTitle, .text = title});
    const std::string people = TextAt(row, type == "book" ? "authors" : "directors");
    if (!people.empty()) {
      document.fields.push_back(
          {.name = "people", .rank = search::FieldRank::kPeople, .text = people});
    }
    const std::string searched = title + " " + people;
    std::set<std::string> terms;
    for (const text::Word& word : text::Words(searched))
      terms.insert(word.term);
    for (const std::string& term : terms)
      ++row_counts_[term];
    std::string id = document.id;
    return search::Entry{.id = std::move(id), .document = std::move(document)};
  }

  [[nodiscard]] Entry EntryOf(std::size_t row) const {
    const platform::CsvRow& header = lines_.front();
    Entry entry;
    for (std::size_t i = 0; i < header.size() && i < lines_[row].size(); ++i)
      if (!lines_[row][i].empty()) entry.emplace_back(header[i], lines_[row][i]);
    return entry;
  }

  std::vector<platform::CsvRow> lines_;                      // the first one is the header
  std::multimap<std::string, std::size_t> codes_;            // type and code: the row
  std::unordered_map<std::string, std::size_t> row_counts_;  // by word
  std::unique_ptr<search::Index> index_;
};

}  // namespace

std::optional<std::string> CatalogueCode(std::string_view type, std::string_view code) {
  if (type != "book") return NormalisedEan(code);
  const auto isbn = NormalisedIsbn(code);
  return isbn ? std::optional(IsbnWith13(*isbn)) : std::nullopt;
}

Result<std::unique_ptr<Catalogue>> ReadCatalogue(std::string_view text) {
  return TableCatalogue::Read(text);
}

std::unique_ptr<Catalogue> SampleCatalogue() {
  auto catalogue = ReadCatalogue(kSampleText);
  CHECK(catalogue.ok(), "a sample that is right");
  return *std::move(catalogue);
}

}  // namespace trestle::apps::library
