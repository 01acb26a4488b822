#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "design/runtime_internal.h"
#include "design/verify.h"
#include "value/item.h"
#include "value/number.h"

namespace trestle::design {

// One reading of the whole table: first every item by itself and beside what it names, then what
// must be known of all items.
class VerifyRound {
 public:
  VerifyRound(RuntimeState& state, const VerifyOptions& options, VerifyReport& report)
      : state_(state), options_(options), report_(report) {}

  [[nodiscard]] Status Run();
  [[nodiscard]] std::uint64_t mended() const { return mended_; }

 private:
  // Items that those of a page name, by the bytes of their keys.
  using Found = std::map<std::string, value::Item, std::less<>>;
  using Mend = std::function<Status()>;

  [[nodiscard]] Status ForEachPage(
      const std::function<Status(const std::vector<value::Item>& items)>& use);
  [[nodiscard]] Status CheckPage(const std::vector<value::Item>& items);
  [[nodiscard]] Result<Found> FindNamed(const std::vector<value::Item>& items);
  void AddNamed(const value::Item& item, std::map<std::string, value::Item>& keys) const;

  // Before all others.
  [[nodiscard]] Status CheckSteps(const value::Item& item);

  // Of the first reading.
  [[nodiscard]] Status CheckInternal(const value::Item& item);
  [[nodiscard]] Status CheckGuardItem(const value::Item& item);
  [[nodiscard]] Status CheckNulls(const value::Item& item);
  [[nodiscard]] Status CheckEntity(const value::Item& item, const TypedItem& typed,
                                   const Found& found);
  [[nodiscard]] Status CheckKeys(const value::Item& item, const TypedItem& typed);
  [[nodiscard]] Status CheckRelation(const value::Item& item, const TypedItem& typed,
                                     const Relation& relation, const Found& found);
  [[nodiscard]] Status CheckMirrors(const TypedItem& typed, const Found& found);
  [[nodiscard]] Status CheckUniques(const value::Item& item, const TypedItem& typed,
                                    const Found& found);
  [[nodiscard]] Status CheckAverages(const value::Item& item, const TypedItem& typed);
  void Count(const TypedItem& typed, const Relation& relation, const value::Item& parent);

  // Of the second.
  [[nodiscard]] Status CheckTallies(const value::Item& item, const TypedItem& typed);
  [[nodiscard]] Status CheckMirrorItem(const value::Item& item);

  // Reports a drift, after mending it when that is wanted and there is a way.
  [[nodiscard]] Status Report(DriftKind kind, std::string sentence, const Mend& mend);
  // Puts an encoded value, or nothing, in the place of what the item has there.
  [[nodiscard]] Status ReplaceAt(const value::Item& item, const Path& path, std::string value);
  [[nodiscard]] std::string KeyWords(value::ItemView item) const;

  RuntimeState& state_;
  const VerifyOptions& options_;
  VerifyReport& report_;
  std::uint64_t mended_ = 0;
  // Sums by the hash of parent and path; keys of mirrors that should be there by their hash.
  std::unordered_map<std::uint64_t, value::Number> tallies_;
  std::unordered_set<std::uint64_t> mirrors_;
};

}  // namespace trestle::design
