#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"
#include "design/values.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

class WatchTest : public AppFixture {
 protected:
  WatchTest() { Use(Watch()); }

  [[nodiscard]] Person Admin() const { return As("eve", "admin"); }

  // Somebody who may make lists.
  Person Curator(std::string_view sub) {
    const Person person = As(sub);
    EXPECT_EQ(person.Get("/me").status, 200);
    const Answer approved =
        Admin().Post(fmt::format("/admin/users/{}/curator", sub), R"({"status": "approved"})");
    EXPECT_EQ(approved.status, 200) << approved.body;
    return person;
  }

  // Its path.
  static std::string AddList(const Person& person, std::string_view body) {
    const Answer answer = person.Post("/watchlists", body);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/watchlists/" + answer.At("watchlistId");
  }

  static void AddMovie(const Person& person, std::string_view id, std::string_view title) {
    const Answer answer = person.Post(
        "/movies", fmt::format(R"({{"movieId": "{}", "title": "{}", "runtime": 100}})", id, title));
    EXPECT_EQ(answer.status, 201) << answer.body;
  }

  static Answer AddItem(const Person& person, const std::string& list, std::string_view id) {
    return person.Post(list + "/items",
                       fmt::format(R"({{"contentType": "MOVIE", "contentId": "{}"}})", id));
  }

  // The ids of a list's items in their order.
  static std::string Order(const Person& person, const std::string& list) {
    const Answer items = person.Get(list + "/items?limit=100");
    std::string order;
    for (std::size_t i = 0; i < items.Count("items"); ++i)
      order += (i == 0 ? "" : " ") + items.At(fmt::format("items[{}].contentId", i));
    return order;
  }

  // Puts an item into the table as somebody else might have written it.
  void PutRaw(std::initializer_list<std::pair<std::string_view, std::string_view>> texts,
              const design::Record& others = {}) {
    design::Record record = others;
    for (const auto& [name, text] : texts)
      record.SetText(name, text);
    const Status put = runtime().backend().Write(
        {.kind = design::ActionKind::kPut, .table = runtime().table(), .item = record.ToItem()});
    ASSERT_TRUE(put.ok());
  }
};
TRESTLE_ON_EVERY_BACKEND(WatchTest);

TEST_P(WatchTest, WhoComesFirstGetsAProfile) {
  const Answer me = As("ann").Get("/me");
  ASSERT_EQ(me.status, 200) << me.body;
  EXPECT_EQ(me.At("username"), "ann");
  EXPECT_EQ(me.At("email"), "ann@example.org");
  EXPECT_EQ(me.At("isCurator"), "false");
  EXPECT_EQ(me.At("updatedBy"), "absent");

  const Answer changed = As("ann").Patch("/me", R"({"username": " Ann Lee ", "bio": "Films"})",
                                         {{"If-Match", me.Header("etag")}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.At("username"), "Ann Lee");
  EXPECT_EQ(As("ann").Patch("/me", R"({"bio": "x"})", {{"If-Match", me.Header("etag")}}).status,
            412);
  EXPECT_EQ(As("ann").Patch("/me", R"({"username": "xy"})").status, 400);
  EXPECT_EQ(As("ann").Patch("/me", R"({"isCurator": true})").At("errors[0].code"), "read-only");
  EXPECT_EQ(As("ann").Patch("/me", R"({"email": "x@example.org"})").status, 400);

  const Answer shown = Nobody().Get("/users/ann");
  EXPECT_EQ(shown.At("username"), "Ann Lee");
  EXPECT_EQ(shown.At("email"), "absent");
  EXPECT_EQ(shown.At("isCurator"), "absent");
  EXPECT_EQ(Nobody().Get("/users/none").status, 404);
  EXPECT_EQ(Nobody().Get("/me").status, 401);
  EXPECT_EQ(As("bob").Get("/users?email=ann@example.org").status, 403);
  EXPECT_EQ(Admin().Get("/users?email=ANN@example.org").At("items[0].userId"), "ann");
  EXPECT_EQ(Admin().Get("/users?email=none@example.org").Count("items"), 0U);
}

TEST_P(WatchTest, OneEmailAddressIsOnePerson) {
  // The test's tokens take the address from the name: these are one address in many forms.
  constexpr int kPeople = 16;
  std::atomic<int> in = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  threads.reserve(kPeople);
  for (int i = 0; i < kPeople; ++i) {
    threads.emplace_back([&, i] {
      std::string sub = "anna";
      for (int bit = 0; bit < 4; ++bit)
        if ((i >> bit & 1) != 0) sub[static_cast<std::size_t>(bit)] = "ANNA"[bit];
      const Answer answer = As(sub).Get("/me");
      if (answer.status == 200) ++in;
      if (answer.Code() == "email-taken") ++refused;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(in, 1);
  EXPECT_EQ(refused, kPeople - 1);
}

TEST_P(WatchTest, CuratorsAreApprovedRefusedAndSuspended) {
  EXPECT_EQ(As("ann").Post("/watchlists", R"({"title": "x"})").Code(), "curator-required");
  EXPECT_EQ(As("ann").Post("/me/curator-application", "{}").status, 400);
  const Answer applied = As("ann").Post("/me/curator-application", R"({"statement": "Please"})");
  ASSERT_EQ(applied.status, 202) << applied.body;
  EXPECT_EQ(applied.At("curatorStatus"), "pending");
  EXPECT_EQ(applied.At("isCurator"), "true");
  EXPECT_EQ(As("ann").Post("/me/curator-application", R"({"statement": "Again"})").status, 409);
  EXPECT_EQ(As("bob").Get("/users/ann").At("curatorStatus"), "absent");
  EXPECT_EQ(As("ann").Post("/watchlists", R"({"title": "x"})").Code(), "curator-required");
  EXPECT_EQ(Admin().Get("/admin/users?curatorStatus=pending").At("items[0].userId"), "ann");
  EXPECT_EQ(As("ann").Get("/admin/users").status, 403);
  const std::string place = "/admin/users/ann/curator";
  EXPECT_EQ(As("ann").Post(place, R"({"status": "approved"})").status, 403);
  EXPECT_EQ(Nobody().Post(place, R"({"status": "approved"})").status, 401);
  EXPECT_EQ(Admin().Post(place, R"({"status": "king"})").status, 400);
  EXPECT_EQ(Admin().Post(place, R"({"status": "suspended"})").status, 409);
  EXPECT_EQ(Admin().Post("/admin/users/none/curator", R"({"status": "approved"})").status, 404);
  const Answer refused = Admin().Post(place, R"({"status": "refused"})");
  EXPECT_EQ(refused.At("isCurator"), "false");
  EXPECT_EQ(refused.At("curatorStatus"), "absent");
  EXPECT_EQ(Admin().Post(place, R"({"status": "approved"})").At("curatorStatus"), "approved");
  EXPECT_EQ(As("ann").Post("/watchlists", R"({"title": "x"})").status, 201);
}

TEST_P(WatchTest, ASuspensionHidesListsUntilItEnds) {
  const Person ann = Curator("ann");
  const std::string shown = AddList(ann, R"({"title": "Public"})");
  const std::string hidden = AddList(ann, R"({"title": "Private", "isPublic": false})");
  Admin().Post("/admin/users/ann/curator", R"({"status": "suspended"})");
  Settle();
  EXPECT_EQ(Nobody().Get(shown).status, 404);
  EXPECT_EQ(Nobody().Get("/watchlists").Count("items"), 0U);
  EXPECT_EQ(ann.Get(shown).At("isPublic"), "false");
  EXPECT_EQ(ann.Get(shown).At("restorePublic"), "absent");
  EXPECT_EQ(ann.Patch(shown, R"({"isPublic": true})").Code(), "curator-required");
  EXPECT_EQ(ann.Post("/watchlists", R"({"title": "x"})").Code(), "curator-required");
  EXPECT_EQ(ann.Patch(shown, R"({"title": "Renamed"})").status, 200);
  EXPECT_EQ(ann.Post("/me/curator-application", R"({"statement": "x"})").status, 403);
  Admin().Post("/admin/users/ann/curator", R"({"status": "approved"})");
  Settle();
  EXPECT_EQ(Nobody().Get(shown).At("title"), "Renamed");
  EXPECT_EQ(Nobody().Get(hidden).status, 404);
}

TEST_P(WatchTest, AListIsMadeShownChangedAndRemoved) {
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

TEST_P(WatchTest, WrongFieldsAreNamedAndChangeNothing) {
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
  EXPECT_EQ(ann.Post("/shows", R"({"title": "x", "status": "lost"})").status, 400);
  Settle();
  EXPECT_EQ(ann.Get("/curators/ann/watchlists").Count("items"), 0U);
  EXPECT_EQ(ann.Get("/movies").Count("items"), 0U);
}

TEST_P(WatchTest, PrivateListsAreTheirCuratorsOnly) {
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

TEST_P(WatchTest, PublicListsAreChangedByTheirCuratorOnly) {
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

TEST_P(WatchTest, ItemsStandInTheirOrder) {
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
  EXPECT_EQ(ann.Patch(item, R"({"position": 1, "curatorNote": "First"})").At("curatorNote"),
            "First");
  EXPECT_EQ(Order(ann, list), "b d a c");
  EXPECT_EQ(ann.Patch(item, R"({"contentId": "z"})").status, 400);
  EXPECT_EQ(ann.Patch(item, R"({"position": -1})").status, 400);
  EXPECT_EQ(ann.Delete(item).status, 204);
  EXPECT_EQ(ann.Delete(item).status, 404);
  EXPECT_EQ(ann.Get(list).At("itemCount"), "3");
  EXPECT_EQ(Nobody().Get(list + "?include=items").At("items[1].content.title"), "a");
}

TEST_P(WatchTest, PagesOfItemsFollowOneAnother) {
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

TEST_P(WatchTest, AListIsFullAt500) {
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

TEST_P(WatchTest, ALongListIsReorderedAsAWhole) {
  const Person ann = Curator("ann");
  constexpr int kItems = 120;
  std::string rows;
  std::string order;
  for (int i = 0; i < kItems; ++i) {
    rows += fmt::format(R"({}{{"id": "m{}", "title": "Film {}"}})", i == 0 ? "" : ",", i, i);
    order = fmt::format(R"("MOVIE/m{}"{}{})", i, i == 0 ? "" : ",", order);
  }
  const Answer imported =
      ann.Post("/import", fmt::format(R"({{"title": "Long", "items": [{}]}})", rows));
  ASSERT_EQ(imported.At("listed"), "120") << imported.body;
  const std::string list = "/watchlists/" + imported.At("watchlistId");
  ASSERT_EQ(ann.Put(list + "/order", fmt::format(R"({{"order": [{}]}})", order)).status, 200);
  EXPECT_EQ(ann.Get(list + "/items").At("items[0].contentId"), "m119");
  EXPECT_EQ(ann.Get(list + "/items?limit=100").At("items[99].contentId"), "m20");
  EXPECT_EQ(ann.Get(list).At("itemCount"), "120");
}

TEST_P(WatchTest, TitlesHaveTheirNumbersOnce) {
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

TEST_P(WatchTest, TheCatalogueIsSearchedAndSorted) {
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

TEST_P(WatchTest, PublicListsComeNewestFirst) {
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
}

TEST_P(WatchTest, RatingsAreAddedUp) {
  const Person ann = Curator("ann");
  AddMovie(ann, "m1", "Alien");
  const std::string rating = "/me/ratings/MOVIE/m1";
  const Answer first = ann.Put(rating, R"({"rating": 9, "review": "Lights off"})");
  ASSERT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(As("bob").Put(rating, R"({"rating": 8})").status, 201);
  EXPECT_EQ(As("cat").Put(rating, R"({"rating": 2})").status, 201);
  EXPECT_EQ(As("cat").Put(rating, R"({"rating": 9})").status, 200);
  const Answer movie = ann.Get("/movies/m1");
  EXPECT_EQ(movie.At("rating"), "8.7");
  EXPECT_EQ(movie.At("ratingCount"), "3");
  EXPECT_EQ(movie.At("me.rating"), "9");
  EXPECT_EQ(movie.At("ratingSum"), "absent");
  const Answer all = Nobody().Get("/movies/m1/ratings");
  EXPECT_EQ(all.At("average"), "8.7");
  EXPECT_EQ(all.At("distribution"), "[0,0,0,0,0,0,0,1,2,0]");
  EXPECT_EQ(all.At("items[0].username"), "ann");
  EXPECT_EQ(all.At("items[0].review"), "Lights off");
  EXPECT_EQ(ann.Put(rating, R"({"rating": 9})").At("review"), "absent") << "PUT says all of it";
  EXPECT_EQ(As("cat").Delete(rating).status, 204);
  EXPECT_EQ(As("cat").Delete(rating).status, 404);
  EXPECT_EQ(ann.Get("/movies/m1").At("rating"), "8.5");
  EXPECT_EQ(ann.Get("/me/ratings?min=10").Count("items"), 0U);
  EXPECT_EQ(ann.Get("/me/ratings?type=MOVIE").At("items[0].content.title"), "Alien");
  EXPECT_EQ(ann.Get("/me/ratings?type=SHOW").Count("items"), 0U);
  for (const std::string_view body :
       {R"({"rating": 0})", R"({"rating": 11})", R"({"rating": 8.5})", R"({"rating": "8"})", "{}"})
    EXPECT_EQ(ann.Put(rating, body).status, 400) << body;
  EXPECT_EQ(ann.Put("/me/ratings/MOVIE/none", R"({"rating": 5})").status, 404);
  EXPECT_EQ(ann.Put("/me/ratings/SHOW/m1", R"({"rating": 5})").status, 404);
}

TEST_P(WatchTest, ManyRateAtOnce) {
  const Person ann = Curator("ann");
  AddMovie(ann, "m1", "Alien");
  constexpr int kPeople = 12;
  std::vector<std::thread> threads;
  threads.reserve(kPeople);
  for (int i = 0; i < kPeople; ++i) {
    threads.emplace_back([&, i] {
      const Person person = As(fmt::format("person{}", i));
      for (const int rating : {3, 7, i % 10 + 1}) {
        const Answer rated =
            person.Put("/me/ratings/MOVIE/m1", fmt::format(R"({{"rating": {}}})", rating));
        EXPECT_LT(rated.status, 300) << rated.body;
      }
      if (i % 3 != 0) return;
      EXPECT_EQ(person.Delete("/me/ratings/MOVIE/m1").status, 204);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const Answer all = Nobody().Get("/movies/m1/ratings");
  EXPECT_EQ(all.At("count"), "8");
  EXPECT_EQ(all.Count("items"), 8U);
  // 1 to 12 without every third from the first, in tens: 2 3 5 6 8 9 1 2
  EXPECT_EQ(all.At("distribution"), "[1,2,1,0,1,1,0,1,1,0]");
  EXPECT_EQ(all.At("average"), "4.5");
}

TEST_P(WatchTest, ListsAreSavedAndForgotten) {
  const Person ann = Curator("ann");
  const Person bob = As("bob");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  const std::string other = AddList(ann, R"({"title": "Other"})");
  const std::string saved = "/me/saved/" + list.substr(12);
  EXPECT_EQ(bob.Put(saved).status, 204);
  EXPECT_EQ(bob.Put(saved).status, 204);
  Advance(1000);
  EXPECT_EQ(bob.Put("/me/saved/" + other.substr(12)).status, 204);
  EXPECT_EQ(bob.Put("/me/saved/none").status, 404);
  EXPECT_EQ(ann.Get(list).At("saveCount"), "1");
  EXPECT_EQ(bob.Get(list).At("me.saved"), "true");
  const Answer all = bob.Get("/me/saved");
  EXPECT_EQ(all.At("items[0].watchlist.title"), "Other");
  EXPECT_EQ(all.At("items[1].changed"), "false");
  Advance(1000);
  ann.Patch(list, R"({"title": "Better"})");
  ann.Patch(other, R"({"isPublic": false})");
  EXPECT_EQ(bob.Get("/me/saved").At("items[1].changed"), "true");
  EXPECT_EQ(bob.Get("/me/saved").At("items[0].available"), "false");
  EXPECT_EQ(bob.Get("/me/saved").At("items[0].watchlist"), "absent");
  Advance(1000);
  EXPECT_EQ(bob.Put(saved).status, 204);
  EXPECT_EQ(bob.Get("/me/saved").At("items[1].changed"), "false") << "it was seen";
  EXPECT_EQ(ann.Get("/me/saved").Count("items"), 0U);
  EXPECT_EQ(bob.Delete(saved).status, 204);
  EXPECT_EQ(bob.Delete(saved).status, 204);
  EXPECT_EQ(ann.Get(list).At("saveCount"), "0");
}

TEST_P(WatchTest, ProgressCountsWhatWasSeen) {
  const Person ann = Curator("ann");
  const Person bob = As("bob");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  for (const std::string_view id : {"a", "b", "c"}) {
    AddMovie(ann, id, id);
    AddItem(ann, list, id);
  }
  EXPECT_EQ(bob.Put("/me/watched/MOVIE/a").status, 204);
  EXPECT_EQ(bob.Put("/me/watched/MOVIE/a", R"({"watchedAt": "2025-12-24T20:00:00Z"})").status, 204);
  EXPECT_EQ(bob.Put("/me/ratings/MOVIE/b", R"({"rating": 7})").status, 201);
  EXPECT_EQ(bob.Put("/me/watched/MOVIE/none").status, 404);
  EXPECT_EQ(bob.Get(list + "/progress").body, R"({"seen":2,"total":3,"runtimeLeft":100})");
  EXPECT_EQ(ann.Get(list + "/progress").At("seen"), "0");
  EXPECT_EQ(bob.Get(list + "/items").At("items[0].me"), "{watched:true}");
  EXPECT_EQ(bob.Get(list + "/items").At("items[1].me"), "{rating:7,watched:false}");
  EXPECT_EQ(bob.Get("/me/watched").At("items[0].watchedAt"), "2025-12-24T20:00:00.000Z");
  EXPECT_EQ(bob.Delete("/me/watched/MOVIE/a").status, 204);
  EXPECT_EQ(bob.Delete("/me/watched/MOVIE/a").status, 204);
  EXPECT_EQ(bob.Get(list + "/progress").At("seen"), "1");
}

TEST_P(WatchTest, CommentsAreTheirAuthors) {
  const Person ann = Curator("ann");
  const Person bob = As("bob");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  const Answer first = bob.Post(list + "/comments", R"({"commentText": "Nice"})");
  ASSERT_EQ(first.status, 201) << first.body;
  const Answer second = bob.Post(list + "/comments", R"({"commentText": "Very"})");
  EXPECT_EQ(second.status, 201) << "in the same millisecond";
  EXPECT_NE(first.At("token"), second.At("token"));
  const Answer all = Nobody().Get(list + "/comments");
  EXPECT_EQ(all.At("items[0].commentText"), "Very");
  EXPECT_EQ(all.At("items[0].username"), "bob");
  const std::string place = list + "/comments/" + first.At("token");
  EXPECT_EQ(first.Header("location"), "/api/watch/v1" + place);
  EXPECT_EQ(As("cat").Patch(place, R"({"commentText": "x"})").status, 403);
  EXPECT_EQ(ann.Patch(place, R"({"commentText": "x"})").status, 403);
  EXPECT_EQ(As("cat").Delete(place).status, 403);
  Advance(1000);
  const Answer changed = bob.Patch(place, R"({"commentText": " Nicer "})");
  EXPECT_EQ(changed.At("commentText"), "Nicer");
  EXPECT_NE(changed.At("updatedAt"), "absent");
  EXPECT_EQ(ann.Delete(place).status, 204) << "the curator's list";
  EXPECT_EQ(ann.Delete(place).status, 404);
  EXPECT_EQ(bob.Delete(list + "/comments/zzz").status, 404);
  for (const std::string_view body : {"{}", R"({"commentText": "  "})", R"({"text": "x"})"})
    EXPECT_EQ(bob.Post(list + "/comments", body).status, 400) << body;
  EXPECT_EQ(bob.Post(list + "/comments",
                     fmt::format(R"({{"commentText": "{}"}})", std::string(2001, 'x')))
                .status,
            400);
  ann.Patch(list, R"({"isPublic": false})");
  EXPECT_EQ(bob.Delete(list + "/comments/" + second.At("token")).status, 204) << "it is bob's";
}

TEST_P(WatchTest, ARemovedListTakesEverythingAlong) {
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

TEST_P(WatchTest, SaversAreToldOfChanges) {
  const Person ann = Curator("ann");
  const Person bob = As("bob");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  AddMovie(ann, "m1", "Alien");
  AddMovie(ann, "m2", "Arrival");
  bob.Put("/me/saved/" + list.substr(12));
  ann.Put("/me/saved/" + list.substr(12));
  Settle();
  EXPECT_EQ(bob.Get("/me/feed").Count("items"), 0U) << "saving is no news";
  AddItem(ann, list, "m1");
  AddItem(ann, list, "m2");
  Settle();
  const Answer feed = bob.Get("/me/feed");
  ASSERT_EQ(feed.Count("items"), 1U) << feed.body;
  EXPECT_EQ(feed.At("items[0].kind"), "ITEMS");
  EXPECT_EQ(feed.At("items[0].changes"), "2");
  EXPECT_EQ(feed.At("items[0].title"), "Best");
  EXPECT_EQ(feed.At("items[0].seen"), "false");
  EXPECT_EQ(feed.At("items[0].marks"), "absent");
  EXPECT_EQ(ann.Get("/me/feed").Count("items"), 0U) << "not of one's own lists";
  Advance(1000);
  EXPECT_EQ(bob.Post("/me/feed/seen").status, 204);
  EXPECT_EQ(bob.Get("/me/feed").At("items[0].seen"), "true");
  As("cat").Post(list + "/comments", R"({"commentText": "x"})");
  As("cat").Put("/me/saved/" + list.substr(12));
  Settle();
  EXPECT_EQ(bob.Get("/me/feed").At("items[0].changes"), "2") << "counts are no news";
  Advance(20LL * 60 * 1000);
  ann.Patch(list, R"({"title": "Better"})");
  Settle();
  EXPECT_EQ(bob.Get("/me/feed").Count("items"), 2U);
  EXPECT_EQ(bob.Get("/me/feed").At("items[0].kind"), "UPDATED");
}

TEST_P(WatchTest, AChangeThatComesAgainChangesNothing) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  AddMovie(ann, "m1", "Alien");
  As("bob").Put("/me/saved/" + list.substr(12));
  AddItem(ann, list, "m1");
  ann.Patch(list, R"({"title": "Better"})");
  ann.Put("/me/ratings/MOVIE/m1", R"({"rating": 9})");
  Settle();
  const std::string feed = As("bob").Get("/me/feed").body;
  const std::string audit = Admin().Get("/admin/audit?user=ann&limit=100").body;
  const std::string movie = Nobody().Get("/movies/m1").body;
  auto reader = runtime().backend().Follow(runtime().table(), "");
  ASSERT_TRUE(reader.ok());
  const platform::Mount& mount = *host().FindMount("watch");
  for (int quiet = 0; quiet < 2;) {
    const auto changes = (*reader)->Next(100, std::chrono::milliseconds(50));
    ASSERT_TRUE(changes.ok());
    if (changes->empty()) ++quiet;
    for (const design::Change& change : *changes) {
      platform::ItemChange one{.runtime = runtime(), .change = change};
      if (change.old_image) one.old_item = runtime().Recognise(change.old_image->view());
      if (change.new_image) one.new_item = runtime().Recognise(change.new_image->view());
      for (const platform::AppConsumer& consumer : mount.app->consumers)
        EXPECT_TRUE(consumer.handle(mount, one).ok());
    }
  }
  EXPECT_EQ(As("bob").Get("/me/feed").body, feed);
  EXPECT_EQ(Admin().Get("/admin/audit?user=ann&limit=100").body, audit);
  EXPECT_EQ(Nobody().Get("/movies/m1").body, movie);
}

TEST_P(WatchTest, WhatPeopleChangeIsOnRecord) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  Advance(1000);
  ann.Patch(list, R"({"title": "Better"})");
  As("bob").Put("/me/saved/" + list.substr(12));
  Settle();
  const Answer audit = Admin().Get("/admin/audit?user=ann");
  ASSERT_EQ(audit.status, 200) << audit.body;
  EXPECT_EQ(audit.At("items[0].change"), "CHANGED");
  EXPECT_EQ(audit.At("items[0].entity"), "Watchlist");
  EXPECT_EQ(audit.At("items[0].fields"), "[title]");
  EXPECT_EQ(audit.At("items[1].change"), "CREATED");
  EXPECT_EQ(Admin().Get("/admin/audit?user=ann&from=2030-01-01T00:00:00Z").Count("items"), 0U);
  EXPECT_EQ(Admin().Get("/admin/audit").status, 400);
  AddMovie(ann, "m1", "Alien");
  AddItem(ann, list, "m1");
  AddList(ann, R"({"title": "Secret", "isPublic": false})");
  const Answer activity = Nobody().Get("/curators/ann/activity");
  EXPECT_EQ(activity.At("items[0]"), "{date:2026-01-02,lists:1,items:1}");
  EXPECT_EQ(Nobody().Get("/curators/ann/activity?from=2026-01-03&to=2026-01-02").status, 400);
}

TEST_P(WatchTest, ARenamedCuratorIsRenamedOnLists) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  ann.Patch("/me", R"({"username": "Ann Lee"})");
  Settle();
  const Answer shown = Nobody().Get(list);
  EXPECT_EQ(shown.At("curatorName"), "Ann Lee");
  EXPECT_EQ(shown.At("version"), "1") << "a copy is no change of the list";
}

TEST_P(WatchTest, AListIsTakenAlongAndBroughtBack) {
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

  const Answer again = ann.Post("/import", json.body);
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.At("found"), "1");
  EXPECT_EQ(again.At("listed"), "1");
  EXPECT_EQ(Nobody().Get("/watchlists/" + again.At("watchlistId")).At("title"), "Best");
  const Answer rows = ann.Post("/import?list=From%20a%20table",
                               "type,title,year,tmdbId\nMOVIE,Known,1979,348\nMOVIE,New,2001,\n"
                               "BOOK,No,,\nMOVIE,Wrong,soon,\nMOVIE,New,2001,\n",
                               {{"Content-Type", "text/csv"}});
  ASSERT_EQ(rows.status, 200) << rows.body;
  EXPECT_EQ(rows.At("created"), "1");
  EXPECT_EQ(rows.At("found"), "2");
  EXPECT_EQ(rows.At("listed"), "2");
  EXPECT_EQ(rows.At("errors[0].row"), "3");
  EXPECT_EQ(rows.Count("errors"), 3U) << rows.body;
  EXPECT_EQ(ann.Post("/import", R"({"items": [{"colour": "red"}]})").At("errors[0].pointer"),
            "/items/0/colour");
  EXPECT_EQ(ann.Post("/import", R"({"rows": []})").status, 400);
}

TEST_P(WatchTest, APersonTakesEverythingAlongAndIsForgotten) {
  const Person ann = Curator("ann");
  const Person bob = Curator("bob");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  const std::string others = AddList(bob, R"({"title": "Of bob"})");
  AddMovie(bob, "m1", "Alien");
  AddItem(ann, list, "m1");
  ann.Put("/me/ratings/MOVIE/m1", R"({"rating": 2})");
  bob.Put("/me/ratings/MOVIE/m1", R"({"rating": 8})");
  ann.Put("/me/watched/MOVIE/m1");
  ann.Put("/me/saved/" + others.substr(12));
  ann.Post(others + "/comments", R"({"commentText": "Mine"})");
  Settle();
  const Answer all = ann.Get("/export");
  ASSERT_EQ(all.status, 200) << all.body;
  for (const char* entity :
       {"User", "Watchlist", "WatchlistItem", "Rating", "Watched", "SavedWatchlist", "Comment"})
    EXPECT_EQ(all.Count(fmt::format("entities.{}", entity)), 1U) << entity;
  EXPECT_NE(all.Count("entities.AuditEntry"), 0U);

  const Answer job = ann.Send("DELETE", "/me", "", {{"Prefer", "wait=20"}});
  ASSERT_EQ(job.status, 200) << job.body;
  EXPECT_EQ(job.At("state"), "DONE") << job.body;
  Settle();
  EXPECT_EQ(Nobody().Get("/users/ann").status, 404);
  EXPECT_EQ(Nobody().Get(list).status, 404);
  EXPECT_EQ(bob.Get(others).At("saveCount"), "0");
  EXPECT_EQ(Nobody().Get(others + "/comments").Count("items"), 0U);
  EXPECT_EQ(Nobody().Get("/movies/m1").At("rating"), "8");
  const auto left = backend().Read({.table = runtime().table()});
  ASSERT_TRUE(left.ok());
  for (const value::Item& item : left->items) {
    const design::Record record(item.view());
    EXPECT_NE(record.FindText("PK"), "USER#ann");
    EXPECT_FALSE(record.FindText("SK").value_or("").ends_with("#ann"));
  }
}

TEST_P(WatchTest, TheSeedsOwnItemsAreReadChangedAndRemoved) {
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

TEST_P(WatchTest, SampleDataIsWorthLookingAt) {
  host().LoadSamples();
  EXPECT_TRUE(Eventually([&] { return Nobody().Get("/watchlists").Count("items") == 5; }));
  EXPECT_TRUE(Eventually([&] {
    const std::string list =
        "/watchlists/" + Nobody().Get("/watchlists").At("items[4].watchlistId");
    return Nobody().Get(list + "/comments").Count("items") == 4;
  }));
  Settle();
  EXPECT_EQ(Nobody().Get("/movies?genre=animation").Count("items"), 4U);
}

}  // namespace
}  // namespace trestle::apps::testing
