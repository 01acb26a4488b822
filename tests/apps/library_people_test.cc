// The media library among people: lending, sharing, and what belongs to somebody.

#include <algorithm>
#include <atomic>
#include <cctype>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/library_fixture.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/values.h"
#include "value/item_codec.h"

namespace trestle::apps::testing {
namespace {

class LibraryPeopleTest : public LibraryFixture {};

// As the table has it.
std::string OwnerIdOf(std::string sub) {
  std::erase(sub, '-');
  std::ranges::transform(sub, sub.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return sub;
}

TRESTLE_ON_EVERY_BACKEND(LibraryPeopleTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(LibraryPeopleTest);

TEST_P(LibraryPeopleTest, LendingAndReturningIsHistory) {
  const std::string library = AddLibrary("ann");
  const std::string book = AddBook("ann", library, "Emma");
  const Answer lent = As("ann").Post(
      book + "/events",
      R"({"type": "LENT", "borrower": " Paul ", "dueDate": "2026-03-01", "note": "soon"})");
  ASSERT_EQ(lent.status, 201) << lent.body;
  EXPECT_EQ(lent.At("type"), "LENT");
  EXPECT_EQ(lent.At("borrower"), "Paul");
  EXPECT_EQ(lent.At("dueDate"), "2026-03-01");
  EXPECT_EQ(lent.At("item.lentTo"), "Paul");
  EXPECT_EQ(lent.At("item.lentAt"), lent.At("at"));
  const Answer again = As("ann").Post(book + "/lend", R"({"borrower": "Zoe"})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.Code(), "already-lent");
  EXPECT_EQ(As("ann").Delete(book).Code(), "already-lent");
  EXPECT_EQ(As("ann").Delete(book + "/events").Code(), "already-lent");
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get(library + "/items?lent=true").Count("items"), 1U);
  EXPECT_EQ(As("ann").Get(library + "/items?lent=false").Count("items"), 0U);
  Advance(3LL * 24 * 3600 * 1000);
  EXPECT_EQ(As("ann").Post(book + "/return", R"({"borrower": "Zoe"})").Code(), "not-lent");
  const Answer returned = As("ann").Post(book + "/return");
  ASSERT_EQ(returned.status, 201) << returned.body;
  EXPECT_EQ(returned.At("item.lentTo"), "absent");
  EXPECT_EQ(returned.At("item.dueDate"), "absent");
  EXPECT_EQ(As("ann").Post(book + "/return").Code(), "not-lent");
  EXPECT_EQ(As("ann").Post(book + "/events", R"({"type": "RETURNED"})").Code(), "not-lent");
  LetIndexesFollow();
  const Answer history = As("ann").Get(book + "/events");
  EXPECT_EQ(All(history, "type"), "RETURNED|LENT|");
  EXPECT_EQ(history.At("items[0].days"), "3");
  EXPECT_EQ(All(As("ann").Get(book + "/events?order=asc"), "type"), "LENT|RETURNED|");
  for (const std::string_view body :
       {R"({})", R"({"type": "LENT"})", R"({"type": "LENT", "borrower": "  "})",
        R"({"type": "LOST", "borrower": "x"})", R"({"type": "LENT", "borrower": "x", "a": 1})",
        R"({"type": "LENT", "borrower": "x", "dueDate": "2026-02-30"})"})
    EXPECT_EQ(As("ann").Post(book + "/events", body).status, 400) << body;
  EXPECT_EQ(As("ann").Delete(book + "/events").status, 204);
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get(book + "/events").Count("items"), 0U);
  // Two in one millisecond are two.
  EXPECT_EQ(As("ann").Post(book + "/lend", R"({"borrower": "Zoe"})").status, 201);
  EXPECT_EQ(As("ann").Post(book + "/return").status, 201);
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get(book + "/events").Count("items"), 2U);
  EXPECT_EQ(As("ann").Post(book + "/lend", R"({"borrower": "Zoe"})").status, 201);
  EXPECT_EQ(As("ann").Delete(book + "?force=true").status, 204);
}

TEST_P(LibraryPeopleTest, OneOfManyWhoLendTheSameThingAtOnceDoesIt) {
  const std::string library = AddLibrary("ann");
  const std::string book = AddBook("ann", library, "Emma");
  std::atomic<int> done = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const Answer answer =
          As("ann").Post(book + "/lend", fmt::format(R"({{"borrower": "b{}"}})", i));
      if (answer.status == 201) ++done;
      if (answer.status == 409 && answer.Code() == "already-lent") ++refused;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(done.load(), 1);
  EXPECT_EQ(refused.load(), 7);
  LetIndexesFollow();
  const Answer history = As("ann").Get(book + "/events");
  ASSERT_EQ(history.Count("items"), 1U);
  EXPECT_EQ(As("ann").Get(book).At("lentTo"), history.At("items[0].borrower"));
}

TEST_P(LibraryPeopleTest, LoansAreListedByBorrower) {
  const std::string library = AddLibrary("ann");
  const std::string first = AddBook("ann", library, "Emma");
  const std::string second = AddBook("ann", library, "Dracula");
  const std::string third = AddBook("ann", library, "Ulysses");
  As("ann").Post(first + "/lend", R"({"borrower": "Zoë", "dueDate": "2026-01-05"})");
  As("ann").Post(second + "/lend", R"({"borrower": "paul", "dueDate": "2026-01-20"})");
  As("ann").Post(third + "/lend", R"({"borrower": "Paul"})");
  LetIndexesFollow();
  EXPECT_EQ(All(As("ann").Get("/loans"), "borrower"), "paul|Paul|Zoë|");
  EXPECT_EQ(As("ann").Get("/loans?state=overdue").Count("items"), 0U);
  Advance(4LL * 24 * 3600 * 1000);  // 2026-01-06T03:04 in UTC
  const Answer late = As("ann").Get("/loans?state=overdue");
  EXPECT_EQ(All(late, "item.title"), "Emma|") << late.body;
  EXPECT_EQ(late.At("items[0].days"), "4");
  EXPECT_EQ(late.At("items[0].overdue"), "true");
  EXPECT_EQ(As("ann").Get("/loans?state=overdue&tz=America/New_York").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get("/loans?borrower=PAUL").Count("items"), 2U);
  EXPECT_EQ(As("ann").Get("/loans?borrower=zoe").Count("items"), 1U);
  As("ann").Post(first + "/return");
  LetIndexesFollow();
  EXPECT_EQ(As("ann").Get("/loans").Count("items"), 2U);
  const Answer all = As("ann").Get("/loans?state=all");
  EXPECT_EQ(all.Count("items"), 3U);
  EXPECT_NE(all.At("items[2].returnedAt"), "absent") << all.body;
  EXPECT_EQ(As("bob").Get("/loans?state=all").Count("items"), 0U);
}

TEST_P(LibraryPeopleTest, AnItemMovesWithItsHistory) {
  const std::string from = AddLibrary("ann");
  const std::string to = AddLibrary("ann", "Attic");
  const std::string collection = AddCollection("ann", from, "Old");
  const std::string target = AddCollection("ann", to, "New");
  const std::string book = AddBook("ann", from, "Emma", collection);
  As("ann").Post(book + "/lend", R"({"borrower": "Paul"})");
  const Answer moved = As("ann").Post(
      book + "/move",
      fmt::format(R"({{"libraryId": "{}", "collectionId": "{}"}})", IdOf(to), IdOf(target)));
  ASSERT_EQ(moved.status, 200) << moved.body;
  EXPECT_EQ(moved.At("libraryName"), "Attic");
  EXPECT_EQ(moved.At("collectionName"), "New");
  EXPECT_EQ(moved.At("order"), "1");
  EXPECT_EQ(moved.At("lentTo"), "Paul");
  Settle();
  const std::string path = to + "/items/" + IdOf(book);
  EXPECT_EQ(As("ann").Get(book).status, 404);
  EXPECT_EQ(As("ann").Get(path + "/events").Count("items"), 1U);
  EXPECT_EQ(As("ann").Get(from).At("totalItems"), "0");
  EXPECT_EQ(As("ann").Get(to).At("totalItems"), "1");
  EXPECT_EQ(As("ann").Get(collection).At("itemCount"), "0");
  EXPECT_EQ(As("ann").Get(target).At("itemCount"), "1");
  const Answer back =
      As("ann").Post(path + "/move", fmt::format(R"({{"libraryId": "{}"}})", IdOf(from)));
  EXPECT_EQ(back.At("collectionId"), "absent") << back.body;
  EXPECT_EQ(back.At("order"), "absent");
  const std::string others = AddLibrary("bob");
  EXPECT_EQ(
      As("ann").Post(book + "/move", fmt::format(R"({{"libraryId": "{}"}})", IdOf(others))).status,
      404);
}

TEST_P(LibraryPeopleTest, ALibraryIsSharedWithNamedPeople) {
  const std::string ann = SignUp("ann");
  const std::string bob = SignUp("bob");
  const std::string library = AddLibrary(ann, "Mine");
  AddLibrary(bob, "Own");
  const auto share = [&](std::string_view email) {
    return As(ann).Post(library + "/shares", fmt::format(R"({{"email": "{}"}})", email));
  };
  EXPECT_EQ(share("nobody@example.org").Code(), "user-not-found");
  EXPECT_EQ(share("nobody@example.org").status, 404);
  EXPECT_EQ(share("ann@example.org").status, 422);
  EXPECT_EQ(share("no address").status, 400);
  const Answer shared = share("Bob@Example.org");
  ASSERT_EQ(shared.status, 201) << shared.body;
  EXPECT_EQ(shared.At("email"), "bob@example.org");
  EXPECT_EQ(share("bob@example.org").Code(), "already-exists");
  LetIndexesFollow();
  EXPECT_EQ(As(ann).Get(library + "/shares").At("items[0].email"), "bob@example.org");
  EXPECT_EQ(As(ann).Get(library).At("sharedTo"), "[bob@example.org]");

  const Answer seen = As(bob).Get("/libraries");
  EXPECT_EQ(All(seen, "libraryName"), "Own|Mine|");
  EXPECT_EQ(seen.At("items[1].sharedFrom"), ann);  // the name that the token says
  EXPECT_EQ(seen.At("items[1].sharedTo"), "absent");
  EXPECT_EQ(All(As(bob).Get("/libraries?scope=shared"), "libraryName"), "Mine|");
  EXPECT_EQ(All(As(bob).Get("/libraries?scope=own"), "libraryName"), "Own|");

  EXPECT_EQ(As(ann).Delete(library).Code(), "still-shared");
  EXPECT_EQ(As(ann).Delete(library + "/shares/bob@example.org").status, 204);
  EXPECT_EQ(As(ann).Delete(library + "/shares/bob@example.org").status, 404);
  EXPECT_EQ(As(bob).Get(library).status, 404);
  EXPECT_EQ(As(ann).Get(library).At("sharedTo"), "[]");

  share("bob@example.org");
  EXPECT_EQ(As(bob).Delete("/shared-libraries/" + IdOf(library)).status, 204);
  EXPECT_EQ(As(bob).Delete("/shared-libraries/" + IdOf(library)).status, 404);
  EXPECT_EQ(As(ann).Get(library).At("sharedTo"), "[]");

  share("bob@example.org");
  EXPECT_EQ(
      As(ann)
          .Post(library + "/shares:remove", R"({"emails": ["bob@example.org", "eve@example.org"]})")
          .status,
      204);
  EXPECT_EQ(As(bob).Get("/libraries?scope=shared").Count("items"), 0U);

  share("bob@example.org");
  EXPECT_EQ(As(ann).Delete(library + "?unshare=true").status, 204);
  Settle();
  EXPECT_EQ(As(bob).Get("/libraries?scope=shared").Count("items"), 0U);
}

TEST_P(LibraryPeopleTest, SharesFollowAnAccountsNewAddress) {
  const std::string ann = SignUp("ann");
  const std::string bob = SignUp("bob");
  const std::string library = AddLibrary(ann, "Mine");
  Share(ann, library, "bob@example.org");
  // As many people as a library can have.
  std::vector<std::string> emails = {"bob@example.org"};
  for (int i = 1; i < 50; ++i)
    emails.push_back(fmt::format("friend{}@example.org", i));
  design::Record texts;
  platform::SetTexts(texts, "SharedTo", emails);
  design::Changes changes;
  changes.set.push_back({{{}, {"SharedTo"}}, std::string(texts.Find("SharedTo")->bytes())});
  const auto filled = runtime().Update(
      *runtime().model().FindEntity("Library"),
      platform::TextRecord({{"OwnerId", OwnerIdOf(ann)}, {"LibraryId", IdOf(library)}}), changes);
  ASSERT_TRUE(filled.ok()) << filled.error().message();

  const platform::Person person{.sub = bob, .email = "robert@example.org", .name = "bob"};
  for (int i = 0; i < 2; ++i) {  // a change may be told twice
    const Status told = Library().people.account_changed(*host().FindMount("library"), person);
    ASSERT_TRUE(told.ok()) << told.error().message();
  }
  LetIndexesFollow();
  EXPECT_EQ(As(ann).Get(library + "/shares").At("items[0].email"), "robert@example.org");
  const Answer shown = As(ann).Get(library);
  EXPECT_EQ(shown.Count("sharedTo"), 50U);
  EXPECT_EQ(shown.At("sharedTo[49]"), "robert@example.org");
  EXPECT_EQ(As(bob).Get(library).status, 200);
  EXPECT_EQ(As(ann).Delete(library + "/shares/robert@example.org").status, 204);
  EXPECT_EQ(As(bob).Get(library).status, 404);
  EXPECT_EQ(As(ann).Get(library).Count("sharedTo"), 49U);
}

TEST_P(LibraryPeopleTest, SharesAreNotLostWhenManyComeAndGoAtOnce) {
  const std::string ann = SignUp("ann");
  const std::string library = AddLibrary(ann);
  std::vector<std::string> people;
  for (int i = 0; i < 4; ++i) {
    people.push_back(fmt::format("p{}", i));
    SignUp(people.back());
  }
  Share(ann, library, "p0@example.org");
  Share(ann, library, "p1@example.org");
  std::vector<std::thread> threads;
  threads.reserve(people.size());
  for (std::size_t i = 0; i < people.size(); ++i) {
    threads.emplace_back([&, i] {
      const std::string email = people[i] + "@example.org";
      if (i < 2) {
        EXPECT_EQ(As(ann).Delete(library + "/shares/" + email).status, 204);
      } else {
        Share(ann, library, email);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const Answer left = As(ann).Get(library);
  EXPECT_EQ(left.Count("sharedTo"), 2U) << left.body;
  LetIndexesFollow();
  EXPECT_EQ(As(ann).Get(library + "/shares").Count("items"), 2U);
}

TEST_P(LibraryPeopleTest, WhoMayDoWhat) {
  const std::string ann = SignUp("ann");
  const std::string bob = SignUp("bob");
  const std::string library = AddLibrary(ann);
  const std::string collection = AddCollection(ann, library, "Series");
  const std::string book = AddBook(ann, library, "Emma", collection);
  As(ann).Post(book + "/lend", R"({"borrower": "Paul"})");
  Share(ann, library, "bob@example.org");
  struct Try {
    std::string_view method;
    std::string path;
    std::string_view body = {};
  };
  const std::vector<Try> reads = {{"GET", library},
                                  {"GET", library + "/items"},
                                  {"GET", library + "/items?view=flat"},
                                  {"GET", book},
                                  {"GET", library + "/collections"},
                                  {"GET", collection},
                                  {"GET", collection + "/items"}};
  const std::vector<Try> writes = {
      {"PATCH", library, R"({"description": "x"})"},
      {"DELETE", library},
      {"POST", library + "/books", R"({"title": "x"})"},
      {"POST", library + "/videos", R"({"title": "x"})"},
      {"PATCH", book, R"({"title": "x"})"},
      {"DELETE", book},
      {"POST", book + "/move", R"({"libraryId": "x"})"},
      {"POST", book + "/events", R"({"type": "RETURNED"})"},
      {"POST", book + "/lend", R"({"borrower": "x"})"},
      {"POST", book + "/return"},
      {"GET", book + "/events"},
      {"DELETE", book + "/events"},
      {"POST", library + "/collections", R"({"name": "x"})"},
      {"PATCH", collection, R"({"name": "x"})"},
      {"DELETE", collection},
      {"PUT", collection + "/order", R"({"items": []})"},
      {"GET", library + "/shares"},
      {"POST", library + "/shares", R"({"email": "eve@example.org"})"},
      {"DELETE", library + "/shares/bob@example.org"},
      {"POST", library + "/shares:remove", R"({"emails": ["bob@example.org"]})"}};
  const auto status = [&](const Person& person, const Try& it) {
    const Answer answer = person.Send(it.method, it.path, it.body, {});
    return answer.status;
  };
  for (const Try& it : reads) {
    EXPECT_EQ(status(Nobody(), it), 401) << it.method << it.path;
    EXPECT_EQ(status(As("eve"), it), 404) << it.method << it.path;
    EXPECT_EQ(status(As(bob), it), 200) << it.method << it.path;
    EXPECT_EQ(status(As(ann), it), 200) << it.method << it.path;
  }
  for (const Try& it : writes) {
    EXPECT_EQ(status(Nobody(), it), 401) << it.method << it.path;
    EXPECT_EQ(status(As("eve", "admin"), it), 404) << it.method << it.path;
    EXPECT_EQ(status(As(bob), it), 403) << it.method << it.path;
  }
  for (const std::string_view path :
       {"/me", "/libraries", "/items", "/loans", "/search?q=x", "/export", "/live"})
    EXPECT_EQ(Nobody().Get(path).status, 401) << path;
  EXPECT_EQ(As("eve").Delete("/shared-libraries/" + IdOf(library)).status, 404);
  EXPECT_EQ(As("eve").Get("/libraries/a%23b").status, 404);

  // That it is lent, but not to whom.
  EXPECT_EQ(As(bob).Get(book).At("lent"), "true");
  EXPECT_EQ(As(bob).Get(book).At("lentTo"), "absent");
  EXPECT_EQ(As(bob).Get(library + "/items").body.find("Paul"), std::string::npos);
  EXPECT_EQ(As(ann).Patch(library, R"({"showBorrower": true})").status, 200);
  EXPECT_EQ(As(bob).Get(book).At("lentTo"), "Paul");
  EXPECT_EQ(As(ann).Get(book).At("title"), "Emma");
  EXPECT_EQ(As(ann).Get(library).Count("sharedTo"), 1U);
}

TEST_P(LibraryPeopleTest, WhatIsSharedCanBeFoundUntilItIsNot) {
  const std::string ann = SignUp("ann");
  const std::string bob = SignUp("bob");
  const std::string library = AddLibrary(ann);
  As(ann).Post(library + "/books",
               R"({"title": "The Dispossessed", "authors": ["Ursula K. Le Guin"]})");
  AddCollection(ann, library, "Hainish cycle");
  const auto found = [&](std::string_view sub, std::string_view query) {
    return All(As(sub).Get(fmt::format("/search?{}", query)), "type");
  };
  Settle();
  EXPECT_TRUE(Eventually([&] { return found(ann, "q=dispossesed") == "book|"; }));
  EXPECT_EQ(found(ann, "q=le%20guin"), "book|");
  EXPECT_EQ(found(ann, "q=hainish"), "collection|");
  EXPECT_EQ(found(ann, "q=hainish&type=book"), "");
  EXPECT_EQ(found(bob, "q=dispossessed"), "");
  EXPECT_EQ(All(As(ann).Post("/search", R"({"terms": ["ursula", "disposs"]})"), "item.title"),
            "The Dispossessed|");
  Share(ann, library, "bob@example.org");
  EXPECT_EQ(found(bob, "q=dispossessed"), "book|");
  EXPECT_EQ(found(bob, "q=dispossessed&scope=own"), "");
  EXPECT_EQ(found(bob, "q=dispossessed&scope=shared"), "book|");
  As(ann).Delete(library + "/shares/bob@example.org");
  EXPECT_EQ(found(bob, "q=dispossessed"), "");
}

TEST_P(LibraryPeopleTest, APersonTakesAllAlongOrLeavesNothing) {
  const std::string ann = SignUp("ann");
  const std::string bob = SignUp("bob");
  const std::string library = AddLibrary(ann);
  const std::string book = AddBook(ann, library, "Emma");
  As(ann).Post(book + "/lend", R"({"borrower": "Paul"})");
  Share(ann, library, "bob@example.org");
  const std::string others = AddLibrary(bob, "Others");
  Share(bob, others, "ann@example.org");
  LetIndexesFollow();
  const Answer all = As(ann).Get("/export");
  EXPECT_EQ(all.Count("entities.Book"), 1U) << all.body;
  EXPECT_EQ(all.Count("entities.LendingEvent"), 1U);
  EXPECT_EQ(all.Count("entities.SharedLibrary"), 2U);
  EXPECT_EQ(EraseMe(As(ann)), "DONE");
  EXPECT_EQ(As(bob).Get("/libraries?scope=shared").Count("items"), 0U);
  EXPECT_EQ(As(bob).Get(others).At("sharedTo"), "[]");
  const Answer nothing = As(ann).Get("/export");
  EXPECT_EQ(nothing.At("entities.Book"), "absent") << nothing.body;
  EXPECT_EQ(nothing.At("entities.Library"), "absent");
  EXPECT_EQ(nothing.At("entities.LendingEvent"), "absent");
}

}  // namespace
}  // namespace trestle::apps::testing
