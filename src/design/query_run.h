#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/cursor.h"
#include "design/model.h"
#include "design/query_plan.h"
#include "design/record.h"
#include "design/runtime.h"

namespace trestle::design {

// Where a query of a design runs.
struct QueryPlace {
  const Model& model;
  Backend& backend;
  std::string table;
  std::int64_t now_unix_ms = 0;
};

// One page of a query: reads until it is full, nothing is left, or the budget is spent. `arguments`
// are checked (arguments.h).
[[nodiscard]] Result<TypedPage> RunQuery(const QueryPlace& place, const Access& access,
                                         const Query& query, const Record& arguments,
                                         const PageOptions& options);

// The items of several reads, each in the order of its sort keys, as one sequence in that order.
class MergedReader {
 public:
  // An item, and which read it is from.
  struct Pulled {
    std::size_t read = 0;
    value::Item item;
  };

  // What it is given must outlive it. `places` is where to go on, one per read of the plan.
  MergedReader(const Model& model, Backend& backend, const Query& query, QueryPlan plan,
               const std::vector<CursorPlace>& places, std::uint32_t read_budget);

  // The next items, as many as wanted; fewer at the end, or when the budget is spent.
  [[nodiscard]] Result<std::vector<Pulled>> Next(std::uint32_t wanted);

  // Whether there is something left that the budget did not allow to read.
  [[nodiscard]] bool is_budget_spent() const { return is_budget_spent_; }
  // `places` with what is known of reads from which Next has returned everything.
  [[nodiscard]] std::vector<CursorPlace> WithEnds(std::vector<CursorPlace> places) const;
  // The key that a request behind this item starts with.
  [[nodiscard]] value::Item StartKey(value::ItemView item) const;

 private:
  struct Source {
    std::vector<value::Item> buffer;                 // read
    std::size_t returned = 0;                        // of them
    std::optional<value::Item> next = std::nullopt;  // where the back end goes on
    bool is_drained = false;                         // the back end has no more

    [[nodiscard]] bool IsEmpty() const { return returned == buffer.size(); }
    [[nodiscard]] value::Item& front() { return buffer[returned]; }
  };

  [[nodiscard]] Status Fill(std::size_t read, std::uint32_t wanted);
  // The source whose item is next; none when the budget is spent or nothing is left.
  [[nodiscard]] Result<std::optional<std::size_t>> FindNext(std::uint32_t wanted);
  // Whether the first item of one source comes before that of another.
  [[nodiscard]] bool ComesBefore(std::size_t left, std::size_t right);
  [[nodiscard]] std::string_view OrderOf(std::size_t read);

  const Model& model_;
  Backend& backend_;
  const Query& query_;
  QueryPlan plan_;
  std::vector<Source> sources_;
  std::uint32_t budget_;
  bool is_budget_spent_ = false;
};

}  // namespace trestle::design
