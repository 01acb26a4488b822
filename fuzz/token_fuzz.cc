// Tokens, their claims and key sets from anywhere: nothing crashes, and claims that are read are
// the same when they are written and read again.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/tree.h"
#include "platform/identity/claims.h"
#include "platform/identity/jwt.h"
#include "platform/identity/key_set.h"

namespace identity = trestle::platform::identity;

namespace {

void ReadAndWrite(const trestle::json::Tree::Object& object) {
  const auto claims = identity::ReadClaims(object);
  if (!claims.ok()) return;
  identity::Claims kept = *claims;
  // An empty id is not written by the pool.
  if (kept.token_id.empty()) kept.token_id = "1";
  const std::string text = identity::ClaimsText(kept);
  const auto tree = trestle::json::ParseTree(text);
  CHECK(tree.ok(), "claims are written as JSON");
  const auto again = identity::ReadClaims(*tree->As<trestle::json::Tree::Object>());
  CHECK(again.ok(), "claims that were read can be written");
  CHECK(identity::ClaimsText(*again) == text, "claims stay what they are");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto token = identity::ParseToken(text);
  if (token.ok()) ReadAndWrite(token->claims);
  const auto tree = trestle::json::ParseTree(text);
  if (!tree.ok()) return 0;
  if (const auto* object = tree->As<trestle::json::Tree::Object>()) ReadAndWrite(*object);
  const auto keys = identity::ParseKeySet(text);
  if (keys.ok()) CHECK(identity::ParseKeySet(identity::KeySetText(*keys)).ok(), "keys are keys");
  return 0;
}
