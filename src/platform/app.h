#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/json_record.h"

namespace trestle::platform {

class Call;         // who calls, path and query parameters, body, and the app's data
struct Mount;       // an app at work: its run time, and what all apps share (mount.h)
struct ItemChange;  // consumers.h
struct JobState;    // jobs.h
enum class JobStep : std::uint8_t;

namespace search {
struct Document;  // search/document.h
struct Hit;       // search/query.h
}  // namespace search

// Who may use a route. The service asks before the handler runs, and the write's condition asks
// again. All but kPublic need somebody who is signed in; from kOwner to kAuthor the app's data say
// who that is (App::admit).
enum class Access : std::uint8_t {
  kPublic,
  kSignedIn,
  kOwner,
  kRecipient,
  kCurator,
  kAuthor,
  kModerator,
  kAdmin,
};

// Whether `name` is one of some names with blanks between.
[[nodiscard]] bool Lists(std::string_view names, std::string_view name);

// What a route is about: for a handler that serves several routes, and for the API's description.
using Subject = std::variant<std::monostate, const design::Entity*, const design::Access*,
                             const design::Operation*>;

// Runs on a worker, as plain code that may block. What it writes to `reply` is the body; an empty
// one is none. An error becomes a problem (problem.h), and what was written is dropped.
using Handle = Status (*)(Call& call, json::Writer& reply);

// What a body may have unless its route says more.
inline constexpr std::uint32_t kBodyBytesMax = 1024 * 1024;

// Adds what is wrong with fields beside what a design can say of them, by attribute (WriteOptions
// and FieldRules in design/runtime.h). Clients are told all of it at once.
using CheckFields = void (*)(const design::Record& now, const design::Record& next,
                             std::vector<FieldFailure>& failures);
using CheckBody = void (*)(const Call& call, const design::Record& given,
                           std::vector<FieldFailure>& failures);

struct Route {
  std::string_view method;
  std::string_view path;  // below the app: "/customers/{customerId}/tickets", or "" for itself
  Access access = Access::kSignedIn;
  Handle handle = nullptr;
  std::string_view summary = {};  // one sentence without its full stop
  Subject subject = {};           // of a design's own routes (design_app.h)

  // What a request may hold, as attributes of a design with a semicolon between: `page : int(0..);
  // note : string(1..500)?`. It is checked before the handler runs. No body here: the handler reads
  // it (items.h), or there is none.
  std::string_view query = {};
  std::string_view body = {};
  CheckBody check = nullptr;    // of what `body` has nothing against
  bool is_list = false;         // its query has `limit` and `cursor` as well
  std::string_view shows = {};  // the entity that it answers with, or takes
  std::string_view takes = {};  // media types of bodies other than JSON, with a blank between
  std::string_view gives = {};  // and of answers
  std::uint32_t body_bytes_max = kBodyBytesMax;
};

// How an app shows the items of one entity, and what callers may say of them. Names have a blank
// between.
struct ItemView {
  std::string_view entity;
  std::string_view hidden = {};     // attributes that callers neither see nor give
  std::string_view read_only = {};  // and that they only see; derived ones always are
  // Whether this caller may see an attribute of this item.
  bool (*may_see)(const Call& call, const design::TypedItem& item,
                  std::string_view attribute) = nullptr;
  // Writes what is computed from the item, into its object, which is open.
  void (*add)(const Call& call, const design::TypedItem& item, json::Writer& writer) = nullptr;
  CheckFields check = nullptr;  // of what callers give
  // Brings what callers give into the form that is stored, before anything is checked.
  void (*normalise)(design::Record& given) = nullptr;
};

// The attribute of an entity that holds the address of a picture, which may be one that was
// uploaded (pictures.h).
struct AppPicture {
  std::string_view entity;
  std::string_view attribute;
};

// What an app does with the changes of its table (consumers.h).
struct AppConsumer {
  std::string_view name;
  Status (*handle)(const Mount& mount, const ItemChange& change);
};

// Long work that its routes start (jobs.h).
struct AppJob {
  std::string_view kind;
  Result<JobStep> (*step)(const Mount& mount, JobState& job);
};

// What an app lets people find (search_route.h).
struct AppSearch {
  // What can be found of an item; nothing: it cannot.
  std::optional<search::Document> (*describe)(const design::TypedItem& item) = nullptr;
  // What this caller may see: words of Document::visible_to.
  Result<std::vector<std::string>> (*visible)(const Call& call) = nullptr;
  // The item that was found, as it is now; nothing when it is gone or may not be seen any more.
  Result<std::optional<design::TypedItem>> (*fetch)(const Call& call,
                                                    const search::Hit& hit) = nullptr;
  std::span<const std::string_view> orders = {};  // beside the best match: "newest"
};

struct Person {
  std::string sub;
  std::string email;
  std::string name;
  std::string old_name = {};  // of an account whose name has changed
};
inline constexpr std::string_view kSampleNames[] = {"ann", "bob", "eve"};  // eve is admin

// What an app does with all that it knows of one person.
struct AppPeople {
  // Every item that holds something of a person, for the person's own eyes.
  using Visit = std::function<Status(const design::TypedItem& item)>;
  Status (*visit)(const Mount& mount, const std::string& sub, const Visit& visit) = nullptr;
  // Removes it all, or leaves stubs without a name; a job whose JobState::sub is the person.
  Result<JobStep> (*erase)(const Mount& mount, JobState& job) = nullptr;
  // Whose item it is: their open pages are told when it changes. Empty: nobody's.
  std::string (*owner_of)(const design::TypedItem& item) = nullptr;
  // The e-mail address or the name of an account has changed: both as they are now. A name that
  // somebody has chosen for the app alone stays.
  Status (*account_changed)(const Mount& mount, const Person& person) = nullptr;
  // Of kSampleNames, in their order. Called once, on empty tables.
  Status (*load_samples)(const Mount& mount, std::span<const Person> people) = nullptr;
};

// An app is a design, a table of routes and the functions behind them. It knows neither sockets nor
// tokens nor RocksDB.
struct App {
  std::string_view name;
  std::string_view title;
  std::span<const Route> routes;
  std::string_view mount = {};   // where it is; empty: /api/<name>/v1
  std::string_view design = {};  // the text of <name>.design
  NameStyle names = NameStyle::kAsWritten;
  TextStyle texts = TextStyle::kAsGiven;
  std::span<const ItemView> views = {};  // of entities that are not shown as they are
  // Whether somebody who is signed in may use the route, as far as the app's data say; it also
  // makes the profile of who comes for the first time. Called before all routes but kPublic, and
  // before those when somebody is signed in.
  Status (*admit)(Call& call) = nullptr;
  std::span<const AppConsumer> consumers = {};
  std::span<const AppJob> jobs = {};
  AppSearch search = {};
  AppPeople people = {};
  std::span<const AppPicture> pictures = {};
};

}  // namespace trestle::platform
