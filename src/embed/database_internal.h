#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "embed/output.h"
#include "engine/database.h"
#include "engine/request.h"
#include "trestle/database.h"

// The operations are in read_items.cc, read_pages.cc, write_items.cc, statements.cc,
// change_tables.cc and subscribe.cc. Each turns its input into a request of the engine, runs it,
// and turns the reply into an output.

namespace trestle::embed {

struct Database::Impl {
  SystemClock clock;
  Random random{SystemSeed()};
  std::unique_ptr<engine::Database> database;  // last: it uses the others
};

// `to_output` makes the output of a Reply.
template <typename Reply, typename Request, typename ToOutputOf>
auto Run(engine::Database& database, trestle::Result<Request> request, ToOutputOf to_output)
    -> Result<std::invoke_result_t<ToOutputOf, const Reply&>> {
  if (!request.ok()) return ToOutput(request.error());
  const trestle::Result<engine::Reply> reply = database.Execute(*std::move(request));
  if (!reply.ok()) return ToOutput(reply.error());
  const auto* found = std::get_if<Reply>(&*reply);
  CHECK(found != nullptr, "the engine answers a request with its reply");
  return to_output(*found);
}

// For enums whose enumerators stand in the same order on both sides; see the assertions below.
template <typename To, typename From>
constexpr To SameEnumerator(From from) {
  return static_cast<To>(from);
}
static_assert(SameEnumerator<engine::ReturnConsumedCapacity>(ReturnConsumedCapacity::kIndexes) ==
              engine::ReturnConsumedCapacity::kIndexes);
static_assert(
    SameEnumerator<engine::ReturnItemCollectionMetrics>(ReturnItemCollectionMetrics::kSize) ==
    engine::ReturnItemCollectionMetrics::kSize);
static_assert(SameEnumerator<engine::ReturnValues>(ReturnValues::kAllOld) ==
              engine::ReturnValues::kAllOld);
static_assert(SameEnumerator<engine::ReturnValues>(ReturnValues::kUpdatedOld) ==
              engine::ReturnValues::kUpdatedOld);
static_assert(SameEnumerator<engine::ReturnValues>(ReturnValues::kAllNew) ==
              engine::ReturnValues::kAllNew);
static_assert(SameEnumerator<engine::Select>(Select::kAllProjectedAttributes) ==
              engine::Select::kAllProjectedAttributes);
static_assert(SameEnumerator<engine::Select>(Select::kSpecificAttributes) ==
              engine::Select::kSpecificAttributes);
static_assert(SameEnumerator<engine::ProjectionType>(ProjectionType::kKeysOnly) ==
              engine::ProjectionType::kKeysOnly);
static_assert(SameEnumerator<engine::BillingMode>(BillingMode::kPayPerRequest) ==
              engine::BillingMode::kPayPerRequest);
static_assert(SameEnumerator<engine::TableClass>(TableClass::kStandardInfrequentAccess) ==
              engine::TableClass::kStandardInfrequentAccess);
static_assert(SameEnumerator<engine::StreamViewType>(StreamViewType::kNewImage) ==
              engine::StreamViewType::kNewImage);
static_assert(SameEnumerator<engine::StreamViewType>(StreamViewType::kOldImage) ==
              engine::StreamViewType::kOldImage);
static_assert(SameEnumerator<engine::TableStatus>(TableStatus::kUpdating) ==
              engine::TableStatus::kUpdating);
static_assert(SameEnumerator<engine::TableStatus>(TableStatus::kActive) ==
              engine::TableStatus::kActive);
static_assert(SameEnumerator<engine::IndexStatus>(IndexStatus::kUpdating) ==
              engine::IndexStatus::kUpdating);
static_assert(SameEnumerator<engine::IndexStatus>(IndexStatus::kActive) ==
              engine::IndexStatus::kActive);

[[nodiscard]] inline engine::Consistency ConsistencyOf(bool consistent_read) {
  return consistent_read ? engine::Consistency::kStrong : engine::Consistency::kEventual;
}

}  // namespace trestle::embed
