#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/tree.h"

// What tokens say: the claims of Cognito's access and id tokens.

namespace trestle::platform::identity {

enum class TokenUse : std::uint8_t { kAccess, kId };
[[nodiscard]] std::string_view TokenUseName(TokenUse use);  // "access", "id"

struct Claims {
  std::string issuer;
  TokenUse use = TokenUse::kAccess;
  std::string client;  // `client_id` of an access token, `aud` of an id token
  std::string sub;
  std::vector<std::string> groups = {};
  std::optional<std::string> email = {};  // these three of id tokens
  bool is_email_verified = false;
  std::optional<std::string> name = {};
  std::string token_id = {};
  // Seconds since 1970.
  std::int64_t authenticated_unix_s = 0;
  std::int64_t issued_unix_s = 0;
  std::int64_t expires_unix_s = 0;
  std::optional<std::int64_t> not_before_unix_s = {};
};

// kSerialization, with a sentence that says why, when a claim that is needed here is missing or of
// the wrong kind. Claims that are not known are passed over. Whether they are true is not asked.
[[nodiscard]] Result<Claims> ReadClaims(const json::Tree::Object& object);
// The same as JSON.
[[nodiscard]] std::string ClaimsText(const Claims& claims);

}  // namespace trestle::platform::identity
