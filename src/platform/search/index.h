#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "platform/search/document.h"
#include "platform/search/query.h"

namespace trestle::platform::search {

struct IndexOptions {
  std::string file;                 // empty: in memory
  std::vector<std::string> orders;  // names of sort orders, at most kOrdersMax
};
inline constexpr std::size_t kOrdersMax = 4;

// One change of the index.
struct Entry {
  std::string id;
  std::optional<Document> document;  // nothing: it goes
};

// The documents of one app and how to find them: a file of SQLite with its full-text index. It is
// made from a table and can always be made again, so a file that is damaged, or of another version
// or other orders, is replaced by an empty one.
//
// Safe from many threads: one writes, several read beside it.
class Index {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Index>> Open(const IndexOptions& options);
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  // kValidation: a position or an order that is none.
  [[nodiscard]] Result<Hits> Find(const Query& query);

  // Makes the entries so, in their order, and stores the position with them, all or nothing.
  // Without a position it stays what it was.
  [[nodiscard]] Status Write(std::span<const Entry> entries,
                             const std::optional<std::string>& position);
  // How far the stream is in it; empty: it is not a whole picture of a table yet.
  [[nodiscard]] Result<std::string> Position();

  // A rebuild: begin, write everything that is there, end. Documents that were not written between
  // go at the end, and the position is stored. What was there can be found meanwhile.
  [[nodiscard]] Status BeginRebuild();
  [[nodiscard]] Status EndRebuild(const std::string& position);

  // Throws everything away, also what cannot be read.
  [[nodiscard]] Status Recreate();
  // Whether something in the file could not be read. Only Recreate helps.
  [[nodiscard]] bool is_damaged() const;

 private:
  class Impl;
  explicit Index(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace trestle::platform::search
