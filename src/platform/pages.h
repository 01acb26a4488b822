#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

// Files that browsers load: pages, scripts, styles.

namespace trestle::platform {

struct Page {
  std::string body;
  std::string content_type;
  std::string encoding;  // of the body: "gzip"; empty: none
  std::string etag;      // with its quotes
  // Its address changes with its contents: it may be kept for ever.
  bool is_immutable = false;
};

// Where they come from. Safe from many threads; asked on a loop, so it must not wait.
class Pages {
 public:
  virtual ~Pages() = default;

  struct Wish {
    std::string_view path;              // of the request, not decoded
    std::string_view accept_encodings;  // its Accept-Encoding
  };
  [[nodiscard]] virtual std::optional<Page> Find(const Wish& wish) const = 0;
};

// The answer to a GET or HEAD, if it is about a page. The root is a page for who asks for HTML; for
// programs it is the list of apps.
[[nodiscard]] std::optional<http::Response> FindPage(const Pages& pages,
                                                     const http::Request& request);

}  // namespace trestle::platform
