// Who has what: lending, returning, and the history of it.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/library/library_internal.h"
#include "apps/library/loans.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/collation.h"
#include "text/time_zone.h"
#include "text/unicode.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::FieldError;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

std::string NowText(const Call& call) {
  return design::TimestampText(call.now_unix_ms(), design::syntax::Precision::kMilliseconds);
}

// The name of the field, without blanks around it; empty when it is not given.
std::string BorrowerOf(const Call& call) {
  return text::Nfc(text::Trim(TextOf(call.fields(), "borrower")));
}

Status ReplyEvent(Call& call, const std::vector<TypedItem>& changed, json::Writer& reply) {
  const auto event = std::ranges::find(changed, "LendingEvent", KindOf);
  call.SetStatus(201);
  reply.BeginObject();
  platform::WriteItemMembers(call, *event, reply);
  for (const TypedItem& item : changed) {
    if (&item == &*event) continue;
    reply.Key("item");
    platform::WriteItem(call, item, reply);
  }
  reply.EndObject();
  return Ok();
}

Status Lend(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  Record arguments = ItemIdentity(item.record);
  arguments.SetText("borrower", BorrowerOf(call));
  if (const auto due = call.fields().FindText("dueDate")) arguments.SetText("DueDate", *due);
  if (const auto note = call.fields().FindText("note")) arguments.SetText("Note", *note);
  const auto lent = platform::RunOperation(call, "lendItem", arguments);
  if (!lent.ok() && lent.error().code() == ErrorCode::kConditionalCheckFailed) {
    return ProblemError("already-lent", "somebody has it already");
  }
  if (!lent.ok()) return lent.error();
  return ReplyEvent(call, *lent, reply);
}

Status Return(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  const std::string borrower = BorrowerOf(call);
  const auto has_it = item.record.FindText("LentTo");
  if (!has_it) return ProblemError("not-lent", "nobody has it");
  if (!borrower.empty() && borrower != *has_it)
    return ProblemError("not-lent", "somebody else has it");
  Record arguments = ItemIdentity(item.record);
  arguments.SetText("borrower", *has_it);
  if (const auto note = call.fields().FindText("note")) arguments.SetText("Note", *note);
  const auto returned = platform::RunOperation(call, "returnItem", arguments);
  if (!returned.ok() && returned.error().code() == ErrorCode::kConditionalCheckFailed) {
    return ProblemError("not-lent", "it was returned a moment ago");
  }
  if (!returned.ok()) return returned.error();
  return ReplyEvent(call, *returned, reply);
}

LoanEvent EventOf(const Record& event) {
  return {.item_id = TextOf(event, "ItemId"),
          .at = TextOf(event, "UpdatedAt"),
          .is_return = TextOf(event, "Type") == "RETURNED",
          .borrower = TextOf(event, "Event"),
          .due_date = TextOf(event, "DueDate")};
}

std::vector<LoanEvent> EventsOf(const std::vector<TypedItem>& items) {
  std::vector<LoanEvent> events;
  events.reserve(items.size());
  for (const TypedItem& item : items)
    events.push_back(EventOf(item.record));
  return events;
}

// Bytes that sort the other way round.
std::string Backwards(std::string text) {
  for (char& c : text)
    c = static_cast<char>(~c);
  return text;
}

// An item for each loan that it was part of: LentTo and the others are of that loan, and
// ReturnedAt is when it ended.
Result<std::vector<TypedItem>> AllLoans(const Call& call, const std::vector<TypedItem>& items) {
  std::map<std::string, const TypedItem*> by_id;
  for (const TypedItem& item : items)
    by_id[TextOf(item.record, "ItemId")] = &item;
  const std::vector<TypedItem> libraries = TRY(platform::RunWhole(
      call.runtime(), "librariesByName", TextRecord({{"OwnerId", OwnerIdOf(call)}})));
  std::vector<TypedItem> loans;
  for (const TypedItem& library : libraries) {
    const std::vector<TypedItem> history = TRY(
        platform::RunWhole(call.runtime(), "historyOfLibrary",
                           LibraryIdentity(OwnerIdOf(call), TextOf(library.record, "LibraryId"))));
    for (const Loan& loan : LoansOf(EventsOf(history))) {
      const auto found = by_id.find(loan.item_id);
      if (found == by_id.end()) continue;
      TypedItem& entry = loans.emplace_back(*found->second);
      entry.record.SetText("LentTo", loan.borrower);
      entry.record.SetText("LentAt", loan.from);
      entry.record.Remove("DueDate");
      if (!loan.due_date.empty()) entry.record.SetText("DueDate", loan.due_date);
      if (loan.to) entry.record.SetText("ReturnedAt", *loan.to);
    }
  }
  return loans;
}

bool IsOverdue(const Record& loan, const std::string& today) {
  const auto due = loan.FindText("DueDate");
  return due && *due < today && !loan.Find("ReturnedAt");
}

void WriteText(std::string_view name, const Record& record, std::string_view attribute,
               json::Writer& writer) {
  const auto text = record.FindText(attribute);
  if (!text) return;
  writer.Key(name);
  writer.String(*text);
}

void WriteLoan(const Call& call, const TypedItem& item, const std::string& today,
               json::Writer& writer) {
  const Record& loan = item.record;
  writer.BeginObject();
  WriteText("borrower", loan, "LentTo", writer);
  WriteText("lentAt", loan, "LentAt", writer);
  WriteText("dueDate", loan, "DueDate", writer);
  WriteText("returnedAt", loan, "ReturnedAt", writer);
  if (const auto from = loan.FindText("LentAt")) {
    const std::string to(loan.FindText("ReturnedAt").value_or(NowText(call)));
    writer.Key("days");
    writer.Integer(DaysBetween(std::string(*from), to));
  }
  writer.Key("overdue");
  writer.Bool(IsOverdue(loan, today));
  writer.Key("item");
  writer.BeginObject();
  WriteText("id", loan, "ItemId", writer);
  writer.Key("type");
  writer.String(KindOf(item) == "Book" ? "book" : "video");
  WriteText("title", loan, "Title", writer);
  WriteText("libraryId", loan, "LibraryId", writer);
  WriteText("libraryName", loan, "LibraryName", writer);
  WriteText("collectionName", loan, "CollectionName", writer);
  writer.EndObject();
  writer.EndObject();
}

Result<std::string> TodayOf(const Call& call) {
  const auto name = call.arguments().FindText("tz");
  if (!name) return text::TimeZone::Utc().DateAt(call.now_unix_ms());
  const auto zone = text::TimeZone::Find(*name);
  if (zone) return zone->DateAt(call.now_unix_ms());
  return FieldError({.field = "?tz",
                     .message = "must be a zone of the IANA database, such as Europe/Vienna",
                     .code = "time-zone"});
}

}  // namespace

void CheckEvent(const Call& /*call*/, const Record& given, std::vector<FieldFailure>& failures) {
  const auto borrower = given.FindText("borrower");
  const std::string type = TextOf(given, "type");
  if (borrower && text::Trim(*borrower).empty()) {
    failures.push_back({.field = "borrower", .message = "must not be blank", .code = "length"});
  } else if (!borrower && type == "LENT") {
    failures.push_back({.field = "borrower", .message = "is required", .code = "required"});
  }
  if (type == "RETURNED" && given.Find("dueDate")) {
    failures.push_back(
        {.field = "dueDate", .message = "is for what is lent", .code = "unknown-field"});
  }
}

Status PostEvent(Call& call, json::Writer& reply) {
  return TextOf(call.fields(), "type") == "LENT" ? Lend(call, reply) : Return(call, reply);
}

Status PostLend(Call& call, json::Writer& reply) { return Lend(call, reply); }

Status PostReturn(Call& call, json::Writer& reply) { return Return(call, reply); }

Status ListEvents(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  const std::vector<TypedItem> history =
      TRY(platform::RunWhole(call.runtime(), "itemHistory", ItemIdentity(item.record)));
  // How long each loan was, by the moments of both of its events.
  std::map<std::string, std::int64_t> days;
  for (const Loan& loan : LoansOf(EventsOf(history))) {
    days[loan.from] = DaysBetween(loan.from, loan.to.value_or(NowText(call)));
    if (loan.to) days[*loan.to] = days[loan.from];
  }
  const bool is_descending = TextOf(call.arguments(), "order") == "desc";
  return platform::ReplySorted(
      call, history,
      [&](const TypedItem& event) {
        std::string at = TextOf(event.record, "UpdatedAt");
        return is_descending ? Backwards(std::move(at)) : at;
      },
      {.write =
           [&](const TypedItem& event, json::Writer& writer) {
             writer.BeginObject();
             platform::WriteItemMembers(call, event, writer);
             if (const auto found = days.find(TextOf(event.record, "UpdatedAt"));
                 found != days.end()) {
               writer.Key("days");
               writer.Integer(found->second);
             }
             writer.EndObject();
           }},
      reply);
}

Status DeleteEvents(Call& call, json::Writer& /*reply*/) {
  TRY(OwnLibrary(call));
  const Record identity = ItemIdentity(TRY(FindItem(call, OwnerIdOf(call))).record);
  // The history is read before the item: what is lent later is not part of it.
  const std::vector<TypedItem> history =
      TRY(platform::RunWhole(call.runtime(), "eventsOfItem", identity));
  if (TRY(FindItem(call, OwnerIdOf(call))).record.Find("LentTo")) {
    return ProblemError("already-lent", "somebody has it; its history can be cleared afterwards");
  }
  for (const TypedItem& event : history) {
    const auto removed = call.runtime().Delete(*event.kind.entity, event.record);
    if (!removed.ok() && removed.error().code() != ErrorCode::kResourceNotFound) {
      return removed.error();
    }
  }
  return platform::ReplyNothing(call);
}

Status ListLoans(Call& call, json::Writer& reply) {
  const std::string state = TextOf(call.arguments(), "state");
  const std::string today = TRY(TodayOf(call));
  std::vector<TypedItem> loans = TRY(platform::RunWhole(
      call.runtime(), "itemsByTitle", TextRecord({{"OwnerId", OwnerIdOf(call)}})));
  if (state == "all") loans = TRY(AllLoans(call, loans));
  const std::string borrower = text::Fold(TextOf(call.arguments(), "borrower"));
  const auto keep = [&](const TypedItem& loan) {
    const auto name = loan.record.FindText("LentTo");
    if (!name || (state == "overdue" && !IsOverdue(loan.record, today))) return false;
    return borrower.empty() || text::Fold(*name) == borrower;
  };
  return platform::ReplySorted(
      call, loans,
      [&](const TypedItem& loan) {
        return text::CollationKey(TextOf(loan.record, "LentTo")) + TextOf(loan.record, "LentAt");
      },
      {.keep = keep,
       .write = [&](const TypedItem& loan,
                    json::Writer& writer) { WriteLoan(call, loan, today, writer); }},
      reply);
}

}  // namespace trestle::apps::library
