#include "platform/identity/jwt.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/crypto.h"
#include "json/json.h"

namespace trestle::platform::identity {
namespace {

constexpr std::size_t kKeyIdBytesMax = 256;

Result<json::Tree::Object> ParsePart(std::string_view part, std::string_view what) {
  const auto text = Base64UrlDecode(part);
  if (!text) return SerializationError(fmt::format("the {} is not base64url", what));
  const auto tree = json::ParseTree(*text);
  if (!tree.ok()) return SerializationError(fmt::format("the {} is not JSON", what));
  const auto* object = tree->As<json::Tree::Object>();
  if (object == nullptr) return SerializationError(fmt::format("the {} is not an object", what));
  return *object;
}

// The key's id. All that a header may say beside it is listed here: what is not known cannot be
// ignored safely.
Result<std::string> ReadHeader(const json::Tree::Object& header) {
  for (const json::Member& member : header) {
    if (member.name != "alg" && member.name != "kid" && member.name != "typ") {
      return SerializationError("the header has a member that is not allowed");
    }
  }
  const std::string* algorithm = FindString(header, "alg");
  if (algorithm == nullptr || *algorithm != "RS256") {
    return SerializationError("the algorithm is not RS256");
  }
  if (FindMember(header, "typ") != nullptr) {
    const std::string* type = FindString(header, "typ");
    if (type == nullptr || (*type != "JWT" && *type != "at+jwt")) {
      return SerializationError("the header has another type");
    }
  }
  const std::string* key_id = FindString(header, "kid");
  if (key_id == nullptr || key_id->empty() || key_id->size() > kKeyIdBytesMax) {
    return SerializationError("the header names no key");
  }
  return *key_id;
}

}  // namespace

const json::Tree* FindMember(const json::Tree::Object& object, std::string_view name) {
  const auto found = std::ranges::find(object, name, &json::Member::name);
  return found == object.end() ? nullptr : &found->value;
}

const std::string* FindString(const json::Tree::Object& object, std::string_view name) {
  const json::Tree* member = FindMember(object, name);
  return member == nullptr ? nullptr : member->As<std::string>();
}

Result<UnverifiedToken> ParseToken(std::string_view token) {
  if (token.size() > kTokenBytesMax) return SerializationError("the token is too long");
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == last || token.find('.', first + 1) != last) {
    return SerializationError("the token has not three parts");
  }
  const json::Tree::Object header = TRY(ParsePart(token.substr(0, first), "header"));
  UnverifiedToken parsed{.signed_text = token.substr(0, last),
                         .signature = {},
                         .key_id = TRY(ReadHeader(header)),
                         .claims = {}};
  parsed.claims = TRY(ParsePart(token.substr(first + 1, last - first - 1), "claims"));
  auto signature = Base64UrlDecode(token.substr(last + 1));
  if (!signature || signature->empty()) return SerializationError("there is no signature");
  parsed.signature = *std::move(signature);
  return parsed;
}

std::string SignToken(const TokenSigner& signer, std::string_view claims) {
  std::string header;
  json::Writer writer(header);
  writer.BeginObject();
  writer.Key("alg");
  writer.String("RS256");
  writer.Key("kid");
  writer.String(signer.key_id);
  writer.EndObject();
  std::string token = Base64UrlEncode(header);
  token += '.';
  token += Base64UrlEncode(claims);
  const std::string signature = signer.key->Sign(token);
  token += '.';
  token += Base64UrlEncode(signature);
  return token;
}

}  // namespace trestle::platform::identity
