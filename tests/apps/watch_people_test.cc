// People of WorthWatch: profiles, curators, ratings, what they save, say and are told.

#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "apps/watch_fixture.h"
#include "design/values.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

class WatchPeopleTest : public WatchFixture {};
TRESTLE_ON_EVERY_BACKEND(WatchPeopleTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(WatchPeopleTest);

TEST_P(WatchPeopleTest, WhoComesFirstGetsAProfile) {
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
  LetIndexesFollow();
  EXPECT_EQ(Admin().Get("/users?email=ANN@example.org").At("items[0].userId"), "ann");
  EXPECT_EQ(Admin().Get("/users?email=none@example.org").Count("items"), 0U);
}

TEST_P(WatchPeopleTest, OneEmailAddressIsOnePerson) {
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

TEST_P(WatchPeopleTest, CuratorsAreApprovedRefusedAndSuspended) {
  EXPECT_EQ(As("ann").Post("/watchlists", R"({"title": "x"})").Code(), "curator-required");
  EXPECT_EQ(As("ann").Post("/me/curator-application", "{}").status, 400);
  const Answer applied = As("ann").Post("/me/curator-application", R"({"statement": "Please"})");
  ASSERT_EQ(applied.status, 202) << applied.body;
  EXPECT_EQ(applied.At("curatorStatus"), "pending");
  EXPECT_EQ(applied.At("isCurator"), "true");
  EXPECT_EQ(As("ann").Post("/me/curator-application", R"({"statement": "Again"})").status, 409);
  EXPECT_EQ(As("bob").Get("/users/ann").At("curatorStatus"), "absent");
  EXPECT_EQ(As("ann").Post("/watchlists", R"({"title": "x"})").Code(), "curator-required");
  LetIndexesFollow();
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

TEST_P(WatchPeopleTest, ASuspensionHidesListsUntilItEnds) {
  const Person ann = Curator("ann");
  const std::string shown = AddList(ann, R"({"title": "Public"})");
  const std::string hidden = AddList(ann, R"({"title": "Private", "isPublic": false})");
  // A list that no index shows yet is hidden later.
  const bool is_late = index_lag_ms() > 0;
  const Answer job = Admin().Post("/admin/users/ann/curator", R"({"status": "suspended"})",
                                  {{"Prefer", is_late ? "wait=0" : "wait=20"}});
  EXPECT_EQ(job.status, is_late ? 202 : 200) << job.body;
  EXPECT_TRUE(job.Header("location").starts_with("/api/watch/v1/jobs/"));
  if (!is_late) {
    EXPECT_EQ(job.At("state"), "DONE");
    // The job has ended: whatever follows the stream is not waited for.
    EXPECT_EQ(Nobody().Get(shown).status, 404);
  }
  Settle();
  EXPECT_EQ(Nobody().Get(shown).status, 404);
  EXPECT_EQ(Nobody().Get("/watchlists").Count("items"), 0U);
  EXPECT_EQ(ann.Get(shown).At("isPublic"), "false");
  EXPECT_EQ(ann.Get(shown).At("restorePublic"), "absent");
  EXPECT_EQ(ann.Patch(shown, R"({"isPublic": true})").Code(), "curator-required");
  EXPECT_EQ(ann.Post("/watchlists", R"({"title": "x"})").Code(), "curator-required");
  EXPECT_EQ(ann.Patch(shown, R"({"title": "Renamed"})").status, 200);
  EXPECT_EQ(ann.Post("/me/curator-application", R"({"statement": "x"})").status, 403);
  const Answer approved = Admin().Post("/admin/users/ann/curator", R"({"status": "approved"})");
  EXPECT_EQ(approved.At("curatorStatus"), "approved");
  Settle();
  EXPECT_EQ(Nobody().Get(shown).At("title"), "Renamed");
  EXPECT_EQ(Nobody().Get(hidden).status, 404);
}

TEST_P(WatchPeopleTest, RatingsAreAddedUp) {
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

TEST_P(WatchPeopleTest, ManyRateAtOnce) {
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

TEST_P(WatchPeopleTest, ListsAreSavedAndForgotten) {
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

TEST_P(WatchPeopleTest, ProgressCountsWhatWasSeen) {
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

TEST_P(WatchPeopleTest, CommentsAreTheirAuthors) {
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

TEST_P(WatchPeopleTest, SaversAreToldOfChanges) {
  const Person ann = Curator("ann");
  const Person bob = As("bob");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  AddMovie(ann, "m1", "Alien");
  AddMovie(ann, "m2", "Arrival");
  bob.Put("/me/saved/" + list.substr(12));
  ann.Put("/me/saved/" + list.substr(12));
  Settle();
  EXPECT_EQ(bob.Get("/me/feed").Count("items"), 0U) << "saving is no news";
  Advance(1);
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

TEST_P(WatchPeopleTest, AChangeThatComesAgainChangesNothing) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  AddMovie(ann, "m1", "Alien");
  As("bob").Put("/me/saved/" + list.substr(12));
  Advance(1);
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

TEST_P(WatchPeopleTest, WhatPeopleChangeIsOnRecord) {
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

TEST_P(WatchPeopleTest, ARenamedCuratorIsRenamedOnLists) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Best"})");
  LetIndexesFollow();
  ann.Patch("/me", R"({"username": "Ann Lee"})");
  Settle();
  const Answer shown = Nobody().Get(list);
  EXPECT_EQ(shown.At("curatorName"), "Ann Lee");
  EXPECT_EQ(shown.At("version"), "1") << "a copy is no change of the list";
}

TEST_P(WatchPeopleTest, APersonTakesEverythingAlongAndIsForgotten) {
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

  EXPECT_EQ(EraseMe(ann), "DONE");
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

}  // namespace
}  // namespace trestle::apps::testing
