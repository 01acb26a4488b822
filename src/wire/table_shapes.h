#pragma once

#include <string_view>

#include "wire/shape.h"
#include "wire/shapes.h"

// Shapes that CreateTable and UpdateTable share.

namespace trestle::wire {

inline constexpr Shape kKeyAttributeNameShape = {.kind = Kind::kString, .min = 1, .max = 255};
inline constexpr std::string_view kAttributeTypeValues[] = {"B", "N", "S"};
inline constexpr Shape kAttributeTypeShape = {.kind = Kind::kString,
                                              .values = kAttributeTypeValues};
inline constexpr Member kAttributeDefinitionMembers[] = {
    {"AttributeName", &kKeyAttributeNameShape, Presence::kRequired},
    {"AttributeType", &kAttributeTypeShape, Presence::kRequired},
};
inline constexpr Shape kAttributeDefinitionShape = {.kind = Kind::kStructure,
                                                    .name = "AttributeDefinition",
                                                    .members = kAttributeDefinitionMembers};
inline constexpr Shape kAttributeDefinitionsShape = {.kind = Kind::kList,
                                                     .element = &kAttributeDefinitionShape};

inline constexpr std::string_view kKeyTypeValues[] = {"HASH", "RANGE"};
inline constexpr Shape kKeyTypeShape = {.kind = Kind::kString, .values = kKeyTypeValues};
inline constexpr Member kKeySchemaElementMembers[] = {
    {"AttributeName", &kKeyAttributeNameShape, Presence::kRequired},
    {"KeyType", &kKeyTypeShape, Presence::kRequired},
};
inline constexpr Shape kKeySchemaElementShape = {
    .kind = Kind::kStructure, .name = "KeySchemaElement", .members = kKeySchemaElementMembers};
inline constexpr Shape kKeySchemaShape = {
    .kind = Kind::kList, .min = 1, .max = 2, .element = &kKeySchemaElementShape};
// Of global indexes, which may have several attributes of each role; how many is judged later.
inline constexpr Shape kGlobalKeySchemaShape = {
    .kind = Kind::kList, .min = 1, .element = &kKeySchemaElementShape};

inline constexpr std::string_view kProjectionTypeValues[] = {"ALL", "INCLUDE", "KEYS_ONLY"};
inline constexpr Shape kProjectionTypeShape = {.kind = Kind::kString,
                                               .values = kProjectionTypeValues};
inline constexpr Shape kNonKeyAttributesShape = {
    .kind = Kind::kList, .min = 1, .max = 20, .element = &kKeyAttributeNameShape};
inline constexpr Member kProjectionMembers[] = {
    {"ProjectionType", &kProjectionTypeShape},
    {"NonKeyAttributes", &kNonKeyAttributesShape},
};
inline constexpr Shape kProjectionShape = {
    .kind = Kind::kStructure, .name = "Projection", .members = kProjectionMembers};

inline constexpr Shape kLongShape = {.kind = Kind::kLong};
inline constexpr Shape kPositiveLongShape = {.kind = Kind::kLong, .min = 1};
inline constexpr Member kProvisionedThroughputMembers[] = {
    {"WriteCapacityUnits", &kPositiveLongShape, Presence::kRequired},
    {"ReadCapacityUnits", &kPositiveLongShape, Presence::kRequired},
};
inline constexpr Shape kProvisionedThroughputShape = {.kind = Kind::kStructure,
                                                      .name = "ProvisionedThroughput",
                                                      .members = kProvisionedThroughputMembers};
inline constexpr Member kOnDemandThroughputMembers[] = {
    {"MaxReadRequestUnits", &kLongShape},
    {"MaxWriteRequestUnits", &kLongShape},
};
inline constexpr Shape kOnDemandThroughputShape = {
    .kind = Kind::kStructure, .name = "OnDemandThroughput", .members = kOnDemandThroughputMembers};
inline constexpr Member kWarmThroughputMembers[] = {
    {"ReadUnitsPerSecond", &kLongShape},
    {"WriteUnitsPerSecond", &kLongShape},
};
inline constexpr Shape kWarmThroughputShape = {
    .kind = Kind::kStructure, .name = "WarmThroughput", .members = kWarmThroughputMembers};

inline constexpr std::string_view kBillingModeValues[] = {"PROVISIONED", "PAY_PER_REQUEST"};
inline constexpr Shape kBillingModeShape = {.kind = Kind::kString, .values = kBillingModeValues};

inline constexpr std::string_view kStreamViewTypeValues[] = {"OLD_IMAGE", "KEYS_ONLY",
                                                             "NEW_AND_OLD_IMAGES", "NEW_IMAGE"};
inline constexpr Shape kStreamViewTypeShape = {.kind = Kind::kString,
                                               .values = kStreamViewTypeValues};
inline constexpr Member kStreamSpecificationMembers[] = {
    {"StreamEnabled", &kBooleanShape, Presence::kRequired},
    {"StreamViewType", &kStreamViewTypeShape},
};
inline constexpr Shape kStreamSpecificationShape = {.kind = Kind::kStructure,
                                                    .name = "StreamSpecification",
                                                    .members = kStreamSpecificationMembers};

inline constexpr std::string_view kSseTypeValues[] = {"AES256", "KMS"};
inline constexpr Shape kSseTypeShape = {.kind = Kind::kString, .values = kSseTypeValues};
inline constexpr Shape kKmsMasterKeyIdShape = {.kind = Kind::kString, .min = 1};
inline constexpr Member kSseSpecificationMembers[] = {
    {"Enabled", &kBooleanShape},
    {"SSEType", &kSseTypeShape},
    {"KMSMasterKeyId", &kKmsMasterKeyIdShape},
};
inline constexpr Shape kSseSpecificationShape = {
    .kind = Kind::kStructure, .name = "SSESpecification", .members = kSseSpecificationMembers};

}  // namespace trestle::wire
