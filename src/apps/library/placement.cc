// Where items stand in their collections.

#include <fmt/format.h>

#include "apps/library/isbn.h"
#include "apps/library/library_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using platform::FieldError;

constexpr std::int64_t kOrderMax = 1000;
constexpr int kTriesMax = 100;

// Moves the collection's last order from one to another, unless somebody else has moved it. The
// collection's version stays: its owner has changed nothing.
Status TakeOrder(design::Runtime& runtime, const Record& collection, std::int64_t last,
                 std::int64_t next) {
  Record arguments;
  platform::SetInteger(arguments, "last", last);
  design::WriteOptions options;
  options.where = ConditionOf(runtime, "takeOrder");
  options.arguments = &arguments;
  options.is_maintenance = true;
  design::Changes changes;
  platform::SetInteger(changes, "LastOrder", next);
  TRY(runtime.Update(*runtime.model().FindEntity("Collection"), collection, changes, options));
  return Ok();
}

}  // namespace

Result<design::TypedItem> WriteInCollection(design::Runtime& runtime, const Placement& placement,
                                            const WritePlaced& write) {
  const Record identity = platform::TextRecord({{"OwnerId", placement.owner_id},
                                                {"LibraryId", placement.library_id},
                                                {"CollectionId", placement.collection_id}});
  for (int i = 0; i < kTriesMax; ++i) {
    const auto found = runtime.Get(*runtime.model().FindEntity("Collection"), identity);
    const bool is_no_id = !found.ok() && found.error().code() == ErrorCode::kValidation;
    if (is_no_id || (found.ok() && !*found)) {
      return FieldError({.field = "collectionId",
                         .message = "must be a collection of the library",
                         .code = "unknown"});
    }
    if (!found.ok()) return found.error();
    const std::int64_t last = platform::IntegerOf((*found)->record, "LastOrder").value_or(0);
    const std::int64_t order = placement.order.value_or(last + 1);
    if (order > kOrderMax && !placement.order) {
      return platform::ProblemError(
          "semantic", fmt::format("the collection has an item with order {}; say which order this "
                                  "one shall have",
                                  last));
    }
    bool is_taken = order <= last;
    bool is_late = false;
    const auto take = [&]() -> Status {
      if (is_taken) return Ok();
      Status taken = TakeOrder(runtime, identity, last, order);
      is_taken = taken.ok();
      is_late = !taken.ok() && taken.error().code() == ErrorCode::kConditionalCheckFailed;
      return taken;
    };
    auto written = write(order, take);
    if (written.ok() || !is_late) return written;
  }
  return Error(ErrorCode::kTransactionConflict, "others kept adding to the same collection");
}

void CheckItem(const Record& /*now*/, const Record& item, std::vector<FieldFailure>& failures) {
  const auto isbn = item.FindText("Isbn");
  if (!isbn || NormalisedIsbn(*isbn)) return;
  failures.push_back({.field = "Isbn",
                      .message = "must be an ISBN of 10 or 13 digits, the last of which fits",
                      .code = "isbn"});
}

void NormaliseIsbn(Record& item) {
  const auto isbn = item.FindText("Isbn");
  const auto normalised = isbn ? NormalisedIsbn(*isbn) : std::nullopt;
  if (normalised) item.SetText("Isbn", *normalised);
}

}  // namespace trestle::apps::library
