#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "design/model.h"
#include "json/json.h"

namespace trestle::platform {

class Call;  // who calls, path and query parameters, body, and the app's data

// Who may use a route. The service asks before the handler runs, and the write's condition asks
// again. All but kPublic need somebody who is signed in.
enum class Access : std::uint8_t {
  kPublic,
  kSignedIn,
  kOwner,
  kRecipient,
  kCurator,
  kAuthor,
  kModerator,
  kAdmin,
};

// What a route is about: for a handler that serves several routes, and for the API's description.
using Subject = std::variant<std::monostate, const design::Entity*, const design::Access*,
                             const design::Operation*>;

// Runs on a worker, as plain code that may block. What it writes to `reply` is the body; an empty
// one is none. An error becomes a problem (problem.h), and what was written is dropped.
using Handle = Status (*)(Call& call, json::Writer& reply);

struct Route {
  std::string_view method;
  std::string_view path;  // below the app: "/customers/{customerId}/tickets", or "" for itself
  Access access = Access::kSignedIn;
  Handle handle = nullptr;
  std::string_view summary = {};  // one sentence without its full stop
  Subject subject = {};
};

// An app is a table of routes and the functions behind them, over the run time of one design. It
// knows neither sockets nor tokens nor RocksDB.
struct App {
  std::string_view name;  // also where it is mounted: /api/<name>/v1
  std::string_view title;
  std::span<const Route> routes;
};

}  // namespace trestle::platform
