#pragma once

#include <cstdint>
#include <string_view>

#include "base/limits.h"
#include "wire/shape.h"

// Shapes that more than one operation uses. Members of structures stand in the order in which the
// service reports their violations, enums in the order in which it prints their values.

namespace trestle::wire {

[[nodiscard]] bool IsNamePattern(std::string_view text);

inline constexpr Pattern kNamePattern = {.text = "[a-zA-Z0-9_.-]+", .matches = IsNamePattern};
// For texts whose emptiness is reported as a length that is too short, and not twice.
inline constexpr Pattern kNameOrEmptyPattern = {
    .text = kNamePattern.text,
    .matches = [](std::string_view text) { return text.empty() || IsNamePattern(text); }};

inline constexpr Shape kStringShape = {.kind = Kind::kString};
inline constexpr Shape kBooleanShape = {.kind = Kind::kBoolean};
inline constexpr Shape kAttributeValueShape = {.kind = Kind::kAttributeValue};

// Of the operations on items, which take ARNs too: a name too short for any table is looked up.
inline constexpr Shape kTableNameShape = {.kind = Kind::kString,
                                          .min = 1,
                                          .max = 255,
                                          .pattern = &kNameOrEmptyPattern,
                                          .table_name = TableNameRule::kConstraints};
// Of the other operations on tables, and of batches.
inline constexpr Shape kManagedTableNameShape = {.kind = Kind::kString,
                                                 .min = 3,
                                                 .max = 255,
                                                 .pattern = &kNamePattern,
                                                 .table_name = TableNameRule::kConstraints};
// Of those that create, change, describe and delete tables.
inline constexpr Shape kNeededTableNameShape = {.kind = Kind::kString,
                                                .min = 3,
                                                .max = 255,
                                                .pattern = &kNamePattern,
                                                .table_name = TableNameRule::kAbsenceSentence};
inline constexpr Shape kIndexNameShape = {
    .kind = Kind::kString, .min = 3, .max = 255, .pattern = &kNamePattern};
inline constexpr Shape kPositiveIntegerShape = {.kind = Kind::kInteger, .min = 1};

inline constexpr Shape kAttributeMapShape = {.kind = Kind::kMap, .element = &kAttributeValueShape};
inline constexpr Shape kAttributeValueListShape = {.kind = Kind::kList,
                                                   .element = &kAttributeValueShape};
inline constexpr Shape kAttributeNameListShape = {
    .kind = Kind::kList, .min = 1, .element = &kStringShape};
inline constexpr Shape kExpressionAttributeNamesShape = {.kind = Kind::kMap,
                                                         .element = &kStringShape};

inline constexpr std::string_view kReturnConsumedCapacityValues[] = {"INDEXES", "TOTAL", "NONE"};
inline constexpr Shape kReturnConsumedCapacityShape = {.kind = Kind::kString,
                                                       .values = kReturnConsumedCapacityValues};
inline constexpr std::string_view kReturnItemCollectionMetricsValues[] = {"SIZE", "NONE"};
inline constexpr Shape kReturnItemCollectionMetricsShape = {
    .kind = Kind::kString, .values = kReturnItemCollectionMetricsValues};
inline constexpr std::string_view kReturnValuesValues[] = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD",
                                                           "NONE", "UPDATED_NEW"};
inline constexpr Shape kReturnValuesShape = {.kind = Kind::kString, .values = kReturnValuesValues};
inline constexpr std::string_view kReturnValuesOnConditionCheckFailureValues[] = {"ALL_OLD",
                                                                                  "NONE"};
inline constexpr Shape kReturnValuesOnConditionCheckFailureShape = {
    .kind = Kind::kString, .values = kReturnValuesOnConditionCheckFailureValues};
inline constexpr std::string_view kSelectValues[] = {"SPECIFIC_ATTRIBUTES", "COUNT",
                                                     "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"};
inline constexpr Shape kSelectShape = {.kind = Kind::kString, .values = kSelectValues};

// Of the parameters that expressions replaced.
inline constexpr std::string_view kConditionalOperatorValues[] = {"OR", "AND"};
inline constexpr Shape kConditionalOperatorShape = {.kind = Kind::kString,
                                                    .values = kConditionalOperatorValues};
inline constexpr std::string_view kComparisonOperatorValues[] = {
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};
inline constexpr Shape kComparisonOperatorShape = {.kind = Kind::kString,
                                                   .values = kComparisonOperatorValues};

inline constexpr Member kExpectedAttributeMembers[] = {
    {.name = "AttributeValueList", .shape = &kAttributeValueListShape},
    {.name = "ComparisonOperator", .shape = &kComparisonOperatorShape},
    {.name = "Exists", .shape = &kBooleanShape},
    {.name = "Value", .shape = &kAttributeValueShape},
};
inline constexpr Shape kExpectedAttributeValueShape = {.kind = Kind::kStructure,
                                                       .name = "ExpectedAttributeValue",
                                                       .members = kExpectedAttributeMembers};
inline constexpr Shape kExpectedShape = {.kind = Kind::kMap,
                                         .element = &kExpectedAttributeValueShape};

inline constexpr Member kConditionMembers[] = {
    {.name = "AttributeValueList", .shape = &kAttributeValueListShape},
    {.name = "ComparisonOperator",
     .shape = &kComparisonOperatorShape,
     .presence = Presence::kRequired},
};
inline constexpr Shape kConditionShape = {
    .kind = Kind::kStructure, .name = "Condition", .members = kConditionMembers};
inline constexpr Shape kConditionMapShape = {.kind = Kind::kMap, .element = &kConditionShape};

}  // namespace trestle::wire
