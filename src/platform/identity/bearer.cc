#include "platform/identity/bearer.h"

#include <algorithm>
#include <string_view>

#include "platform/problem.h"
#include "text/unicode.h"

namespace trestle::platform::identity {

Result<std::optional<Principal>> Identify(Verifier& verifier, const http::Request& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const auto is_authorization = [](const http::Header& header) {
    return http::EqualsIgnoringCase(header.name, "Authorization");
  };
  const auto count = std::ranges::count_if(request.headers, is_authorization);
  if (count == 0) return std::optional<Principal>();
  const std::string_view value = *request.Find("Authorization");
  if (count > 1 || !http::EqualsIgnoringCase(value.substr(0, kScheme.size()), kScheme)) {
    return ProblemError("unauthenticated",
                        "one Authorization header with a Bearer token is needed");
  }
  const std::string_view token = text::Trim(value.substr(kScheme.size()));
  Principal principal = TRY(verifier.Verify(token, TokenUse::kAccess));
  if (const auto id_token = request.Find("Id-Token")) {
    Principal named = TRY(verifier.Verify(text::Trim(*id_token), TokenUse::kId));
    if (named.sub != principal.sub) {
      return ProblemError("unauthenticated", "the two tokens are not of one person");
    }
    principal.email = std::move(named.email);
    principal.name = std::move(named.name);
  }
  return std::optional(std::move(principal));
}

}  // namespace trestle::platform::identity
