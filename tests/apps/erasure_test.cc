// What the apps keep about somebody is all in the export, and all gone after they have left.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/apps.h"
#include "apps/library/library_internal.h"
#include "apps/pictures.h"
#include "apps/world_fixture.h"
#include "design/recognise.h"
#include "design/values.h"
#include "platform/identity/auth_app.h"
#include "platform/item_json.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

using design::TypedItem;

class ErasureTest : public WorldFixture {
 protected:
  // Words by which ann can be known: her id in both forms, her address and her names.
  [[nodiscard]] std::vector<std::string> WordsOfAnn() const {
    return {SubOf("ann"), library::OwnerIdOf(SubOf("ann")), EmailOf("ann"),
            "ann person", Secret("ann") + " reader",        Secret("ann") + " writer"};
  }

  struct Found {
    std::string text;  // which item
    const design::Model* model = nullptr;
    value::Item item;
    std::optional<TypedItem> typed;
    std::vector<std::string> words;
  };
  // All items of a table that hold one of the words.
  std::vector<Found> ItemsWith(const std::vector<std::string>& words, std::string_view table) {
    std::vector<Found> found;
    for (const platform::Host::Design& design : host().designs()) {
      if (!table.empty() && design.table != table) continue;
      design::ReadPage read{.table = std::string(design.table), .is_consistent = true};
      do {
        const auto page = backend().Read(read);
        EXPECT_TRUE(page.ok());
        for (const value::Item& item : page->items)
          Take(design, item, words, found);
        read.exclusive_start_key = page->last_evaluated_key;
      } while (read.exclusive_start_key);
    }
    return found;
  }

  static void Take(const platform::Host::Design& design, const value::Item& item,
                   const std::vector<std::string>& words, std::vector<Found>& found) {
    Found one{.text = {}, .model = design.model, .item = item, .typed = {}, .words = {}};
    for (const std::string& word : words)
      if (item.bytes().find(word) != std::string::npos) one.words.push_back(word);
    if (one.words.empty()) return;
    one.typed = design::Recognise(*design.model, item.view());
    one.text = fmt::format(
        "{}: {} {} ({}) has {}", design.table, item.Find(design.model->table.partition_key)->text(),
        item.Find(design.model->table.sort_key)->text(),
        one.typed ? one.typed->kind.kind().name : "internal", fmt::join(one.words, ", "));
    found.push_back(std::move(one));
  }

  // The name of an entity and its identity.
  static std::string KeyOf(const TypedItem& item) {
    std::string key = item.kind.kind().name;
    for (const std::string& name : item.kind.entity->identity) {
      const auto value = item.record.Find(name);
      key += " " + (value ? platform::TextOfValue(*value) : "");
    }
    return key;
  }

  // What is kept about ann beside what she has made: a code that was not used yet, changes that
  // consumers have given up, and a mail of tomorrow.
  void LeaveTraces() {
    const Person account = With(TokenOf("ann"), platform::identity::kAuthApp);
    Made(account.Post("/change-email",
                      R"({"newEmail": "ann@example.net", "password": "correct horse battery"})"));
    struct Letter {
      std::string_view app;
      std::string_view consumer;
      std::string word;
    };
    for (const auto& [app, consumer, word] :
         {Letter{"library", "pictures", library::OwnerIdOf(SubOf("ann"))},
          Letter{"notes", "live", EmailOf("ann")}, Letter{"books", "live", SubOf("ann")}}) {
      design::Runtime& runtime = *host().FindRuntime(platform::identity::kAuthApp.name);
      design::Record letter = platform::TextRecord(
          {{"app", app}, {"consumer", consumer}, {"sequence", "1"}, {"error", "none"}});
      letter.Set(design::Path{{}, {"record", "keys", "PK"}}, design::EncodeText("USER#" + word));
      EXPECT_TRUE(runtime.Create(*runtime.model().FindEntity("DeadLetter"), letter).ok());
    }
    LeaveDigest();
  }

  // What global indexes do not show yet when she leaves.
  void MakeLast() {
    const std::string word = Secret("ann");
    const std::string text = word + std::string(500, 'c');
    Made(Somebody("ann", AppNamed("books"))
             .Post("/books", fmt::format(R"({{"title": "{}"}})", word),
                   {{"Idempotency-Key", "last"}}));
    const Person library = Somebody("ann", AppNamed("library"));
    const std::string id =
        Made(library.Post("/libraries", fmt::format(R"({{"libraryName": "{}"}})", word))).At("id");
    Made(library.Post(fmt::format("/libraries/{}/shares", id),
                      fmt::format(R"({{"email": "{}"}})", EmailOf("bob"))));
    const Person watch = Somebody("ann", AppNamed("watch"));
    Made(watch.Post("/watchlists", fmt::format(R"({{"title": "{}"}})", word)));
    Made(watch.Put("/me/picture", Png({}), {{"Content-Type", "image/png"}}));
    const Person stories = Somebody("ann", AppNamed("stories"));
    Made(stories.Post("/stories", fmt::format(R"({{"title": "{0}", "synopsis": "{1}", "genre":
                                                   "Fantasy", "ageRating": "PG", "firstChapter":
                                                   {{"title": "{0}", "content": "{1}"}}}})",
                                              word, text)));
    const Things& story = Of("bob", "stories").shown;
    Made(stories.Post(
        fmt::format("/stories/{}/chapters/{}/branches", story.at("storyId"), story.at("nodeId")),
        fmt::format(R"({{"title": "{}", "content": "{}"}})", word, text)));
  }

  // Time passes for indexes only when everything has been looked through once.
  void Leave(std::string_view name) {
    const Answer left = With(TokenOf(name), platform::identity::kAuthApp).Delete("/me");
    ASSERT_EQ(left.status, 202) << left.body;
    const std::string job = left.Header("location");
    if (index_lag_ms() > 0) {
      ASSERT_TRUE(Eventually([&] { return See(job).At("done") == "5"; })) << See(job).body;
      EXPECT_EQ(See(job).At("state"), "RUNNING");
    }
    Settle();
    EXPECT_EQ(See(job).status, 404);
  }

  // Entities that are another person's: what they were told, what they have done, and whom they
  // have shared something with.
  static bool IsAnothers(const TypedItem& item) {
    const std::string& kind = item.kind.kind().name;
    return kind == "Notification" || kind == "AuditEntry" || kind == "FeedEntry" ||
           kind == "Library";
  }
};
TRESTLE_WORLD_BACKENDS(ErasureTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(ErasureTest);

TEST_P(ErasureTest, TheExportHoldsEverythingThatNamesAPerson) {
  MakeWorld();
  LeaveTraces();
  Settle();
  for (const platform::App& app : All()) {
    std::set<std::string> exported;
    std::size_t count = 0;
    const platform::Mount& mount = *host().FindMount(app.name);
    const Status visited =
        app.people.visit(mount, SubOf("ann"), [&](const TypedItem& item) -> Status {
          exported.insert(KeyOf(item));
          ++count;
          return Ok();
        });
    ASSERT_TRUE(visited.ok());
    EXPECT_EQ(exported.size(), count) << app.name << " exports something twice";
    for (const Found& found : ItemsWith(WordsOfAnn(), mount.runtime->table())) {
      // Copies and what the run time keeps for itself say nothing that their entities do not.
      if (!found.typed || found.typed->kind.entity == nullptr) continue;
      if (IsAnothers(*found.typed) && !exported.contains(KeyOf(*found.typed))) continue;
      EXPECT_TRUE(exported.contains(KeyOf(*found.typed))) << found.text;
    }
    // Over HTTP it is the same.
    const Answer answer = Somebody("ann", app).Get("/export");
    std::size_t shown = 0;
    for (const auto& entity : mount.runtime->model().entities)
      shown += answer.Count("entities." + entity.name);
    EXPECT_EQ(shown, count) << app.name;
  }
}

TEST_P(ErasureTest, NothingIsLeftOfWhoLeaves) {
  MakeWorld();
  Made(Somebody("ann", AppNamed("books"))
           .Post("/books", R"({"title": "annsecret again"})", {{"Idempotency-Key", "once"}}));
  LeaveTraces();
  Settle();
  std::set<std::string> kinds;
  for (const Found& found : ItemsWith(WordsOfAnn(), ""))
    if (found.typed) kinds.insert(found.typed->kind.kind().name);
  for (const std::string_view kind : {"Account", "AccountByEmail", "Session", "Code", "Idempotency",
                                      "Job", "DeadLetter", "Digest"})
    EXPECT_TRUE(kinds.contains(std::string(kind))) << "the test has none: " << kind;
  const std::size_t bobs = Items(Secret("bob")).size();
  MakeLast();
  Leave("ann");
  for (const Found& found : ItemsWith(WordsOfAnn(), "")) {
    const std::string& kind = found.typed ? found.typed->kind.kind().name : "";
    // What others have continued keeps its author's id; nothing else is left of who that was.
    const bool is_stub =
        found.words.size() == 1 && found.words[0] == SubOf("ann") &&
        found.model->name == "StoryHub" &&
        (kind == "User" || kind == "Story" || kind == "Chapter" || kind == "ChildReference" ||
         kind == "StoryByAuthor" || kind == "StoryComment" || kind == "CommentByAuthor");
    EXPECT_TRUE(is_stub) << found.text;
    if (kind == "User") {
      EXPECT_EQ(platform::TextOf(found.typed->record, "displayName"), "Deleted user");
    }
  }
  EXPECT_EQ(Items(Secret("bob")).size(), bobs) << "something of bob's went, too";
  EXPECT_EQ(Items(Secret("ann")).size(), 0U);
}

// What administrators did stays, and does not say who they were.
TEST_P(ErasureTest, NothingIsLeftOfAnAdministratorButWhatWasDone) {
  MakeWorld();
  const platform::App& stories = AppNamed("stories");
  const platform::App& auth = platform::identity::kAuthApp;
  Made(Somebody("bob", stories)
           .Post("/reports", fmt::format(R"({{"targetType": "USER", "targetId": "{}",
                                              "reason": "SPAM"}})",
                                         SubOf("cat"))));
  Made(Somebody("eve", stories)
           .Put(fmt::format("/admin/reports/{}/USER/{}", SubOf("bob"), SubOf("cat")),
                R"({"state": "DISMISSED", "note": "no"})"));
  Made(Somebody("eve", AppNamed("watch"))
           .Patch("/watchlists/" + Of("bob", "watch").shown.at("watchlists/id"),
                  R"({"title": "bobshown by eve"})"));
  Made(With(TokenOf("eve"), auth)
           .Post(fmt::format("/users/{}/groups", SubOf("cat")), R"({"groups": ["moderator"]})"));
  Settle();
  EXPECT_EQ(Somebody("eve", stories).Get("/export").Count("entities.Report"), 1U);
  std::set<std::string> kinds;
  for (const Found& found : ItemsWith({SubOf("eve")}, ""))
    if (found.typed) kinds.insert(found.typed->kind.kind().name);
  for (const std::string_view kind : {"AuditEntry", "Report", "Watchlist"})
    EXPECT_TRUE(kinds.contains(std::string(kind))) << "the test has none: " << kind;

  Leave("eve");
  for (const Found& found : ItemsWith({SubOf("eve"), EmailOf("eve"), "eve person"}, "")) {
    const bool is_stub = found.model->name == "StoryHub" && found.typed &&
                         found.typed->kind.kind().name == "User" && found.words.size() == 1;
    EXPECT_TRUE(is_stub) << found.text;
  }
  design::Runtime& platform = *host().FindRuntime(auth.name);
  const auto acts = platform::RunWhole(platform, "audit", {});
  ASSERT_TRUE(acts.ok());
  const auto given = std::ranges::find_if(*acts, [&](const TypedItem& act) {
    return platform::TextOf(act.record, "target") == SubOf("cat");
  });
  ASSERT_NE(given, acts->end());
  EXPECT_EQ(platform::TextOf(given->record, "actor"), "erased");
  const Answer reports = Somebody("mo", stories).Get("/admin/reports?state=DISMISSED");
  EXPECT_EQ(reports.At("items[0].note"), "no") << reports.body;
  EXPECT_EQ(reports.At("items[0].decidedBy"), "absent");
}

// Audit entries expire, and what they are about stays.
TEST_P(ErasureTest, NothingIsLeftOfAnAdministratorWhoDidItLongAgo) {
  MakeWorld();
  const platform::App& watch = AppNamed("watch");
  Made(Somebody("eve", watch)
           .Patch("/movies/" + Of("bob", "watch").shown.at("movies/id"), R"({"runtime": 101})"));
  Settle();
  design::Runtime& runtime = *host().FindRuntime(watch.name);
  std::size_t titles = 0;
  for (const Found& found : ItemsWith({SubOf("eve")}, runtime.table())) {
    const std::string& kind = found.typed ? found.typed->kind.kind().name : "";
    titles += kind == "Movie" ? 1 : 0;
    if (kind != "AuditEntry") continue;
    EXPECT_TRUE(runtime
                    .Delete(*found.typed->kind.entity, platform::IdentityOf(*found.typed),
                            {.is_maintenance = true})
                    .ok());
  }
  EXPECT_EQ(titles, 1U) << "the test has none";
  Leave("eve");
  for (const Found& found : ItemsWith({SubOf("eve")}, runtime.table()))
    ADD_FAILURE() << found.text;
}

// A name that the apps have from the account follows it; one of somebody's own choice does not.
TEST_P(ErasureTest, NamesFollowTheAccount) {
  MakeWorld();
  Made(Somebody("cat", AppNamed("notes")).Patch("/me", R"({"name": "Kitty"})"));
  Made(With(TokenOf("cat"), platform::identity::kAuthApp)
           .Patch("/me", R"({"name": "Catherine Person"})"));
  Settle();
  const std::vector<std::pair<std::string_view, std::string_view>> names = {
      {"library", "ownerName"}, {"watch", "username"}, {"stories", "displayName"}};
  for (const auto& [app, name] : names)
    EXPECT_EQ(Somebody("cat", AppNamed(app)).Get("/me").At(name), "Catherine Person") << app;
  EXPECT_EQ(Somebody("cat", AppNamed("notes")).Get("/me").At("name"), "Kitty");
  Made(With(TokenOf("cat"), platform::identity::kAuthApp).Patch("/me", R"({"name": "Kitty"})"));
  Made(With(TokenOf("cat"), platform::identity::kAuthApp).Patch("/me", R"({"name": "Cat"})"));
  Settle();
  EXPECT_EQ(Somebody("cat", AppNamed("notes")).Get("/me").At("name"), "Cat");
}

}  // namespace
}  // namespace trestle::apps::testing
