// What the apps add to the tables of the documents they are made from stays out of the documents'
// own way: their queries give their entities alone, and nothing is stored that a design does not
// name. That items as the documents print them are read, changed and removed is tested with each
// app.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/apps.h"
#include "apps/library/library_internal.h"
#include "apps/world_fixture.h"
#include "design/recognise.h"
#include "design/testing_internal.h"
#include "value/item_codec.h"

namespace trestle::apps::testing {
namespace {

struct Query {
  std::string_view app;
  std::string_view index;
  std::string_view condition;  // of :a, :b and :c
  std::vector<std::string_view> values;
  std::set<std::string_view> kinds;  // entities of the document that may come back
};

constexpr std::string_view kBegins = "pk = :a AND begins_with(sk, :b)";
constexpr std::string_view kBeginsUpper = "PK = :a AND begins_with(SK, :b)";
constexpr std::string_view kIsUpper = "PK = :a AND SK = :b";

// As the documents write them, with ann's things in place of <names>.
const Query kQueries[] = {
    {"books", "", kBegins, {"USER#<sub>", "BOOK#"}, {"Book"}},
    {"books", "", "pk = :a AND sk = :b", {"USER#<sub>", "BOOK#<id>"}, {"Book"}},
    {"books", "", kBegins, {"USER#<sub>", "NOTE#<id>#"}, {"Note"}},
    {"books", "", kBegins, {"USER#<sub>", "EVENT#<id>#"}, {"ReadingEvent"}},
    {"books",
     "GSI1",
     "gsi1pk = :a AND begins_with(gsi1sk, :b)",
     {"USER#<sub>", "STATUS#SHELF#"},
     {"Book"}},
    {"library",
     "",
     kBeginsUpper,
     {"owner#<owner>", "library#"},
     {"Library", "Collection", "Book", "Video", "LendingEvent"}},
    {"library",
     "",
     kBeginsUpper,
     {"owner#<owner>", "library#<libraryId>#collection#"},
     {"Collection"}},
    {"library",
     "",
     kBeginsUpper,
     {"owner#<owner>", "library#<libraryId>#item#"},
     {"Book", "Video", "LendingEvent"}},
    {"library",
     "",
     kBeginsUpper,
     {"owner#<owner>", "library#<libraryId>#item#<itemId>#event#"},
     {"LendingEvent"}},
    {"library", "", kBeginsUpper, {"owner#<owner>", "shared-library#"}, {"SharedLibrary"}},
    {"library", "GSI1", "GSI1PK = :a", {"owner#<owner>"}, {"Library"}},
    {"library",
     "GSI1",
     "GSI1PK = :a",
     {"owner#<owner>#library#<libraryId>"},
     {"Book", "Video", "Collection"}},
    {"library",
     "GSI1",
     "GSI1PK = :a",
     {"owner#<owner>#library#<libraryId>#item#<itemId>"},
     {"LendingEvent"}},
    {"library", "GSI2", "GSI2PK = :a", {"owner#<owner>"}, {"Book", "Video"}},
    {"watch", "", kIsUpper, {"USER#<sub>", "PROFILE"}, {"User"}},
    {"watch", "GSI1", "email = :a", {"<own>"}, {"User"}},
    {"watch", "", kIsUpper, {"WATCHLIST#<watchlists/id>", "METADATA"}, {"Watchlist"}},
    {"watch", "GSI2", "curatorId = :a", {"<sub>"}, {"Watchlist"}},
    {"watch", "GSI3", "isPublicStr = :a", {"true"}, {"Watchlist"}},
    {"watch", "", kBeginsUpper, {"WATCHLIST#<watchlists/id>", "ITEM#"}, {"WatchlistItem"}},
    {"watch", "", kIsUpper, {"MOVIE#<movies/id>", "METADATA"}, {"Movie"}},
    {"watch", "", kIsUpper, {"SHOW#<shows/id>", "METADATA"}, {"Show"}},
    {"watch", "", kBeginsUpper, {"USER#<sub>", "SAVED#WATCHLIST#"}, {"SavedWatchlist"}},
    {"watch", "", kBeginsUpper, {"USER#<sub>", "RATING#"}, {"Rating"}},
    {"watch", "", kBeginsUpper, {"WATCHLIST#<watchlists/id>", "COMMENT#"}, {"Comment"}},
    {"stories", "", kIsUpper, {"STORY#<storyId>", "METADATA"}, {"Story"}},
    {"stories", "", kBeginsUpper, {"STORY#<storyId>", "CHAPTER#"}, {"Chapter"}},
    {"stories", "", kIsUpper, {"USER#<sub>", "PROFILE#<sub>"}, {"User"}},
    {"stories",
     "GSI1",
     "GSI1PK = :a AND begins_with(GSI1SK, :b)",
     {"USER#<sub>", "STORY#"},
     {"StoryByAuthor"}},
    {"stories",
     "GSI1",
     "GSI1PK = :a AND begins_with(GSI1SK, :b)",
     {"USER#<sub>", "BRANCH#"},
     {"Chapter"}},
    {"stories", "", kIsUpper, {"USER#<sub>", "BOOKMARK#<storyId>"}, {"Bookmark"}},
    {"stories", "", kBeginsUpper, {"USER#<sub>", "NOTIFICATION#"}, {"Notification"}},
    {"stories", "", kBeginsUpper, {"CHAPTER#<nodeId>", "CHILD#"}, {"ChildReference"}},
    {"stories", "GSI1", "GSI1PK = :a", {"STORY_LIST"}, {"Story"}},
    {"notes", "", kIsUpper, {"USER#<own>", "PROFILE"}, {"User"}},
    {"notes", "", kBeginsUpper, {"USER#<own>", "NOTE#"}, {"Note"}},
    {"notes", "", "PK = :a AND SK < :b", {"USER#<own>", "NOTE#2026-01-20"}, {"Note"}},
    // Open-ended in the document itself: the profile comes after all notes.
    {"notes", "", "PK = :a AND SK > :b", {"USER#<own>", "NOTE#2026-01-01"}, {"Note", "User"}},
};

class DocumentsTest : public WorldFixture {
 protected:
  std::vector<value::Item> Run(const Query& query, const Things& things) {
    design::Runtime& runtime = *host().FindRuntime(query.app);
    design::ReadPage read{.table = runtime.table(), .index = std::string(query.index)};
    expr::Placeholders::Entries values;
    char name = 'a';
    for (const std::string_view value : query.values) {
      values.push_back({.key = fmt::format(":{}", name++), .text = {}});
      value::AppendString(values.back().text, Fill(value, things));
    }
    read.key_condition = design::testing::KeyConditionOf(query.condition, std::move(values));
    auto page = backend().Read(read);
    EXPECT_TRUE(page.ok()) << query.condition;
    return page.ok() ? std::move(page->items) : std::vector<value::Item>();
  }

  // The attributes that a design has for items of a kind.
  static std::set<std::string> NamesOf(const design::Model& model,
                                       const design::KindReference& kind) {
    const design::Table& table = model.table;
    std::set<std::string> names = {table.partition_key, table.sort_key, table.discriminator,
                                   table.lock, table.time_to_live};
    for (const design::Index& index : table.indexes) {
      names.insert(index.partition_key);
      names.insert(index.sort_key);
    }
    if (kind.entity != nullptr) {
      for (const design::Attribute& attribute : kind.entity->attributes)
        names.insert(attribute.name);
    } else {
      // A mirror holds what it includes, and what its key is made of.
      for (const design::Attribute& attribute : kind.mirror->of->attributes)
        if (std::ranges::find(kind.mirror->include, attribute.name) != kind.mirror->include.end() ||
            attribute.is_in_key)
          names.insert(attribute.name);
    }
    return names;
  }

  void ExpectKnown(const platform::Host::Design& design, const value::Item& item) {
    if (design::IsInternal(*design.model, item.view())) return;
    const auto kind = design::FindKind(*design.model, item.view());
    const std::string key =
        fmt::format("{}: {} {}", design.table, item.Find(design.model->table.partition_key)->text(),
                    item.Find(design.model->table.sort_key)->text());
    ASSERT_TRUE(kind.has_value()) << key;
    EXPECT_TRUE(design::ReadKey(*design.model, *kind, item.view()).has_value()) << key;
    const std::set<std::string> names = NamesOf(*design.model, *kind);
    for (const auto& attribute : item.view().attributes())
      EXPECT_TRUE(names.contains(std::string(attribute.name)))
          << key << " (" << kind->kind().name << ") has " << attribute.name;
  }

  void ExpectAllKnown() {
    for (const platform::Host::Design& design : host().designs()) {
      design::ReadPage read{.table = std::string(design.table), .is_consistent = true};
      do {
        const auto page = backend().Read(read);
        ASSERT_TRUE(page.ok());
        for (const value::Item& item : page->items)
          ExpectKnown(design, item);
        read.exclusive_start_key = page->last_evaluated_key;
      } while (read.exclusive_start_key);
    }
  }
};
TRESTLE_WORLD_BACKENDS(DocumentsTest);

TEST_P(DocumentsTest, TheirQueriesGiveTheirEntitiesAlone) {
  MakeWorld();
  for (const Query& query : kQueries) {
    Things things = Of("ann", query.app).shown;
    things["owner"] = library::OwnerIdOf(SubOf("ann"));
    const std::string what =
        fmt::format("{} {} {}", query.app, query.condition,
                    Fill(fmt::format("{}", fmt::join(query.values, ", ")), things));
    const std::vector<value::Item> items = Run(query, things);
    EXPECT_FALSE(items.empty()) << what;
    for (const value::Item& item : items) {
      const auto kind = design::FindKind(host().FindRuntime(query.app)->model(), item.view());
      ASSERT_TRUE(kind.has_value()) << what;
      EXPECT_TRUE(query.kinds.contains(kind->kind().name)) << what << " " << kind->kind().name;
    }
  }
}

// The index by `isPublicStr` has a partition of all private lists.
TEST_P(DocumentsTest, NothingReadsThePartitionOfPrivateLists) {
  int readers = 0;
  for (const design::Access& access : host().FindRuntime("watch")->model().accesses) {
    const auto* query = std::get_if<design::Query>(&access.action);
    if (query == nullptr || query->index == nullptr || query->index->name != "GSI3") continue;
    ++readers;
    const auto key = query->partition_key.Compose({});
    EXPECT_TRUE(key.ok() && *key == "true") << access.name;
  }
  EXPECT_GT(readers, 0);
}

TEST_P(DocumentsTest, NothingIsStoredThatADesignDoesNotName) {
  MakeWorld();
  std::vector<platform::Person> people;
  for (const std::string_view name : {"ann", "bob", "eve"})
    people.push_back({.sub = SubOf(name), .email = EmailOf(name), .name = std::string(name)});
  ExpectAllKnown();
  RemoveTables();
  UseAll();
  for (const platform::App& app : All())
    ASSERT_TRUE(app.people.load_samples(*host().FindMount(app.name), people).ok()) << app.name;
  Settle();
  ExpectAllKnown();
}

}  // namespace
}  // namespace trestle::apps::testing
