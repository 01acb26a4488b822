// The keys of the five designs, byte for byte as the documents behind them print their examples.

#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "design/resolve.h"
#include "design/stored_item.h"
#include "design/testing_internal.h"

namespace trestle::design::testing {
namespace {

std::unique_ptr<const Model> ModelOf(const std::string& app) {
  std::ifstream file(fmt::format("src/apps/{}/{}.design", app, app));
  std::ostringstream text;
  text << file.rdbuf();
  return Resolve(syntax::ParseDesign(text.str()).design).model;
}

// The stored attribute of an item with these attributes.
std::string Stored(const Model& model, std::string_view entity, std::string_view attributes,
                   std::string_view name) {
  const auto stored = StoredEntity(model, *model.FindEntity(entity), RecordOf(attributes));
  if (!stored.ok()) return stored.error().message();
  return std::string(stored->FindText(name).value_or("absent"));
}

std::string MirrorKey(const Model& model, std::string_view name, std::string_view attributes,
                      std::string_view key) {
  for (const Mirror& mirror : model.mirrors) {
    if (mirror.name != name) continue;
    const auto stored = StoredMirror(model, mirror, RecordOf(attributes));
    if (!stored.ok()) return stored.error().message();
    return *stored ? std::string((*stored)->FindText(key).value_or("absent")) : "none";
  }
  return "no such mirror";
}

TEST(DesignKeys, OfBooks) {
  const auto model = ModelOf("books");
  ASSERT_TRUE(model);
  EXPECT_EQ(Stored(*model, "UserMetadata", R"({userId: "abc-123"})", "sk"), "METADATA");
  constexpr std::string_view kBook = R"({userId: "abc-123", id: "b1-uuid", status: "READ",
                                         updatedAt: "2025-01-15T10:00:00.000Z"})";
  EXPECT_EQ(Stored(*model, "Book", kBook, "pk"), "USER#abc-123");
  EXPECT_EQ(Stored(*model, "Book", kBook, "sk"), "BOOK#b1-uuid");
  EXPECT_EQ(Stored(*model, "Book", kBook, "gsi1pk"), "USER#abc-123");
  EXPECT_EQ(Stored(*model, "Book", kBook, "gsi1sk"), "STATUS#READ#2025-01-15T10:00:00.000Z");
  EXPECT_EQ(Stored(*model, "Book", kBook, "entityType"), "BOOK");
  EXPECT_EQ(
      Stored(*model, "Note", R"({userId: "abc-123", bookId: "b1-uuid", id: "n1-uuid"})", "sk"),
      "NOTE#b1-uuid#n1-uuid");
  EXPECT_EQ(Stored(*model, "ReadingEvent", R"({userId: "abc-123", bookId: "b1-uuid", id: "e1-uuid",
                                               occurredAt: "2025-01-15T10:00:00.000Z"})",
                   "sk"),
            "EVENT#b1-uuid#2025-01-15T10:00:00.000Z#e1-uuid");
}

TEST(DesignKeys, OfTheLibrary) {
  const auto model = ModelOf("library");
  ASSERT_TRUE(model);
  const auto item = [&](std::string_view more, std::string_view name) {
    return Stored(*model, "Book",
                  R"({OwnerId: "X", LibraryId: "Y", ItemId: "Z", )" + std::string(more) + "}",
                  name);
  };
  EXPECT_EQ(item(R"(Title: "Angelo")", "PK"), "owner#X");
  EXPECT_EQ(item(R"(Title: "Angelo")", "SK"), "library#Y#item#Z");
  EXPECT_EQ(item(R"(Title: "Angelo")", "GSI1PK"), "owner#X#library#Y");
  EXPECT_EQ(item(R"(Title: "Angelo")", "GSI1SK"), "item#Angelo");
  EXPECT_EQ(item(R"(Title: "Angelo")", "GSI2PK"), "owner#X");
  EXPECT_EQ(item(R"(Title: "Angelo")", "GSI2SK"), "item#Angelo");
  EXPECT_EQ(item(R"(Title: "Dragons d'un crépuscule d'automne", CollectionId: "c", Order: 1,
                    CollectionName: "Chroniques de Dragonlance")",
                 "GSI1SK"),
            "item#Chroniques de Dragonlance#00001#Dragons d'un crépuscule d'automne");
  EXPECT_EQ(item(R"(Title: "Prince du Chaos", CollectionId: "c", Order: 10,
                    CollectionName: "Cycle des princes d'Ambre")",
                 "GSI1SK"),
            "item#Cycle des princes d'Ambre#00010#Prince du Chaos");
  EXPECT_EQ(Stored(*model, "Collection", R"({OwnerId: "X", LibraryId: "Y", CollectionId: "c",
                                             Name: "Chroniques de Dragonlance"})",
                   "GSI1SK"),
            "item#Chroniques de Dragonlance");
  EXPECT_EQ(Stored(*model, "LendingEvent", R"({OwnerId: "X", LibraryId: "Y", ItemId: "Z",
                                               UpdatedAt: "2026-01-15T10:00:00.000Z"})",
                   "SK"),
            "library#Y#item#Z#event#2026-01-15T10:00:00.000Z");
  EXPECT_EQ(Stored(*model, "SharedLibrary", R"({SharedToId: "T", SharedFromId: "X",
                                                LibraryId: "Y"})",
                   "SK"),
            "shared-library#Y");
}

TEST(DesignKeys, OfWatchlists) {
  const auto model = ModelOf("watch");
  ASSERT_TRUE(model);
  EXPECT_EQ(Stored(*model, "User", R"({userId: "123e4567-e89b-12d3-a456-426614174000"})", "PK"),
            "USER#123e4567-e89b-12d3-a456-426614174000");
  constexpr std::string_view kItem = R"({watchlistId: "abc12345-6789-0def-ghij-klmnopqrstuv",
                                         contentType: "MOVIE", contentId: "tt1234567"})";
  EXPECT_EQ(Stored(*model, "WatchlistItem", kItem, "PK"),
            "WATCHLIST#abc12345-6789-0def-ghij-klmnopqrstuv");
  EXPECT_EQ(Stored(*model, "WatchlistItem", kItem, "SK"), "ITEM#MOVIE#tt1234567");
  EXPECT_EQ(Stored(*model, "WatchlistItem", kItem, "watchlistId"), "absent");
  EXPECT_EQ(Stored(*model, "Movie", R"({movieId: "tt1234567"})", "PK"), "MOVIE#tt1234567");
  EXPECT_EQ(Stored(*model, "SavedWatchlist", R"({userId: "u", watchlistId: "w"})", "SK"),
            "SAVED#WATCHLIST#w");
}

TEST(DesignKeys, OfStories) {
  const auto model = ModelOf("stories");
  ASSERT_TRUE(model);
  constexpr std::string_view kStory = R"({storyId: "s", authorId: "a", hidden: false,
      status: "PUBLISHED", createdAt: "2026-01-15T10:00:00.000Z"})";
  EXPECT_EQ(Stored(*model, "Story", kStory, "SK"), "METADATA");
  EXPECT_EQ(Stored(*model, "Story", kStory, "GSI1PK"), "STORY_LIST");
  EXPECT_EQ(Stored(*model, "Story", kStory, "GSI1SK"), "2026-01-15T10:00:00.000Z#s");
  EXPECT_EQ(MirrorKey(*model, "StoryByAuthor", kStory, "GSI1PK"), "USER#a");
  EXPECT_EQ(MirrorKey(*model, "StoryByAuthor", kStory, "GSI1SK"),
            "STORY#2026-01-15T10:00:00.000Z#s");
  constexpr std::string_view kChapter = R"({storyId: "s", nodeId: "n", authorId: "a", order: 2,
      parentNodeId: "p", createdAt: "2026-01-15T10:00:00.000Z"})";
  EXPECT_EQ(Stored(*model, "Chapter", kChapter, "SK"), "CHAPTER#n");
  EXPECT_EQ(Stored(*model, "Chapter", kChapter, "GSI1SK"), "BRANCH#2026-01-15T10:00:00.000Z#n");
  EXPECT_EQ(MirrorKey(*model, "ChildReference", kChapter, "PK"), "CHAPTER#p");
  EXPECT_EQ(MirrorKey(*model, "ChildReference", kChapter, "SK"), "CHILD#00002#n");
  EXPECT_EQ(MirrorKey(*model, "ChildReference", R"({nodeId: "n", order: 0})", "PK"), "none");
  EXPECT_EQ(Stored(*model, "User", R"({userId: "u"})", "SK"), "PROFILE#u");
  EXPECT_EQ(Stored(*model, "Vote", R"({userId: "u", nodeId: "n", storyId: "s"})", "SK"), "VOTE#n");
}

TEST(DesignKeys, OfNotes) {
  const auto model = ModelOf("notes");
  ASSERT_TRUE(model);
  EXPECT_EQ(Stored(*model, "User", R"({email: "ali@test.com", id: "x"})", "PK"),
            "USER#ali@test.com");
  EXPECT_EQ(Stored(*model, "Note", R"({email: "ali@test.com", id: "n", userId: "x",
                                       deadline: "2026-01-20"})",
                   "SK"),
            "NOTE#2026-01-20#n");
  EXPECT_EQ(Stored(*model, "Note", R"({email: "ali@test.com", id: "n", userId: "x"})", "SK"),
            "NOTE#NONE#n");
}

TEST(DesignKeys, OfGuardsAndShards) {
  const auto model = ModelOf("watch");
  ASSERT_TRUE(model);
  const Entity& movie = *model->FindEntity("Movie");
  const auto guard =
      UniqueGuardKey(*model, movie, movie.uniques.front(), RecordOf(R"({tmdbId: "50%#1"})"));
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->Find("PK")->text(), "~trestle#unique#Movie.tmdb#50%25%231");
  EXPECT_EQ(guard->Find("SK")->text(), "~");
  EXPECT_FALSE(UniqueGuardKey(*model, movie, movie.uniques.front(), Record()));
  EXPECT_EQ(ShardKey(*model, "STORY_LIST", 3), "STORY_LIST#3");
  EXPECT_EQ(ShardOf(*guard, 8), ShardOf(*guard, 8));
  EXPECT_LT(ShardOf(*guard, 8), 8);
}

}  // namespace
}  // namespace trestle::design::testing
