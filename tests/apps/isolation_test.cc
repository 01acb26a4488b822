// Nobody gets at what is somebody else's: every route, with every way to say whose it shall be.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "apps/apps.h"
#include "apps/isolation_rows.h"
#include "apps/world_fixture.h"
#include "base/crypto.h"
#include "platform/identity/accounts.h"
#include "platform/identity/auth_app.h"
#include "platform/identity/claims.h"
#include "platform/operator_app.h"

namespace trestle::apps::testing {
namespace {

using platform::Access;
using platform::App;
using platform::Route;

constexpr std::string_view kStream = "text/event-stream";

const Route* FindRoute(const App& app, const Row& row) {
  const auto route = std::ranges::find_if(app.routes, [&](const Route& one) {
    return one.method == row.method && one.path == row.path;
  });
  return route == app.routes.end() ? nullptr : &*route;
}

bool IsRefusal(int status) { return status == 401 || status == 403 || status == 404; }

class IsolationTest : public WorldFixture {
 protected:
  // What a request is made of: whose ids are in the path, and whose in query and body.
  struct Ids {
    const Things& path;
    const Things& rest;
  };

  Answer Send(const Person& person, const Row& row, const Ids& ids, std::string_view more = {}) {
    std::string target = PathOf(row.path, ids.path);
    const std::string query = Fill(row.query, ids.rest) + std::string(more);
    if (!query.empty()) target += (query.front() == '&' ? "?" + query.substr(1) : "?" + query);
    const std::string body = Fill(row.body, ids.rest);
    const bool is_json = body.empty() || body.front() == '{';
    const std::string_view other = body.starts_with("\x89PNG") ? "image/png" : "text/csv";
    return person.Send(row.method, target, body,
                       {{"Content-Type", std::string(is_json ? "application/json" : other)}});
  }

  // That the answer is a refusal, that nothing has changed by it, and that it says nothing.
  void ExpectRefused(const Answer& answer, int status, const std::string& what) {
    EXPECT_EQ(answer.status, status) << what << "\n" << answer.body;
    ExpectNothingOfAnn(answer, what);
    if (watching().writes() == writes_) return;
    writes_ = watching().writes();
    EXPECT_TRUE(Items() == items_) << what << " has changed something";
  }

  // That what only ann may know is as it was, and not in the answer.
  void ExpectNothingOfAnn(const Answer& answer, const std::string& what) {
    EXPECT_EQ(answer.body.find(Secret("ann")), std::string::npos) << what << "\n" << answer.body;
    // bob has shared a library with her: he knows it there.
    if (answer.body.find("haredTo") == std::string::npos) {
      EXPECT_EQ(answer.body.find(EmailOf("ann")), std::string::npos) << what << "\n" << answer.body;
    }
    EXPECT_NE(answer.status, 500) << what << "\n" << answer.body;
  }

  void ExpectAnnsAsBefore(const std::string& what) {
    Settle();
    EXPECT_TRUE(Items(Secret("ann")) == secrets_) << what << " has changed something of ann's";
    Remember();
  }

  // Without codes: everybody may ask for one to be sent to her, and try one.
  std::vector<std::string> ItemsOfAnn() {
    std::vector<std::string> items = Items(SubOf("ann"));
    std::erase_if(items,
                  [](const std::string& item) { return item.find("CODE#") != std::string::npos; });
    return items;
  }

  void Remember() {
    writes_ = watching().writes();
    items_ = Items();
    secrets_ = Items(Secret("ann"));
  }

  void Expect(Verdict verdict, const Answer& answer, const std::string& what) {
    if (verdict == Verdict::kHidden) return ExpectRefused(answer, 404, what);
    if (verdict == Verdict::kNowhere) return ExpectRefused(answer, 400, what);
    if (verdict == Verdict::kForbidden) return ExpectRefused(answer, 403, what);
    if (verdict == Verdict::kOpen) {
      EXPECT_FALSE(IsRefusal(answer.status) || answer.status == 400) << what << "\n" << answer.body;
    }
    ExpectNothingOfAnn(answer, what);
    if (watching().writes() != writes_) ExpectAnnsAsBefore(what);
  }

  // Calls `each` with every route in the order of its rows. What takes something away comes last,
  // and parents behind their children. Streams do not end by themselves, where they are allowed.
  template <typename Each>
  void ForEachRoute(const Each& each, bool is_with_streams = false) {
    for (const AppRows& rows : IsolationRows()) {
      std::vector<const Row*> order;
      for (const Row& row : rows.rows)
        order.push_back(&row);
      std::ranges::stable_sort(order, [](const Row* left, const Row* right) {
        const auto rank = [](const Row* row) {
          const bool is_allowed =
              row->verdicts.visitors == Verdict::kOwn || row->verdicts.visitors == Verdict::kOpen;
          return row->method == "DELETE" ? 1000 - row->path.size() + (is_allowed ? 1000 : 0) : 0;
        };
        return rank(left) < rank(right);
      });
      const App& app = AppNamed(rows.app);
      for (const Row* row : order) {
        const Route* route = FindRoute(app, *row);
        if (route == nullptr || (route->gives == kStream && !is_with_streams)) continue;
        each(app, *route, *row);
      }
    }
  }

  // Tokens for ann that the pool has not made so, by what is wrong with them.
  std::map<std::string, std::string> ForgedTokens() {
    const std::string& good = TokenOf("ann");
    const std::string payload =
        good.substr(good.find('.') + 1, good.rfind('.') - good.find('.') - 1);
    const auto header = [](std::string_view algorithm) {
      return Base64UrlEncode(fmt::format(R"({{"alg":"{}","typ":"JWT"}})", algorithm)) + ".";
    };
    const std::int64_t now_s = clock().NowUnixMs() / 1000;
    const platform::identity::Claims claims{.issuer = "test",
                                            .client = "trestle",
                                            .sub = SubOf("ann"),
                                            .token_id = "x",
                                            .authenticated_unix_s = now_s,
                                            .issued_unix_s = now_s,
                                            .expires_unix_s = now_s + 60};
    EXPECT_EQ(With(Sign(ClaimsText(claims)), AppNamed("books")).Get("/me").status, 200)
        << "the forger knows how";
    auto of_another_issuer = claims;
    of_another_issuer.issuer = "https://elsewhere.example.org";
    auto for_another_client = claims;
    for_another_client.client = "another";
    // Who takes the public key for a secret.
    const std::string keys =
        With("", platform::identity::kAuthApp).Get("/.well-known/jwks.json").body;
    const std::string text = header("HS256") + payload;
    const auto login =
        host().accounts()->LogIn({.claim = {.email = EmailOf("ann"), .address = "::1"},
                                  .password = "correct horse battery"});
    EXPECT_TRUE(login.ok());
    return {
        {"another issuer", Sign(ClaimsText(of_another_issuer))},
        {"another client", Sign(ClaimsText(for_another_client))},
        {"no signature", header("none") + payload + "."},
        {"the public key as a secret",
         text + "." + Base64UrlEncode(AsBytes(HmacSha256(keys).Sign(text)))},
        {"an id token", login.ok() ? login->id_token : ""},
    };
  }

  // Calls `each` with every route of PlatformRows.
  template <typename Each>
  void ForEachPlatformRoute(const Each& each) {
    for (const AppRows& rows : PlatformRows()) {
      const App& app = rows.app == operator_.name ? operator_ : platform::identity::kAuthApp;
      for (const Row& row : rows.rows) {
        const Route* route = FindRoute(app, row);
        if (route != nullptr) each(app, *route, row);
      }
    }
  }

  std::uint64_t writes_ = 0;
  std::vector<std::string> items_;
  std::vector<std::string> secrets_;
  const platform::OperatorApp operator_;  // what its routes are
};

// Who may do what does not depend on where the tables are.
TRESTLE_WORLD_BACKENDS(IsolationTest);

std::string Name(const App& app, const Route& route, std::string_view who) {
  return fmt::format("{} {} {} as {}", app.name, route.method, route.path, who);
}

TEST_P(IsolationTest, EveryRouteHasItsRow) {
  std::set<std::string> routes;
  const auto add = [&](const App& app) {
    for (const Route& route : app.routes)
      routes.insert(fmt::format("{} {} {}", app.name, route.method, route.path));
  };
  for (const App& app : All())
    add(app);
  add(platform::identity::kAuthApp);
  add(operator_);
  for (const auto& all : {IsolationRows(), PlatformRows()})
    for (const AppRows& rows : all)
      for (const Row& row : rows.rows)
        EXPECT_EQ(routes.erase(fmt::format("{} {} {}", rows.app, row.method, row.path)), 1U)
            << rows.app << ": no such route, or a row too many: " << row.path;
  EXPECT_TRUE(routes.empty()) << "routes without a row: "
                              << fmt::format("{}", fmt::join(routes, ", "));
}

// Without it the other tests would be content with requests that are refused for other reasons.
TEST_P(IsolationTest, EveryRequestIsGoodForItsOwner) {
  MakeWorld();
  ForEachRoute([&](const App& app, const Route& route, const Row& row) {
    // Nobody shares with themselves or votes for themselves, a code and a secret address would have
    // to be known, and what was moved is not where it was.
    for (const std::string_view other :
         {"/vote", "/shared-libraries/{libraryId}", "/feed/{file}", "/me/email/confirm", "/move"})
      if (route.path.ends_with(other)) return;
    // It has gone with the story.
    if (route.path == "/me/bookmarks/{storyId}" && route.method == "DELETE") return;
    const Belongings& own = Of("ann", app.name);
    const bool is_special = route.access == Access::kAdmin || route.access == Access::kModerator;
    const Answer answer =
        Send(Somebody(is_special ? "eve" : "ann", app), row, {own.hidden, own.hidden});
    const std::string what = Name(app, route, "owner");
    const std::set<int> wrong = {400, 401, 403, 404, 405, 415, 500};
    EXPECT_FALSE(wrong.contains(answer.status)) << what << "\n" << answer.body;
    Settle();
  });
}

TEST_P(IsolationTest, NobodyComesInWithoutAToken) {
  MakeWorld();
  LetTokensExpire();
  Remember();
  ForEachRoute(
      [&](const App& app, const Route& route, const Row& row) {
        const Belongings& anns = Of("ann", app.name);
        const Answer late = Send(Expired("ann", app), row, {anns.hidden, anns.hidden});
        ExpectRefused(late, 401, Name(app, route, "somebody of an hour ago"));
        EXPECT_EQ(late.Code(), "token-expired");
        const std::string guest = Name(app, route, "guest");
        if (route.access != Access::kPublic) {
          ExpectRefused(Send(Guest(app), row, {anns.hidden, anns.hidden}), 401, guest);
          ExpectRefused(Send(Guest(app), row, {anns.shown, anns.shown}), 401, guest);
        } else {
          Expect(row.verdicts.others, Send(Guest(app), row, {anns.hidden, anns.hidden}), guest);
          Expect(row.verdicts.visitors, Send(Guest(app), row, {anns.shown, anns.shown}), guest);
        }
      },
      true);
}

TEST_P(IsolationTest, ForgedTokensOpenNothing) {
  MakeWorld();
  const auto tokens = ForgedTokens();
  Settle();
  Remember();
  const auto refuse = [&](const App& app, const Route& route, const Row& row, const Things& anns) {
    for (const auto& [wrong, token] : tokens) {
      const Answer answer = Send(With(token, app), row, {anns, anns});
      ExpectRefused(answer, 401, Name(app, route, wrong));
      EXPECT_EQ(answer.Code(), "unauthenticated");
    }
  };
  ForEachRoute([&](const App& app, const Route& route,
                   const Row& row) { refuse(app, route, row, Of("ann", app.name).hidden); },
               true);
  Things anns = Of("ann", "books").hidden;
  anns["app"] = "stories";
  anns["consumer"] = "notify";
  ForEachPlatformRoute([&](const App& app, const Route& route, const Row& row) {
    if (route.access != Access::kPublic) refuse(app, route, row, anns);
  });
}

TEST_P(IsolationTest, AccountsAreTheirPeoplesOwn) {
  MakeWorld();
  LetTokensExpire();
  Things anns = Of("ann", "books").hidden;
  anns["app"] = "stories";
  anns["consumer"] = "notify";
  ForEachPlatformRoute([&](const App& app, const Route& route, const Row& row) {
    Remember();
    const auto before = ItemsOfAnn();
    const std::string what = Name(app, route, "somebody else");
    const Answer late = Send(Expired("ann", app), row, {anns, anns});
    const Answer guest = Send(Guest(app), row, {anns, anns});
    if (route.access == Access::kPublic) {
      // A token of no use keeps nobody from signing in.
      EXPECT_NE(late.Code(), "token-expired") << what;
      ExpectNothingOfAnn(guest, what);
    } else {
      ExpectRefused(late, 401, what);
      EXPECT_EQ(late.Code(), "token-expired") << what;
      ExpectRefused(guest, 401, what);
      const bool is_admins = route.access == Access::kAdmin;
      for (const std::string_view name : {"bob", "cat", "mo"}) {
        if (route.method == "DELETE") continue;  // who leaves is another test's
        const Answer answer = Send(Somebody(name, app), row, {anns, anns});
        ExpectNothingOfAnn(answer, what);
        if (is_admins) ExpectRefused(answer, 403, what);
      }
      if (is_admins) {
        const Answer allowed = Send(Somebody("eve", app), row, {anns, anns});
        EXPECT_EQ(allowed.status, 200) << what << allowed.body;
      }
    }
    Settle();
    if (route.access == Access::kAdmin) return;  // eve may
    EXPECT_TRUE(ItemsOfAnn() == before) << what;
  });
}

TEST_P(IsolationTest, NobodyGetsAtWhatIsHidden) {
  MakeWorld();
  Remember();
  ForEachRoute([&](const App& app, const Route& route, const Row& row) {
    const Things& anns = Of("ann", app.name).hidden;
    Expect(row.verdicts.others, Send(Somebody("bob", app), row, {anns, anns}),
           Name(app, route, "bob"));
  });
}

TEST_P(IsolationTest, WhoMaySeeMayNotDoMore) {
  MakeWorld();
  Remember();
  ForEachRoute([&](const App& app, const Route& route, const Row& row) {
    const Things& shown = Of("ann", app.name).shown;
    if (route.access == Access::kAdmin) {
      ExpectRefused(Send(Somebody("mo", app), row, {shown, shown}), 403,
                    Name(app, route, "moderator"));
    }
    if (route.access == Access::kCurator) {
      const Answer answer = Send(Somebody("cat", app), row, {shown, shown});
      ExpectRefused(answer, 403, Name(app, route, "somebody who is no curator"));
      EXPECT_EQ(answer.Code(), "curator-required");
    }
    Expect(row.verdicts.visitors, Send(Somebody("bob", app), row, {shown, shown}),
           Name(app, route, "visitor"));
  });
}

TEST_P(IsolationTest, IdsInBodiesAndQueriesOpenNothing) {
  MakeWorld();
  Remember();
  int sent = 0;
  ForEachRoute([&](const App& app, const Route& route, const Row& row) {
    const auto names_something = [](std::string_view text) {
      return text.find("Id>") != std::string_view::npos || text.find("/id>") != text.npos;
    };
    if (!names_something(row.body) && !names_something(row.query)) return;
    ++sent;
    const std::string what = Name(app, route, "bob with ann's ids");
    const Answer answer =
        Send(Somebody("bob", app), row, {Of("bob", app.name).hidden, Of("ann", app.name).hidden});
    EXPECT_TRUE(answer.status >= 400 && answer.status < 500) << what << "\n" << answer.body;
    ExpectRefused(answer, answer.status, what);
  });
  EXPECT_GE(sent, 12);
}

TEST_P(IsolationTest, ACursorIsForWhoGotIt) {
  MakeWorld();
  Remember();
  std::string other_cursor;  // of the list before
  std::string_view other_path;
  ForEachRoute([&](const App& app, const Route& route, const Row& row) {
    if (!route.is_list) return;
    const Things& own = Of("ann", app.name).hidden;
    const bool is_special = route.access == Access::kAdmin || route.access == Access::kModerator;
    const Answer first =
        Send(Somebody(is_special ? "eve" : "ann", app), row, {own, own}, "&limit=1");
    const std::string what = Name(app, route, "bob with another's cursor");
    const std::string cursor = first.At("nextCursor");
    EXPECT_EQ(cursor != "absent", row.has_pages) << what << "\n" << first.body;
    if (cursor == "absent") return;
    // Not even its owner may change it, or use it for another question.
    const auto ask = [&](const std::string& text) {
      return Send(Somebody(is_special ? "eve" : "ann", app), row, {own, own},
                  "&limit=1&cursor=" + text);
    };
    EXPECT_EQ(ask(cursor).status, 200) << what;
    std::string tampered = cursor;
    char& changed = tampered[tampered.size() / 2];
    changed = changed == 'A' ? 'B' : 'A';
    for (const std::string& wrong : {tampered, cursor.substr(1), std::string("x"), other_cursor}) {
      // What can be asked in two ways is one question.
      if (wrong.empty() || (wrong == other_cursor && other_path == route.path)) continue;
      const Answer refused = ask(wrong);
      ExpectRefused(refused, 400, what);
      EXPECT_EQ(refused.Code(), "invalid-cursor") << what;
    }
    other_cursor = cursor;
    other_path = route.path;
    // Where bob can ask the question at all, which is where the things of the path are his.
    const Things& bobs = Of("bob", app.name).hidden;
    const Answer answer = Send(Somebody(is_special ? "mo" : "bob", app), row,
                               {bobs, route.path.find('{') == std::string_view::npos ? own : bobs},
                               "&limit=1&cursor=" + cursor);
    if (route.access == Access::kAdmin) return ExpectRefused(answer, 403, what);
    ExpectRefused(answer, 400, what);
    EXPECT_EQ(answer.Code(), "invalid-cursor") << what;
  });
}

TEST_P(IsolationTest, SearchAndExportHoldTheCallersOnly) {
  MakeWorld();
  for (const App& app : All()) {
    SCOPED_TRACE(app.name);
    const std::string search = "/search?limit=100&q=" + Secret("ann");
    const Answer own = Somebody("ann", app).Get(search);
    EXPECT_GT(own.Count("items"), 0U) << own.body;
    for (const Person& other : {Somebody("bob", app), Somebody("cat", app), Guest(app)}) {
      const Answer found = other.Get(search);
      if (found.status == 401) continue;
      EXPECT_EQ(found.status, 200) << found.body;
      ExpectNothingOfAnn(found, "search");
    }
    for (const std::string_view format : {"json", "csv"}) {
      const std::string address = fmt::format("/export?format={}", format);
      EXPECT_NE(Somebody("ann", app).Get(address).body.find(Secret("ann")), std::string::npos);
      for (const std::string_view other : {"bob", "cat", "eve"})
        ExpectNothingOfAnn(Somebody(other, app).Get(address), address);
    }
  }
}

}  // namespace
}  // namespace trestle::apps::testing
