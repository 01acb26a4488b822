#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/mount.h"
#include "platform/request_shape.h"

namespace trestle::platform {

// Finds the route of a request among all apps' routes. Safe from many threads.
class Router {
 public:
  explicit Router(std::vector<Mount> mounts);
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  struct Match {
    const Mount* mount = nullptr;
    const Route* route = nullptr;  // null: see `allow`
    const RequestShapes* shapes = nullptr;
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
    const RequestShapes* shapes;
    std::vector<Segment> segments;
  };

  [[nodiscard]] static bool Fits(const Entry& entry, std::span<const std::string> segments);
  [[nodiscard]] static bool IsMoreExact(const Entry& left, const Entry& right);
  [[nodiscard]] static std::string Allow(std::span<const Entry* const> entries);

  const std::vector<Mount> mounts_;
  std::deque<RequestShapes> shapes_;  // one per mount
  std::vector<Entry> entries_;
  std::vector<std::string> names_;
};

// The names of a path's placeholders, in their order.
[[nodiscard]] std::vector<std::string_view> PlaceholdersOf(std::string_view path);

}  // namespace trestle::platform
