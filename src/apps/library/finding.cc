// Search, look-ups, and what open pages are told.

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/library/catalogue.h"
#include "apps/library/library_internal.h"
#include "design/time_text.h"
#include "platform/common_routes.h"
#include "platform/consumers.h"
#include "platform/items.h"
#include "platform/json_record.h"
#include "platform/live.h"
#include "platform/problem.h"
#include "platform/search/document.h"
#include "platform/search/query.h"
#include "platform/values.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;
using platform::search::Document;
using platform::search::FieldRank;

constexpr std::string_view kOrders[] = {"newest"};

// Words for who may see something, for search and for events.
std::string OwnerWord(std::string_view owner_id) { return fmt::format("owner:{}", owner_id); }
std::string LibraryWord(std::string_view owner_id, std::string_view library_id) {
  return fmt::format("library:{}/{}", owner_id, library_id);
}

void AddField(Document& document, std::string_view name, FieldRank rank, std::string text) {
  if (text.empty()) return;
  document.fields.push_back({.name = std::string(name), .rank = rank, .text = std::move(text)});
}

std::string Joined(const Record& record, std::string_view attribute) {
  return fmt::format("{}", fmt::join(platform::TextsOf(record, attribute), ", "));
}

std::optional<Document> Describe(const TypedItem& item) {
  const Record& record = item.record;
  const std::string& kind = KindOf(item);
  const bool is_collection = kind == "Collection";
  if (kind != "Book" && kind != "Video" && !is_collection) return std::nullopt;
  const std::string owner_id = TextOf(record, "OwnerId");
  const std::string library_id = TextOf(record, "LibraryId");
  Document document{
      .id = {},
      .type = is_collection    ? "collection"
              : kind == "Book" ? "book"
                               : "video",
      .visible_to = {OwnerWord(owner_id), LibraryWord(owner_id, library_id)},
      .fields = {},
      .facets = {},
      .sort_values = {},
      .payload = fmt::format("{}\n{}\n{}", owner_id, library_id,
                             TextOf(record, is_collection ? "CollectionId" : "ItemId"))};
  AddField(document, is_collection ? "name" : "title", FieldRank::kTitle,
           TextOf(record, is_collection ? "Name" : "Title"));
  AddField(document, "authors", FieldRank::kPeople, Joined(record, "Authors"));
  AddField(document, "directors", FieldRank::kPeople, Joined(record, "Directors"));
  AddField(document, "cast", FieldRank::kPeople, Joined(record, "Cast"));
  AddField(document, "collectionName", FieldRank::kTags, TextOf(record, "CollectionName"));
  AddField(document, "isbn", FieldRank::kTags, TextOf(record, "Isbn"));
  AddField(document, "summary", FieldRank::kText, TextOf(record, "Summary"));
  AddField(document, "description", FieldRank::kText, TextOf(record, "Description"));
  if (const auto added = design::ParseTimestamp(TextOf(record, "AddedAt"))) {
    document.sort_values.push_back(
        {.order = std::string(kOrders[0]), .value = static_cast<double>(*added)});
  }
  return document;
}

Result<std::vector<TypedItem>> PointersOf(const Call& call) {
  return platform::RunWhole(call.runtime(), "sharedLibraries",
                            TextRecord({{"SharedToId", OwnerIdOf(call)}}));
}

Result<std::vector<std::string>> SharedWords(const Call& call) {
  const std::vector<TypedItem> pointers = TRY(PointersOf(call));
  std::vector<std::string> words;
  words.reserve(pointers.size() + 1);
  for (const TypedItem& pointer : pointers)
    words.push_back(
        LibraryWord(TextOf(pointer.record, "SharedFromId"), TextOf(pointer.record, "LibraryId")));
  return words;
}

Result<std::vector<std::string>> Visible(const Call& call) {
  const std::string scope = TextOf(call.arguments(), "scope");
  std::vector<std::string> words;
  if (scope != "own") words = TRY(SharedWords(call));
  constexpr std::size_t kSharedMax = platform::search::kVisibleMax - 1;
  if (words.size() > kSharedMax) words.resize(kSharedMax);
  if (scope != "shared") words.push_back(OwnerWord(OwnerIdOf(call)));
  return words;
}

Result<std::optional<TypedItem>> Fetch(const Call& call, const platform::search::Hit& hit) {
  const std::size_t first = hit.payload.find('\n');
  const std::size_t second = hit.payload.find('\n', first + 1);
  const std::string owner_id = hit.payload.substr(0, first);
  const std::string library_id = hit.payload.substr(first + 1, second - first - 1);
  const std::string id = hit.payload.substr(second + 1);
  if (owner_id != OwnerIdOf(call)) {
    const auto pointer = TRY(call.runtime().Get(
        platform::EntityNamed(call, "SharedLibrary"),
        TextRecord({{"SharedToId", OwnerIdOf(call)}, {"LibraryId", library_id}})));
    if (!pointer || TextOf(pointer->record, "SharedFromId") != owner_id) {
      return std::optional<TypedItem>();
    }
  }
  Record identity = LibraryIdentity(owner_id, library_id);
  if (hit.type == "collection") {
    identity.SetText("CollectionId", id);
    return call.runtime().Get(platform::EntityNamed(call, "Collection"), identity);
  }
  identity.SetText("ItemId", id);
  design::TypedPage page = TRY(platform::RunAccess(call, "getItem", identity));
  if (page.items.empty()) return std::optional<TypedItem>();
  return std::optional(std::move(page.items.front()));
}

void Tell(const platform::Mount& mount, const std::string& audience, std::string_view type,
          std::string_view data) {
  mount.shared->live->Publish(
      {.app = mount.app->name, .audience = audience, .type = type, .data = data});
}

// The word for what changed; empty for what no page shows.
std::string_view EventType(std::string_view kind) {
  if (kind == "Library") return "library-changed";
  if (kind == "Collection") return "collection-changed";
  if (kind == "Book" || kind == "Video") return "item-changed";
  return kind == "SharedLibrary" ? "share-changed" : "";
}

// What a POST of a book or video takes.
Status WriteCandidate(const Call& call, const platform::Catalogue::Entry& entry,
                      json::Writer& reply) {
  platform::CsvRow names;
  platform::CsvRow texts;
  names.reserve(entry.size());
  texts.reserve(entry.size());
  for (const auto& [name, text] : entry) {
    names.push_back(name);
    texts.push_back(text);
  }
  ImportRow row = TRY(ReadImportRow(names, texts));
  row.item.Remove("Order");
  reply.BeginObject();
  reply.Key("type");
  reply.String(row.kind == "Book" ? "book" : "video");
  const design::Entity& entity = platform::EntityNamed(call, row.kind);
  platform::WriteMembers(row.item, platform::Fields(entity.attributes, call.app().names), reply);
  reply.EndObject();
  return Ok();
}

}  // namespace

platform::AppSearch Search() {
  return {.describe = Describe, .visible = Visible, .fetch = Fetch, .orders = kOrders};
}

Status PostSearch(Call& call, json::Writer& reply) {
  Record arguments = call.arguments();
  arguments.SetText("q",
                    fmt::format("{}", fmt::join(platform::TextsOf(call.fields(), "terms"), " ")));
  call.SetArguments(std::move(arguments));
  return platform::ShowSearch(call, reply);
}

void CheckDetection(const Call& /*call*/, const Record& given,
                    std::vector<FieldFailure>& failures) {
  const std::string type = TextOf(given, "type");
  const auto code = given.FindText("code");
  const bool is_book = type == "book";
  if (failures.empty() && code.has_value() == given.Find("title").has_value()) {
    failures.push_back(
        {.field = "code", .message = "must be given, or title instead", .code = "required"});
  } else if (code && !type.empty() && !CatalogueCode(type, *code)) {
    failures.push_back(
        {.field = "code",
         .message = is_book ? "must be an ISBN of 10 or 13 digits, the last of which fits"
                            : "must be 8, 12 or 13 digits of a barcode, the last of which fits",
         .code = is_book ? "isbn" : "ean"});
  }
}

Status PostDetection(Call& call, json::Writer& reply) {
  const std::string type = TextOf(call.fields(), "type");
  const auto code = call.fields().FindText("code");
  const auto known = code ? CatalogueCode(type, *code) : std::nullopt;
  const platform::Catalogue* catalogue = call.shared().catalogue;
  if (catalogue == nullptr) {
    return platform::ProblemError("not-implemented",
                                  "this server has no catalogue to look it up in");
  }
  const auto entries = TRY(catalogue->Find(
      {.type = type, .code = known.value_or(""), .title = TextOf(call.fields(), "title")}));
  reply.BeginObject();
  reply.Key("candidates");
  reply.BeginArray();
  for (const platform::Catalogue::Entry& entry : entries)
    TRY(WriteCandidate(call, entry, reply));
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status ShowChanges(Call& call, json::Writer& /*reply*/) {
  std::vector<std::string> topics = TRY(SharedWords(call));
  topics.push_back(OwnerWord(OwnerIdOf(call)));
  call.SubscribeTo(std::move(topics));
  return Ok();
}

Status TellChange(const platform::Mount& mount, const platform::ItemChange& change) {
  if (mount.shared->live == nullptr || (!change.new_item && !change.old_item)) return Ok();
  const TypedItem& item = change.new_item ? *change.new_item : *change.old_item;
  const std::string& kind = KindOf(item);
  const std::string_view type = EventType(kind);
  if (type.empty()) return Ok();
  const std::string library_id = TextOf(item.record, "LibraryId");
  std::string data;
  json::Writer writer(data);
  writer.BeginObject();
  writer.Key("libraryId");
  writer.String(library_id);
  if (type == "item-changed" || type == "collection-changed") {
    writer.Key("id");
    writer.String(TextOf(item.record, type == "item-changed" ? "ItemId" : "CollectionId"));
  }
  writer.Key("removed");
  writer.Bool(!change.new_item);
  writer.EndObject();
  if (type == "share-changed") {
    Tell(mount, OwnerWord(TextOf(item.record, "SharedToId")), type, data);
    Tell(mount, OwnerWord(TextOf(item.record, "SharedFromId")), type, data);
    return Ok();
  }
  const std::string owner_id = TextOf(item.record, "OwnerId");
  Tell(mount, OwnerWord(owner_id), type, data);
  Tell(mount, LibraryWord(owner_id, library_id), type, data);
  return Ok();
}

}  // namespace trestle::apps::library
