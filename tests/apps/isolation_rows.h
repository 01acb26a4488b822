#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace trestle::apps::testing {

// What somebody meets who uses a route with the ids of another person.
enum class Verdict : std::uint8_t {
  kHidden,     // 404, as if there was nothing
  kNowhere,    // 400: what the body names is not there
  kForbidden,  // 403: it may be known that it is there
  kOwn,        // it is about the caller alone, whatever the ids
  kOpen,       // everybody may
};

struct Verdicts {
  Verdict others;             // of what is nobody else's business
  Verdict visitors = others;  // of what was shared or published
};

// A request of a route that is good when its owner sends it. `<name>` in query and body stands for
// something of the owner's (Things); a body that is not JSON is CSV or a PNG.
struct Row {
  std::string_view method;
  std::string_view path;
  Verdicts verdicts;
  std::string_view body = {};
  std::string_view query = {};
  bool has_pages = true;  // of a list: its owner has more than one of it
};

// Of every route of every app, one row.
struct AppRows {
  std::string_view app;
  std::span<const Row> rows;
};
[[nodiscard]] std::span<const AppRows> IsolationRows();
// And of what is there beside the apps: accounts, and what operators see.
[[nodiscard]] std::span<const AppRows> PlatformRows();

}  // namespace trestle::apps::testing
