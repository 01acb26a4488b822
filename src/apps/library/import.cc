// Tables of books and videos that become items of a library.

#include "platform/import.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/library/library_internal.h"
#include "platform/csv.h"
#include "platform/items.h"
#include "platform/pictures.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

enum class Form : std::uint8_t { kText, kInteger, kList };
struct Column {
  std::string_view name;
  std::string_view attribute;  // empty: it is dealt with by itself
  Form form = Form::kText;
  std::string_view kind = {};  // of which items; empty: of all
};
constexpr Column kColumns[] = {
    {"type", ""},
    {"title", "Title"},
    {"summary", "Summary"},
    {"pictureurl", "PictureUrl"},
    {"collection", ""},
    {"order", "Order", Form::kInteger},
    {"authors", "Authors", Form::kList, "Book"},
    {"isbn", "Isbn", Form::kText, "Book"},
    {"directors", "Directors", Form::kList, "Video"},
    {"cast", "Cast", Form::kList, "Video"},
    {"releaseyear", "ReleaseYear", Form::kInteger, "Video"},
    {"duration", "Duration", Form::kInteger, "Video"},
    {"tmdbid", "TmdbId", Form::kText, "Video"},
};

const Column* FindColumn(std::string_view header) {
  const std::string name = text::Lower(text::Trim(header));
  const auto* found = std::ranges::find(kColumns, name, &Column::name);
  return found == std::end(kColumns) ? nullptr : found;
}

}  // namespace

bool IsImportColumn(std::string_view name) { return FindColumn(name) != nullptr; }

Result<ImportRow> ReadImportRow(const platform::CsvRow& header, const platform::CsvRow& line) {
  ImportRow row{.kind = "Book", .collection = {}, .item = {}};
  const auto value_of = [&](std::string_view name) -> std::string_view {
    for (std::size_t i = 0; i < std::min(header.size(), line.size()); ++i)
      if (text::Lower(text::Trim(header[i])) == name) return text::Trim(line[i]);
    return {};
  };
  const std::string type = text::Lower(value_of("type"));
  if (type == "video") row.kind = "Video";
  if (!type.empty() && type != "video" && type != "book") {
    return Error(ErrorCode::kValidation, "type must be book or video");
  }
  row.collection = text::Nfc(value_of("collection"));
  for (const Column& column : kColumns) {
    const std::string_view value = value_of(column.name);
    if (column.attribute.empty() || value.empty()) continue;
    if (!column.kind.empty() && column.kind != row.kind) continue;
    if (column.form == Form::kList) {
      platform::SetTexts(row.item, column.attribute, platform::SplitList(value));
    } else if (column.attribute == "PictureUrl" && platform::IsUploaded(value)) {
      continue;  // it shows another item
    } else if (column.form == Form::kText) {
      row.item.SetText(column.attribute, value);
    } else {
      std::int64_t integer = 0;
      const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), integer);
      if (wrong != std::errc() || end != value.data() + value.size()) {
        return Error(ErrorCode::kValidation, fmt::format("{} must be a number", column.name));
      }
      platform::SetInteger(row.item, column.attribute, integer);
    }
  }
  NormaliseIsbn(row.item);
  return row;
}

namespace {

// The id of the collection of this name, which is made when there is none.
Result<std::string> CollectionNamed(design::Runtime& runtime, const Record& library,
                                    const std::string& name) {
  for (int i = 0; i < 2; ++i) {
    const std::vector<TypedItem> collections =
        TRY(platform::RunWhole(runtime, "collectionsOfLibrary", library));
    const auto found = std::ranges::find_if(
        collections, [&](const TypedItem& it) { return TextOf(it.record, "Name") == name; });
    if (found != collections.end()) return TextOf(found->record, "CollectionId");
    Record collection = library;
    collection.SetText("Name", name);
    const auto created = runtime.Create(*runtime.model().FindEntity("Collection"), collection);
    if (created.ok()) return TextOf(created->record, "CollectionId");
    if (created.error().code() != ErrorCode::kConditionalCheckFailed) return created.error();
  }
  return Error(ErrorCode::kTransactionConflict, "the collection comes and goes");
}

// A row has the same id whenever it is added, so that it is added once.
Status AddRow(design::Runtime& runtime, const Record& library, const ImportRow& row,
              const std::string& item_id) {
  const design::Entity& entity = *runtime.model().FindEntity(row.kind);
  Record item = row.item;
  item.SetText("OwnerId", TextOf(library, "OwnerId"));
  item.SetText("LibraryId", TextOf(library, "LibraryId"));
  item.SetText("ItemId", item_id);
  if (TRY(runtime.Get(entity, item))) return Ok();
  design::WriteOptions options;
  options.fields = CheckItem;
  if (row.collection.empty()) {
    TRY(runtime.Create(entity, item, options));
    return Ok();
  }
  const std::string collection_id = TRY(CollectionNamed(runtime, library, row.collection));
  item.SetText("CollectionId", collection_id);
  const auto added =
      WriteInCollection(runtime,
                        {.owner_id = TextOf(library, "OwnerId"),
                         .library_id = TextOf(library, "LibraryId"),
                         .collection_id = collection_id,
                         .order = platform::IntegerOf(item, "Order")},
                        [&](std::int64_t order, const std::function<Status()>& take) {
                          Record placed = item;
                          platform::SetInteger(placed, "Order", order);
                          design::WriteOptions with_place = options;
                          with_place.check = [&](const Record& /*next*/) { return take(); };
                          return runtime.Create(entity, placed, with_place);
                        });
  if (!added.ok()) return added.error();
  return Ok();
}

bool IsOfRow(const Error& error) {
  return error.code() == ErrorCode::kValidation ||
         error.code() == ErrorCode::kConditionalCheckFailed;
}

}  // namespace

Status PostImport(Call& call, json::Writer& reply) {
  const std::string library_id = TextOf(call.arguments(), "libraryId");
  const std::string me = OwnerIdOf(call);
  const auto library = platform::GetItem(call, "Library", LibraryIdentity(me, library_id));
  if (!library.ok()) {
    const auto shared = platform::GetItem(
        call, "SharedLibrary", TextRecord({{"SharedToId", me}, {"LibraryId", library_id}}));
    if (!shared.ok()) return library.error();
    return platform::ProblemError("forbidden", "only the owner of the library may do this");
  }
  const auto lines = platform::ParseCsv(call.raw_body());
  if (!lines.ok()) return platform::ProblemError("validation", lines.error().message());
  if (lines->empty()) return platform::ProblemError("validation", "the table has no header");
  for (const std::string& name : lines->front()) {
    if (!IsImportColumn(name)) {
      return platform::ProblemError("validation",
                                    fmt::format("there is no column of the name {}", name));
    }
  }
  TRY(platform::CheckImportRows(lines->size() - 1));
  return platform::ReplyJob(call, "import", TextRecord({{"libraryId", library_id}}), reply,
                            call.raw_body());
}

Result<platform::JobStep> ImportSome(const platform::Mount& mount, platform::JobState& job) {
  const auto lines = TRY(platform::ParseCsv(*job.file));
  const Record library = LibraryIdentity(OwnerIdOf(job.sub), TextOf(job.input, "libraryId"));
  std::int64_t added = platform::IntegerOf(job.result, "added").value_or(0);
  const auto take = [&](std::size_t place) -> Status {
    const auto row = ReadImportRow(lines.front(), lines[place + 1]);
    const Status done =
        row.ok() ? AddRow(*mount.runtime, library, *row, fmt::format("{}-{}", job.job_id, place))
                 : row.error();
    if (done.ok()) {
      ++added;
    } else if (IsOfRow(done.error())) {
      job.errors.push_back(fmt::format("row {}: {}", place + 1, done.error().message()));
    } else {
      return done;
    }
    return Ok();
  };
  const platform::JobStep step =
      TRY(platform::TakeRows(*mount.shared->clock, job, lines.size() - 1, take));
  platform::SetInteger(job.result, "added", added);
  return step;
}

}  // namespace trestle::apps::library
