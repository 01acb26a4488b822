#include "engine/client_token.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/crypto.h"
#include "base/limits.h"
#include "engine/rows.h"

// A token's row:
//
//   token row := 01 end digest size*
//   end       := u64be, the time in milliseconds at which the token no longer counts
//   digest    := 32 bytes, SHA-256 of the request
//   size      := varint, one for each action: the larger of its item before and after, in bytes

namespace trestle::engine {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kEndBytes = 8;
constexpr std::size_t kDigestBytes = 32;
constexpr std::size_t kSizesOffset = 1 + kEndBytes + kDigestBytes;

std::string TokenRow(std::string_view token) {
  std::string row(1, static_cast<char>(RowKind::kToken));
  row.append(token);
  return row;
}

std::string TokenExpiryRow(std::uint64_t end_unix_ms, std::string_view token) {
  std::string row(1, static_cast<char>(RowKind::kTokenExpiry));
  AppendU64Be(row, end_unix_ms);
  row.append(token);
  return row;
}

void AppendSized(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

std::string DigestOf(const TransactWriteRequest& request) {
  std::string bytes;
  for (const WriteAction& action : request.actions) {
    bytes.push_back(static_cast<char>(action.kind));
    bytes.push_back(action.return_item_on_condition_failure ? '1' : '0');
    AppendSized(bytes, action.table);
    AppendSized(bytes, action.item.bytes());
    AppendSized(bytes, action.condition.Fingerprint());
    AppendSized(bytes, action.update.Fingerprint());
  }
  const auto digest = Sha256(bytes);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

Result<std::vector<std::uint64_t>> FindSizes(const TransactWriteRequest& request,
                                             std::int64_t now_unix_ms, const Group& group) {
  std::vector<std::uint64_t> sizes;
  if (request.client_request_token.empty()) return sizes;
  const std::optional<std::string> row = TRY(group.Read(TokenRow(request.client_request_token)));
  if (!row) return sizes;
  if (row->size() < kSizesOffset || row->front() != kFormat) {
    return CorruptionError("a client token's row is damaged");
  }
  const auto end_unix_ms = static_cast<std::int64_t>(ReadU64Be(row->substr(1)));
  if (now_unix_ms >= end_unix_ms) return sizes;
  if (row->substr(1 + kEndBytes, kDigestBytes) != DigestOf(request)) {
    return Error(ErrorCode::kIdempotentParameterMismatch,
                 "The request uses the same client token as a previous, but non-identical request. "
                 "Do not reuse a client token with different requests, unless the requests are "
                 "identical");
  }
  std::string_view rest = std::string_view(*row).substr(kSizesOffset);
  for (std::size_t i = 0; i < request.actions.size(); ++i) {
    std::uint64_t size_bytes = 0;
    if (!TakeVarint(rest, size_bytes)) return CorruptionError("a client token's row is damaged");
    sizes.push_back(size_bytes);
  }
  return sizes;
}

void RememberToken(const TransactWriteRequest& request,
                   const std::vector<std::uint64_t>& item_size_bytes, std::int64_t now_unix_ms,
                   Group& group) {
  if (request.client_request_token.empty()) return;
  const auto end_unix_ms = static_cast<std::uint64_t>(now_unix_ms + kClientTokenLifetimeMs);
  std::string value(1, kFormat);
  AppendU64Be(value, end_unix_ms);
  value += DigestOf(request);
  for (const std::uint64_t size_bytes : item_size_bytes)
    AppendVarint(value, size_bytes);
  group.Put(TokenRow(request.client_request_token), std::move(value));
  group.PutUnread(TokenExpiryRow(end_unix_ms, request.client_request_token), "");
}

Result<std::size_t> ForgetOldTokens(const storage::Store& store, std::int64_t now_unix_ms,
                                    std::size_t count_max, Group& group) {
  const std::string first(1, static_cast<char>(RowKind::kTokenExpiry));
  const auto cursor =
      store.NewCursor(first, TokenExpiryRow(static_cast<std::uint64_t>(now_unix_ms), ""));
  std::size_t count = 0;
  for (cursor->Seek(first); cursor->Valid() && count < count_max; cursor->Next(), ++count) {
    group.DeleteUnread(cursor->key());
    // The token may have been used again since, and then ends later.
    const std::string row = TokenRow(cursor->key().substr(9));
    const std::optional<std::string> value = TRY(group.Read(row));
    const bool is_over = value && value->size() >= kSizesOffset &&
                         ReadU64Be(value->substr(1)) <= static_cast<std::uint64_t>(now_unix_ms);
    if (is_over) group.Delete(row);
  }
  TRY(cursor->status());
  return count;
}

}  // namespace trestle::engine
