#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/job.h"
#include "design/runtime_internal.h"
#include "design/write_plan.h"

namespace trestle::design {

// All that one request does at once.
struct Batch {
  std::vector<EntityChange> changes = {};
  // What follows from them and may as well be left to the jobs, when it is too much at once.
  std::vector<EntityChange> followers = {};
  std::vector<Job> jobs = {};
  std::map<std::string, std::string, std::less<>> moves = {};  // PlanInput::moves
};

// What earlier attempts of the same request have learnt.
struct Attempt {
  std::int64_t step_ms = 0;           // `monotonic` times go on by so much
  bool is_without_followers = false;  // they were too many, or somebody is busy with them
};

// Carries out what callers want of items: reads what is now, plans, writes, and begins again when
// something changed in between.
class Writer {
 public:
  explicit Writer(RuntimeState& state) : state_(state) {}

  // `prepare` is called for each attempt. The items that were created or changed, and of what was
  // deleted the item as it was, in the order of the changes.
  using Prepare = std::function<Result<Batch>(const Attempt& attempt)>;
  [[nodiscard]] Result<std::vector<TypedItem>> Commit(const Prepare& prepare,
                                                      const WriteOptions& options);

  // The item with this identity, of any of the entities, which share their key.
  [[nodiscard]] Result<std::optional<ItemState>> Load(std::span<const Entity* const> entities,
                                                      const Record& identity,
                                                      bool is_consistent = true);

  // Each adds one change with what must hold and what it draws after it.
  [[nodiscard]] Status AddCreate(Batch& batch, const Entity& entity, const Record& given,
                                 const ValueSources& sources, const Attempt& attempt,
                                 const WriteOptions& options);
  [[nodiscard]] Status AddUpdate(Batch& batch, ItemState old, Record next,
                                 const ValueSources& sources, const Attempt& attempt,
                                 const WriteOptions& options);
  [[nodiscard]] Status AddDelete(Batch& batch, ItemState old, const ValueSources& sources,
                                 const Attempt& attempt, const WriteOptions& options);

 private:
  [[nodiscard]] Result<std::optional<value::Item>> Find(const value::Item& key, bool is_consistent);
  // An item by the mirror that knows the rest of its key. With a mirror and without an item, it has
  // moved in between.
  struct FoundVia {
    bool has_mirror = false;
    std::optional<value::Item> item = std::nullopt;
  };
  [[nodiscard]] Result<FoundVia> FindVia(const Entity& entity, const Record& identity,
                                         bool is_consistent);
  [[nodiscard]] Status CheckVersion(const ItemState& old, const WriteOptions& options) const;
  [[nodiscard]] Status AddWhere(const Entity& entity, const Record& now, const Record& words,
                                const ValueSources& sources, const WriteOptions& options,
                                EntityChange& change) const;
  [[nodiscard]] Status CheckRestrict(const ItemState& old, EntityChange& change);
  [[nodiscard]] Status AddMovedChildren(Batch& batch, const ItemState& old, const Record& next,
                                        const Attempt& attempt);
  [[nodiscard]] EntityChange Moved(const Relation& relation, ItemState child,
                                   const Record& parent) const;
  [[nodiscard]] Status AddFollowers(Batch& batch, const ItemState& parent);
  [[nodiscard]] Job MakeJob(JobKind kind, const ItemState& old);
  // A plan of the changes with their followers, if all of it fits in one transaction.
  struct Planned {
    WritePlan plan;
    std::vector<WriteItem> actions;
  };
  [[nodiscard]] Result<Planned> Plan(const PlanInput& input, Batch& batch,
                                     const WriteOptions& options);
  [[nodiscard]] Status FinishJob(const value::Item& key);
  // The children that are on their way to where the item is.
  [[nodiscard]] Status LetArrive(const ItemState& item);
  [[nodiscard]] Status Send(std::span<const WriteItem> actions);
  void WaitBeforeAttempt(int attempt);

  RuntimeState& state_;
};

}  // namespace trestle::design
