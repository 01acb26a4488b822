#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/app_fixture.h"
#include "platform/app.h"

#ifdef TRESTLE_WORLD_ON_ENGINE
#define TRESTLE_WORLD_BACKENDS(Suite) \
  INSTANTIATE_TEST_SUITE_P(Backends, Suite, ::testing::Values("engine"))
#else
#define TRESTLE_WORLD_BACKENDS(Suite) TRESTLE_ON_EVERY_BACKEND(Suite)
#endif

namespace trestle::apps::testing {

// What somebody has made in an app: the names of a route's placeholders, with the segment before
// them where one name means several things, and what stands there: "noteId", "watchlists/id".
using Things = std::map<std::string, std::string, std::less<>>;

// A route's path with things in place of its placeholders.
[[nodiscard]] std::string PathOf(std::string_view path, const Things& things);
// A text with things in place of <names>.
[[nodiscard]] std::string Fill(std::string_view text, const Things& things);

// The answer of what must succeed.
Answer Made(Answer answer);

// All apps at once, with people who have something in each of them. What nobody else may see has
// the word of Secret in every text, what others may see that of Shown.
//
// ann and bob have the same things; each has shared a library with the other, and both are
// curators. cat has been everywhere and has nothing, dan has an account and has been nowhere. mo is
// moderator, eve administrator.
class WorldFixture : public AppFixture {
 protected:
  WorldFixture() { UseAll(); }

  static std::string Secret(std::string_view name) { return std::string(name) + "secret"; }
  static std::string Shown(std::string_view name) { return std::string(name) + "shown"; }
  static std::string EmailOf(std::string_view name) { return std::string(name) + "@example.org"; }

  struct Belongings {
    Things hidden;  // nobody else may know of it
    Things shown;   // others may see it
  };

  // Accounts, profiles in every app, and the things of ann and bob.
  void MakeWorld();
  // Something of Story Hub that ann will get a mail about.
  void LeaveDigest();
  // Signs everybody in again, some time later: the tokens of before have expired.
  void LetTokensExpire();

  [[nodiscard]] Person Somebody(std::string_view name, const platform::App& app) const;
  [[nodiscard]] const std::string& TokenOf(std::string_view name) const {
    return tokens_.find(name)->second;
  }
  // With a token that was good an hour ago.
  [[nodiscard]] Person Expired(std::string_view name, const platform::App& app) const;
  [[nodiscard]] Person Guest(const platform::App& app) const { return With("", app); }
  [[nodiscard]] const std::string& SubOf(std::string_view name) const {
    return subs_.find(name)->second;
  }
  // By person and app.
  [[nodiscard]] const Belongings& Of(std::string_view name, std::string_view app) const {
    return belongings_.find(name)->second.find(app)->second;
  }

  // Every item of every table, without those that only say how far something is.
  [[nodiscard]] std::vector<std::string> Items();
  // Those that have the word in them.
  [[nodiscard]] std::vector<std::string> Items(std::string_view word);

 private:
  void MakeAccounts();
  void SignIn();
  void MakeThings(std::string_view name, std::string_view friend_name);
  void MeetEachOther(std::string_view name, std::string_view friend_name);
  void MakeJobs(std::string_view name);

  Belongings MakeBooks(std::string_view name);
  Belongings MakeLibrary(std::string_view name, std::string_view friend_name);
  Belongings MakeWatch(std::string_view name);
  Belongings MakeStories(std::string_view name);
  Belongings MakeNotes(std::string_view name);
  Things MakeLibraryNamed(const Person& person, const std::string& word);
  Things MakeWatchlist(const Person& person, const std::string& word, bool is_public);
  Things MakeStory(const Person& person, const std::string& word);

  std::map<std::string, std::string, std::less<>> subs_;
  std::map<std::string, std::string, std::less<>> tokens_;
  std::map<std::string, std::string, std::less<>> expired_;
  std::map<std::string, std::map<std::string, Belongings, std::less<>>, std::less<>> belongings_;
};

}  // namespace trestle::apps::testing
