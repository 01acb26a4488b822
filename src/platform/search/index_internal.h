#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "platform/search/index.h"
#include "platform/search/sqlite.h"
#include "platform/search/terms_internal.h"
#include "platform/search/vocabulary.h"

// What is in the file:
//
//   meta        what the file is, and the position
//   partitions  a number for each word of Document::visible_to; how many documents and words it has
//   contents    the documents as they were given
//   documents   what ranking and sorting read of every hit, and therefore small
//   words       SQLite's full-text index, of tokens (terms_internal.h); it keeps no text
//   terms       how many documents of a partition have a word

namespace trestle::platform::search {

// Changes documents inside one transaction.
class IndexWriter {
 public:
  // `is_rebuild`: notes which documents were written.
  IndexWriter(Connection& connection, const std::vector<std::string>& orders, bool is_rebuild)
      : connection_(connection), orders_(orders), is_rebuild_(is_rebuild) {}

  [[nodiscard]] Status Apply(const Entry& entry);
  // Removes what was not written since the rebuild began.
  [[nodiscard]] Status RemoveUnseen();
  // Counts of words and documents, which many entries change together.
  [[nodiscard]] Status Finish();

  // Words that their partition did not have before.
  [[nodiscard]] const std::vector<std::pair<std::int64_t, std::string>>& new_terms() const {
    return new_terms_;
  }

 private:
  [[nodiscard]] Result<std::vector<std::int64_t>> Partitions(const Document& document);
  [[nodiscard]] Status Insert(const Entry& entry, const std::string& content);
  [[nodiscard]] Status Remove(std::int64_t number, const std::string& content);
  void Count(std::span<const std::int64_t> partitions, const DocumentTerms& terms, int by);
  [[nodiscard]] double OrderValue(const Document& document, std::size_t order) const;

  Connection& connection_;
  const std::vector<std::string>& orders_;
  const bool is_rebuild_;
  std::map<std::string, std::int64_t, std::less<>> partition_numbers_;
  struct Counts {
    std::int64_t documents = 0;
    std::int64_t length = 0;
  };
  std::map<std::int64_t, Counts> partition_counts_;
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> term_counts_;
  std::vector<std::pair<std::int64_t, std::string>> new_terms_;
};

[[nodiscard]] Status MakeSchema(Connection& connection, const std::vector<std::string>& orders,
                                std::string_view format);

// find.cc
[[nodiscard]] Result<Hits> FindHits(Connection& connection, Vocabulary& vocabulary,
                                    const std::vector<std::string>& orders, const Query& query);

}  // namespace trestle::platform::search
