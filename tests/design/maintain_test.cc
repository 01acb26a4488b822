// What follows from the stream: copies, cascades, detaches, moves, averages, expiry.

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "design/design_fixture.h"
#include "design/job.h"
#include "design/maintainer.h"
#include "design/recognise.h"
#include "design/stored_item.h"

namespace trestle::design::testing {
namespace {

using Texts = std::vector<std::string>;

class MaintainTest : public DesignFixture {
 protected:
  void Start() {
    maintainer_ = std::make_unique<Maintainer>(runtime(), MaintainerOptions{});
    const Status started = maintainer_->Start();
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  void Drain() {
    ASSERT_TRUE(maintainer_->Drained(std::chrono::seconds(60)));
    EXPECT_EQ(maintainer_->failed_changes(), 0U);
  }
  void Stop() { maintainer_.reset(); }
  void TearDown() override { Stop(); }

  std::vector<value::Item> Scan() {
    std::vector<value::Item> items;
    ReadPage read{.table = runtime().table(), .is_consistent = true};
    do {
      auto page = backend().Read(read);
      EXPECT_TRUE(page.ok());
      if (!page.ok()) return items;
      items.insert(items.end(), page->items.begin(), page->items.end());
      read.exclusive_start_key = page->last_evaluated_key;
    } while (read.exclusive_start_key);
    return items;
  }

  // Every item but the run time's own, by its key.
  std::map<std::string, std::string> Dump() {
    std::map<std::string, std::string> dump;
    for (const value::Item& item : Scan())
      if (!IsInternal(runtime().model(), item.view()))
        dump.emplace(KeyPart(runtime().model(), item.view()).bytes(), item.bytes());
    return dump;
  }

  Texts InternalKeys(std::string_view prefix) {
    Texts keys;
    for (std::string& key : Keys())
      if (key.starts_with(std::string(kInternalPrefix) + std::string(prefix)))
        keys.push_back(std::move(key));
    return keys;
  }

  std::size_t CountOf(std::string_view name) {
    std::size_t count = 0;
    for (const value::Item& item : Scan()) {
      const auto typed = runtime().Recognise(item.view());
      if (typed && typed->kind.entity == &entity(name)) ++count;
    }
    return count;
  }

  std::string RawAt(std::string_view partition_key, std::string_view sort_key,
                    std::string_view path) {
    const auto item = Raw(partition_key, sort_key);
    return item ? TextOf(Record(item->view()).Find(PathOf(path))) : "no item";
  }

  void MakeLibrary(int item_count) {
    Use("library");
    Create("Owner", R"({OwnerId: "O1", OwnerName: "Ada"})");
    Create("Library", R"({OwnerId: "O1", LibraryId: "l1", LibraryName: "Home"})");
    Create("Collection", R"({OwnerId: "O1", LibraryId: "l1", CollectionId: "c1", Name: "Dune"})");
    for (int i = 1; i <= item_count; ++i) {
      Create("Book", fmt::format(R"({{OwnerId: "O1", LibraryId: "l1", ItemId: "i{}", Title: "T{}",
                                      CollectionId: "c1", Order: {}}})",
                                 i, i, i));
    }
  }

  std::unique_ptr<Maintainer> maintainer_;
};
TRESTLE_ON_EVERY_BACKEND(MaintainTest);
TRESTLE_ALSO_WITHOUT_TRANSACTIONS(MaintainTest);

constexpr std::string_view kItem1 = R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1"})";
constexpr std::string_view kCollection = R"({OwnerId: "O1", LibraryId: "l1", CollectionId: "c1"})";

// T16: the copy changes, and the index key that is made from it; the version does not.
TEST_P(MaintainTest, ARenameReachesEveryCopy) {
  MakeLibrary(3);
  Create("Book", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "alone", Title: "Emma"})");
  Start();
  Update("Collection", kCollection, R"({Name: "Arrakis"})");
  Update("Library", R"({OwnerId: "O1", LibraryId: "l1"})", R"({LibraryName: "Attic"})");
  Update("Owner", R"({OwnerId: "O1"})", R"({OwnerName: "Ada L."})");
  Drain();
  EXPECT_EQ(At("Book", kItem1, "CollectionName"), "Arrakis");
  EXPECT_EQ(At("Book", kItem1, "LibraryName"), "Attic");
  EXPECT_EQ(At("Book", kItem1, "OwnerName"), "Ada L.");
  EXPECT_EQ(RawAt("owner#O1", "library#l1#item#i1", "GSI1SK"), "item#Arrakis#00001#T1");
  EXPECT_EQ(RawAt("owner#O1", "library#l1#item#i1", "Version"), "1");
  EXPECT_EQ(RawAt("owner#O1", "library#l1#item#alone", "CollectionName"), "absent");
}

// Who follows the rename may have passed the item by, or not have found it.
TEST_P(MaintainTest, WhatMovesCopiesAnew) {
  MakeLibrary(1);
  Create("Library", R"({OwnerId: "O1", LibraryId: "l2", LibraryName: "Away"})");
  Update("Owner", R"({OwnerId: "O1"})", R"({OwnerName: "Ada L."})");
  Update("Book", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1"})",
         R"({LibraryId: "l2", CollectionId: null, Order: null})");
  EXPECT_EQ(At("Book", R"({OwnerId: "O1", LibraryId: "l2", ItemId: "i1"})", "OwnerName"), "Ada L.");
}

TEST_P(MaintainTest, ACascadeTakesEverythingAndItsJobGoesLast) {
  Use("books");
  Create("UserMetadata", R"({userId: "u1"})");
  for (const std::string_view book : {"b1", "b2"}) {
    Create("Book", fmt::format(R"({{userId: "u1", id: "{}", title: "T"}})", book));
    for (int i = 0; i < 30; ++i) {
      Create("Note", fmt::format(R"({{userId: "u1", bookId: "{}", content: "c"}})", book));
      Create("ReadingEvent", fmt::format(R"({{userId: "u1", bookId: "{}", page: 1}})", book));
    }
    Create("DayStat", fmt::format(R"({{userId: "u1", bookId: "{}", date: "2026-01-01", pages: 1,
                                       events: 1}})",
                                  book));
  }
  Start();
  Delete("Book", R"({userId: "u1", id: "b1"})");
  Drain();
  EXPECT_EQ(CountOf("Note"), 30U);
  EXPECT_EQ(CountOf("ReadingEvent"), 30U);
  EXPECT_EQ(CountOf("DayStat"), 1U);
  EXPECT_EQ(At("UserMetadata", R"({userId: "u1"})", "counts.SHELF"), "1");
  Delete("UserMetadata", R"({userId: "u1"})");
  Drain();
  EXPECT_TRUE(Dump().empty());
  EXPECT_EQ(InternalKeys("job#"), Texts{});
}

// T13: shares are in other partitions, and events below items.
TEST_P(MaintainTest, ALibraryGoesWithAllThatIsInIt) {
  MakeLibrary(3);
  Create("LendingEvent", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i1", Type: "LENT",
                             Event: "Bob"})");
  Create("Library", R"({OwnerId: "O1", LibraryId: "l2", LibraryName: "Other"})");
  Create("Book", R"({OwnerId: "O1", LibraryId: "l2", ItemId: "k", Title: "Kept"})");
  RunOperation("shareLibrary",
               R"({OwnerId: "O1", LibraryId: "l1", email: "b@b.c", SharedToId: "O2"})");
  Start();
  Delete("Library", R"({OwnerId: "O1", LibraryId: "l1"})");
  Drain();
  EXPECT_EQ(CountOf("Book"), 1U);
  EXPECT_EQ(CountOf("LendingEvent"), 0U);
  EXPECT_EQ(CountOf("Collection"), 0U);
  EXPECT_EQ(CountOf("SharedLibrary"), 0U);
  EXPECT_EQ(CountOf("Library"), 1U);
  EXPECT_EQ(At("Owner", R"({OwnerId: "O1"})", "LibraryCount"), "1");
  EXPECT_EQ(InternalKeys("job#"), Texts{});
  EXPECT_EQ(InternalKeys("unique#"), Texts{}) << "the collection's name is free again";
}

TEST_P(MaintainTest, DetachedItemsStay) {
  MakeLibrary(3);
  Start();
  Delete("Collection", kCollection);
  Drain();
  EXPECT_EQ(At("Book", kItem1, "Title"), "T1");
  EXPECT_EQ(At("Book", kItem1, "CollectionId"), "absent");
  EXPECT_EQ(At("Book", kItem1, "CollectionName"), "absent");
  EXPECT_EQ(At("Book", kItem1, "Order"), "absent");
  EXPECT_EQ(RawAt("owner#O1", "library#l1#item#i1", "GSI1SK"), "item#T1");
  EXPECT_EQ(At("Library", R"({OwnerId: "O1", LibraryId: "l1"})", "TotalItems"), "3");
}

// Who comes to where somebody was must not get what is still to be taken away from there.
TEST_P(MaintainTest, NobodyInheritsWhatIsStillToGo) {
  Use("notes");
  const auto make = [&](std::string_view email, std::string_view id) {
    Create("User", fmt::format(R"({{id: "{}", email: "{}", name: "N"}})", id, email));
    for (int i = 0; i < 120; ++i)
      Create("Note", fmt::format(R"({{email: "{}", id: "{}-{}", title: "T"}})", email, id, i));
  };
  make("a@b.c", "s1");
  // No maintainer runs: all notes are still where they were.
  RunOperation("changeEmail", R"({email: "a@b.c", newEmail: "new@b.c"})");
  EXPECT_EQ(InternalKeys("job#").size(), 1U);
  make("a@b.c", "s2");
  EXPECT_EQ(At("User", R"({email: "a@b.c"})", "counts.open"), "120");
  EXPECT_EQ(At("Note", R"({email: "new@b.c", id: "s1-7"})", "userId"), "s1");

  Delete("User", R"({email: "a@b.c"})");
  RunOperation("changeEmail", R"({email: "new@b.c", newEmail: "a@b.c"})");
  Start();
  Drain();
  EXPECT_EQ(CountOf("Note"), 120U);
  EXPECT_EQ(At("User", R"({email: "a@b.c"})", "counts.open"), "120");
  EXPECT_EQ(At("Note", R"({email: "a@b.c", id: "s1-7"})", "userId"), "s1");
}

// T40: more notes than a transaction holds move one by one, and are counted once.
TEST_P(MaintainTest, ManyNotesFollowAnEmail) {
  Use("notes");
  Create("User", R"({id: "s1", email: "old@b.c", name: "Ada"})");
  for (int i = 0; i < 120; ++i) {
    Create("Note", fmt::format(R"({{email: "old@b.c", id: "n{}", title: "T", done: {},
                                    deadline: "2026-01-{:02}"}})",
                               i, i % 3 == 0, i % 28 + 1));
  }
  Start();
  RunOperation("changeEmail", R"({email: "old@b.c", newEmail: "new@b.c"})");
  Drain();
  EXPECT_EQ(CountOf("Note"), 120U);
  for (const std::string& key : Keys())
    EXPECT_FALSE(key.starts_with("USER#old@b.c")) << key;
  EXPECT_EQ(At("User", R"({email: "new@b.c"})", "counts.open"), "80");
  EXPECT_EQ(At("User", R"({email: "new@b.c"})", "counts.done"), "40");
  EXPECT_EQ(At("Note", R"({email: "new@b.c", id: "n7"})", "email"), "new@b.c");
  EXPECT_EQ(InternalKeys("job#"), Texts{});

  // The user is gone when the notes are: they are found by their keys.
  Delete("User", R"({email: "new@b.c"})");
  Drain();
  EXPECT_TRUE(Dump().empty());
}

// Notes that are still on their way to a user who has gone on are not left to the next one there.
TEST_P(MaintainTest, NotesFollowAUserWhoGoesOn) {
  constexpr int kNotes = 60;  // more than go along at once
  Use("notes");
  Create("User", R"({id: "s1", email: "a@x.y", name: "Ann"})");
  for (int i = 0; i < kNotes; ++i)
    Create("Note", fmt::format(R"({{email: "a@x.y", id: "n{}", title: "T"}})", i));
  Update("User", R"({email: "a@x.y"})", R"({email: "b@x.y"})");
  Update("User", R"({email: "b@x.y"})", R"({email: "c@x.y"})");
  Create("User", R"({id: "s2", email: "b@x.y", name: "Bob"})");
  Start();
  Drain();
  std::map<std::string, int> notes;
  for (const value::Item& item : Scan()) {
    const auto typed = runtime().Recognise(item.view());
    if (!typed || typed->kind.entity != &entity("Note")) continue;
    ++notes[TextOf(typed->record.Find("email")) + " " + TextOf(typed->record.Find("userId"))];
  }
  EXPECT_EQ(notes, (std::map<std::string, int>{{"c@x.y s1", kNotes}}));
  EXPECT_TRUE(InternalKeys("job#").empty());
  EXPECT_EQ(RawAt("USER#c@x.y", "PROFILE", "~arriving"), "absent");
}

TEST_P(MaintainTest, ChildrenOfChildrenMoveAlong) {
  UseText(R"(design tenants version 1

table "t" {
  key PK, SK
  discriminate by key
}
entity Tenant {
  key pk "TENANT#{tenant}" sk "META"
  rekey on (tenant)
  tenant : id
}
entity Project {
  key pk "TENANT#{tenant}" sk "PROJECT#{project}"
  rekey on (tenant)
  tenant  : id
  project : id immutable
  belongs_to Tenant by (tenant) {
    must_exist
    on_rekey move
    through projectsOfTenant
  }
}
entity Task {
  key pk "PROJECT#{tenant}#{project}" sk "TASK#{task}"
  rekey on (tenant)
  tenant  : id
  project : id immutable
  task    : id immutable
  belongs_to Project by (tenant, project) {
    must_exist
    on_rekey move
    through tasksOfProject
  }
}
access projectsOfTenant(tenant) -> Project* = query table pk "TENANT#{tenant}" sk begins "PROJECT#"
access tasksOfProject(tenant, project) -> Task* =
  query table pk "PROJECT#{tenant}#{project}" sk begins "TASK#"
)");
  Create("Tenant", R"({tenant: "a"})");
  Create("Project", R"({tenant: "a", project: "p"})");
  Create("Task", R"({tenant: "a", project: "p", task: "t"})");
  Start();
  Update("Tenant", R"({tenant: "a"})", R"({tenant: "b"})");
  Drain();
  EXPECT_EQ(InternalKeys("job#"), Texts{});
  EXPECT_EQ(Dump().size(), 3U);
  EXPECT_TRUE(Get("Task", R"({tenant: "b", project: "p", task: "t"})"));
  EXPECT_EQ(RawAt("TENANT#b", "PROJECT#p", "~arriving"), "absent");
}

TEST_P(MaintainTest, AveragesAreStored) {
  Use("watch");
  Create("User", R"({userId: "u1", email: "a@b.c", username: "ada"})");
  Create("User", R"({userId: "u2", email: "b@b.c", username: "bob"})");
  Create("Movie", R"({movieId: "m1", title: "M", createdBy: "u1"})");
  Start();
  Create("Rating", R"({userId: "u1", contentType: "MOVIE", contentId: "m1", rating: 7})");
  Create("Rating", R"({userId: "u2", contentType: "MOVIE", contentId: "m1", rating: 8})");
  Drain();
  EXPECT_EQ(RawAt("MOVIE#m1", "METADATA", "rating"), "7.5");
  Update("Rating", R"({userId: "u2", contentType: "MOVIE", contentId: "m1"})", R"({rating: 10})");
  Drain();
  EXPECT_EQ(RawAt("MOVIE#m1", "METADATA", "rating"), "8.5");
  Delete("Rating", R"({userId: "u1", contentType: "MOVIE", contentId: "m1"})");
  Delete("Rating", R"({userId: "u2", contentType: "MOVIE", contentId: "m1"})");
  Drain();
  EXPECT_EQ(RawAt("MOVIE#m1", "METADATA", "rating"), "absent");
}

// An expired notification took part in no transaction; its count goes once, however often the
// change is read.
TEST_P(MaintainTest, ExpiryIsCountedOnce) {
  if (!has_fixed_clock()) GTEST_SKIP() << "the time of an endpoint is its own";
  Use("stories");
  Create("User", R"({userId: "u1", displayName: "Ada"})");
  for (const std::string_view id : {"n1", "n2", "n3"}) {
    Create("Notification", fmt::format(R"({{userId: "u1", notificationId: "{}", type: "UPVOTE",
                                            title: "T", message: "M"}})",
                                       id));
    Advance(24LL * 60 * 60 * 1000);
  }
  EXPECT_EQ(At("User", R"({userId: "u1"})", "unreadCount"), "3");
  Start();
  Advance(179LL * 24 * 60 * 60 * 1000 - 12LL * 60 * 60 * 1000);
  ASSERT_TRUE(Eventually([&] { return CountOf("Notification") == 1; }));
  Drain();
  EXPECT_EQ(At("User", R"({userId: "u1"})", "unreadCount"), "1");
  Drain();
  EXPECT_EQ(InternalKeys("expiry#"), Texts{}) << "the marks are forgotten behind the position";
}

// Every change again, from the oldest: nothing is different afterwards.
TEST_P(MaintainTest, AReplayedStreamChangesNothing) {
  MakeLibrary(5);
  Start();
  Update("Collection", kCollection, R"({Name: "Arrakis"})");
  Delete("Book", kItem1);
  Drain();
  Update("Collection", kCollection, R"({Name: "Caladan"})");
  Drain();
  Stop();
  const auto before = Dump();
  const value::Item position = InternalKey(runtime().model(), "position#maintainer");
  ASSERT_TRUE(
      backend()
          .Write({.kind = ActionKind::kDelete, .table = runtime().table(), .item = position})
          .ok());
  Start();
  Drain();
  EXPECT_EQ(Dump(), before);
}

TEST_P(MaintainTest, GoesOnWhereItStopped) {
  MakeLibrary(3);
  Start();
  Drain();
  Stop();
  Update("Collection", kCollection, R"({Name: "Arrakis"})");
  Delete("Book", kItem1);
  Start();
  Drain();
  EXPECT_EQ(At("Book", R"({OwnerId: "O1", LibraryId: "l1", ItemId: "i2"})", "CollectionName"),
            "Arrakis");
}

// Issue 4 (4): nobody's edit is lost, and every copy arrives.
TEST_P(MaintainTest, ARenameOfAThousandItemsConvergesUnderEdits) {
  constexpr int kItems = 1000;
  MakeLibrary(kItems);
  Start();
  std::atomic<bool> is_over = false;
  std::map<int, int> edits;
  std::atomic<int> edit_count = 0;
  std::thread editor([&] {
    for (int i = 0; !is_over; i = (i + 37) % kItems) {
      const int number = i + 1;
      const auto updated = runtime().Update(
          entity("Book"),
          RecordOf(fmt::format(R"({{OwnerId: "O1", LibraryId: "l1", ItemId: "i{}"}})", number)),
          SetOf(fmt::format(R"({{Summary: "edit {}"}})", ++edits[number])));
      EXPECT_TRUE(updated.ok()) << updated.error().message();
      ++edit_count;
    }
  });
  Update("Collection", kCollection, R"({Name: "Arrakis"})");
  Update("Collection", kCollection, R"({Name: "Caladan"})");
  while (edit_count < 500)
    std::this_thread::yield();
  is_over = true;
  editor.join();
  Drain();
  for (const value::Item& item : Scan()) {
    const auto typed = runtime().Recognise(item.view());
    if (!typed || typed->kind.entity != &entity("Book")) continue;
    EXPECT_EQ(typed->record.FindText("CollectionName"), "Caladan");
    const int number = std::stoi(std::string(*typed->record.FindText("ItemId")).substr(1));
    if (edits.contains(number)) {
      EXPECT_EQ(typed->record.FindText("Summary"), fmt::format("edit {}", edits[number]));
      EXPECT_EQ(typed->version, 1 + edits[number]);
    }
  }
  EXPECT_EQ(At("Collection", kCollection, "ItemCount"), "1000");
}

}  // namespace
}  // namespace trestle::design::testing
