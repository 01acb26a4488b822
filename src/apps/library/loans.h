#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What follows from orders and from histories, without a look at the table.

namespace trestle::apps::library {

// One entry of an item's history.
struct LoanEvent {
  std::string item_id;
  std::string at;  // both are timestamps of one width
  bool is_return = false;
  std::string borrower;
  std::string due_date = {};  // empty: none
};

// From when to when somebody had something.
struct Loan {
  std::string item_id;
  std::string borrower;
  std::string from;
  std::optional<std::string> to;  // none: still out
  std::string due_date = {};

  friend bool operator==(const Loan&, const Loan&) = default;
};

// The loans of any number of items, in the order in which they began. `events` may be in any order.
// A return without a loan, as in a history that was cleared, is none.
[[nodiscard]] std::vector<Loan> LoansOf(std::vector<LoanEvent> events);

// Whole days from one moment to another, both as timestamps.
[[nodiscard]] std::int64_t DaysBetween(const std::string& from, const std::string& to);

// The gaps in a series: which of 1 to the largest are not among these.
[[nodiscard]] std::vector<std::int64_t> MissingOrders(std::span<const std::int64_t> orders);

}  // namespace trestle::apps::library
