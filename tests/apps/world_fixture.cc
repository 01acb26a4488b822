#include "apps/world_fixture.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/apps.h"
#include "apps/pictures.h"
#include "base/check.h"
#include "design/follower.h"
#include "platform/identity/accounts.h"
#include "platform/identity/auth_app.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

constexpr std::string_view kPassword = "correct horse battery";
constexpr std::string_view kNames[] = {"ann", "bob", "cat", "mo", "eve"};
constexpr std::string_view kEverybody[] = {"ann", "bob", "cat", "mo", "eve", "dan"};
constexpr std::int64_t kTokenMs = 1000 * (platform::identity::kAccessTokenSeconds + 120);

std::vector<std::string> GroupsOf(std::string_view name) {
  if (name == "eve") return {"admin"};
  if (name == "mo") return {"moderator"};
  return {};
}

// Everything that may have a picture has one.
void GivePicture(const Person& person, const std::string& path) {
  Made(person.Put(path + "/picture", Png({}), {{"Content-Type", "image/png"}}));
}

std::string LongText(const std::string& word) { return word + " " + std::string(500, 'c'); }

}  // namespace

Answer Made(Answer answer) {
  CHECK(answer.status >= 200 && answer.status < 300, answer.body.c_str());
  return answer;
}

std::string PathOf(std::string_view path, const Things& things) {
  std::string out;
  std::string_view before;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    out += '/';
    if (!segment.starts_with('{')) {
      out += segment;
    } else {
      const std::string_view name = segment.substr(1, segment.size() - 2);
      auto thing = things.find(fmt::format("{}/{}", before, name));
      if (thing == things.end()) thing = things.find(name);
      EXPECT_NE(thing, things.end()) << before << "/" << name;
      if (thing != things.end()) out += thing->second;
    }
    before = segment;
  }
  return out;
}

std::string Fill(std::string_view text, const Things& things) {
  std::string out;
  while (true) {
    const std::size_t open = text.find('<');
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = text.find('>', open);
    const auto thing = things.find(text.substr(open + 1, close - open - 1));
    EXPECT_NE(thing, things.end()) << text;
    if (thing != things.end()) out += thing->second;
    text.remove_prefix(close + 1);
  }
}

void WorldFixture::MakeWorld() {
  MakeAccounts();
  SignIn();
  for (const std::string_view name : kNames)
    for (const platform::App& app : All())
      Made(Somebody(name, app).Get("/me"));
  for (const std::string_view name : {"ann", "bob"})
    Made(Somebody("eve", AppNamed("watch"))
             .Post(fmt::format("/admin/users/{}/curator", SubOf(name)),
                   R"({"status": "approved"})"));
  MakeThings("ann", "bob");
  MakeThings("bob", "ann");
  MeetEachOther("ann", "bob");
  MeetEachOther("bob", "ann");
  Settle();
  for (const std::string_view name : {"ann", "bob"}) {
    MakeJobs(name);
    const Answer news = Made(Somebody(name, AppNamed("stories")).Get("/me/notifications"));
    for (Things* things : {&belongings_[std::string(name)]["stories"].hidden,
                           &belongings_[std::string(name)]["stories"].shown})
      (*things)["notificationId"] = news.At("items[0].notificationId");
  }
}

void WorldFixture::MakeAccounts() {
  for (const std::string_view name : kEverybody) {
    const Status made = host().accounts()->Provide({.email = EmailOf(name),
                                                    .password = std::string(kPassword),
                                                    .name = std::string(name) + " person",
                                                    .groups = GroupsOf(name)});
    CHECK(made.ok(), "an account");
    const auto account = host().accounts()->FindByEmail(EmailOf(name));
    CHECK(account.ok() && account->has_value(), "the account that was made");
    subs_[std::string(name)] = platform::TextOf((*account)->record, "sub");
  }
}

void WorldFixture::SignIn() {
  for (const std::string_view name : kEverybody) {
    const auto tokens = host().accounts()->LogIn(
        {.claim = {.email = EmailOf(name), .address = "::1"}, .password = std::string(kPassword)});
    CHECK(tokens.ok(), "the right password");
    tokens_[std::string(name)] = tokens->access_token;
  }
}

void WorldFixture::LetTokensExpire() {
  expired_ = tokens_;
  Advance(kTokenMs);
  SignIn();
  // What a first request after a while changes is changed before anything is compared.
  for (const std::string_view name : kNames)
    for (const platform::App& app : All())
      Made(Somebody(name, app).Get("/me"));
  Settle();
}

Person WorldFixture::Somebody(std::string_view name, const platform::App& app) const {
  return With(tokens_.find(name)->second, app);
}

Person WorldFixture::Expired(std::string_view name, const platform::App& app) const {
  return With(expired_.find(name)->second, app);
}

void WorldFixture::MakeThings(std::string_view name, std::string_view friend_name) {
  auto& of_person = belongings_[std::string(name)];
  of_person["books"] = MakeBooks(name);
  of_person["library"] = MakeLibrary(name, friend_name);
  of_person["watch"] = MakeWatch(name);
  of_person["stories"] = MakeStories(name);
  of_person["notes"] = MakeNotes(name);
  for (const std::string_view app : {"watch", "stories"})
    GivePicture(Somebody(name, AppNamed(app)), "/me");
  for (auto& [app, belongings] : of_person) {
    belongings.hidden["word"] = Secret(name);
    belongings.shown["word"] = Shown(name);
    for (Things* things : {&belongings.hidden, &belongings.shown}) {
      (*things)["sub"] = SubOf(name);
      (*things)["users/id"] = SubOf(name);
      (*things)["curators/id"] = SubOf(name);
      (*things)["userId"] = SubOf(name);
      (*things)["email"] = EmailOf("eve");  // of shares
      (*things)["own"] = EmailOf(name);
      (*things)["text"] = std::string(500, 't');
    }
  }
}

void WorldFixture::MakeJobs(std::string_view name) {
  design::Runtime& runtime = *host().FindRuntime(platform::identity::kAuthApp.name);
  for (auto& [app, belongings] : belongings_[std::string(name)]) {
    design::Record job = platform::TextRecord(
        {{"sub", SubOf(name)}, {"app", app}, {"kind", "erase"}, {"state", "DONE"}});
    const auto made = runtime.Create(*runtime.model().FindEntity("Job"), job);
    CHECK(made.ok(), "a job");
    belongings.hidden["jobId"] = platform::TextOf(made->record, "jobId");
    belongings.shown["jobId"] = belongings.hidden["jobId"];
  }
}

WorldFixture::Belongings WorldFixture::MakeBooks(std::string_view name) {
  const Person person = Somebody(name, AppNamed("books"));
  const std::string word = Secret(name);
  Things things;
  Made(person.Patch("/me", fmt::format(R"({{"displayName": "{} reader"}})", word)));
  for (int i = 0; i < 2; ++i) {
    things["id"] =
        Made(person.Post("/books", fmt::format(R"({{"title": "{0} {1}", "description": "{0}",
                                                    "totalPages": 300, "store": "{0}"}})",
                                               word, i)))
            .At("id");
    const std::string book = "/books/" + things["id"];
    for (int j = 1; j <= 2; ++j) {
      things["noteId"] =
          Made(person.Post(book + "/notes", fmt::format(R"({{"content": "{} note"}})", word)))
              .At("id");
      Advance(1000);
      Made(person.Post(book + "/page", fmt::format(R"({{"page": {}}})", j * 10)));
    }
  }
  return {.hidden = things, .shown = things};
}

Things WorldFixture::MakeLibraryNamed(const Person& person, const std::string& word) {
  Things things;
  things["libraryId"] =
      Made(person.Post("/libraries",
                       fmt::format(R"({{"libraryName": "{0}", "description": "{0}"}})", word)))
          .At("id");
  const std::string library = "/libraries/" + things["libraryId"];
  for (int i = 0; i < 2; ++i) {
    const Answer collection =
        Made(person.Post(library + "/collections", fmt::format(R"({{"name": "{} {}"}})", word, i)));
    things["collectionId"] = collection.At("id");
  }
  for (int i = 0; i < 2; ++i) {
    const Answer book = Made(person.Post(
        library + "/books", fmt::format(R"({{"title": "{0} {1}", "summary": "{0}", "authors":
                                             ["{0}"], "collectionId": "{2}"}})",
                                        word, i, things["collectionId"])));
    things["itemId"] = book.At("id");
    const std::string item = library + "/items/" + things["itemId"];
    GivePicture(person, item);
    Advance(1000);
    Made(person.Post(item + "/lend", fmt::format(R"({{"borrower": "{} friend"}})", word)));
    Advance(1000);
    Made(person.Post(item + "/return"));
    Advance(1000);
    Made(person.Post(item + "/lend", fmt::format(R"({{"borrower": "{} friend"}})", word)));
  }
  return things;
}

WorldFixture::Belongings WorldFixture::MakeLibrary(std::string_view name,
                                                   std::string_view friend_name) {
  const Person person = Somebody(name, AppNamed("library"));
  Belongings belongings{.hidden = MakeLibraryNamed(person, Secret(name)),
                        .shown = MakeLibraryNamed(person, Shown(name))};
  belongings.hidden["otherId"] = belongings.shown["libraryId"];
  belongings.shown["otherId"] = belongings.hidden["libraryId"];
  for (const std::string_view with : {friend_name, std::string_view("eve")})
    Made(person.Post(fmt::format("/libraries/{}/shares", belongings.shown["libraryId"]),
                     fmt::format(R"({{"email": "{}"}})", EmailOf(with))));
  Made(person.Post(fmt::format("/libraries/{}/shares", belongings.hidden["libraryId"]),
                   fmt::format(R"({{"email": "{}"}})", EmailOf("eve"))));
  Made(person.Post(fmt::format("/libraries/{}/shares", belongings.hidden["libraryId"]),
                   fmt::format(R"({{"email": "{}"}})", EmailOf("mo"))));
  return belongings;
}

Things WorldFixture::MakeWatchlist(const Person& person, const std::string& word, bool is_public) {
  Things things;
  for (int i = 0; i < 2; ++i) {
    Advance(1000);
    things["watchlists/id"] =
        Made(person.Post("/watchlists",
                         fmt::format(R"({{"title": "{0} {1}", "description": "{0}", "tags": ["{0}"],
                                          "isPublic": {2}}})",
                                     word, i, is_public)))
            .At("watchlistId");
    const std::string list = "/watchlists/" + things["watchlists/id"];
    for (const std::string_view kind : {"movie", "show"}) {
      // Titles are everybody's, and so are their ids.
      const std::string id =
          fmt::format("{}-{}-{}-{}", word.substr(0, 3), is_public ? "open" : "own", kind, i);
      const bool is_movie = kind == "movie";
      Made(person.Post(is_movie ? "/movies" : "/shows",
                       fmt::format(R"({{"{}Id": "{}", "title": "Title {}"}})", kind, id, i)));
      Made(person.Post(list + "/items",
                       fmt::format(R"({{"contentType": "{}", "contentId": "{}", "curatorNote":
                                        "{}"}})",
                                   is_movie ? "MOVIE" : "SHOW", id, word)));
      things[fmt::format("{}s/id", kind)] = id;
      GivePicture(person, fmt::format("/{}s/{}", kind, id));
    }
    GivePicture(person, list);
    things["saved/id"] = things["watchlists/id"];
    things["type"] = "MOVIE";
    things["cid"] = things["movies/id"];
    for (int j = 0; j < 2; ++j) {
      Advance(1000);
      things["token"] =
          Made(person.Post(list + "/comments", fmt::format(R"({{"commentText": "{}"}})", word)))
              .At("token");
    }
    Made(person.Put("/me/saved/" + things["watchlists/id"]));
    for (const std::string_view kind : {"movie", "show"}) {
      const std::string title = fmt::format("{}/{}", kind == "movie" ? "MOVIE" : "SHOW",
                                            things[fmt::format("{}s/id", kind)]);
      Made(person.Put("/me/ratings/" + title, R"({"rating": 8})"));
      Made(person.Put("/me/watched/" + title));
    }
  }
  return things;
}

WorldFixture::Belongings WorldFixture::MakeWatch(std::string_view name) {
  const Person person = Somebody(name, AppNamed("watch"));
  return {.hidden = MakeWatchlist(person, Secret(name), false),
          .shown = MakeWatchlist(person, Shown(name), true)};
}

Things WorldFixture::MakeStory(const Person& person, const std::string& word) {
  Things things;
  const auto branch = [&](const std::string& parent) {
    Advance(1000);
    return Made(person.Post(
                    parent + "/branches",
                    fmt::format(R"({{"title": "{}", "content": "{}"}})", word, LongText(word))))
        .At("nodeId");
  };
  for (int i = 0; i < 2; ++i) {
    Advance(1000);
    const Answer story = Made(person.Post(
        "/stories", fmt::format(R"({{"title": "{0} {1}", "synopsis": "{2}", "genre": "Fantasy",
                                     "ageRating": "PG", "firstChapter": {{"title": "{0}",
                                     "content": "{2}"}}}})",
                                word, i, LongText(word))));
    things["storyId"] = story.At("storyId");
    GivePicture(person, "/stories/" + things["storyId"]);
    const std::string chapters = fmt::format("/stories/{}/chapters/", things["storyId"]);
    branch(chapters + story.At("rootNodeId"));
    things["nodeId"] = branch(chapters + story.At("rootNodeId"));
    branch(chapters + things["nodeId"]);
    branch(chapters + things["nodeId"]);
    const std::string comments = chapters + things["nodeId"] + "/comments";
    for (int j = 0; j < 2; ++j)
      things["commentId"] =
          Made(person.Post(comments, fmt::format(R"({{"text": "{}"}})", word))).At("commentId");
    for (int j = 0; j < 2; ++j)
      Made(person.Post(comments, fmt::format(R"({{"text": "{}", "parentCommentId": "{}"}})", word,
                                             things["commentId"])));
    Made(person.Put("/me/bookmarks/" + things["storyId"],
                    fmt::format(R"({{"currentNodeId": "{}"}})", things["nodeId"])));
    Made(person.Post(chapters + things["nodeId"] + "/reads"));
    if (word.ends_with("shown"))
      Made(person.Post(fmt::format("/stories/{}/publish", things["storyId"])));
  }
  return things;
}

WorldFixture::Belongings WorldFixture::MakeStories(std::string_view name) {
  const Person person = Somebody(name, AppNamed("stories"));
  return {.hidden = MakeStory(person, Secret(name)), .shown = MakeStory(person, Shown(name))};
}

WorldFixture::Belongings WorldFixture::MakeNotes(std::string_view name) {
  const Person person = Somebody(name, AppNamed("notes"));
  const std::string word = Secret(name);
  Things things;
  Made(person.Patch("/me", fmt::format(R"({{"name": "{} writer"}})", word)));
  for (const std::string_view deadline : {"2026-01-01", "2026-01-01", "2026-01-02", "2026-01-02"})
    things["id"] = Made(person.Post("/notes", fmt::format(R"({{"title": "{0}", "content": "{0}",
                                                               "tags": ["{0}"], "deadline": "{1}",
                                                               "remindAt":
                                                               "2026-01-02T12:00:00Z"}})",
                                                          word, deadline)))
                       .At("id");
  Made(person.Post("/me/calendar-feed"));
  things["file"] = "of-nobody.ics";
  return {.hidden = things, .shown = things};
}

// What others do with what somebody has shown: comments, votes, branches, reports.
void WorldFixture::MeetEachOther(std::string_view name, std::string_view friend_name) {
  const Person watcher = Somebody(name, AppNamed("watch"));
  const Things& list = Of(friend_name, "watch").shown;
  const std::string word = Shown(name);
  const std::string path = "/watchlists/" + list.at("watchlists/id");
  Made(watcher.Put("/me/saved/" + list.at("watchlists/id")));
  Made(watcher.Post(path + "/comments", fmt::format(R"({{"commentText": "{}"}})", word)));
  Made(watcher.Put("/me/ratings/MOVIE/" + list.at("cid"),
                   fmt::format(R"({{"rating": 3, "review": "{}"}})", word)));
  Made(Somebody(friend_name, AppNamed("watch"))
           .Patch(path, fmt::format(R"({{"title": "{} again"}})", Shown(friend_name))));

  const Person reader = Somebody(name, AppNamed("stories"));
  const Things& story = Of(friend_name, "stories").shown;
  const std::string chapter =
      fmt::format("/stories/{}/chapters/{}", story.at("storyId"), story.at("nodeId"));
  for (int i = 0; i < 2; ++i) {
    Advance(1000);
    Made(reader.Post(chapter + "/branches",
                     fmt::format(R"({{"title": "{}", "content": "{}"}})", word, LongText(word))));
  }
  Made(reader.Put(chapter + "/vote", R"({"voteType": "UPVOTE"})"));
  Made(reader.Post(chapter + "/reads"));
  Made(reader.Post(chapter + "/comments", fmt::format(R"({{"text": "{}"}})", word)));
  Made(reader.Put(fmt::format("{}/comments/{}/vote", chapter, story.at("commentId")),
                  R"({"value": 1})"));
  Made(reader.Put("/me/bookmarks/" + story.at("storyId"),
                  fmt::format(R"({{"currentNodeId": "{}"}})", story.at("nodeId"))));
  for (Things* things : {&belongings_[std::string(friend_name)]["stories"].hidden,
                         &belongings_[std::string(friend_name)]["stories"].shown}) {
    (*things)["reporterId"] = SubOf(name);
    (*things)["targetType"] = "STORY";
    (*things)["targetId"] = story.at("storyId");
  }
  Made(reader.Post("/reports", fmt::format(R"({{"targetType": "STORY", "targetId": "{}", "storyId":
                                                "{}", "reason": "SPAM", "text": "{}"}})",
                                           story.at("storyId"), story.at("storyId"), word)));
}

void WorldFixture::LeaveDigest() {
  Made(Somebody("ann", AppNamed("stories")).Put("/me/settings", R"({"digest": "WEEKLY"})"));
  const Things& story = Of("ann", "stories").shown;
  Made(Somebody("bob", AppNamed("stories"))
           .Post(fmt::format("/stories/{}/chapters/{}/branches", story.at("storyId"),
                             story.at("nodeId")),
                 fmt::format(R"({{"title": "{0}", "content": "{1}"}})", Shown("bob"),
                             std::string(500, 'c'))));
}

std::vector<std::string> WorldFixture::Items() {
  std::vector<std::string> items;
  for (const platform::Host::Design& design : host().designs()) {
    design::ReadPage read{.table = std::string(design.table), .is_consistent = true};
    do {
      const auto page = backend().Read(read);
      CHECK(page.ok(), "a table that can be read");
      for (const value::Item& item : page->items)
        if (!design::IsOfFollower(*design.model, item.view())) items.emplace_back(item.bytes());
      read.exclusive_start_key = page->last_evaluated_key;
    } while (read.exclusive_start_key);
  }
  return items;
}

std::vector<std::string> WorldFixture::Items(std::string_view word) {
  std::vector<std::string> items = Items();
  std::erase_if(items, [&](const std::string& item) { return item.find(word) == item.npos; });
  return items;
}

}  // namespace trestle::apps::testing
