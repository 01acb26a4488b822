#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/call.h"
#include "platform/csv.h"

// The handlers of the media library, and what its files share.

namespace trestle::platform {
struct ItemChange;
}

namespace trestle::apps::library {

using platform::Call;

// libraries.cc
[[nodiscard]] Status GetMe(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchMe(Call& call, json::Writer& reply);
[[nodiscard]] Status ListLibraries(Call& call, json::Writer& reply);
[[nodiscard]] Status PostLibrary(Call& call, json::Writer& reply);
[[nodiscard]] Status GetLibrary(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchLibrary(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteLibrary(Call& call, json::Writer& reply);

// contents.cc
[[nodiscard]] Status ListContents(Call& call, json::Writer& reply);
[[nodiscard]] Status ListItems(Call& call, json::Writer& reply);
[[nodiscard]] Status ListCollectionItems(Call& call, json::Writer& reply);

// items.cc
[[nodiscard]] Status PostBook(Call& call, json::Writer& reply);
[[nodiscard]] Status PostVideo(Call& call, json::Writer& reply);
[[nodiscard]] Status GetItem(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchItem(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteItem(Call& call, json::Writer& reply);
[[nodiscard]] Status MoveItem(Call& call, json::Writer& reply);

// pictures.cc
[[nodiscard]] Status PutPicture(Call& call, json::Writer& reply);
[[nodiscard]] Status GetPicture(Call& call, json::Writer& reply);
[[nodiscard]] Status DeletePicture(Call& call, json::Writer& reply);

// collections.cc
[[nodiscard]] Status ListCollections(Call& call, json::Writer& reply);
[[nodiscard]] Status PostCollection(Call& call, json::Writer& reply);
[[nodiscard]] Status GetCollection(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchCollection(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteCollection(Call& call, json::Writer& reply);
void CheckOrders(const Call& call, const design::Record& given,
                 std::vector<FieldFailure>& failures);
[[nodiscard]] Status PutOrder(Call& call, json::Writer& reply);

// lending.cc
void CheckEvent(const Call& call, const design::Record& given, std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostEvent(Call& call, json::Writer& reply);
[[nodiscard]] Status PostLend(Call& call, json::Writer& reply);
[[nodiscard]] Status PostReturn(Call& call, json::Writer& reply);
[[nodiscard]] Status ListEvents(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteEvents(Call& call, json::Writer& reply);
[[nodiscard]] Status ListLoans(Call& call, json::Writer& reply);

// sharing.cc
[[nodiscard]] Status ListShares(Call& call, json::Writer& reply);
[[nodiscard]] Status PostShare(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteShare(Call& call, json::Writer& reply);
[[nodiscard]] Status RemoveShares(Call& call, json::Writer& reply);
[[nodiscard]] Status LeaveLibrary(Call& call, json::Writer& reply);
// Takes somebody's pointer to a library away, and the e-mail address from the library.
[[nodiscard]] Status Leave(design::Runtime& runtime, const design::Record& pointer,
                           const design::WriteOptions& options);

// finding.cc
[[nodiscard]] Status PostSearch(Call& call, json::Writer& reply);
void CheckDetection(const Call& call, const design::Record& given,
                    std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostDetection(Call& call, json::Writer& reply);
[[nodiscard]] Status ShowChanges(Call& call, json::Writer& reply);
[[nodiscard]] Status TellChange(const platform::Mount& mount, const platform::ItemChange& change);
[[nodiscard]] platform::AppSearch Search();

// import.cc

// A row of a table, with the texts that it has.
struct ImportRow {
  std::string kind;        // "Book" or "Video"
  std::string collection;  // its name
  design::Record item;
};
// kValidation when a type or a number is none.
[[nodiscard]] Result<ImportRow> ReadImportRow(const platform::CsvRow& header,
                                              const platform::CsvRow& line);
[[nodiscard]] bool IsImportColumn(std::string_view name);
[[nodiscard]] Status PostImport(Call& call, json::Writer& reply);
[[nodiscard]] Result<platform::JobStep> ImportSome(const platform::Mount& mount,
                                                   platform::JobState& job);

// people.cc, samples.cc
[[nodiscard]] Status VisitEverything(const platform::Mount& mount, const std::string& sub,
                                     const platform::AppPeople::Visit& visit);
[[nodiscard]] Result<platform::JobStep> Erase(const platform::Mount& mount,
                                              platform::JobState& job);
[[nodiscard]] Status LoadSamples(const platform::Mount& mount,
                                 std::span<const platform::Person> people);

// place.cc

// The document's id of a person: the sub without dashes, in upper case.
[[nodiscard]] std::string OwnerIdOf(std::string_view sub);
[[nodiscard]] std::string OwnerIdOf(const Call& call);
[[nodiscard]] Status Admit(Call& call);

// The library that the path names, when the caller owns it or it is shared with the caller; what
// the caller may see of it goes into Call::facts.
[[nodiscard]] Result<design::TypedItem> VisibleLibrary(Call& call);
// The same for what only the owner may do: `forbidden` for those with whom it is shared.
[[nodiscard]] Result<design::TypedItem> OwnLibrary(Call& call);
// Of a library, or of what is in one.
[[nodiscard]] bool IsOwn(const Call& call, const design::Record& record);

[[nodiscard]] Result<design::TypedItem> FindItem(const Call& call, std::string_view owner_id);
[[nodiscard]] Result<design::TypedItem> FindCollection(const Call& call, std::string_view owner_id);
[[nodiscard]] design::Record LibraryIdentity(std::string_view owner_id, std::string_view library);
[[nodiscard]] design::Record ItemIdentity(const design::Record& item);
// "Book" or "Video"
[[nodiscard]] const std::string& KindOf(const design::TypedItem& item);

// The condition of an operation's first step, for a write that is more than the operation.
[[nodiscard]] const design::Condition* ConditionOf(const design::Runtime& runtime,
                                                   std::string_view operation);

// What is computed: ids, kinds, and whether something is lent.
[[nodiscard]] bool MaySeeInItem(const Call& call, const design::TypedItem& item,
                                std::string_view attribute);
[[nodiscard]] bool MaySeeInLibrary(const Call& call, const design::TypedItem& library,
                                   std::string_view attribute);
void AddToItem(const Call& call, const design::TypedItem& item, json::Writer& writer);
void AddToLibrary(const Call& call, const design::TypedItem& library, json::Writer& writer);
void AddToCollection(const Call& call, const design::TypedItem& collection, json::Writer& writer);
void AddToEvent(const Call& call, const design::TypedItem& event, json::Writer& writer);

// placement.cc

// Where an item shall stand in a collection.
struct Placement {
  std::string owner_id;
  std::string library_id;
  std::string collection_id;
  std::optional<std::int64_t> order;  // none: behind all others
};
// Writes an item with its order. `write` calls `take` as the last thing that it does before the
// item is written (WriteOptions::check): from then on the place is taken, even if the write fails.
using WritePlaced = std::function<Result<design::TypedItem>(std::int64_t order,
                                                            const std::function<Status()>& take)>;
[[nodiscard]] Result<design::TypedItem> WriteInCollection(design::Runtime& runtime,
                                                          const Placement& placement,
                                                          const WritePlaced& write);
// What a design cannot say of an item.
void CheckItem(const design::Record& now, const design::Record& item,
               std::vector<FieldFailure>& failures);
void NormaliseIsbn(design::Record& item);

}  // namespace trestle::apps::library
