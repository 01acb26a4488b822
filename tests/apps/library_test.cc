// Libraries, and the items and collections in them.

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/library/catalogue.h"
#include "apps/library_fixture.h"
#include "design/values.h"
#include "value/item_codec.h"

namespace trestle::apps::testing {
namespace {

class LibraryTest : public LibraryFixture {};
TRESTLE_ON_EVERY_BACKEND(LibraryTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(LibraryTest);

TEST_P(LibraryTest, ALibraryIsMadeShownChangedAndRemoved) {
  const Answer made =
      As("a-1").Post("/libraries", R"({"libraryName": " Home ", "description": "All of it"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = "/libraries/" + made.At("id");
  EXPECT_EQ(made.Header("location"), "/api/library/v1" + path);
  EXPECT_EQ(made.At("libraryName"), "Home");
  EXPECT_EQ(made.At("totalItems"), "0");
  EXPECT_EQ(made.At("isOwner"), "true");
  EXPECT_EQ(made.At("version"), "1");
  EXPECT_EQ(made.At("ownerId"), "absent");
  const Answer shown = As("a-1").Get(path);
  EXPECT_EQ(shown.body, made.body);
  EXPECT_EQ(As("a-1").Get(path, {{"If-None-Match", shown.Header("etag")}}).status, 304);
  // An owner's id is the sub without dashes, in upper case.
  EXPECT_EQ(As("A1").Get(path).status, 200);

  const Answer changed = As("a-1").Patch(path, R"({"libraryName": "Attic", "description": null})",
                                         {{"If-Match", shown.Header("etag")}});
  EXPECT_EQ(changed.At("libraryName"), "Attic") << changed.body;
  EXPECT_EQ(changed.At("description"), "absent");
  EXPECT_EQ(
      As("a-1").Patch(path, R"({"libraryName": "x"})", {{"If-Match", shown.Header("etag")}}).status,
      412);
  EXPECT_EQ(As("a-1").Get("/me").At("libraryCount"), "1");
  EXPECT_EQ(As("a-1").Delete(path).status, 204);
  EXPECT_EQ(As("a-1").Get(path).status, 404);
  EXPECT_EQ(As("a-1").Delete(path).status, 404);
  EXPECT_EQ(As("a-1").Get("/me").At("libraryCount"), "0");
}

TEST_P(LibraryTest, LibrariesAreInTheOrderOfTheAlphabet) {
  for (const std::string_view name : {"Zebra", "angelo", "Éa"})
    AddLibrary("ann", name);
  LetIndexesFollow();
  EXPECT_EQ(All(As("ann").Get("/libraries"), "libraryName"), "angelo|Éa|Zebra|");
  std::string all;
  std::string cursor;
  do {
    const Answer page =
        As("ann").Get("/libraries?limit=1" + (cursor.empty() ? "" : "&cursor=" + cursor));
    ASSERT_EQ(page.status, 200) << page.body;
    all += page.At("items[0].libraryName") + "|";
    cursor = page.At("nextCursor");
  } while (cursor != "absent");
  EXPECT_EQ(all, "angelo|Éa|Zebra|");
}

TEST_P(LibraryTest, NobodyHasMoreThanAHundredLibraries) {
  for (int i = 0; i < 100; ++i)
    AddLibrary("ann", fmt::format("n{}", i));
  EXPECT_EQ(As("ann").Post("/libraries", R"({"libraryName": "more"})").status, 422);
  EXPECT_EQ(As("ann").Get("/me").At("libraryCount"), "100");
}

TEST_P(LibraryTest, BooksAndVideosAreAddedShownChangedAndRemoved) {
  const std::string library = AddLibrary("ann");
  const Answer book = As("ann").Post(
      library + "/books",
      R"({"title": "Emma", "authors": ["Jane Austen"], "isbn": "978-3-16-148410-0"})");
  ASSERT_EQ(book.status, 201) << book.body;
  EXPECT_EQ(book.At("isbn"), "9783161484100");
  EXPECT_EQ(book.At("type"), "book");
  EXPECT_EQ(book.At("lent"), "false");
  EXPECT_EQ(book.At("libraryName"), "Home");
  EXPECT_EQ(book.At("ownerName"), "ann");
  const Answer video = As("ann").Post(
      library + "/videos",
      R"({"title": "Metropolis", "directors": ["Fritz Lang"], "releaseYear": 1927})");
  ASSERT_EQ(video.status, 201) << video.body;
  EXPECT_EQ(video.At("type"), "video");
  const std::string path = library + "/items/" + book.At("id");
  EXPECT_EQ(As("ann").Get(path).body, book.body);
  EXPECT_EQ(
      As("ann").Patch(path, R"({"title": "Emma, again", "isbn": "0-306-40615-2"})").At("isbn"),
      "0306406152");
  EXPECT_EQ(As("ann").Patch(path, R"({"directors": ["x"]})").status, 400);
  EXPECT_EQ(As("ann").Get(library).At("totalItems"), "2");
  LetIndexesFollow();
  EXPECT_EQ(All(As("ann").Get("/items"), "title"), "Emma, again|Metropolis|");
  EXPECT_EQ(All(As("ann").Get("/items?type=video"), "title"), "Metropolis|");
  EXPECT_EQ(As("ann").Delete(path).status, 204);
  EXPECT_EQ(As("ann").Get(path).status, 404);
  EXPECT_EQ(As("ann").Get(library).At("totalItems"), "1");
}

TEST_P(LibraryTest, EveryWrongFieldIsNamed) {
  const std::string library = AddLibrary("ann");
  const Answer limits = As("ann").Post(
      library + "/videos",
      R"({"title": "", "releaseYear": 1700, "duration": 2000, "cast": ["a","b","c","d","e","f"]})");
  EXPECT_EQ(limits.status, 400);
  EXPECT_EQ(limits.Count("errors"), 4U) << limits.body;
  const Answer unknown = As("ann").Post(
      library + "/books",
      R"({"title": "x", "colour": "red", "ownerId": "B", "lentTo": "me", "version": 7})");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.Count("errors"), 4U) << unknown.body;
  EXPECT_EQ(unknown.At("errors[2].code"), "read-only");
  // What is unknown and what is wrong or missing come together.
  const Answer both =
      As("ann").Post(library + "/books", R"({"colour": "red", "authors": 7, "isbn": "1"})");
  EXPECT_EQ(both.status, 400);
  EXPECT_EQ(both.Code(), "validation");
  EXPECT_EQ(both.Count("errors"), 4U) << both.body;
  EXPECT_EQ(both.At("errors[0].pointer"), "/colour");
  const Answer kinds =
      As("ann").Post(library + "/books", R"({"title": "", "isbn": "9783161484101"})");
  EXPECT_EQ(kinds.Count("errors"), 2U) << kinds.body;
  EXPECT_EQ(kinds.At("errors[1].code"), "isbn");
  const std::string book = AddBook("ann", AddLibrary("ann", "Other"), "Emma");
  const Answer blank =
      As("ann").Post(book + "/lend", R"({"borrower": "  ", "dueDate": "soon", "colour": "red"})");
  EXPECT_EQ(blank.Count("errors"), 3U) << blank.body;
  const Answer event = As("ann").Post(
      book + "/events", R"({"type": "RETURNED", "borrower": " ", "dueDate": "2026-01-01"})");
  EXPECT_EQ(event.Count("errors"), 2U) << event.body;
  const Answer patch = As("ann").Patch(book, R"({"title": "", "colour": "red"})");
  EXPECT_EQ(patch.Count("errors"), 2U) << patch.body;
  const Answer lend = As("ann").Post(book + "/lend", R"({"colour": "red", "dueDate": "soon"})");
  EXPECT_EQ(lend.status, 400);
  EXPECT_EQ(lend.Count("errors"), 3U) << lend.body;  // borrower is missing
  const auto wrong = [&](std::string_view body) {
    return As("ann").Post(library + "/books", body);
  };
  EXPECT_EQ(wrong(R"({"title": "x", "isbn": "9783161484101"})").At("errors[0].pointer"), "/isbn");
  // Dashes of an ISBN are not too much, whatever else is wrong.
  EXPECT_EQ(
      wrong(R"({"title": "x", "isbn": "978-3-16-148410-0", "colour": "red"})").Count("errors"), 1U);
  EXPECT_EQ(
      As("ann").Patch(book, R"({"isbn": "978-3-16-148410-0", "colour": "red"})").Count("errors"),
      1U);
  EXPECT_EQ(As("ann").Patch(book, R"({"isbn": "978-3-16-148410-0"})").At("isbn"), "9783161484100");
  EXPECT_EQ(wrong(R"({"title": "x", "order": 3})").At("errors[0].pointer"), "/order");
  EXPECT_EQ(wrong(R"({"title": "x", "collectionId": "none"})").At("errors[0].pointer"),
            "/collectionId");
  EXPECT_EQ(wrong(R"({"title": "   "})").status, 400);
  EXPECT_EQ(wrong("{}").At("errors[0].pointer"), "/title");
  EXPECT_EQ(As("ann").Post("/libraries", R"({"libraryName": "more than 20 letters."})").status,
            400);
  EXPECT_EQ(As("ann").Post("/libraries", "{}").At("errors[0].pointer"), "/libraryName");
  EXPECT_EQ(As("ann").Get(library + "/items?view=list").status, 400);
  EXPECT_EQ(As("ann").Get(library + "/items?colour=red").status, 400);
  EXPECT_EQ(As("ann").Get("/loans?tz=Mars/Base").status, 400);
  EXPECT_EQ(As("ann").Get(library).At("totalItems"), "0");
}

TEST_P(LibraryTest, ACollectionKeepsItsOrder) {
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Amber");
  const std::string first = AddBook("ann", library, "Nine princes", collection);
  AddBook("ann", library, "Guns", collection);
  const Answer far = As("ann").Post(
      library + "/books",
      fmt::format(R"({{"title": "Chaos", "collectionId": "{}", "order": 10}})", IdOf(collection)));
  EXPECT_EQ(far.At("order"), "10") << far.body;
  EXPECT_EQ(far.At("collectionName"), "Amber");
  const std::string last = AddBook("ann", library, "After", collection);
  EXPECT_EQ(As("ann").Get(last).At("order"), "11");
  LetIndexesFollow();
  const Answer members = As("ann").Get(collection + "/items");
  EXPECT_EQ(All(members, "title"), "Nine princes|Guns|Chaos|After|");
  EXPECT_EQ(members.At("missingOrders"), "[3,4,5,6,7,8,9]");
  EXPECT_EQ(As("ann").Get(collection).At("itemCount"), "4");
  EXPECT_EQ(As("ann").Get(collection).At("version"), "1");

  const Answer ordered =
      As("ann").Put(collection + "/order", fmt::format(R"({{"items": [{{"id": "{}", "order": 2}},
                                             {{"id": "{}", "order": 1}}]}})",
                                                       IdOf(first), IdOf(last)));
  EXPECT_EQ(ordered.status, 200) << ordered.body;
  EXPECT_EQ(As("ann").Get(last).At("order"), "1");
  // All of it or nothing.
  const Answer half =
      As("ann").Put(collection + "/order", fmt::format(R"({{"items": [{{"id": "{}", "order": 5}},
                                             {{"id": "x", "order": 6}}]}})",
                                                       IdOf(last)));
  EXPECT_EQ(half.status, 400) << half.body;
  EXPECT_EQ(As("ann").Get(last).At("order"), "1");
  EXPECT_EQ(As("ann").Put(collection + "/order", R"({"items": []})").status, 200);
  for (const std::string_view body :
       {R"({})", R"({"items": 1})", R"({"items": [{"id": "x"}]})", R"({"items": [], "x": 1})",
        R"({"items": [{"id": "x", "order": 1}]})", R"({"items": [{"id": "x", "order": 1001}]})",
        R"({"items": [{"id": "x", "order": 1}, {"id": "y", "order": 1}]})"})
    EXPECT_EQ(As("ann").Put(collection + "/order", body).status, 400) << body;

  const Answer orders = As("ann").Put(
      collection + "/order",
      R"({"items": [{"id": "x", "order": 0}, {"order": 1}, {"id": "y", "order": "two"}, 7,
                    {"id": "z", "order": 5, "colour": "red"}], "colour": "red"})");
  EXPECT_EQ(orders.status, 400);
  EXPECT_EQ(orders.Count("errors"), 6U) << orders.body;

  // Out of the collection, and into another one.
  const Answer alone = As("ann").Patch(last, R"({"collectionId": null})");
  EXPECT_EQ(alone.status, 200) << alone.body;
  EXPECT_EQ(alone.At("order"), "absent");
  EXPECT_EQ(alone.At("collectionName"), "absent");
  const std::string other = AddCollection("ann", library, "Other");
  const Answer moved =
      As("ann").Patch(first, fmt::format(R"({{"collectionId": "{}"}})", IdOf(other)));
  EXPECT_EQ(moved.At("order"), "1") << moved.body;
  EXPECT_EQ(moved.At("collectionName"), "Other");
  EXPECT_EQ(As("ann").Get(collection).At("itemCount"), "2");
  EXPECT_EQ(As("ann").Get(other).At("itemCount"), "1");
}

TEST_P(LibraryTest, CollectionNamesAreUniqueInALibrary) {
  const std::string library = AddLibrary("ann");
  const std::string other = AddLibrary("ann", "Other");
  const std::string foo = AddCollection("ann", library, "Foo");
  const Answer again = As("ann").Post(library + "/collections", R"({"name": " Foo "})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.Code(), "collection-name-taken");
  const std::string bar = AddCollection("ann", library, "foo");  // another text
  AddCollection("ann", other, "Foo");
  EXPECT_EQ(As("ann").Patch(bar, R"({"name": "Foo"})").Code(), "collection-name-taken");
  EXPECT_EQ(As("ann").Patch(foo, R"({"name": "Baz"})").status, 200);
  EXPECT_EQ(As("ann").Patch(bar, R"({"name": "Foo"})").status, 200);
  EXPECT_EQ(All(As("ann").Get(library + "/collections"), "name"), "Baz|Foo|");
  // Of many at once one gets the name.
  constexpr int kThreads = 12;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const Answer answer = As("ann").Post(library + "/collections", R"({"name": "Wanted"})");
      if (answer.status == 201) ++made;
      EXPECT_TRUE(answer.status == 201 || answer.Code() == "collection-name-taken") << answer.body;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(made, 1);
}

TEST_P(LibraryTest, ItemsFollowTheirCollectionAndLibraryAndOwner) {
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Old");
  const std::string book = AddBook("ann", library, "Emma", collection);
  EXPECT_EQ(As("ann").Patch(collection, R"({"name": "New"})").status, 200);
  EXPECT_EQ(As("ann").Patch(library, R"({"libraryName": "Attic"})").status, 200);
  EXPECT_EQ(As("ann").Patch("/me", R"({"ownerName": "Anna"})").status, 200);
  Settle();
  const Answer followed = As("ann").Get(book);
  EXPECT_EQ(followed.At("collectionName"), "New");
  EXPECT_EQ(followed.At("libraryName"), "Attic");
  EXPECT_EQ(followed.At("ownerName"), "Anna");
  EXPECT_EQ(followed.At("version"), "1");
  EXPECT_EQ(As("ann").Get(collection + "/items").Count("items"), 1U);
  // What is left of a collection stands by itself.
  EXPECT_EQ(As("ann").Delete(collection).status, 204);
  Settle();
  const Answer left = As("ann").Get(book);
  EXPECT_EQ(left.At("collectionId"), "absent");
  EXPECT_EQ(left.At("collectionName"), "absent");
  EXPECT_EQ(left.At("order"), "absent");
  EXPECT_EQ(All(As("ann").Get(library + "/items"), "title"), "Emma|");
}

TEST_P(LibraryTest, NastyNamesNeitherMixNorHide) {
  const std::string library = AddLibrary("ann");
  std::set<std::string> collections;
  for (const std::string_view name : {"Foo", "Foo Bar", "Foo#1", "foo", "Fóo"}) {
    const std::string collection = AddCollection("ann", library, name);
    AddBook("ann", library, fmt::format("in {}", name), collection);
    AddBook("ann", library, name);
    collections.insert(collection);
  }
  LetIndexesFollow();
  const Answer grouped = As("ann").Get(library + "/items?limit=100");
  ASSERT_EQ(grouped.Count("items"), 10U) << grouped.body;
  int count = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const std::string at = fmt::format("items[{}].", i);
    if (grouped.At(at + "type") != "collection") continue;
    ++count;
    EXPECT_EQ(grouped.Count(at + "items"), 1U);
    EXPECT_EQ(grouped.At(at + "items[0].title"), "in " + grouped.At(at + "name"));
  }
  EXPECT_EQ(count, 5);
  EXPECT_EQ(grouped.At("letters"), "[F]");
  for (const std::string& collection : collections)
    EXPECT_EQ(As("ann").Get(collection + "/items").Count("items"), 1U) << collection;
  EXPECT_EQ(As("ann").Get(library + "/items?view=flat&limit=100").Count("items"), 10U);
  for (const std::string_view title : {"Zebra", "angelo", "Éa", "7 days"})
    AddBook("ann", library, title);
  LetIndexesFollow();
  const Answer flat = As("ann").Get("/items?limit=100");
  EXPECT_TRUE(All(flat, "title").starts_with("7 days|angelo|Éa|foo|Foo|")) << All(flat, "title");
  EXPECT_EQ(flat.At("letters"), "[#,A,E,F,I,Z]");
}

TEST_P(LibraryTest, AListShowsTheFirstOfLongCollections) {
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Long");
  for (int i = 1; i <= 13; ++i)
    AddBook("ann", library, fmt::format("Volume {}", i), collection);
  EXPECT_EQ(As("ann").Post(library + "/items/none/lend", R"({"borrower": "x"})").status, 404);
  LetIndexesFollow();
  const Answer list = As("ann").Get(library + "/items");
  ASSERT_EQ(list.Count("items"), 1U);
  EXPECT_EQ(list.Count("items[0].items"), 10U);
  EXPECT_EQ(list.At("items[0].itemCount"), "13");
  const std::string cursor = list.At("items[0].itemsCursor");
  const Answer rest = As("ann").Get(collection + "/items?limit=2&cursor=" + cursor);
  EXPECT_EQ(All(rest, "title"), "Volume 11|Volume 12|") << rest.body;
  EXPECT_EQ(
      All(As("ann").Get(collection + "/items?limit=2&cursor=" + rest.At("nextCursor")), "title"),
      "Volume 13|");
  // Every cursor is for its own question and its own asker.
  const std::string other = AddCollection("ann", library, "Other");
  for (const Answer& answer : {As("ann").Get(other + "/items?cursor=" + cursor),
                               As("ann").Get(collection + "/items?type=book&cursor=" + cursor),
                               As("ann").Get(collection + "/items?cursor=x" + cursor),
                               As("ann").Get(library + "/items?cursor=" + cursor)}) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.Code(), "invalid-cursor");
  }
}

TEST_P(LibraryTest, ALongCollectionIsTurnedRound) {
  constexpr int kBooks = 103;  // more than one transaction holds
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Long");
  std::string items;
  for (int i = 1; i <= kBooks; ++i) {
    const std::string book = AddBook("ann", library, fmt::format("Book {:03}", i), collection);
    items += fmt::format(R"({}{{"id": "{}", "order": {}}})", i == 1 ? "" : ",", IdOf(book),
                         500 + kBooks - i);
  }
  const Answer turned =
      As("ann").Put(collection + "/order", fmt::format(R"({{"items": [{}]}})", items));
  ASSERT_EQ(turned.status, 200) << turned.body;
  LetIndexesFollow();
  const Answer members = As("ann").Get(collection + "/items?limit=100");
  EXPECT_EQ(members.At("items[0].title"), "Book 103");
  EXPECT_EQ(members.At("items[0].order"), "500");
  EXPECT_EQ(members.At("items[99].title"), "Book 004");
  // Who comes next is behind all of them.
  const std::string next = AddBook("ann", library, "Next", collection);
  EXPECT_EQ(As("ann").Get(next).At("order"), "603");
}

TEST_P(LibraryTest, ThoseWhoAddAtOnceGetDifferentOrders) {
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Series");
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 5; ++j)
        AddBook("ann", library, fmt::format("Volume {} {}", i, j), collection);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  LetIndexesFollow();
  const Answer members = As("ann").Get(collection + "/items?limit=100");
  EXPECT_EQ(members.Count("items"), 20U);
  EXPECT_EQ(members.At("missingOrders"), "[]");
  std::set<std::string> orders;
  for (std::size_t i = 0; i < 20; ++i)
    orders.insert(members.At(fmt::format("items[{}].order", i)));
  EXPECT_EQ(orders.size(), 20U);
  EXPECT_EQ(As("ann").Get(collection).At("itemCount"), "20");
  EXPECT_EQ(As("ann").Get(library).At("totalItems"), "20");
}

TEST_P(LibraryTest, ARenameReachesAllThatComeAndGoMeanwhile) {
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Old");
  const std::string other = AddCollection("ann", library, "Other");
  std::vector<std::string> books;
  for (int i = 0; i < 120; ++i)
    books.push_back(AddBook("ann", library, fmt::format("Volume {}", i), collection));
  std::string table = "type,title,collection\n";
  for (int i = 120; i < 900; ++i)
    table += fmt::format("book,Volume {},Old\n", i);
  EXPECT_EQ(As("ann")
                .Post("/import?libraryId=" + IdOf(library), table, {{"Content-Type", "text/csv"}})
                .status,
            202);
  Settle();
  std::thread adder([&] {
    for (int i = 0; i < 20; ++i)
      AddBook("ann", library, fmt::format("New {}", i), collection);
  });
  std::thread mover([&] {
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(As("ann").Delete(books[i]).status, 204);
      EXPECT_EQ(As("ann")
                    .Patch(books[i + 50], fmt::format(R"({{"collectionId": "{}"}})", IdOf(other)))
                    .status,
                200);
    }
  });
  EXPECT_EQ(As("ann").Patch(collection, R"({"name": "Between"})").status, 200);
  EXPECT_EQ(As("ann").Patch(collection, R"({"name": "New"})").status, 200);
  adder.join();
  mover.join();
  Settle();
  std::string cursor;
  std::size_t count = 0;
  do {
    const Answer page = As("ann").Get(collection + "/items?limit=100" +
                                      (cursor.empty() ? "" : "&cursor=" + cursor));
    ASSERT_EQ(page.status, 200) << page.body;
    count += page.Count("items");
    for (std::size_t i = 0; i < page.Count("items"); ++i)
      EXPECT_EQ(page.At(fmt::format("items[{}].collectionName", i)), "New");
    cursor = page.At("nextCursor");
  } while (cursor != "absent");
  EXPECT_EQ(count, 900U);
  EXPECT_EQ(As("ann").Get(collection).At("itemCount"), "900");
  EXPECT_EQ(As("ann").Get(other + "/items").Count("items"), 10U);
  EXPECT_EQ(As("ann").Get(library).At("totalItems"), "910");
}

TEST_P(LibraryTest, ARemovedLibraryTakesAllAlong) {
  const std::string library = AddLibrary("ann");
  const std::string collection = AddCollection("ann", library, "Series");
  for (int i = 0; i < 30; ++i) {
    const std::string book = AddBook("ann", library, fmt::format("Volume {}", i), collection);
    As("ann").Post(book + "/lend", R"({"borrower": "Paul"})");
  }
  const std::string kept = AddLibrary("ann", "Kept");
  AddBook("ann", kept, "Emma");
  EXPECT_EQ(As("ann").Delete(library).status, 204);
  EXPECT_EQ(As("ann").Get(library + "/items").status, 404);
  Settle();
  EXPECT_EQ(All(As("ann").Get("/items"), "title"), "Emma|");
  EXPECT_EQ(As("ann").Get("/loans?state=all").Count("items"), 0U);
  EXPECT_EQ(All(As("ann").Get("/libraries"), "libraryName"), "Kept|");
}

TEST_P(LibraryTest, ATableIsImported) {
  const std::string library = AddLibrary("ann");
  const std::string address = "/import?libraryId=" + IdOf(library);
  const Answer job = As("ann").Post(address,
                                    "type,title,authors,isbn,collection,order,releaseYear\n"
                                    "book,Emma,Jane Austen,978-3-16-148410-0,,,\n"
                                    "book,\"One, two\",Ann; Bob,,Series,,\n"
                                    "video,Metropolis,,,Series,,1927\n"
                                    "book,,,,,,\n"
                                    "disc,x,,,,,\n",
                                    {{"Content-Type", "text/csv"}, {"Prefer", "wait=20"}});
  ASSERT_EQ(job.status, 200) << job.body;
  EXPECT_EQ(job.At("done"), "5");
  EXPECT_EQ(job.Count("errors"), 2U) << job.body;
  LetIndexesFollow();
  const Answer list = As("ann").Get(library + "/items");
  EXPECT_EQ(list.At("items[0].title"), "Emma");
  EXPECT_EQ(list.At("items[1].items[0].authors"), "[Ann,Bob]");
  EXPECT_EQ(list.At("items[1].items[1].order"), "2");
  EXPECT_EQ(As("ann").Post(address, "colour\nred\n", {{"Content-Type", "text/csv"}}).status, 400);
  EXPECT_EQ(As("bob").Post(address, "title\nx\n", {{"Content-Type", "text/csv"}}).status, 404);
}

// Items as the document prints them, without what this app adds; "NULL" stands for the value.
TEST_P(LibraryTest, ItemsOfOthersAreReadChangedAndRemoved) {
  const auto put = [&](std::vector<std::pair<std::string, std::string>> attributes) {
    value::ItemBuilder builder;
    for (auto& [name, text] : attributes) {
      std::string encoded = design::EncodeText(text);
      if (text == "NULL") {
        encoded.clear();
        value::AppendNull(encoded);
      } else if (text == "0") {
        encoded = design::EncodeInteger(0);
      }
      text = std::move(encoded);
      builder.Add(name, text);
    }
    EXPECT_TRUE(backend().Write({.table = runtime().table(), .item = builder.Finish()}).ok());
  };
  EXPECT_EQ(As("ann").Get("/me").status, 200);
  put({{"PK", "owner#ANN"},
       {"SK", "library#L"},
       {"GSI1PK", "owner#ANN"},
       {"GSI1SK", "library#Old"},
       {"EntityType", "LIBRARY"},
       {"OwnerId", "ANN"},
       {"LibraryId", "L"},
       {"LibraryName", "Old"},
       {"TotalItems", "0"},
       {"UpdatedAt", "2025-01-01T00:00:00Z"}});
  put({{"PK", "owner#ANN"},
       {"SK", "library#L#collection#C"},
       {"GSI1PK", "owner#ANN#library#L"},
       {"GSI1SK", "item#Series"},
       {"EntityType", "COLLECTION"},
       {"OwnerId", "ANN"},
       {"LibraryId", "L"},
       {"CollectionId", "C"},
       {"Name", "Series"},
       {"ItemCount", "0"}});
  put({{"PK", "owner#ANN"},
       {"SK", "library#L#item#I"},
       {"GSI1PK", "owner#ANN#library#L"},
       {"GSI1SK", "item#Angelo"},
       {"GSI2PK", "owner#ANN"},
       {"GSI2SK", "item#Angelo"},
       {"EntityType", "BOOK"},
       {"OwnerId", "ANN"},
       {"LibraryId", "L"},
       {"ItemId", "I"},
       {"Title", "Angelo"},
       {"Type", "0"},
       {"CollectionId", "NULL"},
       {"CollectionName", "NULL"},
       {"Order", "NULL"},
       {"LentTo", "NULL"},
       {"LibraryName", "Old"},
       {"OwnerName", "ann"}});
  LetIndexesFollow();
  EXPECT_EQ(All(As("ann").Get("/libraries"), "libraryName"), "Old|");
  EXPECT_EQ(All(As("ann").Get("/libraries/L/items"), "type"), "book|collection|");
  EXPECT_EQ(As("ann").Get("/libraries/L/items/I").At("lent"), "false");
  EXPECT_EQ(As("ann").Post("/libraries/L/items/I/lend", R"({"borrower": "Paul"})").status, 201);
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get("/loans").Count("items"), 1U);
  EXPECT_EQ(As("ann").Post("/libraries/L/items/I/return").status, 201);
  const Answer placed = As("ann").Patch("/libraries/L/items/I", R"({"collectionId": "C"})");
  EXPECT_EQ(placed.status, 200) << placed.body;
  EXPECT_EQ(placed.At("order"), "1");
  EXPECT_EQ(As("ann").Get("/libraries/L/collections/C").At("itemCount"), "1");
  EXPECT_EQ(As("ann").Delete("/libraries/L/items/I").status, 204);
  EXPECT_EQ(As("ann").Patch("/libraries/L", R"({"libraryName": "New"})").status, 200);
  EXPECT_EQ(As("ann").Delete("/libraries/L").status, 204);
}

TEST_P(LibraryTest, SamplesAreGenerous) {
  const std::vector<platform::Person> people = {
      {.sub = "ann", .email = "ann@example.org", .name = "Ann"},
      {.sub = "bob", .email = "bob@example.org", .name = "Bob"},
      {.sub = "eve", .email = "eve@example.org", .name = "Eve"}};
  const Status loaded = Library().people.load_samples(*host().FindMount("library"), people);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get("/libraries").Count("items"), 4U);
  EXPECT_EQ(As("bob").Get("/libraries").Count("items"), 2U);
  EXPECT_GT(As("ann").Get("/items?limit=100").Count("items"), 30U);
  EXPECT_GE(As("ann").Get("/loans").Count("items"), 4U);
  EXPECT_GE(As("ann").Get("/loans?state=overdue").Count("items"), 1U);
}

TEST_P(LibraryTest, ACodeIsLookedUpOnlyWhereThereIsACatalogue) {
  EXPECT_EQ(As("ann").Post("/detections", R"({"type": "book", "code": "9783161484100"})").status,
            501);
  EXPECT_EQ(As("ann").Post("/detections", R"({"type": "book", "code": "123"})").status, 400);
  EXPECT_EQ(As("ann").Post("/detections", R"({"type": "book"})").status, 400);
}

TEST_P(LibraryTest, ACatalogueSaysWhatACodeOrATitleMayBe) {
  const auto catalogue = library::SampleCatalogue();
  SetCatalogue(catalogue.get());
  Use(Library());
  const auto ask = [&](std::string_view body) { return As("ann").Post("/detections", body); };
  const Answer book = ask(R"({"type": "book", "code": "978-0-14-143958-7"})");
  EXPECT_EQ(book.status, 200) << book.body;
  ASSERT_EQ(book.Count("candidates"), 1U) << book.body;
  EXPECT_EQ(book.At("candidates[0].type"), "book");
  EXPECT_EQ(book.At("candidates[0].title"), "Emma");
  EXPECT_EQ(book.At("candidates[0].authors"), "[Jane Austen]");
  EXPECT_EQ(book.At("candidates[0].isbn"), "9780141439587");
  // The same book, by its old number.
  EXPECT_EQ(ask(R"({"type": "book", "code": "0141439580"})").At("candidates[0].title"), "Emma");
  const Answer film = ask(R"({"type": "video", "code": "4006381333931"})");
  EXPECT_EQ(film.At("candidates[0].title"), "Metropolis");
  EXPECT_EQ(film.At("candidates[0].releaseYear"), "1927");
  EXPECT_EQ(film.At("candidates[0].cast"), "[Brigitte Helm,Gustav Fröhlich]");
  // By title, with a typo; films are not books.
  EXPECT_EQ(ask(R"({"type": "book", "title": "midlemarch"})").At("candidates[0].title"),
            "Middlemarch");
  EXPECT_EQ(ask(R"({"type": "book", "title": "metropolis"})").Count("candidates"), 0U);
  EXPECT_EQ(ask(R"({"type": "book", "code": "9783161484100"})").Count("candidates"), 0U);
  const Answer wrong = ask(R"({"type": "video", "code": "4006381333932"})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.At("errors[0].pointer"), "/code");
  // What it says can be added as it is.
  const std::string library = AddLibrary("ann");
  EXPECT_EQ(As("ann")
                .Post(library + "/books", R"({"title": "Emma", "authors": ["Jane Austen"],
                                              "isbn": "9780141439587"})")
                .status,
            201);
}

TEST(LibraryCatalogueTest, WordsThatManyTitlesHaveFindNothing) {
  std::string table = "title,authors\n";
  for (int i = 0; i < 100; ++i)
    table +=
        fmt::format("The House of the {0},Anna Writer{0}\n", std::string(3, char('a' + i % 26)));
  table += "The Wind in the Willows,Kenneth Grahame\nMidnight in Willowdale,Carla Blue\n";
  const auto catalogue = library::ReadCatalogue(table);
  ASSERT_TRUE(catalogue.ok());
  const auto titles = [&](std::string_view title) {
    std::string found;
    const auto entries = (*catalogue)->Find({.type = "book", .title = std::string(title)});
    for (const auto& entry : *entries)
      found += entry.front().second + ";";
    return found;
  };
  EXPECT_EQ(titles("of the"), "");
  EXPECT_EQ(titles("teh houes"), "") << "nor with typos";
  EXPECT_EQ(titles("the hou"), "") << "nor unfinished";
  EXPECT_EQ(titles("the wind of the house"), "The Wind in the Willows;");
  EXPECT_EQ(titles("the willows of the wind"), "The Wind in the Willows;");
  EXPECT_EQ(titles("grahame"), "The Wind in the Willows;");
}

TEST(LibraryCatalogueTest, ATableThatIsWrongIsRefusedWithItsRow) {
  const auto reason = [](std::string_view text) {
    const auto catalogue = library::ReadCatalogue(text);
    return catalogue.ok() ? std::string("fine") : catalogue.error().message();
  };
  EXPECT_EQ(reason("title,isbn\nEmma,978-0-14-143958-7\n"), "fine");
  EXPECT_EQ(reason(""), "the catalogue has no header");
  EXPECT_EQ(reason("title,price\n"), "there is no column of the name price");
  EXPECT_EQ(reason("title,code\nEmma,9780141439587\n,9780141439587\n"), "row 2: it has no title");
  EXPECT_EQ(reason("title,type,code\nM,video,4006381333932\n"),
            "row 1: 4006381333932 has a wrong check digit");
}

}  // namespace
}  // namespace trestle::apps::testing
