// The notes of somebody whose e-mail address changes.

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"
#include "apps/notes/notes_internal.h"
#include "design/stored_item.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kOld = "ann@example.org";
constexpr std::string_view kNew = "new@example.org";

class NotesEmailTest : public AppFixture {
 protected:
  NotesEmailTest() { Use(Notes()); }

  void FillNotes(std::string_view email, int count) {
    const design::Entity& note = *runtime().model().FindEntity("Note");
    for (int i = 0; i < count; ++i) {
      design::Record record = TextRecord({{"email", email}});
      record.SetText("title", fmt::format("note {}", i));
      if (i % 3 != 0) record.SetText("deadline", fmt::format("2026-03-{:02}", i % 28 + 1));
      if (i % 5 == 0) record.SetText("remindAt", "2026-02-01T00:00:00Z");
      platform::SetBool(record, "done", i % 4 == 0);
      const auto created = runtime().Create(note, record);
      ASSERT_TRUE(created.ok()) << created.error().message();
    }
  }

  // What the table has under an address.
  std::size_t CountUnder(std::string_view email) {
    std::size_t count = 0;
    design::ReadPage read{.table = runtime().table(), .is_consistent = true};
    do {
      const auto page = backend().Read(read);
      EXPECT_TRUE(page.ok());
      for (const value::Item& item : page->items)
        if (item.Find("PK")->text() == fmt::format("USER#{}", email)) ++count;
      read.exclusive_start_key = page->last_evaluated_key;
    } while (read.exclusive_start_key);
    return count;
  }

  // The notes of a user are where they should be, each once, and all can be read by their ids.
  void ExpectWhole(std::string_view sub, std::string_view email, std::size_t count) {
    const Answer user = As(sub).Get("/me");
    EXPECT_EQ(user.At("email"), email) << user.body;
    EXPECT_EQ(user.At("isMoving"), "false");
    EXPECT_EQ(CountUnder(email), count + 1);
    const Answer notes = As(sub).Get("/notes?limit=100");
    ASSERT_EQ(notes.Count("items"), std::min<std::size_t>(count, 100));
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 5); ++i) {
      const std::string path = "/notes/" + notes.At(fmt::format("items[{}].id", i));
      EXPECT_EQ(As(sub).Get(path).status, 200);
      EXPECT_EQ(As(sub).Patch(path, R"({"tags": ["moved"], "deadline": "2026-04-01"})").status,
                200);
    }
    std::size_t open = 0;
    const auto all = platform::RunWhole(runtime(), "notesOfUser", TextRecord({{"email", email}}));
    ASSERT_TRUE(all.ok());
    for (const auto& note : *all)
      if (!platform::BoolOf(note.record, "done").value_or(false)) ++open;
    EXPECT_EQ(As(sub).Get("/me").At("counts"),
              fmt::format("{{done:{},open:{}}}", count - open, open));
  }

  void Begin(const notes::Move& move) {
    const auto begin = notes::BeginMove(runtime(), move);
    ASSERT_TRUE(begin.ok()) << begin.error().message();
    const Status begun = backend().Transact(*begin, "");
    ASSERT_TRUE(begun.ok()) << begun.error().message();
  }

  static platform::JobState JobOf(const notes::Move& move) {
    return {.sub = move.sub,
            .input = TextRecord({{"moveId", move.move_id}, {"from", move.from}, {"to", move.to}})};
  }

  // Whether there is more to do.
  bool Step(platform::JobState& job) {
    const auto step = notes::StepMove(*host().FindMount("notes"), job);
    EXPECT_TRUE(step.ok()) << step.error().message();
    return step.ok() && *step == platform::JobStep::kMore;
  }

  const notes::Move move_ = {
      .sub = "ann", .move_id = "m1", .from = std::string(kOld), .to = std::string(kNew)};
};
TRESTLE_ON_EVERY_BACKEND(NotesEmailTest);

TEST_P(NotesEmailTest, NotesFollowTheAccount) {
  for (const int count : {0, 3, 48, 130}) {
    const std::string email = fmt::format("person{}@example.org", count);
    const auto account =
        host().accounts()->SignUp({.email = fmt::format("before{}@example.org", count),
                                   .password = "correct horse battery",
                                   .name = "P"});
    ASSERT_TRUE(account.ok()) << account.error().message();
    const std::string sub = TextOf(account->record, "sub");
    ASSERT_EQ(As(sub).Get("/notes").status, 200);
    const std::string before = sub + "@example.org";  // as the token said
    FillNotes(before, count);
    const std::string id = As(sub).Get("/notes").At("items[0].id");
    design::Runtime& accounts = *host().FindRuntime("auth");
    design::Changes changes;
    platform::SetText(changes, "email", email);
    ASSERT_TRUE(
        accounts
            .Update(*accounts.model().FindEntity("Account"), TextRecord({{"sub", sub}}), changes)
            .ok());
    // Each note is found by its id, whatever is going on.
    for (int i = 0; i < 20 && count > 0; ++i)
      EXPECT_EQ(As(sub).Get("/notes/" + id).status, 200);
    EXPECT_TRUE(Eventually(
        [&] { return As(sub).Get("/me").At("email") == email && CountUnder(before) == 0; }));
    ExpectWhole(sub, email, static_cast<std::size_t>(count));
    Settle();
    EXPECT_EQ(As(sub).Get("/search?q=note&limit=100").Count("items"),
              std::min<std::size_t>(static_cast<std::size_t>(count), 100));
  }
}

TEST_P(NotesEmailTest, WritesWaitWhileNotesMove) {
  As("ann").Get("/me");
  FillNotes(kOld, 5);
  const std::string id = As("ann").Get("/notes").At("items[0].id");
  const std::string path = "/notes/" + id;
  Begin(move_);
  for (const Answer& answer :
       {As("ann").Post("/notes", R"({"title": "x"})"), As("ann").Patch(path, R"({"title": "x"})"),
        As("ann").Delete(path), As("ann").Post(path + "/reopen", "", {{"If-Match", "*"}}),
        As("ann").Patch("/me", R"({"name": "x"})"), As("ann").Post("/me/calendar-feed")}) {
    EXPECT_EQ(answer.status, 409) << answer.body;
    EXPECT_EQ(answer.Code(), "in-progress");
    EXPECT_EQ(answer.Header("retry-after"), "2");
  }
  EXPECT_EQ(As("ann").Get(path).At("version"), "1");
  EXPECT_EQ(As("ann").Get("/notes").Count("items"), 5U);
  EXPECT_EQ(As("ann").Get("/me").At("isMoving"), "true");

  // A request that looked before the lock was there.
  const design::Entity& note = *runtime().model().FindEntity("Note");
  design::WriteOptions options;
  options.together_with = {*notes::NotMoving(runtime(), kOld)};
  design::Changes title;
  platform::SetText(title, "title", "x");
  design::Changes done;
  platform::SetBool(done, "done", As("ann").Get(path).At("done") == "false");
  const design::Record identity = TextRecord({{"email", kOld}, {"id", id}});
  EXPECT_FALSE(runtime().Create(note, TextRecord({{"email", kOld}, {"title", "x"}}), options).ok());
  EXPECT_FALSE(runtime().Update(note, identity, title, options).ok());
  EXPECT_FALSE(runtime().Update(note, identity, done, options).ok());
  EXPECT_FALSE(runtime().Delete(note, identity, options).ok());

  // Nobody else gets either address.
  for (const std::string_view sub : {"new", "Ann"})
    EXPECT_EQ(As(sub).Get("/me").Code(), "email-taken");
  platform::JobState job = JobOf(move_);
  while (Step(job)) {
  }
  ExpectWhole("ann", kNew, 5);
  EXPECT_EQ(CountUnder(kOld), 0U);
  EXPECT_EQ(As("Ann").Get("/me").status, 200) << "the old address is free again";
}

TEST_P(NotesEmailTest, AMoveThatIsCutOffAnywhereIsFinished) {
  constexpr int kNotes = 450;  // three pages
  for (int steps = 0; steps < 12; ++steps) {
    const std::string sub = fmt::format("p{}", steps);
    const notes::Move move{.sub = sub,
                           .move_id = fmt::format("m{}", steps),
                           .from = sub + "@example.org",
                           .to = fmt::format("n{}@example.org", steps)};
    As(sub).Get("/notes");
    FillNotes(move.from, steps % 4 == 1 ? kNotes : 10);
    const std::size_t count = CountUnder(move.from) - 1;
    Begin(move);
    platform::JobState job = JobOf(move);
    bool is_more = true;
    for (int i = 0; i < steps && is_more; ++i)
      is_more = Step(job);
    // All that was not stored is forgotten; some of it is done again.
    job = JobOf(move);
    while (Step(job)) {
    }
    EXPECT_FALSE(Step(job)) << "once more changes nothing";
    ExpectWhole(sub, move.to, count);
    EXPECT_EQ(CountUnder(move.from), 0U);
  }
}

TEST_P(NotesEmailTest, AMoveThatCannotEndIsUndone) {
  constexpr std::size_t kItemBytesMax = 400 * 1024;
  constexpr int kNotes = 250;  // two pages
  for (int steps = 0; steps < 5; ++steps) {
    const std::string sub = fmt::format("p{}", steps);
    const notes::Move move{.sub = sub,
                           .move_id = fmt::format("m{}", steps),
                           .from = sub + "@example.org",
                           .to = fmt::format("a.much.longer.name.{}@example.org", steps)};
    As(sub).Get("/notes");
    FillNotes(move.from, kNotes);
    // As large as an item can be: under a longer address it would be too large.
    design::Record large = TextRecord({{"PK", "USER#" + move.from},
                                       {"SK", "NOTE#NONE#zzz"},
                                       {"id", "zzz"},
                                       {"email", move.from},
                                       {"userId", sub},
                                       {"title", "Large"}});
    large.SetText("content", std::string(kItemBytesMax - 88, 'x'));
    const Status put = backend().Write(
        {.kind = design::ActionKind::kPut, .table = runtime().table(), .item = large.ToItem()});
    ASSERT_TRUE(put.ok()) << put.error().message();
    Begin(move);
    platform::JobState job = JobOf(move);
    std::optional<Error> error;
    for (int i = 0; i < 30 && !error; ++i) {
      if (i == steps) job = JobOf(move);  // cut off, and begun again
      const auto step = notes::StepMove(*host().FindMount("notes"), job);
      if (!step.ok()) error = step.error();
    }
    ASSERT_TRUE(error) << "the large note was copied";
    EXPECT_NE(error->message().find("stay under the old address"), std::string::npos)
        << error->message();
    EXPECT_EQ(CountUnder(move.to), 0U);
    EXPECT_EQ(CountUnder(move.from), static_cast<std::size_t>(kNotes) + 2);
    EXPECT_EQ(As(sub).Get("/me").At("isMoving"), "false");
    EXPECT_EQ(As(sub).Post("/notes", R"({"title": "x"})").status, 201);
  }
}

// What was reserved is gone, or somebody else's by now: nobody can mend that, and nobody waits for
// it.
TEST_P(NotesEmailTest, AMoveThatLostItsAddressIsUndone) {
  for (const bool is_taken : {false, true}) {
    const std::string sub = is_taken ? "cat" : "dan";
    const std::string other = is_taken ? "cat2" : "dan2";
    const notes::Move move{.sub = sub,
                           .move_id = "move-of-" + sub,
                           .from = sub + "@example.org",
                           .to = other + "@example.org"};
    As(sub).Get("/me");
    FillNotes(move.from, 5);
    Begin(move);
    const auto key = design::KeyOf(runtime().model(), *runtime().model().FindEntity("User"),
                                   TextRecord({{"email", move.to}}));
    ASSERT_TRUE(key.ok());
    const Status removed = backend().Write(
        {.kind = design::ActionKind::kDelete, .table = runtime().table(), .item = *key});
    ASSERT_TRUE(removed.ok());
    if (is_taken) {
      ASSERT_EQ(As(other).Post("/notes", R"({"title": "mine"})").status, 201);
    }
    platform::JobState job = JobOf(move);
    std::optional<Error> error;
    for (int i = 0; i < 30 && !error; ++i) {
      const auto step = notes::StepMove(*host().FindMount("notes"), job);
      if (!step.ok()) error = step.error();
    }
    ASSERT_TRUE(error);
    EXPECT_FALSE(platform::IsPassing(*error)) << error->message();
    ExpectWhole(sub, move.from, 5);
    EXPECT_EQ(As(sub).Post("/notes", R"({"title": "x"})").status, 201);
    if (is_taken) {
      EXPECT_EQ(As(other).Get("/me").At("counts"), "{done:0,open:1}");
    }
  }
}

TEST_P(NotesEmailTest, AnAddressThatIsTakenIsNotMovedTo) {
  As("ann").Get("/me");
  As("new").Get("/me");
  const auto begin = notes::BeginMove(runtime(), move_);
  ASSERT_TRUE(begin.ok());
  EXPECT_FALSE(backend().Transact(*begin, "t").ok());
  EXPECT_EQ(As("ann").Get("/me").At("isMoving"), "false");
  EXPECT_EQ(As("ann").Post("/notes", R"({"title": "x"})").status, 201);
  EXPECT_EQ(As("new").Get("/notes").Count("items"), 0U);
}

TEST_P(NotesEmailTest, NotesThatAreWrittenMeanwhileAreNotLost) {
  As("ann").Get("/me");
  FillNotes(kOld, 60);
  std::atomic<bool> is_over = false;
  std::atomic<int> created = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      while (!is_over) {
        const Answer answer = As("ann").Post("/notes", R"({"title": "meanwhile"})");
        if (answer.status == 201) {
          ++created;
        } else {
          EXPECT_EQ(answer.Code(), "in-progress") << answer.body;
        }
      }
    });
  }
  while (created < 10)
    std::this_thread::yield();
  // Others keep changing the counts of the item that is to be locked, but not its version.
  Begin(move_);
  platform::JobState job = JobOf(move_);
  while (Step(job)) {
  }
  const int at_flip = created;
  while (created < at_flip + 4)
    std::this_thread::yield();
  is_over = true;
  for (std::thread& writer : writers)
    writer.join();
  ExpectWhole("ann", kNew, static_cast<std::size_t>(60 + created));
  EXPECT_EQ(CountUnder(kOld), 0U);
}

TEST_P(NotesEmailTest, OfTwoThatConfirmOneDoesIt) {
  const auto account = host().accounts()->SignUp(
      {.email = "before@example.org", .password = "correct horse battery", .name = "P"});
  ASSERT_TRUE(account.ok());
  const std::string sub = TextOf(account->record, "sub");
  ASSERT_EQ(As(sub).Get("/notes").status, 200);
  std::string before = sub + "@example.org";
  FillNotes(before, 60);
  for (int round = 0; round < 4; ++round) {
    const std::string email = fmt::format("round{}@example.org", round);
    const std::string wanted =
        fmt::format(R"({{"newEmail": "{}", "password": "correct horse battery"}})", email);
    ASSERT_EQ(As(sub).Post("/me/email", wanted).status, 204);
    const std::string code =
        fmt::format(R"({{"code": "{}"}})", mails().back().subject.substr(0, 6));
    std::vector<Answer> answers(3);
    std::vector<std::thread> threads;
    for (Answer& answer : answers)
      threads.emplace_back([&] { answer = As(sub).Post("/me/email/confirm", code); });
    for (std::thread& thread : threads)
      thread.join();
    const auto confirmed = std::ranges::count_if(
        answers, [](const Answer& answer) { return answer.status / 100 == 2; });
    const auto refused =
        std::ranges::count_if(answers, [](const Answer& answer) { return answer.status == 409; });
    EXPECT_EQ(confirmed, 1);
    EXPECT_EQ(refused, 2) << answers[0].body << answers[1].body << answers[2].body;
    EXPECT_EQ(As(sub).Post("/me/email/confirm", code).status, 409) << "and later";
    ASSERT_TRUE(Eventually(
        [&] { return As(sub).Get("/me").At("email") == email && CountUnder(before) == 0; }));
    ExpectWhole(sub, email, 60);
    before = email;
  }
}

TEST_P(NotesEmailTest, AnAddressThatComesWhileNotesMoveIsNotLost) {
  const auto account = host().accounts()->SignUp(
      {.email = "first@example.org", .password = "correct horse battery", .name = "P"});
  ASSERT_TRUE(account.ok());
  const std::string sub = TextOf(account->record, "sub");
  As(sub).Get("/me");
  const notes::Move move{
      .sub = sub, .move_id = "m1", .from = sub + "@example.org", .to = "second@example.org"};
  FillNotes(move.from, 5);
  Begin(move);
  design::Runtime& accounts = *host().FindRuntime("auth");
  design::Changes changes;
  platform::SetText(changes, "email", "third@example.org");
  ASSERT_TRUE(
      accounts.Update(*accounts.model().FindEntity("Account"), TextRecord({{"sub", sub}}), changes)
          .ok());
  EXPECT_EQ(As(sub).Post("/me/email/confirm", R"({"code": "123456"})").Code(), "in-progress");
  platform::JobState job = JobOf(move);
  // Who follows the account may have taken the notes further meanwhile.
  const auto step = [&] { return notes::StepMove(*host().FindMount("notes"), job); };
  for (auto done = step(); done.ok() && *done == platform::JobStep::kMore;)
    done = step();
  EXPECT_TRUE(Eventually([&] { return As(sub).Get("/me").At("email") == "third@example.org"; }));
  Settle();
  ExpectWhole(sub, "third@example.org", 5);
}

TEST_P(NotesEmailTest, ACodeIsAskedForWithThePassword) {
  EXPECT_EQ(As("ann").Post("/me/email", R"({"newEmail": "x"})").status, 400);
  EXPECT_EQ(As("ann").Post("/me/email/confirm", R"({"code": "1"})").status, 400);
  const auto account = host().accounts()->SignUp(
      {.email = "person@example.org", .password = "correct horse battery", .name = "P"});
  ASSERT_TRUE(account.ok());
  const std::string sub = TextOf(account->record, "sub");
  EXPECT_EQ(
      As(sub).Post("/me/email", R"({"newEmail": "x@example.org", "password": "wrong one"})").status,
      403);
  EXPECT_EQ(As(sub)
                .Post("/me/email",
                      R"({"newEmail": "x@example.org", "password": "correct horse battery"})")
                .status,
            204);
  EXPECT_EQ(As(sub).Post("/me/email/confirm", R"({"code": "000000"})").status, 400);
}

}  // namespace
}  // namespace trestle::apps::testing
