#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "design/model.h"
#include "design/record.h"
#include "design/runtime.h"
#include "value/item.h"

// From an item as it is stored to what a design calls it.

namespace trestle::design {

// Guards, jobs and stream positions live in partitions whose keys begin so, under one sort key.
inline constexpr std::string_view kInternalPrefix = "~trestle#";
inline constexpr std::string_view kInternalSortKey = "~";
[[nodiscard]] bool IsInternal(const Model& model, value::ItemView item);
// Whether an internal item has a name that begins so.
[[nodiscard]] bool IsNamed(const Model& model, value::ItemView item, std::string_view names);

// The entity or mirror that an item is one of: by its type tag, or by its key where there is none.
// Nothing for internal items and for what the design does not know.
[[nodiscard]] std::optional<KindReference> FindKind(const Model& model, value::ItemView item);
// Whether the tag says all about what an item is.
[[nodiscard]] bool AreAllTagged(const Model& model);

// The item as callers see it. An attribute that is not stored is read from the key when it is in
// it, from its former name (`was`), or has its default when that is the same at any time. Times of
// second precision are widened. The table's own attributes and those that the design does not name
// are left out.
// `names`, in their order, are the attributes that the result has; none: all. `likely`, where
// AreAllTagged, is what the item is unless its tag says otherwise.
[[nodiscard]] std::optional<TypedItem> Recognise(const Model& model, value::Item item,
                                                 std::span<const std::string> names = {},
                                                 const KindReference* likely = nullptr);
[[nodiscard]] std::optional<TypedItem> Recognise(const Model& model, value::ItemView item);
// The lock's value of a stored item.
[[nodiscard]] std::optional<std::int64_t> VersionOf(const Model& model, value::ItemView item);

// The form by which an item's key can have been made, and what the key says: the attributes of its
// placeholders, typed, except those that a format has made unreadable (:fold, :lower, :day, :hour).
struct KeyReading {
  const KeyForm* form = nullptr;
  Record attributes;
};
[[nodiscard]] std::optional<KeyReading> ReadKey(const Model& model, const KindReference& kind,
                                                value::ItemView item);

// The attributes that an average is computed from: "ratingSum" and "ratingCount" of "rating".
[[nodiscard]] Path SumOfAverage(const Path& average);
[[nodiscard]] Path CountOfAverage(const Path& average);
// Their quotient as an encoded number of at most four decimals; nothing when nothing was counted.
[[nodiscard]] std::optional<std::string> Average(const Record& record, const Path& average);

}  // namespace trestle::design
