// Lists and titles out of WorthWatch, and into it. What one route writes the other reads.

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/watch/contents.h"
#include "apps/watch/rules.h"
#include "apps/watch/watch_internal.h"
#include "base/crypto.h"
#include "design/stored_item.h"
#include "platform/csv.h"
#include "platform/import.h"
#include "platform/items.h"
#include "platform/media_type.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::watch {
namespace {

using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

// A title in a file: names to texts. The columns of a table are the same names.
using Row = std::map<std::string, std::string, std::less<>>;
constexpr std::string_view kColumns[] = {"type",    "id",     "title",  "year",
                                         "runtime", "genres", "people", "synopsis",
                                         "tmdbId",  "imdbId", "note"};

struct File {
  std::string title;  // of the list that is made; empty: none
  std::string description;
  std::vector<std::string> tags;
  bool is_public = false;
  std::vector<Row> rows;
};

std::string Get(const Row& row, std::string_view name) {
  const auto found = row.find(name);
  return found == row.end() ? std::string() : found->second;
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = text::Trim(text.substr(0, end));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Row RowOf(const TypedItem& item, const TypedItem* title) {
  const Content content = ContentOf(item.record);
  Row row{{"type", content.type}, {"id", content.id}, {"note", TextOf(item.record, "curatorNote")}};
  if (title == nullptr) return row;
  const Record& record = title->record;
  const bool is_show = content.type == "SHOW";
  for (const std::string_view name : {"title", "synopsis", "tmdbId", "imdbId"})
    row.emplace(name, TextOf(record, name));
  if (const auto year = IntegerOf(record, is_show ? "startYear" : "releaseYear")) {
    row.emplace("year", std::to_string(*year));
  }
  if (const auto runtime = IntegerOf(record, "runtime")) {
    row.emplace("runtime", std::to_string(*runtime));
  }
  row.emplace("genres", fmt::format("{}", fmt::join(platform::TextsOf(record, "genres"), "; ")));
  row.emplace(
      "people",
      fmt::format("{}",
                  fmt::join(platform::TextsOf(record, is_show ? "creators" : "directors"), "; ")));
  return row;
}

void WriteCsv(std::span<const Row> rows, json::Writer& reply) {
  std::string out = fmt::format("{}\r\n", fmt::join(kColumns, ","));
  for (const Row& row : rows) {
    std::string line;
    for (const std::string_view column : kColumns)
      line += (column == kColumns[0] ? "" : ",") + platform::CsvField(Get(row, column));
    out += line + "\r\n";
  }
  reply.Raw(out);
}

void WriteJson(const Record& list, std::span<const Row> rows, json::Writer& reply) {
  reply.BeginObject();
  CopyText(list, "title", reply);
  CopyText(list, "description", reply);
  reply.Key("isPublic");
  reply.Bool(platform::BoolOf(list, "isPublic").value_or(false));
  reply.Key("tags");
  reply.BeginArray();
  for (const std::string& tag : platform::TextsOf(list, "tags"))
    reply.String(tag);
  reply.EndArray();
  reply.Key("items");
  reply.BeginArray();
  for (const Row& row : rows) {
    reply.BeginObject();
    for (const auto& [name, text] : row)
      if (!text.empty()) WriteText(name, text, reply);
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
}

// What is wrong with a file, all of it.
using Wrong = std::vector<FieldFailure>;

void Add(Wrong& wrong, std::string field, std::string message, std::string code) {
  wrong.push_back(
      {.field = std::move(field), .message = std::move(message), .code = std::move(code)});
}

bool IsColumn(std::string_view name) {
  return std::ranges::find(kColumns, name) != std::end(kColumns);
}

Status ReadCsv(std::string_view text, File& file, Wrong& wrong) {
  const std::vector<platform::CsvRow> rows = TRY(platform::ParseCsv(text));
  if (rows.empty()) {
    Add(wrong, "", "must have a line of names", "required");
    return Ok();
  }
  for (const std::string& name : rows.front())
    if (!IsColumn(name)) Add(wrong, "/" + name, "is not known here", "unknown-field");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    Row& row = file.rows.emplace_back();
    for (std::size_t n = 0; n < std::min(rows[i].size(), rows.front().size()); ++n)
      row.emplace(rows.front()[n], rows[i][n]);
  }
  return Ok();
}

Row RowOfJson(const json::Tree& tree, const std::string& place, Wrong& wrong) {
  Row row;
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) {
    Add(wrong, place, "must be an object", "type");
    return row;
  }
  for (const json::Member& member : *object) {
    std::string field = place + "/" + member.name;
    const auto* text = member.value.As<std::string>();
    const auto* number = member.value.As<json::Tree::Number>();
    if (!IsColumn(member.name)) {
      Add(wrong, std::move(field), "is not known here", "unknown-field");
    } else if (text == nullptr && number == nullptr) {
      Add(wrong, std::move(field), "must be a text", "type");
    } else {
      row.emplace(member.name, text != nullptr ? *text : number->text);
    }
  }
  return row;
}

void ReadList(const json::Member& member, File& file, Wrong& wrong) {
  const auto* array = member.value.As<json::Tree::Array>();
  if (array == nullptr) return Add(wrong, "/" + member.name, "must be an array", "type");
  for (std::size_t i = 0; i < array->size(); ++i) {
    std::string place = fmt::format("/{}/{}", member.name, i);
    const auto* tag = (*array)[i].As<std::string>();
    if (member.name == "items") {
      file.rows.push_back(RowOfJson((*array)[i], place, wrong));
    } else if (tag == nullptr) {
      Add(wrong, std::move(place), "must be a text", "type");
    } else {
      file.tags.push_back(*tag);
    }
  }
}

void ReadMember(const json::Member& member, File& file, Wrong& wrong) {
  std::string field = "/" + member.name;
  const auto* text = member.value.As<std::string>();
  const auto* flag = member.value.As<bool>();
  if (member.name == "tags" || member.name == "items") {
    ReadList(member, file, wrong);
  } else if (member.name == "isPublic") {
    if (flag == nullptr) return Add(wrong, std::move(field), "must be true or false", "type");
    file.is_public = *flag;
  } else if (member.name == "title" || member.name == "description") {
    if (text == nullptr) return Add(wrong, std::move(field), "must be a text", "type");
    (member.name == "title" ? file.title : file.description) = *text;
  } else {
    Add(wrong, std::move(field), "is not known here", "unknown-field");
  }
}

Result<File> ReadFile(std::string_view text, bool is_csv) {
  File file;
  Wrong wrong;
  if (is_csv) {
    TRY(ReadCsv(text, file, wrong));
  } else {
    const json::Tree tree = TRY(json::ParseTree(text));
    const auto* body = tree.As<json::Tree::Object>();
    if (body == nullptr) {
      Add(wrong, "", "must be an object", "type");
    } else {
      for (const json::Member& member : *body)
        ReadMember(member, file, wrong);
    }
  }
  if (wrong.empty()) return file;
  auto details = std::make_shared<ErrorDetails>();
  details->fields = std::move(wrong);
  return Error(ErrorCode::kValidation, "the file cannot be read", std::move(details));
}

// The same title is the same one when it comes again, also without a number of somebody's.
std::string IdOf(const Row& row, std::string_view type) {
  if (std::string id = Get(row, "id"); !id.empty()) return id;
  const std::string name =
      fmt::format("{}\n{}\n{}", type, text::Fold(Get(row, "title")), Get(row, "year"));
  return HexEncode(AsBytes(Sha256(name))).substr(0, 32);
}

Status SetNumber(const Row& row, std::string_view column, std::string_view attribute,
                 Record& title) {
  const std::string text = Get(row, column);
  if (text.empty()) return Ok();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return ValidationError(fmt::format("{} must be a whole number", column));
  }
  platform::SetInteger(title, attribute, number);
  return Ok();
}

Result<Record> TitleOfRow(const std::string& sub, const Row& row, const Content& content) {
  const bool is_show = content.type == "SHOW";
  Record title = TitleIdentity(content);
  for (const std::string_view name : {"title", "synopsis", "tmdbId", "imdbId"})
    if (const std::string text = Get(row, name); !text.empty()) title.SetText(name, text);
  TRY(SetNumber(row, "year", is_show ? "startYear" : "releaseYear", title));
  if (!is_show) TRY(SetNumber(row, "runtime", "runtime", title));
  platform::SetTexts(title, "genres", NormalisedNames(Split(Get(row, "genres"))));
  platform::SetTexts(title, is_show ? "creators" : "directors",
                     NormalisedNames(Split(Get(row, "people"))));
  title.SetText("createdBy", sub);
  title.SetText("updatedBy", sub);
  return title;
}

// The title that has a number of somebody's already: what guards the number names it.
Result<std::optional<Content>> HolderOf(design::Runtime& runtime, std::string_view entity,
                                        const Record& title) {
  const design::Entity& kind = EntityOf(runtime, entity);
  for (const design::Unique& unique : kind.uniques) {
    const auto key = design::UniqueGuardKey(runtime.model(), kind, unique, title);
    if (!key) continue;
    const auto guard =
        TRY(runtime.backend().Get({.table = runtime.table(), .key = *key, .is_consistent = true}));
    if (!guard) continue;
    const Record owner(guard->view());
    const std::string holder = TextOf(owner, "~pk");
    const std::size_t divider = holder.find('#');
    if (divider == std::string::npos) continue;
    return std::optional(
        Content{.type = holder.substr(0, divider), .id = holder.substr(divider + 1)});
  }
  return std::optional<Content>();
}

// Of an error of one title; another one ends the import.
bool IsOfRow(const Error& error) {
  return error.code() == ErrorCode::kValidation ||
         error.code() == ErrorCode::kConditionalCheckFailed ||
         error.code() == ErrorCode::kResourceNotFound;
}

class Import {
 public:
  Import(design::Runtime& runtime, platform::JobState& job)
      : runtime_(runtime), job_(job), list_id_(TextOf(job.input, "watchlistId")) {}

  Status Add(const Row& row, std::size_t place) {
    const auto content = TakeTitle(row);
    Status added = content.ok() ? Ok() : Status(content.error());
    if (content.ok() && !list_id_.empty()) added = AddToList(*content, Get(row, "note"), place);
    if (!added.ok() && !IsOfRow(added.error())) return added;
    if (!added.ok()) {
      job_.errors.push_back(fmt::format("row {}: {}", place + 1, added.error().message()));
    }
    return Ok();
  }

 private:
  // The title of a row, which is made when there is none.
  Result<Content> TakeTitle(const Row& row) {
    const std::string given = Get(row, "type");
    Content content{.type = given.empty() ? "MOVIE" : given};
    if (content.type != "MOVIE" && content.type != "SHOW") {
      return ValidationError("type must be MOVIE or SHOW");
    }
    content.id = IdOf(row, content.type);
    const auto entity = TitleEntity(content.type);
    if (TRY(runtime_.Get(EntityOf(runtime_, entity), TitleIdentity(content)))) {
      Count("found");
      return content;
    }
    const Record title = TRY(TitleOfRow(job_.sub, row, content));
    const auto created = runtime_.Create(EntityOf(runtime_, entity), title);
    if (created.ok()) {
      Count("created");
      return content;
    }
    if (created.error().code() != ErrorCode::kConditionalCheckFailed) return created.error();
    const auto holder = TRY(HolderOf(runtime_, entity, title));
    if (!holder) return created.error();
    Count("found");
    return *holder;
  }

  // A row has the same position whenever it is added, which tells it from a title that stands
  // twice.
  Status AddToList(const Content& content, std::string_view note, std::size_t place) {
    const std::int64_t position = static_cast<std::int64_t>(place + 1) * kPositionStep;
    Record item = TextRecord({{"watchlistId", list_id_},
                              {"contentType", content.type},
                              {"contentId", content.id},
                              {"caller", job_.sub}});
    if (!note.empty()) item.SetText("curatorNote", note);
    platform::SetInteger(item, "position", position);
    const auto added = runtime_.Run(*runtime_.model().FindOperation("addItem"), item);
    if (!added.ok()) {
      if (added.error().code() != ErrorCode::kConditionalCheckFailed) return added.error();
      const auto there = TRY(runtime_.Get(EntityOf(runtime_, "WatchlistItem"), item));
      if (!there || IntegerOf(there->record, "position") != position) return added.error();
    }
    Count("listed");
    return Ok();
  }

  void Count(std::string_view counter) {
    platform::SetInteger(job_.result, counter, IntegerOf(job_.result, counter).value_or(0) + 1);
  }

  design::Runtime& runtime_;
  platform::JobState& job_;
  const std::string list_id_;
};

Result<std::string> MakeList(Call& call, const File& file) {
  Record list = TextRecord({{"curatorId", call.sub()}, {"title", file.title}});
  if (!file.description.empty()) list.SetText("description", file.description);
  platform::SetTexts(list, "tags", NormalisedTags(file.tags));
  platform::SetBool(list, "isPublic", file.is_public);
  if (file.is_public) TRY(call.TakePublicWrite());
  auto made = platform::RunOperation(call, "createWatchlist", list);
  if (!made.ok() && made.error().code() == ErrorCode::kConditionalCheckFailed) {
    return ProblemError("curator-required", "only approved curators have lists");
  }
  const std::vector<TypedItem> items = TRY(std::move(made));
  return TextOf(PickItem(items, "Watchlist").record, "watchlistId");
}

}  // namespace

Status ExportList(Call& call, json::Writer& reply) {
  const TypedItem list = TRY(VisibleList(call));
  const std::vector<TypedItem> items = TRY(platform::RunWhole(
      call.runtime(), "watchlistItems", TextRecord({{"watchlistId", call.PathValue("id")}})));
  std::vector<Content> contents;
  contents.reserve(items.size());
  for (const TypedItem& item : items)
    contents.push_back(ContentOf(item.record));
  const Contents read = TRY(Contents::Read(call.runtime(), contents, ""));
  std::vector<Row> rows;
  rows.reserve(items.size());
  for (const TypedItem& item : items)
    rows.push_back(RowOf(item, read.Title(ContentOf(item.record))));
  const bool is_csv = TextOf(call.arguments(), "format") == "csv";
  call.AddHeader("Content-Disposition",
                 fmt::format("attachment; filename=\"watchlist.{}\"", is_csv ? "csv" : "json"));
  if (is_csv) {
    call.SetContentType("text/csv; charset=utf-8");
    WriteCsv(rows, reply);
  } else {
    WriteJson(list.record, rows, reply);
  }
  return Ok();
}

Status PostImport(Call& call, json::Writer& reply) {
  const bool is_csv = platform::IsMediaType(call.Header("Content-Type").value_or(""), "text/csv");
  File file = TRY(ReadFile(call.raw_body(), is_csv));
  if (file.title.empty()) file.title = TextOf(call.arguments(), "list");
  TRY(platform::CheckImportRows(file.rows.size()));
  if (!file.title.empty() && file.rows.size() > kListItemsMax) {
    return ProblemError("semantic", fmt::format("a list has at most {} titles", kListItemsMax));
  }
  Record input = TextRecord({{"format", is_csv ? "csv" : "json"}});
  if (!file.title.empty()) input.SetText("watchlistId", TRY(MakeList(call, file)));
  return platform::ReplyJob(call, kImportJob, std::move(input), reply, call.raw_body());
}

Result<platform::JobStep> ImportSome(const platform::Mount& mount, platform::JobState& job) {
  design::Runtime& runtime = *mount.runtime;
  const File file = TRY(ReadFile(*job.file, TextOf(job.input, "format") == "csv"));
  // Who has left adds nothing any more.
  if (!TRY(runtime.Get(EntityOf(runtime, "User"), TextRecord({{"userId", job.sub}})))) {
    return platform::NotFound("user");
  }
  if (job.result.empty()) {
    for (const std::string_view counter : {"created", "found", "listed"})
      platform::SetInteger(job.result, counter, 0);
    if (const auto list = job.input.FindText("watchlistId")) {
      job.result.SetText("watchlistId", *list);
    }
  }
  Import import(runtime, job);
  return platform::TakeRows(*mount.shared->clock, job, file.rows.size(),
                            [&](std::size_t place) { return import.Add(file.rows[place], place); });
}

}  // namespace trestle::apps::watch
