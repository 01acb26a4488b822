#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "engine/table_settings_internal.h"

namespace trestle::engine {
namespace {

constexpr std::int64_t kCapacityUnitsMax = 1'000'000'000'000;
constexpr std::int64_t kOnDemandReadUnits = 12'000;
constexpr std::int64_t kOnDemandWriteUnits = 4'000;

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

// One of the two units that a kind of throughput has.
struct NamedUnits {
  std::string_view name;
  std::optional<std::int64_t> units;
};

Error WarmTooLow(std::string_view name, const ThroughputOwner& owner) {
  const std::string where =
      owner.index.empty() ? std::string("table") : fmt::format("index {}", owner.index);
  const std::string start =
      fmt::format("Requested {} for WarmThroughput for {} is lower than", name, where);
  if (owner.change == TableChange::kUpdate) {
    return InvalidParameter(fmt::format(
        "{} current WarmThroughput, decreasing WarmThroughput is not supported", start));
  }
  if (owner.billing_mode == BillingMode::kPayPerRequest) {
    return InvalidParameter(fmt::format(
        "{} initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/"
        "latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
        start));
  }
  return InvalidParameter(
      fmt::format("{} {} of ProvisionedThroughput", start,
                  name.starts_with("Read") ? "ReadCapacityUnits" : "WriteCapacityUnits"));
}

}  // namespace

Error InvalidParameter(std::string_view reason) {
  return ValidationError(fmt::format("One or more parameter values were invalid: {}", reason));
}

Status CheckTableThroughput(const std::optional<ProvisionedThroughput>& throughput,
                            BillingMode billing_mode) {
  if (billing_mode == BillingMode::kPayPerRequest) {
    if (!throughput) return Ok();
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!throughput) {
    return InvalidParameter(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
        "PROVISIONED");
  }
  return CheckCapacityUnits(*throughput, "");
}

Status CheckIndexThroughput(const std::optional<ProvisionedThroughput>& throughput,
                            const ThroughputOwner& owner) {
  const bool is_create = owner.change == TableChange::kCreate;
  if (owner.billing_mode == BillingMode::kPayPerRequest) {
    if (!throughput) return Ok();
    return InvalidParameter(
        fmt::format("{} for index: {} when BillingMode is PAY_PER_REQUEST",
                    is_create ? "ProvisionedThroughput should not be specified"
                              : "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified",
                    owner.index));
  }
  if (!throughput) {
    return InvalidParameter(
        fmt::format("{} for index: {}",
                    is_create ? "ProvisionedThroughput is not specified"
                              : "Both ReadCapacityUnits and WriteCapacityUnits must be specified",
                    owner.index));
  }
  return CheckCapacityUnits(*throughput, owner.index);
}

Status CheckCapacityUnits(const ProvisionedThroughput& throughput, std::string_view index) {
  for (const auto& [name, units] :
       {NamedUnits{"ReadCapacityUnits", throughput.read_capacity_units},
        NamedUnits{"WriteCapacityUnits", throughput.write_capacity_units}}) {
    if (*units <= kCapacityUnitsMax) continue;
    return ValidationError(fmt::format("Given value {} for {} is out of bounds{}{}", *units, name,
                                       index.empty() ? "" : " for index ", index));
  }
  return Ok();
}

bool IsSame(const ProvisionedThroughput& left, const ProvisionedThroughput& right) {
  return left.read_capacity_units == right.read_capacity_units &&
         left.write_capacity_units == right.write_capacity_units;
}

Error WillNotChange(const ProvisionedThroughput& throughput, std::string_view of,
                    std::string_view name) {
  return ValidationError(fmt::format(
      "The provisioned throughput for the {0}{1} will not change. The requested value equals the "
      "current value. Current ReadCapacityUnits provisioned for the {0}: {2}. Requested "
      "ReadCapacityUnits: {2}. Current WriteCapacityUnits provisioned for the {0}: {3}. Requested "
      "WriteCapacityUnits: {3}. Refer to the Amazon DynamoDB Developer Guide for current limits "
      "and how to request higher limits.",
      of, name, throughput.read_capacity_units, throughput.write_capacity_units));
}

void ChangeThroughput(const ProvisionedThroughput& requested, std::int64_t now_unix_ms,
                      ProvisionedThroughput& throughput) {
  if (requested.read_capacity_units > throughput.read_capacity_units ||
      requested.write_capacity_units > throughput.write_capacity_units) {
    throughput.last_increase_unix_ms = now_unix_ms;
  }
  if (requested.read_capacity_units < throughput.read_capacity_units ||
      requested.write_capacity_units < throughput.write_capacity_units) {
    const bool is_same_day = throughput.last_decrease_unix_ms / kDayMs == now_unix_ms / kDayMs;
    throughput.decreases_today = is_same_day ? throughput.decreases_today + 1 : 1;
    throughput.last_decrease_unix_ms = now_unix_ms;
  }
  throughput.read_capacity_units = requested.read_capacity_units;
  throughput.write_capacity_units = requested.write_capacity_units;
}

bool HasLimits(const std::optional<OnDemandThroughput>& on_demand) {
  return on_demand && (on_demand->max_read_request_units || on_demand->max_write_request_units);
}

bool HasUnits(const WarmThroughput& warm) {
  return warm.read_units_per_second || warm.write_units_per_second;
}

Status CheckOnDemand(const std::optional<OnDemandThroughput>& on_demand,
                     const ThroughputOwner& owner) {
  if (!on_demand) return Ok();
  const bool is_create = owner.change == TableChange::kCreate;
  const NamedUnits both[] = {{"MaxReadRequestUnits", on_demand->max_read_request_units},
                             {"MaxWriteRequestUnits", on_demand->max_write_request_units}};
  for (const auto& [name, units] : both) {
    if (!units || owner.billing_mode == BillingMode::kPayPerRequest) continue;
    const std::string where =
        owner.index.empty() ? std::string()
                            : fmt::format(" for index{}: {}", is_create ? "" : " ", owner.index);
    return InvalidParameter(
        fmt::format("{} for OnDemandThroughput{} cannot be specified when {}table BillingMode is "
                    "PROVISIONED{}",
                    name, where, is_create ? "" : "the ", is_create ? "." : ""));
  }
  for (const auto& [name, units] : both) {
    if (!units || *units >= 1 || (*units == -1 && !is_create)) continue;
    const std::string where =
        owner.index.empty() ? std::string("table") : fmt::format("index : {}", owner.index);
    return InvalidParameter(fmt::format(
        "Requested {} for OnDemandThroughput for {} is outside of valid range", name, where));
  }
  return Ok();
}

void ChangeOnDemand(const OnDemandThroughput& requested,
                    std::optional<OnDemandThroughput>& on_demand) {
  OnDemandThroughput changed = on_demand.value_or(OnDemandThroughput());
  if (requested.max_read_request_units) {
    changed.max_read_request_units = requested.max_read_request_units;
  }
  if (requested.max_write_request_units) {
    changed.max_write_request_units = requested.max_write_request_units;
  }
  if (changed.max_read_request_units == -1) changed.max_read_request_units.reset();
  if (changed.max_write_request_units == -1) changed.max_write_request_units.reset();
  const bool has_limit = changed.max_read_request_units || changed.max_write_request_units;
  on_demand = has_limit ? std::optional(changed) : std::nullopt;
}

WarmThroughput InitialWarmThroughput(BillingMode billing_mode,
                                     const ProvisionedThroughput& throughput) {
  if (billing_mode == BillingMode::kPayPerRequest) {
    return {.read_units_per_second = kOnDemandReadUnits,
            .write_units_per_second = kOnDemandWriteUnits};
  }
  return {.read_units_per_second = throughput.read_capacity_units,
          .write_units_per_second = throughput.write_capacity_units};
}

Status CheckWarm(const WarmThroughput& requested, const WarmThroughput& current,
                 const ThroughputOwner& owner) {
  // What is not set compares as the smallest of all, so its presence is asked first.
  if (requested.read_units_per_second &&
      requested.read_units_per_second < current.read_units_per_second) {
    return WarmTooLow("ReadUnitsPerSecond", owner);
  }
  if (requested.write_units_per_second &&
      requested.write_units_per_second < current.write_units_per_second) {
    return WarmTooLow("WriteUnitsPerSecond", owner);
  }
  return Ok();
}

void RaiseWarm(const WarmThroughput& at_least, std::optional<WarmThroughput>& warm) {
  if (!warm) warm.emplace();
  warm->read_units_per_second =
      std::max(warm->read_units_per_second, at_least.read_units_per_second);
  warm->write_units_per_second =
      std::max(warm->write_units_per_second, at_least.write_units_per_second);
}

StreamSchema NewStream(const StreamSpecification& stream, std::int64_t now_unix_ms) {
  return {
      .id = {}, .view_type = *stream.view_type, .created_unix_ms = now_unix_ms, .is_enabled = true};
}

Status CheckSse(const SseSpecification& sse) {
  if (sse.is_enabled == false) {
    if (sse.sse_type) return InvalidParameter("SSEType can not be specified if Enabled is false");
    if (sse.kms_key) {
      return InvalidParameter("KMSMasterKeyId can not be specified if Enabled is false");
    }
  }
  if (sse.sse_type && *sse.sse_type != "KMS") {
    return InvalidParameter(fmt::format("SSEType {} is not supported", *sse.sse_type));
  }
  if (sse.kms_key && !sse.sse_type) {
    return InvalidParameter("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  return Ok();
}

std::optional<std::string> KmsKeyOf(const SseSpecification& sse) {
  if (!sse.is_enabled.value_or(sse.sse_type.has_value())) return std::nullopt;
  return sse.kms_key.value_or(std::string());
}

}  // namespace trestle::engine
