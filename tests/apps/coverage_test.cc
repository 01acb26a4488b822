// Every access pattern of the documents that the designs are made from, through the route that
// serves it, with the operations that it really makes. docs/coverage.md is what this test saw.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/apps.h"
#include "apps/world_fixture.h"

namespace trestle::apps::testing {
namespace {

constexpr const char* kWriteVariable = "TRESTLE_WRITE_DOCS";
constexpr std::string_view kHead =
    R"(# Coverage of the access patterns

`TRESTLE_WRITE_DOCS=1 build/release/bin/apps_world_test --gtest_filter='*Coverage*'` writes it.

This page has every access pattern of the five documents that the applications are made from, the
route that serves it, and the operations that the route made when a test asked it. The test fails
when one of them is a Scan, and when this page is not what it saw: the page is kept here, and not
made by the build, so that a route which begins to read more shows up in a review.

Numbers are those of the document, or count its patterns in their order. What follows from the
stream afterwards is not part of a route's operations, nor is the look at the account.
)";

struct Pattern {
  std::string_view goal;
  std::string_view method;
  std::string_view path;
  std::string_view query = {};
  std::string_view body = {};
  std::string_view who = "ann";
  bool is_same = false;  // another route of the pattern before
};

// What somebody asks for in public is asked of what is shown.
struct Document {
  std::string_view title;
  std::string_view app;
  std::vector<Pattern> patterns;
};

const Document kDocuments[] = {
    {"Book Tracker",
     "books",
     {{"books of a reader", "GET", "/books", "sort=title"},
      {"one book", "GET", "/books/{id}"},
      {"notes of a book", "GET", "/books/{id}/notes"},
      {"events of a book, oldest first", "GET", "/books/{id}/events", "order=asc"},
      {"events of a book, newest first", "GET", "/books/{id}/events", "order=desc"},
      {"the reader's own item", "GET", "/me"},
      {"books by state, from the index", "GET", "/books", "status=SHELF"},
      {"books by last change, from the index", "GET", "/books"},
      {"a page that was reached: event and book", "POST", "/books/{id}/page", "",
       R"({"page": 77})"},
      {"removing a book, its notes and events", "DELETE", "/books/{id}"}}},
    {"Media library",
     "library",
     {{"libraries of an owner", "GET", "/libraries", "scope=own"},
      {"collections of a library", "GET", "/libraries/{libraryId}/collections"},
      {"items of a library", "GET", "/libraries/{libraryId}/collections/{collectionId}/items"},
      {"events of an item", "GET", "/libraries/{libraryId}/items/{itemId}/events"},
      {"libraries shared with somebody", "GET", "/libraries", "scope=shared"},
      {"libraries by name", "GET", "/libraries"},
      {"contents of a library from A to Z", "GET", "/libraries/{libraryId}/items"},
      {"collections of a library by name", "GET", "/libraries/{libraryId}/collections"},
      {"history of an item in order of time", "GET", "/libraries/{libraryId}/items/{itemId}/events",
       "order=asc"},
      {"all items by title", "GET", "/items"},
      {"fuzzy search", "GET", "/search", "q=<word>"},
      {"lending and taking back", "POST", "/libraries/{libraryId}/items/{itemId}/return"},
      {"renaming a collection", "PATCH", "/libraries/{libraryId}/collections/{collectionId}", "",
       R"({"name": "renamed"})"},
      {"removing a collection", "DELETE", "/libraries/{libraryId}/collections/{collectionId}"},
      {"removing a library", "DELETE", "/libraries/{libraryId}", "unshare=true"}}},
    {"WorthWatch",
     "watch",
     {{"user by id", "GET", "/users/{id}"},
      {"user by e-mail", "GET", "/users", "email=<own>", "", "eve"},
      {"list by id", "GET", "/watchlists/{id}"},
      {"lists of a curator", "GET", "/curators/{id}/watchlists"},
      {"public lists, newest first", "GET", "/watchlists"},
      {"items of a list", "GET", "/watchlists/{id}/items"},
      {"one item of a list", "GET", "/watchlists/{id}/items/{type}/{cid}"},
      {"movie by id", "GET", "/movies/{id}"},
      {"show by id", "GET", "/shows/{id}"},
      {"everything of one type", "GET", "/admin/entities", "type=MOVIE", "", "eve"},
      {"search for movies", "GET", "/movies", "q=title"},
      {"search for shows", "GET", "/shows", "q=title"},
      {"saved lists", "GET", "/me/saved"},
      {"ratings", "GET", "/me/ratings"},
      {"comments on a list", "GET", "/watchlists/{id}/comments"},
      {"notifications of changed lists", "GET", "/me/feed"},
      {"who changed what", "GET", "/admin/audit", "user=<sub>", "", "eve"}}},
    {"Story Hub",
     "stories",
     {{"story by id", "GET", "/stories/{storyId}"},
      {"chapters of a story", "GET", "/stories/{storyId}/chapters"},
      {"user profile", "GET", "/users/{userId}"},
      {"stories of a user", "GET", "/users/{userId}/stories"},
      {"branches of a user", "GET", "/users/{userId}/branches"},
      {"bookmark", "GET", "/me/bookmarks/{storyId}"},
      {"notifications of a user", "GET", "/me/notifications"},
      {"children of a chapter", "GET", "/stories/{storyId}/chapters/{nodeId}/children"},
      {"stories in order of time", "GET", "/stories"},
      {"counting a read", "POST", "/stories/{storyId}/chapters/{nodeId}/reads", "", "", "cat"},
      {"voting", "PUT", "/stories/{storyId}/chapters/{nodeId}/vote", "",
       R"({"voteType": "UPVOTE"})", "cat"},
      {"approving a branch", "PUT", "/stories/{storyId}/chapters/{nodeId}/approval", "",
       R"({"authorApproved": true})"},
      {"continuing a chapter", "POST", "/stories/{storyId}/chapters/{nodeId}/branches", "",
       R"({"title": "x", "content": "<text>"})", "cat"},
      {"marking a notification as read", "POST", "/me/notifications/{notificationId}/read"}}},
    {"Notes",
     "notes",
     {{"create user", "POST", "/users", "", R"({"name": "dan", "email": "dan@example.org"})",
       "dan"},
      {"get user profile", "GET", "/me"},
      {"create note", "POST", "/notes", "", R"({"title": "x", "deadline": "2026-01-20"})"},
      {"get all notes", "GET", "/notes"},
      {"notes due before", "GET", "/notes", "dueBefore=2026-01-20"},
      {"notes due after", "GET", "/notes", "dueAfter=2026-01-02"},
      {"update note", "PATCH", "/notes/{id}", "", R"({"title": "y"})"},
      {"update note, another deadline", "PATCH", "/notes/{id}", "", R"({"deadline": "2026-03-01"})",
       "ann", true},
      {"delete note", "DELETE", "/notes/{id}"}}},
};

class CoverageTest : public WorldFixture {
 protected:
  std::string RowOf(const platform::App& app, const Pattern& pattern, std::size_t number) {
    // Guests see what is public; the rest is the caller's own.
    const Things& things = app.name == "stories" || app.name == "watch"
                               ? Of("ann", app.name).shown
                               : Of("ann", app.name).hidden;
    std::string target = PathOf(pattern.path, things);
    if (!pattern.query.empty()) target += "?" + Fill(pattern.query, things);
    Settle();
    watching().StartRecording();
    const Answer answer =
        Somebody(pattern.who, app).Send(pattern.method, target, Fill(pattern.body, things), {});
    const std::vector<std::string> operations = watching().StopRecording();
    EXPECT_TRUE(answer.status < 300) << pattern.goal << ": " << answer.status << answer.body;
    for (const std::string& operation : operations)
      EXPECT_EQ(operation.find("Scan"), std::string::npos) << pattern.goal;
    return fmt::format("| {} | {} | {} `{}{}{}` | {} |\n", number, pattern.goal, pattern.method,
                       pattern.path, pattern.query.empty() ? "" : "?", pattern.query,
                       operations.empty() ? "none: the search index"
                                          : fmt::format("{}", fmt::join(operations, ", ")));
  }
};
TRESTLE_WORLD_BACKENDS(CoverageTest);

TEST_P(CoverageTest, EveryPatternHasItsRouteAndThePageSaysSo) {
  MakeWorld();
  std::string page(kHead);
  for (const Document& document : kDocuments) {
    page += fmt::format("\n## {}\n\n| | pattern | route | operations |\n|---|---|---|---|\n",
                        document.title);
    const platform::App& app = AppNamed(document.app);
    std::size_t number = 0;
    for (const Pattern& pattern : document.patterns)
      page += RowOf(app, pattern, pattern.is_same ? number : ++number);
  }
  const std::string file = "docs/coverage.md";
  if (std::getenv(kWriteVariable) != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(file) << page;
    return;
  }
  std::ostringstream kept;
  kept << std::ifstream(file).rdbuf();
  EXPECT_EQ(kept.str(), page) << "docs/coverage.md says how it is written";
}

}  // namespace
}  // namespace trestle::apps::testing
