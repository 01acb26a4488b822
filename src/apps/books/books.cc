// The reader, books and notes.

#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>

#include "apps/books/book_rules.h"
#include "apps/books/books_internal.h"
#include "base/check.h"
#include "design/time_text.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/search/feed.h"
#include "platform/search/index.h"
#include "platform/values.h"
#include "text/collation.h"

namespace trestle::apps::books {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::NumberOf;
using platform::TextOf;
using platform::TextRecord;

using Failures = std::vector<FieldFailure>;

Record Identity(const Call& call) {
  return TextRecord({{"userId", call.sub()}, {"id", call.PathValue("id")}});
}

Record NoteIdentity(const Call& call) {
  return TextRecord(
      {{"userId", call.sub()}, {"bookId", call.PathValue("id")}, {"id", call.PathValue("noteId")}});
}

// How many digits amounts have behind the point; nothing when it is no currency, or not given.
std::optional<int> CheckCurrency(const Record& item, std::string_view name, Failures& failures) {
  const auto currency = item.FindText(name);
  if (!currency) return std::nullopt;
  const auto digits = text::CurrencyDigits(*currency);
  if (!digits) {
    failures.push_back({.field = std::string(name),
                        .message = "must be a currency of ISO 4217, such as EUR",
                        .code = "currency"});
  }
  return digits;
}

// Amounts have at most the digits that their currency has.
void CheckPrice(const Record& book, Failures& failures) {
  const auto digits = CheckCurrency(book, "currency", failures);
  const auto price = book.Find("price");
  if (!digits || !price) return;
  const std::string text = value::NumberText(price->number());
  const std::size_t point = text.find('.');
  const std::size_t fraction = point == std::string::npos ? 0 : text.size() - point - 1;
  if (fraction <= static_cast<std::size_t>(*digits)) return;
  failures.push_back({.field = "price",
                      .message = fmt::format("must have at most {} digits behind the point in {}",
                                             *digits, TextOf(book, "currency")),
                      .code = "digits"});
}

Status AddCounts(const Call& call, json::Writer& reply) {
  const TypedItem reader = TRY(ReaderOf(call));
  reply.Key("counts");
  reply.BeginObject();
  for (const std::string_view status :
       {"SHELF", "READING", "READ", "WISHLIST", "PAUSED", "ABANDONED"}) {
    reply.Key(status);
    reply.Integer(platform::IntegerAt(reader.record, "counts", status).value_or(0));
  }
  reply.EndObject();
  return Ok();
}

// The ids of the books that have these words.
Result<std::set<std::string>> FindBooks(Call& call, std::string_view words) {
  constexpr std::size_t kFoundMax = 2'000;
  CHECK(call.mount().search != nullptr, "an app that can be searched");
  platform::search::Query query{.text = std::string(words),
                                .may_see = TRY(Visible(call)),
                                .types = {"book"},
                                .facets = {},
                                .order = {},
                                .limit = 100,
                                .position = {}};
  std::set<std::string> found;
  do {
    const platform::search::Hits hits = TRY(call.mount().search->Find(query));
    for (const platform::search::Hit& hit : hits.items)
      found.insert(hit.payload);
    query.position = hits.next;
  } while (!query.position.empty() && found.size() < kFoundMax);
  if (call.mount().feed != nullptr) {
    call.AddHeader("Index-Lag-Ms", fmt::format("{}", call.mount().feed->LagMs()));
  }
  return found;
}

// The same texts, the other way round.
std::string Backwards(std::string text) {
  for (char& c : text)
    c = static_cast<char>(0x7f - c);
  return text;
}

Status ReplySortedBooks(Call& call, std::string_view sort, const std::optional<std::string>& status,
                        json::Writer& reply) {
  constexpr std::size_t kBooksMax = 20'000;
  std::vector<TypedItem> books = TRY(platform::RunWhole(
      call.runtime(), "listBooks", TextRecord({{"userId", call.sub()}}), {.items_max = kBooksMax}));
  if (status) {
    std::erase_if(books,
                  [&](const TypedItem& book) { return TextOf(book.record, "status") != *status; });
  }
  if (const auto words = call.arguments().FindText("q")) {
    const std::set<std::string> found = TRY(FindBooks(call, *words));
    std::erase_if(
        books, [&](const TypedItem& book) { return !found.contains(TextOf(book.record, "id")); });
  }
  // Ratings and percents go down, and books without one come last.
  const auto downwards = [](std::optional<double> number) {
    return fmt::format("{:08.1f}", number ? 1000 - *number : 9999);
  };
  return platform::ReplySorted(
      call, books,
      [&](const TypedItem& book) -> std::string {
        if (sort == "rating") return downwards(NumberOf(book.record, "rating"));
        if (sort == "percent") return downwards(PercentOf(book.record));
        if (sort == "updatedAt_asc") return TextOf(book.record, "updatedAt");
        if (sort == "updatedAt_desc") return Backwards(TextOf(book.record, "updatedAt"));
        return text::CollationKey(TextOf(book.record, "title"));
      },
      {.add = [&](json::Writer& writer) { return AddCounts(call, writer); }}, reply);
}

// Notes and events of a book, up to `count_max`.
Result<std::size_t> CountChildren(design::Runtime& runtime, const Record& book,
                                  std::size_t count_max) {
  std::size_t count = 0;
  for (const std::string_view access : {"listNotes", "listEvents"}) {
    if (count == count_max) break;
    const auto limit = static_cast<std::uint32_t>(count_max - count);
    count +=
        TRY(runtime.Run(*runtime.model().FindAccess(access), book, {.limit = limit})).items.size();
  }
  return count;
}

}  // namespace

void CheckBookFields(const Record& /*now*/, const Record& book, Failures& failures) {
  const auto rating = NumberOf(book, "rating");
  if (rating && std::floor(*rating * 2) != *rating * 2) {
    failures.push_back({.field = "rating", .message = "must be in steps of 0.5", .code = "step"});
  }
  CheckPrice(book, failures);
  const auto date = book.FindText("purchaseDate");
  if (date && *date < "1450") {
    failures.push_back(
        {.field = "purchaseDate", .message = "must not be before 1450", .code = "range"});
  }
}

void CheckReader(const Record& /*now*/, const Record& reader, Failures& failures) {
  const auto zone = reader.FindText("timeZone");
  if (zone && !text::TimeZone::Find(*zone)) {
    failures.push_back({.field = "timeZone",
                        .message = "must be a zone of the IANA database, such as Europe/Vienna",
                        .code = "time-zone"});
  }
  CheckCurrency(reader, "defaultCurrency", failures);
}

Status CheckBook(const Record& book) {
  const auto total = IntegerOf(book, "totalPages");
  if (total && IntegerOf(book, "currentPage").value_or(0) > *total) {
    return platform::ProblemError("semantic", "currentPage is beyond totalPages");
  }
  return Ok();
}

std::string_view TimeOfStatus(std::string_view status) {
  if (status == "READING") return "startedAt";
  return status == "READ" ? "finishedAt" : "";
}

Result<TypedItem> BookOf(const Call& call) {
  return platform::GetItem(call, "Book", Identity(call));
}

Result<TypedItem> ReaderOf(const Call& call) {
  return platform::GetItem(call, "UserMetadata", TextRecord({{"userId", call.sub()}}));
}

text::TimeZone ZoneOf(const Record& reader) {
  auto zone = text::TimeZone::Find(TextOf(reader, "timeZone"));
  return zone ? *std::move(zone) : text::TimeZone::Utc();
}

std::optional<double> PercentOf(const Record& book) {
  const auto total = IntegerOf(book, "totalPages");
  if (!total || *total == 0) return std::nullopt;
  const auto page = static_cast<double>(IntegerOf(book, "currentPage").value_or(0));
  return std::round(page * 1000 / static_cast<double>(*total)) / 10;
}

void AddToBook(const Call& /*call*/, const TypedItem& book, json::Writer& writer) {
  if (const auto percent = PercentOf(book.record)) {
    writer.Key("percent");
    writer.Raw(fmt::format("{}", *percent));
  }
  const std::string status = TextOf(book.record, "status");
  const std::int64_t page = IntegerOf(book.record, "currentPage").value_or(0);
  const auto total = IntegerOf(book.record, "totalPages");
  writer.Key("suggestions");
  writer.BeginArray();
  if (page > 0 && (status == "SHELF" || status == "WISHLIST" || status == "PAUSED")) {
    writer.String("START_READING");
  }
  if (total && *total > 0 && page >= *total && status != "READ") writer.String("MARK_READ");
  writer.EndArray();
}

Status GetMe(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(ReaderOf(call)), reply);
}

Status PatchMe(Call& call, json::Writer& reply) {
  const Changes changes = TRY(platform::ItemChanges(call, "UserMetadata"));
  return platform::ReplyItem(
      call,
      TRY(platform::UpdateItem(call, "UserMetadata", TextRecord({{"userId", call.sub()}}),
                               changes)),
      reply);
}

Status PostBook(Call& call, json::Writer& reply) {
  Record book = TRY(platform::NewItem(call, "Book"));
  book.SetText("userId", call.sub());
  const std::string_view time = TimeOfStatus(TextOf(book, "status"));
  if (!time.empty() && !book.Find(time)) {
    book.SetText(
        time, design::TimestampText(call.now_unix_ms(), design::syntax::Precision::kMilliseconds));
  }
  design::WriteOptions options;
  options.check = CheckBook;
  const TypedItem created = TRY(platform::CreateItem(call, "Book", book, std::move(options)));
  return platform::ReplyCreated(call, created, "/books/" + TextOf(created.record, "id"), reply);
}

Status ListBooks(Call& call, json::Writer& reply) {
  const std::string sort = TextOf(call.arguments(), "sort");
  std::optional<std::string> status;
  if (const auto given = call.arguments().FindText("status")) status = std::string(*given);
  const bool is_by_time = sort.starts_with("updatedAt") && !call.arguments().Find("q");
  if (!is_by_time) return ReplySortedBooks(call, sort, status, reply);
  Record arguments = TextRecord({{"userId", call.sub()}});
  if (status) arguments.SetText("status", *status);
  return platform::ReplyList(call, status ? "booksByStatus" : "booksByUpdate", arguments,
                             {.is_descending = sort == "updatedAt_desc",
                              .add = [&](json::Writer& writer) { return AddCounts(call, writer); }},
                             reply);
}

Status GetBook(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(BookOf(call)), reply);
}

Status PatchBook(Call& call, json::Writer& reply) {
  const Changes changes = TRY(platform::ItemChanges(call, "Book"));
  design::WriteOptions options;
  const std::string now_text =
      design::TimestampText(call.now_unix_ms(), design::syntax::Precision::kMilliseconds);
  options.rule = [&](const Record& now, Changes& wanted) -> Status {
    const Record next = platform::RecordAfter(now, wanted);
    const std::string status = TextOf(next, "status");
    const std::string_view time = TimeOfStatus(status);
    if (!time.empty() && status != TextOf(now, "status") && next.Find(time) == now.Find(time)) {
      platform::SetText(wanted, time, now_text);
    }
    return Ok();
  };
  options.check = CheckBook;
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "Book", Identity(call), changes, std::move(options))),
      reply);
}

Status DeleteBook(Call& call, json::Writer& reply) {
  TRY(BookOf(call));
  const Record book = TextRecord({{"userId", call.sub()}, {"bookId", call.PathValue("id")}});
  constexpr std::size_t kChildrenAtOnce = 98;  // that one transaction takes along
  const bool is_large =
      TRY(CountChildren(call.runtime(), book, kChildrenAtOnce + 1)) > kChildrenAtOnce;
  TRY(platform::DeleteItem(call, "Book", Identity(call)));
  return is_large ? platform::ReplyJob(call, kDeleteJob, book, reply)
                  : platform::ReplyNothing(call);
}

Result<platform::JobStep> FollowDelete(const platform::Mount& mount, platform::JobState& job) {
  if (TRY(CountChildren(*mount.runtime, job.input, 1)) > 0) return platform::JobStep::kLater;
  job.total = 1;
  job.done = 1;
  return platform::JobStep::kEnd;
}

Status PostNote(Call& call, json::Writer& reply) {
  TRY(BookOf(call));
  Record note = TRY(platform::NewItem(call, "Note"));
  note.SetText("userId", call.sub());
  note.SetText("bookId", call.PathValue("id"));
  const TypedItem created = TRY(platform::CreateItem(call, "Note", note));
  return platform::ReplyCreated(
      call, created,
      fmt::format("/books/{}/notes/{}", call.PathValue("id"), TextOf(created.record, "id")), reply);
}

Status ListNotes(Call& call, json::Writer& reply) {
  TRY(BookOf(call));
  return platform::ReplyList(call, "listNotes",
                             TextRecord({{"userId", call.sub()}, {"bookId", call.PathValue("id")}}),
                             {.is_descending = true}, reply);
}

Status GetNote(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(platform::GetItem(call, "Note", NoteIdentity(call))), reply);
}

Status PatchNote(Call& call, json::Writer& reply) {
  const Changes changes = TRY(platform::ItemChanges(call, "Note"));
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "Note", NoteIdentity(call), changes)), reply);
}

Status DeleteNote(Call& call, json::Writer& /*reply*/) {
  TRY(platform::DeleteItem(call, "Note", NoteIdentity(call)));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::books
