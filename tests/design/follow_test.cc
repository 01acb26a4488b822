// What a delete, a move or somebody else's raw item draws after it.

#include <algorithm>

#include "design/design_fixture.h"
#include "design/job.h"

namespace trestle::design::testing {
namespace {

class FollowTest : public DesignFixture {
 protected:
  std::size_t CountKeys(std::string_view part) {
    const auto keys = Keys();
    return static_cast<std::size_t>(std::ranges::count_if(
        keys, [&](const std::string& key) { return key.find(part) != key.npos; }));
  }

  std::vector<Job> Jobs() {
    std::vector<Job> jobs;
    const auto page = backend().Read({.table = runtime().table()});
    for (const value::Item& item : page->items) {
      const auto job = ReadJob(runtime().model(), item.view());
      EXPECT_TRUE(job.ok());
      if (job.ok() && *job) jobs.push_back(**job);
    }
    return jobs;
  }

  void PutRaw(std::string_view item) {
    const Status put = backend().Write({.kind = ActionKind::kPut,
                                        .table = runtime().table(),
                                        .item = expr::testing::ItemOf(item)});
    ASSERT_TRUE(put.ok()) << put.error().message();
  }
};
TRESTLE_ON_EVERY_BACKEND(FollowTest);
TRESTLE_ALSO_WITHOUT_TRANSACTIONS(FollowTest);

TEST_P(FollowTest, FewChildrenGoInTheSameTransaction) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L2", LibraryName: "Away"})");
  Create("Collection", R"({OwnerId: "O1", LibraryId: "L1", CollectionId: "C1", Name: "Foo"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "a", CollectionId: "C1",
                     Order: 1})");
  Create("Video", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I2", Title: "b"})");
  Create("Video", R"({OwnerId: "O1", LibraryId: "L2", ItemId: "I3", Title: "c"})");
  RunOperation("lendItem", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", borrower: "Bob"})");
  RunOperation("shareLibrary",
               R"({OwnerId: "O1", LibraryId: "L1", email: "b@x.org", SharedToId: "O2"})");
  Delete("Library", R"({OwnerId: "O1", LibraryId: "L1"})");
  EXPECT_EQ(CountKeys("L1"), 0U) << ::testing::PrintToString(Keys());
  EXPECT_EQ(CountKeys("~trestle#unique#"), 0U);
  EXPECT_EQ(CountKeys("L2"), 2U);
  EXPECT_EQ(At("Owner", R"({OwnerId: "O1"})", "LibraryCount"), "1");
  const auto jobs = Jobs();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].kind, JobKind::kDelete);
  EXPECT_EQ(jobs[0].entity->name, "Library");
  EXPECT_EQ(jobs[0].parent.FindText("LibraryName"), "Home");
}

TEST_P(FollowTest, MembersOfADeletedCollectionAreDetached) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Collection", R"({OwnerId: "O1", LibraryId: "L1", CollectionId: "C1", Name: "Foo"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "a", CollectionId: "C1",
                     Order: 1})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I2", Title: "b"})");
  Delete("Collection", R"({OwnerId: "O1", LibraryId: "L1", CollectionId: "C1"})");
  const auto book = Get("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1"})");
  ASSERT_TRUE(book);
  EXPECT_FALSE(book->record.Find("CollectionId"));
  EXPECT_FALSE(book->record.Find("CollectionName"));
  EXPECT_FALSE(book->record.Find("Order"));
  EXPECT_EQ(book->version, 1);  // nobody's edit
  EXPECT_EQ(TextOf(Raw("owner#O1", "library#L1#item#I1")->Find("GSI1SK")), "item#a");
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L1"})", "TotalItems"), "2");
}

TEST_P(FollowTest, ManyChildrenAreLeftToTheJob) {
  Use("books");
  Create("UserMetadata", R"({userId: "u1"})");
  Create("Book", R"({userId: "u1", id: "b1", title: "Dune"})");
  for (int i = 0; i < 95; ++i)
    Create("Note",
           R"({userId: "u1", bookId: "b1", content: "c", id: "n)" + std::to_string(i) + R"("})");
  EXPECT_EQ(At("Book", R"({userId: "u1", id: "b1"})", "notesCount"), "95");
  Delete("Book", R"({userId: "u1", id: "b1"})");
  EXPECT_FALSE(Get("Book", R"({userId: "u1", id: "b1"})"));
  EXPECT_EQ(CountKeys("NOTE#"), 95U);
  EXPECT_EQ(Jobs().size(), 1U);
  EXPECT_EQ(CreateRefusal("Note", R"({userId: "u1", bookId: "b1", id: "n", content: "c"})"),
            "there is no Book with userId u1 and id b1");
  // A child of a parent that is gone can still be deleted, and counts nowhere.
  Delete("Note", R"({userId: "u1", bookId: "b1", id: "n1"})");
  EXPECT_FALSE(Raw("USER#u1", "BOOK#b1"));
}

TEST_P(FollowTest, ManyNotesAreLeftToTheJobOfAMove) {
  Use("notes");
  Create("User", R"({id: "s1", email: "a@x.org", name: "Ali"})");
  for (int i = 0; i < 60; ++i)
    Create("Note", R"({email: "a@x.org", title: "t", id: "n)" + std::to_string(i) + R"("})");
  RunOperation("changeEmail", R"({email: "a@x.org", newEmail: "b@x.org"})");
  EXPECT_EQ(At("User", R"({email: "b@x.org"})", "counts.open"), "60");
  EXPECT_EQ(CountKeys("USER#a@x.org|NOTE#"), 60U);
  const auto jobs = Jobs();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].kind, JobKind::kRekey);
  EXPECT_EQ(jobs[0].parent.FindText("email"), "a@x.org");
  EXPECT_EQ(jobs[0].next.FindText("email"), "b@x.org");
}

TEST_P(FollowTest, FortyEightNotesMoveAtOnce) {
  Use("notes");
  Create("User", R"({id: "s1", email: "a@x.org", name: "Ali"})");
  for (int i = 0; i < 48; ++i)
    Create("Note", R"({email: "a@x.org", title: "t", id: "n)" + std::to_string(i) + R"("})");
  RunOperation("changeEmail", R"({email: "a@x.org", newEmail: "b@x.org"})");
  EXPECT_EQ(CountKeys("USER#a@x.org"), 0U);
  EXPECT_EQ(CountKeys("USER#b@x.org|NOTE#"), 48U);
}

// What others have put into the table: without version, counters and maps.
TEST_P(FollowTest, RawItemsAreChangedAndCounted) {
  Use("stories");
  PutRaw(R"({PK: "USER#ann", SK: "PROFILE#ann", userId: "ann", displayName: "Ann", own: 5})");
  PutRaw(R"({PK: "STORY#s1", SK: "METADATA", storyId: "s1", title: "raw", authorId: "ann",
             createdAt: "2026-01-15T10:00:00Z", hiddenReason: null})");
  PutRaw(R"({PK: "STORY#s1", SK: "CHAPTER#c1", storyId: "s1", nodeId: "c1", authorId: "ann"})");
  RunOperation("castVote",
               R"({userId: "bob", storyId: "s1", nodeId: "c1", voteType: "UPVOTE",
                             date: "2026-01-02", upvotes: 1})");
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "c1"})", "stats.upvotes"), "1");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalUpvotes"), "1");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalUpvotes"), "1");

  const TypedItem user = Update("User", R"({userId: "ann"})", R"({bio: "b"})");
  EXPECT_EQ(user.version, 1);
  EXPECT_EQ(TextOf(Raw("USER#ann", "PROFILE#ann")->Find("own")), "5");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalUpvotes"), "1");
  Update("Story", R"({storyId: "s1"})", R"({title: "changed"})");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalUpvotes"), "1");
  EXPECT_EQ(Get("Story", R"({storyId: "s1"})")->version, 1);
}

TEST_P(FollowTest, WhatGoesAlongIsPartOfTheTransaction) {
  Use("books");
  Create("UserMetadata", R"({userId: "u1"})");
  WriteItem record{.kind = ActionKind::kPut,
                   .table = runtime().table(),
                   .item = expr::testing::ItemOf(R"({pk: "IDEMP#1", sk: "REQ"})"),
                   .condition = "attribute_not_exists(pk)"};
  const auto create = [&](const std::string& id) {
    return runtime().Create(entity("Book"),
                            RecordOf(R"({userId: "u1", title: "t", id: ")" + id + R"("})"),
                            {.together_with = {record}});
  };
  EXPECT_TRUE(create("b1").ok());
  const auto again = create("b2");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_FALSE(Get("Book", R"({userId: "u1", id: "b2"})"));
  EXPECT_EQ(At("UserMetadata", R"({userId: "u1"})", "counts.SHELF"), "1");
}

TEST_P(FollowTest, AHistoryIsClearedItemByItem) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "a"})");
  const std::string item = R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1"})";
  const std::string lend = R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", borrower: "Bob"})";
  for (int i = 0; i < 3; ++i) {
    RunOperation("lendItem", lend);
    if (i == 2) {
      EXPECT_NE(Refusal("clearHistory", item), "ok");
    }
    RunOperation("returnItem", lend);
  }
  EXPECT_EQ(CountKeys("#event#"), 6U);
  RunOperation("clearHistory", item);
  EXPECT_EQ(CountKeys("#event#"), 0U);
}

TEST_P(FollowTest, TheMaintainersWritesAreNobodysEdit) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Collection", R"({OwnerId: "O1", LibraryId: "L1", CollectionId: "C1", Name: "Foo"})");
  const TypedItem before =
      Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "a",
                         CollectionId: "C1", Order: 1})");
  const auto renamed = runtime().Update(
      entity("Book"), RecordOf(R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1"})"),
      SetOf(R"({CollectionName: "Bar"})"), {.is_maintenance = true});
  ASSERT_TRUE(renamed.ok()) << renamed.error().message();
  EXPECT_EQ(renamed->version, before.version);
  EXPECT_EQ(renamed->record.FindText("UpdatedAt"), before.record.FindText("UpdatedAt"));
  EXPECT_EQ(TextOf(Raw("owner#O1", "library#L1#item#I1")->Find("GSI1SK")), "item#Bar#00001#a");
}

TEST_P(FollowTest, AnItemMovesWithItsHistory) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L2", LibraryName: "Away"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "a"})");
  RunOperation("lendItem", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", borrower: "Bob"})");
  const TypedItem moved =
      Update("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1"})", R"({LibraryId: "L2"})");
  EXPECT_EQ(moved.record.FindText("LibraryName"), "Away");
  EXPECT_EQ(CountKeys("library#L1#item"), 0U);
  EXPECT_EQ(CountKeys("library#L2#item#I1#event#"), 1U);
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L1"})", "TotalItems"), "0");
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L2"})", "TotalItems"), "1");
}

}  // namespace
}  // namespace trestle::design::testing
