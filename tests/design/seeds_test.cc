// The access patterns of the five documents that the designs are made from, sent literally as their
// texts say, against data that was written through the designs. Where a text's own query does not
// give what the text promises (T4, T5, T6, T41), both are stated: what DynamoDB's rules give for
// it, and what the design's access gives.

#include <fmt/format.h>

#include "design/design_fixture.h"

namespace trestle::design::testing {
namespace {

using Texts = std::vector<std::string>;

class SeedsTest : public DesignFixture {
 protected:
  struct Literal {
    std::string_view index = "";
    std::string_view condition;  // of :pk, :sk, :a and :b
    std::string_view values;     // {pk: "USER#u1"}
    bool is_forward = true;
  };

  // What stands at `name` in the items that a query gives.
  Texts Query(const Literal& literal, std::string_view name) {
    ReadPage read{.table = runtime().table(), .index = std::string(literal.index)};
    read.is_forward = literal.is_forward;
    const Record values = RecordOf(literal.values);
    expr::Placeholders::Entries by_placeholder;
    for (const auto& [value_name, value] : values.attributes())
      by_placeholder.push_back({.key = fmt::format(":{}", value_name), .text = std::string(value)});
    read.key_condition = KeyConditionOf(literal.condition, std::move(by_placeholder));
    Texts texts;
    const auto page = backend().Read(read);
    EXPECT_TRUE(page.ok()) << page.error().message();
    if (!page.ok()) return texts;
    for (const value::Item& item : page->items)
      texts.push_back(TextOf(item.Find(name)));
    return texts;
  }

  Texts Run(std::string_view name, std::string_view arguments, std::string_view path) {
    Texts texts;
    const auto page = runtime().Run(access(name), RecordOf(arguments));
    EXPECT_TRUE(page.ok()) << page.error().message();
    if (!page.ok()) return texts;
    for (const TypedItem& item : page->items)
      texts.push_back(TextOf(item.record.Find(PathOf(path))));
    return texts;
  }

  // An item as a document prints it.
  void Put(std::string_view item) {
    const Status put = backend().Write(
        {.kind = ActionKind::kPut, .table = runtime().table(), .item = RecordOf(item).ToItem()});
    ASSERT_TRUE(put.ok()) << put.error().message();
  }
};
TRESTLE_ON_EVERY_BACKEND(SeedsTest);
TRESTLE_ALSO_WITHOUT_TRANSACTIONS(SeedsTest);

TEST_P(SeedsTest, Books) {
  Use("books");
  Create("UserMetadata", R"({userId: "abc-123"})");
  Create("Book", R"({userId: "abc-123", id: "b1-uuid", title: "T"})");
  Create("Book", R"({userId: "abc-123", id: "b2-uuid", title: "U"})");
  Create("Note", R"({userId: "abc-123", bookId: "b1-uuid", id: "n1-uuid", content: "c"})");
  Create("ReadingEvent", R"({userId: "abc-123", bookId: "b1-uuid", id: "e1-uuid", page: 3,
                             occurredAt: "2025-01-15T10:00:00.000Z"})");
  Create("ReadingEvent", R"({userId: "abc-123", bookId: "b1-uuid", id: "e2-uuid", page: 9,
                             occurredAt: "2025-01-16T10:00:00.000Z"})");
  Create("DayStat", R"({userId: "abc-123", bookId: "b1-uuid", date: "2025-01-15", pages: 3,
                        events: 1})");

  const std::string_view begins = "pk = :pk AND begins_with(sk, :sk)";
  EXPECT_EQ(Query({.condition = begins, .values = R"({pk: "USER#abc-123", sk: "BOOK#"})"}, "sk"),
            (Texts{"BOOK#b1-uuid", "BOOK#b2-uuid"}));
  EXPECT_EQ(Query({.condition = "pk = :pk AND sk = :sk",
                   .values = R"({pk: "USER#abc-123", sk: "BOOK#b1-uuid"})"},
                  "title"),
            Texts{"T"});
  EXPECT_EQ(
      Query({.condition = begins, .values = R"({pk: "USER#abc-123", sk: "NOTE#b1-uuid#"})"}, "sk"),
      Texts{"NOTE#b1-uuid#n1-uuid"});
  const Texts events = {"EVENT#b1-uuid#2025-01-15T10:00:00.000Z#e1-uuid",
                        "EVENT#b1-uuid#2025-01-16T10:00:00.000Z#e2-uuid"};
  EXPECT_EQ(
      Query({.condition = begins, .values = R"({pk: "USER#abc-123", sk: "EVENT#b1-uuid#"})"}, "sk"),
      events);
  EXPECT_EQ(Query({.condition = begins,
                   .values = R"({pk: "USER#abc-123", sk: "EVENT#b1-uuid#"})",
                   .is_forward = false},
                  "sk"),
            (Texts{events[1], events[0]}));
  // T48: an event at the end itself is left out by the text's query, and found by the access.
  EXPECT_EQ(Query({.condition = "pk = :pk AND sk BETWEEN :a AND :b",
                   .values = R"({pk: "USER#abc-123", a: "EVENT#b1-uuid#2025-01-15T10:00:00.000Z",
                                 b: "EVENT#b1-uuid#2025-01-16T10:00:00.000Z"})"},
                  "id"),
            Texts{"e1-uuid"});
  EXPECT_EQ(Run("eventsBetween", R"({userId: "abc-123", bookId: "b1-uuid",
                                     from: "2025-01-15T10:00:00Z", to: "2025-01-16T10:00:00Z"})",
                "id"),
            (Texts{"e1-uuid", "e2-uuid"}));
  // The index of the future: books of a state.
  EXPECT_EQ(Query({.index = "GSI1",
                   .condition = "gsi1pk = :pk AND begins_with(gsi1sk, :sk)",
                   .values = R"({pk: "USER#abc-123", sk: "STATUS#SHELF#"})"},
                  "id"),
            (Texts{"b1-uuid", "b2-uuid"}));
}

TEST_P(SeedsTest, MediaLibrary) {
  Use("library");
  Create("Owner", R"({OwnerId: "X", OwnerName: "Ada"})");
  Create("Library", R"({OwnerId: "X", LibraryId: "Y", LibraryName: "Home"})");
  Create("Collection", R"({OwnerId: "X", LibraryId: "Y", CollectionId: "c",
                           Name: "Cycle des princes d'Ambre"})");
  Create("Book", R"({OwnerId: "X", LibraryId: "Y", ItemId: "i1", Title: "Les 9 princes d'ambre",
                     CollectionId: "c", Order: 1})");
  Create("Book", R"({OwnerId: "X", LibraryId: "Y", ItemId: "i2", Title: "Prince du Chaos",
                     CollectionId: "c", Order: 10})");
  Create("Video", R"({OwnerId: "X", LibraryId: "Y", ItemId: "i3", Title: "Angelo"})");
  RunOperation("lendItem", R"({OwnerId: "X", LibraryId: "Y", ItemId: "i3", borrower: "Bob",
                               DueDate: "2026-02-01", Note: "n"})");
  RunOperation("shareLibrary",
               R"({OwnerId: "X", LibraryId: "Y", email: "b@b.c", SharedToId: "Z"})");

  const std::string_view begins = "PK = :pk AND begins_with(SK, :sk)";
  // T5: all that is in the library comes too.
  EXPECT_EQ(
      Query({.condition = begins, .values = R"({pk: "owner#X", sk: "library#"})"}, "EntityType"),
      (Texts{"LIBRARY", "COLLECTION", "BOOK", "BOOK", "VIDEO", "EVENT"}));
  EXPECT_EQ(Run("librariesOfOwner", R"({OwnerId: "X"})", "LibraryId"), Texts{"Y"});
  EXPECT_EQ(
      Query({.condition = begins, .values = R"({pk: "owner#X", sk: "library#Y#collection#"})"},
            "CollectionId"),
      Texts{"c"});
  // T6: and so do the events of the items.
  EXPECT_EQ(Query({.condition = begins, .values = R"({pk: "owner#X", sk: "library#Y#item#"})"},
                  "EntityType"),
            (Texts{"BOOK", "BOOK", "VIDEO", "EVENT"}));
  EXPECT_EQ(Run("itemsOfLibrary", R"({OwnerId: "X", LibraryId: "Y"})", "ItemId"),
            (Texts{"i1", "i2", "i3"}));
  EXPECT_EQ(
      Query({.condition = begins, .values = R"({pk: "owner#X", sk: "library#Y#item#i3#event#"})"},
            "Event"),
      Texts{"Bob"});
  EXPECT_EQ(Query({.condition = begins, .values = R"({pk: "owner#Z", sk: "shared-library#"})"},
                  "SharedFromId"),
            Texts{"X"});

  const std::string_view by_index = "GSI1PK = :pk";
  EXPECT_EQ(
      Query({.index = "GSI1", .condition = by_index, .values = R"({pk: "owner#X"})"}, "GSI1SK"),
      Texts{"library#Home"});
  EXPECT_EQ(
      Query({.index = "GSI1", .condition = by_index, .values = R"({pk: "owner#X#library#Y"})"},
            "GSI1SK"),
      (Texts{"item#Angelo", "item#Cycle des princes d'Ambre",
             "item#Cycle des princes d'Ambre#00001#Les 9 princes d'ambre",
             "item#Cycle des princes d'Ambre#00010#Prince du Chaos"}));
  // T4: collections are under item#, so the text's prefix finds none.
  EXPECT_EQ(Query({.index = "GSI1",
                   .condition = "GSI1PK = :pk AND begins_with(GSI1SK, :sk)",
                   .values = R"({pk: "owner#X#library#Y", sk: "collection#"})"},
                  "Name"),
            Texts{});
  EXPECT_EQ(Run("collectionsByName", R"({OwnerId: "X", LibraryId: "Y"})", "Name"),
            Texts{"Cycle des princes d'Ambre"});
  EXPECT_EQ(Query({.index = "GSI1",
                   .condition = by_index,
                   .values = R"({pk: "owner#X#library#Y#item#i3"})"},
                  "Type"),
            Texts{"LENT"});
  EXPECT_EQ(Query({.index = "GSI2", .condition = "GSI2PK = :pk", .values = R"({pk: "owner#X"})"},
                  "GSI2SK"),
            (Texts{"item#Angelo", "item#Les 9 princes d'ambre", "item#Prince du Chaos"}));
}

TEST_P(SeedsTest, WorthWatch) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "john@example.com", username: "johndoe"})");
  Create("Movie", R"({movieId: "m1", title: "Inception", createdBy: "u1"})");
  Create("Show", R"({showId: "s1", title: "Dark", createdBy: "u1"})");
  Create("Watchlist", R"({watchlistId: "w1", curatorId: "u1", title: "Best",
                          createdAt: "2026-01-20T14:00:00Z"})");
  Create("Watchlist", R"({watchlistId: "w2", curatorId: "u1", title: "Secret", isPublic: false,
                          createdAt: "2026-01-21T14:00:00Z"})");
  Create("WatchlistItem", R"({watchlistId: "w1", contentType: "MOVIE", contentId: "m1",
                              position: 2})");
  Create("WatchlistItem", R"({watchlistId: "w1", contentType: "SHOW", contentId: "s1",
                              position: 1})");
  Create("SavedWatchlist", R"({userId: "u1", watchlistId: "w1"})");
  Create("Rating", R"({userId: "u1", contentType: "MOVIE", contentId: "m1", rating: 9})");
  Create("Comment", R"({watchlistId: "w1", userId: "u1", commentText: "!"})");

  const std::string_view exact = "PK = :pk AND SK = :sk";
  const std::string_view begins = "PK = :pk AND begins_with(SK, :sk)";
  EXPECT_EQ(Query({.condition = exact, .values = R"({pk: "USER#u1", sk: "PROFILE"})"}, "username"),
            Texts{"johndoe"});
  EXPECT_EQ(
      Query({.index = "GSI1", .condition = "email = :pk", .values = R"({pk: "john@example.com"})"},
            "userId"),
      Texts{"u1"});
  EXPECT_EQ(
      Query({.condition = exact, .values = R"({pk: "WATCHLIST#w1", sk: "METADATA"})"}, "itemCount"),
      Texts{"2"});
  EXPECT_EQ(Query({.index = "GSI2", .condition = "curatorId = :pk", .values = R"({pk: "u1"})"},
                  "watchlistId"),
            (Texts{"w1", "w2"}));
  EXPECT_EQ(Query({.index = "GSI3", .condition = "isPublicStr = :pk", .values = R"({pk: "true"})"},
                  "watchlistId"),
            Texts{"w1"});
  EXPECT_EQ(Query({.condition = begins, .values = R"({pk: "WATCHLIST#w1", sk: "ITEM#"})"}, "SK"),
            (Texts{"ITEM#MOVIE#m1", "ITEM#SHOW#s1"}));
  EXPECT_EQ(Run("watchlistItems", R"({watchlistId: "w1"})", "contentId"), (Texts{"s1", "m1"}))
      << "T27: by position";
  EXPECT_EQ(Query({.condition = exact, .values = R"({pk: "WATCHLIST#w1", sk: "ITEM#MOVIE#m1"})"},
                  "position"),
            Texts{"2"});
  EXPECT_EQ(Query({.condition = exact, .values = R"({pk: "MOVIE#m1", sk: "METADATA"})"}, "title"),
            Texts{"Inception"});
  EXPECT_EQ(Query({.condition = exact, .values = R"({pk: "SHOW#s1", sk: "METADATA"})"}, "title"),
            Texts{"Dark"});
  for (const auto& [type, count] : std::vector<std::pair<std::string, std::size_t>>{
           {"USER", 1}, {"WATCHLIST", 2}, {"MOVIE", 1}, {"COMMENT", 1}, {"RATING", 0}}) {
    EXPECT_EQ(Query({.index = "GSI4",
                     .condition = "entityType = :pk",
                     .values = fmt::format(R"({{pk: "{}"}})", type)},
                    "PK")
                  .size(),
              count)
        << "T26: " << type;
  }
  EXPECT_EQ(
      Query({.condition = begins, .values = R"({pk: "USER#u1", sk: "SAVED#WATCHLIST#"})"}, "SK"),
      Texts{"SAVED#WATCHLIST#w1"});
}

TEST_P(SeedsTest, StoryHub) {
  Use("stories");
  Create("User", R"({userId: "u1", displayName: "Ada"})");
  const std::string synopsis(60, 's');
  const auto story = [&](std::string_view id, std::string_view node) {
    RunOperation("createStory",
                 fmt::format(R"({{storyId: "{}", nodeId: "{}", authorId: "u1", title: "Title",
                                  synopsis: "{}", genre: "g", ageRating: "G", chapterTitle: "One",
                                  content: "c", editableUntil: "2030-01-01T00:00:00Z"}})",
                             id, node, synopsis));
    Advance(1000);
  };
  story("s1", "n1");
  story("s2", "n2");
  Update("Story", R"({storyId: "s1"})", R"({status: "PUBLISHED"})");
  for (const std::string_view order : {"10", "2"}) {
    Create("Chapter", fmt::format(R"({{storyId: "s1", nodeId: "k{}", parentNodeId: "n1",
                                       authorId: "u1", title: "T", content: "c", order: {},
                                       byStoryAuthor: true,
                                       editableUntil: "2030-01-01T00:00:00Z"}})",
                                  order, order));
  }
  RunOperation("setBookmark", R"({userId: "u1", storyId: "s1", currentNodeId: "n1"})");
  for (const std::string_view id : {"a", "b"}) {
    Create("Notification", fmt::format(R"({{userId: "u1", notificationId: "{}", type: "UPVOTE",
                                            title: "T", message: "M"}})",
                                       id));
    Advance(1000);
  }

  const std::string_view exact = "PK = :pk AND SK = :sk";
  const std::string_view begins = "PK = :pk AND begins_with(SK, :sk)";
  const std::string_view in_index = "GSI1PK = :pk AND begins_with(GSI1SK, :sk)";
  EXPECT_EQ(Query({.condition = exact, .values = R"({pk: "STORY#s1", sk: "METADATA"})"}, "storyId"),
            Texts{"s1"});
  EXPECT_EQ(Query({.condition = begins, .values = R"({pk: "STORY#s1", sk: "CHAPTER#"})"}, "nodeId"),
            (Texts{"k10", "k2", "n1"}));
  EXPECT_EQ(
      Query({.condition = exact, .values = R"({pk: "USER#u1", sk: "PROFILE#u1"})"}, "displayName"),
      Texts{"Ada"});
  // T32: a mirror answers pattern 4.
  EXPECT_EQ(
      Query({.index = "GSI1", .condition = in_index, .values = R"({pk: "USER#u1", sk: "STORY#"})"},
            "storyId"),
      (Texts{"s1", "s2"}));
  EXPECT_EQ(
      Query({.index = "GSI1", .condition = in_index, .values = R"({pk: "USER#u1", sk: "BRANCH#"})"},
            "nodeId"),
      (Texts{"n1", "n2", "k10", "k2"}))
      << "T36: root chapters too";
  EXPECT_EQ(Query({.condition = exact, .values = R"({pk: "USER#u1", sk: "BOOKMARK#s1"})"},
                  "currentNodeId"),
            Texts{"n1"});
  EXPECT_EQ(Query({.condition = begins,
                   .values = R"({pk: "USER#u1", sk: "NOTIFICATION#"})",
                   .is_forward = false},
                  "notificationId"),
            (Texts{"b", "a"}));
  // T33: padded, 2 comes before 10.
  EXPECT_EQ(Query({.condition = begins, .values = R"({pk: "CHAPTER#n1", sk: "CHILD#"})"}, "SK"),
            (Texts{"CHILD#00002#k2", "CHILD#00010#k10"}));
  // T34: drafts are not in it.
  EXPECT_EQ(Query({.index = "GSI1",
                   .condition = "GSI1PK = :pk",
                   .values = R"({pk: "STORY_LIST"})",
                   .is_forward = false},
                  "storyId"),
            Texts{"s1"});
}

TEST_P(SeedsTest, Notes) {
  Use("notes");
  Create("User", R"({id: "s1", email: "ali@test.com", name: "Ali"})");
  for (const std::string_view deadline : {"2026-01-19", "2026-01-20", "2026-01-21"}) {
    Create("Note", fmt::format(R"({{email: "ali@test.com", id: "n{}", title: "T",
                                    deadline: "{}", remindAt: "2026-01-01T00:00:00Z"}})",
                               deadline, deadline));
  }
  Create("Note", R"({email: "ali@test.com", id: "undated", title: "T"})");

  const std::string_view user = R"({pk: "USER#ali@test.com", sk: "PROFILE"})";
  const std::string_view date = R"({pk: "USER#ali@test.com", sk: "NOTE#2026-01-20"})";
  EXPECT_EQ(Query({.condition = "PK = :pk AND SK = :sk", .values = user}, "name"), Texts{"Ali"});
  EXPECT_EQ(Query({.condition = "PK = :pk AND begins_with(SK, :sk)",
                   .values = R"({pk: "USER#ali@test.com", sk: "NOTE#"})"},
                  "id"),
            (Texts{"n2026-01-19", "n2026-01-20", "n2026-01-21", "undated"}));
  EXPECT_EQ(Query({.condition = "PK = :pk AND SK < :sk", .values = date}, "id"),
            Texts{"n2026-01-19"});
  // T41, T42: the notes of the day itself, those without a day, and the user.
  EXPECT_EQ(Query({.condition = "PK = :pk AND SK > :sk", .values = date}, "SK"),
            (Texts{"NOTE#2026-01-20#n2026-01-20", "NOTE#2026-01-21#n2026-01-21",
                   "NOTE#NONE#undated", "PROFILE"}));
  EXPECT_EQ(Run("notesDueAfter", R"({email: "ali@test.com", target: "2026-01-20"})", "id"),
            (Texts{"n2026-01-20", "n2026-01-21"}));
}

// apps.md 14 (b): the example items, as they are printed, are read, changed and deleted.
TEST_P(SeedsTest, PrintedItemsAreReadChangedAndDeleted) {
  Use("watch");
  Put(R"({PK: "USER#123e4567-e89b-12d3-a456-426614174000", SK: "PROFILE", entityType: "USER",
          userId: "123e4567-e89b-12d3-a456-426614174000", email: "john@example.com",
          username: "johndoe", isCurator: true, curatorStatus: "approved",
          createdAt: "2026-01-15T10:30:00Z", updatedAt: "2026-01-15T10:30:00Z"})");
  Put(R"({PK: "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv", SK: "METADATA",
          entityType: "WATCHLIST", watchlistId: "abc12345-6789-0def-ghij-klmnopqrstuv",
          curatorId: "123e4567-e89b-12d3-a456-426614174000", title: "Best Sci-Fi Movies of 2025",
          isPublic: true, isPublicStr: "true", tags: ["sci-fi", "2025", "must-watch"],
          itemCount: 10, createdAt: "2026-01-20T14:00:00Z", updatedAt: "2026-01-20T14:00:00Z"})");
  Put(R"({PK: "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv", SK: "ITEM#MOVIE#tt1234567",
          entityType: "WATCHLIST_ITEM", contentType: "MOVIE", contentId: "tt1234567", position: 1,
          curatorNote: "A masterpiece", addedAt: "2026-01-20T14:05:00Z"})");
  Put(R"({PK: "MOVIE#tt1234567", SK: "METADATA", entityType: "MOVIE", movieId: "tt1234567",
          title: "Inception", releaseYear: 2010, genres: ["Action"], runtime: 148,
          tmdbId: "27205", imdbId: "tt1375666", createdAt: "2026-01-10T08:00:00Z",
          updatedAt: "2026-01-10T08:00:00Z"})");

  const std::string_view user = R"({userId: "123e4567-e89b-12d3-a456-426614174000"})";
  const std::string_view list = R"({watchlistId: "abc12345-6789-0def-ghij-klmnopqrstuv"})";
  const std::string_view item = R"({watchlistId: "abc12345-6789-0def-ghij-klmnopqrstuv",
                                    contentType: "MOVIE", contentId: "tt1234567"})";
  const std::string_view movie = R"({movieId: "tt1234567"})";
  EXPECT_EQ(At("User", user, "createdAt"), "2026-01-15T10:30:00.000Z");
  EXPECT_EQ(At("WatchlistItem", item, "watchlistId"), "abc12345-6789-0def-ghij-klmnopqrstuv")
      << "T22: it is in the key alone";
  EXPECT_EQ(At("Movie", movie, "cast"), "list of 0");
  EXPECT_EQ(At("Movie", movie, "ratingHistogram.r1"), "0");
  EXPECT_EQ(Run("watchlistItems", list, "contentId"), Texts{"tt1234567"});

  Update("User", user, R"({bio: "x"})");
  Update("Watchlist", list, R"({title: "Better"})");
  Update("WatchlistItem", item, R"({position: 5})");
  Update("Movie", movie, R"({runtime: 149})");
  EXPECT_EQ(At("User", user, "bio"), "x");
  EXPECT_EQ(At("Watchlist", list, "title"), "Better");
  EXPECT_EQ(At("WatchlistItem", item, "position"), "5");
  EXPECT_EQ(At("Movie", movie, "runtime"), "149");
  EXPECT_EQ(Get("Movie", movie)->version, 1);

  Create("User", R"({userId: "u2", email: "b@b.c", username: "bob"})");
  Create("Rating", R"({userId: "u2", contentType: "MOVIE", contentId: "tt1234567", rating: 8})");
  EXPECT_EQ(At("Movie", movie, "rating"), "8");
  EXPECT_EQ(At("Movie", movie, "ratingHistogram.r8"), "1");

  Delete("WatchlistItem", item);
  EXPECT_EQ(At("Watchlist", list, "itemCount"), "9");
  Delete("Watchlist", list);
  Delete("Movie", movie);
  Delete("User", user);
}

}  // namespace
}  // namespace trestle::design::testing
