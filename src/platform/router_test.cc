#include "platform/router.h"

#include <gtest/gtest.h>

#include "platform/address.h"

namespace trestle::platform {
namespace {

constexpr Route kRoutes[] = {
    {.method = "GET", .path = ""},
    {.method = "GET", .path = "/books/{bookId}"},
    {.method = "GET", .path = "/books/latest"},
    {.method = "DELETE", .path = "/books/{bookId}"},
    {.method = "POST", .path = "/books"},
    {.method = "GET", .path = "/books/{bookId}/notes/{noteId}"},
};

class RouterTest : public testing::Test {
 protected:
  Router::Match Find(std::string_view method, std::string_view path) const {
    return router_.Find(method, *SplitPath(path));
  }
  std::string PathOf(std::string_view method, std::string_view path) const {
    const Router::Match match = Find(method, path);
    return match.route == nullptr ? "none" : std::string(match.route->path);
  }

  const App books_ = {.name = "books", .title = "Books", .routes = kRoutes};
  const App other_ = {.name = "other", .title = "Other", .routes = kRoutes};
  const Router router_{{{.app = &books_}, {.app = &other_}}};
};

TEST_F(RouterTest, FindsTheRouteAndItsValues) {
  const Router::Match match = Find("GET", "/api/books/v1/books/a%2Fb/notes/%C3%A9");
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.route->path, "/books/{bookId}/notes/{noteId}");
  EXPECT_EQ(match.values, (std::vector<std::string>{"a/b", "é"}));
  EXPECT_EQ(match.mount->app, &books_);
  EXPECT_EQ(router_.names()[match.route_index], "GET /api/books/v1/books/{bookId}/notes/{noteId}");
  EXPECT_EQ(Find("GET", "/api/other/v1/books/x").mount->app, &other_);
}

TEST_F(RouterTest, PrefersWhatIsWritten) {
  EXPECT_EQ(PathOf("GET", "/api/books/v1/books/latest"), "/books/latest");
  EXPECT_EQ(PathOf("DELETE", "/api/books/v1/books/latest"), "/books/{bookId}");
  EXPECT_EQ(PathOf("HEAD", "/api/books/v1/books/7"), "/books/{bookId}");
}

TEST_F(RouterTest, SaysWhichMethodsAPathHas) {
  EXPECT_EQ(Find("PUT", "/api/books/v1/books/7").allow, "GET, HEAD, DELETE, OPTIONS");
  EXPECT_EQ(PathOf("PUT", "/api/books/v1/books/7"), "none");
  EXPECT_EQ(Find("GET", "/api/books/v1/books").allow, "POST, OPTIONS");
}

TEST_F(RouterTest, FindsNothingElsewhere) {
  for (const std::string_view path :
       {"/", "/api", "/api/books", "/api/books/v2", "/api/books/v1/books/", "/api/books/v1/books//",
        "/API/books/v1", "/api/books/v1/books/1/notes", "/api/none/v1/books/1"}) {
    EXPECT_EQ(Find("GET", path).allow, "") << path;
  }
  EXPECT_EQ(PathOf("GET", "/api/books/v1"), "");
  EXPECT_EQ(PathOf("GET", "/api/books/v1/"), "");
}

}  // namespace
}  // namespace trestle::platform
