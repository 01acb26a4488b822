#include "apps/library/loans.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "design/time_text.h"

namespace trestle::apps::library {

std::vector<Loan> LoansOf(std::vector<LoanEvent> events) {
  std::ranges::sort(events, {},
                    [](const LoanEvent& event) { return std::tie(event.at, event.item_id); });
  std::vector<Loan> loans;
  std::map<std::string, std::size_t> open;  // by item
  for (LoanEvent& event : events) {
    if (!event.is_return) {
      open[event.item_id] = loans.size();
      loans.push_back({.item_id = std::move(event.item_id),
                       .borrower = std::move(event.borrower),
                       .from = std::move(event.at),
                       .to = std::nullopt,
                       .due_date = std::move(event.due_date)});
    } else if (const auto found = open.find(event.item_id); found != open.end()) {
      loans[found->second].to = std::move(event.at);
      open.erase(found);
    }
  }
  return loans;
}

std::int64_t DaysBetween(const std::string& from, const std::string& to) {
  constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
  const auto start = design::ParseTimestamp(from);
  const auto end = design::ParseTimestamp(to);
  return start && end ? (*end - *start) / kDayMs : 0;
}

std::vector<std::int64_t> MissingOrders(std::span<const std::int64_t> orders) {
  const std::set<std::int64_t> taken(orders.begin(), orders.end());
  std::vector<std::int64_t> missing;
  if (taken.empty()) return missing;
  for (std::int64_t order = 1; order < *taken.rbegin(); ++order)
    if (!taken.contains(order)) missing.push_back(order);
  return missing;
}

}  // namespace trestle::apps::library
