#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "platform/search/index_internal.h"

namespace trestle::platform::search {

Status MakeSchema(Connection& connection, const std::vector<std::string>& orders,
                  std::string_view format) {
  TRY(connection.Run(R"(
    CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE partitions(no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
                            documents INTEGER NOT NULL DEFAULT 0,
                            length INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE contents(no INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, content BLOB NOT NULL);
    CREATE TABLE documents(no INTEGER PRIMARY KEY, length INTEGER NOT NULL,
                           order0 REAL, order1 REAL, order2 REAL, order3 REAL);
    CREATE TABLE terms(partition INTEGER, term TEXT, documents INTEGER NOT NULL,
                       PRIMARY KEY(partition, term)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE words USING fts5(title, people, tags, body, marks, content='',
                                          tokenize="ascii tokenchars '_-'");
  )"));
  for (std::size_t order = 0; order < orders.size(); ++order) {
    TRY(connection.Run(fmt::format("CREATE INDEX by_order{0} ON documents(order{0} DESC)", order)));
  }
  Statement& insert = *TRY(connection.Prepare("INSERT INTO meta VALUES('format', ?1)"));
  return insert.Bind(1, format).Run();
}

Result<std::vector<std::int64_t>> IndexWriter::Partitions(const Document& document) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(document.visible_to.size());
  for (const std::string& name : document.visible_to) {
    auto found = partition_numbers_.find(name);
    if (found == partition_numbers_.end()) {
      Statement& insert = *TRY(
          connection_.Prepare("INSERT INTO partitions(name) VALUES(?1) ON CONFLICT DO NOTHING"));
      TRY(insert.Bind(1, name).Run());
      Statement& select = *TRY(connection_.Prepare("SELECT no FROM partitions WHERE name = ?1"));
      if (!TRY(select.Bind(1, name).Step())) return CorruptionError("a partition is missing");
      found = partition_numbers_.emplace(name, select.Integer(0)).first;
      select.Reset();
    }
    numbers.push_back(found->second);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void IndexWriter::Count(std::span<const std::int64_t> partitions, const DocumentTerms& terms,
                        int by) {
  for (const std::int64_t partition : partitions) {
    Counts& counts = partition_counts_[partition];
    counts.documents += by;
    counts.length += by * static_cast<std::int64_t>(terms.length);
    for (const std::string& term : terms.distinct)
      term_counts_[{partition, term}] += by;
  }
}

double IndexWriter::OrderValue(const Document& document, std::size_t order) const {
  if (order >= orders_.size()) return 0;
  const auto found = std::ranges::find(document.sort_values, orders_[order], &SortValue::order);
  return found == document.sort_values.end() ? 0 : found->value;
}

Status IndexWriter::Insert(const Entry& entry, const std::string& content) {
  const Document& document = *entry.document;
  const DocumentTerms terms = TermsOf(document);
  const std::vector<std::int64_t> partitions = TRY(Partitions(document));

  Statement& contents =
      *TRY(connection_.Prepare("INSERT INTO contents(id, content) VALUES(?1, ?2)"));
  TRY(contents.BindBlob(1, entry.id).BindBlob(2, content).Run());
  const std::int64_t number = connection_.last_row();

  Statement& documents =
      *TRY(connection_.Prepare("INSERT INTO documents VALUES(?1, ?2, ?3, ?4, ?5, ?6)"));
  documents.Bind(1, number).Bind(2, static_cast<std::int64_t>(terms.length));
  for (std::size_t order = 0; order < kOrdersMax; ++order)
    documents.Bind(static_cast<int>(order) + 3, OrderValue(document, order));
  TRY(documents.Run());

  Statement& words =
      *TRY(connection_.Prepare("INSERT INTO words(rowid, title, people, tags, body, marks) "
                               "VALUES(?1, ?2, ?3, ?4, ?5, ?6)"));
  words.Bind(1, number);
  const auto columns = ColumnsOf(terms, partitions);
  for (std::size_t i = 0; i < columns.size(); ++i)
    words.Bind(static_cast<int>(i) + 2, std::string_view(columns[i]));
  TRY(words.Run());
  Count(partitions, terms, 1);
  return Ok();
}

// An index that keeps no text must be told what it has of the row.
Status IndexWriter::Remove(std::int64_t number, const std::string& content) {
  const auto document = DecodeDocument(content);
  if (!document) return CorruptionError("a document of the search index cannot be read");
  const DocumentTerms terms = TermsOf(*document);
  const std::vector<std::int64_t> partitions = TRY(Partitions(*document));
  Statement& words =
      *TRY(connection_.Prepare("INSERT INTO words(words, rowid, title, people, tags, body, marks) "
                               "VALUES('delete', ?1, ?2, ?3, ?4, ?5, ?6)"));
  words.Bind(1, number);
  const auto columns = ColumnsOf(terms, partitions);
  for (std::size_t i = 0; i < columns.size(); ++i)
    words.Bind(static_cast<int>(i) + 2, std::string_view(columns[i]));
  TRY(words.Run());
  Statement& documents = *TRY(connection_.Prepare("DELETE FROM documents WHERE no = ?1"));
  TRY(documents.Bind(1, number).Run());
  Statement& contents = *TRY(connection_.Prepare("DELETE FROM contents WHERE no = ?1"));
  TRY(contents.Bind(1, number).Run());
  Count(partitions, terms, -1);
  return Ok();
}

Status IndexWriter::Apply(const Entry& entry) {
  Statement& select = *TRY(connection_.Prepare("SELECT no, content FROM contents WHERE id = ?1"));
  const bool is_there = TRY(select.BindBlob(1, entry.id).Step());
  std::int64_t number = is_there ? select.Integer(0) : 0;
  const std::string before(is_there ? select.Text(1) : std::string_view());
  select.Reset();
  const std::string content = entry.document ? EncodeDocument(*entry.document) : std::string();
  const bool is_same = is_there && entry.document && before == content;
  if (!is_same) {
    if (is_there) TRY(Remove(number, before));
    if (!entry.document) return Ok();
    TRY(Insert(entry, content));
    number = connection_.last_row();
  }
  if (!is_rebuild_) return Ok();
  Statement& seen = *TRY(connection_.Prepare("INSERT OR IGNORE INTO temp.seen VALUES(?1)"));
  return seen.Bind(1, number).Run();
}

Status IndexWriter::RemoveUnseen() {
  constexpr std::string_view kSelect =
      "SELECT no, content FROM contents WHERE no > ?1 AND no NOT IN temp.seen ORDER BY no LIMIT 1";
  for (std::int64_t number = 0;;) {
    Statement& select = *TRY(connection_.Prepare(kSelect));
    if (!TRY(select.Bind(1, number).Step())) return Ok();
    number = select.Integer(0);
    const std::string content(select.Text(1));
    select.Reset();
    TRY(Remove(number, content));
  }
}

Status IndexWriter::Finish() {
  Statement& partitions = *TRY(
      connection_.Prepare("UPDATE partitions SET documents = documents + ?2, length = length + ?3 "
                          "WHERE no = ?1"));
  for (const auto& [partition, counts] : partition_counts_) {
    TRY(partitions.Bind(1, partition).Bind(2, counts.documents).Bind(3, counts.length).Run());
  }
  Statement& add = *TRY(
      connection_.Prepare("INSERT INTO terms VALUES(?1, ?2, ?3) ON CONFLICT DO UPDATE "
                          "SET documents = documents + excluded.documents RETURNING documents"));
  Statement& remove =
      *TRY(connection_.Prepare("DELETE FROM terms WHERE partition = ?1 AND term = ?2"));
  for (const auto& [key, count] : term_counts_) {
    if (count == 0) continue;
    add.Bind(1, key.first).Bind(2, std::string_view(key.second)).Bind(3, count);
    const std::int64_t now = TRY(add.Step()) ? add.Integer(0) : 0;
    add.Reset();
    if (now <= 0) {
      TRY(remove.Bind(1, key.first).Bind(2, std::string_view(key.second)).Run());
    } else if (now == count) {
      new_terms_.push_back(key);
    }
  }
  return Ok();
}

}  // namespace trestle::platform::search
