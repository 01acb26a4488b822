#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/runtime.h"
#include "platform/app.h"

namespace trestle::platform {

// An app and the data that it works on, which both outlive the router.
struct Mount {
  const App* app = nullptr;
  design::Runtime* runtime = nullptr;
};

// Finds the route of a request among all apps' routes. Safe from many threads.
class Router {
 public:
  explicit Router(std::vector<Mount> mounts);
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  struct Match {
    const Mount* mount = nullptr;
    const Route* route = nullptr;     // null: see `allow`
    std::size_t route_index = 0;      // counted over all apps
    std::vector<std::string> values;  // of the path's placeholders, in their order
    std::string allow;                // the path's methods: "GET, HEAD, OPTIONS"; empty: none
  };
  // `segments` is the whole path, decoded. Where two routes fit, a written segment goes before a
  // placeholder. HEAD is answered by GET's route.
  [[nodiscard]] Match Find(std::string_view method, std::span<const std::string> segments) const;

  [[nodiscard]] std::span<const Mount> mounts() const { return mounts_; }

  // "GET /api/notes/v1/Note/{email}/{id}", by route_index.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  struct Segment {
    std::string text;  // empty: a placeholder
  };
  struct Entry {
    const Mount* mount;
    const Route* route;
    std::vector<Segment> segments;
  };

  [[nodiscard]] static bool Fits(const Entry& entry, std::span<const std::string> segments);
  [[nodiscard]] static bool IsMoreExact(const Entry& left, const Entry& right);
  [[nodiscard]] static std::string Allow(std::span<const Entry* const> entries);

  const std::vector<Mount> mounts_;
  std::vector<Entry> entries_;
  std::vector<std::string> names_;
};

// Where an app's routes begin: "/api/notes/v1".
[[nodiscard]] std::string MountPath(const App& app);

// The names of a path's placeholders, in their order.
[[nodiscard]] std::vector<std::string_view> PlaceholdersOf(std::string_view path);

}  // namespace trestle::platform
