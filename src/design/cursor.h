#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"
#include "value/item.h"

// Where a page of an access pattern ended, as text for callers to give back. It names the access
// and its arguments, so that it is refused with any other. It is not sealed: who hands it to
// strangers signs it. A start key that was changed by hand cannot leave the partition of the query.
//
//   text   := base64url without padding of bytes
//   bytes  := 01 scope place-count place* order
//   scope  := the first 16 bytes of a SHA-256 over access, arguments and direction
//   place  := 00 | 01 item | 02              from the start, behind this key, at the end
//   item   := varint length, item bytes      (value/item.h)
//   order  := varint length bytes            of a page that was sorted after reading

namespace trestle::design {

// Of one of the requests that an access becomes.
struct CursorPlace {
  std::optional<value::Item> after = std::nullopt;  // the key of the last item that was returned
  bool is_at_end = false;
};

struct Cursor {
  std::vector<CursorPlace> places;
  std::string order;  // of the last item that was returned
};

[[nodiscard]] std::string CursorScope(const Access& access, const Record& arguments,
                                      bool is_descending);

[[nodiscard]] std::string EncodeCursor(const Cursor& cursor, std::string_view scope);

// kValidation when it is no cursor, or one of another scope.
[[nodiscard]] Result<Cursor> DecodeCursor(std::string_view text, std::string_view scope);

}  // namespace trestle::design
