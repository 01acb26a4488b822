#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "design/runtime.h"

// Holds a whole table against its design. A table that is written to meanwhile, or whose maintainer
// is behind, may differ from it for a moment without being wrong: wait for the maintainer first.

namespace trestle::design {

enum class DriftKind : std::uint8_t {
  kUnknownItem,
  kNull,
  kWrongKey,
  kWrongIndexKey,
  kOrphan,
  kWrongCopy,
  kWrongTally,
  kWrongAverage,
  kMissingMirror,
  kWrongMirror,
  kExtraMirror,
  kMissingGuard,
  kExtraGuard,
  kTakenGuard,  // two items have what only one may have
  kUnfinishedJob,
  kUnfinishedWrite,
};
// "wrong copy"
[[nodiscard]] std::string_view DriftName(DriftKind kind);

struct Drift {
  DriftKind kind = DriftKind::kUnknownItem;
  std::string sentence;    // which item, what it has and what it should have
  bool is_mended = false;  // by this run
};

struct VerifyOptions {
  bool repair = false;
  std::function<void(const Drift& drift)> report;  // called for each
};

struct VerifyReport {
  std::uint64_t items = 0;
  std::uint64_t drifts = 0;  // those of the last round, and all that earlier rounds mended
  std::uint64_t mended = 0;
};

// Reads the table twice, page by page. What it keeps in memory is a number for each count of a
// parent and for each mirror. With `repair` it is read again until a round finds nothing to mend:
// a mended sum may be part of another.
[[nodiscard]] Result<VerifyReport> Verify(Runtime& runtime, const VerifyOptions& options);

}  // namespace trestle::design
