// Lists of WorthWatch and the titles in them.

#include <atomic>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "apps/watch_fixture.h"
#include "design/values.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

class WatchListTest : public WatchFixture {};
TRESTLE_ON_EVERY_BACKEND(WatchListTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(WatchListTest);

TEST_P(WatchListTest, AListIsMadeShownChangedAndRemoved) {
  const Person ann = Curator("ann");
  const Answer made = ann.Post("/watchlists", R"({"title": " Best  ", "description": "All good",
      "coverImageUrl": "https://example.org/c.png", "tags": ["Sci-Fi", "sci-fi ", "2025"]})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = "/watchlists/" + made.At("watchlistId");
  EXPECT_EQ(made.Header("location"), "/api/watch/v1" + path);
  EXPECT_EQ(made.At("title"), "Best");
  EXPECT_EQ(made.At("tags"), "[sci-fi,2025]");
  EXPECT_EQ(made.At("curatorName"), "ann");
  EXPECT_EQ(made.At("isPublic"), "true");
  EXPECT_EQ(made.At("isPublicStr"), "absent");
  EXPECT_EQ(made.At("version"), "1");
  EXPECT_EQ(made.At("itemCount"), "0");

  const Answer shown = Nobody().Get(path);
  ASSERT_EQ(shown.status, 200);
  EXPECT_EQ(shown.At("me"), "absent");
  EXPECT_EQ(Nobody().Get(path, {{"If-None-Match", shown.Header("etag")}}).status, 304);
  EXPECT_EQ(As("bob").Get(path).At("me.saved"), "false");

  const Answer changed = ann.Patch(path, R"({"description": null, "tags": ["New"]})",
                                   {{"If-Match", ann.Get(path).Header("etag")}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.At("description"), "absent");
  EXPECT_EQ(changed.At("tags"), "[new]");
  EXPECT_EQ(changed.At("version"), "2");
  EXPECT_EQ(ann.Patch(path, R"({"title": "x"})", {{"If-Match", shown.Header("etag")}}).Code(),
            "version-mismatch");
  EXPECT_EQ(ann.Delete(path).status, 204);
  EXPECT_EQ(ann.Get(path).status, 404);
  EXPECT_EQ(ann.Delete(path).status, 404);
}

TEST_P(WatchListTest, WrongFieldsAreNamedAndChangeNothing) {
  const Person ann = Curator("ann");
  const Answer unknown =
      ann.Post("/watchlists", R"({"title": "x", "colour": 1, "curatorId": "bob", "itemCount": 7,
                         "restorePublic": true})");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.At("errors[0].pointer"), "/colour");
  EXPECT_EQ(unknown.At("errors[1].code"), "read-only");
  const std::string tag(51, 't');
  for (const std::string& body :
       {std::string("{}"), std::string(R"({"title": ""})"),
        fmt::format(R"({{"title": "{}"}})", std::string(201, 'x')),
        std::string(R"({"title": "x", "tags": [""]})"),
        std::string(R"({"title": "x", "tags": "t"})"),
        fmt::format(R"({{"title": "x", "tags": ["{}"]}})", tag),
        std::string(R"({"title": "x", "coverImageUrl": "nowhere"})"),
        fmt::format(R"({{"title": "x", "description": "{}"}})", std::string(1001, 'd')),
        std::string(R"({"title": "x", "isPublic": "yes"})"), std::string("[]"), std::string("{")}) {
    EXPECT_EQ(ann.Post("/watchlists", body).status, 400) << body;
  }
  for (const std::string_view body :
       {R"({"title": "x", "releaseYear": 1700})", R"({"title": "x", "runtime": 1001})",
        R"({"title": "x", "genres": [1]})", R"({"title": "x", "rating": 9})",
        R"({"title": "x", "ratingCount": 9})", R"({"title": "x", "movieId": "a#b"})",
        R"({"title": "x", "createdBy": "bob"})"}) {
    EXPECT_EQ(ann.Post("/movies", body).status, 400) << body;
  }
  EXPECT_EQ(ann.Post("/shows", R"({"title": "x", "startYear": 2000, "endYear": 1999})")
                .At("errors[0].pointer"),
            "/endYear");
  const auto kinds =
      ann.Post("/shows", R"({"title": "", "startYear": 2000, "endYear": 1999, "status": "lost"})");
  EXPECT_EQ(kinds.Count("errors"), 3U) << kinds.body;
  EXPECT_EQ(ann.Post("/shows", R"({"title": "x", "status": "lost"})").status, 400);
  // Unknown, of another type, too short and against a rule of ours, at once.
  const Answer at_once = ann.Post(
      "/shows", R"({"colour": 1, "genres": 7, "title": "", "startYear": 2000, "endYear": 1999})");
  EXPECT_EQ(at_once.Count("errors"), 4U) << at_once.body;
  const std::string list = AddList(ann, R"({"title": "x"})");
  const Answer patch = ann.Patch(list, R"({"colour": 1, "tags": [""], "title": ""})");
  EXPECT_EQ(patch.Count("errors"), 3U) << patch.body;
  EXPECT_EQ(ann.Delete(list).status, 204);
  Settle();
  EXPECT_EQ(ann.Get("/curators/ann/watchlists").Count("items"), 0U);
  EXPECT_EQ(ann.Get("/movies").Count("items"), 0U);
}

TEST_P(WatchListTest, PrivateListsAreTheirCuratorsOnly) {
  const Person ann = Curator("ann");
  Curator("bob");
  AddMovie(ann, "m1", "Alien");
  const std::string list = AddList(ann, R"({"title": "Secret", "isPublic": false})");
  const std::string item = list + "/items/MOVIE/m1";
  ASSERT_EQ(AddItem(ann, list, "m1").status, 201);
  const Answer comment = ann.Post(list + "/comments", R"({"commentText": "mine"})");
  ASSERT_EQ(comment.status, 201) << comment.body;
  Settle();
  const Person bob = As("bob");
  const std::string saved = "/me/saved/" + list.substr(12);
  for (const Answer& answer :
       {bob.Get(list),
        bob.Patch(list, R"({"title": "x"})"),
        bob.Delete(list),
        bob.Get(list + "/items"),
        AddItem(bob, list, "m1"),
        bob.Get(item),
        bob.Patch(item, R"({"curatorNote": "x"})"),
        bob.Delete(item),
        bob.Put(list + "/order", R"({"order": []})"),
        bob.Get(list + "/progress"),
        bob.Get(list + "/comments"),
        bob.Post(list + "/comments", R"({"commentText": "x"})"),
        bob.Patch(list + "/comments/" + comment.At("token"), R"({"commentText": "x"})"),
        bob.Delete(list + "/comments/" + comment.At("token")),
        bob.Get(list + "/export"),
        bob.Put(saved),
        Nobody().Get(list),
        Nobody().Get(list + "/items"),
        bob.Get("/watchlists/none"),
        bob.Get("/watchlists/a%23b")}) {
    EXPECT_EQ(answer.status, 404) << answer.body;
    EXPECT_EQ(answer.Code(), "not-found");
  }
  EXPECT_EQ(bob.Get("/watchlists").Count("items"), 0U);
  EXPECT_EQ(bob.Get("/curators/ann/watchlists").Count("items"), 0U);
  EXPECT_EQ(ann.Get("/curators/ann/watchlists").Count("items"), 1U);
  EXPECT_EQ(bob.Get("/movies/m1").Count("lists"), 0U);
  EXPECT_EQ(ann.Get("/movies/m1").Count("lists"), 1U);
  EXPECT_EQ(bob.Get("/search?q=secret").Count("items"), 0U);
  EXPECT_EQ(Nobody().Get("/search?q=secret").Count("items"), 0U);
  EXPECT_EQ(ann.Get("/search?q=secret").At("items[0].type"), "watchlist");
  EXPECT_EQ(ann.Get(list).At("title"), "Secret");
}

TEST_P(WatchListTest, PublicListsAreChangedByTheirCuratorOnly) {
  const Person ann = Curator("ann");
  const Person bob = Curator("bob");
  AddMovie(ann, "m1", "Alien");
  const std::string list = AddList(ann, R"({"title": "Open"})");
  const std::string item = list + "/items/MOVIE/m1";
  ASSERT_EQ(AddItem(ann, list, "m1").status, 201);
  for (const Answer& answer :
       {bob.Patch(list, R"({"title": "x"})"), bob.Delete(list), AddItem(bob, list, "m1"),
        bob.Patch(item, R"({"curatorNote": "x"})"), bob.Delete(item),
        bob.Put(list + "/order", R"({"order": ["MOVIE/m1"]})"),
        bob.Patch("/movies/m1", R"({"title": "x"})"), bob.Delete("/movies/m1")}) {
    EXPECT_EQ(answer.status, 403) << answer.body;
  }
  for (const Answer& answer :
       {Nobody().Patch(list, R"({"title": "x"})"), Nobody().Delete(list),
        AddItem(Nobody(), list, "m1"), Nobody().Delete(item),
        Nobody().Put(list + "/order", R"({"order": []})"), Nobody().Get(list + "/progress"),
        Nobody().Post(list + "/comments", R"({"commentText": "x"})"),
        Nobody().Post("/movies", R"({"title": "x"})"), Nobody().Post("/shows", R"({"title": "x"})"),
        Nobody().Put("/me/ratings/MOVIE/m1", R"({"rating": 1})"),
        Nobody().Put("/me/watched/MOVIE/m1"), Nobody().Get("/me/saved"), Nobody().Get("/me/feed"),
        Nobody().Post("/import", "{}"), Nobody().Get("/export"),
        Nobody().Get("/admin/audit?user=x"), Nobody().Get("/admin/entities?type=USER")}) {
    EXPECT_EQ(answer.status, 401) << answer.body;
  }
  for (const Answer& answer : {bob.Get("/admin/audit?user=ann"), bob.Get("/admin/users"),
                               bob.Get("/admin/entities?type=USER")})
    EXPECT_EQ(answer.status, 403) << answer.body;
  EXPECT_EQ(As("cat").Post("/movies", R"({"title": "x"})").Code(), "curator-required");
  EXPECT_EQ(As("cat").Post("/import", R"({"items": []})").Code(), "curator-required");
  EXPECT_EQ(Nobody().Get(list + "/items").At("items[0].content.title"), "Alien");
  EXPECT_EQ(Admin().Patch(list, R"({"title": "Moderated"})").status, 200);
  EXPECT_EQ(Admin().Delete(list).status, 204);
}

TEST_P(WatchListTest, ItemsStandInTheirOrder) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  for (const std::string_view id : {"a", "b", "c", "d"}) {
    AddMovie(ann, id, id);
    const Answer added = AddItem(ann, list, id);
    ASSERT_EQ(added.status, 201) << added.body;
    EXPECT_EQ(added.At("content.title"), id);
    EXPECT_EQ(added.At("me.watched"), "false");
  }
  EXPECT_EQ(Order(ann, list), "a b c d");
  EXPECT_EQ(ann.Get(list).At("itemCount"), "4");
  EXPECT_EQ(AddItem(ann, list, "a").Code(), "already-exists");
  EXPECT_EQ(AddItem(ann, list, "none").status, 404);
  EXPECT_EQ(ann.Post(list + "/items", R"({"contentType": "BOOK", "contentId": "a"})").status, 400);
  EXPECT_EQ(ann.Get(list + "/items/BOOK/a").status, 404);

  const Answer before = ann.Get(list);
  Advance(1000);
  const Answer moved =
      ann.Put(list + "/order", R"({"order": ["MOVIE/d", "MOVIE/a", "MOVIE/b", "MOVIE/c"]})",
              {{"If-Match", before.Header("etag")}});
  ASSERT_EQ(moved.status, 200) << moved.body;
  EXPECT_EQ(Order(ann, list), "d a b c");
  EXPECT_EQ(ann.Get(list + "/items/MOVIE/a").At("version"), "1") << "only one was written";
  EXPECT_EQ(ann.Get(list + "/items/MOVIE/d").At("version"), "2");
  EXPECT_EQ(ann.Put(list + "/order", R"({"order": ["MOVIE/a", "MOVIE/b", "MOVIE/c", "MOVIE/d"]})",
                    {{"If-Match", before.Header("etag")}})
                .status,
            412);
  for (const std::string_view order :
       {R"({"order": ["MOVIE/a"]})", R"({"order": ["MOVIE/a", "MOVIE/a", "MOVIE/b", "MOVIE/c"]})",
        R"({"order": ["MOVIE/a", "MOVIE/b", "MOVIE/c", "MOVIE/d", "SHOW/a"]})"})
    EXPECT_EQ(ann.Put(list + "/order", order).status, 422) << order;
  EXPECT_EQ(ann.Put(list + "/order", R"({"order": 1})").status, 400);

  const std::string item = list + "/items/MOVIE/b";
  const std::int64_t version = std::stoll(ann.Get(list).At("version"));
  EXPECT_EQ(ann.Patch(item, R"({"position": 1, "curatorNote": "First"})").At("curatorNote"),
            "First");
  EXPECT_EQ(ann.Get(list).At("version"), std::to_string(version + 1));
  // Both or neither.
  const Answer late =
      ann.Patch(item, R"({"curatorNote": "Late"})", {{"If-Match", R"("1-00000000000000000000")"}});
  EXPECT_EQ(late.status, 412) << late.body;
  EXPECT_EQ(ann.Get(list).At("version"), std::to_string(version + 1));
  EXPECT_EQ(Order(ann, list), "b d a c");
  EXPECT_EQ(ann.Patch(item, R"({"contentId": "z"})").status, 400);
  EXPECT_EQ(ann.Patch(item, R"({"position": -1})").status, 400);
  EXPECT_EQ(ann.Delete(item, {{"If-Match", R"("1-00000000000000000000")"}}).status, 412);
  EXPECT_EQ(ann.Get(list).At("version"), std::to_string(version + 1));
  const std::string tag = ann.Get(item).Header("etag");
  Advance(1000);
  Settle();
  watching().EndAfter(1);  // the item, its list and all that counts it are one write
  EXPECT_EQ(ann.Delete(item, {{"If-Match", tag}}).status, 204);
  watching().EndAfter(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(ann.Get(list).At("version"), std::to_string(version + 2));
  EXPECT_EQ(ann.Delete(item).status, 404);
  EXPECT_EQ(ann.Get(list).At("itemCount"), "3");
  // One that is added is a change of the list too, also by who changed it last.
  Advance(1000);
  const Answer now = ann.Get(list);
  EXPECT_EQ(AddItem(ann, list, "b").status, 201);
  EXPECT_EQ(ann.Get(list).At("version"), std::to_string(version + 3));
  EXPECT_GT(ann.Get(list).At("updatedAt"), now.At("updatedAt"));
  EXPECT_EQ(ann.Delete(item).status, 204);
  EXPECT_EQ(Nobody().Get(list + "?include=items").At("items[1].content.title"), "a");
}

TEST_P(WatchListTest, PagesOfItemsFollowOneAnother) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  for (int i = 0; i < 5; ++i) {
    AddMovie(ann, fmt::format("m{}", i), "x");
    AddItem(ann, list, fmt::format("m{}", i));
  }
  std::string ids;
  std::string address = list + "/items?limit=2";
  for (int pages = 0; pages < 3; ++pages) {
    const Answer page = Nobody().Get(address);
    for (std::size_t i = 0; i < page.Count("items"); ++i)
      ids += page.At(fmt::format("items[{}].contentId", i));
    EXPECT_EQ(page.At("nextCursor") == "absent", pages == 2);
    address = list + "/items?limit=2&cursor=" + page.At("nextCursor");
  }
  EXPECT_EQ(ids, "m0m1m2m3m4");
  const std::string cursor = Nobody().Get(list + "/items?limit=2").At("nextCursor");
  EXPECT_EQ(ann.Get(list + "/items?limit=2&cursor=" + cursor).Code(), "invalid-cursor");
  EXPECT_EQ(Nobody().Get(list + "/comments?cursor=" + cursor).Code(), "invalid-cursor");
  EXPECT_EQ(Nobody().Get(list + "/items?cursor=AAAA").Code(), "invalid-cursor");
}

TEST_P(WatchListTest, AnItemIsWrittenTogetherWithItsList) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Short"})");
  AddMovie(ann, "m1", "x");
  const auto writes_of = [&](const auto& change) {
    watching().StartRecording();
    change();
    std::vector<std::string> operations = watching().StopRecording();
    std::erase_if(operations, [](const std::string& operation) {
      return operation.find("GetItem") != std::string::npos ||
             operation.find("Query") != std::string::npos;
    });
    return operations;
  };
  const auto added = writes_of([&] { EXPECT_EQ(AddItem(ann, list, "m1").status, 201); });
  ASSERT_EQ(added.size(), 1U) << fmt::format("{}", fmt::join(added, ", "));
  EXPECT_TRUE(added.front().starts_with("TransactWriteItems")) << added.front();
  const auto removed =
      writes_of([&] { EXPECT_EQ(ann.Delete(list + "/items/MOVIE/m1").status, 204); });
  ASSERT_EQ(removed.size(), 1U) << fmt::format("{}", fmt::join(removed, ", "));
  EXPECT_TRUE(removed.front().starts_with("TransactWriteItems")) << removed.front();
}

TEST_P(WatchListTest, AListIsFullAt500) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Long"})");
  const std::string id = list.substr(12);
  AddMovie(ann, "m1", "x");
  AddMovie(ann, "m2", "x");
  // As if it had 499 already.
  const auto none = runtime().backend().Write(
      {.kind = design::ActionKind::kUpdate,
       .table = runtime().table(),
       .item =
           [&] {
             design::Record key;
             key.SetText("PK", "WATCHLIST#" + id);
             key.SetText("SK", "METADATA");
             return key.ToItem();
           }(),
       .update = "SET itemCount = :n",
       .expressions = {.names = {}, .values = {{":n", design::EncodeInteger(499)}}}});
  ASSERT_TRUE(none.ok());
  std::atomic<int> added = 0;
  std::atomic<int> full = 0;
  std::vector<std::thread> threads;
  for (const char* movie : {"m1", "m2"}) {
    threads.emplace_back([&, movie] {
      const Answer answer = AddItem(ann, list, movie);
      if (answer.status == 201) ++added;
      if (answer.status == 422) ++full;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(added, 1);
  EXPECT_EQ(full, 1);
}

TEST_P(WatchListTest, ALongListIsReorderedAsAWhole) {
  const Person ann = Curator("ann");
  constexpr int kItems = 120;
  std::string rows;
  std::string order;
  for (int i = 0; i < kItems; ++i) {
    rows += fmt::format(R"({}{{"id": "m{}", "title": "Film {}"}})", i == 0 ? "" : ",", i, i);
    order = fmt::format(R"("MOVIE/m{}"{}{})", i, i == 0 ? "" : ",", order);
  }
  const Answer imported =
      ann.Post("/import", fmt::format(R"({{"title": "Long", "items": [{}]}})", rows),
               {{"Prefer", "wait=20"}});
  ASSERT_EQ(imported.At("result.listed"), "120") << imported.body;
  const std::string list = "/watchlists/" + imported.At("result.watchlistId");
  ASSERT_EQ(ann.Put(list + "/order", fmt::format(R"({{"order": [{}]}})", order)).status, 200);
  EXPECT_EQ(ann.Get(list + "/items").At("items[0].contentId"), "m119");
  EXPECT_EQ(ann.Get(list + "/items?limit=100").At("items[99].contentId"), "m20");
  EXPECT_EQ(ann.Get(list).At("itemCount"), "120");
}

TEST_P(WatchListTest, TitlesHaveTheirNumbersOnce) {
  const Person ann = Curator("ann");
  const Answer made = ann.Post("/movies", R"({"movieId": "27205", "title": "Inception",
      "releaseYear": 2010, "genres": ["Action", " action", "Sci-Fi"], "directors": ["C. Nolan"],
      "runtime": 148, "tmdbId": "27205", "imdbId": "tt1375666"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.Header("location"), "/api/watch/v1/movies/27205");
  EXPECT_EQ(made.At("genres"), "[Action,Sci-Fi]");
  EXPECT_EQ(made.At("rating"), "absent");
  EXPECT_EQ(made.At("ratingCount"), "0");
  EXPECT_EQ(ann.Post("/movies", R"({"title": "Again", "tmdbId": "27205"})").Code(),
            "already-exists");
  EXPECT_EQ(ann.Post("/movies", R"({"title": "Again", "imdbId": "tt1375666"})").status, 409);
  EXPECT_EQ(ann.Post("/movies", R"({"movieId": "27205", "title": "Again"})").status, 409);
  EXPECT_EQ(ann.Post("/shows", R"({"title": "A series", "tmdbId": "27205"})").status, 201)
      << "films and series are numbered apart";
  const Answer other = ann.Post("/movies", R"({"title": "Other"})");
  EXPECT_EQ(ann.Patch("/movies/" + other.At("movieId"), R"({"tmdbId": "27205"})").status, 409);
  EXPECT_EQ(ann.Patch("/movies/27205", R"({"tmdbId": "1", "runtime": 149})").At("runtime"), "149");
  EXPECT_EQ(ann.Patch("/movies/" + other.At("movieId"), R"({"tmdbId": "27205"})").status, 200);

  const std::string list = AddList(ann, R"({"title": "Best"})");
  AddItem(ann, list, "27205");
  EXPECT_EQ(Admin().Delete("/movies/27205").Code(), "conflict");
  EXPECT_EQ(Admin().Delete("/movies/" + other.At("movieId")).status, 204);
  EXPECT_EQ(Admin().Delete("/movies/27205?force=true").status, 204);
  EXPECT_EQ(Nobody().Get("/movies/27205").status, 404);
  EXPECT_EQ(Nobody().Get(list + "/items").At("items[0].content"), "absent");
  EXPECT_EQ(ann.Delete(list + "/items/MOVIE/27205").status, 204);
}

TEST_P(WatchListTest, TheCatalogueIsSearchedAndSorted) {
  const Person ann = Curator("ann");
  for (const std::string_view body :
       {R"({"movieId": "a", "title": "Alien", "releaseYear": 1979, "genres": ["Horror"]})",
        R"({"movieId": "b", "title": "Amélie", "releaseYear": 2001, "genres": ["Comedy"]})",
        R"({"movieId": "c", "title": "Foo#1 %25 Bar", "releaseYear": 2001,
            "directors": ["Ana Lind"]})"}) {
    ASSERT_EQ(ann.Post("/movies", body).status, 201);
    Advance(1000);
  }
  ann.Post("/shows", R"({"title": "Alienated", "startYear": 1979})");
  ann.Put("/me/ratings/MOVIE/b", R"({"rating": 9})");
  AddList(ann, R"({"title": "Aliens and friends", "tags": ["space"]})");
  Settle();
  EXPECT_EQ(Nobody().Get("/movies?q=amelie").At("items[0].movieId"), "b");
  EXPECT_EQ(Nobody().Get("/movies?q=alein").At("items[0].movieId"), "a");
  EXPECT_EQ(Nobody().Get("/movies?q=lind").At("items[0].title"), "Foo#1 %25 Bar");
  EXPECT_EQ(Nobody().Get("/movies?genre=horror").Count("items"), 1U);
  EXPECT_EQ(Nobody().Get("/movies?year=2001").Count("items"), 2U);
  EXPECT_EQ(Nobody().Get("/movies?sort=newest").At("items[0].movieId"), "c");
  EXPECT_EQ(Nobody().Get("/movies?sort=rating").At("items[0].movieId"), "b");
  EXPECT_EQ(Nobody().Get("/movies?sort=year").At("items[2].movieId"), "a");
  EXPECT_EQ(Nobody().Get("/movies?sort=colour").status, 400);
  EXPECT_EQ(Nobody().Get("/shows").Count("items"), 1U);
  EXPECT_EQ(Nobody().Get("/search?q=alien").Count("items"), 3U);
  EXPECT_EQ(Nobody().Get("/search?q=alien&type=show").At("items[0].item.title"), "Alienated");
  EXPECT_EQ(Nobody().Get("/search?q=ann&type=curator").At("items[0].item.email"), "absent");
  EXPECT_EQ(Nobody().Get("/search?q=ann&type=curator").Count("items"), 1U);
  EXPECT_EQ(Nobody().Get("/watchlists?tag=Space").Count("items"), 1U);
  EXPECT_EQ(Nobody().Get("/watchlists?tag=none").Count("items"), 0U);
  EXPECT_EQ(Nobody().Get("/watchlists?q=friends").Count("items"), 1U);
  EXPECT_EQ(Nobody().Get("/watchlists?sort=popular").Count("items"), 1U);
}

TEST_P(WatchListTest, PublicListsComeNewestFirst) {
  const Person ann = Curator("ann");
  for (int i = 0; i < 5; ++i) {
    AddList(ann, fmt::format(R"({{"title": "L{}", "isPublic": {}}})", i, i != 3));
    Advance(1000);
  }
  const Answer first = Nobody().Get("/watchlists?limit=2");
  EXPECT_EQ(first.At("items[0].title"), "L4");
  EXPECT_EQ(first.At("items[1].title"), "L2") << "S27: no private list";
  const Answer second = Nobody().Get("/watchlists?limit=2&cursor=" + first.At("nextCursor"));
  EXPECT_EQ(second.At("items[0].title"), "L1");
  EXPECT_EQ(As("ann").Get("/curators/ann/watchlists").Count("items"), 5U);
  EXPECT_EQ(Nobody().Get("/curators/ann/watchlists").Count("items"), 4U);
  EXPECT_EQ(Nobody().Get("/curators/none/watchlists").status, 404);
  EXPECT_EQ(Admin().Get("/admin/entities?type=WATCHLIST").Count("items"), 5U);
  EXPECT_EQ(Admin().Get("/admin/entities?type=USER").Count("items"), 2U);
  EXPECT_EQ(Admin().Get("/admin/entities?type=false").status, 400);
  std::string titles;
  const Answer sorted = Admin().Get("/admin/entities?type=WATCHLIST&sort=title&limit=3");
  const Answer rest = Admin().Get("/admin/entities?type=WATCHLIST&sort=title&limit=3&cursor=" +
                                  sorted.At("nextCursor"));
  for (const Answer& page : {sorted, rest})
    for (std::size_t i = 0; i < page.Count("items"); ++i)
      titles += page.At(fmt::format("items[{}].title", i)) + "|";
  EXPECT_EQ(titles, "L0|L1|L2|L3|L4|");
}

TEST_P(WatchListTest, ARemovedListTakesEverythingAlong) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  AddMovie(ann, "m1", "Alien");
  AddItem(ann, list, "m1");
  As("bob").Put("/me/saved/" + list.substr(12));
  As("bob").Post(list + "/comments", R"({"commentText": "Nice"})");
  EXPECT_EQ(ann.Delete(list).status, 204);
  for (const char* part : {"", "/items", "/comments", "/export"})
    EXPECT_EQ(ann.Get(list + part).status, 404);
  Settle();
  EXPECT_EQ(ann.Get("/movies/m1").At("listCount"), "0");
  EXPECT_EQ(As("bob").Get("/me/saved").Count("items"), 0U);
  const auto left = backend().Read({.table = runtime().table()});
  ASSERT_TRUE(left.ok());
  for (const value::Item& item : left->items) {
    const design::Record record(item.view());
    EXPECT_NE(record.FindText("PK"), "WATCHLIST#" + list.substr(12));
  }
  const Answer feed = As("bob").Get("/me/feed");
  EXPECT_EQ(feed.At("items[0].kind"), "REMOVED");
}

TEST_P(WatchListTest, AListIsTakenAlongAndBroughtBack) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best", "description": "d", "tags": ["t"]})");
  ann.Post("/movies", R"({"movieId": "m1", "title": "=Alien, \"big\"", "releaseYear": 1979,
                          "tmdbId": "348"})");
  ann.Post(list + "/items",
           R"({"contentType": "MOVIE", "contentId": "m1", "curatorNote": "Lights off"})");
  const Answer json = Nobody().Get(list + "/export");
  ASSERT_EQ(json.status, 200) << json.body;
  EXPECT_EQ(json.At("items[0].note"), "Lights off");
  const Answer table = Nobody().Get(list + "/export?format=csv", {{"Accept", "text/csv"}});
  EXPECT_EQ(table.Header("content-type"), "text/csv; charset=utf-8");
  EXPECT_NE(table.body.find("MOVIE,m1,\"'=Alien, \"\"big\"\"\",1979"), std::string::npos)
      << table.body;

  const Answer again = ann.Post("/import", json.body, {{"Prefer", "wait=20"}});
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.At("result.found"), "1");
  EXPECT_EQ(again.At("result.listed"), "1");
  EXPECT_EQ(Nobody().Get("/watchlists/" + again.At("result.watchlistId")).At("title"), "Best");
  const Answer rows = ann.Post("/import?list=From%20a%20table",
                               "type,title,year,tmdbId\nMOVIE,Known,1979,348\nMOVIE,New,2001,\n"
                               "BOOK,No,,\nMOVIE,Wrong,soon,\nMOVIE,New,2001,\n",
                               {{"Content-Type", "text/csv"}, {"Prefer", "wait=20"}});
  ASSERT_EQ(rows.status, 200) << rows.body;
  EXPECT_EQ(rows.At("result.created"), "1");
  EXPECT_EQ(rows.At("result.found"), "2");
  EXPECT_EQ(rows.At("result.listed"), "2");
  EXPECT_TRUE(rows.At("errors[0]").starts_with("row 3: ")) << rows.body;
  EXPECT_EQ(rows.Count("errors"), 3U) << rows.body;
  EXPECT_EQ(ann.Post("/import", R"({"items": [{"colour": "red"}]})").At("errors[0].pointer"),
            "/items/0/colour");
  EXPECT_EQ(ann.Post("/import", R"({"rows": []})").status, 400);
  const Answer wrong = ann.Post(
      "/import",
      R"({"rows": [], "title": 7, "isPublic": "no", "tags": [1], "items": [{"colour": "red"},
                                                                          {"title": []}, 7]})");
  EXPECT_EQ(wrong.Count("errors"), 7U) << wrong.body;
  EXPECT_EQ(ann.Post("/import", "title,colour,size\nx,red,1\n", {{"Content-Type", "text/csv"}})
                .Count("errors"),
            2U);
}

TEST_P(WatchListTest, ManyTitlesAreBroughtAlong) {
  const Person ann = Curator("ann");
  constexpr int kTitles = 700;
  std::string table = "title,year,synopsis\n";
  for (int i = 0; i < kTitles; ++i)
    table += fmt::format("Film {},1999,{}\n", i, std::string(1500, 's'));
  const Answer done =
      ann.Post("/import", table, {{"Content-Type", "text/csv"}, {"Prefer", "wait=30"}});
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.At("result.created"), std::to_string(kTitles)) << done.body;
  EXPECT_EQ(ann.Post("/import?list=Long", table, {{"Content-Type", "text/csv"}}).Code(),
            "semantic");
}

TEST_P(WatchListTest, TheSeedsOwnItemsAreReadChangedAndRemoved) {
  design::Record flags;
  platform::SetBool(flags, "isCurator", true);
  PutRaw({{"PK", "USER#u1"},
          {"SK", "PROFILE"},
          {"entityType", "USER"},
          {"userId", "u1"},
          {"email", "john@example.com"},
          {"username", "johndoe"},
          {"curatorStatus", "approved"},
          {"createdAt", "2026-01-01T10:30:00Z"},
          {"updatedAt", "2026-01-01T10:30:00Z"}},
         flags);
  design::Record list;
  platform::SetBool(list, "isPublic", true);
  platform::SetTexts(list, "tags", {"sci-fi", "2025"});
  platform::SetInteger(list, "itemCount", 1);
  PutRaw({{"PK", "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv"},
          {"SK", "METADATA"},
          {"entityType", "WATCHLIST"},
          {"watchlistId", "abc12345-6789-0def-ghij-klmnopqrstuv"},
          {"curatorId", "u1"},
          {"title", "Best Sci-Fi Movies of 2025"},
          {"description", "A curated list"},
          {"isPublicStr", "true"},
          {"createdAt", "2026-01-01T14:00:00Z"},
          {"updatedAt", "2026-01-01T14:00:00Z"}},
         list);
  design::Record item;
  platform::SetInteger(item, "position", 1);
  PutRaw({{"PK", "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv"},
          {"SK", "ITEM#MOVIE#tt1234567"},
          {"entityType", "WATCHLIST_ITEM"},
          {"contentType", "MOVIE"},
          {"contentId", "tt1234567"},
          {"addedAt", "2026-01-01T14:05:00Z"}},
         item);
  design::Record movie;
  platform::SetInteger(movie, "releaseYear", 2010);
  platform::SetTexts(movie, "genres", {"Action"});
  PutRaw({{"PK", "MOVIE#tt1234567"},
          {"SK", "METADATA"},
          {"entityType", "MOVIE"},
          {"movieId", "tt1234567"},
          {"title", "Inception"},
          {"tmdbId", "27205"},
          {"createdAt", "2026-01-01T08:00:00Z"},
          {"updatedAt", "2026-01-01T08:00:00Z"}},
         movie);

  const Person john = As("u1");
  const std::string path = "/watchlists/abc12345-6789-0def-ghij-klmnopqrstuv";
  EXPECT_EQ(john.Get("/me").At("username"), "johndoe");
  EXPECT_EQ(john.Get("/me").At("createdAt"), "2026-01-01T10:30:00.000Z") << "S28";
  EXPECT_EQ(Nobody().Get(path + "?include=items").At("items[0].content.title"), "Inception");
  LetIndexesFollow();
  EXPECT_EQ(Nobody().Get("/watchlists").Count("items"), 1U);
  EXPECT_EQ(john.Patch(path, R"({"title": "Better"})").At("title"), "Better");
  EXPECT_EQ(john.Put("/me/ratings/MOVIE/tt1234567", R"({"rating": 9})").status, 201);
  EXPECT_EQ(Nobody().Get("/movies/tt1234567").At("rating"), "9");
  const Answer changed = Admin().Patch("/movies/tt1234567", R"({"runtime": 148})");
  EXPECT_EQ(changed.At("runtime"), "148") << changed.body;
  AddMovie(Admin(), "m2", "Other");
  EXPECT_EQ(AddItem(john, path, "m2").status, 201);
  EXPECT_EQ(john.Get(path).At("itemCount"), "2");
  EXPECT_EQ(john.Delete(path + "/items/MOVIE/tt1234567").status, 204);
  EXPECT_EQ(john.Delete(path).status, 204);
}

TEST_P(WatchListTest, SampleDataIsWorthLookingAt) {
  host().LoadSamples();
  EXPECT_TRUE(Eventually([&] {
    LetIndexesFollow();
    return Nobody().Get("/watchlists").Count("items") == 5;
  }));
  EXPECT_TRUE(Eventually([&] {
    LetIndexesFollow();
    const std::string list =
        "/watchlists/" + Nobody().Get("/watchlists").At("items[4].watchlistId");
    return Nobody().Get(list + "/comments").Count("items") == 4;
  }));
  Settle();
  EXPECT_EQ(Nobody().Get("/movies?genre=animation").Count("items"), 4U);
}

}  // namespace
}  // namespace trestle::apps::testing
