#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "value/document_path.h"
#include "value/item.h"

namespace trestle::value {

// An item under change. Only what a path leads through is taken apart; everything else stays the
// bytes it was. The item it was made from must outlive it. List positions in all paths, of Set
// and of Remove, count in the list as it was in that item. No path leads into what another one
// has set or removed.
class Document {
 public:
  explicit Document(ItemView item);
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  // Puts `value` (encoded) at `path`. A list index past the end appends; several of them append in
  // order of their indexes. False when the way there does not exist or leads through a value of
  // another type.
  [[nodiscard]] bool Set(const DocumentPath& path, std::string value);

  // Removes what is at `path`, if anything is there; Finish closes the gaps in lists. False when
  // the way to the parent does not exist or leads through a value of another type.
  [[nodiscard]] bool Remove(const DocumentPath& path);

  // The changed item. Called once, at the end.
  [[nodiscard]] Item Finish();

 private:
  struct Node;

  ItemView item_;
  std::unique_ptr<Node> root_;
  std::size_t set_bytes_ = 0;  // how much Set has put in
};

}  // namespace trestle::value
