// Every way in which a table can differ from its design is found, and mended where there is a way.

#include "design/verify.h"

#include <algorithm>

#include <fmt/format.h>

#include "design/design_fixture.h"
#include "design/job.h"
#include "design/stored_item.h"
#include "design/values.h"

namespace trestle::design::testing {
namespace {

using Texts = std::vector<std::string>;

class VerifyTest : public DesignFixture {
 protected:
  // "kind: sentence" of each drift, in order.
  Texts Drifts(bool repair = false) {
    Texts drifts;
    const auto report =
        Verify(runtime(),
               {.repair = repair, .report = [&](const Drift& drift) {
                  EXPECT_TRUE(!repair || drift.is_mended) << drift.sentence;
                  drifts.push_back(fmt::format("{}: {}", DriftName(drift.kind), drift.sentence));
                }});
    EXPECT_TRUE(report.ok()) << report.error().message();
    std::ranges::sort(drifts);
    return drifts;
  }

  void ExpectMended(const Texts& drifts) {
    EXPECT_EQ(Drifts(), drifts);
    EXPECT_EQ(Drifts(true), drifts);
    EXPECT_EQ(Drifts(), Texts{});
  }

  void Put(const Record& item) {
    ASSERT_TRUE(
        backend()
            .Write({.kind = ActionKind::kPut, .table = runtime().table(), .item = item.ToItem()})
            .ok());
  }
  // Sets attributes of an item behind the design's back.
  void Spoil(std::string_view partition_key, std::string_view sort_key, std::string_view set) {
    const auto item = Raw(partition_key, sort_key);
    ASSERT_TRUE(item);
    Record record(item->view());
    const Record changes = RecordOf(set);
    for (const auto& [name, value] : changes.attributes())
      record.Set(name, value);
    Put(record);
  }
  void Remove(std::string_view partition_key, std::string_view sort_key) {
    Record key;
    key.SetText(runtime().model().table.partition_key, partition_key);
    key.SetText(runtime().model().table.sort_key, sort_key);
    ASSERT_TRUE(
        backend()
            .Write({.kind = ActionKind::kDelete, .table = runtime().table(), .item = key.ToItem()})
            .ok());
  }

  void MakeLibrary() {
    Use("library");
    Create("Owner", R"({OwnerId: "O1", OwnerName: "Ada"})");
    Create("Library", R"({OwnerId: "O1", LibraryId: "l1", LibraryName: "Home"})");
    Create("Collection", R"({OwnerId: "O1", LibraryId: "l1", CollectionId: "c1", Name: "Dune"})");
    Create("Book", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1", Title: "T",
                       CollectionId: "c1", Order: 1})");
  }
  void MakeStories() {
    Use("stories");
    Create("User", R"({userId: "u1", displayName: "Ada"})");
    RunOperation("createStory",
                 fmt::format(R"({{storyId: "s1", nodeId: "n1", authorId: "u1", title: "Title",
                                  synopsis: "{}", genre: "g", ageRating: "G", chapterTitle: "One",
                                  content: "c", editableUntil: "2030-01-01T00:00:00Z"}})",
                             std::string(60, 's')));
    RunOperation("castVote",
                 R"({userId: "u1", storyId: "s1", nodeId: "n1", voteType: "UPVOTE",
                               date: "2026-01-02", upvotes: 1})");
  }
};
TRESTLE_ON_EVERY_BACKEND(VerifyTest);
TRESTLE_ALSO_WITHOUT_TRANSACTIONS(VerifyTest);

TEST_P(VerifyTest, WhatTheDesignWroteIsRight) {
  MakeLibrary();
  EXPECT_EQ(Drifts(), Texts{});
  RunOperation("lendItem", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1", borrower: "Bob",
                               DueDate: "2026-02-01", Note: "n"})");
  EXPECT_EQ(Drifts(), Texts{});
}

TEST_P(VerifyTest, WrongCopiesAndTheirIndexKeys) {
  MakeLibrary();
  Spoil("owner#O1", "library#l1#item#i1", R"({CollectionName: "Emma"})");
  // The index key was right for the right copy.
  ExpectMended(
      {"wrong copy: Book with OwnerId O1 and LibraryId l1 and ItemId i1 has \"Emma\" in "
       "CollectionName, its Collection has \"Dune\"",
       "wrong index key: Book with OwnerId O1 and LibraryId l1 and ItemId i1 has "
       "\"item#Dune#00001#T\" in GSI1SK, it should be \"item#Emma#00001#T\""});
  EXPECT_EQ(TextOf(Raw("owner#O1", "library#l1#item#i1")->Find("GSI1SK")), "item#Dune#00001#T");
}

TEST_P(VerifyTest, WrongCounts) {
  MakeLibrary();
  Spoil("owner#O1", "library#l1", R"({TotalItems: 7})");
  ExpectMended(
      {"wrong count: Library with OwnerId O1 and LibraryId l1 has TotalItems 7, counted "
       "are 1"});
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "l1"})", "TotalItems"), "1");
}

// A sum of sums: mending the first makes the second differ.
TEST_P(VerifyTest, ChainedSums) {
  MakeStories();
  EXPECT_EQ(Drifts(), Texts{});
  Remove("USER#u1", "VOTE#n1");
  EXPECT_EQ(Drifts(), (Texts{"wrong count: Chapter with storyId s1 and nodeId n1 has stats.upvotes "
                             "1, counted are 0"}));
  EXPECT_EQ(Drifts(true).size(), 3U) << "the chapter, then the story and the author";
  EXPECT_EQ(Drifts(), Texts{});
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalUpvotes"), "0");
  EXPECT_EQ(At("User", R"({userId: "u1"})", "stats.totalUpvotes"), "0");
}

TEST_P(VerifyTest, OrphansGoOrAreDetached) {
  MakeLibrary();
  Remove("owner#O1", "library#l1#collection#c1");
  const Texts found = Drifts();
  EXPECT_EQ(found,
            (Texts{"extra guard: ~trestle#unique#Collection.nameInLibrary#O1#l1#Dune / ~ "
                   "keeps a value for an item that does not have it",
                   "orphan: Book with OwnerId O1 and LibraryId l1 and ItemId i1 belongs to a "
                   "Collection that is not there"}));
  Drifts(true);
  EXPECT_EQ(Drifts(), Texts{});
  const std::string_view book = R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1"})";
  EXPECT_EQ(At("Book", book, "CollectionId"), "absent");

  Remove("owner#O1", "library#l1");
  EXPECT_FALSE(Drifts().empty());
  Drifts(true);
  EXPECT_EQ(Drifts(), Texts{});
  EXPECT_FALSE(Get("Book", book));
}

TEST_P(VerifyTest, MirrorsThatAreMissingWrongOrTooMany) {
  Use("notes");
  Create("User", R"({id: "s1", email: "a@b.c", name: "Ada"})");
  Create("Note", R"({email: "a@b.c", id: "n1", title: "T", deadline: "2026-01-20"})");
  Create("Note", R"({email: "a@b.c", id: "n2", title: "T", deadline: "2026-01-20"})");
  EXPECT_EQ(Drifts(), Texts{});
  Remove("NOTEREF#s1", "n1");
  Spoil("NOTEREF#s1", "n2", R"({deadline: "2026-01-21"})");
  Put(RecordOf(R"({PK: "NOTEREF#s1", SK: "n3", deadline: "2026-01-20"})"));
  EXPECT_EQ(Drifts().size(), 3U);
  Drifts(true);
  EXPECT_EQ(Drifts(), Texts{});
  EXPECT_TRUE(Get("Note", R"({email: "a@b.c", id: "n1"})"));
  EXPECT_FALSE(Raw("NOTEREF#s1", "n3"));
}

TEST_P(VerifyTest, GuardsThatAreMissingOrTaken) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "a@b.c", username: "ada"})");
  EXPECT_EQ(Drifts(), Texts{});
  Remove("~trestle#unique#User.email#a@b.c", "~");
  ExpectMended({"missing guard: nothing keeps User with userId u1 unique (unique email)"});

  Create("User", R"({userId: "u2", email: "b@b.c", username: "bob"})");
  Spoil("USER#u2", "PROFILE", R"({email: "a@b.c"})");
  const Texts taken = Drifts();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_TRUE(std::ranges::find(taken,
                                "taken guard: User with userId u2 has what another User has "
                                "(unique email)") != taken.end());
}

TEST_P(VerifyTest, KeysNullsAveragesAndStrangers) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "a@b.c", username: "ada"})");
  Create("Movie", R"({movieId: "m1", title: "M", createdBy: "u1"})");
  Spoil("USER#u1", "PROFILE", R"({userId: "u9"})");
  Spoil("MOVIE#m1", "METADATA", R"({rating: 3})");
  Put(RecordOf(R"({PK: "X", SK: "Y", entityType: "STRANGE"})"));
  value::ItemBuilder with_null;
  const std::string pk = EncodeText("MOVIE#m2");
  const std::string sk = EncodeText("METADATA");
  const std::string tag = EncodeText("MOVIE");
  const std::string id = EncodeText("m2");
  const std::string created = EncodeText("2026-01-01T00:00:00.000Z");
  std::string null;
  value::AppendNull(null);
  with_null.Add("PK", pk);
  with_null.Add("SK", sk);
  with_null.Add("entityType", tag);
  with_null.Add("movieId", id);
  with_null.Add("createdAt", created);
  with_null.Add("runtime", null);
  ASSERT_TRUE(
      backend()
          .Write({.kind = ActionKind::kPut, .table = runtime().table(), .item = with_null.Finish()})
          .ok());
  Texts kinds;
  for (const std::string& drift : Drifts())
    kinds.push_back(drift.substr(0, drift.find(':')));
  std::ranges::sort(kinds);
  EXPECT_EQ(kinds, (Texts{"NULL", "unknown item", "wrong average", "wrong key"}));

  const auto repaired = Verify(runtime(), {.repair = true, .report = {}});
  ASSERT_TRUE(repaired.ok());
  EXPECT_EQ(Drifts(), Texts{"unknown item: X / Y is nothing that the design knows"});
  EXPECT_TRUE(Raw("USER#u9", "PROFILE")) << "the item is where its attributes say";
  EXPECT_FALSE(Raw("MOVIE#m2", "METADATA")->Find("runtime"));
}

TEST_P(VerifyTest, JobsThatNobodyFinished) {
  Use("books");
  Create("UserMetadata", R"({userId: "u1"})");
  Create("Book", R"({userId: "u1", id: "b1", title: "T"})");
  for (int i = 0; i < 200; ++i)
    Create("Note", R"({userId: "u1", bookId: "b1", content: "c"})");
  Delete("Book", R"({userId: "u1", id: "b1"})");
  EXPECT_FALSE(Drifts().empty());
  Drifts(true);
  EXPECT_EQ(Drifts(), Texts{});
  EXPECT_EQ(Keys(), Texts{"USER#u1|METADATA"});
}

}  // namespace
}  // namespace trestle::design::testing
