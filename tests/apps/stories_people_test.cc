// People of the Story Hub: how they read, vote, talk, are told of things, and leave.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "apps/stories_fixture.h"
#include "platform/items.h"

namespace trestle::apps::testing {
namespace {

class StoriesPeopleTest : public StoriesFixture {};
TRESTLE_ON_EVERY_BACKEND(StoriesPeopleTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(StoriesPeopleTest);

TEST_P(StoriesPeopleTest, ReadersVoteAndTakeItBackAtOnce) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  constexpr int kReaders = 200;
  constexpr int kThreads = 16;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  std::atomic<int> next = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int i = next++; i < kReaders; i = next++) {
        const Person reader = As(fmt::format("u{}", i));
        EXPECT_EQ(reader.Put(root + "/vote", R"({"voteType": "UPVOTE"})").status, 200);
        if (i % 2 == 0) {
          EXPECT_EQ(reader.Put(root + "/vote", R"({"voteType": "DOWNVOTE"})").status, 200);
        }
        if (i % 4 == 0) {
          EXPECT_EQ(reader.Delete(root + "/vote").status, 200);
        }
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const Answer chapter = As("u1").Get(root);
  EXPECT_EQ(chapter.At("stats.upvotes"), "100");
  EXPECT_EQ(chapter.At("stats.downvotes"), "50");
  EXPECT_EQ(chapter.At("score"), "50");
  EXPECT_EQ(chapter.At("me.vote"), "UPVOTE");
  EXPECT_EQ(As("ann").Get(story).At("stats.totalUpvotes"), "100");
  EXPECT_EQ(As("ann").Get("/me").At("stats.totalUpvotes"), "100");
  EXPECT_EQ(As("ann").Get(story + "/stats").At("days[0].upvotes"), "100");
  // Again changes nothing, and what is not there can be taken back.
  EXPECT_EQ(As("u1").Put(root + "/vote", R"({"voteType": "UPVOTE"})").At("upvotes"), "100");
  EXPECT_EQ(As("u0").Delete(root + "/vote").status, 200);
}

TEST_P(StoriesPeopleTest, AReaderCountsOnceADay) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(As("bob").Post(root + "/reads").status, 204);
  EXPECT_EQ(As("ann").Get(root).At("stats.reads"), "1");
  Advance(kDayMs);
  EXPECT_EQ(As("bob").Post(root + "/reads").status, 204);
  EXPECT_EQ(As("eve").Post(root + "/reads").status, 204);
  EXPECT_EQ(As("ann").Get(root).At("stats.reads"), "3");
  EXPECT_EQ(As("ann").Get(story).At("stats.totalReads"), "3");
  EXPECT_EQ(As("ann").Get("/me").At("stats.totalReads"), "3");
  EXPECT_EQ(As("bob").Get(story + "/tree").At("nodes[0].readByMe"), "true");
  const Answer stats = As("ann").Get(story + "/stats?from=2026-01-01&to=2026-01-31");
  EXPECT_EQ(stats.Count("days"), 2U) << stats.body;
  EXPECT_EQ(stats.At("days[1].reads"), "2");
  EXPECT_EQ(stats.At("depths[0]"), "{depth:0,chapters:1,reads:3}");
  EXPECT_EQ(As("ann").Get(story + "/stats?from=2026-02-01&to=2026-01-01").status, 400);
}

TEST_P(StoriesPeopleTest, BookmarksAreRemembered) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string branch = AddBranch("ann", story, root, "Next");
  const std::string path = "/me/bookmarks/" + IdOf(story);
  const auto at = [&](const std::string& chapter) {
    return fmt::format(R"({{"currentNodeId": "{}"}})", IdOf(chapter));
  };
  EXPECT_EQ(As("bob").Get(path).status, 404);
  EXPECT_EQ(As("bob").Put(path, at(root)).status, 201);
  EXPECT_EQ(As("bob").Put(path, at(branch)).status, 200);
  EXPECT_EQ(As("bob").Get(path).At("currentNodeId"), IdOf(branch));
  EXPECT_EQ(As("bob").Get("/me/bookmarks").At("items[0].story.title"), "Title");
  EXPECT_EQ(As("bob").Get(story).At("me.bookmark.currentNodeId"), IdOf(branch));
  EXPECT_EQ(As("eve").Get("/me/bookmarks").Count("items"), 0U);
  EXPECT_EQ(As("bob").Delete(path).status, 204);
  EXPECT_EQ(As("bob").Delete(path).status, 404);
}

TEST_P(StoriesPeopleTest, PeopleHearOfWhatHappensToTheirs) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string left = AddBranch("bob", story, root, "Left");
  AddBranch("eve", story, left, "Deep");
  Settle();
  EXPECT_EQ(NotificationTypes("ann"), "NEW_BRANCH NEW_BRANCH ");
  EXPECT_EQ(NotificationTypes("bob"), "NEW_BRANCH ");
  EXPECT_EQ(NotificationTypes("eve"), "");

  As("ann").Put(left + "/vote", R"({"voteType": "UPVOTE"})");
  As("eve").Put(left + "/vote", R"({"voteType": "UPVOTE"})");
  As("ann").Put(left + "/approval", R"({"authorApproved": true})");
  As("zoe").Put("/me/bookmarks/" + IdOf(story),
                fmt::format(R"({{"currentNodeId": "{}"}})", IdOf(root)));
  LetIndexesFollow();
  As("ann").Post(story + "/complete");
  Settle();
  const Answer bob = As("bob").Get("/me/notifications");
  EXPECT_EQ(bob.At("unreadCount"), "4") << bob.body;
  EXPECT_EQ(bob.Count("items"), 4U);
  EXPECT_EQ(NotificationTypes("zoe"), "STORY_COMPLETED ");
  const std::string types = NotificationTypes("bob");
  EXPECT_NE(types.find("AUTHOR_APPROVED"), std::string::npos);
  EXPECT_NE(types.find("UPVOTE"), std::string::npos);
  bool has_two = false;
  for (std::size_t i = 0; i < 4; ++i) {
    has_two = has_two || (bob.At(fmt::format("items[{}].type", i)) == "UPVOTE" &&
                          bob.At(fmt::format("items[{}].eventCount", i)) == "2");
  }
  EXPECT_TRUE(has_two) << bob.body;

  const std::string one = "/me/notifications/" + bob.At("items[0].notificationId");
  EXPECT_EQ(As("eve").Post(one + "/read").status, 404);
  EXPECT_EQ(As("bob").Post(one + "/read").At("read"), "true");
  EXPECT_EQ(As("bob").Post(one + "/read").status, 200);
  EXPECT_EQ(As("bob").Get("/me/notifications?unread=true").Count("items"), 3U);
  EXPECT_EQ(As("eve").Delete(one).status, 404);
  EXPECT_EQ(As("bob").Delete(one).status, 204);
  const Answer all = As("bob").Post("/me/notifications/read-all", "", {{"Prefer", "wait=10"}});
  EXPECT_TRUE(all.status == 200 || all.status == 202) << all.body;
  EXPECT_EQ(As("bob").Get("/me/notifications").At("unreadCount"), "0");
}

TEST_P(StoriesPeopleTest, WhoWantsADigestGetsOneMailADayOrAWeek) {
  if (!has_fixed_clock()) GTEST_SKIP();
  const auto mails_to = [&] {
    std::string all;
    for (const platform::identity::Mail& mail : mails())
      all += fmt::format("{}: {}; ", mail.to, mail.subject);
    return all;
  };
  // Changes are kept for a day: all are followed before it is over.
  const auto pass = [&](std::int64_t ms) {
    for (; ms > 0; ms -= 12 * kHourMs) {
      Advance(std::min(ms, 12 * kHourMs));
      Settle();
    }
    host().RunTimers();
  };
  const std::string story = Publish("ann", "Title");  // on a Friday, at 03:04
  const std::string root = RootOf("ann", story);
  As("ann").Put("/me/settings", R"({"digest": "DAILY"})");
  const std::string left = AddBranch("bob", story, root, "Left");
  As("bob").Put("/me/settings", R"({"digest": "WEEKLY"})");
  AddBranch("eve", story, left, "Deep");
  AddBranch("ann", story, left, "Deeper");
  Settle();
  host().RunTimers();
  pass(kDayMs);  // Saturday, too early in the morning
  EXPECT_EQ(mails_to(), "");
  pass(3 * kHourMs);
  EXPECT_EQ(mails_to(), "ann@example.org: Story Hub: 2 things happened; ");
  EXPECT_NE(mails().front().text.find("Left"), std::string::npos);
  pass(kDayMs);
  EXPECT_EQ(mails().size(), 1U);
  pass(kDayMs);  // Monday
  EXPECT_EQ(mails_to(),
            "ann@example.org: Story Hub: 2 things happened; "
            "bob@example.org: Story Hub: 2 things happened; ");

  AddBranch("eve", story, root, "Right");
  Settle();
  As("ann").Put("/me/settings", R"({"digest": "OFF"})");
  pass(2 * kDayMs);
  EXPECT_EQ(mails().size(), 2U);
}

TEST_P(StoriesPeopleTest, WhatIsToldAgainIsToldOnce) {
  const std::string story = Publish("ann", "Title");
  const std::string left = AddBranch("bob", story, RootOf("ann", story), "Left");
  for (const std::string_view sub : {"ann", "eve", "zoe"})
    As(sub).Put(left + "/vote", R"({"voteType": "UPVOTE"})");
  As("ann").Put(left + "/approval", R"({"authorApproved": true})");
  As("ann").Post(story + "/complete");
  Settle();
  const std::string before = As("bob").Get("/me/notifications").body;
  auto reader = backend().Follow(runtime().table(), "");
  ASSERT_TRUE(reader.ok());
  for (;;) {
    const auto changes = (*reader)->Next(1000, std::chrono::milliseconds(200));
    ASSERT_TRUE(changes.ok());
    if (changes->empty()) break;
    for (const design::Change& change : *changes) {
      platform::ItemChange item{.runtime = runtime(), .change = change};
      if (change.old_image) item.old_item = runtime().Recognise(change.old_image->view());
      if (change.new_image) item.new_item = runtime().Recognise(change.new_image->view());
      const Status told = Stories().consumers.front().handle(*host().FindMount("stories"), item);
      EXPECT_TRUE(told.ok()) << told.error().message();
    }
  }
  EXPECT_EQ(As("bob").Get("/me/notifications").body, before);
}

TEST_P(StoriesPeopleTest, WhoDoesNotWantToHearIsNotTold) {
  const std::string story = Publish("ann", "Title");
  EXPECT_EQ(As("ann").Put("/me/settings", R"({"mutedTypes": ["NEW_BRANCH"]})").status, 200);
  AddBranch("bob", story, RootOf("ann", story), "Left");
  Settle();
  EXPECT_EQ(NotificationTypes("ann"), "");
  EXPECT_EQ(As("ann").Put("/me/settings", R"({"mutedTypes": ["LOUD"]})").status, 400);
}

TEST_P(StoriesPeopleTest, ANewNameReachesWhatWasWritten) {
  const std::string story = Publish("ann", "Title");
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Patch("/me", R"({"displayName": "Ann of Cleves", "bio": "Writes"})").status,
            200);
  EXPECT_EQ(As("ann").Patch("/me", R"({"email": "x@example.org"})").status, 400);
  Settle();
  EXPECT_EQ(Nobody().Get(story).At("authorName"), "Ann of Cleves");
  EXPECT_EQ(Nobody().Get(RootOf("ann", story)).At("authorName"), "Ann of Cleves");
  const Answer other = As("bob").Get("/users/ann");
  EXPECT_EQ(other.At("bio"), "Writes");
  EXPECT_EQ(other.At("email"), "absent");
  EXPECT_EQ(other.At("settings"), "absent");
  EXPECT_EQ(As("ann").Get("/me").At("email"), "ann@example.org");
  EXPECT_EQ(Nobody().Get("/users/none").status, 404);
}

TEST_P(StoriesPeopleTest, CommentsHaveRepliesAndVotes) {
  const std::string story = Publish("ann", "Title");
  const std::string comments = RootOf("ann", story) + "/comments";
  const Answer first = As("bob").Post(comments, R"({"text": "Well told"})");
  ASSERT_EQ(first.status, 201) << first.body;
  const std::string path = comments + "/" + first.At("commentId");
  std::string parent = first.At("commentId");
  for (int depth = 1; depth <= 5; ++depth) {
    const Answer reply = As("eve").Post(
        comments, fmt::format(R"({{"text": "r{}", "parentCommentId": "{}"}})", depth, parent));
    ASSERT_EQ(reply.status, 201) << reply.body;
    EXPECT_EQ(reply.At("depth"), std::to_string(depth));
    parent = reply.At("commentId");
  }
  EXPECT_EQ(As("eve")
                .Post(comments, fmt::format(R"({{"text": "r", "parentCommentId": "{}"}})", parent))
                .status,
            422);
  EXPECT_EQ(As("eve").Post(comments, R"({"text": "r", "parentCommentId": "none"})").status, 400);
  EXPECT_EQ(Nobody().Get(comments).Count("items"), 6U);
  LetIndexesFollow();
  EXPECT_EQ(Nobody().Get(path + "/replies").At("items[0].text"), "r1");
  EXPECT_EQ(As("ann").Get(RootOf("ann", story)).At("commentCount"), "6");

  EXPECT_EQ(As("eve").Put(path + "/vote", R"({"value": 1})").At("score"), "1");
  EXPECT_EQ(As("eve").Put(path + "/vote", R"({"value": -1})").At("score"), "-1");
  EXPECT_EQ(As("bob").Put(path + "/vote", R"({"value": 1})").status, 403);
  EXPECT_EQ(As("ann").Put(path + "/vote", R"({"value": 0})").status, 400);
  EXPECT_EQ(As("eve").Delete(path + "/vote").At("score"), "0");
  EXPECT_EQ(As("eve").Delete(path + "/vote").status, 200);

  EXPECT_EQ(As("bob").Patch(path, R"({"text": "Very well told"})").At("text"), "Very well told");
  EXPECT_EQ(As("eve").Patch(path, R"({"text": "x"})").status, 403);
  EXPECT_EQ(As("eve").Delete(path).status, 403);
  EXPECT_EQ(As("bob").Delete(path).status, 204);
  EXPECT_EQ(Nobody().Get(path).At("text"), "[removed]");
  EXPECT_EQ(As("bob").Patch(path, R"({"text": "back"})").status, 409);
  EXPECT_EQ(As("eve").Delete(comments + "/" + parent).status, 204);
  EXPECT_EQ(Nobody().Get(comments).Count("items"), 5U);
}

// Whether an index shows it already or not.
TEST_P(StoriesPeopleTest, WhatHappenedAMomentAgoCounts) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string comments = root + "/comments";
  const std::string first = As("bob").Post(comments, R"({"text": "Well told"})").At("commentId");
  As("eve").Post(comments, fmt::format(R"({{"text": "r", "parentCommentId": "{}"}})", first));
  EXPECT_EQ(As("bob").Delete(comments + "/" + first).status, 204);
  EXPECT_EQ(Nobody().Get(comments + "/" + first).At("text"), "[removed]");

  AddBranch("bob", story, root, "Left");
  ASSERT_TRUE(Eventually([&] { return NotificationTypes("ann") == "NEW_BRANCH "; }));
  const std::string news =
      "/me/notifications/" + As("ann").Get("/me/notifications").At("items[0].notificationId");
  EXPECT_EQ(As("bob").Post(news + "/read").status, 404);
  EXPECT_EQ(As("ann").Post(news + "/read").At("read"), "true");
  EXPECT_EQ(As("ann").Delete(news).status, 204);
}

TEST_P(StoriesPeopleTest, ModeratorsHideWhatIsReported) {
  const std::string story = Publish("ann", "Title");
  const std::string root = RootOf("ann", story);
  const std::string report =
      fmt::format(R"({{"targetType": "STORY", "targetId": "{}", "reason": "SPAM"}})", IdOf(story));
  EXPECT_EQ(As("bob").Post("/reports", report).status, 201);
  EXPECT_EQ(As("bob").Post("/reports", report).status, 409);
  EXPECT_EQ(
      As("bob")
          .Post("/reports", R"({"targetType": "STORY", "targetId": "none", "reason": "SPAM"})")
          .status,
      400);
  EXPECT_EQ(As("bob")
                .Post("/reports", R"({"targetType": "CHAPTER", "targetId": "n", "reason": "SPAM"})")
                .At("errors[0].pointer"),
            "/storyId");
  const Person moderator = As("mod", "moderator");
  LetIndexesFollow();
  EXPECT_EQ(moderator.Get("/admin/reports").Count("items"), 1U);
  EXPECT_EQ(moderator.Post("/admin" + root + "/hide", R"({})").status, 200);
  EXPECT_EQ(As("bob").Get(root).status, 403);
  EXPECT_EQ(moderator.Get(root).status, 200);
  EXPECT_EQ(moderator.Post("/admin" + story + "/hide", R"({"reason": "spam"})").status, 200);
  EXPECT_EQ(As("bob").Get(story).status, 404);
  LetIndexesFollow();
  EXPECT_EQ(As("bob").Get("/stories").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get(story).At("hiddenReason"), "spam");
  const std::string decide = "/admin/reports/bob/STORY/" + IdOf(story);
  EXPECT_EQ(moderator.Put(decide, R"({"state": "UPHELD"})").At("decidedBy"), "mod");
  LetIndexesFollow();
  EXPECT_EQ(moderator.Get("/admin/reports").Count("items"), 0U);
  EXPECT_EQ(moderator.Get("/admin/reports?state=UPHELD").Count("items"), 1U);
  EXPECT_EQ(moderator.Post("/admin" + story + "/hide", R"({"hidden": false})").status, 200);
  EXPECT_EQ(As("bob").Get(story).status, 200);
}

TEST_P(StoriesPeopleTest, ADecisionSaysWhoWhenAndWhy) {
  const std::string story = Publish("ann", "Title");
  const std::string report =
      fmt::format(R"({{"targetType": "STORY", "targetId": "{}", "reason": "SPAM"}})", IdOf(story));
  EXPECT_EQ(As("bob").Post("/reports", report).status, 201);
  const Person moderator = As("mod", "moderator");
  const std::string decide = "/admin/reports/bob/STORY/" + IdOf(story);
  LetIndexesFollow();
  const Answer open = moderator.Get("/admin/reports");
  for (const std::string_view name : {"decidedBy", "decidedByName", "decidedAt", "note"})
    EXPECT_EQ(open.At(fmt::format("items[0].{}", name)), "absent") << name;

  Advance(60'000);
  const Answer decided =
      moderator.Put(decide, R"({"state": "DISMISSED", "note": "It is a story about soup"})");
  EXPECT_EQ(decided.status, 200) << decided.body;
  EXPECT_EQ(decided.At("decidedBy"), "mod");
  LetIndexesFollow();
  const Answer list = As("other", "moderator").Get("/admin/reports?state=DISMISSED");
  EXPECT_EQ(list.At("items[0].decidedBy"), "mod") << list.body;
  EXPECT_EQ(list.At("items[0].decidedByName"), moderator.Get("/me").At("displayName"));
  EXPECT_EQ(list.At("items[0].note"), "It is a story about soup");
  EXPECT_GT(list.At("items[0].decidedAt"), list.At("items[0].createdAt"));

  // Who reported it sees in the export what became of it, not by whom and why.
  const Answer exported = As("bob").Get("/export");
  EXPECT_EQ(exported.At("entities.Report[0].state"), "DISMISSED") << exported.body;
  EXPECT_EQ(exported.At("entities.Report[0].decidedAt"), list.At("items[0].decidedAt"));
  EXPECT_EQ(exported.At("entities.Report[0].decidedBy"), "absent");
  EXPECT_EQ(exported.At("entities.Report[0].note"), "absent");

  // Another decision has no note of the one before, and one that is open again has none at all.
  EXPECT_EQ(moderator.Put(decide, R"({"state": "UPHELD", "note": ""})").At("note"), "absent");
  const Answer again = moderator.Put(decide, R"({"state": "OPEN", "note": "x"})");
  for (const std::string_view name : {"decidedBy", "decidedAt", "note"})
    EXPECT_EQ(again.At(name), "absent") << name;
  const std::string long_note(1001, 'x');
  EXPECT_EQ(moderator.Put(decide, fmt::format(R"({{"state": "UPHELD", "note": "{}"}})", long_note))
                .Code(),
            "validation");
  EXPECT_EQ(As("bob").Put(decide, R"({"state": "UPHELD"})").status, 403);
}

TEST_P(StoriesPeopleTest, CommentsShowTheCallersVote) {
  const std::string story = Publish("ann", "Title");
  const std::string comments = RootOf("ann", story) + "/comments";
  const auto say = [&](std::string_view name, std::string_view more = {}) {
    return As(name).Post(comments, fmt::format(R"({{"text": "x"{}}})", more)).At("commentId");
  };
  const std::string liked = say("bob");
  const std::string disliked = say("bob");
  const std::string own = say("eve");
  const std::string reply = say("bob", fmt::format(R"(, "parentCommentId": "{}")", liked));
  const auto vote = [&](const std::string& comment, int value) {
    EXPECT_EQ(As("eve")
                  .Put(fmt::format("{}/{}/vote", comments, comment),
                       fmt::format(R"({{"value": {}}})", value))
                  .status,
              200);
  };
  vote(liked, 1);
  vote(disliked, -1);
  vote(reply, -1);
  const auto votes = [&](const Answer& answer) {
    std::map<std::string, std::string> all;
    for (std::size_t i = 0; i < answer.Count("items"); ++i)
      all[answer.At(fmt::format("items[{}].commentId", i))] =
          answer.At(fmt::format("items[{}].myVote", i));
    return all;
  };
  using Votes = std::map<std::string, std::string>;
  EXPECT_EQ(votes(As("eve").Get(comments)),
            (Votes{{liked, "1"}, {disliked, "-1"}, {own, "absent"}, {reply, "-1"}}));
  LetIndexesFollow();
  EXPECT_EQ(votes(As("eve").Get(comments + "/" + liked + "/replies")), (Votes{{reply, "-1"}}));
  // Nobody else's.
  const Votes none = {{liked, "absent"}, {disliked, "absent"}, {own, "absent"}, {reply, "absent"}};
  EXPECT_EQ(votes(As("ann").Get(comments)), none);
  EXPECT_EQ(votes(Nobody().Get(comments)), none);
  EXPECT_EQ(As("eve").Delete(fmt::format("{}/{}/vote", comments, liked)).status, 200);
  EXPECT_EQ(votes(As("eve").Get(comments))[liked], "absent");
  // One read for all votes of a page, and none for who has no votes.
  const auto reads_of_votes = [&](const Person& reader) {
    watching().StartRecording();
    reader.Get(comments);
    return std::ranges::count(watching().StopRecording(), "BatchGetItem");
  };
  EXPECT_EQ(reads_of_votes(As("eve")), 1);
  EXPECT_EQ(reads_of_votes(Nobody()), 0);
}

TEST_P(StoriesPeopleTest, WhoLeavesIsForgotten) {
  const std::string story = Publish("ann", "Title");
  const std::string alone = Publish("bob", "Alone");
  const std::string root = RootOf("ann", story);
  const std::string kept = AddBranch("bob", story, root, "Kept");
  AddBranch("eve", story, kept, "Deep");
  const std::string gone = AddBranch("bob", story, root, "Gone");
  As("bob").Put(root + "/vote", R"({"voteType": "UPVOTE"})");
  const Answer comment = As("bob").Post(root + "/comments", R"({"text": "mine"})");
  LetIndexesFollow();
  const Answer exported = As("bob").Get("/export");
  EXPECT_EQ(exported.Count("entities.Chapter"), 3U) << exported.body;
  EXPECT_EQ(exported.Count("entities.Vote"), 1U);
  EXPECT_EQ(exported.Count("entities.StoryComment"), 1U);
  EXPECT_EQ(exported.Count("entities.Story"), 1U);
  EXPECT_EQ(EraseMe(As("bob")), "DONE");
  EXPECT_EQ(Nobody().Get(alone).status, 404);
  EXPECT_EQ(Nobody().Get(gone).status, 404);
  EXPECT_EQ(Nobody().Get(kept).At("authorName"), "Deleted user");
  EXPECT_EQ(As("ann").Get(root).At("stats.upvotes"), "0");
  EXPECT_EQ(Nobody().Get(root + "/comments").At("items[0].text"), "[removed]");
  EXPECT_EQ(Nobody().Get(root + "/comments").At("items[0].authorName"), "Deleted user");
  EXPECT_EQ(As("bob").Get("/me").At("email"), "absent");
}

}  // namespace
}  // namespace trestle::apps::testing
