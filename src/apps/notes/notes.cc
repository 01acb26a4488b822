// Single notes.

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::FieldError;
using platform::IntegerAt;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kNotesMax = 100'000;

Record Identity(const Call& call) {
  return TextRecord({{"email", EmailOf(call)}, {"id", call.PathValue("id")}});
}

bool HasControls(std::string_view text, std::string_view allowed) {
  return std::ranges::any_of(text, [&](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 || code == 0x7f) && allowed.find(c) == std::string_view::npos;
  });
}

// When a note was done follows from its state; one that is to be reminded of anew was not yet.
Status FollowState(std::string_view now_text, const Record& now, Changes& wanted) {
  const Record next = platform::RecordAfter(now, wanted);
  const bool was_done = BoolOf(now, "done").value_or(false);
  const bool is_done = BoolOf(next, "done").value_or(false);
  if (is_done && !was_done) platform::SetText(wanted, "doneAt", now_text);
  if (!is_done && was_done) platform::Remove(wanted, "doneAt");
  if (next.Find("remindAt") != now.Find("remindAt") && now.Find("remindedAt")) {
    platform::Remove(wanted, "remindedAt");
  }
  return Ok();
}

using Rule = std::function<Status(const Record& now, Changes& wanted)>;

Status ChangeNote(Call& call, const Changes& changes, const Rule& rule, json::Writer& reply) {
  TRY(NoteOf(call));
  design::WriteOptions options = TRY(NoteOptions(call));
  options.rule = [&](const Record& now, Changes& wanted) -> Status {
    if (rule) TRY(rule(now, wanted));
    return FollowState(PresentOf(call).now, now, wanted);
  };
  auto changed = platform::UpdateItem(call, "Note", Identity(call), changes, std::move(options));
  if (!changed.ok()) return Explained(call, changed.error());
  return platform::ReplyItem(call, *changed, reply);
}

Status SetDone(Call& call, bool is_done, json::Writer& reply) {
  const TypedItem note = TRY(NoteOf(call));
  const bool is_so = BoolOf(note.record, "done").value_or(false) == is_done;
  if (is_so && !call.Header("If-Match")) return platform::ReplyItem(call, note, reply);
  Changes changes;
  platform::SetBool(changes, "done", is_done);
  return ChangeNote(call, changes, nullptr, reply);
}

}  // namespace

Result<TypedItem> NoteOf(const Call& call) {
  Record identity = Identity(call);
  auto note = platform::GetItem(call, "Note", identity);
  if (note.ok() || note.error().code() != ErrorCode::kResourceNotFound) return note;
  // All notes may have moved to another address in between.
  const auto email = TRY(EmailOfSub(call.runtime(), call.sub()));
  if (!email || *email == EmailOf(call)) return note;
  identity.SetText("email", *email);
  return platform::GetItem(call, "Note", identity);
}

Result<design::WriteOptions> NoteOptions(Call& call) {
  if (call.facts().Find("lockedBy")) return Moving(call);
  design::WriteOptions options;
  options.together_with.push_back(TRY(NotMoving(call.runtime(), EmailOf(call))));
  // The check above fails as a conflict, which is tried again until this one says why.
  options.check = [&call, tries = 0](const Record& /*next*/) mutable -> Status {
    const auto user = tries++ == 0 ? std::nullopt : TRY(FindUser(call.runtime(), EmailOf(call)));
    if (user && user->record.Find("lockedBy")) return Moving(call);
    return Ok();
  };
  return options;
}

Error Explained(Call& call, const Error& error) {
  const bool may_have_moved = error.code() == ErrorCode::kConditionalCheckFailed ||
                              error.code() == ErrorCode::kTransactionConflict ||
                              error.code() == ErrorCode::kResourceNotFound;
  if (!may_have_moved) return error;
  const auto email = EmailOfSub(call.runtime(), call.sub());
  if (email.ok() && *email && **email != EmailOf(call)) return Moving(call);
  const auto user = FindUser(call.runtime(), EmailOf(call));
  if (user.ok() && *user && (*user)->record.Find("lockedBy")) return Moving(call);
  return error;
}

Status CheckRoom(const Record& user, std::size_t count) {
  const std::int64_t present =
      IntegerAt(user, "counts", "open").value_or(0) + IntegerAt(user, "counts", "done").value_or(0);
  if (present + static_cast<std::int64_t>(count) <= kNotesMax) return Ok();
  return ProblemError("semantic", fmt::format("nobody has more than {} notes", kNotesMax));
}

void SetDoneAt(std::string_view now, Record& note) {
  if (BoolOf(note, "done").value_or(false)) note.SetText("doneAt", now);
}

void CheckNote(const Record& /*now*/, const Record& note, std::vector<FieldFailure>& failures) {
  const auto check_text = [&](std::string field, std::string_view text, std::string_view allowed) {
    if (!HasControls(text, allowed)) return;
    failures.push_back({.field = std::move(field),
                        .message = "must have no control characters",
                        .code = "characters"});
  };
  check_text("title", TextOf(note, "title"), "");
  check_text("content", TextOf(note, "content"), "\n\t\r");
  const std::vector<std::string> tags = platform::TextsOf(note, "tags");
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto before = std::span(tags).first(i);
    if (std::ranges::find(before, tags[i]) != before.end()) {
      failures.push_back(
          {.field = fmt::format("tags[{}]", i), .message = "stands twice", .code = "repeated"});
    } else {
      check_text(fmt::format("tags[{}]", i), tags[i], "");
    }
  }
}

void AddToNote(const Call& call, const TypedItem& note, json::Writer& writer) {
  const auto deadline = note.record.FindText("deadline");
  if (deadline) {
    writer.Key("deadlineKind");
    writer.String(IsDay(*deadline) ? "DATE" : "INSTANT");
  }
  writer.Key("overdue");
  writer.Bool(deadline && !BoolOf(note.record, "done").value_or(false) &&
              IsPast(*deadline, PresentOf(call)));
}

Status PostNote(Call& call, json::Writer& reply) {
  Record note = TRY(platform::NewItem(call, "Note"));
  TRY(CheckRoom(call.facts(), 1));
  note.SetText("email", EmailOf(call));
  SetDoneAt(PresentOf(call).now, note);
  const auto created = platform::CreateItem(call, "Note", note, TRY(NoteOptions(call)));
  if (!created.ok()) return Explained(call, created.error());
  return platform::ReplyCreated(call, *created, "/notes/" + TextOf(created->record, "id"), reply);
}

Status GetNote(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(NoteOf(call)), reply);
}

Status PatchNote(Call& call, json::Writer& reply) {
  return ChangeNote(call, TRY(platform::ItemChanges(call, "Note")), nullptr, reply);
}

Status DeleteNote(Call& call, json::Writer& /*reply*/) {
  TRY(NoteOf(call));
  const auto deleted = platform::DeleteItem(call, "Note", Identity(call), TRY(NoteOptions(call)));
  if (!deleted.ok()) return Explained(call, deleted.error());
  return platform::ReplyNothing(call);
}

Status MarkDone(Call& call, json::Writer& reply) { return SetDone(call, true, reply); }
Status Reopen(Call& call, json::Writer& reply) { return SetDone(call, false, reply); }

Status Snooze(Call& call, json::Writer& reply) {
  const std::string until = TextOf(call.fields(), "until");
  if (until <= PresentOf(call).now) {
    return FieldError({.field = "until", .message = "must be in the future", .code = "range"});
  }
  Changes changes;
  platform::SetText(changes, "remindAt", until);
  return ChangeNote(call, changes, nullptr, reply);
}

Status MoveToDay(Call& call, json::Writer& reply) {
  const std::string day = TextOf(call.fields(), "date");
  const text::TimeZone zone = ZoneOf(call.facts());
  return ChangeNote(
      call, {},
      [&](const Record& now, Changes& wanted) {
        platform::SetText(wanted, "deadline", OnDay(TextOf(now, "deadline"), day, zone));
        return Ok();
      },
      reply);
}

}  // namespace trestle::apps::notes
