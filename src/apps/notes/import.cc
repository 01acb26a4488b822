// Notes that come from elsewhere.

#include "platform/import.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "apps/notes/markdown.h"
#include "apps/notes/notes_internal.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;

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

Result<Record> FromJson(const platform::Mount& mount, const json::Tree& tree) {
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) return ValidationError("must be an object");
  json::Tree::Object known;
  known.reserve(object->size());
  for (const json::Member& member : *object)
    if (std::ranges::find(kFields, member.name) != std::end(kFields)) known.push_back(member);
  const design::Entity& entity = *mount.runtime->model().FindEntity("Note");
  return platform::RecordFromJson(
      known, platform::Fields(entity.attributes, mount.app->names, mount.app->texts));
}

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

Result<std::vector<Result<Record>>> ReadNotes(const platform::Mount& mount, std::string_view text,
                                              bool is_markdown) {
  std::vector<Result<Record>> notes;
  if (is_markdown) {
    notes.emplace_back(FromMarkdown(text));
    return notes;
  }
  const json::Tree tree = TRY(json::ParseTree(text));
  const auto* body = tree.As<json::Tree::Object>();
  if (body == nullptr) {
    return platform::FieldError({.field = "", .message = "must be an object", .code = "type"});
  }
  const json::Tree::Array* array = nullptr;
  auto details = std::make_shared<ErrorDetails>();
  for (const json::Member& member : *body) {
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
  }
  if (!details->fields.empty()) {
    return Error(ErrorCode::kValidation, "the file cannot be read", std::move(details));
  }
  notes.reserve(array->size());
  for (const json::Tree& note : *array)
    notes.push_back(FromJson(mount, note));
  return notes;
}

// It passes: the job goes on at the other address.
Error Moving() { return {ErrorCode::kTransactionConflict, "the notes move to another address"}; }

// Whose notes they become, as they are now.
Result<TypedItem> UserOf(design::Runtime& runtime, const std::string& sub) {
  const auto email = TRY(EmailOfSub(runtime, sub));
  auto user = email ? TRY(FindUser(runtime, *email)) : std::nullopt;
  if (!user) return platform::NotFound("user");
  if (user->record.Find("lockedBy")) return Moving();
  return *std::move(user);
}

// A note has the same id whenever it is added, so that it is added once.
Status AddNote(const platform::Mount& mount, const Record& user, Record note, std::string id) {
  design::Runtime& runtime = *mount.runtime;
  const design::Entity& entity = *runtime.model().FindEntity("Note");
  note.SetText("email", TextOf(user, "email"));
  note.SetText("id", id);
  if (TRY(runtime.Get(entity, note))) return Ok();
  design::WriteOptions options;
  options.fields = CheckNote;
  options.together_with.push_back(TRY(NotMoving(runtime, TextOf(user, "email"))));
  SetDoneAt(PresentAt(mount.shared->clock->NowUnixMs(), ZoneOf(user)).now, note);
  const auto created = runtime.Create(entity, note, options);
  if (created.ok()) return Ok();
  const ErrorCode code = created.error().code();
  const bool may_have_moved =
      code == ErrorCode::kConditionalCheckFailed || code == ErrorCode::kResourceNotFound;
  return may_have_moved ? Moving() : created.error();
}

}  // namespace

Status PostImport(Call& call, json::Writer& reply) {
  const bool is_markdown = call.Header("Content-Type").value_or("").starts_with("text/markdown");
  const auto notes = TRY(ReadNotes(call.mount(), call.raw_body(), is_markdown));
  TRY(platform::CheckImportRows(notes.size()));
  TRY(CheckRoom(call.facts(), notes.size()));
  return platform::ReplyJob(call, kImportJob,
                            platform::TextRecord({{"format", is_markdown ? "markdown" : "json"}}),
                            reply, call.raw_body());
}

Result<platform::JobStep> ImportSome(const platform::Mount& mount, platform::JobState& job) {
  const auto notes = TRY(ReadNotes(mount, *job.file, TextOf(job.input, "format") == "markdown"));
  const TypedItem user = TRY(UserOf(*mount.runtime, job.sub));
  std::int64_t created = platform::IntegerOf(job.result, "created").value_or(0);
  const auto take = [&](std::size_t place) -> Status {
    const Status added = notes[place].ok() ? AddNote(mount, user.record, *notes[place],
                                                     fmt::format("{}-{}", job.job_id, place))
                                           : notes[place].error();
    if (added.ok()) {
      ++created;
    } else if (IsOfNote(added.error())) {
      job.errors.push_back(fmt::format("note {}: {}", place + 1, MessageOf(added.error())));
    } else {
      return added;
    }
    return Ok();
  };
  const platform::JobStep step =
      TRY(platform::TakeRows(*mount.shared->clock, job, notes.size(), take));
  platform::SetInteger(job.result, "created", created);
  return step;
}

}  // namespace trestle::apps::notes
