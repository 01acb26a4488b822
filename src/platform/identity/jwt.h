#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/rsa.h"
#include "json/tree.h"

// Signed tokens in their compact form (RFC 7515 and 7519), of the one kind that is used here:
//
//   token  := base64url(header) . base64url(claims) . base64url(signature)
//   header := {"alg": "RS256", "kid": "…"}, perhaps with "typ"
//
// A token says which key signed it, never with which algorithm, where the key is or what it is:
// headers that would let it are refused.

namespace trestle::platform::identity {

inline constexpr std::size_t kTokenBytesMax = 8 * 1024;

// A token that can be read, and nothing more: who believes it must verify it first.
struct UnverifiedToken {
  std::string_view signed_text;  // looks into the token
  std::string signature;
  std::string key_id;
  json::Tree::Object claims;
};

// kSerialization, with a sentence that says why, for a text that is no such token.
[[nodiscard]] Result<UnverifiedToken> ParseToken(std::string_view token);

// `claims` is a JSON object.
struct TokenSigner {
  const RsaPrivateKey* key;
  std::string_view key_id;
};
[[nodiscard]] std::string SignToken(const TokenSigner& signer, std::string_view claims);

// The value of a member; null when there is none.
[[nodiscard]] const json::Tree* FindMember(const json::Tree::Object& object, std::string_view name);
// Its text; null when there is none, or it is something else.
[[nodiscard]] const std::string* FindString(const json::Tree::Object& object,
                                            std::string_view name);

}  // namespace trestle::platform::identity
