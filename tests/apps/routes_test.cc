// What holds for every route of every app.

#include <string>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"
#include "platform/router.h"

namespace trestle::apps::testing {
namespace {

using platform::Access;
using platform::App;
using platform::Route;

// A path with something in place of each placeholder.
std::string PathOf(const Route& route) {
  std::string path;
  bool is_name = false;
  for (const char c : route.path) {
    if (c == '{') path += "none";
    is_name = c == '{' || (is_name && c != '}');
    if (!is_name && c != '}') path.push_back(c);
  }
  return path;
}

class RoutesTest : public AppFixture {};
TRESTLE_ON_EVERY_BACKEND(RoutesTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(RoutesTest);

TEST_P(RoutesTest, EachAsksForATokenUnlessItIsPublic) {
  for (const App& app : All()) {
    Use(app);
    for (const Route& route : app.routes) {
      const std::string body = route.method == "GET" || route.method == "DELETE" ? "" : "{}";
      const Answer answer = Nobody().Send(route.method, PathOf(route), body, {});
      const bool is_refused = answer.status == 401 && answer.Code() == "unauthenticated";
      EXPECT_EQ(is_refused, route.access != Access::kPublic)
          << app.name << ": " << route.method << " " << route.path << " " << answer.body;
      EXPECT_NE(answer.status, 500) << app.name << ": " << route.path;
    }
  }
}

TEST_P(RoutesTest, ThoseOfAdministratorsAreNobodyElses) {
  for (const App& app : All()) {
    Use(app);
    for (const Route& route : app.routes) {
      const bool is_special = route.access == Access::kAdmin || route.access == Access::kModerator;
      const std::string body = route.method == "GET" || route.method == "DELETE" ? "" : "{}";
      if (route.path == "/live" || (route.path == "/me" && route.method == "DELETE")) continue;
      const Answer answer = As("ann").Send(route.method, PathOf(route), body, {});
      if (is_special) {
        EXPECT_EQ(answer.status, 403) << app.name << ": " << route.method << " " << route.path;
      }
      EXPECT_LT(answer.status, 500) << app.name << ": " << route.path << " " << answer.body;
    }
  }
}

TEST_P(RoutesTest, EachIsDescribed) {
  for (const App& app : All()) {
    Use(app);
    const Answer answer = Nobody().Get("/openapi.json");
    ASSERT_EQ(answer.status, 200) << app.name;
    for (const Route& route : app.routes) {
      EXPECT_FALSE(route.summary.empty()) << app.name << ": " << route.path;
      EXPECT_FALSE(route.summary.ends_with('.')) << app.name << ": " << route.path;
      EXPECT_NE(answer.body.find(fmt::format("\"{}\":", route.path)), std::string::npos)
          << app.name << ": " << route.path;
      if (!route.shows.empty()) {
        EXPECT_NE(runtime().model().FindEntity(route.shows), nullptr) << route.shows;
      }
    }
  }
}

}  // namespace
}  // namespace trestle::apps::testing
