#include "platform/identity/key_set.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/crypto.h"
#include "json/json.h"
#include "json/tree.h"
#include "platform/identity/jwt.h"

namespace trestle::platform::identity {
namespace {

// Absent, or this.
bool MayBe(const json::Tree::Object& object, std::string_view name, std::string_view value) {
  if (FindMember(object, name) == nullptr) return true;
  const std::string* text = FindString(object, name);
  return text != nullptr && *text == value;
}

std::string WithoutZeros(std::string bytes) {
  bytes.erase(0, bytes.find_first_not_of('\0'));
  return bytes;
}

std::optional<NamedKey> ReadKey(const json::Tree& tree) {
  const auto* object = tree.As<json::Tree::Object>();
  if (object == nullptr) return std::nullopt;
  const std::string* type = FindString(*object, "kty");
  const std::string* id = FindString(*object, "kid");
  const std::string* modulus = FindString(*object, "n");
  const std::string* exponent = FindString(*object, "e");
  if (type == nullptr || *type != "RSA" || id == nullptr || id->empty() || modulus == nullptr ||
      exponent == nullptr || !MayBe(*object, "use", "sig") || !MayBe(*object, "alg", "RS256")) {
    return std::nullopt;
  }
  const auto modulus_bytes = Base64UrlDecode(*modulus);
  const auto exponent_bytes = Base64UrlDecode(*exponent);
  if (!modulus_bytes || !exponent_bytes) return std::nullopt;
  auto key = RsaPublicKey::From(
      {.modulus = WithoutZeros(*modulus_bytes), .exponent = WithoutZeros(*exponent_bytes)});
  if (!key) return std::nullopt;
  return NamedKey{.id = *id, .key = std::make_shared<const RsaPublicKey>(*std::move(key))};
}

}  // namespace

Result<KeySet> ParseKeySet(std::string_view text) {
  if (text.size() > kKeySetBytesMax) return SerializationError("the key set is too large");
  const json::Tree tree = TRY(json::ParseTree(text));
  const auto* object = tree.As<json::Tree::Object>();
  const json::Tree* member = object == nullptr ? nullptr : FindMember(*object, "keys");
  const auto* list = member == nullptr ? nullptr : member->As<json::Tree::Array>();
  if (list == nullptr) return SerializationError("a key set has an array of keys");
  KeySet keys;
  keys.reserve(list->size());
  for (const json::Tree& entry : *list) {
    auto key = ReadKey(entry);
    if (key && FindKey(keys, key->id) == nullptr) keys.push_back(*std::move(key));
  }
  if (keys.empty()) return SerializationError("the key set has no key for RS256");
  return keys;
}

std::string KeySetText(const KeySet& keys) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Key("keys");
  writer.BeginArray();
  for (const NamedKey& key : keys) {
    writer.BeginObject();
    for (const auto& [name, value] : {std::pair<std::string_view, std::string>{"kty", "RSA"},
                                      {"use", "sig"},
                                      {"alg", "RS256"},
                                      {"kid", key.id},
                                      {"n", Base64UrlEncode(key.key->numbers().modulus)},
                                      {"e", Base64UrlEncode(key.key->numbers().exponent)}}) {
      writer.Key(name);
      writer.String(value);
    }
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return text;
}

std::string KeyIdOf(const RsaPublicKey& key) {
  const RsaNumbers& numbers = key.numbers();
  return Base64UrlEncode(AsBytes(
      Sha256(fmt::format(R"({{"e":"{}","kty":"RSA","n":"{}"}})", Base64UrlEncode(numbers.exponent),
                         Base64UrlEncode(numbers.modulus)))));
}

std::shared_ptr<const RsaPublicKey> FindKey(const KeySet& keys, std::string_view id) {
  const auto found = std::ranges::find(keys, id, &NamedKey::id);
  return found == keys.end() ? nullptr : found->key;
}

}  // namespace trestle::platform::identity
