#include "apps/books/import.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/books/book_rules.h"
#include "apps/books/tables.h"
#include "json/tree.h"
#include "platform/import.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/mount.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::books {
namespace {

using design::Record;
using platform::TextOf;
using platform::TextRecord;

// What one may say of what comes along; exports have more, which is made anew.
constexpr std::string_view kBookFields[] = {"title",     "description", "authors",      "status",
                                            "rating",    "currentPage", "totalPages",   "price",
                                            "currency",  "store",       "purchaseDate", "boughtAt",
                                            "startedAt", "finishedAt",  "createdAt"};
constexpr std::string_view kNoteFields[] = {"content", "createdAt"};
constexpr std::string_view kEventFields[] = {"page", "occurredAt"};

struct Imported {
  Result<Record> book;
  std::vector<Result<Record>> notes = {};
  std::vector<Result<Record>> events = {};
};

struct File {
  std::vector<Imported> books;
  std::vector<std::string> ignored;
};

const json::Tree* FindMember(const json::Tree& tree, std::string_view name) {
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find(*object, name, &json::Member::name);
  return found == object->end() ? nullptr : &found->value;
}

std::string_view TextMember(const json::Tree& tree, std::string_view name) {
  const json::Tree* member = FindMember(tree, name);
  const auto* text = member == nullptr ? nullptr : member->As<std::string>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

Result<Record> FromJson(const json::Tree& tree, const design::Entity& entity,
                        std::span<const std::string_view> names) {
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) return ValidationError("must be an object");
  json::Tree::Object known;
  known.reserve(object->size());
  for (const json::Member& member : *object)
    if (std::ranges::find(names, member.name) != names.end()) known.push_back(member);
  return platform::RecordFromJson(
      known, platform::Fields(entity.attributes, platform::NameStyle::kAsWritten,
                              platform::TextStyle::kPlain));
}

// A list of an export by the book that its elements are about.
class Children {
 public:
  Children(const json::Tree* entities, const design::Entity& entity,
           std::span<const std::string_view> names)
      : entity_(entity), names_(names) {
    const json::Tree* list = entities == nullptr ? nullptr : FindMember(*entities, entity.name);
    const auto* array = list == nullptr ? nullptr : list->As<json::Tree::Array>();
    if (array == nullptr) return;
    for (const json::Tree& tree : *array)
      if (const auto id = TextMember(tree, "bookId"); !id.empty()) by_book_.emplace(id, &tree);
  }

  [[nodiscard]] std::vector<Result<Record>> Of(std::string_view book_id) const {
    std::vector<Result<Record>> children;
    const auto [first, last] = by_book_.equal_range(book_id);
    for (auto child = first; child != last; ++child)
      children.push_back(FromJson(*child->second, entity_, names_));
    return children;
  }

 private:
  const design::Entity& entity_;
  const std::span<const std::string_view> names_;
  std::multimap<std::string_view, const json::Tree*> by_book_;
};

// {"books": […]}, or what GET /export gives: {"entities": {"Book": […], "Note": […], …}}.
Result<File> ReadJson(std::string_view text, const design::Model& model) {
  const json::Tree tree = TRY(json::ParseTree(text));
  const json::Tree* entities = FindMember(tree, "entities");
  const json::Tree* list =
      entities == nullptr ? FindMember(tree, "books") : FindMember(*entities, "Book");
  const auto* books = list == nullptr ? nullptr : list->As<json::Tree::Array>();
  if (books == nullptr) {
    return platform::FieldError(
        {.field = "books", .message = "must be a list", .code = "required"});
  }
  const Children notes(entities, *model.FindEntity("Note"), kNoteFields);
  const Children events(entities, *model.FindEntity("ReadingEvent"), kEventFields);
  File file;
  file.books.reserve(books->size());
  for (const json::Tree& book : *books) {
    const std::string_view id = TextMember(book, "id");
    file.books.push_back({.book = FromJson(book, *model.FindEntity("Book"), kBookFields),
                          .notes = notes.Of(id),
                          .events = events.Of(id)});
  }
  return file;
}

Result<File> ReadFile(std::string_view text, bool is_csv, const design::Model& model) {
  if (!is_csv) return ReadJson(text, model);
  BookTable table = TRY(ReadBookTable(text));
  File file{.books = {}, .ignored = std::move(table.ignored)};
  file.books.reserve(table.books.size());
  for (Result<Record>& book : table.books)
    file.books.push_back({.book = std::move(book)});
  return file;
}

// Of an error of one book; another one ends the import.
bool IsOfBook(const Error& error) {
  return error.code() == ErrorCode::kValidation || error.details() != nullptr;
}

std::string MessageOf(const Error& error) {
  const ErrorDetails* details = error.details();
  if (details == nullptr || details->fields.empty()) return error.message();
  return fmt::format("{} {}", details->fields.front().field, details->fields.front().message);
}

class Import {
 public:
  Import(const platform::Mount& mount, platform::JobState& job)
      : runtime_(*mount.runtime),
        job_(job),
        is_dry_(platform::BoolOf(job.input, "dryRun").value_or(false)) {}

  Status Add(const Imported& imported, std::size_t place) {
    const Status added = AddBook(imported, place);
    if (added.ok()) {
      Count("books");
      return Ok();
    }
    return Note(added.error(), place, "");
  }

 private:
  // The same ids whenever the job does it, so that all of it is added once.
  Status AddBook(const Imported& imported, std::size_t place) {
    if (!imported.book.ok()) return imported.book.error();
    Record book = *imported.book;
    const std::string book_id = fmt::format("{}-{}", job_.job_id, place);
    book.SetText("userId", job_.sub);
    book.SetText("id", book_id);
    std::string last;
    for (const auto& event : imported.events)
      if (event.ok()) last = std::max(last, TextOf(*event, "occurredAt"));
    if (!last.empty()) book.SetText("lastEventAt", last);
    design::WriteOptions options;
    options.fields = CheckBookFields;
    options.check = CheckBook;
    TRY(Create("Book", book, options));
    TRY(AddChildren("Note", "notes", imported.notes, book_id, place));
    return AddChildren("ReadingEvent", "events", imported.events, book_id, place);
  }

  Status AddChildren(std::string_view entity, std::string_view counter,
                     std::span<const Result<Record>> children, const std::string& book_id,
                     std::size_t place) {
    for (std::size_t i = 0; i < children.size(); ++i) {
      Status added = Ok();
      if (children[i].ok()) {
        Record child = *children[i];
        child.SetText("userId", job_.sub);
        child.SetText("bookId", book_id);
        child.SetText("id", fmt::format("{}-{}", book_id, i));
        added = Create(entity, child);
      } else {
        added = children[i].error();
      }
      if (added.ok()) {
        Count(counter);
      } else {
        TRY(Note(added.error(), place, counter));
      }
    }
    return Ok();
  }

  // A dry run asks what would be wrong, and writes nothing.
  Status Create(std::string_view name, const Record& item,
                const design::WriteOptions& options = {}) {
    const design::Entity& entity = *runtime_.model().FindEntity(name);
    if (is_dry_) {
      const auto planned = runtime_.PlanCreate(entity, item, options);
      // A note of a book that is not there yet is right but for that.
      const bool is_right = planned.ok() || planned.error().code() == ErrorCode::kResourceNotFound;
      return is_right ? Ok() : Status(planned.error());
    }
    const auto created = runtime_.Create(entity, item, options);
    if (created.ok()) return Ok();
    const bool is_there = created.error().code() == ErrorCode::kConditionalCheckFailed &&
                          TRY(runtime_.Get(entity, item)).has_value();
    return is_there ? Ok() : Status(created.error());
  }

  void Count(std::string_view counter) {
    const std::int64_t count = platform::IntegerOf(job_.result, counter).value_or(0);
    platform::SetInteger(job_.result, counter, count + 1);
  }

  Status Note(const Error& error, std::size_t place, std::string_view part) {
    if (!IsOfBook(error)) return error;
    job_.errors.push_back(fmt::format("book {}{}{}: {}", place + 1, part.empty() ? "" : ", ", part,
                                      MessageOf(error)));
    return Ok();
  }

  design::Runtime& runtime_;
  platform::JobState& job_;
  const bool is_dry_;
};

}  // namespace

Status PostImport(platform::Call& call, json::Writer& reply) {
  const bool is_csv = call.Header("Content-Type").value_or("").starts_with("text/csv");
  const auto file = ReadFile(call.raw_body(), is_csv, call.runtime().model());
  if (!file.ok() && is_csv) return platform::ProblemError("validation", file.error().message());
  if (!file.ok()) return file.error();
  TRY(platform::CheckImportRows(file->books.size()));
  Record input = TextRecord({{"format", is_csv ? "csv" : "json"}});
  platform::SetBool(input, "dryRun", platform::BoolOf(call.arguments(), "dryRun").value_or(false));
  return platform::ReplyJob(call, kImportJob, std::move(input), reply, call.raw_body());
}

Result<platform::JobStep> ImportSome(const platform::Mount& mount, platform::JobState& job) {
  const File file =
      TRY(ReadFile(*job.file, TextOf(job.input, "format") == "csv", mount.runtime->model()));
  if (job.result.empty()) {
    for (const std::string_view counter : {"books", "notes", "events"})
      platform::SetInteger(job.result, counter, 0);
    platform::SetTexts(job.result, "ignoredColumns", file.ignored);
    platform::SetBool(job.result, "dryRun", platform::BoolOf(job.input, "dryRun").value_or(false));
  }
  Import import(mount, job);
  return platform::TakeRows(*mount.shared->clock, job, file.books.size(), [&](std::size_t place) {
    return import.Add(file.books[place], place);
  });
}

}  // namespace trestle::apps::books
