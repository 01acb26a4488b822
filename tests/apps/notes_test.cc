#include <atomic>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"
#include "apps/notes/notes_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

// It is 2026-01-02T03:04:05.678Z at the beginning of each test.
class NotesTest : public AppFixture {
 protected:
  NotesTest() { Use(Notes()); }

  // Its path.
  std::string Add(std::string_view sub, std::string_view body) {
    const Answer answer = As(sub).Post("/notes", body);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/notes/" + answer.At("id");
  }
  std::string AddDue(std::string_view sub, std::string_view title, std::string_view deadline) {
    return Add(sub, fmt::format(R"({{"title": "{}", "deadline": "{}"}})", title, deadline));
  }

  static std::string TitlesOf(const Answer& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    std::string titles;
    for (std::size_t i = 0; i < answer.Count("items"); ++i)
      titles += answer.At(fmt::format("items[{}].title", i)) + " ";
    return titles;
  }
  std::string Titles(std::string_view sub, std::string_view path) {
    return TitlesOf(As(sub).Get(path));
  }

  // All items of the table that have this text in them.
  std::size_t CountStored(std::string_view text) {
    std::size_t count = 0;
    design::ReadPage read{.table = runtime().table(), .is_consistent = true};
    do {
      const auto page = backend().Read(read);
      EXPECT_TRUE(page.ok());
      for (const value::Item& item : page->items)
        if (item.bytes().find(text) != std::string::npos) ++count;
      read.exclusive_start_key = page->last_evaluated_key;
    } while (read.exclusive_start_key);
    return count;
  }

  void FillNotes(std::string_view email, int count) {
    const design::Entity& note = *runtime().model().FindEntity("Note");
    for (int i = 0; i < count; ++i) {
      design::Record record = platform::TextRecord({{"email", email}});
      record.SetText("title", fmt::format("note {}", i));
      if (i % 3 != 0) record.SetText("deadline", fmt::format("2026-03-{:02}", i % 28 + 1));
      const auto created = runtime().Create(note, record);
      ASSERT_TRUE(created.ok()) << created.error().message();
    }
  }
};
TRESTLE_ON_EVERY_BACKEND(NotesTest);

TEST_P(NotesTest, ANoteIsAddedShownChangedAndRemoved) {
  const Answer added = As("ann").Post(
      "/notes", R"({"title": " Tax form ", "content": "- [ ] receipts", "deadline": "2026-05-31",
                    "tags": ["money"]})");
  ASSERT_EQ(added.status, 201) << added.body;
  const std::string path = "/notes/" + added.At("id");
  EXPECT_EQ(added.Header("location"), "/api/notes/v1" + path);
  EXPECT_EQ(added.At("title"), "Tax form");
  EXPECT_EQ(added.At("deadlineKind"), "DATE");
  EXPECT_EQ(added.At("done"), "false");
  EXPECT_EQ(added.At("overdue"), "false");
  EXPECT_EQ(added.At("version"), "1");
  EXPECT_EQ(added.At("email"), "absent");

  const Answer shown = As("ann").Get(path);
  EXPECT_EQ(shown.body, added.body);
  EXPECT_EQ(As("ann").Get(path, {{"If-None-Match", shown.Header("etag")}}).status, 304);

  const Answer changed = As("ann").Patch(path, R"({"title": "Tax", "content": null})",
                                         {{"If-Match", shown.Header("etag")}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.At("content"), "absent");
  EXPECT_EQ(changed.At("version"), "2");
  const Answer late =
      As("ann").Patch(path, R"({"title": "x"})", {{"If-Match", shown.Header("etag")}});
  EXPECT_EQ(late.status, 412) << late.body;
  EXPECT_EQ(late.Header("etag"), changed.Header("etag"));
  EXPECT_EQ(As("ann").Delete(path, {{"If-Match", shown.Header("etag")}}).status, 412);

  EXPECT_EQ(As("ann").Delete(path).status, 204);
  EXPECT_EQ(As("ann").Get(path).status, 404);
  EXPECT_EQ(As("ann").Delete(path).status, 404);
  EXPECT_EQ(As("ann").Patch(path, R"({"title": "x"})").status, 404);
  EXPECT_EQ(CountStored("NOTEREF#"), 0U);
}

TEST_P(NotesTest, AUserIsMadeOnceForEachAddress) {
  const Answer made = As("Ann").Post("/users", R"({"name": "Ann", "email": "ANN@Example.org"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("id"), "Ann");
  EXPECT_EQ(made.At("email"), "ann@example.org");
  EXPECT_EQ(made.At("name"), "Ann");
  EXPECT_EQ(made.At("lockedBy"), "absent");
  const Answer again = As("Ann").Post("/users", R"({"name": "Ann", "email": "ann@example.org"})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.Code(), "email-taken");
  EXPECT_EQ(As("ann").Post("/users", R"({"name": "Bob", "email": "ann@example.org"})").Code(),
            "email-taken");
  EXPECT_EQ(As("ann").Get("/me").Code(), "email-taken");
  // Nobody takes the address of somebody else.
  EXPECT_EQ(As("bob").Post("/users", R"({"name": "Bob", "email": "eve@example.org"})").status, 403);
  EXPECT_EQ(As("bob").Post("/users", R"({"name": "", "email": "x"})").Count("errors"), 2U);
  EXPECT_EQ(As("bob").Get("/me").At("name"), "bob");
  EXPECT_EQ(As("Ann").Get("/me").At("name"), "Ann");
}

TEST_P(NotesTest, OfManySignUpsWithOneAddressOneSucceeds) {
  constexpr int kPeople = 100;
  constexpr int kThreads = 8;
  std::atomic<int> next = 0;
  std::atomic<int> made = 0;
  std::atomic<int> taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int person = next++; person < kPeople; person = next++) {
        std::string name = "annabel";
        for (std::size_t bit = 0; bit < name.size(); ++bit)
          if ((static_cast<unsigned>(person) >> bit & 1U) != 0)
            name[bit] = static_cast<char>(name[bit] - 'a' + 'A');
        const Answer answer =
            person % 2 == 0
                ? As(name).Post("/users",
                                fmt::format(R"({{"name": "A", "email": "{}@example.org"}})", name))
                : As(name).Get("/me");
        if (answer.status == 201 || answer.status == 200) ++made;
        if (answer.Code() == "email-taken") ++taken;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(taken, kPeople - 1);
  EXPECT_EQ(CountStored("PROFILE"), 1U);
  EXPECT_EQ(CountStored("SUB#"), 1U);
}

TEST_P(NotesTest, ListsAreByDeadline) {
  AddDue("ann", "day", "2026-01-20");
  AddDue("ann", "noon", "2026-01-20T12:00:00Z");
  AddDue("ann", "before", "2026-01-19T23:59:59.999Z");
  AddDue("ann", "after", "2026-01-21");
  Add("ann", R"({"title": "some day"})");
  EXPECT_EQ(Titles("ann", "/notes"), "before day noon after some day ");
  EXPECT_EQ(Titles("ann", "/notes?order=desc"), "after noon day before some day ");
  // S1, S2: the two halves are all that have a deadline, and neither has the user.
  EXPECT_EQ(Titles("ann", "/notes?dueBefore=2026-01-20"), "before ");
  EXPECT_EQ(Titles("ann", "/notes?dueAfter=2026-01-20"), "day noon after ");
  EXPECT_EQ(Titles("ann", "/notes?dueAfter=2026-01-20&order=desc"), "after noon day ");
  EXPECT_EQ(Titles("ann", "/notes?dueAfter=2026-01-20&dueBefore=2026-01-21"), "day noon ");
  EXPECT_EQ(Titles("ann", "/notes?dueBefore=2026-01-20T12:00:00Z"), "before day ");
  EXPECT_EQ(Titles("ann", "/notes?undated=true"), "some day ");
  EXPECT_EQ(Titles("ann", "/notes?undated=false"), "before day noon after ");
  for (const std::string_view wrong :
       {"/notes?dueAfter=2026-01-21&dueBefore=2026-01-20",
        "/notes?undated=true&dueAfter=2026-01-01", "/notes?dueAfter=soon", "/notes?order=up",
        "/notes?colour=red", "/notes?limit=101", "/notes?done=maybe"})
    EXPECT_EQ(As("ann").Get(wrong).status, 400) << wrong;

  for (const std::string_view order : {"asc", "desc"}) {
    std::string all;
    std::string cursor;
    do {
      const Answer page = As("ann").Get(fmt::format("/notes?order={}&limit=1{}{}", order,
                                                    cursor.empty() ? "" : "&cursor=", cursor));
      all += TitlesOf(page);
      cursor = page.At("nextCursor");
    } while (cursor != "absent");
    EXPECT_EQ(all, Titles("ann", fmt::format("/notes?order={}", order)));
  }
}

TEST_P(NotesTest, ListsCanBeNarrowed) {
  const std::string first = Add("ann", R"({"title": "a", "tags": ["Émile", "x"]})");
  Add("ann", R"({"title": "b", "tags": ["x"], "done": true})");
  EXPECT_EQ(Titles("ann", "/notes?tag=emile"), "a ");
  EXPECT_EQ(Titles("ann", "/notes?tag=x"), "a b ");
  EXPECT_EQ(Titles("ann", "/notes?tag=x&done=true"), "b ");
  EXPECT_EQ(Titles("ann", "/notes?done=false"), "a ");
  EXPECT_EQ(Titles("ann", "/notes?tag=none"), "");
}

TEST_P(NotesTest, ACursorIsOnlyForItsOwnQuestion) {
  AddDue("ann", "a", "2026-01-20");
  AddDue("ann", "b", "2026-01-21");
  const std::string cursor = As("ann").Get("/notes?limit=1").At("nextCursor");
  ASSERT_NE(cursor, "absent");
  EXPECT_EQ(As("ann").Get("/notes?limit=1&cursor=" + cursor).status, 200);
  for (const Answer& answer : {As("bob").Get("/notes?limit=1&cursor=" + cursor),
                               As("ann").Get("/notes?order=desc&cursor=" + cursor),
                               As("ann").Get("/notes/week?cursor=" + cursor),
                               As("ann").Get("/notes?limit=1&cursor=x" + cursor)}) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.Code(), "invalid-cursor");
  }
}

TEST_P(NotesTest, EveryWrongFieldIsNamed) {
  const Answer unknown = As("ann").Post(
      "/notes", R"({"title": "x", "email": "bob@example.org", "colour": "red", "id": "x",
                    "doneAt": "2026-01-01T00:00:00Z", "overdue": true})");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.Count("errors"), 5U) << unknown.body;
  const Answer limits = As("ann").Post(
      "/notes", R"({"title": " ", "deadline": "2026-02-30", "done": 1, "remindAt": "later"})");
  EXPECT_EQ(limits.status, 400);
  EXPECT_EQ(limits.Count("errors"), 4U) << limits.body;
  const Answer kinds = As("ann").Post(
      "/notes", R"({"title": "a\u0007b", "tags": ["x", "y", "x", "\u0001"], "done": 1})");
  EXPECT_EQ(kinds.Count("errors"), 4U) << kinds.body;
  const Answer all = As("ann").Post(
      "/notes", R"({"title": "x", "tags": ["x", "x"], "content": "\u0000", "colour": "red"})");
  EXPECT_EQ(all.Count("errors"), 3U) << all.body;
  EXPECT_EQ(As("ann").Patch("/me", R"({"timeZone": "Mars", "name": ""})").Count("errors"), 2U);
  const std::string long_title(201, 'x');
  for (const std::string& body :
       {fmt::format(R"({{"title": "{}"}})", long_title), std::string(R"({"content": "x"})"),
        std::string(R"({"title": "a\u0007b"})"), std::string(R"({"title": "x", "tags": [""]})"),
        std::string(R"({"title": "x", "tags": ["a", "a"]})"),
        std::string(R"({"title": "x", "content": "\u0000"})"), std::string("[1]")}) {
    EXPECT_EQ(As("ann").Post("/notes", body).status, 400) << body;
  }
  const std::string path = Add("ann", R"({"title": "x"})");
  EXPECT_EQ(As("ann").Patch(path, R"({"title": null})").status, 400);
  EXPECT_EQ(As("ann").Patch(path, R"({"userId": "bob"})").status, 400);
  EXPECT_EQ(As("ann").Post(path + "/snooze", R"({})").status, 400);
  EXPECT_EQ(As("ann").Post(path + "/snooze", R"({"until": "2020-01-01T00:00:00Z"})").status, 400);
  EXPECT_EQ(As("ann").Post(path + "/day", R"({"date": "tomorrow"})").status, 400);
  EXPECT_EQ(As("ann").Patch("/me", R"({"timeZone": "Mars/Base"})").status, 400);
  EXPECT_EQ(As("ann").Patch("/me", R"({"email": "x@example.org"})").status, 400);
  EXPECT_EQ(As("ann").Patch("/me", R"({"counts": {"open": 7}})").status, 400);
  EXPECT_EQ(As("ann").Get(path).At("version"), "1");
  EXPECT_EQ(Titles("ann", "/notes"), "x ");
}

TEST_P(NotesTest, NobodySeesTheNotesOfOthers) {
  const std::string path = Add("ann", R"({"title": "secret", "remindAt": "2026-02-01T00:00:00Z"})");
  for (const Answer& answer :
       {As("bob").Get(path), As("bob").Patch(path, R"({"title": "x"})"), As("bob").Delete(path),
        As("bob").Post(path + "/done"), As("bob").Post(path + "/reopen"),
        As("bob").Post(path + "/snooze", R"({"until": "2027-01-01T00:00:00Z"})"),
        As("bob").Post(path + "/day", R"({"date": "2026-01-01"})"), As("bob").Get("/notes/a%23b"),
        As("bob").Delete("/notes/a%23b"), As("eve", "admin").Get(path)}) {
    EXPECT_EQ(answer.status, 404) << answer.body;
    EXPECT_EQ(answer.Code(), "not-found");
    EXPECT_EQ(answer.body.find("ann"), std::string::npos);
  }
  Settle();
  for (const std::string_view list : {"/notes", "/notes/overdue", "/notes/today", "/notes/week",
                                      "/me/reminders", "/search?q=secret"})
    EXPECT_EQ(As("bob").Get(list).Count("items"), 0U) << list;
  EXPECT_EQ(As("bob").Get("/export").body.find("secret"), std::string::npos);
  EXPECT_EQ(As("ann").Get(path).At("version"), "1");

  // Nobody at all.
  for (const platform::Route& route : Notes().routes) {
    if (route.access == platform::Access::kPublic) continue;
    std::string address(route.path);
    for (const std::string_view placeholder : {"{id}", "{jobId}"})
      if (const std::size_t at = address.find(placeholder); at != std::string::npos)
        address.replace(at, placeholder.size(), path.substr(7));
    EXPECT_EQ(Nobody().Send(route.method, address, "", {}).status, 401) << address;
  }
}

TEST_P(NotesTest, AnotherDeadlineKeepsTheNote) {
  const std::string path = AddDue("ann", "a", "2026-01-20");
  const std::string created = As("ann").Get(path).At("createdAt");
  for (const std::string_view deadline :
       {"\"2026-01-25\"", "\"2026-01-25T10:00:00.000Z\"", "null", "\"2026-01-01\""}) {
    const Answer moved = As("ann").Patch(path, fmt::format(R"({{"deadline": {}}})", deadline));
    ASSERT_EQ(moved.status, 200) << moved.body;
    EXPECT_EQ(As("ann").Get(path).body, moved.body);
    EXPECT_EQ(moved.At("createdAt"), created);
    EXPECT_EQ(Titles("ann", "/notes"), "a ");
  }
  EXPECT_EQ(As("ann").Get(path).At("version"), "5");
  EXPECT_EQ(As("ann").Get(path).At("overdue"), "true");
  EXPECT_EQ(As("ann").Get("/me").At("counts"), "{done:0,open:1}");
}

TEST_P(NotesTest, ManyChangeOneDeadlineAtOnce) {
  const std::string path = AddDue("ann", "a", "2026-01-20");
  std::vector<std::thread> threads;
  std::atomic<int> changed = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        const Answer answer =
            As("ann").Patch(path, fmt::format(R"({{"deadline": "2026-02-{:02}", "done": {}}})",
                                              i + k * 2 + 1, (i + k) % 2 == 0));
        EXPECT_EQ(answer.status, 200) << answer.body;
        if (answer.status == 200) ++changed;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(changed, 40);
  const Answer note = As("ann").Get(path);
  EXPECT_EQ(note.status, 200) << note.body;
  EXPECT_LE(std::stoi(note.At("version")), 41);  // one that changes nothing is not counted
  EXPECT_EQ(As("ann").Get("/notes").Count("items"), 1U);
  EXPECT_EQ(CountStored("NOTEREF#"), 1U);
  const bool is_done = note.At("done") == "true";
  EXPECT_EQ(As("ann").Get("/me").At("counts"), is_done ? "{done:1,open:0}" : "{done:0,open:1}");
}

// 23:59, all day, and 00:00 around the nights on which clocks are set.
TEST_P(NotesTest, NoZoneMovesANoteToAnotherDay) {
  struct Place {
    std::string_view zone;
    std::string_view day;
    std::string_view first;  // its first and last minute
    std::string_view last;
  };
  constexpr Place kPlaces[] = {
      {"Europe/Vienna", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T21:59:00Z"},
      {"America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T03:59:00Z"},
      {"Pacific/Auckland", "2026-04-05", "2026-04-04T11:00:00Z", "2026-04-05T11:59:00Z"},
  };
  for (const Place& place : kPlaces) {
    const std::string_view sub = place.zone.substr(0, place.zone.find('/'));
    ASSERT_EQ(As(sub).Patch("/me", fmt::format(R"({{"timeZone": "{}"}})", place.zone)).status, 200);
    const std::string before = text::AddDays(place.day, -1);
    const std::string after = text::AddDays(place.day, 1);
    AddDue(sub, "day", place.day);
    AddDue(sub, "first", place.first);
    AddDue(sub, "last", place.last);
    AddDue(sub, "yesterday", before);
    AddDue(sub, "tomorrow", after);
    const Answer days = As(sub).Get(fmt::format("/notes/calendar?from={}&to={}", before, after));
    ASSERT_EQ(days.Count("days"), 3U) << days.body;
    EXPECT_EQ(days.Count("days[0].notes"), 1U) << days.body;
    EXPECT_EQ(days.Count("days[1].notes"), 3U) << days.body;
    EXPECT_EQ(days.Count("days[2].notes"), 1U) << days.body;
    EXPECT_EQ(days.At("days[1].date"), place.day);
    EXPECT_EQ(days.body.find(sub), std::string::npos) << "the user is no note";
  }
  if (!has_fixed_clock()) return;
  // On the day itself, half an hour after it began in Vienna.
  Advance(*design::ParseTimestamp("2026-03-28T23:30:00Z") - clock().NowUnixMs());
  EXPECT_EQ(Titles("Europe", "/notes/overdue"), "yesterday first ");
  EXPECT_EQ(Titles("Europe", "/notes/today"), "first day last ");
  EXPECT_EQ(Titles("Europe", "/notes/week"), "first day last tomorrow ");
  EXPECT_EQ(Titles("Pacific", "/notes/today"), "");
  Advance(22 * kHourMs + kHourMs / 2);  // the next day begins an hour early
  EXPECT_EQ(Titles("Europe", "/notes/overdue"), "yesterday first day last ");
  EXPECT_EQ(Titles("Europe", "/notes/today"), "tomorrow ");
}

TEST_P(NotesTest, WhatIsOverdueDependsOnTheKindOfDeadline) {
  if (!has_fixed_clock()) GTEST_SKIP();
  AddDue("ann", "yesterday", "2026-01-01");
  AddDue("ann", "today", "2026-01-02");
  AddDue("ann", "past", "2026-01-02T03:00:00Z");
  AddDue("ann", "soon", "2026-01-02T04:00:00Z");
  const std::string done = AddDue("ann", "done", "2026-01-01");
  As("ann").Post(done + "/done");
  EXPECT_EQ(Titles("ann", "/notes/overdue"), "yesterday past ");
  EXPECT_EQ(Titles("ann", "/notes/today"), "today past soon ");
  As("ann").Patch("/me", R"({"timeZone": "America/New_York"})");  // still the 1st there
  EXPECT_EQ(Titles("ann", "/notes/overdue"), "past ");
  EXPECT_EQ(Titles("ann", "/notes/today"), "yesterday done past soon ");
  As("ann").Patch("/me", R"({"timeZone": "Pacific/Kiritimati"})");
  EXPECT_EQ(Titles("ann", "/notes/overdue"), "yesterday past ");
}

TEST_P(NotesTest, ANoteIsDoneAndOpenedAgain) {
  const std::string path = Add("ann", R"({"title": "a", "remindAt": "2026-01-02T05:00:00Z"})");
  EXPECT_EQ(As("ann").Get("/me/reminders").At("items[0].title"), "a");
  const Answer done = As("ann").Post(path + "/done");
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.At("done"), "true");
  EXPECT_NE(done.At("doneAt"), "absent");
  EXPECT_EQ(As("ann").Post(path + "/done").At("version"), done.At("version"));
  EXPECT_EQ(As("ann").Get("/me").At("counts"), "{done:1,open:0}");
  EXPECT_EQ(As("ann").Get("/me/reminders").Count("items"), 0U);
  const Answer open = As("ann").Post(path + "/reopen");
  EXPECT_EQ(open.At("doneAt"), "absent");
  EXPECT_EQ(As("ann").Get("/me").At("counts"), "{done:0,open:1}");
  EXPECT_EQ(As("ann").Get("/me/reminders").Count("items"), 1U);

  const Answer snoozed = As("ann").Post(path + "/snooze", R"({"until": "2036-01-03T08:00:00Z"})");
  EXPECT_EQ(snoozed.At("remindAt"), "2036-01-03T08:00:00.000Z");
  EXPECT_EQ(As("ann").Get("/me/reminders?due=true").Count("items"), 0U);
  EXPECT_EQ(As("ann").Get("/me/reminders?due=false").At("items[0].due"), "false");
  As("ann").Patch(path, R"({"remindAt": "2020-01-03T08:00:00Z"})");
  EXPECT_EQ(As("ann").Get("/me/reminders?due=true").At("items[0].noteId"), path.substr(7));
  As("ann").Delete(path);
  EXPECT_EQ(CountStored("REMIND"), 0U);
}

TEST_P(NotesTest, SomebodyIsRemindedOnceAtTheTime) {
  if (!has_fixed_clock()) GTEST_SKIP();
  const std::string soon = Add("ann", R"({"title": "a", "remindAt": "2026-01-02T03:59:00Z"})");
  const std::string later = Add("ann", R"({"title": "b", "remindAt": "2026-01-02T04:01:00Z"})");
  const std::string over = Add("ann", R"({"title": "c", "remindAt": "2026-01-02T04:00:00Z"})");
  EXPECT_EQ(As("ann").Post(over + "/done").status, 200);
  host().RunTimers();
  EXPECT_EQ(As("ann").Get(soon).At("remindedAt"), "absent");

  Advance(56 * 60 * 1000);  // 04:00:05
  host().RunTimers();
  const Answer reminded = As("ann").Get(soon);
  EXPECT_EQ(reminded.At("remindedAt"), "2026-01-02T04:00:05.678Z");
  EXPECT_EQ(reminded.At("version"), "1");
  EXPECT_EQ(As("ann").Get(later).At("remindedAt"), "absent");
  EXPECT_EQ(As("ann").Get(over).At("remindedAt"), "absent");
  Use(Notes());  // a start, which goes on where the last one was
  Advance(60 * 1000);
  host().RunTimers();
  EXPECT_EQ(As("ann").Get(soon).body, reminded.body);
  EXPECT_EQ(As("ann").Get(later).At("remindedAt"), "2026-01-02T04:01:05.678Z");

  As("ann").Post(soon + "/snooze", R"({"until": "2026-01-02T04:30:00Z"})");
  EXPECT_EQ(As("ann").Get(soon).At("remindedAt"), "absent");
  Advance(60 * 60 * 1000);
  host().RunTimers();
  EXPECT_EQ(As("ann").Get(soon).At("remindedAt"), "2026-01-02T05:01:05.678Z");
}

TEST_P(NotesTest, WhoWantsItIsRemindedByMail) {
  if (!has_fixed_clock()) GTEST_SKIP();
  Add("bob", R"({"title": "no mail", "remindAt": "2026-01-02T03:59:00Z"})");
  const std::string note =
      Add("ann", R"({"title": "Tax form", "remindAt": "2026-01-02T03:59:00Z"})");
  EXPECT_EQ(As("ann").Patch("/me", R"({"mailReminders": true})").At("mailReminders"), "true");
  host().RunTimers();
  EXPECT_EQ(mails().size(), 0U);
  Advance(kHourMs);
  host().RunTimers();
  Advance(kHourMs);
  host().RunTimers();
  ASSERT_EQ(mails().size(), 1U);
  EXPECT_EQ(mails().front().to, As("ann").Get("/me").At("email"));
  EXPECT_EQ(mails().front().subject, "Reminder: Tax form");
  EXPECT_NE(As("ann").Get(note).At("remindedAt"), "absent");
}

TEST_P(NotesTest, ANoteMovesToAnotherDayAtTheSameTime) {
  As("ann").Patch("/me", R"({"timeZone": "Europe/Vienna"})");
  const std::string timed = AddDue("ann", "nine", "2026-03-27T08:00:00Z");
  EXPECT_EQ(As("ann").Post(timed + "/day", R"({"date": "2026-03-30"})").At("deadline"),
            "2026-03-30T07:00:00.000Z");
  const std::string day = AddDue("ann", "day", "2026-03-27");
  EXPECT_EQ(As("ann").Post(day + "/day", R"({"date": "2026-03-30"})").At("deadline"), "2026-03-30");
  const std::string none = Add("ann", R"({"title": "none"})");
  EXPECT_EQ(As("ann").Post(none + "/day", R"({"date": "2026-03-30"})").At("deadline"),
            "2026-03-30");
}

TEST_P(NotesTest, StatisticsSumUpWeeks) {
  if (!has_fixed_clock()) GTEST_SKIP();
  AddDue("ann", "a", "2026-01-01");
  As("ann").Post(AddDue("ann", "b", "2026-01-03") + "/done");
  As("ann").Post(AddDue("ann", "c", "2026-01-05") + "/done");
  Add("ann", R"({"title": "d"})");
  const Answer sums = As("ann").Get("/notes/stats");
  ASSERT_EQ(sums.status, 200) << sums.body;
  EXPECT_EQ(sums.At("open"), "2");
  EXPECT_EQ(sums.At("done"), "2");
  EXPECT_EQ(sums.At("overdue"), "1");
  EXPECT_EQ(sums.At("undated"), "1");
  EXPECT_EQ(sums.At("completion"), "50.0");
  EXPECT_EQ(sums.At("perWeek[12]"), "{week:2025-12-29,due:2,done:1,completed:2}");
  EXPECT_EQ(sums.At("perWeek[13]"), "{week:2026-01-05,due:1,done:1,completed:0}");
  for (const std::string_view wrong :
       {"/notes/calendar", "/notes/calendar?from=2026-01-01&to=2025-12-31",
        "/notes/calendar?from=2026-01-01&to=2026-03-04",
        "/notes/calendar?from=9999-12-31&to=9999-12-31"})
    EXPECT_EQ(As("ann").Get(wrong).status, 400) << wrong;
  EXPECT_EQ(As("ann").Get("/notes/calendar?from=2026-01-01&to=2026-03-03").Count("days"), 62U);
}

TEST_P(NotesTest, ACalendarIsReadWithItsSecretOnly) {
  AddDue("ann", "Day; off", "2026-01-20");
  AddDue("ann", "Noon", "2026-01-21T12:00:00Z");
  Add("ann", R"({"title": "Some day"})");
  As("ann").Post(AddDue("ann", "Over", "2026-01-22") + "/done");
  const Answer made = As("ann").Post("/me/calendar-feed");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = made.At("url").substr(std::string_view("/api/notes/v1").size());
  const Answer feed = Nobody().Get(path);
  ASSERT_EQ(feed.status, 200) << feed.body;
  EXPECT_EQ(feed.Header("content-type"), "text/calendar; charset=utf-8");
  EXPECT_NE(feed.body.find("SUMMARY:Day\\; off\r\n"), std::string::npos) << feed.body;
  EXPECT_NE(feed.body.find("DTSTART;VALUE=DATE:20260120\r\n"), std::string::npos);
  EXPECT_NE(feed.body.find("DTSTART:20260121T120000Z\r\n"), std::string::npos);
  EXPECT_NE(feed.body.find("BEGIN:VTODO\r\n"), std::string::npos);
  EXPECT_EQ(feed.body.find("Over"), std::string::npos);
  EXPECT_EQ(CountStored(path.substr(6, 43)), 0U) << "the secret itself is not stored";
  EXPECT_EQ(As("ann").Get("/me").At("hasCalendarFeed"), "true");

  const Answer second = As("ann").Post("/me/calendar-feed");
  EXPECT_EQ(Nobody().Get(path).status, 410);
  const std::string next = second.At("url").substr(std::string_view("/api/notes/v1").size());
  EXPECT_EQ(Nobody().Get(next).status, 200);
  EXPECT_EQ(As("bob").Delete("/me/calendar-feed").status, 404);
  EXPECT_EQ(As("ann").Delete("/me/calendar-feed").status, 204);
  EXPECT_EQ(Nobody().Get(next).Code(), "gone");
  EXPECT_EQ(Nobody().Get("/feed/x.ics").status, 404);
  EXPECT_EQ(CountStored("FEED#"), 0U);
}

TEST_P(NotesTest, NotesComeFromElsewhere) {
  const auto import = [&](std::string_view name, std::string_view body,
                          std::string_view type = "application/json") {
    return As(name).Post("/import", body,
                         {{"Content-Type", std::string(type)}, {"Prefer", "wait=20"}});
  };
  const Answer list = import("ann", R"({"notes": [{"title": "a", "tags": ["x"]}, {"title": ""}, 7,
                               {"title": "b", "deadline": "2026-01-20", "done": true}]})");
  ASSERT_EQ(list.status, 200) << list.body;
  EXPECT_EQ(list.At("result.created"), "2");
  EXPECT_TRUE(list.At("errors[0]").starts_with("note 2: title")) << list.body;
  EXPECT_TRUE(list.At("errors[1]").starts_with("note 3: ")) << list.body;
  const Answer file =
      import("ann", "---\ndeadline: 2026-01-19\n---\n# From a file\n\ntext\n", "text/markdown");
  EXPECT_EQ(file.At("result.created"), "1") << file.body;
  EXPECT_EQ(Titles("ann", "/notes"), "From a file b a ");
  EXPECT_EQ(As("ann").Get("/me").At("counts"), "{done:1,open:2}");

  const Answer all = As("ann").Get("/export");
  EXPECT_EQ(all.Count("entities.Note"), 3U) << all.body;
  EXPECT_EQ(import("bob", all.body).At("result.created"), "3");
  EXPECT_EQ(Titles("bob", "/notes"), "From a file b a ");
  EXPECT_EQ(As("ann").Post("/import", R"({"colour": []})").status, 400);
  EXPECT_EQ(As("ann").Post("/import", R"({"notes": 1})").status, 400);
  EXPECT_EQ(As("ann").Post("/import", R"({"notes": 1, "colour": 1, "size": 2})").Count("errors"),
            3U);
}

TEST_P(NotesTest, ManyNotesComeFromElsewhere) {
  constexpr int kNotes = 600;
  std::string notes;
  for (int i = 0; i < kNotes; ++i)
    notes += fmt::format(R"({}{{"title": "n{}", "content": "{}"}})", i == 0 ? "" : ",", i,
                         std::string(3000, 'c'));
  const Answer done = As("ann").Post("/import", fmt::format(R"({{"notes": [{}]}})", notes),
                                     {{"Prefer", "wait=30"}});
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.At("result.created"), std::to_string(kNotes)) << done.body;
  EXPECT_EQ(As("ann").Get("/me").At("counts.open"), std::to_string(kNotes));
}

TEST_P(NotesTest, NotesAreFoundByTheirUserOnly) {
  const std::string path =
      Add("ann", R"({"title": "Étranger", "content": "A beach", "tags": ["novel"]})");
  Settle();
  EXPECT_EQ(As("ann").Get("/search?q=etrangr").At("items[0].item.title"), "Étranger");
  EXPECT_EQ(As("ann").Get("/search?q=novel").Count("items"), 1U);
  EXPECT_EQ(As("ann").Get("/search?q=bea&sort=newest").Count("items"), 1U);
  EXPECT_EQ(As("ann").Get("/search?q=bea&sort=size").status, 400);
  EXPECT_EQ(As("bob").Get("/search?q=beach").Count("items"), 0U);
  As("ann").Delete(path);
  Settle();
  EXPECT_EQ(As("ann").Get("/search?q=beach").Count("items"), 0U);
}

TEST_P(NotesTest, AUserIsForgotten) {
  for (const int count : {3, 120}) {
    FillNotes(As("ann").Get("/me").At("email"), count);
    Add("bob", R"({"title": "other"})");
    As("ann").Post("/me/calendar-feed");
    const Answer job = As("ann").Send("DELETE", "/me", "", {{"Prefer", "wait=25"}});
    EXPECT_EQ(job.status, 200) << job.body;
    EXPECT_EQ(job.At("state"), "DONE");
    Settle();
    EXPECT_EQ(CountStored("ann"), 0U);
    EXPECT_EQ(CountStored("FEED#"), 0U);
    EXPECT_NE(As("bob").Get("/notes").Count("items"), 0U);
  }
}

TEST_P(NotesTest, ARepeatedRequestHasOneEffect) {
  const Person::Headers key = {{"Idempotency-Key", "k1"}};
  const Answer first = As("ann").Post("/notes", R"({"title": "a"})", key);
  const Answer second = As("ann").Post("/notes", R"({"title": "a"})", key);
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(As("ann").Get("/notes").Count("items"), 1U);
}

TEST_P(NotesTest, SampleDataIsWorthLookingAt) {
  host().LoadSamples();
  EXPECT_TRUE(Eventually([&] {
    const auto notes = platform::RunWhole(runtime(), "notesOfUser",
                                          platform::TextRecord({{"email", "eve@example.org"}}));
    return notes.ok() && notes->size() == 4;
  }));
}

// Items as the seed prints them, without what was added since.
TEST_P(NotesTest, PlainItemsAreReadChangedAndRemoved) {
  design::Record user = platform::TextRecord({{"PK", "USER#ali@example.org"},
                                              {"SK", "PROFILE"},
                                              {"id", "ali"},
                                              {"email", "ali@example.org"},
                                              {"name", "Ali"},
                                              {"createdAt", "2026-01-01T00:00:00Z"}});
  design::Record pointer = platform::TextRecord(
      {{"PK", "SUB#ali"}, {"SK", "EMAIL"}, {"id", "ali"}, {"email", "ali@example.org"}});
  design::Record note = platform::TextRecord({{"PK", "USER#ali@example.org"},
                                              {"SK", "NOTE#2026-01-20#n1"},
                                              {"id", "n1"},
                                              {"userId", "ali"},
                                              {"title", "T"},
                                              {"content", "C"},
                                              {"deadline", "2026-01-20"},
                                              {"createdAt", "2026-01-01T00:00:00Z"},
                                              {"updatedAt", "2026-01-01T00:00:00Z"}});
  design::Record ref = platform::TextRecord({{"PK", "NOTEREF#ali"},
                                             {"SK", "n1"},
                                             {"id", "n1"},
                                             {"userId", "ali"},
                                             {"deadline", "2026-01-20"}});
  for (const design::Record& record : {user, pointer, note, ref}) {
    ASSERT_TRUE(runtime()
                    .backend()
                    .Write({.kind = design::ActionKind::kPut,
                            .table = runtime().table(),
                            .item = record.ToItem()})
                    .ok());
  }
  EXPECT_EQ(As("ali").Get("/me").At("counts.open"), "0");
  EXPECT_EQ(As("ali").Get("/notes").At("items[0].done"), "false");
  EXPECT_EQ(As("ali").Patch("/notes/n1", R"({"title": "U"})").At("title"), "U");
  EXPECT_EQ(As("ali").Patch("/notes/n1", R"({"deadline": "2026-01-21"})").status, 200);
  EXPECT_EQ(As("ali").Post("/notes/n1/done").status, 200);
  EXPECT_EQ(As("ali").Delete("/notes/n1").status, 204);
  EXPECT_EQ(Titles("ali", "/notes"), "");
}

}  // namespace
}  // namespace trestle::apps::testing
