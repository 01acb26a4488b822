// Libraries for looking around: books and films that people know, lent and shared among them.

#include <map>
#include <string>
#include <vector>

#include "apps/library/library_internal.h"
#include "base/check.h"
#include "design/time_text.h"
#include "platform/csv.h"
#include "platform/items.h"
#include "platform/mount.h"
#include "platform/values.h"
#include "text/time_zone.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using platform::TextOf;
using platform::TextRecord;

// Lists have semicolons between. `order` 0: in no collection.
struct SampleBook {
  std::string_view title;
  std::string_view authors;
  std::string_view collection = {};
  int order = 0;
  std::string_view summary = {};
  std::string_view isbn = {};
};
struct SampleVideo {
  std::string_view title;
  std::string_view directors;
  std::string_view cast;
  int year = 0;
  int minutes = 0;
  std::string_view collection = {};
  int order = 0;
  std::string_view summary = {};
};
// So many days ago; `returned` -1: it is still out.
struct SampleLoan {
  std::string_view title;
  std::string_view borrower;
  int lent = 0;
  int returned = -1;
  int due = 0;  // days after it was lent; 0: whenever
  std::string_view note = {};
};

constexpr SampleBook kNovels[] = {
    {"Emma", "Jane Austen", {}, 0, "A matchmaker who is wrong about everybody, herself first."},
    {"Middlemarch",
     "George Eliot",
     {},
     0,
     "A whole town thinks, marries and regrets; the footnotes are the best part."},
    {"Jane Eyre", "Charlotte Brontë", {}, 0, "A governess, a large house, and a noise upstairs."},
    {"Wuthering Heights", "Emily Brontë", {}, 0, "Weather and grudges, over two generations."},
    {"Moby-Dick",
     "Herman Melville",
     {},
     0,
     "Everything there is to know about whales, and one that should have been left alone."},
    {"Frankenstein", "Mary Shelley", {}, 0, "Clever student makes a person and runs away from it."},
    {"Dracula", "Bram Stoker", {}, 0, "Letters and diaries about a guest who is never hungry."},
    {"The Time Machine", "H. G. Wells", {}, 0, "A short trip with a long way back."},
    {"Ásgarð: tales of the north",
     "Various",
     {},
     0,
     "Found at a flea market; the binding is loose."},
    {"Éloge de l'ombre", "Jun'ichirō Tanizaki", {}, 0, "On lamps, lacquer and old houses."},
    {"The Adventures of Sherlock Holmes", "Arthur Conan Doyle", "Sherlock Holmes", 3,
     "Twelve stories. The speckled one is still frightening."},
    {"A Study in Scarlet", "Arthur Conan Doyle", "Sherlock Holmes", 1, "How the two of them met."},
    {"The Sign of the Four", "Arthur Conan Doyle", "Sherlock Holmes", 2, "A chest and a chase."},
    {"The Hound of the Baskervilles", "Arthur Conan Doyle", "Sherlock Holmes", 5,
     "Number four of the series is still missing on our shelf."},
    {"Swann's Way", "Marcel Proust", "In Search of Lost Time", 1,
     "Begins with going to bed early."},
    {"Within a Budding Grove", "Marcel Proust", "In Search of Lost Time", 2,
     "A summer by the sea."},
    {"The Guermantes Way", "Marcel Proust", "In Search of Lost Time", 3, "Parties, mostly."},
    {"Time Regained", "Marcel Proust", "In Search of Lost Time", 7, "The end, bought too early."},
};
constexpr SampleBook kCookery[] = {
    {"Bread, slowly", "M. Okafor", {}, 0, "Four flours, no machine, a lot of waiting."},
    {"Soups for a week", "L. Brandt; T. Brandt", {}, 0, "Seven pots and what becomes of the rest."},
    {"Pickles and other patience", "Aiko Mori", {}, 0, "Jars, salt, and a cellar that stays cool."},
    {"The small oven", "Gilles Perrin", "Kitchen notes", 1, "What fits on one tray."},
    {"The small pan", "Gilles Perrin", "Kitchen notes", 2, "What fits in one pan."},
    {"The small freezer", "Gilles Perrin", "Kitchen notes", 3, "What can wait."},
};
constexpr SampleVideo kFilms[] = {
    {"Metropolis",
     "Fritz Lang",
     "Brigitte Helm; Alfred Abel; Gustav Fröhlich",
     1927,
     153,
     {},
     0,
     "A city with an upstairs and a downstairs."},
    {"Nosferatu",
     "F. W. Murnau",
     "Max Schreck; Greta Schröder",
     1922,
     94,
     {},
     0,
     "Shadows do most of the acting."},
    {"The General",
     "Buster Keaton; Clyde Bruckman",
     "Buster Keaton; Marion Mack",
     1926,
     78,
     {},
     0,
     "One man, two trains, no stuntmen."},
    {"A Trip to the Moon",
     "Georges Méliès",
     "Georges Méliès",
     1902,
     13,
     {},
     0,
     "Lands in the eye."},
    {"Safety Last!",
     "Fred C. Newmeyer; Sam Taylor",
     "Harold Lloyd; Mildred Davis",
     1923,
     74,
     {},
     0,
     "The one with the clock."},
    {"Dr. Mabuse, the Gambler: part one", "Fritz Lang", "Rudolf Klein-Rogge", 1922, 155,
     "Dr. Mabuse", 1, "A portrait of its time, in disguises."},
    {"Dr. Mabuse, the Gambler: part two", "Fritz Lang", "Rudolf Klein-Rogge", 1922, 115,
     "Dr. Mabuse", 2, "A portrait of people of its time."},
    {"Sunrise",
     "F. W. Murnau",
     "Janet Gaynor; George O'Brien",
     1927,
     94,
     {},
     0,
     "A lake, a city, and a change of mind."},
};
constexpr SampleLoan kLoans[] = {
    {"Emma", "Paul", 200, 170, 30},
    {"Emma", "Zoë", 90, 40, 60, "read it twice"},
    {"Dracula", "Paul", 45, -1, 21, "wants to finish before the holidays"},
    {"A Study in Scarlet", "Mira", 12, -1, 30},
    {"Metropolis", "Paul", 20, 13, 7},
    {"The General", "Film club", 5, -1, 14, "with the good case, please"},
    {"Soups for a week", "Ilse next door", 300, -1, 0},
};

class Loader {
 public:
  explicit Loader(const platform::Mount& mount)
      : runtime_(*mount.runtime), now_unix_ms_(mount.shared->clock->NowUnixMs()) {}

  Status AddOwner(const platform::Person& person) {
    owner_id_ = OwnerIdOf(person.sub);
    Status created = Create(
        "Owner",
        TextRecord({{"OwnerId", owner_id_}, {"OwnerName", person.name}, {"Email", person.email}}));
    // Who has looked in already has one.
    const bool is_there =
        !created.ok() && created.error().code() == ErrorCode::kConditionalCheckFailed;
    return is_there ? Ok() : created;
  }

  // The library that follows is added to.
  Status AddLibrary(std::string_view name, std::string_view description) {
    library_id_ =
        TextOf(TRY(runtime_.Create(Entity("Library"), TextRecord({{"OwnerId", owner_id_},
                                                                  {"LibraryName", name},
                                                                  {"Description", description}})))
                   .record,
               "LibraryId");
    collections_.clear();
    return Ok();
  }

  Status AddBook(const SampleBook& book) {
    Record record = Item(book.title, book.summary);
    platform::SetTexts(record, "Authors", platform::SplitList(book.authors));
    if (!book.isbn.empty()) record.SetText("Isbn", book.isbn);
    return Place("Book", record, book.collection, book.order);
  }

  Status AddVideo(const SampleVideo& video) {
    Record record = Item(video.title, video.summary);
    platform::SetTexts(record, "Directors", platform::SplitList(video.directors));
    platform::SetTexts(record, "Cast", platform::SplitList(video.cast));
    platform::SetInteger(record, "ReleaseYear", video.year);
    platform::SetInteger(record, "Duration", video.minutes);
    return Place("Video", record, video.collection, video.order);
  }

  Status AddLoan(const SampleLoan& loan) {
    const auto found = items_.find(std::string(loan.title));
    if (found == items_.end()) return Ok();
    const Record& item = found->second;
    const std::string lent_at = Ago(loan.lent);
    const std::string due = loan.due == 0 ? "" : text::AddDays(lent_at.substr(0, 10), loan.due);
    TRY(AddEvent(item, "LENT", loan, lent_at, due));
    if (loan.returned >= 0) return AddEvent(item, "RETURNED", loan, Ago(loan.returned), "");
    design::Changes changes;
    platform::SetText(changes, "LentTo", loan.borrower);
    platform::SetText(changes, "LentAt", lent_at);
    if (!due.empty()) platform::SetText(changes, "DueDate", due);
    const bool is_book = !item.Find("Directors");
    TRY(runtime_.Update(Entity(is_book ? "Book" : "Video"), ItemIdentity(item), changes));
    return Ok();
  }

  Status Share(const platform::Person& with) {
    TRY(runtime_.Run(*runtime_.model().FindOperation("shareLibrary"),
                     TextRecord({{"OwnerId", owner_id_},
                                 {"LibraryId", library_id_},
                                 {"email", with.email},
                                 {"SharedToId", OwnerIdOf(with.sub)}})));
    return Ok();
  }

 private:
  [[nodiscard]] const design::Entity& Entity(std::string_view name) const {
    const design::Entity* entity = runtime_.model().FindEntity(name);
    CHECK(entity != nullptr, "an entity of the app's design");
    return *entity;
  }

  Status Create(std::string_view entity, const Record& attributes) {
    TRY(runtime_.Create(Entity(entity), attributes));
    return Ok();
  }

  [[nodiscard]] std::string Ago(int days) const {
    constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
    return design::TimestampText(now_unix_ms_ - days * kDayMs,
                                 design::syntax::Precision::kMilliseconds);
  }

  [[nodiscard]] Record Item(std::string_view title, std::string_view summary) const {
    Record item = LibraryIdentity(owner_id_, library_id_);
    item.SetText("Title", title);
    if (!summary.empty()) item.SetText("Summary", summary);
    return item;
  }

  Status Place(std::string_view kind, Record& item, std::string_view collection, int order) {
    if (collection.empty()) {
      items_[TextOf(item, "Title")] = TRY(runtime_.Create(Entity(kind), item)).record;
      return Ok();
    }
    std::string& id = collections_[std::string(collection)];
    if (id.empty()) {
      Record record = LibraryIdentity(owner_id_, library_id_);
      record.SetText("Name", collection);
      id = TextOf(TRY(runtime_.Create(Entity("Collection"), record)).record, "CollectionId");
    }
    item.SetText("CollectionId", id);
    platform::SetInteger(item, "Order", order);
    items_[TextOf(item, "Title")] =
        TRY(WriteInCollection(runtime_,
                              {.owner_id = owner_id_,
                               .library_id = library_id_,
                               .collection_id = id,
                               .order = order},
                              [&](std::int64_t /*order*/, const std::function<Status()>& take) {
                                design::WriteOptions options;
                                options.check = [&](const Record& /*next*/) { return take(); };
                                return runtime_.Create(Entity(kind), item, options);
                              }))
            .record;
    return Ok();
  }

  Status AddEvent(const Record& item, std::string_view type, const SampleLoan& loan,
                  const std::string& at, const std::string& due) {
    Record event = ItemIdentity(item);
    event.SetText("Type", type);
    event.SetText("Event", loan.borrower);
    event.SetText("UpdatedAt", at);
    if (!due.empty()) event.SetText("DueDate", due);
    if (!loan.note.empty() && type == "LENT") event.SetText("Note", loan.note);
    return Create("LendingEvent", event);
  }

  design::Runtime& runtime_;
  const std::int64_t now_unix_ms_;
  std::string owner_id_;
  std::string library_id_;
  std::map<std::string, std::string> collections_;  // ids by name, of this library
  std::map<std::string, Record> items_;             // by title
};

}  // namespace

Status LoadSamples(const platform::Mount& mount, std::span<const platform::Person> people) {
  if (people.size() < 2) return Ok();
  Loader ann(mount);
  TRY(ann.AddOwner(people[0]));
  TRY(ann.AddLibrary("Living room", "Novels, in no order but the alphabet's"));
  for (const SampleBook& book : kNovels)
    TRY(ann.AddBook(book));
  TRY(ann.Share(people[1]));
  TRY(ann.AddLibrary("Kitchen", "What the shelf above the stove can carry"));
  for (const SampleBook& book : kCookery)
    TRY(ann.AddBook(book));
  TRY(ann.AddLibrary("Silent films", "Discs; the player is in the cupboard"));
  for (const SampleVideo& video : kFilms)
    TRY(ann.AddVideo(video));
  for (const SampleLoan& loan : kLoans)
    TRY(ann.AddLoan(loan));

  Loader bob(mount);
  TRY(bob.AddOwner(people[1]));
  TRY(bob.AddLibrary("Bob's box", "Two moves old and never unpacked"));
  for (const std::string_view title : {"Maps of places that moved", "Knots", "Birds by their feet",
                                       "The long way home", "A shorter way home"})
    TRY(bob.AddBook({.title = title, .authors = "Unknown", .summary = "Somewhere in the box."}));
  TRY(bob.Share(people[0]));
  for (std::size_t i = 2; i < people.size(); ++i)
    TRY(Loader(mount).AddOwner(people[i]));
  return Ok();
}

}  // namespace trestle::apps::library
