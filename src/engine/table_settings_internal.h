#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/request.h"
#include "engine/schema.h"

// Settings of a table that CreateTable and UpdateTable judge alike; for table_create.cc and
// table_update.cc alone. Keys and indexes are in index_definition_internal.h.

namespace trestle::engine {

// The service words some refusals differently in the two operations.
enum class TableChange { kCreate, kUpdate };

// "One or more parameter values were invalid: " and the reason.
[[nodiscard]] Error InvalidParameter(std::string_view reason);

// What throughput belongs to. `index` is empty for the table itself.
struct ThroughputOwner {
  std::string_view index;
  BillingMode billing_mode;
  TableChange change;
};

[[nodiscard]] Status CheckTableThroughput(const std::optional<ProvisionedThroughput>& throughput,
                                          BillingMode billing_mode);
[[nodiscard]] Status CheckIndexThroughput(const std::optional<ProvisionedThroughput>& throughput,
                                          const ThroughputOwner& owner);
[[nodiscard]] Status CheckCapacityUnits(const ProvisionedThroughput& throughput,
                                        std::string_view index);

[[nodiscard]] bool IsSame(const ProvisionedThroughput& left, const ProvisionedThroughput& right);
// The refusal of a change that is none. `of` is "table" or "index"; `name` says which index.
[[nodiscard]] Error WillNotChange(const ProvisionedThroughput& throughput, std::string_view of,
                                  std::string_view name);
// Notes when it went up or down.
void ChangeThroughput(const ProvisionedThroughput& requested, std::int64_t now_unix_ms,
                      ProvisionedThroughput& throughput);

// Whether it says anything.
[[nodiscard]] bool HasLimits(const std::optional<OnDemandThroughput>& on_demand);
[[nodiscard]] bool HasUnits(const WarmThroughput& warm);

[[nodiscard]] Status CheckOnDemand(const std::optional<OnDemandThroughput>& on_demand,
                                   const ThroughputOwner& owner);
// What remains of the limits when those of a request are laid over them.
void ChangeOnDemand(const OnDemandThroughput& requested,
                    std::optional<OnDemandThroughput>& on_demand);

// What a new table or index can take at once.
[[nodiscard]] WarmThroughput InitialWarmThroughput(BillingMode billing_mode,
                                                   const ProvisionedThroughput& throughput);
// Refuses to go below what there is, `current`.
[[nodiscard]] Status CheckWarm(const WarmThroughput& requested, const WarmThroughput& current,
                               const ThroughputOwner& owner);
// Warm throughput never falls.
void RaiseWarm(const WarmThroughput& at_least, std::optional<WarmThroughput>& warm);

[[nodiscard]] StreamSchema NewStream(const StreamSpecification& stream, std::int64_t now_unix_ms);

[[nodiscard]] Status CheckSse(const SseSpecification& sse);
// The key that a table is described as encrypted with: nothing for the default encryption, empty
// for the service's own key.
[[nodiscard]] std::optional<std::string> KmsKeyOf(const SseSpecification& sse);

}  // namespace trestle::engine
