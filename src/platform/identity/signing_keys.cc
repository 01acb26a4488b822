#include "platform/identity/signing_keys.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "json/json.h"
#include "json/tree.h"
#include "platform/identity/jwt.h"

namespace trestle::platform::identity {
namespace {

constexpr std::size_t kActiveKeys = 2;

Error NotOurs() {
  return ValidationError("the file of signing keys cannot be read; remove it to get new ones");
}

std::optional<std::int64_t> ReadInteger(const json::Tree* tree) {
  const auto* number = tree == nullptr ? nullptr : tree->As<json::Tree::Number>();
  if (number == nullptr) return std::nullopt;
  std::int64_t integer = 0;
  const char* const end = number->text.data() + number->text.size();
  const auto [stop, error] = std::from_chars(number->text.data(), end, integer);
  if (error != std::errc() || stop != end) return std::nullopt;
  return integer;
}

}  // namespace

SigningKeys::Key SigningKeys::MakeKey(RsaPrivateKey key, std::int64_t created_unix_ms) {
  auto public_key = std::make_shared<const RsaPublicKey>(key.public_key());
  std::string id = KeyIdOf(*public_key);
  return {.id = std::move(id),
          .created_unix_ms = created_unix_ms,
          .key = std::move(key),
          .public_key = std::move(public_key)};
}

Result<std::vector<SigningKeys::Key>> SigningKeys::Parse(std::string_view text) {
  const json::Tree tree = TRY(json::ParseTree(text));
  const auto* object = tree.As<json::Tree::Object>();
  const json::Tree* member = object == nullptr ? nullptr : FindMember(*object, "keys");
  const auto* list = member == nullptr ? nullptr : member->As<json::Tree::Array>();
  if (list == nullptr || list->size() > kActiveKeys) return NotOurs();
  std::vector<Key> keys;
  keys.reserve(list->size());
  for (const json::Tree& entry : *list) {
    const auto* members = entry.As<json::Tree::Object>();
    if (members == nullptr) return NotOurs();
    const std::string* pem = FindString(*members, "pem");
    const auto created = ReadInteger(FindMember(*members, "createdUnixMs"));
    auto key = pem == nullptr ? std::nullopt : RsaPrivateKey::FromPem(*pem);
    if (!key || !created) return NotOurs();
    keys.push_back(MakeKey(*std::move(key), *created));
  }
  return keys;
}

std::string SigningKeys::Text(const std::vector<Key>& keys) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Key("keys");
  writer.BeginArray();
  for (const Key& key : keys) {
    writer.BeginObject();
    writer.Key("createdUnixMs");
    writer.Integer(key.created_unix_ms);
    writer.Key("pem");
    writer.String(key.key.ToPem());
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  text += '\n';
  return text;
}

Result<std::unique_ptr<SigningKeys>> SigningKeys::Open(SecretPlace place, const Clock& clock) {
  std::unique_ptr<SigningKeys> keys(new SigningKeys(std::move(place), clock));
  const std::string text = keys->place_.read ? TRY(keys->place_.read()) : std::string();
  std::vector<Key> known;
  if (!text.empty()) {
    auto parsed = Parse(text);
    if (!parsed.ok()) return NotOurs();
    known = *std::move(parsed);
  }
  const std::int64_t oldest_good = clock.NowUnixMs() - kSigningKeyLifetimeMs;
  const bool is_aged = known.empty() || known.front().created_unix_ms < oldest_good;
  std::size_t missing = kActiveKeys - std::min(kActiveKeys, known.size());
  {
    const MutexLock lock(keys->mutex_);
    keys->keys_ = std::move(known);
  }
  if (missing == 0 && is_aged) missing = 1;
  for (; missing > 0; --missing)
    TRY(keys->Rotate());
  return keys;
}

std::shared_ptr<const RsaPublicKey> SigningKeys::Find(std::string_view id) {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(keys_, id, &Key::id);
  return found == keys_.end() ? nullptr : found->public_key;
}

std::string SigningKeys::Sign(std::string_view claims) const {
  const Key key = [this] {
    const MutexLock lock(mutex_);
    return keys_.front();
  }();
  return SignToken({.key = &key.key, .key_id = key.id}, claims);
}

std::string SigningKeys::PublicText() const {
  KeySet set;
  {
    const MutexLock lock(mutex_);
    set.reserve(keys_.size());
    for (const Key& key : keys_)
      set.push_back({.id = key.id, .key = key.public_key});
  }
  return KeySetText(set);
}

Status SigningKeys::Rotate() {
  std::vector<Key> next;
  next.push_back(MakeKey(RsaPrivateKey::Generate(), clock_.NowUnixMs()));
  {
    const MutexLock lock(mutex_);
    std::ranges::copy(keys_, std::back_inserter(next));
  }
  if (next.size() > kActiveKeys) next.erase(next.begin() + kActiveKeys, next.end());
  if (place_.write) TRY(place_.write(Text(next)));
  const MutexLock lock(mutex_);
  keys_ = std::move(next);
  return Ok();
}

}  // namespace trestle::platform::identity
