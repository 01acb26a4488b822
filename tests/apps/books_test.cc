#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"
#include "design/values.h"
#include "platform/items.h"

namespace trestle::apps::testing {
namespace {

class BooksTest : public AppFixture {
 protected:
  BooksTest() { Use(Books()); }

  // Its path.
  std::string Add(std::string_view sub, std::string_view body) {
    const Answer answer = As(sub).Post("/books", body);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/books/" + answer.At("id");
  }
};
TRESTLE_ON_EVERY_BACKEND(BooksTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(BooksTest);

TEST_P(BooksTest, ABookIsAddedShownChangedAndRemoved) {
  const Answer added = As("ann").Post(
      "/books", R"({"title": "The Dispossessed", "status": "READING", "totalPages": 387,
                    "price": 12.5, "currency": "EUR", "purchaseDate": "2026-01-01"})");
  ASSERT_EQ(added.status, 201) << added.body;
  const std::string path = "/books/" + added.At("id");
  EXPECT_EQ(added.Header("location"), "/api/books/v1" + path);
  EXPECT_EQ(added.At("percent"), "0");
  EXPECT_EQ(added.At("version"), "1");
  EXPECT_EQ(added.At("startedAt"), "2026-01-02T03:04:05.678Z");
  EXPECT_EQ(added.At("userId"), "absent");

  const Answer shown = As("ann").Get(path);
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(shown.body, added.body);
  EXPECT_EQ(As("ann").Get(path, {{"If-None-Match", shown.Header("etag")}}).status, 304);

  const Answer changed =
      As("ann").Patch(path, R"({"rating": 4.5, "price": null, "currency": null})",
                      {{"If-Match", shown.Header("etag")}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.At("rating"), "4.5");
  EXPECT_EQ(changed.At("price"), "absent");
  EXPECT_EQ(changed.At("version"), "2");
  const Answer late =
      As("ann").Patch(path, R"({"rating": 1})", {{"If-Match", shown.Header("etag")}});
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.Code(), "version-mismatch");
  EXPECT_EQ(late.Header("etag"), changed.Header("etag"));

  EXPECT_EQ(As("ann").Delete(path).status, 204);
  EXPECT_EQ(As("ann").Get(path).status, 404);
  EXPECT_EQ(As("ann").Delete(path).status, 404);
}

TEST_P(BooksTest, NobodySeesTheBooksOfOthers) {
  const std::string path = Add("ann", R"({"title": "Emma"})");
  EXPECT_EQ(Nobody().Get(path).status, 401);
  for (const Answer& answer :
       {As("bob").Get(path), As("bob").Patch(path, R"({"title": "x"})"), As("bob").Delete(path),
        As("bob").Post(path + "/page", R"({"page": 1})"),
        As("bob").Post(path + "/notes", R"({"content": "x"})"), As("bob").Get(path + "/notes"),
        As("bob").Get(path + "/events"), As("bob").Get(path + "/progress"),
        As("bob").Get("/books/a%23b"), As("bob").Get("/books/none")}) {
    EXPECT_EQ(answer.status, 404) << answer.body;
    EXPECT_EQ(answer.Code(), "not-found");
  }
  EXPECT_EQ(As("bob").Get("/books").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get(path).At("title"), "Emma");
}

TEST_P(BooksTest, EveryWrongFieldIsNamed) {
  const Answer answer = As("ann").Post(
      "/books", R"({"title": "", "rating": 9, "status": "LOST", "totalPages": -1, "userId": "bob",
                    "colour": "red", "id": "x"})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.At("errors[0].pointer"), "/userId");
  EXPECT_EQ(answer.At("errors[1].pointer"), "/colour");
  EXPECT_EQ(answer.At("errors[2].code"), "read-only");
  const Answer limits =
      As("ann").Post("/books", R"({"title": "", "rating": 9, "status": "LOST", "totalPages": -1})");
  EXPECT_EQ(limits.Count("errors"), 4U) << limits.body;
  EXPECT_EQ(As("ann").Post("/books", R"({"title": "x", "rating": 3.3})").At("errors[0].code"),
            "step");
  EXPECT_EQ(As("ann").Post("/books", R"({"title": "x", "price": 1})").status, 400);
  EXPECT_EQ(As("ann").Post("/books", R"({"title": "x", "price": 1.005, "currency": "EUR"})").status,
            400);
  EXPECT_EQ(As("ann").Post("/books", R"({"title": "x", "price": 1.5, "currency": "JPY"})").status,
            400);
  EXPECT_EQ(As("ann").Post("/books", R"({"title": "x", "currentPage": 9, "totalPages": 5})").status,
            422);
  // What the design and what the app has against a book come together, with what is unknown too.
  const std::string_view both =
      R"("rating": 3.3, "totalPages": -1, "currency": "XYZ", "purchaseDate": "1300-01-01")";
  const Answer kinds = As("ann").Post("/books", fmt::format(R"({{{}}})", both));
  EXPECT_EQ(kinds.status, 400);
  EXPECT_EQ(kinds.Count("errors"), 5U) << kinds.body;  // title is missing
  const Answer all = As("ann").Post("/books", fmt::format(R"({{{}, "colour": "red"}})", both));
  EXPECT_EQ(all.Count("errors"), 6U) << all.body;
  const Answer me = As("ann").Patch(
      "/me", R"({"timeZone": "Mars/Base", "defaultCurrency": "XYZ", "displayName": 7})");
  EXPECT_EQ(me.Count("errors"), 3U) << me.body;
  EXPECT_EQ(As("ann").Get("/books?colour=red").status, 400);
  EXPECT_EQ(As("ann").Get("/books?limit=0").status, 400);
  EXPECT_EQ(As("ann").Get("/books?sort=price").status, 400);
  EXPECT_EQ(As("ann").Get("/books").Count("items"), 0U);
}

TEST_P(BooksTest, TextsAreKeptAsPeopleMeanThem) {
  const std::string book = Add("ann", R"({"title": "  Ame\u0301lie ", "description": "a\n\tb\n",
                                          "authors": [" Jane Austen "]})");
  EXPECT_EQ(As("ann").Get(book).At("title"), "Am\xc3\xa9lie");
  EXPECT_EQ(As("ann").Get(book).At("description"), "a\n\tb");
  EXPECT_EQ(As("ann").Get(book).At("authors"), "[Jane Austen]");
  EXPECT_EQ(As("ann").Post(book + "/notes", R"({"content": " x "})").At("content"), "x");
  const Answer wrong = As("ann").Post(
      "/books", fmt::format(R"({{"title": "a\nb", "description": "a\u0007", "store": "  ",
                                 "authors": ["", "{}", "a\tb\u0000"], "colour": "red"}})",
                            std::string(101, 'a')));
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.Count("errors"), 7U) << wrong.body;
  EXPECT_EQ(As("ann").Patch(book, R"({"title": "   "})").At("errors[0].pointer"), "/title");
  EXPECT_EQ(As("ann").Patch(book, R"({"title": "a\u007f"})").At("errors[0].code"), "characters");
  EXPECT_EQ(As("ann")
                .Patch(book, fmt::format(R"({{"authors": ["a", "{}"]}})", std::string(101, 'a')))
                .At("errors[0].pointer"),
            "/authors/1");
  EXPECT_EQ(As("ann").Get(book).At("version"), "1");
}

TEST_P(BooksTest, WhoRunsItCanAskForVersions) {
  const std::string before = Add("ann", R"({"title": "Emma"})");
  EXPECT_EQ(As("ann").Patch(before, R"({"title": "Emma again"})").status, 200);
  RequireIfMatch();
  Use(Books());
  const std::string book = Add("ann", R"({"title": "Emma"})");
  const Answer refused = As("ann").Patch(book, R"({"title": "Lost"})");
  EXPECT_EQ(refused.status, 428);
  EXPECT_EQ(refused.Code(), "precondition-required");
  EXPECT_EQ(As("ann").Delete(book).status, 428);
  EXPECT_EQ(As("ann").Patch("/me", R"({"displayName": "Ann"})").status, 428);
  EXPECT_EQ(As("ann").Get(book).At("title"), "Emma");
  EXPECT_EQ(As("ann").Patch("/books/none", R"({"title": "x"})").status, 404);
  EXPECT_EQ(As("ann").Post(book + "/page", R"({"page": 3})").status, 201);
  const std::string tag = As("ann").Get(book).Header("etag");
  EXPECT_EQ(As("ann").Patch(book, R"({"title": "Kept"})", {{"If-Match", tag}}).status, 200);
  EXPECT_EQ(As("ann").Delete(book, {{"If-Match", "*"}}).status, 204);
}

TEST_P(BooksTest, ListsAreInTheOrderThatIsAskedFor) {
  const std::string first = Add("ann", R"({"title": "Zebra", "rating": 3})");
  Advance(1000);
  Add("ann", R"({"title": "angelo", "status": "READ", "rating": 5})");
  Advance(1000);
  Add("ann", R"({"title": "Éa", "status": "READING", "currentPage": 5, "totalPages": 10})");
  Advance(1000);
  EXPECT_EQ(As("ann").Patch(first, R"({"rating": 2})").status, 200);
  const auto titles = [&](std::string_view query) {
    const Answer answer = As("ann").Get(fmt::format("/books{}", query));
    std::string all;
    for (std::size_t i = 0; i < answer.Count("items"); ++i)
      all += answer.At(fmt::format("items[{}].title", i)) + " ";
    return all;
  };
  LetIndexesFollow();
  EXPECT_EQ(titles(""), "Zebra Éa angelo ");
  EXPECT_EQ(titles("?sort=updatedAt_asc"), "angelo Éa Zebra ");
  EXPECT_EQ(titles("?sort=title"), "angelo Éa Zebra ");
  EXPECT_EQ(titles("?sort=rating"), "angelo Zebra Éa ");
  EXPECT_EQ(titles("?sort=percent"), "Éa Zebra angelo ");
  EXPECT_EQ(titles("?status=READING"), "Éa ");
  const Answer counted = As("ann").Get("/books");
  EXPECT_EQ(counted.At("counts.SHELF"), "1");
  EXPECT_EQ(counted.At("counts.READING"), "1");

  for (const std::string_view sort : {"updatedAt_desc", "title"}) {
    std::string all;
    std::string cursor;
    do {
      const Answer page = As("ann").Get(fmt::format("/books?sort={}&limit=1{}{}", sort,
                                                    cursor.empty() ? "" : "&cursor=", cursor));
      ASSERT_EQ(page.status, 200) << page.body;
      all += page.At("items[0].title") + " ";
      cursor = page.At("nextCursor");
    } while (cursor != "absent");
    EXPECT_EQ(all, sort == "title" ? "angelo Éa Zebra " : "Zebra Éa angelo ");
  }
}

TEST_P(BooksTest, ACursorIsOnlyForItsOwnQuestion) {
  Add("ann", R"({"title": "a"})");
  Add("ann", R"({"title": "b"})");
  LetIndexesFollow();
  const std::string cursor = As("ann").Get("/books?limit=1").At("nextCursor");
  ASSERT_NE(cursor, "absent");
  EXPECT_EQ(As("ann").Get("/books?limit=1&cursor=" + cursor).status, 200);
  for (const Answer& answer : {As("bob").Get("/books?limit=1&cursor=" + cursor),
                               As("ann").Get("/books?status=SHELF&cursor=" + cursor),
                               As("ann").Get("/books?limit=1&cursor=x" + cursor)}) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.Code(), "invalid-cursor");
  }
  Advance(8LL * 24 * 3600 * 1000);
  EXPECT_EQ(As("ann").Get("/books?limit=1&cursor=" + cursor).status, 400);
}

TEST_P(BooksTest, PagesMoveTheBookmarkAndAreKept) {
  const std::string path = Add("ann", R"({"title": "Emma", "totalPages": 100})");
  const Answer first = As("ann").Post(path + "/page", R"({"page": 42})");
  ASSERT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(first.At("page"), "42");
  EXPECT_EQ(first.At("book.currentPage"), "42");
  EXPECT_EQ(first.At("book.percent"), "42");
  EXPECT_EQ(first.At("book.suggestions"), "[START_READING]");
  Advance(1000);
  EXPECT_EQ(As("ann").Post(path + "/page", R"({"percent": 100})").At("book.suggestions"),
            "[START_READING,MARK_READ]");
  // What was reached before does not move it back.
  const Answer past =
      As("ann").Post(path + "/page", R"({"page": 10, "occurredAt": "2026-01-01T10:00:00Z"})");
  EXPECT_EQ(past.status, 201) << past.body;
  EXPECT_EQ(past.At("book.currentPage"), "100");
  EXPECT_EQ(As("ann").Get(path + "/events").At("items[0].page"), "10");
  EXPECT_EQ(As("ann").Get(path + "/events?order=desc").At("items[0].page"), "100");
  EXPECT_EQ(As("ann").Get(path + "/events?from=2026-01-02T00:00:00Z").Count("items"), 2U);

  EXPECT_EQ(As("ann").Post(path + "/page", R"({"page": 101})").status, 422);
  EXPECT_EQ(As("ann").Post(path + "/page", R"({})").status, 400);
  EXPECT_EQ(As("ann").Post(path + "/page", R"({"page": 1, "percent": 1})").status, 400);
  EXPECT_EQ(
      As("ann").Post(path + "/page", R"({"page": 1, "occurredAt": "2030-01-01T00:00:00Z"})").status,
      400);
  for (const std::string_view method : {"PUT", "PATCH", "DELETE"})
    EXPECT_EQ(As("ann").Send(method, path + "/events", "", {}).status, 405);
}

TEST_P(BooksTest, ProgressShowsHowABookWasRead) {
  const std::string path = Add("ann", R"({"title": "Emma", "totalPages": 100})");
  for (const int page : {20, 30, 50}) {
    EXPECT_EQ(As("ann").Post(path + "/page", fmt::format(R"({{"page": {}}})", page)).status, 201);
    Advance(24LL * 3600 * 1000);
  }
  const Answer progress = As("ann").Get(path + "/progress");
  ASSERT_EQ(progress.status, 200) << progress.body;
  EXPECT_EQ(progress.Count("points"), 3U);
  EXPECT_EQ(progress.At("perDay[1]"), "{date:2026-01-03,pages:10}");
  EXPECT_EQ(progress.At("reads[0].start"), "2026-01-02");
  EXPECT_NE(progress.At("forecast.early"), "absent");
  EXPECT_EQ(As("ann").Get(path + "/progress?tz=Europe/Atlantis").status, 400);
  EXPECT_EQ(As("ann").Get(path + "/progress?tz=America/New_York").At("perDay[0].date"),
            "2026-01-01");
}

TEST_P(BooksTest, NotesBelongToTheirBook) {
  const std::string path = Add("ann", R"({"title": "Emma"})");
  const Answer first = As("ann").Post(path + "/notes", R"({"content": "one"})");
  ASSERT_EQ(first.status, 201) << first.body;
  As("ann").Post(path + "/notes", R"({"content": "two"})");
  EXPECT_EQ(As("ann").Get(path + "/notes").At("items[0].content"), "two");
  EXPECT_EQ(As("ann").Get(path).At("notesCount"), "2");
  const std::string note = path + "/notes/" + first.At("id");
  EXPECT_EQ(As("ann").Patch(note, R"({"content": "uno"})").At("content"), "uno");
  EXPECT_EQ(As("ann").Delete(note).status, 204);
  EXPECT_EQ(As("ann").Get(note).status, 404);
  EXPECT_EQ(As("ann").Get(path).At("notesCount"), "1");
}

TEST_P(BooksTest, ARemovedBookTakesItsNotesAndEventsAlong) {
  const std::string path = Add("ann", R"({"title": "Emma"})");
  As("ann").Post(path + "/notes", R"({"content": "one"})");
  As("ann").Post(path + "/page", R"({"page": 1})");
  EXPECT_EQ(As("ann").Delete(path).status, 204);
  EXPECT_EQ(As("ann").Get(path + "/notes").status, 404);
  Settle();
  EXPECT_EQ(As("ann").Get("/me").At("counts.SHELF"), "0");
  design::Record reader;
  reader.SetText("userId", "ann");
  const auto left = runtime().Run(*runtime().model().FindAccess("userEverything"), reader, {});
  ASSERT_TRUE(left.ok());
  EXPECT_EQ(left->items.size(), 1U);  // the reader
}

TEST_P(BooksTest, ALargeBookIsRemovedByAJob) {
  for (const int notes : {98, 99}) {
    const std::string path = Add("ann", R"({"title": "Emma"})");
    for (int i = 0; i < notes; ++i)
      ASSERT_EQ(As("ann").Post(path + "/notes", R"({"content": "one"})").status, 201);
    EXPECT_EQ(As("ann").Delete(path, {{"If-Match", "\"99-x\""}}).status, 412);
    const Answer deleted = As("ann").Delete(path);
    EXPECT_EQ(As("ann").Get(path).status, 404);
    if (notes == 98) {
      EXPECT_EQ(deleted.status, 204) << deleted.body;
      continue;
    }
    ASSERT_EQ(deleted.status, 202) << deleted.body;
    const std::string job = deleted.Header("location").substr(platform::MountPath(Books()).size());
    EXPECT_EQ(As("bob").Get(job).status, 404);
    EXPECT_TRUE(Eventually([&] { return As("ann").Get(job).At("state") == "DONE"; }));
  }
  Settle();
  design::Record reader;
  reader.SetText("userId", "ann");
  const auto left = runtime().Run(*runtime().model().FindAccess("userEverything"), reader, {});
  ASSERT_TRUE(left.ok());
  EXPECT_EQ(left->items.size(), 1U);  // the reader
}

// Ann's account is in another pool, so nothing goes with it.
TEST_P(BooksTest, WhoLeavesLeavesNoAnswersBehind) {
  const Person::Headers key = {{"Idempotency-Key", "k1"}};
  ASSERT_EQ(As("ann").Post("/books", R"({"title": "Diary of Ann"})", key).status, 201);
  ASSERT_EQ(As("bob").Post("/books", R"({"title": "Diary of Bob"})", key).status, 201);
  design::Runtime& platform_runtime = *host().FindRuntime("auth");
  const auto answers = [&](std::string_view sub) {
    const auto found = platform::RunWhole(platform_runtime, "requestsOfAccount",
                                          platform::TextRecord({{"sub", sub}}));
    EXPECT_TRUE(found.ok());
    return found.ok() ? found->size() : 0;
  };
  LetIndexesFollow();
  EXPECT_EQ(answers("ann"), 1U);
  EXPECT_EQ(EraseMe(As("ann")), "DONE");
  EXPECT_EQ(answers("ann"), 0U);
  EXPECT_EQ(answers("bob"), 1U);
}

TEST_P(BooksTest, AReaderChoosesGoalsAndPlace) {
  const Answer changed = As("ann").Patch(
      "/me", R"({"displayName": "Ann", "timeZone": "Europe/Vienna", "defaultCurrency": "EUR",
                 "yearlyGoal": {"year": 2026, "books": 20}})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.At("yearlyGoal.books"), "20");
  EXPECT_EQ(As("ann").Patch("/me", R"({"timeZone": "Mars/Base"})").status, 400);
  EXPECT_EQ(As("ann").Patch("/me", R"({"defaultCurrency": "ZZZ"})").status, 400);
  EXPECT_EQ(As("ann").Patch("/me", R"({"counts": {"SHELF": 7}})").status, 400);
  EXPECT_EQ(As("ann").Get("/me").At("timeZone"), "Europe/Vienna");
}

TEST_P(BooksTest, DaysAreKeptFromEvents) {
  const std::string path = Add("ann", R"({"title": "Emma", "totalPages": 100})");
  for (const int page : {20, 30, 50}) {
    As("ann").Post(path + "/page", fmt::format(R"({{"page": {}}})", page));
    Advance(24LL * 3600 * 1000);
  }
  // One in between takes pages from the next day.
  As("ann").Post(path + "/page", R"({"page": 25, "occurredAt": "2026-01-02T23:30:00Z"})");
  Settle();
  const Answer days = As("ann").Get("/stats/reading");
  ASSERT_EQ(days.status, 200) << days.body;
  EXPECT_EQ(days.At("pages"), "50");
  EXPECT_EQ(days.At("items[0]"), "{date:2026-01-02,pages:25,books:1}");
  EXPECT_EQ(days.At("items[1]"), "{date:2026-01-03,pages:5,books:1}");
  EXPECT_EQ(days.At("streak"), "3");
  EXPECT_EQ(As("ann").Get("/stats/reading?bucket=month").At("items[0].pages"), "50");
  EXPECT_EQ(As("ann").Get("/stats/reading?from=2026-01-03&to=2026-01-03").At("pages"), "5");

  // In another place the evening is the next day.
  As("ann").Patch("/me", R"({"timeZone": "Europe/Vienna"})");
  Settle();
  EXPECT_TRUE(Eventually([&] {
    return As("ann").Get("/stats/reading").At("items[0]") == "{date:2026-01-02,pages:20,books:1}";
  }));
  As("ann").Delete(path);
  Settle();
  EXPECT_EQ(As("ann").Get("/stats/reading").At("pages"), "0");
}

TEST_P(BooksTest, BooksAndNotesAreFoundByTheirReaderOnly) {
  const std::string path =
      Add("ann", R"({"title": "The Dispossessed", "authors": ["Ursula K. Le Guin"]})");
  As("ann").Post(path + "/notes", R"({"content": "An ambiguous utopia"})");
  Settle();
  EXPECT_EQ(As("ann").Get("/search?q=disposessed").At("items[0].item.title"), "The Dispossessed");
  EXPECT_EQ(As("ann").Get("/search?q=guin").At("items[0].type"), "book");
  EXPECT_EQ(As("ann").Get("/search?q=utop").At("items[0].type"), "note");
  EXPECT_EQ(As("ann").Get("/search?q=utop&type=book").Count("items"), 0U);
  EXPECT_EQ(As("bob").Get("/search?q=utopia").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get("/search").status, 400);
  As("ann").Delete(path);
  Settle();
  EXPECT_EQ(As("ann").Get("/search?q=dispossessed").Count("items"), 0U);
  // Whoever has just written something can wait for it.
  for (int i = 0; i < 20; ++i) {
    Add("ann", fmt::format(R"({{"title": "waiting{}"}})", i));
    const Answer found =
        As("ann").Get(fmt::format("/search?q=waiting{}", i), {{"Prefer", "wait=9"}});
    EXPECT_EQ(found.Header("preference-applied"), "wait=9");
    EXPECT_EQ(found.At("items[0].item.title"), fmt::format("waiting{}", i));
  }
}

TEST_P(BooksTest, AReaderTakesEverythingAlongAndIsForgotten) {
  const std::string path = Add("ann", R"({"title": "=Emma", "totalPages": 100})");
  Add("bob", R"({"title": "Other"})");
  As("ann").Post(path + "/notes", R"({"content": "one, \"two\""})");
  As("ann").Post(path + "/page", R"({"page": 1})");
  Settle();
  const Answer all = As("ann").Get("/export");
  ASSERT_EQ(all.status, 200) << all.body;
  EXPECT_EQ(all.At("entities.Book[0].title"), "=Emma");
  EXPECT_EQ(all.Count("entities.Note"), 1U);
  EXPECT_EQ(all.Count("entities.ReadingEvent"), 1U);
  EXPECT_EQ(all.Count("entities.DayStat"), 1U);
  EXPECT_EQ(all.Count("entities.UserMetadata"), 1U);
  const Answer table = As("ann").Get("/export?format=csv", {{"Accept", "text/csv"}});
  EXPECT_NE(table.body.find("'=Emma"), std::string::npos) << table.body;
  EXPECT_NE(table.body.find("\"one, \"\"two\"\"\""), std::string::npos);

  EXPECT_EQ(EraseMe(As("ann")), "DONE");
  const auto books = backend().Read({.table = runtime().table()});
  ASSERT_TRUE(books.ok());
  for (const value::Item& item : books->items)
    EXPECT_EQ(item.view().bytes().find("USER#ann"), std::string::npos);
  EXPECT_EQ(As("bob").Get("/books").Count("items"), 1U);
}

TEST_P(BooksTest, ARepeatedRequestHasOneEffect) {
  const Person::Headers key = {{"Idempotency-Key", "k1"}};
  const Answer first = As("ann").Post("/books", R"({"title": "Emma"})", key);
  const Answer second = As("ann").Post("/books", R"({"title": "Emma"})", key);
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(second.Header("idempotent-replayed"), "true");
  EXPECT_EQ(As("ann").Post("/books", R"({"title": "Persuasion"})", key).status, 422);
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get("/books").Count("items"), 1U);
}

TEST_P(BooksTest, SampleDataIsWorthLookingAt) {
  host().LoadSamples();
  EXPECT_TRUE(Eventually([&] {
    LetIndexesFollow();
    const auto account = host().accounts()->FindByEmail("ann@example.org");
    if (!account.ok() || !*account) return false;
    const std::string sub((*account)->record.FindText("sub").value_or(""));
    return As(sub).Get("/books?status=WISHLIST").Count("items") == 2;
  }));
}

TEST_P(BooksTest, AYearIsSummedUp) {
  Add("ann", R"({"title": "a", "price": 10.10, "currency": "EUR", "store": "Corner",
                 "purchaseDate": "2026-01-01", "rating": 4})");
  Add("ann", R"({"title": "b", "price": 0.2, "currency": "EUR", "store": "Corner",
                 "purchaseDate": "2026-02-01", "rating": 5, "status": "READ"})");
  const Answer summary = As("ann").Get("/stats/summary?year=2026");
  ASSERT_EQ(summary.status, 200) << summary.body;
  EXPECT_EQ(summary.At("finished"), "1");
  EXPECT_EQ(summary.At("spending.total[0].amount"), "10.3");
  EXPECT_EQ(summary.Count("spending.perMonth"), 2U);
  EXPECT_EQ(summary.At("ratings.average"), "4.50");
  EXPECT_EQ(summary.At("counts.READ"), "1");
}

TEST_P(BooksTest, WordsNarrowTheListInAnyOrder) {
  for (const std::string_view title :
       {"The Dispossessed", "Always Coming Home", "The Home Stretch"}) {
    Add("ann", fmt::format(R"({{"title": "{}"}})", title));
    Advance(1000);
  }
  As("bob").Post("/books", R"({"title": "Home"})");
  Settle();
  const Answer newest = As("ann").Get("/books?q=home");
  EXPECT_EQ(newest.Count("items"), 2U) << newest.body;
  EXPECT_EQ(newest.At("items[0].title"), "The Home Stretch");
  EXPECT_EQ(newest.At("counts.SHELF"), "3");
  EXPECT_EQ(As("ann").Get("/books?q=home&sort=title").At("items[0].title"), "Always Coming Home");
  EXPECT_EQ(As("ann").Get("/books?q=home&status=READ").Count("items"), 0U);
  const Answer page = As("ann").Get("/books?q=home&limit=1");
  const std::string next = "/books?q=home&limit=1&cursor=" + page.At("nextCursor");
  EXPECT_EQ(As("ann").Get(next).At("items[0].title"), "Always Coming Home");
  EXPECT_EQ(As("ann").Get("/books?q=").status, 400);
}

TEST_P(BooksTest, ATableOfAnotherTrackerIsImported) {
  constexpr std::string_view kTable =
      "Title,Author,My Rating,Number of Pages,Date Read,Exclusive Shelf,Bookshelves\n"
      "Emma,Jane Austen,4,474,2024/03/05,read,classics\n"
      "Walden,Henry Thoreau,0,,,to-read,\n"
      ",Nobody,0,,,read,\n"
      "Ulysses,James Joyce,9,,,read,\n";
  const auto import = [&](const std::string& address) {
    return As("ann").Post(address, kTable, {{"Content-Type", "text/csv"}, {"Prefer", "wait=20"}});
  };
  const Answer dry = import("/import?dryRun=true");
  ASSERT_EQ(dry.status, 200) << dry.body;
  EXPECT_EQ(dry.At("result.books"), "2") << dry.body;
  EXPECT_EQ(dry.Count("errors"), 2U);
  EXPECT_EQ(As("ann").Get("/books").Count("items"), 0U);

  const Answer done = import("/import");
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.At("state"), "DONE");
  EXPECT_EQ(done.At("total"), "4");
  EXPECT_EQ(done.At("result.books"), "2") << done.body;
  EXPECT_EQ(done.At("result.ignoredColumns[0]"), "Bookshelves");
  EXPECT_TRUE(done.At("errors[0]").starts_with("book 3: title")) << done.body;
  EXPECT_TRUE(done.At("errors[1]").starts_with("book 4: rating")) << done.body;
  const Answer list = As("ann").Get("/books?sort=title");
  EXPECT_EQ(list.At("items[0].title"), "Emma");
  EXPECT_EQ(list.At("items[0].status"), "READ");
  EXPECT_EQ(list.At("items[0].percent"), "100");
  EXPECT_EQ(list.At("items[0].finishedAt"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(list.At("items[1].status"), "WISHLIST");
  EXPECT_EQ(As("ann").Post("/import", "pages\n1\n", {{"Content-Type", "text/csv"}}).status, 400);
  EXPECT_EQ(As("ann").Post("/import", R"({"book": []})").status, 400);
}

// As many as a reader has, and more than fit into one item of the job.
TEST_P(BooksTest, ALargeTableIsImported) {
  constexpr int kBooks = 600;
  std::string table = "Title,My Review\n";
  for (int i = 0; i < kBooks; ++i)
    table += fmt::format("Book {},{}\n", i, std::string(3000, 'r'));
  const auto import = [&](std::string_view body) {
    return As("ann").Post("/import", body, {{"Content-Type", "text/csv"}, {"Prefer", "wait=30"}});
  };
  const Answer done = import(table);
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.At("state"), "DONE");
  EXPECT_EQ(done.At("result.books"), std::to_string(kBooks)) << done.body;
  EXPECT_EQ(As("ann").Get("/me").At("counts.SHELF"), std::to_string(kBooks));

  std::string rows = "title\n";
  for (int i = 0; i < 5001; ++i)
    rows += "x\n";
  EXPECT_EQ(import(rows).Code(), "too-large");
  EXPECT_EQ(import("title\n" + std::string(2 * 1024 * 1024, 'x')).status, 413);
}

TEST_P(BooksTest, AnExportIsImportedBySomebodyElse) {
  const Answer book = As("ann").Post("/books", R"({"title": "Emma", "totalPages": 474,
                                                   "price": 12.5, "currency": "EUR"})");
  const std::string path = "/books/" + book.At("id");
  As("ann").Post(path + "/notes", R"({"content": "Clever, handsome and rich"})");
  As("ann").Post(path + "/page", R"({"page": 42})");
  const Answer exported = As("ann").Get("/export");
  const Answer done = As("bob").Post("/import", exported.body, {{"Prefer", "wait=20"}});
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.Count("errors"), 0U) << done.body;
  EXPECT_EQ(done.At("result.notes"), "1");
  EXPECT_EQ(done.At("result.events"), "1");
  LetIndexesFollow();
  const Answer list = As("bob").Get("/books");
  ASSERT_EQ(list.Count("items"), 1U);
  EXPECT_EQ(list.At("items[0].price"), "12.5");
  EXPECT_EQ(list.At("items[0].currentPage"), "42");
  EXPECT_EQ(list.At("items[0].notesCount"), "1");
  const std::string copy = "/books/" + list.At("items[0].id");
  EXPECT_NE(copy, path);
  EXPECT_EQ(As("bob").Get(copy + "/events").At("items[0].page"), "42");
  EXPECT_EQ(As("bob").Get(copy + "/notes").At("items[0].content"), "Clever, handsome and rich");
}

// Items with the keys and the attributes that the document has, and nothing else: no index, no
// version, no counts, not even the reader's own item.
TEST_P(BooksTest, ItemsOfTheDocumentAreReadChangedAndRemoved) {
  const auto put = [&](design::Record record) {
    ASSERT_TRUE(backend().Write({.table = runtime().table(), .item = record.ToItem()}).ok());
  };
  const std::string created = "2025-01-14T10:00:00.000Z";
  design::Record book = platform::TextRecord({{"pk", "USER#abc-123"},
                                              {"sk", "BOOK#b1-uuid"},
                                              {"entityType", "BOOK"},
                                              {"userId", "abc-123"},
                                              {"id", "b1-uuid"},
                                              {"title", "Emma"},
                                              {"description", "A novel"},
                                              {"status", "READING"},
                                              {"currency", "EUR"},
                                              {"store", "Corner shop"},
                                              {"purchaseDate", "2025-01-10"},
                                              {"boughtAt", "Bath"},
                                              {"createdAt", created},
                                              {"updatedAt", created}});
  for (const auto& [name, number] :
       {std::pair("rating", 4), {"currentPage", 42}, {"totalPages", 474}, {"price", 12}})
    book.Set(name, design::EncodeInteger(number));
  put(book);
  put(platform::TextRecord({{"pk", "USER#abc-123"},
                            {"sk", "NOTE#b1-uuid#n1-uuid"},
                            {"entityType", "NOTE"},
                            {"userId", "abc-123"},
                            {"id", "n1-uuid"},
                            {"bookId", "b1-uuid"},
                            {"content", "Handsome, clever"},
                            {"createdAt", created},
                            {"updatedAt", created}}));
  design::Record event =
      platform::TextRecord({{"pk", "USER#abc-123"},
                            {"sk", "EVENT#b1-uuid#2025-01-15T10:00:00.000Z#e1-uuid"},
                            {"entityType", "EVENT"},
                            {"userId", "abc-123"},
                            {"id", "e1-uuid"},
                            {"bookId", "b1-uuid"},
                            {"occurredAt", "2025-01-15T10:00:00.000Z"}});
  event.Set("page", design::EncodeInteger(42));
  put(event);

  const Person reader = As("abc-123");
  const Answer list = reader.Get("/books?sort=title");
  EXPECT_EQ(list.Count("items"), 1U) << list.body;
  EXPECT_EQ(list.At("items[0].notesCount"), "0");
  EXPECT_EQ(list.At("items[0].authors"), "[]");
  const Answer shown = reader.Get("/books/b1-uuid");
  EXPECT_EQ(shown.At("percent"), "8.9") << shown.body;
  EXPECT_EQ(reader.Get("/books/b1-uuid/notes").At("items[0].content"), "Handsome, clever");
  EXPECT_EQ(reader.Get("/books/b1-uuid/events").At("items[0].page"), "42");
  EXPECT_EQ(reader.Get("/books/b1-uuid/progress").Count("points"), 1U);

  const Answer changed =
      reader.Patch("/books/b1-uuid", R"({"rating": 4.5})", {{"If-Match", shown.Header("etag")}});
  EXPECT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(reader.Post("/books/b1-uuid/page", R"({"page": 50})").status, 201);
  LetIndexesFollow();
  // A change has put it into the index.
  EXPECT_EQ(reader.Get("/books?status=READING").At("items[0].currentPage"), "50");
  const Answer note = reader.Patch("/books/b1-uuid/notes/n1-uuid", R"({"content": "And rich"})");
  EXPECT_EQ(note.At("content"), "And rich") << note.body;
  EXPECT_EQ(reader.Post("/books/b1-uuid/notes", R"({"content": "More"})").status, 201);
  EXPECT_EQ(reader.Delete("/books/b1-uuid/notes/n1-uuid").status, 204);
  EXPECT_EQ(reader.Get("/books/b1-uuid/notes").Count("items"), 1U);
  const Answer finished = reader.Patch("/books/b1-uuid", R"({"status": "READ"})");
  EXPECT_EQ(finished.status, 200) << finished.body;
  EXPECT_EQ(reader.Delete("/books/b1-uuid").status, 204);
  EXPECT_EQ(reader.Get("/books/b1-uuid").status, 404);
  EXPECT_EQ(reader.Get("/books?sort=title").Count("items"), 0U);
  Settle();
  EXPECT_EQ(reader.Get("/me").At("counts.READ"), "0");
}

}  // namespace
}  // namespace trestle::apps::testing
