// Notes that come from elsewhere.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "apps/notes/markdown.h"
#include "apps/notes/notes_internal.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;

constexpr std::size_t kNotesMax = 500;
// What one may say of a note that comes along; exports have more, which is made anew.
constexpr std::string_view kFields[] = {"title", "content", "deadline", "done", "remindAt", "tags"};

Record FromMarkdown(std::string_view text) {
  const MarkdownNote read = ReadMarkdown(text);
  Record note;
  note.SetText("title", read.title);
  if (!read.content.empty()) note.SetText("content", read.content);
  if (!read.deadline.empty()) note.SetText("deadline", read.deadline);
  if (!read.tags.empty()) platform::SetTexts(note, "tags", read.tags);
  if (read.is_done) platform::SetBool(note, "done", true);
  return note;
}

Result<Record> FromJson(const Call& call, const json::Tree& tree) {
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) return ValidationError("must be an object");
  json::Tree::Object known;
  known.reserve(object->size());
  for (const json::Member& member : *object)
    if (std::ranges::find(kFields, member.name) != std::end(kFields)) known.push_back(member);
  const design::Entity& entity = platform::EntityNamed(call, "Note");
  return platform::RecordFromJson(
      known, platform::Fields(entity.attributes, call.app().names, call.app().texts));
}

struct Failure {
  std::size_t place;
  std::string message;
};

std::string MessageOf(const Error& error) {
  const ErrorDetails* details = error.details();
  if (details == nullptr || details->fields.empty()) return error.message();
  return fmt::format("{} {}", details->fields.front().field, details->fields.front().message);
}

// What is wrong with a note; another error ends the import.
bool IsOfNote(const Error& error) { return error.code() == ErrorCode::kValidation; }

// In an export: {"app", "version", "entities": {"Note": […]}}.
constexpr std::string_view kExport[] = {"app", "version", "entities"};

const json::Tree::Array* ExportedNotes(const json::Tree& entities) {
  const auto* object = entities.As<json::Tree::Object>();
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find(*object, "Note", &json::Member::name);
  return found == object->end() ? nullptr : found->value.As<json::Tree::Array>();
}

Result<std::vector<Result<Record>>> NotesOfBody(const Call& call) {
  std::vector<Result<Record>> notes;
  const auto type = call.Header("Content-Type").value_or("");
  if (type.starts_with("text/markdown")) {
    notes.emplace_back(FromMarkdown(call.raw_body()));
    return notes;
  }
  const json::Tree::Object body = TRY(call.Body());
  const json::Tree::Array* array = nullptr;
  auto details = std::make_shared<ErrorDetails>();
  for (const json::Member& member : body) {
    const bool is_list = member.name == "notes" || member.name == "items";
    const bool is_known = is_list || std::ranges::find(kExport, member.name) != std::end(kExport);
    if (!is_known) {
      details->fields.push_back(
          {.field = "/" + member.name, .message = "is not known here", .code = "unknown-field"});
    }
    if (is_list) array = member.value.As<json::Tree::Array>();
    if (member.name == "entities") array = ExportedNotes(member.value);
  }
  if (array == nullptr) {
    details->fields.push_back({.field = "notes", .message = "must be a list", .code = "required"});
  } else if (array->size() > kNotesMax) {
    details->fields.push_back({.field = "notes",
                               .message = fmt::format("must have at most {} notes", kNotesMax),
                               .code = "length"});
  }
  if (!details->fields.empty()) {
    return Error(ErrorCode::kValidation, "the file cannot be read", std::move(details));
  }
  notes.reserve(array->size());
  for (const json::Tree& tree : *array)
    notes.push_back(FromJson(call, tree));
  return notes;
}

}  // namespace

Status Import(Call& call, json::Writer& reply) {
  std::vector<std::string> created;
  std::vector<Failure> failures;
  const std::vector<Result<Record>> notes = TRY(NotesOfBody(call));
  created.reserve(notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    auto note = notes[i].ok() ? CreateNote(call, *notes[i]) : Result<TypedItem>(notes[i].error());
    if (note.ok()) {
      created.push_back(TextOf(note->record, "id"));
    } else if (IsOfNote(note.error())) {
      failures.push_back({i, MessageOf(note.error())});
    } else {
      return note.error();
    }
  }
  reply.BeginObject();
  reply.Key("created");
  reply.Integer(static_cast<std::int64_t>(created.size()));
  reply.Key("ids");
  reply.BeginArray();
  for (const std::string& id : created)
    reply.String(id);
  reply.EndArray();
  reply.Key("errors");
  reply.BeginArray();
  for (const Failure& failure : failures) {
    reply.BeginObject();
    reply.Key("index");
    reply.Integer(static_cast<std::int64_t>(failure.place));
    reply.Key("message");
    reply.String(failure.message);
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::notes
