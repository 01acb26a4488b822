#include "platform/router.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace trestle::platform {
namespace {

std::vector<std::string_view> SplitRoutePath(std::string_view path) {
  std::vector<std::string_view> segments;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    segments.push_back(segment);
    path.remove_prefix(segment.size());
  }
  return segments;
}

bool IsPlaceholder(std::string_view segment) { return segment.starts_with('{'); }

}  // namespace

std::vector<std::string_view> PlaceholdersOf(std::string_view path) {
  std::vector<std::string_view> names;
  for (const std::string_view segment : SplitRoutePath(path)) {
    if (IsPlaceholder(segment)) names.push_back(segment.substr(1, segment.size() - 2));
  }
  return names;
}

Router::Router(std::vector<Mount> mounts) : mounts_(std::move(mounts)) {
  for (const Mount& mount : mounts_) {
    const RequestShapes& shapes = shapes_.emplace_back(*mount.app);
    for (const Route& route : mount.app->routes) {
      const std::string path = MountPath(*mount.app) + std::string(route.path);
      Entry entry = {.mount = &mount, .route = &route, .shapes = &shapes, .segments = {}};
      for (const std::string_view segment : SplitRoutePath(path)) {
        entry.segments.push_back({IsPlaceholder(segment) ? std::string() : std::string(segment)});
      }
      entries_.push_back(std::move(entry));
      names_.push_back(fmt::format("{} {}", route.method, path));
    }
  }
}

bool Router::Fits(const Entry& entry, std::span<const std::string> segments) {
  // The app itself, with a slash at the end or without.
  const bool has_slash = segments.size() == entry.segments.size() + 1 && segments.back().empty();
  if (entry.route->path.empty() && has_slash) segments = segments.first(entry.segments.size());
  if (entry.segments.size() != segments.size()) return false;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string& text = entry.segments[i].text;
    if (text.empty() ? segments[i].empty() : text != segments[i]) return false;
  }
  return true;
}

bool Router::IsMoreExact(const Entry& left, const Entry& right) {
  for (std::size_t i = 0; i < left.segments.size(); ++i) {
    const bool left_is_text = !left.segments[i].text.empty();
    if (left_is_text != !right.segments[i].text.empty()) return left_is_text;
  }
  return false;
}

std::string Router::Allow(std::span<const Entry* const> entries) {
  constexpr std::array<std::string_view, 5> kMethods = {"GET", "PUT", "POST", "PATCH", "DELETE"};
  std::string allow;
  for (const std::string_view method : kMethods) {
    const auto has_method = [method](const Entry* entry) { return entry->route->method == method; };
    if (!std::ranges::any_of(entries, has_method)) continue;
    allow += method == "GET" ? "GET, HEAD, " : fmt::format("{}, ", method);
  }
  return allow.empty() ? allow : allow + "OPTIONS";
}

Router::Match Router::Find(std::string_view method, std::span<const std::string> segments) const {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  std::vector<const Entry*> fitting;
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    if (!Fits(entry, segments)) continue;
    fitting.push_back(&entry);
    if (entry.route->method != wanted) continue;
    if (found == nullptr || IsMoreExact(entry, *found)) found = &entry;
  }

  Match match;
  match.allow = Allow(fitting);
  if (found == nullptr) return match;
  match.mount = found->mount;
  match.route = found->route;
  match.shapes = found->shapes;
  match.route_index = static_cast<std::size_t>(found - entries_.data());
  for (std::size_t i = 0; i < found->segments.size(); ++i) {
    if (found->segments[i].text.empty()) match.values.push_back(segments[i]);
  }
  return match;
}

}  // namespace trestle::platform
