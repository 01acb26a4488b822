// What administrators see of a server, on every back end: long work, and what they have done.

#include <map>
#include <string>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "design/values.h"
#include "platform/identity/accounts.h"
#include "platform/identity/auth_app.h"
#include "platform/items.h"
#include "platform/operator_app.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

using platform::TextOf;
using platform::TextRecord;

// With one app: that all of them come to rest takes long over HTTP.
class OperatorTest : public AppFixture {
 protected:
  OperatorTest() {
    Use(AppNamed("books"));
    SignUp("eve", {"admin"});
    SignUp("ann", {});
    SignUp("mo", {"moderator"});
  }

  void SignUp(const std::string& name, const std::vector<std::string>& groups) {
    const std::string email = name + "@example.org";
    EXPECT_TRUE(host()
                    .accounts()
                    ->Provide({.email = email,
                               .password = "correct horse battery",
                               .name = name + " person",
                               .groups = groups})
                    .ok());
    const auto account = host().accounts()->FindByEmail(email);
    subs_[name] = TextOf((*account)->record, "sub");
    tokens_[name] = fmt::format("{} {}", subs_[name], fmt::join(groups, " "));
  }

  Person Operator(const std::string& name) { return With(tokens_[name], operator_); }
  Person Account(const std::string& name) {
    return With(tokens_[name], platform::identity::kAuthApp);
  }

  // A job of ann's, a second later than the one before.
  std::string MakeJob(std::string_view state) {
    Advance(1000);
    design::Runtime& runtime = *host().FindRuntime(platform::identity::kAuthApp.name);
    design::Record job =
        TextRecord({{"sub", subs_["ann"]}, {"app", "books"}, {"kind", "import"}, {"state", state}});
    job.Set(design::Path{{}, {"input", "title"}}, design::EncodeText("annsecret"));
    platform::SetInteger(job, "done", 3);
    platform::SetInteger(job, "total", 10);
    if (state == "FAILED") platform::SetTexts(job, "errors", {"the disk is full"});
    const auto made = runtime.Create(*runtime.model().FindEntity("Job"), job);
    EXPECT_TRUE(made.ok());
    return TextOf(made->record, "jobId");
  }

  std::map<std::string, std::string> subs_;
  std::map<std::string, std::string> tokens_;
  const platform::OperatorApp operator_;
};
TRESTLE_ON_EVERY_BACKEND(OperatorTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(OperatorTest);

TEST_P(OperatorTest, ListsTheJobsOfAll) {
  const std::string oldest = MakeJob("DONE");
  const std::string failed = MakeJob("FAILED");
  const std::string newest = MakeJob("DONE");
  const Answer all = Operator("eve").Get("/jobs");
  ASSERT_EQ(all.status, 200) << all.body;
  ASSERT_EQ(all.Count("items"), 3U) << all.body;
  EXPECT_EQ(all.At("items[0].jobId"), newest);
  EXPECT_EQ(all.At("items[1].jobId"), failed);
  EXPECT_EQ(all.At("items[2].jobId"), oldest);
  const std::map<std::string, std::string> expected = {{"sub", subs_["ann"]},
                                                       {"app", "books"},
                                                       {"kind", "import"},
                                                       {"state", "FAILED"},
                                                       {"done", "3"},
                                                       {"total", "10"},
                                                       {"errors", "[the disk is full]"}};
  for (const auto& [name, value] : expected)
    EXPECT_EQ(all.At("items[1]." + name), value) << name;
  EXPECT_NE(all.At("items[1].createdAt"), "absent");
  // What it works with is its person's.
  EXPECT_EQ(all.body.find("annsecret"), std::string::npos) << all.body;

  LetIndexesFollow();
  const Answer first = Operator("eve").Get("/jobs?state=DONE&limit=1");
  ASSERT_EQ(first.Count("items"), 1U) << first.body;
  EXPECT_EQ(first.At("items[0].jobId"), newest);
  const std::string cursor = first.At("nextCursor");
  const Answer second = Operator("eve").Get("/jobs?state=DONE&limit=1&cursor=" + cursor);
  EXPECT_EQ(second.At("items[0].jobId"), oldest) << second.body;
  EXPECT_EQ(Operator("eve").Get("/jobs?state=FAILED&limit=1&cursor=" + cursor).Code(),
            "invalid-cursor");
  EXPECT_EQ(Operator("eve").Get("/jobs?state=RUNNING").Count("items"), 0U);
  EXPECT_EQ(Operator("eve").Get("/jobs?state=ASLEEP").Code(), "validation");
}

TEST_P(OperatorTest, AJobIsListedWhereItIsNow) {
  const Person books = With(tokens_["ann"], AppNamed("books"));
  const Answer started =
      books.Post("/import", R"({"books": [{"title": "Emma"}]})", {{"Prefer", "wait=20"}});
  ASSERT_EQ(started.At("state"), "DONE") << started.body;
  LetIndexesFollow();
  const Answer done = Operator("eve").Get("/jobs?state=DONE");
  ASSERT_EQ(done.Count("items"), 1U) << done.body;
  EXPECT_EQ(done.At("items[0].jobId"), started.At("jobId"));
  EXPECT_EQ(done.At("items[0].done"), "1");
  for (const std::string_view state : {"QUEUED", "RUNNING", "FAILED"})
    EXPECT_EQ(Operator("eve").Get(fmt::format("/jobs?state={}", state)).Count("items"), 0U);
  // It goes with its person.
  EXPECT_EQ(Account("ann").Delete("/me").status, 202);
  Settle();
  EXPECT_EQ(Operator("eve").Get("/jobs").Count("items"), 0U);
}

TEST_P(OperatorTest, WritesDownWhatAdministratorsDo) {
  // Those of the command line have no actor.
  const Answer before = Operator("eve").Get("/audit");
  ASSERT_EQ(before.Count("items"), 2U) << before.body;
  EXPECT_EQ(before.At("items[1].action"), "GROUPS_SET");
  EXPECT_EQ(before.At("items[1].target"), subs_["eve"]);
  EXPECT_EQ(before.At("items[1].groups"), "[admin]");
  EXPECT_EQ(before.At("items[1].actor"), "absent");

  const std::string ann = "/users/" + subs_["ann"];
  const auto act = [&](const std::string& what, std::string_view body = {}) {
    Advance(1000);
    EXPECT_EQ(Account("eve").Post(ann + what, body).status, 200) << what;
  };
  act("/groups", R"({"groups": ["moderator"]})");
  act("/disable");
  act("/approve");
  Advance(1000);
  EXPECT_EQ(Operator("eve").Post("/consumers/books/days/replay").status, 200);

  const Answer all = Operator("eve").Get("/audit?limit=4");
  ASSERT_EQ(all.Count("items"), 4U) << all.body;
  EXPECT_EQ(all.At("items[0].action"), "REPLAYED");
  EXPECT_EQ(all.At("items[0].app"), "books");
  EXPECT_EQ(all.At("items[0].consumer"), "days");
  EXPECT_EQ(all.At("items[1].action"), "APPROVED");
  EXPECT_EQ(all.At("items[2].action"), "DISABLED");
  EXPECT_EQ(all.At("items[3].action"), "GROUPS_SET");
  EXPECT_EQ(all.At("items[3].groups"), "[moderator]");
  EXPECT_EQ(all.At("items[3].actor"), subs_["eve"]);
  EXPECT_EQ(all.At("items[3].actorName"), "eve person");
  EXPECT_EQ(all.At("items[3].actorEmail"), "eve@example.org");
  EXPECT_EQ(all.At("items[3].targetName"), "ann person");
  const Answer rest = Operator("eve").Get("/audit?limit=4&cursor=" + all.At("nextCursor"));
  EXPECT_EQ(rest.Count("items"), 2U) << rest.body;
  const Answer about = Operator("eve").Get("/audit?target=" + subs_["ann"]);
  EXPECT_EQ(about.Count("items"), 3U) << about.body;
}

TEST_P(OperatorTest, WritesDownNothingThatWasNotDone) {
  const std::size_t before = Operator("eve").Get("/audit").Count("items");
  EXPECT_EQ(Account("eve").Post("/users/nobody/disable").status, 404);
  EXPECT_EQ(Account("eve").Post("/users/not%20an%20id/approve").status, 404);
  EXPECT_EQ(Account("eve").Post("/users/" + subs_["eve"] + "/disable").status, 409);
  EXPECT_EQ(Operator("eve").Post("/consumers/books/nobody/replay").status, 404);
  EXPECT_EQ(Operator("eve").Post("/consumers/nowhere/days/replay").status, 404);
  for (const std::string name : {"ann", "mo"}) {
    EXPECT_EQ(
        Account(name).Post("/users/" + subs_["ann"] + "/groups", R"({"groups": ["admin"]})").status,
        403);
    EXPECT_EQ(Operator(name).Get("/audit").status, 403);
    EXPECT_EQ(Operator(name).Get("/jobs").status, 403);
  }
  EXPECT_EQ(With("", operator_).Get("/audit").status, 401);
  EXPECT_EQ(Operator("eve").Get("/audit").Count("items"), before);
}

// What was done to somebody goes with them; what they did to others stays, and no longer says who.
TEST_P(OperatorTest, AnEntryGoesWithWhomItIsAbout) {
  SignUp("root", {"admin"});
  EXPECT_EQ(Account("root").Post("/users/" + subs_["ann"] + "/groups", R"({"groups": []})").status,
            200);
  EXPECT_EQ(Account("root").Post("/users/" + subs_["mo"] + "/groups", R"({"groups": []})").status,
            200);
  EXPECT_EQ(Account("ann").Delete("/me").status, 202);
  EXPECT_EQ(Account("root").Delete("/me").status, 202);
  Settle();
  const Answer all = Operator("eve").Get("/audit");
  EXPECT_EQ(all.body.find(subs_["ann"]), std::string::npos) << all.body;
  const Answer about = Operator("eve").Get("/audit?target=" + subs_["mo"]);
  ASSERT_EQ(about.Count("items"), 2U) << about.body;
  EXPECT_EQ(about.body.find(subs_["root"]), std::string::npos) << about.body;
  EXPECT_EQ(about.At("items[0].actor"), "erased");
  EXPECT_EQ(about.At("items[0].actorName"), "absent");
}

}  // namespace
}  // namespace trestle::apps::testing
