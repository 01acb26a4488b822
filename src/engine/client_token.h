#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/group.h"
#include "engine/request.h"

// ClientRequestTokens of transactions: what was asked under a token is remembered for ten minutes,
// in the same batch as the transaction's own writes, so that a retry has no second effect.

namespace trestle::engine {

enum class TokenState { kNew, kSeen };

// kSeen: the same request was committed under its token, and the token still counts. Fails with
// kIdempotentParameterMismatch when another request was.
[[nodiscard]] Result<TokenState> CheckToken(const TransactWriteRequest& request,
                                            std::int64_t now_unix_ms, const Group& group);

// Remembers the request's token together with what the group writes.
void RememberToken(const TransactWriteRequest& request, std::int64_t now_unix_ms, Group& group);

// Forgets tokens whose time is over, at most `count_max` of them. Returns how many.
[[nodiscard]] Result<std::size_t> ForgetOldTokens(const storage::Store& store,
                                                  std::int64_t now_unix_ms, std::size_t count_max,
                                                  Group& group);

}  // namespace trestle::engine
