#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/record.h"
#include "design/runtime.h"

// Single values out of records, and into changes.

namespace trestle::platform {

// Nothing when there is none, or it is of another type.
[[nodiscard]] std::optional<std::int64_t> IntegerOf(const design::Record& record,
                                                    std::string_view name);
[[nodiscard]] std::optional<double> NumberOf(const design::Record& record, std::string_view name);
[[nodiscard]] std::optional<bool> BoolOf(const design::Record& record, std::string_view name);
// Empty when there is none.
[[nodiscard]] std::string TextOf(const design::Record& record, std::string_view name);
// The texts of a list or set.
[[nodiscard]] std::vector<std::string> TextsOf(const design::Record& record, std::string_view name);
// In a map: IntegerAt(record, "counts", "READING").
[[nodiscard]] std::optional<std::int64_t> IntegerAt(const design::Record& record,
                                                    std::string_view map, std::string_view name);
// A map as a record, and back; empty when there is none.
[[nodiscard]] design::Record RecordAt(const design::Record& record, std::string_view name);
void SetRecord(design::Record& record, std::string_view name, const design::Record& map);

void SetInteger(design::Record& record, std::string_view name, std::int64_t integer);
void SetBool(design::Record& record, std::string_view name, bool is_true);
void SetTexts(design::Record& record, std::string_view name, const std::vector<std::string>& texts);

// The same as changes of an item.
void SetText(design::Changes& changes, std::string_view name, std::string_view text);
void SetInteger(design::Changes& changes, std::string_view name, std::int64_t integer);
void SetBool(design::Changes& changes, std::string_view name, bool is_true);
void Remove(design::Changes& changes, std::string_view name);

// What an attribute at the top of an item will be after the changes; nothing: absent.
[[nodiscard]] std::optional<std::string> ValueAfter(const design::Record& now,
                                                    const design::Changes& changes,
                                                    std::string_view name);
// The item as the changes leave it, as far as they set and remove.
[[nodiscard]] design::Record RecordAfter(const design::Record& now, const design::Changes& changes);

}  // namespace trestle::platform
