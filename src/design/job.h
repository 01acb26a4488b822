#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/record.h"

// Work that one transaction began and that others must finish: the children of a parent that was
// deleted or moved. The transaction that begins it leaves the job as an item; whoever follows the
// table's stream does the rest, and removes the item last. Everything in it may be done twice.
//
// Until then nothing else is created where the parent was: its children would be taken for those of
// the new one. Who wants to create it does the rest of the job first.
//
// A parent that has moved names the job that brings its children in its attribute ~arriving. Who
// moves it again or deletes it does the rest of that job first, else they would arrive where it no
// longer is.
//
// - the key: ~trestle#job#<id> and ~, with <Entity>#<SHA-256 of the parent's key> as id
// - ~kind, S: "delete" or "rekey"
// - ~entity, S: the parent's entity
// - ~parent, M: the parent's record as it was
// - ~next, M, of "rekey": the parent's record as it is now
// - ~at, S: when it began, 2026-01-15T10:30:00.000Z
// - ~nonce, S: tells it from another job about the same parent

namespace trestle::design {

enum class JobKind : std::uint8_t {
  kDelete,  // children with `cascade` go, those with `detach` lose what names the parent
  kRekey,   // children with `on_rekey move` go to the parent's new key
};

struct Job {
  std::string id;
  JobKind kind = JobKind::kDelete;
  const Entity* entity = nullptr;
  Record parent;
  Record next;  // of kRekey
  std::string at;
  std::string nonce;
};

[[nodiscard]] std::string JobId(const Entity& entity, const value::Item& parent_key);
[[nodiscard]] value::Item JobKey(const Model& model, std::string_view id);
// What names, in a parent that has moved, the job that brings its children.
inline constexpr std::string_view kArriving = "~arriving";
// Whether children move with items of the entity.
[[nodiscard]] bool HasMovers(const Entity& entity);
// Whether there can be a job about items of the entity.
[[nodiscard]] bool HasFollowers(const Entity& entity);
// The job as an item, and as the put that leaves it.
[[nodiscard]] value::Item JobItem(const Model& model, const Job& job);
[[nodiscard]] WriteItem PutJob(const Model& model, const std::string& table, const Job& job);
// Nothing when the item is no job; kCorruption when it is one that cannot be read.
[[nodiscard]] Result<std::optional<Job>> ReadJob(const Model& model, value::ItemView item);

// An item under the run time's own prefix: its key. `sort_key` is empty where there is none.
[[nodiscard]] value::Item InternalKey(const std::string& partition_key, const std::string& sort_key,
                                      std::string_view name);
[[nodiscard]] value::Item InternalKey(const Model& model, std::string_view name);

}  // namespace trestle::design
