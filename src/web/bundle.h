#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace trestle::web {

// One form of a file.
struct Asset {
  std::string_view bytes;
  std::string_view media_type;
  std::string_view encoding;  // "br", "gzip" or empty
  std::string_view hash;      // of the file, whatever the form
};

// All files of the pages in one:
//
//   bundle := line* LF bytes
//   line   := path TAB media-type TAB encoding TAB hash TAB offset TAB length LF
//
// Offsets count from the first of the bytes. A path stands once for each of its forms, the smallest
// first and the plain one, whose encoding is "-", last.
class Bundle {
 public:
  // Looks into `bytes`, which must outlive it. kCorruption when they are no bundle.
  [[nodiscard]] static Result<Bundle> Parse(std::string_view bytes);

  // The first form that the client takes. A path below a page is that page: what comes behind is
  // the page's own state. Null when there is none.
  struct Wish {
    std::string_view path;
    std::string_view accept_encodings;
  };
  [[nodiscard]] const Asset* Find(const Wish& wish) const;

  [[nodiscard]] bool empty() const { return assets_.empty(); }

 private:
  std::map<std::string, std::vector<Asset>, std::less<>> assets_;
};

}  // namespace trestle::web
