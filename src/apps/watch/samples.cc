// Sample data: curators, lists, and what people think of them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/watch/rules.h"
#include "apps/watch/watch_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Record;
using platform::Mount;
using platform::TextRecord;

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kHourMs = 3'600'000;

struct SampleTitle {
  std::string_view type;
  std::string_view id;
  std::string_view title;
  std::int64_t year;
  std::int64_t length;  // minutes of a movie, episodes of a show
  std::string_view genres;
  std::string_view people;
  std::string_view synopsis;
  // How ann, bob and eve rate it; 0: not at all.
  std::array<std::int64_t, 3> ratings;
};

constexpr std::array kTitles = {
    SampleTitle{"MOVIE",
                "metropolis",
                "Metropolis",
                1927,
                153,
                "Science Fiction;Drama",
                "Fritz Lang",
                "A city of towers stands on a city of machines, until a heart speaks.",
                {9, 7, 8}},
    SampleTitle{"MOVIE",
                "the-general",
                "The General",
                1926,
                79,
                "Comedy;Adventure",
                "Buster Keaton",
                "A driver loses his engine to the enemy and drives after it.",
                {10, 8, 0}},
    SampleTitle{"MOVIE",
                "city-lights",
                "City Lights",
                1931,
                87,
                "Comedy;Romance",
                "Charlie Chaplin",
                "A tramp is taken for a rich man by somebody who cannot see.",
                {9, 9, 7}},
    SampleTitle{"MOVIE",
                "m-1931",
                "M",
                1931,
                117,
                "Crime;Thriller",
                "Fritz Lang",
                "A whole town looks for one man, and so do its thieves.",
                {8, 0, 9}},
    SampleTitle{"MOVIE",
                "rear-window",
                "Rear Window",
                1954,
                112,
                "Thriller;Mystery",
                "Alfred Hitchcock",
                "A photographer with a broken leg has only a window to look at.",
                {9, 9, 8}},
    SampleTitle{"MOVIE",
                "seven-samurai",
                "Seven Samurai",
                1954,
                207,
                "Action;Drama",
                "Akira Kurosawa",
                "Farmers hire seven swords for three meals a day.",
                {10, 6, 9}},
    SampleTitle{"MOVIE",
                "ikiru",
                "Ikiru",
                1952,
                143,
                "Drama",
                "Akira Kurosawa",
                "A clerk learns how little time he has and builds one small thing.",
                {10, 0, 10}},
    SampleTitle{"MOVIE",
                "pather-panchali",
                "Pather Panchali",
                1955,
                125,
                "Drama",
                "Satyajit Ray",
                "Two children of a poor house run through the reeds to see a train.",
                {9, 0, 0}},
    SampleTitle{"MOVIE",
                "solaris",
                "Solaris",
                1972,
                167,
                "Science Fiction;Drama",
                "Andrei Tarkovsky",
                "A sea that thinks sends each visitor what he cannot forget.",
                {8, 4, 7}},
    SampleTitle{"MOVIE",
                "stalker",
                "Stalker",
                1979,
                162,
                "Science Fiction;Drama",
                "Andrei Tarkovsky",
                "Three men walk slowly to a room that grants wishes.",
                {9, 3, 8}},
    SampleTitle{"MOVIE",
                "alien",
                "Alien",
                1979,
                117,
                "Science Fiction;Horror",
                "Ridley Scott",
                "A freighter answers a call that was no call for help.",
                {8, 10, 6}},
    SampleTitle{"MOVIE",
                "blade-runner",
                "Blade Runner",
                1982,
                117,
                "Science Fiction;Thriller",
                "Ridley Scott",
                "In the rain, a tired hunter asks what makes somebody a person.",
                {8, 9, 8}},
    SampleTitle{"MOVIE",
                "arrival",
                "Arrival",
                2016,
                116,
                "Science Fiction;Drama",
                "Denis Villeneuve",
                "A linguist learns a language that has no before and after.",
                {9, 8, 9}},
    SampleTitle{"MOVIE",
                "moon",
                "Moon",
                2009,
                97,
                "Science Fiction;Mystery",
                "Duncan Jones",
                "Two weeks before he may go home, a lonely miner meets somebody.",
                {7, 9, 0}},
    SampleTitle{"MOVIE",
                "spirited-away",
                "Spirited Away",
                2001,
                125,
                "Animation;Fantasy",
                "Hayao Miyazaki",
                "A girl works in a bath house for gods to save her parents.",
                {10, 9, 9}},
    SampleTitle{"MOVIE",
                "totoro",
                "My Neighbour Totoro",
                1988,
                86,
                "Animation;Family",
                "Hayao Miyazaki",
                "Two sisters move to the country, where something large sleeps.",
                {9, 10, 8}},
    SampleTitle{"MOVIE",
                "persepolis",
                "Persepolis",
                2007,
                96,
                "Animation;Biography",
                "Marjane Satrapi;Vincent Paronnaud",
                "A girl grows up between two countries.",
                {8, 0, 8}},
    SampleTitle{"MOVIE",
                "the-iron-giant",
                "The Iron Giant",
                1999,
                86,
                "Animation;Family",
                "Brad Bird",
                "A boy finds a weapon that would rather not be one.",
                {7, 9, 0}},
    SampleTitle{"MOVIE",
                "paddington-2",
                "Paddington 2",
                2017,
                103,
                "Family;Comedy",
                "Paul King",
                "A bear goes to prison and improves the food.",
                {8, 10, 7}},
    SampleTitle{"MOVIE",
                "amelie",
                "Amélie",
                2001,
                122,
                "Comedy;Romance",
                "Jean-Pierre Jeunet",
                "A waitress mends the lives of strangers, all but one.",
                {6, 8, 7}},
    SampleTitle{"MOVIE",
                "parasite",
                "Parasite",
                2019,
                132,
                "Thriller;Drama",
                "Bong Joon-ho",
                "One family folds pizza boxes; the other has a very large kitchen.",
                {9, 9, 10}},
    SampleTitle{"MOVIE",
                "12-angry-men",
                "12 Angry Men",
                1957,
                96,
                "Drama",
                "Sidney Lumet",
                "Eleven are sure, one asks a question, and it is very hot.",
                {9, 8, 9}},
    SampleTitle{"SHOW",
                "the-prisoner",
                "The Prisoner",
                1967,
                17,
                "Science Fiction;Mystery",
                "Patrick McGoohan;George Markstein",
                "A man resigns and wakes up in a village that wants to know why.",
                {8, 6, 0}},
    SampleTitle{"SHOW",
                "cosmos",
                "Cosmos",
                1980,
                13,
                "Documentary",
                "Carl Sagan;Ann Druyan",
                "Everything that is, in thirteen evenings.",
                {10, 9, 9}},
    SampleTitle{"SHOW",
                "the-wire",
                "The Wire",
                2002,
                60,
                "Crime;Drama",
                "David Simon",
                "One city, five ways of looking at it.",
                {10, 7, 10}},
    SampleTitle{"SHOW",
                "avatar-airbender",
                "Avatar: The Last Airbender",
                2005,
                61,
                "Animation;Fantasy",
                "Michael Dante DiMartino;Bryan Konietzko",
                "A boy who would rather ride penguins has to end a war.",
                {8, 10, 0}},
    SampleTitle{"SHOW",
                "dark",
                "Dark",
                2017,
                26,
                "Science Fiction;Mystery",
                "Baran bo Odar;Jantje Friese",
                "A child is missing, and the question is not where but when.",
                {8, 7, 6}},
    SampleTitle{"SHOW",
                "bluey",
                "Bluey",
                2018,
                154,
                "Animation;Family",
                "Joe Brumm",
                "Seven minutes of play, and parents who are tired and join in.",
                {9, 10, 10}},
    SampleTitle{"SHOW",
                "slow-horses",
                "Slow Horses",
                2022,
                24,
                "Thriller;Comedy",
                "Will Smith",
                "Where spies are sent who left something on a train.",
                {7, 9, 8}},
};

struct SampleEntry {
  std::string_view type;
  std::string_view id;
  std::string_view note;
};

struct SampleList {
  std::size_t curator;  // of the people
  std::string_view title;
  std::string_view description;
  std::string_view tags;
  bool is_public;
  std::int64_t days_ago;
  std::vector<SampleEntry> entries;
};

std::vector<SampleList> SampleLists() {
  return {
      {0,
       "Science fiction that thinks slowly",
       "Few explosions, long looks, and an idea each.",
       "sci-fi;slow;classics",
       true,
       210,
       {{"MOVIE", "arrival", "Start here: the kindest of them."},
        {"MOVIE", "solaris", "Read nothing about it first."},
        {"MOVIE", "stalker", "Wait for a rainy Sunday. Do not look at the clock."},
        {"MOVIE", "blade-runner", ""},
        {"MOVIE", "moon", "One actor, two hours gone."},
        {"MOVIE", "metropolis", "Where all of it comes from."},
        {"SHOW", "the-prisoner", "The first and the last episode, if you have one evening."},
        {"SHOW", "dark", "Keep paper and a pencil at hand."}}},
      {0,
       "Black and white, and not a minute too long",
       "For everybody who thinks that old films are slow.",
       "classics;black-and-white",
       true,
       150,
       {{"MOVIE", "the-general", "Everything that falls really falls."},
        {"MOVIE", "city-lights", "The last minute is why people go to the cinema."},
        {"MOVIE", "m-1931", "Listen for the tune."},
        {"MOVIE", "12-angry-men", "One room."},
        {"MOVIE", "ikiru", "The swing."},
        {"MOVIE", "pather-panchali", ""},
        {"MOVIE", "seven-samurai", "The exception to the title of this list."}}},
      {2,
       "For the whole sofa",
       "Ages five to ninety; nobody is bored, nobody has nightmares.",
       "family;animation",
       true,
       90,
       {{"MOVIE", "totoro", "No villain at all, and you do not miss one."},
        {"MOVIE", "paddington-2", "Marmalade."},
        {"MOVIE", "the-iron-giant", "Bring handkerchiefs."},
        {"MOVIE", "spirited-away", "From seven on."},
        {"SHOW", "bluey", "Watch it without children, too."},
        {"SHOW", "avatar-airbender", "It gets better and better."}}},
      {2,
       "One evening, one thriller",
       "Tension without a second season.",
       "thriller;one-evening",
       true,
       40,
       {{"MOVIE", "rear-window", "The best use of a flat."},
        {"MOVIE", "parasite", "Go in knowing nothing."},
        {"MOVIE", "alien", "Lights off."},
        {"MOVIE", "m-1931", ""},
        {"SHOW", "slow-horses", "Six episodes count as one evening. Nearly."}}},
      {0,
       "Long winters",
       "Shows to live in for a month.",
       "shows;long",
       true,
       12,
       {{"SHOW", "the-wire", "The first three episodes are work. Then it never lets go."},
        {"SHOW", "cosmos", ""},
        {"SHOW", "avatar-airbender", ""},
        {"SHOW", "dark", ""}}},
      {0,
       "Maybe next month",
       "Notes to myself.",
       "draft",
       false,
       3,
       {{"MOVIE", "persepolis", "Does it fit the animation list?"}, {"MOVIE", "amelie", ""}}},
  };
}

struct SampleComment {
  std::size_t list;
  std::size_t author;
  std::string_view text;
};
constexpr std::array kComments = {
    SampleComment{0, 1, "Saw Arrival because of this list. Twice, by now."},
    SampleComment{0, 2, "Stalker in one sitting: done. I may never be the same."},
    SampleComment{0, 0, "@eve it took me three tries. Respect."},
    SampleComment{0, 1, "Could you add something with robots that are not sad?"},
    SampleComment{1, 1, "My grandmother knew every line of City Lights. There are none."},
    SampleComment{2, 0, "Our five-year-old asks for the cat bus daily."},
    SampleComment{2, 1, "Paddington 2 is the best prison film."},
    SampleComment{3, 1, "Alien with the lights off was a mistake. Thank you."},
};

constexpr std::string_view kReviews[] = {
    "Better every time.",
    "I talked about it for a week.",
    "Not mine, but I see why people love it.",
    "The middle drags; the end forgives everything.",
    "Watched it on a train and missed my stop.",
};

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Makes what samples need, at times in the past.
class Loader {
 public:
  Loader(const Mount& mount, std::span<const platform::Person> people)
      : runtime_(*mount.runtime), people_(people), now_ms_(mount.shared->clock->NowUnixMs()) {}

  Status Load() {
    TRY(AddPeople());
    for (const SampleTitle& title : kTitles)
      TRY(AddTitle(title));
    for (const SampleList& list : SampleLists())
      TRY(AddList(list));
    TRY(AddRatings());
    TRY(AddSaved());
    return AddComments();
  }

 private:
  [[nodiscard]] std::string TimeText(std::int64_t ms_ago) const {
    return design::TimestampText(now_ms_ - ms_ago, design::syntax::Precision::kMilliseconds);
  }

  Status Create(std::string_view entity, const Record& record) {
    TRY(runtime_.Create(EntityOf(runtime_, entity), record));
    return Ok();
  }

  // ann and eve are curators; bob would like to be one.
  Status AddPeople() {
    constexpr std::string_view kBios[] = {
        "I programme a small cinema and watch the rest at home.",
        "Mostly robots.",
        "Two children, one sofa, strong opinions.",
    };
    for (std::size_t i = 0; i < people_.size() && i < std::size(kBios); ++i) {
      const platform::Person& person = people_[i];
      Record user = TextRecord({{"userId", person.sub}, {"email", person.email}});
      user.SetText("username", UsernameOf({.name = person.name, .email = person.email}));
      user.SetText("bio", kBios[i]);
      platform::SetBool(user, "isCurator", true);
      user.SetText("curatorStatus", i == 1 ? "pending" : "approved");
      user.SetText("curatorStatement", "I would like to share what I watch.");
      user.SetText("curatorAppliedAt", TimeText(i == 1 ? 2 * kDayMs : 250 * kDayMs));
      TRY(runtime_.Upsert(EntityOf(runtime_, "User"), user));
    }
    return Ok();
  }

  Status AddTitle(const SampleTitle& sample) {
    const bool is_show = sample.type == "SHOW";
    Record title = TitleIdentity({.type = std::string(sample.type), .id = std::string(sample.id)});
    title.SetText("title", sample.title);
    title.SetText("synopsis", sample.synopsis);
    platform::SetInteger(title, is_show ? "startYear" : "releaseYear", sample.year);
    platform::SetInteger(title, is_show ? "numberOfEpisodes" : "runtime", sample.length);
    platform::SetTexts(title, "genres", Split(sample.genres));
    platform::SetTexts(title, is_show ? "creators" : "directors", Split(sample.people));
    title.SetText("createdBy", people_.front().sub);
    return Create(TitleEntity(sample.type), title);
  }

  Status AddList(const SampleList& sample) {
    const std::string& curator = people_[sample.curator % people_.size()].sub;
    const std::int64_t ms_ago = sample.days_ago * kDayMs;
    Record list = TextRecord({{"curatorId", curator},
                              {"title", sample.title},
                              {"description", sample.description},
                              {"createdAt", TimeText(ms_ago)},
                              {"updatedAt", TimeText(ms_ago)}});
    platform::SetTexts(list, "tags", Split(sample.tags));
    platform::SetBool(list, "isPublic", sample.is_public);
    const design::TypedItem created = TRY(runtime_.Create(EntityOf(runtime_, "Watchlist"), list));
    lists_.push_back(platform::TextOf(created.record, "watchlistId"));
    std::int64_t position = 0;
    for (const SampleEntry& entry : sample.entries) {
      position += kPositionStep;
      Record item = TextRecord(
          {{"watchlistId", lists_.back()}, {"contentType", entry.type}, {"contentId", entry.id}});
      if (!entry.note.empty()) item.SetText("curatorNote", entry.note);
      platform::SetInteger(item, "position", position);
      // A few days later each, as people find things.
      item.SetText("addedAt",
                   TimeText(ms_ago - std::min(ms_ago, position / 1000 * 5 * kDayMs / 2)));
      TRY(Create("WatchlistItem", item));
    }
    return Ok();
  }

  Status AddRatings() {
    std::size_t reviews = 0;
    for (const SampleTitle& title : kTitles) {
      for (std::size_t i = 0; i < people_.size() && i < title.ratings.size(); ++i) {
        if (title.ratings[i] == 0) continue;
        Record rating = TextRecord(
            {{"userId", people_[i].sub}, {"contentType", title.type}, {"contentId", title.id}});
        platform::SetInteger(rating, "rating", title.ratings[i]);
        if ((title.length + title.ratings[i]) % 3 == 0) {
          rating.SetText("review", kReviews[reviews++ % std::size(kReviews)]);
        }
        TRY(Create("Rating", rating));
        if (title.ratings[i] % 2 == 0) continue;
        rating.Remove("rating");
        rating.Remove("review");
        TRY(Create("Watched", rating));
      }
    }
    return Ok();
  }

  // Last of all, so that what the lists hold is no news.
  Status AddSaved() {
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (std::size_t person = 0; person < people_.size(); ++person) {
        const bool is_saved = i < 5 && (i + person) % 3 != 1;  // the sixth is private
        if (!is_saved) continue;
        TRY(Create("SavedWatchlist", TextRecord({{"userId", people_[person].sub},
                                                 {"watchlistId", lists_[i]},
                                                 {"savedAt", TimeText(0)}})));
      }
    }
    return Ok();
  }

  Status AddComments() {
    std::int64_t hours_ago = 200;
    for (const SampleComment& comment : kComments) {
      hours_ago -= 23;
      TRY(Create("Comment", TextRecord({{"watchlistId", lists_[comment.list]},
                                        {"userId", people_[comment.author % people_.size()].sub},
                                        {"commentText", comment.text},
                                        {"createdAt", TimeText(hours_ago * kHourMs)}})));
    }
    return Ok();
  }

  design::Runtime& runtime_;
  std::span<const platform::Person> people_;
  const std::int64_t now_ms_;
  std::vector<std::string> lists_;
};

}  // namespace

Status LoadSamples(const Mount& mount, std::span<const platform::Person> people) {
  if (people.empty()) return Ok();
  return Loader(mount, people).Load();
}

}  // namespace trestle::apps::watch
