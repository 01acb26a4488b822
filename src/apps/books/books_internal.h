#pragma once

#include <string>

#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/call.h"
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

// reading.cc
[[nodiscard]] Status PostPage(Call& call, json::Writer& reply);
[[nodiscard]] Status ListEvents(Call& call, json::Writer& reply);
[[nodiscard]] Status GetProgress(Call& call, json::Writer& reply);

// statistics.cc
[[nodiscard]] Status GetReadingStatistics(Call& call, json::Writer& reply);
[[nodiscard]] Status GetSummary(Call& call, json::Writer& reply);

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
