#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/group.h"
#include "engine/request.h"

// ClientRequestTokens of transactions: what was asked under a token is remembered for ten minutes,
// in the same batch as the transaction's own writes, so that a retry has no second effect.

namespace trestle::engine {

// The sizes of the items, one for each action, if the same request was committed under its token
// and the token still counts; none for a new one. Fails with kIdempotentParameterMismatch when
// another request was committed under it.
[[nodiscard]] Result<std::vector<std::uint64_t>> FindSizes(const TransactWriteRequest& request,
                                                           std::int64_t now_unix_ms,
                                                           const Group& group);

// Remembers the request's token, and what a repetition is charged for, together with what the
// group writes.
void RememberToken(const TransactWriteRequest& request,
                   const std::vector<std::uint64_t>& item_size_bytes, std::int64_t now_unix_ms,
                   Group& group);

// Forgets tokens whose time is over, at most `count_max` of them. Returns how many.
[[nodiscard]] Result<std::size_t> ForgetOldTokens(const storage::Store& store,
                                                  std::int64_t now_unix_ms, std::size_t count_max,
                                                  Group& group);

}  // namespace trestle::engine
