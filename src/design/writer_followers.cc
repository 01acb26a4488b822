#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "design/children.h"
#include "design/stored_item.h"
#include "design/writer_internal.h"

// The children that go, or are detached, in the transaction of their parent's delete.

namespace trestle::design {
namespace {

// What one transaction may take along; the job does the rest, or all of it when there is more.
constexpr std::size_t kFollowersMax = 90;
constexpr std::size_t kFollowersBytesMax = 1024 * 1024;

class Followers {
 public:
  Followers(Writer& writer, const QueryPlace& place) : writer_(writer), place_(place) {}

  // Of the parent and of what follows it. False when they are too many.
  Result<bool> Gather(const ItemState& parent) {
    gone_.emplace(KeyPart(place_.model, parent.item.view()).bytes());
    for (const Relation* relation : parent.entity->child_relations) {
      const bool is_cascade = relation->on_delete == DeleteRule::kCascade;
      if (!is_cascade && relation->on_delete != DeleteRule::kDetach) continue;
      const auto found = TRY(FindChildren(place_, *relation, parent.record, kFollowersMax + 1));
      for (const TypedItem& child : found) {
        const bool fits = TRY(Add(*relation, child, is_cascade));
        if (!fits) return false;
      }
    }
    return true;
  }

  std::vector<EntityChange> Take() && {
    std::vector<EntityChange> all;
    all.reserve(changes_.size());
    for (auto& [key, change] : changes_)
      all.push_back(std::move(change));
    return all;
  }

 private:
  Result<bool> Add(const Relation& relation, const TypedItem& child, bool is_cascade) {
    const Entity* const entity = relation.child;
    auto state = TRY(writer_.Load(std::span(&entity, 1), child.record));
    if (!state) return true;  // an index knew it longer than the table
    value::Item key = KeyPart(place_.model, state->item.view());
    const std::string bytes = key.bytes();
    if (gone_.contains(bytes)) return true;
    auto [place, is_new] = changes_.try_emplace(
        bytes, EntityChange{.entity = entity, .key = std::move(key), .is_maintenance = true});
    EntityChange& change = place->second;
    if (is_new) {
      bytes_ += state->item.view().size_bytes();
      change.old = *state;
      change.next = state->record;
    }
    if (changes_.size() > kFollowersMax || bytes_ > kFollowersBytesMax) return false;
    if (!is_cascade) {
      for (const std::string& name : relation.detach)
        change.next->Remove(name);
      return true;
    }
    change.next.reset();
    return Gather(*state);
  }

  Writer& writer_;
  const QueryPlace& place_;
  std::set<std::string> gone_;
  std::map<std::string, EntityChange> changes_;  // by key: a child may have several parents
  std::size_t bytes_ = 0;
};

}  // namespace

Status Writer::AddFollowers(Batch& batch, const ItemState& parent) {
  const QueryPlace place{.model = state_.model,
                         .backend = state_.backend,
                         .table = state_.table,
                         .now_unix_ms = state_.clock.NowUnixMs()};
  Followers followers(*this, place);
  const bool fits = TRY(followers.Gather(parent));
  if (fits) std::ranges::move(std::move(followers).Take(), std::back_inserter(batch.followers));
  return Ok();
}

}  // namespace trestle::design
