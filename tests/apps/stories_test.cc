// Stories of the Story Hub: how they are written, branch, are found and taken along.

#include <atomic>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "apps/stories_fixture.h"
#include "design/values.h"
#include "platform/items.h"

namespace trestle::apps::testing {
namespace {

class StoriesTest : public StoriesFixture {};
TRESTLE_ON_EVERY_BACKEND(StoriesTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(StoriesTest);

TEST_P(StoriesTest, AStoryIsWrittenPublishedCompletedAndReopened) {
  const Answer added = As("ann").Post("/stories", StoryBody("The Lighthouse"));
  ASSERT_EQ(added.status, 201) << added.body;
  const std::string path = "/stories/" + added.At("storyId");
  EXPECT_EQ(added.Header("location"), "/api/stories/v1" + path);
  EXPECT_EQ(added.At("status"), "DRAFT");
  EXPECT_EQ(added.At("version"), "1");
  EXPECT_EQ(added.At("authorName"), "ann");
  EXPECT_EQ(added.At("stats"), "{totalBranches:0,totalChapters:1,totalReads:0,totalUpvotes:0}");
  EXPECT_EQ(As("ann").Get("/me").At("stats.storiesCreated"), "1");

  const Answer published = As("ann").Post(path + "/publish");
  ASSERT_EQ(published.status, 200) << published.body;
  EXPECT_EQ(published.At("status"), "PUBLISHED");
  EXPECT_EQ(published.At("publishedAt"), "2026-01-02T03:04:05.678Z");
  EXPECT_EQ(As("ann").Post(path + "/publish").status, 409);
  EXPECT_EQ(As("ann").Post(path + "/complete").At("status"), "COMPLETED");
  EXPECT_EQ(As("ann").Post(path + "/reopen").At("completedAt"), "absent");

  const Answer shown = As("ann").Get(path);
  EXPECT_EQ(shown.At("me.votes"), "{}");
  EXPECT_EQ(As("ann").Get(path, {{"If-None-Match", shown.Header("etag")}}).status, 304);
  EXPECT_EQ(
      As("ann").Patch(path, R"({"title": "New"})", {{"If-Match", shown.Header("etag")}}).status,
      200);
  const Answer late =
      As("ann").Patch(path, R"({"title": "Old"})", {{"If-Match", shown.Header("etag")}});
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.Code(), "version-mismatch");
}

// A tree of thousands of chapters is megabytes of texts, which nobody asks for.
TEST_P(StoriesTest, TreesAndStatisticsReadNoTexts) {
  const std::string story = Publish("ann", "Tree");
  const std::string root = RootOf("ann", story);
  constexpr int kBranches = 20;
  for (int i = 0; i < kBranches; ++i)
    ASSERT_EQ(As("bob")
                  .Post(root + "/branches",
                        fmt::format(R"({{"title": "t", "content": "{}"}})", std::string(9000, 'b')))
                  .status,
              201);
  Settle();
  for (const std::string_view route : {"/tree", "/stats"}) {
    const std::uint64_t before = watching().bytes_read();
    ASSERT_EQ(As("ann").Get(story + std::string(route)).status, 200) << route;
    const std::uint64_t bytes = watching().bytes_read() - before;
    EXPECT_GT(bytes, 20U * kBranches) << route;
    EXPECT_LT(bytes, 1000U * kBranches) << route;
  }
}

TEST_P(StoriesTest, EveryWrongFieldIsNamed) {
  const Answer limits = As("ann").Post(
      "/stories", R"({"title": "x", "synopsis": "short", "genre": "Fantasy", "ageRating": "X",
                      "firstChapter": {"title": "", "content": "c"}})");
  EXPECT_EQ(limits.status, 400);
  EXPECT_EQ(limits.Count("errors"), 5U) << limits.body;
  // Unknown and missing at once.
  const Answer unknown =
      As("ann").Post("/stories", StoryBody("Title", R"("status": "PUBLISHED",)"));
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.At("errors[0].pointer"), "/status") << unknown.body;
  EXPECT_EQ(unknown.At("errors[0].code"), "unknown-field");
  EXPECT_EQ(unknown.At("errors[1].pointer"), "/ageRating");
  const Answer labels = As("ann").Post(
      "/stories",
      StoryBody("Title",
                R"("ageRating": "G", "genres": ["Opera"], "contentWarnings": ["a","a"],)"));
  EXPECT_EQ(labels.At("errors[0].pointer"), "/genres/0") << labels.body;
  EXPECT_EQ(labels.At("errors[1].pointer"), "/contentWarnings/1");
  const Answer kinds = As("ann").Post(
      "/stories", R"({"title": "x", "synopsis": "short", "genre": "Opera", "ageRating": "X",
                      "contentWarnings": ["a","a"], "colour": "red"})");
  EXPECT_EQ(kinds.Count("errors"), 7U) << kinds.body;  // firstChapter is missing
  EXPECT_EQ(As("ann").Get("/users/ann/stories").Count("items"), 0U);

  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const Answer patch = As("ann").Patch(story, R"({"title": "x", "genre": "Opera", "ageRating": "G",
                                 "contentWarnings": ["a", "a"]})");
  EXPECT_EQ(patch.Count("errors"), 4U) << patch.body;
  const Answer chapter = As("ann").Patch(root, R"({"title": "", "content": "short"})");
  EXPECT_EQ(chapter.Count("errors"), 2U) << chapter.body;
  const Answer report = As("bob").Post("/reports", R"({"targetType": "COMMENT", "targetId": "x"})");
  EXPECT_EQ(report.Count("errors"), 3U) << report.body;
  EXPECT_EQ(As("bob").Post(root + "/branches", R"({"title": "x"})").status, 400);
  EXPECT_EQ(As("bob").Post(root + "/comments", R"({"text": ""})").status, 400);
  EXPECT_EQ(As("bob").Put(root + "/vote", R"({"voteType": "MAYBE"})").status, 400);
  EXPECT_EQ(As("bob").Put("/me/bookmarks/" + IdOf(story), R"({"currentNodeId": "none"})").status,
            400);
  EXPECT_EQ(As("ann").Patch(story, R"({"stats": {"totalReads": 9}})").status, 400);
  EXPECT_EQ(As("ann").Patch(story, R"({"status": "COMPLETED"})").status, 400);
  EXPECT_EQ(As("ann").Patch(story, R"({"genre": "Opera"})").status, 400);
  EXPECT_EQ(As("ann").Patch(root, R"({"content": "short"})").status, 400);
  EXPECT_EQ(As("ann").Get("/stories?colour=red").status, 400);
  EXPECT_EQ(As("ann").Get(story).At("stats.totalBranches"), "0");
}

TEST_P(StoriesTest, TheRatingOnlyRises) {
  const std::string story = Publish("ann", "Title");
  EXPECT_EQ(As("ann").Patch(story, R"({"ageRating": "G"})").At("errors[0].code"), "rating-lowered");
  EXPECT_EQ(As("ann").Patch(story, R"({"ageRating": "M"})").status, 200);
  const std::string root = RootOf("ann", story);
  const std::string body = fmt::format(R"({{"title": "Low", "ageRating": "PG", "content": "{}"}})",
                                       std::string(500, 'x'));
  EXPECT_EQ(As("bob").Post(root + "/branches", body).At("errors[0].code"), "rating-lowered");
}

TEST_P(StoriesTest, DraftsAreTheirAuthorsAlone) {
  const std::string story = AddStory("ann", "Secret");
  const std::string root = RootOf("ann", story);
  for (const std::string& path :
       {story, story + "/chapters", story + "/tree", root, root + "/children",
        story + "/path/" + IdOf(root), root + "/comments", story + "/export"}) {
    EXPECT_EQ(Nobody().Get(path).status, 404) << path;
    EXPECT_EQ(As("bob").Get(path).status, 404) << path;
    EXPECT_EQ(As("eve", "moderator").Get(path).status, 404) << path;
    EXPECT_EQ(As("ann").Get(path).status, 200) << path;
  }
  for (const Answer& answer :
       {As("bob").Patch(story, R"({"title": "Mine"})"), As("bob").Delete(story),
        As("bob").Post(story + "/publish"), As("bob").Get(story + "/stats"),
        As("bob").Post(root + "/branches", BranchBody("x")), As("bob").Post(root + "/reads"),
        As("bob").Put(root + "/vote", R"({"voteType": "UPVOTE"})"),
        As("bob").Put(root + "/approval", R"({"authorApproved": true})"),
        As("bob").Post(root + "/comments", R"({"text": "x"})"),
        As("bob").Put("/me/bookmarks/" + IdOf(story),
                      fmt::format(R"({{"currentNodeId": "{}"}})", IdOf(root)))}) {
    EXPECT_EQ(answer.status, 404) << answer.body;
  }
  LetIndexesFollow();
  EXPECT_EQ(As("bob").Get("/users/ann/stories").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get("/users/ann/stories").Count("items"), 1U);
  EXPECT_EQ(As("ann").Get("/stories").Count("items"), 0U);
}

TEST_P(StoriesTest, WhoIsNotTheAuthorIsRefused) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string branch = AddBranch("bob", story, root, "Bob's");
  for (const Answer& answer :
       {As("bob").Patch(story, R"({"title": "Mine"})"), As("bob").Delete(story),
        As("bob").Post(story + "/publish"), As("bob").Post(story + "/complete"),
        As("bob").Get(story + "/stats"), As("bob").Patch(root, R"({"title": "x"})"),
        As("bob").Delete(root), As("bob").Put(branch + "/approval", R"({"authorApproved": true})"),
        As("ann").Patch(branch, R"({"title": "x"})"), As("ann").Delete(branch),
        As("bob").Put(branch + "/vote", R"({"voteType": "UPVOTE"})"),
        As("bob").Get("/admin/reports"), As("ann").Post("/admin" + story + "/hide", R"({})")}) {
    EXPECT_EQ(answer.status, 403) << answer.body;
  }
  for (const Answer& answer :
       {Nobody().Post("/stories", StoryBody("x")), Nobody().Patch(story, R"({"title": "x"})"),
        Nobody().Delete(story), Nobody().Post(root + "/branches", BranchBody("x")),
        Nobody().Put(root + "/vote", R"({"voteType": "UPVOTE"})"), Nobody().Get("/me"),
        Nobody().Get("/me/bookmarks"), Nobody().Get("/me/notifications"),
        Nobody().Get("/me/settings"), Nobody().Post("/reports", R"({})"),
        Nobody().Post(root + "/comments", R"({"text": "x"})"), Nobody().Get("/admin/reports")}) {
    EXPECT_EQ(answer.status, 401) << answer.body;
  }
  EXPECT_EQ(Nobody().Post(root + "/reads").status, 204);
  EXPECT_EQ(As("ann").Get(root).At("stats.reads"), "0");
}

TEST_P(StoriesTest, StoriesForAdultsAreOnlyForWhoWantsThem) {
  const std::string story = Publish("ann", "Grim", R"("ageRating": "ADULT_18_PLUS",)");
  EXPECT_EQ(Nobody().Get(story).status, 404);
  EXPECT_EQ(As("bob").Get(story).status, 404);
  LetIndexesFollow();
  EXPECT_EQ(As("bob").Get("/stories").Count("items"), 0U);
  EXPECT_EQ(As("bob").Put("/me/settings", R"({"showAdult": true})").At("showAdult"), "true");
  EXPECT_EQ(As("bob").Get("/me/settings").At("digest"), "OFF");
  EXPECT_EQ(As("bob").Get(story).status, 200);
  EXPECT_EQ(As("bob").Get("/stories").Count("items"), 1U);
  EXPECT_EQ(As("ann").Get(story).status, 200);

  const std::string mild = Publish("ann", "Mild");
  const std::string body =
      fmt::format(R"({{"title": "Dark", "ageRating": "ADULT_18_PLUS", "content": "{}"}})",
                  std::string(500, 'x'));
  const Answer dark = As("bob").Post(RootOf("ann", mild) + "/branches", body);
  ASSERT_EQ(dark.status, 201) << dark.body;
  EXPECT_EQ(Nobody().Get(mild + "/chapters/" + dark.At("nodeId")).status, 403);
  EXPECT_EQ(Nobody().Get(mild + "/chapters").body.find("xxxx"), std::string::npos);
}

TEST_P(StoriesTest, BranchesGrowATree) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const Answer first = As("bob").Post(root + "/branches", BranchBody("Left"));
  ASSERT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(first.At("depth"), "1");
  EXPECT_EQ(first.At("order"), "0");
  EXPECT_EQ(first.At("byStoryAuthor"), "false");
  EXPECT_EQ(first.At("version"), "1");
  EXPECT_EQ(first.At("editableUntil"), "2026-01-02T04:04:05.678Z");
  const std::string left = story + "/chapters/" + first.At("nodeId");
  EXPECT_EQ(first.Header("location"), "/api/stories/v1" + left);
  Advance(1000);
  const std::string right = AddBranch("eve", story, root, "Right");
  const std::string deep = AddBranch("ann", story, left, "Deep");
  EXPECT_EQ(As("ann").Get(story).At("stats.totalBranches"), "3");
  EXPECT_EQ(As("ann").Get(story).At("stats.totalChapters"), "4");
  EXPECT_EQ(As("ann").Get(story).At("foreignBranches"), "2");
  EXPECT_EQ(As("ann").Get(root).At("stats.childCount"), "2");
  EXPECT_EQ(As("bob").Get("/me").At("stats.branchesContributed"), "1");
  EXPECT_EQ(As("ann").Get("/me").At("stats.branchesContributed"), "1") << "no root chapters";

  const Answer tree = Nobody().Get(story + "/tree");
  ASSERT_EQ(tree.status, 200) << tree.body;
  EXPECT_EQ(tree.At("totalNodes"), "4");
  EXPECT_EQ(tree.At("maxDepth"), "2");
  EXPECT_EQ(tree.At("nodes[0].parent"), "null");
  EXPECT_EQ(tree.At("nodes[0].badges"), "[AUTHOR]");
  EXPECT_EQ(tree.At("nodes[1].title") + tree.At("nodes[2].title") + tree.At("nodes[3].title"),
            "LeftDeepRight");
  EXPECT_EQ(Nobody().Get(story + "/tree?depth=1").Count("nodes"), 3U);
  EXPECT_EQ(Nobody().Get(story + "/tree?root=" + IdOf(left)).Count("nodes"), 2U);
  EXPECT_EQ(Nobody().Get(story + "/tree?root=none").status, 404);

  const Answer path = Nobody().Get(story + "/path/" + IdOf(deep) + "?contents=true");
  EXPECT_EQ(All(path, "title"), "Opening Left Deep ");
  EXPECT_EQ(path.Count("contributors"), 2U);
  EXPECT_NE(path.At("items[2].content"), "absent");

  const Answer chapter = As("bob").Get(left);
  EXPECT_EQ(chapter.At("previous"), IdOf(root));
  EXPECT_EQ(chapter.At("next"), "[" + IdOf(deep) + "]");
  EXPECT_EQ(chapter.Count("siblings"), 2U);

  As("ann").Put(right + "/vote", R"({"voteType": "UPVOTE"})");
  As("ann").Put(left + "/approval", R"({"authorApproved": true})");
  EXPECT_EQ(All(Nobody().Get(root + "/children"), "title"), "Left Right ");
  EXPECT_EQ(All(Nobody().Get(root + "/children?sort=popular"), "title"), "Right Left ");
  EXPECT_EQ(All(Nobody().Get(root + "/children?sort=newest"), "title"), "Right Left ");
  EXPECT_EQ(All(Nobody().Get(root + "/children?sort=approved"), "title"), "Left Right ");
  LetIndexesFollow();
  EXPECT_EQ(All(Nobody().Get("/users/bob/branches"), "title"), "Left ");
  EXPECT_EQ(All(Nobody().Get("/users/ann/branches"), "title"), "Deep ");
  EXPECT_EQ(All(Nobody().Get("/users/ann/stories"), "title"), "Title ");
}

TEST_P(StoriesTest, ManyBranchesAtOnceAllGetTheirOwnPlace) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  constexpr int kWriters = 12;
  std::vector<std::thread> threads;
  threads.reserve(kWriters);
  std::atomic<int> written = 0;
  for (int i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      const Answer answer =
          As(fmt::format("u{}", i)).Post(root + "/branches", BranchBody(fmt::format("b{}", i)));
      if (answer.status == 201) ++written;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(written, kWriters);
  const Answer children = Nobody().Get(root + "/children?limit=100");
  std::set<std::string> places;
  for (int i = 0; i < kWriters; ++i)
    places.insert(children.At(fmt::format("items[{}].order", i)));
  EXPECT_EQ(places.size(), static_cast<std::size_t>(kWriters));
  EXPECT_EQ(As("ann").Get(root).At("stats.childCount"), "12");
  // Padded orders: the eleventh comes behind the second.
  EXPECT_EQ(children.At("items[2].order"), "2");
  EXPECT_EQ(children.At("items[11].order"), "11");
}

TEST_P(StoriesTest, AChapterMayBeChangedForAnHour) {
  const std::string story = Publish("ann", "Title");
  const std::string branch = AddBranch("bob", story, RootOf("ann", story), "Left");
  const Answer shown = As("bob").Get(branch);
  EXPECT_EQ(As("bob")
                .Patch(branch, R"({"title": "Links"})", {{"If-Match", shown.Header("etag")}})
                .At("title"),
            "Links");
  EXPECT_EQ(
      As("bob").Patch(branch, R"({"title": "Late"})", {{"If-Match", shown.Header("etag")}}).status,
      412);
  EXPECT_EQ(As("bob").Patch(branch, R"({"depth": 7})").status, 400);
  Advance(kHourMs);
  const Answer late = As("bob").Patch(branch, R"({"title": "Rechts"})");
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.Code(), "edit-window-closed");
  const std::string draft = AddStory("ann", "Draft");
  Advance(kDayMs);
  EXPECT_EQ(As("ann").Patch(RootOf("ann", draft), R"({"title": "Still"})").status, 200);
}

TEST_P(StoriesTest, WhoRunsItSaysHowLongChaptersMayBeChanged) {
  SetEditWindow(3 * kHourMs);
  Use(Stories());
  const std::string story = Publish("ann", "Title");
  const std::string branch = AddBranch("bob", story, RootOf("ann", story), "Left");
  Advance(2 * kHourMs);
  EXPECT_EQ(As("bob").Patch(branch, R"({"title": "Links"})").status, 200);
  Advance(2 * kHourMs);
  EXPECT_EQ(As("bob").Patch(branch, R"({"title": "Late"})").Code(), "edit-window-closed");
  // Without an end it is open until somebody has continued the chapter.
  SetEditWindow(0);
  Use(Stories());
  Advance(kDayMs);
  EXPECT_EQ(As("bob").Patch(branch, R"({"title": "Later"})").status, 200);
  AddBranch("eve", story, branch, "Further");
  EXPECT_EQ(As("bob").Patch(branch, R"({"title": "No more"})").Code(), "edit-window-closed");
}

TEST_P(StoriesTest, OneBranchMatchesTheVision) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string left = AddBranch("bob", story, root, "Left");
  const std::string right = AddBranch("eve", story, root, "Right");
  const Answer marked = As("ann").Put(left + "/approval", R"({"matchesVision": true})");
  ASSERT_EQ(marked.status, 200) << marked.body;
  EXPECT_EQ(marked.At("badges"), "[VISION]");
  EXPECT_EQ(As("ann").Put(right + "/approval", R"({"matchesVision": true})").status, 409);
  EXPECT_EQ(As("ann").Put(right + "/approval", R"({"authorApproved": true})").At("badges"),
            "[APPROVED]");
  EXPECT_EQ(As("ann").Put(root + "/approval", R"({"authorApproved": true})").status, 422);
  EXPECT_EQ(As("ann").Put(left + "/approval", R"({"matchesVision": false})").status, 200);
  EXPECT_EQ(As("ann").Put(right + "/approval", R"({"matchesVision": true})").status, 200);
  // What is removed makes room.
  EXPECT_EQ(As("eve").Delete(right).status, 204);
  EXPECT_EQ(As("ann").Put(left + "/approval", R"({"matchesVision": true})").status, 200);
  EXPECT_EQ(As("ann").Get(root).At("visionChildId"), IdOf(left));
}

TEST_P(StoriesTest, WhatOthersHaveContinuedStays) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string inner = AddBranch("bob", story, root, "Inner");
  const std::string leaf = AddBranch("eve", story, inner, "Leaf");
  EXPECT_EQ(As("bob").Delete(inner).status, 409);
  EXPECT_EQ(As("ann").Delete(root).status, 409);
  EXPECT_EQ(As("ann").Delete(story).status, 409);
  EXPECT_EQ(As("mod", "moderator").Delete(inner).status, 204);
  EXPECT_EQ(Nobody().Get(inner).At("title"), "[removed]");
  EXPECT_EQ(As("eve").Delete(leaf).status, 204);
  EXPECT_EQ(Nobody().Get(leaf).status, 404);
  EXPECT_EQ(As("bob").Delete(inner).status, 204);
  EXPECT_EQ(As("ann").Get(story).At("stats.totalBranches"), "0");
  EXPECT_EQ(As("ann").Get(root + "/children").Count("items"), 0U);

  As("bob").Put("/me/bookmarks/" + IdOf(story),
                fmt::format(R"({{"currentNodeId": "{}"}})", IdOf(root)));
  LetIndexesFollow();
  const Answer deleted = As("ann").Delete(story, {{"Prefer", "wait=10"}});
  EXPECT_TRUE(deleted.status == 200 || deleted.status == 202) << deleted.body;
  EXPECT_EQ(As("ann").Get(story).status, 404);
  EXPECT_EQ(As("ann").Get(root).status, 404);
  Settle();
  EXPECT_EQ(As("bob").Get("/me/bookmarks").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get("/me").At("stats.storiesCreated"), "0");
}

TEST_P(StoriesTest, ACompleteStoryIsClosed) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  As("ann").Post(story + "/complete");
  EXPECT_EQ(As("bob").Post(root + "/branches", BranchBody("x")).status, 409);
  EXPECT_EQ(As("ann").Patch(story, R"({"branchesWhenCompleted": true})").status, 200);
  EXPECT_EQ(As("bob").Post(root + "/branches", BranchBody("x")).status, 201);
}

TEST_P(StoriesTest, StoriesAreDiscovered) {
  Publish("ann", "Zebra", R"("ageRating": "G", "contentWarnings": ["Violence"],)");
  Advance(1000);
  const std::string popular = Publish("ann", "Éole", R"("ageRating": "M", "genres": ["Horror"],)");
  Advance(1000);
  AddStory("ann", "Draft");
  const std::string done = Publish("bob", "Foo#1", R"("ageRating": "G",)");
  As("bob").Post(done + "/complete");
  EXPECT_EQ(As("bob").Put(RootOf("ann", popular) + "/vote", R"({"voteType": "UPVOTE"})").status,
            200);
  Settle();
  EXPECT_EQ(All(Nobody().Get("/stories"), "title"), "Foo#1 Éole Zebra ");
  EXPECT_EQ(All(Nobody().Get("/stories?genre=Horror"), "title"), "Éole ");
  EXPECT_EQ(All(Nobody().Get("/stories?ageRating=G"), "title"), "Foo#1 Zebra ");
  EXPECT_EQ(All(Nobody().Get("/stories?status=COMPLETED"), "title"), "Foo#1 ");
  EXPECT_EQ(All(Nobody().Get("/stories?warningsExclude=Violence,Gore"), "title"), "Foo#1 Éole ");
  EXPECT_EQ(Nobody().Get("/stories?sort=popular").At("items[0].title"), "Éole");
  EXPECT_EQ(Nobody().Get("/stories?sort=popular&genre=Fantasy&status=COMPLETED").Count("items"),
            1U);
  EXPECT_EQ(All(Nobody().Get("/stories?sort=published"), "title"), "Foo#1 Éole Zebra ");
  EXPECT_EQ(All(Nobody().Get("/stories?q=zebrra"), "title"), "Zebra ") << "with a typo";
  EXPECT_EQ(Nobody().Get("/search?q=draft&type=story").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get("/search?q=draft&type=story").Count("items"), 1U);
  EXPECT_GE(Nobody().Get("/search?q=ann").Count("items"), 1U);
  EXPECT_EQ(As("eve").Put("/me/settings", R"({"hiddenWarnings": ["Violence"]})").status, 200);
  EXPECT_EQ(All(As("eve").Get("/stories"), "title"), "Foo#1 Éole ");

  const Answer first = Nobody().Get("/stories?limit=1");
  const std::string cursor = first.At("nextCursor");
  EXPECT_EQ(Nobody().Get("/stories?limit=1&cursor=" + cursor).At("items[0].title"), "Éole");
  EXPECT_EQ(As("bob").Get("/stories?limit=1&cursor=" + cursor).Code(), "invalid-cursor");
  EXPECT_EQ(Nobody().Get("/stories?status=COMPLETED&cursor=" + cursor).Code(), "invalid-cursor");
  EXPECT_EQ(Nobody().Get("/stories?cursor=x" + cursor).Code(), "invalid-cursor");
}

TEST_P(StoriesTest, AStoryIsExported) {
  const std::string story = Publish("ann", "A <Title>");
  const std::string root = RootOf("ann", story);
  const std::string left = AddBranch("bob", story, root, "Left");
  AddBranch("bob", story, root, "Right");
  const Answer text = Nobody().Get(story + "/export?path=" + IdOf(left));
  ASSERT_EQ(text.status, 200) << text.body;
  EXPECT_EQ(text.Header("content-type"), "text/markdown; charset=utf-8");
  EXPECT_NE(text.body.find("Left"), std::string::npos);
  EXPECT_EQ(text.body.find("Right"), std::string::npos);
  const Answer page = Nobody().Get(story + "/export?format=html");
  EXPECT_NE(page.body.find("A &lt;Title&gt;"), std::string::npos);
  EXPECT_NE(page.body.find("Right"), std::string::npos);
  EXPECT_EQ(Nobody().Get(story + "/export?format=epub").body.substr(0, 2), "PK");
  EXPECT_EQ(Nobody().Get(story + "/export?format=json").Count("chapters"), 3U);
  EXPECT_EQ(Nobody().Get(story + "/export?path=none").status, 404);
}

TEST_P(StoriesTest, ItemsThatOthersHaveWrittenAreServed) {
  const auto put = [&](design::Record item, std::initializer_list<std::string_view> stats) {
    for (const std::string_view stat : stats)
      item.Set(design::Path{{}, {"stats", std::string(stat)}}, design::EncodeInteger(0));
    const Status written = runtime().backend().Write({.kind = design::ActionKind::kPut,
                                                      .table = runtime().table(),
                                                      .item = item.ToItem(),
                                                      .update = {},
                                                      .condition = {},
                                                      .expressions = {}});
    ASSERT_TRUE(written.ok()) << written.error().message();
  };
  put(platform::TextRecord({{"PK", "USER#raw"},
                            {"SK", "PROFILE#raw"},
                            {"userId", "raw"},
                            {"email", "raw@example.org"},
                            {"displayName", "Raw"},
                            {"createdAt", "2025-01-01T00:00:00Z"},
                            {"lastLoginAt", "2025-01-01T00:00:00Z"}}),
      {"storiesCreated", "branchesContributed", "totalReads", "totalUpvotes"});
  put(platform::TextRecord({{"PK", "STORY#s"},
                            {"SK", "METADATA"},
                            {"GSI1PK", "STORY_LIST"},
                            {"GSI1SK", "2025-01-01T00:00:00Z#s"},
                            {"storyId", "s"},
                            {"title", "Raw story"},
                            {"synopsis", "short"},
                            {"authorId", "raw"},
                            {"authorName", "Raw"},
                            {"genre", "Cyberpunk"},
                            {"ageRating", "T"},
                            {"status", "PUBLISHED"},
                            {"createdAt", "2025-01-01T00:00:00Z"},
                            {"updatedAt", "2025-01-01T00:00:00Z"}}),
      {"totalReads", "totalUpvotes", "totalBranches", "totalChapters"});
  put(platform::TextRecord({{"PK", "STORY#s"},
                            {"SK", "CHAPTER#n"},
                            {"GSI1PK", "USER#raw"},
                            {"GSI1SK", "BRANCH#2025-01-01T00:00:00Z#n"},
                            {"nodeId", "n"},
                            {"storyId", "s"},
                            {"authorId", "raw"},
                            {"authorName", "Raw"},
                            {"title", "Raw chapter"},
                            {"content", "Once"},
                            {"createdAt", "2025-01-01T00:00:00Z"},
                            {"updatedAt", "2025-01-01T00:00:00Z"}}),
      {"reads", "upvotes", "childCount"});
  EXPECT_EQ(As("bob").Get("/stories/s").At("title"), "Raw story");
  LetIndexesFollow();
  EXPECT_EQ(As("bob").Get("/stories").At("items[0].title"), "Raw story");
  EXPECT_EQ(As("bob").Get("/stories/s/tree").At("nodes[0].title"), "Raw chapter");
  EXPECT_EQ(As("bob").Get("/stories/s/chapters/n").At("content"), "Once");
  const Answer vote = As("bob").Put("/stories/s/chapters/n/vote", R"({"voteType": "UPVOTE"})");
  EXPECT_EQ(vote.At("upvotes"), "1") << vote.body;
  EXPECT_EQ(As("bob").Post("/stories/s/chapters/n/reads").status, 204);
  EXPECT_EQ(As("raw").Get("/me").At("stats.totalReads"), "1");
  const Answer changed = As("raw").Patch("/stories/s", R"({"title": "Mended"})");
  EXPECT_EQ(changed.At("title"), "Mended") << changed.body;
  const Answer branch = As("bob").Post("/stories/s/chapters/n/branches", BranchBody("On"));
  EXPECT_EQ(branch.status, 201) << branch.body;
  EXPECT_EQ(As("bob").Delete("/stories/s/chapters/" + branch.At("nodeId")).status, 204);
  const Answer deleted = As("raw").Delete("/stories/s", {{"Prefer", "wait=10"}});
  EXPECT_TRUE(deleted.status == 200 || deleted.status == 202) << deleted.body;
  EXPECT_EQ(As("bob").Get("/stories/s").status, 404);
}

TEST_P(StoriesTest, SamplesAreLoaded) {
  const std::vector<platform::Person> people = {
      {.sub = "s1", .email = "ann@example.org", .name = "Ann"},
      {.sub = "s2", .email = "bob@example.org", .name = "Bob"},
      {.sub = "s3", .email = "eve@example.org", .name = "Eve"}};
  const Status loaded = Stories().people.load_samples(*host().FindMount("stories"), people);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  Settle();
  const Answer list = Nobody().Get("/stories");
  EXPECT_GE(list.Count("items"), 4U);
  EXPECT_GE(As("s1").Get("/me/notifications").Count("items"), 1U);
  for (std::size_t i = 0; i < list.Count("items"); ++i) {
    const std::string story = "/stories/" + list.At(fmt::format("items[{}].storyId", i));
    EXPECT_GE(Nobody().Get(story + "/tree").Count("nodes"), 2U);
  }
  const Answer tree = As("s1").Get("/stories/sample-long/tree");
  EXPECT_EQ(tree.Count("nodes"), 260U);
  const Answer story = Nobody().Get("/stories/sample-long");
  EXPECT_EQ(story.At("stats.totalChapters"), "260");
  std::int64_t reads = 0;
  for (std::size_t i = 0; i < tree.Count("nodes"); ++i)
    reads += std::stoll(tree.At(fmt::format("nodes[{}].reads", i)));
  EXPECT_EQ(story.At("stats.totalReads"), std::to_string(reads));
}

}  // namespace
}  // namespace trestle::apps::testing
