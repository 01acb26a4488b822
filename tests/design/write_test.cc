// Items written through the five designs, with all that follows from it.

#include <array>
#include <atomic>
#include <thread>

#include "design/design_fixture.h"

namespace trestle::design::testing {
namespace {

class WriteTest : public DesignFixture {};
TRESTLE_ON_EVERY_BACKEND(WriteTest);
TRESTLE_ALSO_WITHOUT_TRANSACTIONS(WriteTest);

TEST_P(WriteTest, CreatesReadsChangesAndDeletes) {
  Use("books");
  Create("UserMetadata", R"({userId: "u1"})");
  const TypedItem book = Create("Book", R"({userId: "u1", id: "b1", title: "Dune"})");
  EXPECT_EQ(book.version, 1);
  EXPECT_EQ(TextOf(book.record.Find("status")), "SHELF");
  EXPECT_EQ(At("UserMetadata", R"({userId: "u1"})", "counts.SHELF"), "1");

  const TypedItem changed = Update("Book", R"({userId: "u1", id: "b1"})",
                                   R"({status: "READING", price: 12.5, currency: "EUR"})");
  EXPECT_EQ(changed.version, 2);
  EXPECT_EQ(At("UserMetadata", R"({userId: "u1"})", "counts.SHELF"), "0");
  EXPECT_EQ(At("UserMetadata", R"({userId: "u1"})", "counts.READING"), "1");
  const auto raw = Raw("USER#u1", "BOOK#b1");
  ASSERT_TRUE(raw);
  EXPECT_TRUE(TextOf(raw->Find("gsi1sk")).starts_with("STATUS#READING#"));
  // A derived write is nobody's edit.
  EXPECT_EQ(Get("UserMetadata", R"({userId: "u1"})")->version, 1);

  Update("Book", R"({userId: "u1", id: "b1"})", R"({price: null, currency: null})");
  EXPECT_EQ(At("Book", R"({userId: "u1", id: "b1"})", "price"), "absent");
  Delete("Book", R"({userId: "u1", id: "b1"})");
  EXPECT_FALSE(Get("Book", R"({userId: "u1", id: "b1"})"));
  EXPECT_EQ(At("UserMetadata", R"({userId: "u1"})", "counts.READING"), "0");
}

TEST_P(WriteTest, SaysWhatFailed) {
  Use("books");
  EXPECT_EQ(CreateRefusal("Book", R"({userId: "u1", id: "b1", title: "Dune"})"),
            "there is no UserMetadata with userId u1");
  Create("UserMetadata", R"({userId: "u1"})");
  Create("Book", R"({userId: "u1", id: "b1", title: "Dune"})");
  EXPECT_EQ(CreateRefusal("Book", R"({userId: "u1", id: "b1", title: "Dune"})"),
            "there is already a Book with userId u1 and id b1");
  EXPECT_EQ(UpdateRefusal("Book", R"({userId: "u1", id: "b2"})", R"({title: "x"})"),
            "there is no Book with userId u1 and id b2");
  EXPECT_EQ(DeleteRefusal("Book", R"({userId: "u1", id: "b2"})"),
            "there is no Book with userId u1 and id b2");
  EXPECT_EQ(DeleteRefusal("Book", R"({userId: "u1"})"), "id is required");
  const auto stale = runtime().Update(entity("Book"), RecordOf(R"({userId: "u1", id: "b1"})"),
                                      SetOf(R"({title: "x"})"), {.expected_version = 7});
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.error().code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(stale.error().message(), "the Book with userId u1 and id b1 is at version 1, not 7");
  Create("ReadingEvent",
         R"({userId: "u1", bookId: "b1", id: "e1", page: 3, occurredAt: "2026-01-15T10:00:00Z"})");
  EXPECT_EQ(DeleteRefusal(
                "ReadingEvent",
                R"({userId: "u1", bookId: "b1", id: "e1", occurredAt: "2026-01-15T10:00:00Z"})"),
            "a ReadingEvent is never deleted by itself");
}

TEST_P(WriteTest, ReportsAllThatIsWrongAtOnce) {
  Use("books");
  const auto created = runtime().Create(
      entity("Book"),
      RecordOf(R"({userId: "u#1", title: "", status: "LOST", rating: 7, currentPage: 1.5,
                   price: 3, purchaseDate: "soon", notesCount: 3, colour: "red",
                   authors: ["a", 5]})"));
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().code(), ErrorCode::kValidation);
  std::map<std::string, std::string> fields;
  for (const FieldFailure& failure : created.error().details()->fields)
    fields.emplace(failure.field, failure.message);
  const std::map<std::string, std::string> expected = {
      {"authors[1]", "must be a text"},
      {"colour", "is no attribute of Book"},
      {"currency", "is required when price is given"},
      {"currentPage", "must be a whole number"},
      {"notesCount", "follows from other items and cannot be set"},
      {"purchaseDate", "must be a date, such as 2026-01-15"},
      {"rating", "must be from 1 to 5"},
      {"status", "must be one of SHELF, READING, READ, WISHLIST, PAUSED, ABANDONED"},
      {"title", "must have 1 to 300 characters"},
      {"userId", "must be an id: 1 to 64 bytes, without # and control characters"}};
  EXPECT_EQ(fields, expected);
}

TEST_P(WriteTest, OnlyOneOfTwoLendsAnItem) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "Dune"})");
  std::atomic<int> lent = 0;
  std::vector<std::thread> people;
  for (const char* who : {"Bob", "Cy", "Dee", "Eve"}) {
    people.emplace_back([&, who] {
      const std::string arguments =
          R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", borrower: ")" + std::string(who) +
          R"("})";
      const auto result = runtime().Run(operation("lendItem"), RecordOf(arguments));
      if (result.ok()) {
        ++lent;
      } else {
        EXPECT_EQ(result.error().message(),
                  "Book with OwnerId O1 and LibraryId L1 and ItemId I1: it does not hold that "
                  "LentTo is not given");
      }
    });
  }
  for (std::thread& person : people)
    person.join();
  EXPECT_EQ(lent, 1);
  int events = 0;
  for (const std::string& key : Keys())
    events += key.find("#event#") != key.npos ? 1 : 0;
  EXPECT_EQ(events, 1);
  const std::string who = At("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1"})", "LentTo");
  RunOperation("returnItem",
               R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", borrower: ")" + who + R"("})");
  EXPECT_EQ(At("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1"})", "LentAt"), "absent");
}

TEST_P(WriteTest, ADeadlineChangesInOneTransaction) {
  Use("notes");
  Create("User", R"({id: "s1", email: "Ali@Test.com", name: "Ali"})");
  Create("Note", R"({email: "ali@test.com", id: "n1", title: "t", deadline: "2026-01-20"})");
  EXPECT_TRUE(Raw("USER#ali@test.com", "NOTE#2026-01-20#n1"));
  EXPECT_TRUE(Raw("NOTEREF#s1", "n1"));
  const TypedItem moved = Update("Note", R"({email: "ALI@test.com", id: "n1"})",
                                 R"({deadline: "2026-02-01", remindAt: "2026-01-31T08:00:00Z"})");
  EXPECT_EQ(moved.version, 2);
  EXPECT_FALSE(Raw("USER#ali@test.com", "NOTE#2026-01-20#n1"));
  const auto note = Raw("USER#ali@test.com", "NOTE#2026-02-01#n1");
  ASSERT_TRUE(note);
  EXPECT_EQ(TextOf(note->Find("userId")), "s1");
  EXPECT_FALSE(note->Find("email"));
  EXPECT_EQ(TextOf(Raw("NOTEREF#s1", "n1")->Find("deadline")), "2026-02-01");
  EXPECT_TRUE(Raw("REMIND#2026-01-31T08", "2026-01-31T08:00:00.000Z#n1"));
  Update("Note", R"({email: "ali@test.com", id: "n1"})", R"({deadline: null, done: true})");
  EXPECT_TRUE(Raw("USER#ali@test.com", "NOTE#NONE#n1"));
  EXPECT_FALSE(Raw("REMIND#2026-01-31T08", "2026-01-31T08:00:00.000Z#n1"));
  EXPECT_EQ(At("User", R"({email: "ali@test.com"})", "counts.open"), "0");
  EXPECT_EQ(At("User", R"({email: "ali@test.com"})", "counts.done"), "1");
  Delete("Note", R"({email: "ali@test.com", id: "n1"})");
  EXPECT_FALSE(Raw("NOTEREF#s1", "n1"));
}

TEST_P(WriteTest, NotesMoveWithTheirUser) {
  Use("notes");
  Create("User", R"({id: "s1", email: "a@x.org", name: "Ali"})");
  for (int i = 0; i < 5; ++i) {
    Create("Note", R"({email: "a@x.org", title: "t", deadline: "2026-01-20", id: "n)" +
                       std::to_string(i) + R"("})");
  }
  RunOperation("changeEmail", R"({email: "a@x.org", newEmail: "B@x.org"})");
  EXPECT_FALSE(Get("User", R"({email: "a@x.org"})"));
  EXPECT_EQ(At("User", R"({email: "b@x.org"})", "counts.open"), "5");
  EXPECT_EQ(TextOf(Raw("SUB#s1", "EMAIL")->Find("email")), "b@x.org");
  EXPECT_EQ(At("Note", R"({email: "b@x.org", id: "n3"})", "title"), "t");
  for (const std::string& key : Keys())
    EXPECT_EQ(key.find("USER#a@x.org"), key.npos) << key;
  Create("User", R"({id: "s2", email: "c@x.org", name: "Cy"})");
  EXPECT_EQ(Refusal("changeEmail", R"({email: "c@x.org", newEmail: "b@x.org"})"),
            "there is already a User with email b@x.org");
}

TEST_P(WriteTest, OneOfAHundredGetsAnEmail) {
  Use("watch");
  std::atomic<int> created = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const auto result = runtime().Create(
            entity("User"), RecordOf(R"({email: "Same@x.org", username: "name", userId: "u)" +
                                     std::to_string(t * 100 + i) + R"("})"));
        if (result.ok()) {
          ++created;
        } else {
          EXPECT_EQ(result.error().code(), ErrorCode::kConditionalCheckFailed);
          EXPECT_EQ(result.error().message(), "another User has this email already (unique email)");
        }
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(Keys().size(), 2U);
  EXPECT_TRUE(Raw("~trestle#unique#User.email#same@x.org", "~"));
}

TEST_P(WriteTest, AUniqueValueIsFreeAgain) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "a@x.org", username: "ann"})");
  Create("User", R"({userId: "u2", email: "b@x.org", username: "bob"})");
  EXPECT_EQ(UpdateRefusal("User", R"({userId: "u1"})", R"({email: "B@X.org"})"),
            "another User has this email already (unique email)");
  Update("User", R"({userId: "u1"})", R"({email: "c@x.org"})");
  Update("User", R"({userId: "u2"})", R"({email: "a@x.org"})");
  EXPECT_FALSE(Raw("~trestle#unique#User.email#b@x.org", "~"));
  Delete("User", R"({userId: "u1"})");
  EXPECT_FALSE(Raw("~trestle#unique#User.email#c@x.org", "~"));
}

void CreateStory(Runtime& runtime, const Operation& operation, const std::string& author) {
  const auto created = runtime.Run(
      operation,
      RecordOf(R"({storyId: "s1", nodeId: "root", title: "The story", genre: "SF", ageRating: "G",
                   chapterTitle: "One", content: "text", editableUntil: "2026-02-01T00:00:00Z",
                   synopsis: "It is at least fifty characters long, as it must be.", authorId: ")" +
               author + R"("})"));
  ASSERT_TRUE(created.ok()) << created.error().message();
  ASSERT_EQ(created->size(), 2U);
  EXPECT_EQ(TextOf(created->front().record.Find(PathOf("stats.totalChapters"))), "1");
}

TEST_P(WriteTest, AStoryAndItsFirstChapterAreOneTransaction) {
  Use("stories");
  Create("User", R"({userId: "ann", displayName: "Ann"})");
  CreateStory(runtime(), operation("createStory"), "ann");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalBranches"), "0");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "authorName"), "Ann");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.storiesCreated"), "1");
  EXPECT_TRUE(Raw("STORY#s1", "AUTHOR#ann"));
  EXPECT_FALSE(Raw("STORY#s1", "METADATA")->Find("GSI1PK"));  // a draft is not in the list
  Update("Story", R"({storyId: "s1"})", R"({status: "PUBLISHED"})");
  EXPECT_EQ(TextOf(Raw("STORY#s1", "METADATA")->Find("GSI1PK")), "STORY_LIST");
  Update("Story", R"({storyId: "s1"})", R"({hidden: true})");
  EXPECT_FALSE(Raw("STORY#s1", "METADATA")->Find("GSI1PK"));
  EXPECT_FALSE(Raw("STORY#s1", "METADATA")->Find("GSI1SK"));
}

TEST_P(WriteTest, AChangedVoteMovesTheCounts) {
  Use("stories");
  Create("User", R"({userId: "ann", displayName: "Ann"})");
  Create("User", R"({userId: "bob", displayName: "Bob"})");
  CreateStory(runtime(), operation("createStory"), "ann");
  const std::string vote = R"({userId: "bob", storyId: "s1", nodeId: "root", voteType: )";
  RunOperation("castVote", vote + R"("UPVOTE", before: "UPVOTE", date: "2026-01-02", upvotes: 1})");
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "root"})", "stats.upvotes"), "1");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalUpvotes"), "1");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalUpvotes"), "1");
  RunOperation("castVote", vote + R"("UPVOTE", before: "UPVOTE", date: "2026-01-02", upvotes: 1})");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalUpvotes"), "1");
  RunOperation("castVote",
               vote + R"("DOWNVOTE", before: "UPVOTE", date: "2026-01-02", upvotes: 0})");
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "root"})", "stats.upvotes"), "0");
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "root"})", "stats.downvotes"), "1");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalUpvotes"), "0");
  RunOperation("withdrawVote", R"({userId: "bob", storyId: "s1", nodeId: "root",
                                   before: "DOWNVOTE", date: "2026-01-02", upvotes: 0})");
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "root"})", "stats.downvotes"), "0");
  EXPECT_EQ(Get("Chapter", R"({storyId: "s1", nodeId: "root"})")->version, 1);
}

TEST_P(WriteTest, ReadsAreCountedOncePerReaderAndDay) {
  Use("stories");
  Create("User", R"({userId: "ann", displayName: "Ann"})");
  CreateStory(runtime(), operation("createStory"), "ann");
  const std::string read = R"({userId: "ann", storyId: "s1", nodeId: "root"})";
  RunOperation("readChapter", read);
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "root"})", "stats.reads"), "1");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalReads"), "1");
  EXPECT_NE(Refusal("readChapter", read), "ok");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalReads"), "1");
  if (!has_fixed_clock()) return;
  Advance(24 * 3600 * 1000);
  RunOperation("readChapter", read);
  EXPECT_EQ(At("Chapter", R"({storyId: "s1", nodeId: "root"})", "stats.reads"), "2");
  EXPECT_EQ(At("User", R"({userId: "ann"})", "stats.totalReads"), "2");
  EXPECT_EQ(Get("Chapter", R"({storyId: "s1", nodeId: "root"})")->version, 1);
}

TEST_P(WriteTest, AParentWithChildrenIsNotDeleted) {
  Use("stories");
  Create("User", R"({userId: "ann", displayName: "Ann"})");
  CreateStory(runtime(), operation("createStory"), "ann");
  EXPECT_EQ(DeleteRefusal("User", R"({userId: "ann"})"),
            "the User with userId ann cannot be deleted: it has a Story");
  Create("Chapter", R"({storyId: "s1", nodeId: "c2", parentNodeId: "root", authorId: "ann",
                        title: "t", content: "c", byStoryAuthor: true, order: 2,
                        editableUntil: "2026-02-01T00:00:00Z"})");
  EXPECT_TRUE(Raw("CHAPTER#root", "CHILD#00002#c2"));
  EXPECT_EQ(DeleteRefusal("Chapter", R"({storyId: "s1", nodeId: "root"})"),
            "the Chapter with storyId s1 and nodeId root cannot be deleted: it has a Chapter");
  Delete("Chapter", R"({storyId: "s1", nodeId: "c2"})");
  EXPECT_FALSE(Raw("CHAPTER#root", "CHILD#00002#c2"));
  Delete("Chapter", R"({storyId: "s1", nodeId: "root"})");
  EXPECT_EQ(At("Story", R"({storyId: "s1"})", "stats.totalChapters"), "0");
}

TEST_P(WriteTest, CountsAreExactUnderManyThreads) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L2", LibraryName: "Away"})");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const std::string id = "I" + std::to_string(t * 100 + i);
        const std::string identity = R"({OwnerId: "O1", LibraryId: "L1", ItemId: ")" + id + R"("})";
        Create("Video", R"({OwnerId: "O1", LibraryId: "L1", Title: "x", ItemId: ")" + id + R"("})");
        if (i % 3 == 0) Delete("Video", identity);
        if (i % 3 == 1) Update("Video", identity, R"({LibraryId: "L2"})");
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L1"})", "TotalItems"), "32");
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L2"})", "TotalItems"), "32");
}

TEST_P(WriteTest, NastyTitlesStayWhereTheyBelong) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "A#B%"})");
  Create("Collection", R"({OwnerId: "O1", LibraryId: "L1", CollectionId: "C1", Name: " Foo "})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "Foo#00001#x"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I2", Title: "y", CollectionId: "C1",
                     Order: 1})");
  const auto sort_key = [&](const char* id) {
    return TextOf(Raw("owner#O1", std::string("library#L1#item#") + id)->Find("GSI1SK"));
  };
  EXPECT_EQ(sort_key("I1"), "item#Foo%2300001%23x");
  EXPECT_EQ(sort_key("I2"), "item#Foo#00001#y");
  EXPECT_EQ(
      At("Collection", R"({OwnerId: "O1", LibraryId: "L1", CollectionId: "C1"})", "ItemCount"),
      "1");
  EXPECT_EQ(CreateRefusal("Collection", R"({OwnerId: "O1", LibraryId: "L1", Name: "Foo"})"),
            "another Collection has this OwnerId and LibraryId and Name already (unique "
            "nameInLibrary)");
  EXPECT_EQ(CreateRefusal("Book", R"({OwnerId: "O1", LibraryId: "L1", Title: "t", Order: 1})"),
            "Order must be left out unless CollectionId is given");
  Update("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I2"})",
         R"({CollectionId: null, Order: null})");
  EXPECT_EQ(sort_key("I2"), "item#y");
  EXPECT_EQ(At("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I2"})", "CollectionName"),
            "absent");
}

TEST_P(WriteTest, AnAverageKeepsItsSumAndCount) {
  Use("watch");
  Create("Movie", R"({movieId: "m1", title: "Dune", createdBy: "x"})");
  for (const char* user : {"u1", "u2"}) {
    const std::string id(user);
    Create("User", R"({userId: ")" + id + R"(", username: "name", email: ")" + id + R"(@x.org"})");
    Create("Rating",
           R"({userId: ")" + id + R"(", contentType: "MOVIE", contentId: "m1", rating: 8})");
  }
  Update("Rating", R"({userId: "u1", contentType: "MOVIE", contentId: "m1"})", R"({rating: 5})");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "ratingSum"), "13");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "ratingCount"), "2");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "rating"), "6.5");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "ratingHistogram.r5"), "1");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "ratingHistogram.r8"), "1");
  EXPECT_TRUE(Raw("MOVIE#m1", "RATING#u1"));
  Delete("Rating", R"({userId: "u2", contentType: "MOVIE", contentId: "m1"})");
  EXPECT_EQ(At("Movie", R"({movieId: "m1"})", "rating"), "5");
}

TEST_P(WriteTest, TwoEventsOfOneInstantStepByOne) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Title: "Dune"})");
  for (int i = 0; i < 3; ++i) {
    Create("LendingEvent", R"({OwnerId: "O1", LibraryId: "L1", ItemId: "I1", Type: "LENT",
                               Event: "Bob", UpdatedAt: "2026-01-15T10:00:00Z"})");
  }
  EXPECT_TRUE(Raw("owner#O1", "library#L1#item#I1#event#2026-01-15T10:00:00.000Z"));
  EXPECT_TRUE(Raw("owner#O1", "library#L1#item#I1#event#2026-01-15T10:00:00.002Z"));
}

TEST_P(WriteTest, SharesAndUnshares) {
  Use("library");
  Create("Owner", R"({OwnerId: "O1", OwnerName: "Ann"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "L1", LibraryName: "Home"})");
  const std::string share =
      R"({OwnerId: "O1", LibraryId: "L1", email: "b@x.org", SharedToId: "O2"})";
  RunOperation("shareLibrary", share);
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L1"})", "SharedTo"), "list of 1");
  EXPECT_EQ(At("SharedLibrary", R"({SharedToId: "O2", LibraryId: "L1"})", "SharedFromName"), "Ann");
  EXPECT_EQ(Refusal("shareLibrary", share),
            "Library with OwnerId O1 and LibraryId L1: it does not hold that SharedTo is not given "
            "or (not "
            "(SharedTo contains email) and the size of SharedTo is less than 50)");
  RunOperation("unshareLibrary", share);
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "L1"})", "SharedTo"), "list of 0");
  EXPECT_FALSE(Get("SharedLibrary", R"({SharedToId: "O2", LibraryId: "L1"})"));
}

}  // namespace
}  // namespace trestle::design::testing
