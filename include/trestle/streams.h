#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trestle/attribute_value.h"
#include "trestle/result.h"

// The changes of a table, followed from inside the process. The table must have a stream
// (StreamSpecification in tables.h), whose view type decides which images a record has.

namespace trestle::embed {

enum class OperationType { kInsert, kModify, kRemove };

// One change of one item.
struct StreamRecord {
  OperationType event_name = OperationType::kInsert;
  bool is_expiry = false;  // removed because its time to live was over
  std::chrono::system_clock::time_point approximate_creation_date_time{};
  Item keys{};
  std::optional<Item> new_image{};
  std::optional<Item> old_image{};
  // To go on behind this record, in this process or a later one.
  std::string position{};
};

enum class SubscriptionStart { kTrimHorizon, kLatest };

// At a position; without one, in the table's enabled stream at its oldest record, or with what
// comes after the call.
struct SubscribeInput {
  std::string table_name{};
  std::optional<std::string> position{};  // the table name is not looked at then
  SubscriptionStart start = SubscriptionStart::kTrimHorizon;
};

// The changes of one stream, in the order in which they were committed, each once. The reader
// pulls: nothing is read ahead, and a slow reader holds nobody up. Use it from one thread at a
// time, except for Stop. The database must outlive it.
//
//   while (!subscription->IsOver()) {
//     const auto records = subscription->Next({});
//     if (!records.ok()) return Report(records.error());
//     for (const auto& record : *records) Apply(record);
//     Keep(subscription->position());
//   }
//
// What Apply does and what Keep stores should become durable together, such as in one transaction;
// else Apply must stand to see a change twice.
class Subscription {
 public:
  ~Subscription();
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;

  struct NextOptions {
    std::size_t records_max = 1000;  // and 1 MB
    std::chrono::milliseconds wait = std::chrono::seconds(1);
  };

  // The next changes. Waits until there is one, woken by the commit that brings it; none when the
  // wait is over, after Stop, or at the end. Fails with kTrimmedDataAccessException when the next
  // change is older than 24 hours and gone.
  [[nodiscard]] Result<std::vector<StreamRecord>> Next(const NextOptions& options);

  // Behind what Next has returned.
  [[nodiscard]] std::string position() const;
  // The stream was disabled or its table deleted, and Next has returned all of it.
  [[nodiscard]] bool IsOver() const;
  // Ends a Next that waits, and all later ones. Safe from any thread.
  void Stop();

 private:
  friend class Database;
  struct Impl;

  explicit Subscription(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace trestle::embed
