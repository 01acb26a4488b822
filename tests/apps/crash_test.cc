// A process that ends between any two writes of a flow: after a restart what was begun is finished
// or was never begun, and the tables agree with their designs.
//
// That one write is all or nothing is shown elsewhere (tests/fault), so a process that ends is one
// whose back end does nothing any more.

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"
#include "design/verify.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

using platform::TextRecord;

struct Flow {
  std::function<void()> prepare;
  std::function<void()> run;  // whatever its answer
  // Whether the outcome is one of those that there may be.
  std::function<void()> check;
};

class CrashTest : public AppFixture {
 protected:
  // Runs the flow once for each of its writes, or each few of them, and ends the process behind it.
  void EndAnywhere(const platform::App& app, const Flow& flow) {
    int writes = 0;
    for (bool is_over = false; !is_over; writes += TRESTLE_CRASH_STEP) {
      SCOPED_TRACE(fmt::format("behind write {}", writes));
      ASSERT_LT(writes, 500) << "a flow that does not end";
      RemoveTables();
      Use(app);
      flow.prepare();
      Settle();
      watching().EndAfter(writes);
      flow.run();
      EXPECT_TRUE(Eventually([&] { return watching().has_ended() || IsIdle(); }));
      is_over = !watching().has_ended();
      Use(app);
      Settle();
      flow.check();
      Verify(app.name);
      Verify("auth");
      if (HasFailure()) return;
    }
    RecordProperty("writes", writes);
    EXPECT_GT(writes, 1) << "a flow that writes nothing";
  }

  void Verify(std::string_view app) {
    // Not through the host, which may not scan.
    design::Runtime runtime(host().FindRuntime(app)->model(), backend(),
                            {.clock = &clock(), .random = &random()});
    const auto report = design::Verify(runtime, {.report = [&](const design::Drift& drift) {
                                         ADD_FAILURE()
                                             << DriftName(drift.kind) << ": " << drift.sentence;
                                       }});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->drifts, 0U);
  }

  static std::string Body(std::string_view name, std::string_view value) {
    return fmt::format(R"({{"{}": "{}"}})", name, value);
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, CrashTest, ::testing::Values("engine"));

TEST_P(CrashTest, RenamingACollection) {
  std::string library;
  std::string collection;
  EndAnywhere(
      Library(),
      {.prepare =
           [&] {
             library =
                 "/libraries/" + As("ann").Post("/libraries", Body("libraryName", "Home")).At("id");
             const std::string id =
                 As("ann").Post(library + "/collections", Body("name", "Old")).At("id");
             collection = library + "/collections/" + id;
             for (int i = 0; i < 4; ++i)
               As("ann").Post(library + "/books",
                              fmt::format(R"({{"title": "B{}", "collectionId": "{}"}})", i, id));
           },
       .run = [&] { As("ann").Patch(collection, Body("name", "New")); },
       .check =
           [&] {
             const std::string name = As("ann").Get(collection).At("name");
             EXPECT_TRUE(name == "Old" || name == "New");
             const Answer items = As("ann").Get(collection + "/items");
             EXPECT_EQ(items.Count("items"), 4U);
             for (int i = 0; i < 4; ++i)
               EXPECT_EQ(items.At(fmt::format("items[{}].collectionName", i)), name);
           }});
}

TEST_P(CrashTest, LendingAndTakingBack) {
  std::string item;
  EndAnywhere(
      Library(),
      {.prepare =
           [&] {
             const std::string library =
                 "/libraries/" + As("ann").Post("/libraries", Body("libraryName", "Home")).At("id");
             item = library + "/items/" +
                    As("ann").Post(library + "/books", Body("title", "Emma")).At("id");
           },
       .run =
           [&] {
             As("ann").Post(item + "/lend", Body("borrower", "Bob"));
             As("ann").Post(item + "/return");
             As("ann").Post(item + "/lend", Body("borrower", "Cat"));
           },
       .check =
           [&] {
             const Answer shown = As("ann").Get(item);
             const Answer last = As("ann").Get(item + "/events?order=desc");
             const bool is_lent = last.At("items[0].type") == "LENT";
             EXPECT_EQ(shown.At("lentTo"), is_lent ? last.At("items[0].borrower") : "absent")
                 << shown.body << last.body;
           }});
}

TEST_P(CrashTest, Importing) {
  std::string library;
  EndAnywhere(Library(),
              {.prepare =
                   [&] {
                     library = "/libraries/" +
                               As("ann").Post("/libraries", Body("libraryName", "Home")).At("id");
                   },
               .run =
                   [&] {
                     As("ann").Post("/import?libraryId=" + library.substr(library.rfind('/') + 1),
                                    "type,title,collection\nbook,A,Series\nbook,B,Series\n"
                                    "book,C,\nvideo,D,\n",
                                    {{"Content-Type", "text/csv"}});
                   },
               .check =
                   [&] {
                     const Answer items = As("ann").Get(library + "/items?view=flat");
                     const std::size_t count = items.Count("items");
                     EXPECT_TRUE(count == 0 || count == 4) << items.body;
                   }});
}

TEST_P(CrashTest, ImportingNotes) {
  EndAnywhere(Notes(), {.prepare = [&] { As("ann").Get("/me"); },
                        .run =
                            [&] {
                              As("ann").Post("/import", R"({"notes": [{"title": "a"},
                                  {"title": "b", "deadline": "2026-01-20"},
                                  {"title": "c", "done": true}]})");
                            },
                        .check =
                            [&] {
                              const std::size_t count = As("ann").Get("/notes").Count("items");
                              EXPECT_TRUE(count == 0 || count == 3) << count;
                            }});
}

TEST_P(CrashTest, ImportingAWatchlist) {
  EndAnywhere(
      Watch(),
      {.prepare =
           [&] {
             As("ann").Get("/me");
             As("eve", "admin").Post("/admin/users/ann/curator", Body("status", "approved"));
           },
       .run =
           [&] {
             As("ann").Post("/import?list=Mine", "title\nAlien\nBrazil\nAlien\n",
                            {{"Content-Type", "text/csv"}});
           },
       .check =
           [&] {
             // The list is made before the job.
             const Answer lists = As("ann").Get("/curators/ann/watchlists");
             if (lists.Count("items") == 0) return;
             const std::string count = lists.At("items[0].itemCount");
             EXPECT_TRUE(count == "0" || count == "2") << lists.body;
           }});
}

TEST_P(CrashTest, SharingALibraryAndTakingItBack) {
  std::string library;
  EndAnywhere(
      Library(),
      {.prepare =
           [&] {
             static_cast<void>(host().accounts()->SignUp(
                 {.email = "bob@example.org", .password = "correct horse 7", .name = "bob"}));
             library =
                 "/libraries/" + As("ann").Post("/libraries", Body("libraryName", "Home")).At("id");
           },
       .run =
           [&] {
             As("ann").Post(library + "/shares", Body("email", "bob@example.org"));
             As("ann").Delete(library + "/shares/bob@example.org");
             As("ann").Post(library + "/shares", Body("email", "bob@example.org"));
           },
       .check =
           [&] {
             const std::size_t shares = As("ann").Get(library + "/shares").Count("items");
             EXPECT_EQ(As("ann").Get(library).Count("sharedTo"), shares);
           }});
}

TEST_P(CrashTest, ReachingPages) {
  std::string book;
  EndAnywhere(
      Books(),
      {.prepare =
           [&] {
             book = "/books/" +
                    As("ann").Post("/books", R"({"title": "Emma", "totalPages": 300})").At("id");
           },
       .run =
           [&] {
             for (int page = 10; page <= 30; page += 10)
               As("ann").Post(book + "/page", fmt::format(R"({{"page": {}}})", page));
           },
       .check =
           [&] {
             const Answer events = As("ann").Get(book + "/events?order=asc");
             const std::size_t count = events.Count("items");
             for (std::size_t i = 0; i < count; ++i)
               EXPECT_EQ(events.At(fmt::format("items[{}].page", i)), std::to_string(10 * (i + 1)));
             const Answer shown = As("ann").Get(book);
             EXPECT_EQ(shown.At("currentPage"), count == 0 ? "0" : std::to_string(10 * count))
                 << shown.body;
             // What follows from the events.
             EXPECT_EQ(As("ann").Get("/stats/reading").At("pages"), std::to_string(10 * count));
           }});
}

TEST_P(CrashTest, ContinuingAChapter) {
  std::string story;
  std::string root;
  EndAnywhere(Stories(),
              {.prepare =
                   [&] {
                     const std::string text(500, 't');
                     const Answer made = As("ann").Post(
                         "/stories", fmt::format(R"({{"title": "Tree", "synopsis": "{0}", "genre":
                                              "Fantasy", "ageRating": "PG", "firstChapter":
                                              {{"title": "Root", "content": "{0}"}}}})",
                                                 text));
                     story = "/stories/" + made.At("storyId");
                     root = story + "/chapters/" + made.At("rootNodeId");
                     As("ann").Post(story + "/publish");
                     As("bob").Get("/me");
                   },
               .run =
                   [&] {
                     for (int i = 0; i < 3; ++i)
                       As("bob").Post(root + "/branches",
                                      fmt::format(R"({{"title": "Branch {}", "content": "{}"}})", i,
                                                  std::string(500, 'b')));
                   },
               .check =
                   [&] {
                     const std::size_t count =
                         As("bob").Get(story + "/chapters").Count("items") - 1;
                     const std::string text = std::to_string(count);
                     const Answer children = As("bob").Get(root + "/children");
                     EXPECT_EQ(children.Count("items"), count);
                     for (std::size_t i = 0; i < count; ++i)
                       EXPECT_EQ(children.At(fmt::format("items[{}].order", i)), std::to_string(i));
                     EXPECT_EQ(As("bob").Get(root).At("stats.childCount"), text);
                     EXPECT_EQ(As("bob").Get(story).At("stats.totalBranches"), text);
                     EXPECT_EQ(As("bob").Get("/me").At("stats.branchesContributed"), text);
                     // The author has heard of each.
                     EXPECT_EQ(As("ann").Get("/me/notifications").Count("items"), count);
                   }});
}

TEST_P(CrashTest, ChangingAnEMailAddress) {
  constexpr int kNotes = 60;  // more than one transaction
  std::string sub;
  EndAnywhere(
      Notes(),
      {.prepare =
           [&] {
             const auto account = host().accounts()->SignUp(
                 {.email = "before@example.org", .password = "correct horse 7", .name = "P"});
             ASSERT_TRUE(account.ok());
             sub = platform::TextOf(account->record, "sub");
             As(sub).Get("/me");
             const design::Entity& note = *runtime().model().FindEntity("Note");
             for (int i = 0; i < kNotes; ++i)
               static_cast<void>(runtime().Create(
                   note, TextRecord({{"email", sub + "@example.org"}, {"title", "x"}})));
           },
       .run =
           [&] {
             design::Runtime& accounts = *host().FindRuntime("auth");
             design::Changes changes;
             platform::SetText(changes, "email", "after@example.org");
             static_cast<void>(accounts.Update(*accounts.model().FindEntity("Account"),
                                               TextRecord({{"sub", sub}}), changes));
           },
       .check =
           [&] {
             const Answer user = As(sub).Get("/me");
             EXPECT_TRUE(user.At("email") == "after@example.org" ||
                         user.At("email") == sub + "@example.org")
                 << user.body;
             EXPECT_EQ(user.At("isMoving"), "false");
             EXPECT_EQ(user.At("counts.open"), std::to_string(kNotes));
             EXPECT_EQ(As(sub).Get("/notes?limit=100").Count("items"),
                       static_cast<std::size_t>(kNotes));
           }});
}

TEST_P(CrashTest, SuspendingACurator) {
  EndAnywhere(
      Watch(),
      {.prepare =
           [&] {
             As("ann").Get("/me");
             As("eve", "admin").Post("/admin/users/ann/curator", Body("status", "approved"));
             for (int i = 0; i < 3; ++i)
               As("ann").Post("/watchlists", Body("title", fmt::format("L{}", i)));
           },
       .run =
           [&] {
             As("eve", "admin").Post("/admin/users/ann/curator", Body("status", "suspended"));
           },
       .check =
           [&] {
             const bool is_suspended = As("ann").Get("/me").At("curatorStatus") == "suspended";
             EXPECT_EQ(Nobody().Get("/watchlists").Count("items"), is_suspended ? 0U : 3U);
           }});
}

TEST_P(CrashTest, ErasingAnAuthor) {
  std::string story;
  EndAnywhere(Stories(),
              {.prepare =
                   [&] {
                     const std::string text(500, 't');
                     const auto chapter = [&](std::string_view title) {
                       return fmt::format(R"({{"title": "{}", "content": "{}"}})", title, text);
                     };
                     const Answer made = As("ann").Post(
                         "/stories", fmt::format(R"({{"title": "Tree", "synopsis": "{0}", "genre":
                                              "Fantasy", "ageRating": "PG", "firstChapter":
                                              {{"title": "Root", "content": "{0}"}}}})",
                                                 text));
                     story = "/stories/" + made.At("storyId");
                     const std::string root = story + "/chapters/" + made.At("rootNodeId");
                     As("ann").Post(story + "/publish");
                     As("bob").Post(root + "/branches", chapter("Left"));
                     As("ann").Post(root + "/branches", chapter("Right"));
                     As("ann").Post(root + "/comments", Body("text", "mine"));
                     As("ann").Put("/me/bookmarks/" + made.At("storyId"),
                                   Body("currentNodeId", made.At("rootNodeId")));
                     As("ann").Get("/users/ann");
                   },
               .run = [&] { As("ann").Delete("/me"); },
               .check =
                   [&] {
                     const Answer user = As("bob").Get("/users/ann");
                     const bool is_erased = user.At("displayName") == "Deleted user";
                     EXPECT_EQ(As("bob").Get(story).At("authorName"),
                               is_erased ? "Deleted user" : "ann");
                     const Answer root = As("bob").Get(story + "/chapters");
                     EXPECT_EQ(root.Count("items"), is_erased ? 2U : 3U) << root.body;
                   }});
}

TEST_P(CrashTest, RemovingABookWithManyNotes) {
  constexpr int kNotes = 110;  // more than one transaction
  std::string book;
  EndAnywhere(
      Books(),
      {.prepare =
           [&] {
             const std::string id = As("ann").Post("/books", Body("title", "Emma")).At("id");
             book = "/books/" + id;
             As("ann").Post(book + "/page", R"({"page": 3})");
             const design::Entity& note = *runtime().model().FindEntity("Note");
             for (int i = 0; i < kNotes; ++i)
               static_cast<void>(runtime().Create(
                   note, TextRecord({{"userId", "ann"}, {"bookId", id}, {"content", "x"}})));
           },
       .run = [&] { As("ann").Delete(book); },
       .check =
           [&] {
             const Answer shown = As("ann").Get(book);
             const bool is_there = shown.status == 200;
             EXPECT_EQ(As("ann").Get("/me").At("counts.SHELF"), is_there ? "1" : "0");
             EXPECT_EQ(shown.At("notesCount"), is_there ? std::to_string(kNotes) : "absent");
           }});
}

}  // namespace
}  // namespace trestle::apps::testing
