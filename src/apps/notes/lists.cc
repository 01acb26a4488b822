// Lists of notes, in the order of their deadlines.

#include <charconv>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::notes {
namespace {

using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::FieldError;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kFirstDay = "0001-01-01";
constexpr std::int64_t kDaysOfWeek = 7;

using Keep = std::function<bool(const TypedItem& note)>;

// A list that goes through several access patterns, one after the other.
struct Part {
  std::string_view access;
  Record arguments;
};

struct Place {
  std::size_t part = 0;
  std::string cursor;
};
// "<part>|<cursor>"
Place ReadPlace(const std::string& position, std::size_t part_count) {
  Place place;
  const std::size_t bar = position.find('|');
  if (bar == std::string::npos) return place;
  std::from_chars(position.data(), position.data() + bar, place.part);
  if (place.part >= part_count) return {};
  place.cursor = position.substr(bar + 1);
  return place;
}

Status ReplyParts(Call& call, std::span<const Part> parts, bool is_descending, const Keep& keep,
                  json::Writer& reply) {
  constexpr int kPagesMax = 50;  // that a filter may leave empty for one request
  const std::uint32_t limit = platform::LimitOf(call);
  Place place = ReadPlace(TRY(platform::OpenCursor(call)), parts.size());
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  std::uint32_t count = 0;
  for (int i = 0; i < kPagesMax && count < limit && place.part < parts.size(); ++i) {
    const Part& part = parts[place.part];
    const design::TypedPage page = TRY(platform::RunAccess(
        call, part.access, part.arguments,
        {.limit = limit - count, .is_descending = is_descending, .cursor = place.cursor}));
    for (const TypedItem& note : page.items) {
      if (keep && !keep(note)) continue;
      platform::WriteItem(call, note, reply);
      ++count;
    }
    place.cursor = page.cursor;
    if (page.cursor.empty()) ++place.part;
  }
  reply.EndArray();
  const bool is_last = place.part == parts.size();
  platform::WriteCursor(
      call, is_last ? std::string() : fmt::format("{}|{}", place.part, place.cursor), reply);
  reply.EndObject();
  return Ok();
}

bool HasTag(const TypedItem& note, const std::string& folded) {
  for (const std::string& tag : platform::TextsOf(note.record, "tags"))
    if (text::Fold(tag) == folded) return true;
  return false;
}

// What `done` and `tag` leave.
Keep Chosen(const Call& call) {
  const auto is_done = BoolOf(call.arguments(), "done");
  const std::string tag = text::Fold(TextOf(call.arguments(), "tag"));
  return [is_done, tag](const TypedItem& note) {
    if (is_done && BoolOf(note.record, "done").value_or(false) != *is_done) return false;
    return tag.empty() || HasTag(note, tag);
  };
}

Part PartOf(const Call& call, std::string_view access,
            std::initializer_list<std::pair<std::string_view, std::string_view>> texts) {
  Record arguments = TextRecord(texts);
  arguments.SetText("email", EmailOf(call));
  return {.access = access, .arguments = std::move(arguments)};
}

Status ReplyDays(Call& call, std::int64_t days, json::Writer& reply) {
  const text::TimeZone zone = ZoneOf(call.facts());
  const std::string first = PresentOf(call).today;
  const std::string end = text::AddDays(first, days);
  const Window window = WindowOfDays(first, end, zone);
  const Part part = PartOf(call, "notesBetween", {{"from", window.from}, {"to", window.to}});
  const Keep chosen = Chosen(call);
  const auto keep = [&](const TypedItem& note) {
    const std::string day = DayOf(TextOf(note.record, "deadline"), zone);
    return first <= day && day < end && chosen(note);
  };
  return ReplyParts(call, std::span(&part, 1), false, keep, reply);
}

Result<std::vector<Part>> PartsOf(const Call& call, bool is_descending) {
  const Record& given = call.arguments();
  const auto after = given.FindText("dueAfter");
  const auto before = given.FindText("dueBefore");
  const auto undated = BoolOf(given, "undated");
  if (undated.value_or(false) && (after || before)) {
    return FieldError({.field = "?undated",
                       .message = "cannot stand beside dueBefore and dueAfter",
                       .code = "conflict"});
  }
  if (after && before && *before <= *after) {
    return FieldError(
        {.field = "?dueBefore", .message = "must be later than dueAfter", .code = "range"});
  }
  std::vector<Part> parts;
  if (undated.value_or(false)) {
    parts.push_back(PartOf(call, "notesUndated", {}));
  } else if (after && before) {
    parts.push_back(PartOf(call, "notesBetween", {{"from", *after}, {"to", *before}}));
  } else if (before) {
    parts.push_back(PartOf(call, "notesDueBefore", {{"target", *before}}));
  } else if (after || undated) {
    parts.push_back(PartOf(call, "notesDueAfter", {{"target", after.value_or(kFirstDay)}}));
  } else if (is_descending) {
    // Notes without a deadline come last in both directions.
    parts.push_back(PartOf(call, "notesDueAfter", {{"target", kFirstDay}}));
    parts.push_back(PartOf(call, "notesUndated", {}));
  } else {
    parts.push_back(PartOf(call, "notesOfUser", {}));
  }
  return parts;
}

}  // namespace

Status ListNotes(Call& call, json::Writer& reply) {
  const bool is_descending = TextOf(call.arguments(), "order") == "desc";
  const std::vector<Part> parts = TRY(PartsOf(call, is_descending));
  return ReplyParts(call, parts, is_descending, Chosen(call), reply);
}

Status ListOverdue(Call& call, json::Writer& reply) {
  const Present present = PresentOf(call);
  const Part part = PartOf(call, "notesDueBefore", {{"target", PastBound(present)}});
  const Keep chosen = Chosen(call);
  const auto keep = [&](const TypedItem& note) {
    return !BoolOf(note.record, "done").value_or(false) &&
           IsPast(TextOf(note.record, "deadline"), present) && chosen(note);
  };
  return ReplyParts(call, std::span(&part, 1), false, keep, reply);
}

Status ListToday(Call& call, json::Writer& reply) { return ReplyDays(call, 1, reply); }
Status ListWeek(Call& call, json::Writer& reply) { return ReplyDays(call, kDaysOfWeek, reply); }

Status ListReminders(Call& call, json::Writer& reply) {
  const std::string now = PresentOf(call).now;
  const auto is_due = [&](const TypedItem& reminder) {
    return TextOf(reminder.record, "remindAt") <= now;
  };
  platform::ListOptions options;
  if (const auto wanted = BoolOf(call.arguments(), "due")) {
    options.keep = [&, wanted](const TypedItem& reminder) { return is_due(reminder) == *wanted; };
  }
  options.write = [&](const TypedItem& reminder, json::Writer& writer) {
    writer.BeginObject();
    writer.Key("noteId");
    writer.String(TextOf(reminder.record, "id"));
    writer.Key("title");
    writer.String(TextOf(reminder.record, "title"));
    writer.Key("remindAt");
    writer.String(TextOf(reminder.record, "remindAt"));
    writer.Key("due");
    writer.Bool(is_due(reminder));
    writer.EndObject();
  };
  return platform::ReplyList(call, "remindersOfUser", TextRecord({{"userId", call.sub()}}), options,
                             reply);
}

}  // namespace trestle::apps::notes
