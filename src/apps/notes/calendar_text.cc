#include "apps/notes/calendar_text.h"

#include <fmt/format.h>

#include "apps/notes/deadline.h"
#include "text/time_zone.h"

namespace trestle::apps::notes {
namespace {

constexpr std::size_t kLineBytesMax = 75;

// Commas, semicolons and line feeds have a meaning of their own; other control characters none.
std::string Escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\\' || c == ',' || c == ';') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      out += c;
    } else if (c == '\t') {
      out += ' ';
    }
  }
  return out;
}

bool IsInsideCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// A long line goes on behind a line break and a blank, never inside a character.
void AddLine(std::string& out, std::string_view line) {
  std::size_t room = kLineBytesMax;
  while (line.size() > room) {
    std::size_t cut = room;
    while (cut > 0 && IsInsideCharacter(line[cut]))
      --cut;
    out += line.substr(0, cut);
    out += "\r\n ";
    line.remove_prefix(cut);
    room = kLineBytesMax - 1;
  }
  out += line;
  out += "\r\n";
}

// "20260120" or "20260120T100000Z".
std::string Compact(std::string_view deadline) {
  std::string out;
  for (const char c : deadline.substr(0, deadline.find('.')))
    if (c != '-' && c != ':' && c != 'Z') out += c;
  return IsDay(deadline) ? out : out + "Z";
}

void AddTime(std::string& out, std::string_view name, std::string_view deadline) {
  AddLine(out,
          fmt::format("{}{}:{}", name, IsDay(deadline) ? ";VALUE=DATE" : "", Compact(deadline)));
}

void AddNote(std::string& out, const CalendarNote& note) {
  const bool is_event = !note.deadline.empty();
  AddLine(out, is_event ? "BEGIN:VEVENT" : "BEGIN:VTODO");
  AddLine(out, fmt::format("UID:{}@trestle.notes", Escaped(note.id)));
  AddTime(out, "DTSTAMP", note.changed_at);
  if (is_event) {
    AddTime(out, "DTSTART", note.deadline);
    if (IsDay(note.deadline)) AddTime(out, "DTEND", text::AddDays(note.deadline, 1));
    AddLine(out, "TRANSP:TRANSPARENT");
  }
  AddLine(out, fmt::format("SUMMARY:{}", Escaped(note.title)));
  if (!note.content.empty()) AddLine(out, fmt::format("DESCRIPTION:{}", Escaped(note.content)));
  std::string tags;
  for (const std::string& tag : note.tags)
    tags += (tags.empty() ? "" : ",") + Escaped(tag);
  if (!tags.empty()) AddLine(out, fmt::format("CATEGORIES:{}", tags));
  AddLine(out, is_event ? "END:VEVENT" : "END:VTODO");
}

}  // namespace

std::string CalendarText(std::string_view name, const std::vector<CalendarNote>& notes) {
  std::string out;
  AddLine(out, "BEGIN:VCALENDAR");
  AddLine(out, "VERSION:2.0");
  AddLine(out, "PRODID:-//Trestle//Notes//EN");
  AddLine(out, fmt::format("NAME:{}", Escaped(name)));
  AddLine(out, fmt::format("X-WR-CALNAME:{}", Escaped(name)));
  for (const CalendarNote& note : notes)
    AddNote(out, note);
  AddLine(out, "END:VCALENDAR");
  return out;
}

}  // namespace trestle::apps::notes
