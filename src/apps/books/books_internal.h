#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/books/progress.h"
#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/call.h"
#include "platform/consumers.h"
#include "platform/jobs.h"
#include "platform/search/document.h"
#include "platform/search/query.h"
#include "text/time_zone.h"

// The handlers of Book Tracker, and what its files share.

namespace trestle::apps::books {

using platform::Call;

// books.cc
[[nodiscard]] Status GetMe(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchMe(Call& call, json::Writer& reply);
[[nodiscard]] Status PostBook(Call& call, json::Writer& reply);
[[nodiscard]] Status ListBooks(Call& call, json::Writer& reply);
[[nodiscard]] Status GetBook(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchBook(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteBook(Call& call, json::Writer& reply);
[[nodiscard]] Status PostNote(Call& call, json::Writer& reply);
[[nodiscard]] Status ListNotes(Call& call, json::Writer& reply);
[[nodiscard]] Status GetNote(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchNote(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteNote(Call& call, json::Writer& reply);
void CheckReader(const design::Record& now, const design::Record& reader,
                 std::vector<FieldFailure>& failures);
// What belonged to a book with many notes and events goes by itself; this looks on.
[[nodiscard]] Result<platform::JobStep> FollowDelete(const platform::Mount& mount,
                                                     platform::JobState& job);
inline constexpr std::string_view kDeleteJob = "delete";

// reading.cc
void CheckPage(const Call& call, const design::Record& given, std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostPage(Call& call, json::Writer& reply);
[[nodiscard]] Status ListEvents(Call& call, json::Writer& reply);
[[nodiscard]] Status GetProgress(Call& call, json::Writer& reply);

// statistics.cc
[[nodiscard]] Status GetReadingStatistics(Call& call, json::Writer& reply);
[[nodiscard]] Status GetSummary(Call& call, json::Writer& reply);

// days.cc
[[nodiscard]] Status FollowDays(const platform::Mount& mount, const platform::ItemChange& change);
[[nodiscard]] Result<platform::JobStep> RebuildDays(const platform::Mount& mount,
                                                    platform::JobState& job);
inline constexpr std::string_view kRebuildDaysJob = "rebuild-days";

// people.cc
[[nodiscard]] std::optional<platform::search::Document> Describe(const design::TypedItem& item);
[[nodiscard]] Result<std::vector<std::string>> Visible(const Call& call);
[[nodiscard]] Result<std::optional<design::TypedItem>> Fetch(const Call& call,
                                                             const platform::search::Hit& hit);
[[nodiscard]] Status VisitPerson(const platform::Mount& mount, const std::string& sub,
                                 const platform::AppPeople::Visit& visit);
[[nodiscard]] Result<platform::JobStep> ErasePerson(const platform::Mount& mount,
                                                    platform::JobState& job);
[[nodiscard]] std::string OwnerOf(const design::TypedItem& item);
inline constexpr std::size_t kItemsMax = 1'000'000;

// samples.cc
[[nodiscard]] Status LoadSamples(const platform::Mount& mount,
                                 std::span<const platform::Person> people);

// The pages of a book as they were reached, in order of time.
[[nodiscard]] Result<std::vector<ReachedPage>> EventsOfBook(design::Runtime& runtime,
                                                            std::string_view user_id,
                                                            std::string_view book_id);
[[nodiscard]] std::int64_t TimeOfEvent(const design::Record& event);

// The book that the path names, if it is the caller's.
[[nodiscard]] Result<design::TypedItem> BookOf(const Call& call);
// The reader's own item.
[[nodiscard]] Result<design::TypedItem> ReaderOf(const Call& call);
[[nodiscard]] text::TimeZone ZoneOf(const design::Record& reader);

// How much of a book is read, in percent with one digit; nothing without a number of pages.
[[nodiscard]] std::optional<double> PercentOf(const design::Record& book);
// What is computed from a book: percent and suggestions.
void AddToBook(const Call& call, const design::TypedItem& book, json::Writer& writer);

}  // namespace trestle::apps::books
