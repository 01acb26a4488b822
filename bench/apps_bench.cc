// What the routes of the applications cost beside the DynamoDB requests that they make, and how
// long the first page of much data takes.
//
//   bench_apps [REQUESTS [ROUTE]]     1000 of every route; ROUTE: only those whose name has it
//   bench_apps --quick                only shows that it works
//
// A route is asked over HTTP with a real token; what it asks of its table is written down and then
// sent by itself, signed, to the DynamoDB port of the same process. Both are measured as CPU of the
// whole process without that of the threads which ask, so that what follows from a write counts on
// both sides. Reads come from 16 clients at once. Times of first pages are wall clock, at the
// client.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "apps_site.h"
#include "base/check.h"
#include "json/tree.h"
#include "platform/items.h"

namespace trestle {
namespace {

using platform::TextRecord;

double Microseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

double CpuOf(int who) {
  rusage used{};
  getrusage(who, &used);
  return Microseconds(used.ru_utime) + Microseconds(used.ru_stime);
}

std::string TextAt(const std::string& body, std::string_view name) {
  const auto tree = json::ParseTree(body);
  CHECK(tree.ok(), "JSON");
  const auto* object = tree->As<json::Tree::Object>();
  const auto member = std::ranges::find(*object, name, &json::Member::name);
  if (member == object->end()) return {};
  const auto* text = member->value.As<std::string>();
  return text == nullptr ? std::string() : *text;
}

struct Question {
  std::string_view name;
  std::string_view method;
  std::string target;
  std::function<std::string(int i)> body = {};
  std::string_view id = {};  // of what it makes
};

// What the servers take for each of `count`, asked by several clients; theirs does not count.
template <typename Each>
double ServerCpu(Site& site, int clients, int count, const Each& each) {
  std::vector<double> own(static_cast<std::size_t>(clients));
  const auto ask = [&](int from, int until) {
    std::vector<std::thread> threads;
    threads.reserve(own.size());
    for (int client = 0; client < clients; ++client) {
      threads.emplace_back([&, client] {
        for (int i = from + client; i < until; i += clients)
          each(i);
        own[static_cast<std::size_t>(client)] = CpuOf(RUSAGE_THREAD);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    site.Settle();
  };
  ask(0, count / 10);
  const double start = CpuOf(RUSAGE_SELF);
  ask(count / 10, count / 10 + count);
  const double all = CpuOf(RUSAGE_SELF) - start;
  return (all - std::accumulate(own.begin(), own.end(), 0.0)) / count;
}

void Compare(Site& site, const Question& question, int count) {
  const auto body = [&](int i) { return question.body ? question.body(i) : std::string(); };
  // Not the first one of all, which finds out what those behind it know.
  site.Ask(question.method, question.target, body(-1));
  site.Settle();
  site.recording().Start();
  const Site::Answer first = site.Ask(question.method, question.target, body(0));
  const auto requests = site.recording().Stop();
  const std::string id = question.id.empty() ? "" : TextAt(first.body, question.id);
  site.recording().SetNewId(id);
  // Writes of one item would stand in each other's way.
  const int clients = question.method == "GET" ? 16 : 1;
  std::atomic<std::uint64_t> number = 0;
  std::vector<double> ratios;
  double route = 0;
  double raw = 0;
  for (int round = 0; round < 3; ++round) {
    route = ServerCpu(site, clients, count, [&](int i) {
      site.Ask(question.method, question.target, body(1 + i + 2 * count * round));
    });
    raw = ServerCpu(site, clients, count, [&](int /*i*/) {
      const std::uint64_t own = ++number;
      for (const auto& request : requests)
        request(site.dynamodb(), own);
    });
    ratios.push_back(route / raw);
  }
  std::ranges::sort(ratios);
  fmt::print("| {} | {:.2f} | {:.1f} µs | {:.1f} µs | {} |\n", question.name, ratios[1], route, raw,
             requests.size());
  std::fflush(stdout);
}

// How many elements the list of an answer has, of which it has one at most.
std::size_t ListSize(const std::string& body) {
  const auto tree = json::ParseTree(body);
  CHECK(tree.ok(), "JSON");
  for (const json::Member& member : *tree->As<json::Tree::Object>()) {
    const bool is_list = member.name == "items" || member.name == "nodes";
    if (is_list) return member.value.As<json::Tree::Array>()->size();
  }
  return 0;
}

void Time(Site& site, std::string_view name, const std::string& target) {
  std::string body;
  std::vector<double> times;
  for (int i = 0; i < 21; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body = site.Ask("GET", target).body;
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
  }
  const double first = times[0];
  std::ranges::sort(times);
  fmt::print("| {} | {} | {:.1f} ms | {:.1f} ms | {:.1f} ms |\n", name, ListSize(body), first,
             times[10], times.back());
  std::fflush(stdout);
}

void CompareAll(Site& site, int count, std::string_view route) {
  fmt::print(
      "| route | ratio | route's CPU | its requests' CPU | requests |\n|---|---|---|---|---|\n");
  const std::string books = "/api/books/v1/books";
  const auto new_book = [](int i) {
    return fmt::format(R"({{"title": "Book {}", "authors": ["Somebody"], "totalPages": 300}})", i);
  };
  std::string book;
  for (int i = 0; i < 40; ++i)
    book = books + "/" + TextAt(site.Ask("POST", books, new_book(i)).body, "id");
  const std::string notes = "/api/notes/v1/notes";
  const auto new_note = [](int i) {
    return fmt::format(R"({{"title": "Note {}", "content": "text", "deadline": "2026-01-{:02}"}})",
                       i, (i + 28) % 28 + 1);
  };
  std::string note;
  for (int i = 0; i < 40; ++i)
    note = notes + "/" + TextAt(site.Ask("POST", notes, new_note(i)).body, "id");
  const std::string libraries = "/api/library/v1/libraries";
  const std::string library =
      libraries + "/" +
      TextAt(site.Ask("POST", libraries, R"({"libraryName": "Home"})").body, "id");
  std::string item;
  for (int i = 0; i < 40; ++i)
    item =
        library + "/items/" +
        TextAt(site.Ask("POST", library + "/books", fmt::format(R"({{"title": "B {}"}})", i)).body,
               "id");
  const auto titled = [](int i) {
    return i == 0 ? fmt::format(R"({{"title": "{}"}})", kNewText)
                  : fmt::format(R"({{"title": "{:0{}}"}})", i, kNewText.size());
  };
  const Question questions[] = {
      {"GET /books/{id}", "GET", book},
      {"GET /books, 20 of a state", "GET", books + "?status=SHELF"},
      {"GET /books, 20 of all states", "GET", books},
      {"POST /books", "POST", books, new_book, "id"},
      {"PATCH /books/{id}", "PATCH", book, titled},
      {"GET /notes/{id}", "GET", note},
      {"GET /notes, 20", "GET", notes},
      {"POST /notes", "POST", notes, new_note, "id"},
      {"PATCH /notes/{id}", "PATCH", note, titled},
      {"GET /libraries/{L}/items/{I}", "GET", item},
      {"GET /libraries/{L}/items, 20", "GET", library + "/items?view=flat"},
      {"POST /libraries/{L}/books", "POST", library + "/books", titled, "id"},
      {"PATCH /libraries/{L}/items/{I}", "PATCH", item, titled},
  };
  for (const Question& question : questions)
    if (question.name.find(route) != std::string_view::npos) Compare(site, question, count);
}

// Through the run time, as an import would.
void Fill(Site& site, std::string_view app, std::string_view entity, int count,
          const std::function<design::Record(int i)>& record) {
  design::Runtime& runtime = site.runtime(app);
  const design::Entity& kind = *runtime.model().FindEntity(entity);
  for (int i = 0; i < count; ++i)
    Must(runtime.Create(kind, record(i)));
}

void FillBooks(Site& site, int count) {
  site.Ask("GET", "/api/books/v1/me");
  Fill(site, "books", "Book", count, [&](int i) {
    constexpr std::string_view kStates[] = {"SHELF", "READING", "READ", "WISHLIST"};
    return TextRecord({{"userId", site.sub()},
                       {"title", fmt::format("Book {} of many", i * 7919 % count)},
                       {"status", kStates[i % 4]}});
  });
}

// Its id.
std::string FillList(Site& site, int count) {
  const std::string watch = "/api/watch/v1";
  site.Ask("GET", watch + "/me");
  site.Ask("POST", fmt::format("{}/admin/users/{}/curator", watch, site.sub()),
           R"({"status": "approved"})");
  const std::string lists = watch + "/watchlists";
  std::string list = TextAt(site.Ask("POST", lists, R"({"title": "Long"})").body, "watchlistId");
  for (int i = 0; i < count; ++i) {
    site.Ask("POST", watch + "/movies",
             fmt::format(R"({{"movieId": "m{0}", "title": "Movie {0}", "releaseYear": {1}}})", i,
                         1950 + i % 70));
    site.Ask("POST", fmt::format("{}/{}/items", lists, list),
             fmt::format(R"({{"contentType": "MOVIE", "contentId": "m{}"}})", i));
  }
  return list;
}

// Its id. Every chapter but the first continues one of those before.
std::string FillStory(Site& site, int count) {
  const std::string stories = "/api/stories/v1/stories";
  const std::string text(500, 't');
  const std::string made =
      site.Ask("POST", stories,
               fmt::format(R"({{"title": "Tree", "synopsis": "{0}", "genre": "Fantasy",
                                "ageRating": "PG", "firstChapter": {{"title": "Root",
                                "content": "{0}"}}}})",
                           text))
          .body;
  std::string story = TextAt(made, "storyId");
  site.Ask("POST", fmt::format("{}/{}/publish", stories, story));
  std::vector<std::string> nodes = {TextAt(made, "rootNodeId")};
  for (int i = 1; i < count; ++i) {
    const std::string& parent = nodes[static_cast<std::size_t>(i - 1) / 5];
    nodes.push_back(
        TextAt(site.Ask("POST", fmt::format("{}/{}/chapters/{}/branches", stories, story, parent),
                        fmt::format(R"({{"title": "Branch {}", "content": "{}"}})", i, text))
                   .body,
               "nodeId"));
  }
  return story;
}

void FillNotes(Site& site, int count) {
  site.Ask("GET", "/api/notes/v1/me");
  Fill(site, "notes", "Note", count, [&](int i) {
    return TextRecord(
        {{"email", "ann@example.org"},
         {"title", fmt::format("Note {}", i)},
         {"content", "What is to be done, and why."},
         {"deadline", fmt::format("20{:02}-{:02}-{:02}", 26 + i % 20, i % 12 + 1, i % 28 + 1)}});
  });
}

// `share`: of how many one is made.
void FillAndTime(Site& site, int share) {
  FillBooks(site, 10'000 / share);
  const std::string list = FillList(site, 500 / share);
  const std::string story = FillStory(site, 5'000 / share);
  FillNotes(site, 100'000 / share);
  site.Settle();
  fmt::print(
      "\n| first page | it shows | first time | median | slowest of 21 |\n|---|---|---|---|---|\n");
  Time(site, "10,000 books: GET /books", "/api/books/v1/books");
  Time(site, "10,000 books: GET /books?status=", "/api/books/v1/books?status=READING");
  Time(site, "10,000 books: GET /books?sort=title", "/api/books/v1/books?sort=title");
  Time(site, "500 titles: GET /watchlists/{id}/items",
       fmt::format("/api/watch/v1/watchlists/{}/items", list));
  Time(site, "500 titles: GET /watchlists/{id}?include=items",
       fmt::format("/api/watch/v1/watchlists/{}?include=items", list));
  Time(site, "5,000 chapters: GET /stories/{S}/tree",
       fmt::format("/api/stories/v1/stories/{}/tree", story));
  Time(site, "5,000 chapters: GET /stories/{S}/chapters",
       fmt::format("/api/stories/v1/stories/{}/chapters", story));
  Time(site, "100,000 notes: GET /notes", "/api/notes/v1/notes");
  Time(site, "100,000 notes: GET /notes?order=desc", "/api/notes/v1/notes?order=desc");
  Time(site, "100,000 notes: GET /notes/overdue", "/api/notes/v1/notes/overdue");
  Time(site, "100,000 notes: GET /notes/stats", "/api/notes/v1/notes/stats");
}

}  // namespace

int Run(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const bool is_quick = !arguments.empty() && arguments[0] == "--quick";
  const int count = is_quick ? 20 : arguments.empty() ? 1000 : std::atoi(argv[1]);
  const std::string_view route = arguments.size() > 1 ? arguments[1] : "";
  {
    Site site;
    CompareAll(site, count, route);
  }
  if (!route.empty()) return 0;
  Site site;
  FillAndTime(site, is_quick ? 100 : 1);
  return 0;
}

}  // namespace trestle

int main(int argc, char** argv) { return trestle::Run(argc, argv); }
