#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "platform/search/terms_internal.h"
#include "text/unicode.h"
#include "text/words.h"

namespace trestle::platform::search {
namespace {

void SortUnique(std::vector<std::string>& texts) {
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out += text;
}

// Reads what the functions above write; the first thing that does not fit spoils it.
class BlobReader {
 public:
  explicit BlobReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t Number() {
    std::uint64_t number = 0;
    if (!TakeVarint(rest_, number)) is_good_ = false;
    return is_good_ ? number : 0;
  }
  std::string Text() { return std::string(Bytes(Number())); }
  // How many of something follow, each of at least one byte.
  std::size_t Count() {
    const std::uint64_t count = Number();
    if (count > rest_.size()) is_good_ = false;
    return is_good_ ? static_cast<std::size_t>(count) : 0;
  }
  std::string_view Bytes(std::uint64_t size) {
    if (size > rest_.size()) is_good_ = false;
    if (!is_good_) return {};
    const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool is_read() const { return is_good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace

DocumentTerms TermsOf(const Document& document) {
  DocumentTerms terms;
  for (const Field& field : document.fields) {
    auto& words = terms.words[static_cast<std::size_t>(field.rank)];
    for (text::Word& word : text::Words(field.text)) {
      terms.distinct.push_back(word.term);
      words.push_back(std::move(word.term));
      ++terms.length;
    }
  }
  SortUnique(terms.distinct);
  terms.marks.reserve(document.facets.size() + 2);
  terms.marks.emplace_back();
  terms.marks.push_back(TypeMark(document.type));
  for (const Facet& facet : document.facets)
    terms.marks.push_back(FacetMark(facet));
  SortUnique(terms.marks);
  return terms;
}

std::array<std::string, kColumns> ColumnsOf(const DocumentTerms& terms,
                                            std::span<const std::int64_t> partitions) {
  std::array<std::string, kColumns> columns;
  for (const std::int64_t partition : partitions) {
    const std::string prefix = WordToken(partition, "");
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      for (const std::string& word : terms.words[rank]) {
        columns[rank] += prefix;
        columns[rank] += word;
        columns[rank] += ' ';
      }
    }
    for (const std::string& mark : terms.marks)
      columns[kRanks] += MarkToken(partition, mark) + ' ';
  }
  return columns;
}

std::string WordToken(std::int64_t partition, std::string_view term) {
  return fmt::format("{}_{}", partition, term);
}

std::string MarkToken(std::int64_t partition, std::string_view mark) {
  return fmt::format("{}-{}", partition, mark);
}

std::string TypeMark(std::string_view type) {
  return fmt::format("{:016x}", StableHash(fmt::format("type {}", type)));
}

std::string FacetMark(const Facet& facet) {
  return fmt::format("{:016x}", StableHash(fmt::format("facet {} {} {}", facet.name.size(),
                                                       facet.name, text::Fold(facet.value))));
}

std::string EncodeDocument(const Document& document) {
  std::string out;
  AppendText(out, document.type);
  AppendVarint(out, document.visible_to.size());
  for (const std::string& name : document.visible_to)
    AppendText(out, name);
  AppendVarint(out, document.fields.size());
  for (const Field& field : document.fields) {
    AppendText(out, field.name);
    out.push_back(static_cast<char>(field.rank));
    AppendText(out, field.text);
  }
  AppendVarint(out, document.facets.size());
  for (const Facet& facet : document.facets) {
    AppendText(out, facet.name);
    AppendText(out, facet.value);
  }
  AppendVarint(out, document.sort_values.size());
  for (const SortValue& value : document.sort_values) {
    AppendText(out, value.order);
    AppendU64Be(out, std::bit_cast<std::uint64_t>(value.value));
  }
  AppendText(out, document.payload);
  return out;
}

std::optional<Document> DecodeDocument(std::string_view bytes) {
  BlobReader reader(bytes);
  Document document{.type = reader.Text()};
  for (std::size_t left = reader.Count(); left > 0 && reader.is_good(); --left)
    document.visible_to.push_back(reader.Text());
  for (std::size_t left = reader.Count(); left > 0 && reader.is_good(); --left) {
    Field& field = document.fields.emplace_back();
    field.name = reader.Text();
    const std::string_view rank = reader.Bytes(1);
    if (rank.empty() || static_cast<std::uint8_t>(rank[0]) >= kRanks) return std::nullopt;
    field.rank = static_cast<FieldRank>(rank[0]);
    field.text = reader.Text();
  }
  for (std::size_t left = reader.Count(); left > 0 && reader.is_good(); --left) {
    Facet& facet = document.facets.emplace_back();
    facet.name = reader.Text();
    facet.value = reader.Text();
  }
  for (std::size_t left = reader.Count(); left > 0 && reader.is_good(); --left) {
    SortValue& value = document.sort_values.emplace_back();
    value.order = reader.Text();
    const std::string_view number = reader.Bytes(8);
    if (number.size() == 8) value.value = std::bit_cast<double>(ReadU64Be(number));
  }
  document.payload = reader.Text();
  if (!reader.is_read()) return std::nullopt;
  return document;
}

}  // namespace trestle::platform::search
