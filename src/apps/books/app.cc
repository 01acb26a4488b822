// Book Tracker: the books of one reader, notes on them, and every page that was reached.

#include "apps/apps.h"
#include "apps/books/book_rules.h"
#include "apps/books/books_internal.h"
#include "apps/books/import.h"
#include "platform/common_routes.h"
#include "platform/import.h"
#include "platform/items.h"

namespace trestle {
extern const std::string_view kBooksDesign;
}

namespace trestle::apps {
namespace {

using platform::Access;
using platform::Call;
using platform::ItemView;
using platform::Route;

// Who comes for the first time gets the item that counts their books.
Status Admit(Call& call) {
  return platform::EnsureProfile(call, "UserMetadata",
                                 platform::TextRecord({{"userId", call.sub()}}));
}

constexpr ItemView kViews[] = {
    {.entity = "UserMetadata",
     .hidden = "userId",
     .read_only = "createdAt updatedAt",
     .check = books::CheckReader},
    {.entity = "Book",
     .hidden = "userId",
     .read_only = "id lastEventAt createdAt updatedAt",
     .add = books::AddToBook,
     .check = books::CheckBookFields},
    {.entity = "Note", .hidden = "userId", .read_only = "id bookId createdAt updatedAt"},
    {.entity = "ReadingEvent", .hidden = "userId"},
};

constexpr platform::AppConsumer kConsumers[] = {{.name = "days", .handle = books::FollowDays}};
constexpr platform::AppJob kJobs[] = {{.kind = books::kRebuildDaysJob, .step = books::RebuildDays},
                                      {.kind = books::kImportJob, .step = books::ImportSome},
                                      {.kind = books::kDeleteJob, .step = books::FollowDelete}};

// The table of contents of this app.
constexpr Route kRoutes[] = {
    {.method = "GET",
     .path = "/me",
     .access = Access::kOwner,
     .handle = books::GetMe,
     .summary = "The reader: name, time zone, goal and how many books are in which state",
     .shows = "UserMetadata"},
    {.method = "PATCH",
     .path = "/me",
     .access = Access::kOwner,
     .handle = books::PatchMe,
     .summary = "Changes the reader's name, time zone, goal or currency",
     .shows = "UserMetadata"},
    {.method = "POST",
     .path = "/books",
     .access = Access::kOwner,
     .handle = books::PostBook,
     .summary = "Adds a book",
     .shows = "Book"},
    {.method = "GET",
     .path = "/books",
     .access = Access::kOwner,
     .handle = books::ListBooks,
     .summary = "The reader's books, newest change first unless said otherwise",
     .query = "status : enum(\"SHELF\", \"READING\", \"READ\", \"WISHLIST\", \"PAUSED\", "
              "\"ABANDONED\")?; sort : enum(\"updatedAt_desc\", \"updatedAt_asc\", \"title\", "
              "\"rating\", \"percent\") = \"updatedAt_desc\"; q : string(1..400)?",
     .is_list = true,
     .shows = "Book"},
    {.method = "GET",
     .path = "/books/{id}",
     .access = Access::kOwner,
     .handle = books::GetBook,
     .summary = "One book",
     .shows = "Book"},
    {.method = "PATCH",
     .path = "/books/{id}",
     .access = Access::kOwner,
     .handle = books::PatchBook,
     .summary = "Changes a book",
     .shows = "Book"},
    {.method = "DELETE",
     .path = "/books/{id}",
     .access = Access::kOwner,
     .handle = books::DeleteBook,
     .summary = "Removes a book with its notes, events and statistics"},
    {.method = "POST",
     .path = "/books/{id}/page",
     .access = Access::kOwner,
     .handle = books::PostPage,
     .summary = "Records the page that was reached",
     .body = "page : int(0..100000)?; percent : number(0..100)?; occurredAt : timestamp?",
     .check = books::CheckPage,
     .shows = "ReadingEvent"},
    {.method = "GET",
     .path = "/books/{id}/events",
     .access = Access::kOwner,
     .handle = books::ListEvents,
     .summary = "The pages of a book as they were reached",
     .query = "order : enum(\"asc\", \"desc\") = \"asc\"; from : timestamp?; to : timestamp?",
     .is_list = true,
     .shows = "ReadingEvent"},
    {.method = "GET",
     .path = "/books/{id}/progress",
     .access = Access::kOwner,
     .handle = books::GetProgress,
     .summary = "How a book was read: pages over time and per day, reads, and when it may end",
     .query = "tz : string(1..64)?"},
    {.method = "POST",
     .path = "/books/{id}/notes",
     .access = Access::kOwner,
     .handle = books::PostNote,
     .summary = "Adds a note to a book",
     .shows = "Note"},
    {.method = "GET",
     .path = "/books/{id}/notes",
     .access = Access::kOwner,
     .handle = books::ListNotes,
     .summary = "The notes of a book, newest first",
     .is_list = true,
     .shows = "Note"},
    {.method = "GET",
     .path = "/books/{id}/notes/{noteId}",
     .access = Access::kOwner,
     .handle = books::GetNote,
     .summary = "One note",
     .shows = "Note"},
    {.method = "PATCH",
     .path = "/books/{id}/notes/{noteId}",
     .access = Access::kOwner,
     .handle = books::PatchNote,
     .summary = "Changes a note",
     .shows = "Note"},
    {.method = "DELETE",
     .path = "/books/{id}/notes/{noteId}",
     .access = Access::kOwner,
     .handle = books::DeleteNote,
     .summary = "Removes a note"},
    {.method = "GET",
     .path = "/stats/reading",
     .access = Access::kOwner,
     .handle = books::GetReadingStatistics,
     .summary = "Pages and books per day, week or month, and the streak of days with reading",
     .query = "from : date?; to : date?; bucket : enum(\"day\", \"week\", \"month\") = \"day\""},
    {.method = "GET",
     .path = "/stats/summary",
     .access = Access::kOwner,
     .handle = books::GetSummary,
     .summary = "A year of reading: books finished, pages, the goal, ratings and spending",
     .query = "year : int(1900..9999)?"},
    {.method = "POST",
     .path = "/import",
     .access = Access::kOwner,
     .handle = books::PostImport,
     .summary = "Adds the books of a table or of an export, as a job; a dry run only looks at them",
     .query = "dryRun : bool = false",
     .takes = "text/csv",
     .body_bytes_max = platform::kImportBytesMax},
    platform::kOpenApiRoute,
    platform::kSearchRoute,
    platform::kExportRoute,
    platform::kEraseRoute,
    platform::kLiveRoute,
    platform::kJobRoute,
};

}  // namespace

platform::App Books() {
  return {.name = "books",
          .title = "Book Tracker",
          .routes = kRoutes,
          .design = kBooksDesign,
          .texts = platform::TextStyle::kPlain,
          .views = kViews,
          .admit = Admit,
          .consumers = kConsumers,
          .jobs = kJobs,
          .search = {.describe = books::Describe, .visible = books::Visible, .fetch = books::Fetch},
          .people = {.visit = books::VisitPerson,
                     .erase = books::ErasePerson,
                     .owner_of = books::OwnerOf,
                     .load_samples = books::LoadSamples}};
}

}  // namespace trestle::apps
