// Access patterns of the applications' designs, read page by page on every back end.

#include <set>

#include <fmt/format.h>

#include "design/design_fixture.h"

namespace trestle::design::testing {
namespace {

using Texts = std::vector<std::string>;

class AccessTest : public DesignFixture {
 protected:
  Result<TypedPage> RunPage(std::string_view name, std::string_view arguments,
                            const PageOptions& options = {}) {
    return runtime().Run(access(name), RecordOf(arguments), options);
  }

  static Texts TextsOf(const TypedPage& page, std::string_view path) {
    Texts texts;
    for (const TypedItem& item : page.items)
      texts.push_back(TextOf(item.record.Find(PathOf(path))));
    return texts;
  }

  // What all pages hold at a path, and how many pages there were.
  Texts Read(std::string_view name, std::string_view arguments, std::string_view path,
             PageOptions options = {}) {
    Texts all;
    page_count_ = 0;
    do {
      const auto page = RunPage(name, arguments, options);
      EXPECT_TRUE(page.ok()) << page.error().message();
      if (!page.ok()) return all;
      ++page_count_;
      for (std::string& text : TextsOf(*page, path))
        all.push_back(std::move(text));
      options.cursor = page->cursor;
    } while (!options.cursor.empty());
    return all;
  }

  void MakeBooks(int count) {
    Use("books");
    Create("UserMetadata", R"({userId: "u1"})");
    for (int i = 0; i < count; ++i)
      Create("Book", fmt::format(R"({{userId: "u1", id: "b{:02}", title: "T{}"}})", i, i));
  }

  void MakeLibrary() {
    Use("library");
    Create("Owner", R"({OwnerId: "O1", OwnerName: "Ada"})");
    Create("Library", R"({OwnerId: "O1", LibraryId: "l1", LibraryName: "Home"})");
  }

  int page_count_ = 0;
};
TRESTLE_ON_EVERY_BACKEND(AccessTest);

Texts Numbered(std::string_view prefix, int from, int to) {
  Texts texts;
  for (int i = from; i != to; i += from < to ? 1 : -1)
    texts.push_back(fmt::format("{}{:02}", prefix, i));
  return texts;
}

TEST_P(AccessTest, PagesAreFullAndTheLastOneIsKnown) {
  MakeBooks(20);
  EXPECT_EQ(Read("listBooks", R"({userId: "u1"})", "id", {.limit = 10}), Numbered("b", 0, 20));
  EXPECT_EQ(page_count_, 2);
  EXPECT_EQ(Read("listBooks", R"({userId: "u1"})", "id", {.limit = 7}), Numbered("b", 0, 20));
  EXPECT_EQ(page_count_, 3);
  EXPECT_EQ(Read("listBooks", R"({userId: "nobody"})", "id"), Texts{});
  EXPECT_EQ(page_count_, 1);
}

TEST_P(AccessTest, ACursorIsOfOneAccessAndItsArguments) {
  MakeBooks(5);
  const auto page = RunPage("listBooks", R"({userId: "u1"})", {.limit = 2});
  ASSERT_TRUE(page.ok());
  ASSERT_FALSE(page->cursor.empty());
  const auto refused = RunPage("listBooks", R"({userId: "u2"})", {.cursor = page->cursor});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  EXPECT_FALSE(RunPage("userEverything", R"({userId: "u1"})", {.cursor = page->cursor}).ok());
  EXPECT_FALSE(RunPage("listBooks", R"({userId: "u1"})", {.limit = 0}).ok());
}

TEST_P(AccessTest, EitherOrder) {
  MakeBooks(1);
  for (int i = 0; i < 5; ++i) {
    Create("ReadingEvent",
           fmt::format(R"({{userId: "u1", bookId: "b00", id: "e{:02}", page: {}}})", i, i));
    Advance(1);
  }
  const std::string book = R"({userId: "u1", bookId: "b00"})";
  EXPECT_EQ(Read("listEvents", book, "id", {.limit = 2}), Numbered("e", 0, 5));
  EXPECT_EQ(Read("listEvents", book, "id", {.limit = 2, .is_descending = true}),
            Numbered("e", 4, -1));
  EXPECT_FALSE(RunPage("listBooks", R"({userId: "u1"})", {.is_descending = true}).ok());
}

// T48: what happened at the last instant itself is in it.
TEST_P(AccessTest, BetweenIncludesWhatExtendsItsEnd) {
  MakeBooks(1);
  for (const std::string_view at :
       {"2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-02T00:00:00.001Z"}) {
    Create("ReadingEvent",
           fmt::format(R"({{userId: "u1", bookId: "b00", page: 1, occurredAt: "{}"}})", at));
  }
  EXPECT_EQ(Read("eventsBetween",
                 R"({userId: "u1", bookId: "b00", from: "2026-01-01T00:00:00Z",
                     to: "2026-01-02T00:00:00Z"})",
                 "occurredAt"),
            (Texts{"2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"}));
}

// S14: the newest first, whatever their state; each page goes on in every state.
TEST_P(AccessTest, MergesStatesInTheOrderOfTheirTimes) {
  MakeBooks(0);
  Texts ids;
  const Texts states = {"SHELF", "READING", "READ", "WISHLIST"};
  for (int i = 0; i < 11; ++i) {
    Advance(1000);
    ids.push_back(fmt::format("b{:02}", i));
    Create("Book", fmt::format(R"({{userId: "u1", id: "{}", title: "T", status: "{}"}})",
                               ids.back(), states[static_cast<std::size_t>(i * 7 % 4)]));
  }
  EXPECT_EQ(Read("booksByUpdate", R"({userId: "u1"})", "id", {.limit = 3}), ids);
  EXPECT_EQ(page_count_, 4);
  std::ranges::reverse(ids);
  EXPECT_EQ(Read("booksByUpdate", R"({userId: "u1"})", "id", {.limit = 3, .is_descending = true}),
            ids);
}

// Items that were written without the attribute are read with its default, and found by it.
TEST_P(AccessTest, FiltersByWhatIsRead) {
  MakeBooks(2);
  Update("Book", R"({userId: "u1", id: "b00"})", R"({status: "READ"})");
  const Record raw = RecordOf(
      R"({pk: "USER#u1", sk: "BOOK#raw", entityType: "BOOK", userId: "u1", id: "raw",
          title: "R"})");
  ASSERT_TRUE(
      backend()
          .Write({.kind = ActionKind::kPut, .table = runtime().table(), .item = raw.ToItem()})
          .ok());
  EXPECT_EQ(Read("booksByStatusInMemory", R"({userId: "u1", status: "SHELF"})", "id"),
            (Texts{"b01", "raw"}));
  EXPECT_EQ(Read("booksByStatusInMemory", R"({userId: "u1", status: "READ"})", "id"), Texts{"b00"});
}

// T5: the prefix of libraries holds everything in them too.
TEST_P(AccessTest, ReadsOnUntilThePageIsFull) {
  MakeLibrary();
  for (int i = 0; i < 30; ++i) {
    Create("Book", fmt::format(R"({{OwnerId: "O1", LibraryId: "l1", ItemId: "i{:02}",
                                    Title: "T"}})",
                               i));
  }
  Create("Library", R"({OwnerId: "O1", LibraryId: "l2", LibraryName: "Attic"})");
  EXPECT_EQ(Read("librariesOfOwner", R"({OwnerId: "O1"})", "LibraryId", {.limit = 2}),
            (Texts{"l1", "l2"}));
  EXPECT_EQ(page_count_, 1);

  // With less to read there are more pages, some without items, and none is lost.
  EXPECT_EQ(
      Read("librariesOfOwner", R"({OwnerId: "O1"})", "LibraryId", {.limit = 2, .read_budget = 10}),
      (Texts{"l1", "l2"}));
  EXPECT_GT(page_count_, 1);
}

TEST_P(AccessTest, AGroupIsReadByOneKey) {
  MakeLibrary();
  Create("Book", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1", Title: "Dune"})");
  Create("Video", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i2", Title: "Alien"})");
  const auto book = RunPage("getItem", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1"})");
  const auto video = RunPage("getItem", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i2"})");
  const auto none = RunPage("getItem", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i3"})");
  ASSERT_TRUE(book.ok() && video.ok() && none.ok());
  EXPECT_EQ(book->items.at(0).kind.entity, &entity("Book"));
  EXPECT_EQ(video->items.at(0).kind.entity, &entity("Video"));
  EXPECT_TRUE(none->items.empty());
  EXPECT_FALSE(RunPage("getItem", R"({OwnerId: "O1"})").ok());
}

TEST_P(AccessTest, FindsWhatWasMistyped) {
  MakeLibrary();
  for (const std::string_view title : {"The Hobbit", "Hob", "Dune", "Hobby Horses"}) {
    Create("Book", fmt::format(R"({{OwnerId: "O1", LibraryId: "l1", Title: "{}"}})", title));
  }
  EXPECT_EQ(Read("searchItems", R"({OwnerId: "O1", text: "hob"})", "Title", {.limit = 2}),
            (Texts{"Hob", "Hobby Horses", "The Hobbit"}));
  EXPECT_EQ(Read("searchItems", R"({OwnerId: "O1", text: "hobit"})", "Title"), Texts{"The Hobbit"});
}

TEST_P(AccessTest, SortsAfterReading) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "a@b.c", username: "ada"})");
  Create("Watchlist", R"({watchlistId: "w1", curatorId: "u1", title: "Best"})");
  for (int i = 0; i < 5; ++i) {
    Create("Movie", fmt::format(R"({{movieId: "m{}", title: "M", createdBy: "u1"}})", i));
    Create("WatchlistItem",
           fmt::format(R"({{watchlistId: "w1", contentType: "MOVIE", contentId: "m{}",
                            position: {}}})",
                       i, 5000 - i * 1000));
  }
  EXPECT_EQ(Read("watchlistItems", R"({watchlistId: "w1"})", "contentId", {.limit = 2}),
            (Texts{"m4", "m3", "m2", "m1", "m0"}));
  EXPECT_EQ(page_count_, 3);
  const auto too_many = RunPage("watchlistItems", R"({watchlistId: "w1"})", {.read_budget = 3});
  ASSERT_FALSE(too_many.ok());
  EXPECT_EQ(too_many.error().code(), ErrorCode::kLimitExceeded);
}

TEST_P(AccessTest, ReadsTheAttributesThatAreAskedFor) {
  MakeBooks(0);
  for (int i = 0; i < 5; ++i) {
    Advance(1000);
    Create("Book", fmt::format(R"({{userId: "u1", id: "b{:02}", title: "T{}", status: "{}",
                                    totalPages: 300}})",
                               i, i, i == 3 ? "READ" : "SHELF"));
  }
  const auto names_of = [&](std::string_view access, std::string_view arguments) {
    const auto page = RunPage(access, arguments, {.attributes = {"title", "id", "rating"}});
    EXPECT_TRUE(page.ok()) << page.error().message();
    Texts names;
    if (!page.ok() || page->items.empty()) return names;
    for (const auto& [name, value] : page->items.front().record.attributes())
      names.emplace_back(name);
    EXPECT_EQ(page->items.front().version, 1);
    return names;
  };
  EXPECT_EQ(names_of("listBooks", R"({userId: "u1"})"), (Texts{"id", "title"}));
  EXPECT_EQ(names_of("booksByStatus", R"({userId: "u1", status: "READ"})"), (Texts{"id", "title"}));
  // And what a filter needs.
  EXPECT_EQ(names_of("booksByStatusInMemory", R"({userId: "u1", status: "READ"})"),
            (Texts{"id", "status", "title"}));
  EXPECT_EQ(Read("listBooks", R"({userId: "u1"})", "title", {.limit = 2, .attributes = {"title"}}),
            (Texts{"T0", "T1", "T2", "T3", "T4"}));
  EXPECT_EQ(Read("booksByUpdate", R"({userId: "u1"})", "id", {.limit = 2, .attributes = {"id"}}),
            Numbered("b", 0, 5));
  EXPECT_EQ(Read("booksByStatusInMemory", R"({userId: "u1", status: "SHELF"})", "id",
                 {.limit = 2, .attributes = {"id"}}),
            (Texts{"b00", "b01", "b02", "b04"}));
}

TEST_P(AccessTest, SortsByWhatIsNotAskedFor) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "a@b.c", username: "ada"})");
  Create("Watchlist", R"({watchlistId: "w1", curatorId: "u1", title: "Best"})");
  for (int i = 0; i < 3; ++i) {
    Create("Movie", fmt::format(R"({{movieId: "m{}", title: "M", createdBy: "u1"}})", i));
    Create("WatchlistItem", fmt::format(R"({{watchlistId: "w1", contentType: "MOVIE",
                                             contentId: "m{}", position: {}}})",
                                        i, 5000 - i * 1000));
  }
  EXPECT_EQ(Read("watchlistItems", R"({watchlistId: "w1"})", "contentId",
                 {.limit = 2, .attributes = {"contentId"}}),
            (Texts{"m2", "m1", "m0"}));
  EXPECT_EQ(Read("entitiesOfType", R"({entityType: "MOVIE"})", "title", {.attributes = {"title"}}),
            (Texts{"M", "M", "M"}));
}

// GSI4 holds keys only.
TEST_P(AccessTest, HydratesWhatAnIndexDoesNotHold) {
  Use("watch");
  for (int i = 0; i < 3; ++i) {
    Create("Movie", fmt::format(R"({{movieId: "m{}", title: "M{}", createdBy: "u1"}})", i, i));
    Advance(1000);
  }
  Create("Show", R"({showId: "s1", title: "S", createdBy: "u1"})");
  EXPECT_EQ(Read("entitiesOfType", R"({entityType: "MOVIE"})", "title",
                 {.limit = 2, .is_descending = true}),
            (Texts{"M2", "M1", "M0"}));
}

TEST_P(AccessTest, NotesByDeadline) {
  Use("notes");
  Create("User", R"({id: "s1", email: "a@b.c", name: "Ada"})");
  for (const std::string_view deadline : {"2026-01-19", "2026-01-20", "2026-01-21"}) {
    Create("Note",
           fmt::format(R"({{email: "a@b.c", title: "{}", deadline: "{}"}})", deadline, deadline));
  }
  Create("Note", R"({email: "a@b.c", title: "undated", id: "n0"})");
  const std::string target = R"({email: "A@B.c", target: "2026-01-20"})";
  EXPECT_EQ(Read("notesDueBefore", target, "title"), Texts{"2026-01-19"});
  EXPECT_EQ(Read("notesDueAfter", target, "title"), (Texts{"2026-01-20", "2026-01-21"}));
  EXPECT_EQ(
      Read("notesBetween", R"({email: "a@b.c", from: "2026-01-19", to: "2026-01-21"})", "title"),
      (Texts{"2026-01-19", "2026-01-20"}));
  EXPECT_EQ(Read("notesUndated", R"({email: "a@b.c"})", "title"), Texts{"undated"});
  EXPECT_EQ(Read("notesOfUser", R"({email: "a@b.c"})", "email").size(), 4U);
  EXPECT_EQ(Read("getNote", R"({email: "a@b.c", id: "n0"})", "title"), Texts{"undated"});
  EXPECT_EQ(Read("getNoteRef", R"({userId: "s1", id: "n0"})", "id"), Texts{"n0"});
  EXPECT_EQ(Read("emailOfSub", R"({id: "s1"})", "email"), Texts{"a@b.c"});
}

TEST_P(AccessTest, WritesThroughAccesses) {
  Use("notes");
  EXPECT_EQ(Read("createUser", R"({id: "s1", email: "a@b.c", name: "Ada"})", "email"),
            Texts{"a@b.c"});
  EXPECT_EQ(Read("createNote", R"({email: "a@b.c", id: "n1", title: "T"})", "userId"), Texts{"s1"});
  EXPECT_EQ(Read("updateNote", R"({email: "a@b.c", id: "n1", title: "U"})", "title"), Texts{"U"});
  EXPECT_EQ(Read("deleteNote", R"({email: "a@b.c", id: "n1"})", "title"), Texts{"U"});
  EXPECT_EQ(Read("getNote", R"({email: "a@b.c", id: "n1"})", "title"), Texts{});
}

TEST_P(AccessTest, AnotherSystemAnswersExternalAccesses) {
  Use("watch");
  const auto refused = RunPage("searchMovies", R"({text: "x"})");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(),
            "searchMovies is answered by a search index fed from the stream");
}

}  // namespace
}  // namespace trestle::design::testing
