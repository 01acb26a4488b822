#include "platform/identity/claims.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "json/json.h"
#include "platform/identity/jwt.h"

namespace trestle::platform::identity {
namespace {

constexpr std::int64_t kUnixSecondsMax = 253'402'300'799;  // the end of the year 9999
constexpr std::int64_t kLifetimeSecondsMax = 24 * 60 * 60;
constexpr std::size_t kSubBytesMax = 64;
constexpr std::size_t kGroupBytesMax = 128;
constexpr std::size_t kGroupsMax = 100;
constexpr std::size_t kTextBytesMax = 1024;
// What Cognito puts into the access tokens of its own sign-in.
constexpr std::string_view kScope = "aws.cognito.signin.user.admin";

Error Wrong(std::string_view claim) {
  return SerializationError(fmt::format("the claim {} is missing or wrong", claim));
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool IsText(std::string_view text, std::size_t bytes_max) {
  return !text.empty() && text.size() <= bytes_max && std::ranges::none_of(text, IsControl);
}

// Subjects become parts of keys.
bool IsSub(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !text.empty() && text.size() <= kSubBytesMax && std::ranges::all_of(text, is_allowed);
}

Result<std::string> ReadText(const json::Tree::Object& object, std::string_view name) {
  const std::string* text = FindString(object, name);
  if (text == nullptr || !IsText(*text, kTextBytesMax)) return Wrong(name);
  return *text;
}

Result<std::optional<std::string>> ReadOptionalText(const json::Tree::Object& object,
                                                    std::string_view name) {
  if (FindMember(object, name) == nullptr) return std::optional<std::string>();
  return std::optional<std::string>(TRY(ReadText(object, name)));
}

// Whole seconds only: what a fraction or an exponent means is not left to chance.
Result<std::optional<std::int64_t>> ReadOptionalTime(const json::Tree::Object& object,
                                                     std::string_view name) {
  const json::Tree* member = FindMember(object, name);
  if (member == nullptr) return std::optional<std::int64_t>();
  const auto* number = member->As<json::Tree::Number>();
  if (number == nullptr) return Wrong(name);
  std::int64_t seconds = 0;
  const char* const end = number->text.data() + number->text.size();
  const auto [stop, error] = std::from_chars(number->text.data(), end, seconds);
  if (error != std::errc() || stop != end || seconds < 0 || seconds > kUnixSecondsMax) {
    return Wrong(name);
  }
  return std::optional(seconds);
}

Result<std::int64_t> ReadTime(const json::Tree::Object& object, std::string_view name) {
  const auto time = TRY(ReadOptionalTime(object, name));
  if (!time) return Wrong(name);
  return *time;
}

Result<std::vector<std::string>> ReadGroups(const json::Tree::Object& object) {
  constexpr std::string_view kName = "cognito:groups";
  const json::Tree* member = FindMember(object, kName);
  std::vector<std::string> groups;
  if (member == nullptr) return groups;
  const auto* list = member->As<json::Tree::Array>();
  if (list == nullptr || list->size() > kGroupsMax) return Wrong(kName);
  groups.reserve(list->size());
  for (const json::Tree& element : *list) {
    const auto* group = element.As<std::string>();
    if (group == nullptr || !IsText(*group, kGroupBytesMax)) return Wrong(kName);
    groups.push_back(*group);
  }
  return groups;
}

Result<TokenUse> ReadUse(const json::Tree::Object& object) {
  const std::string* use = FindString(object, "token_use");
  for (const TokenUse candidate : {TokenUse::kAccess, TokenUse::kId})
    if (use != nullptr && *use == TokenUseName(candidate)) return candidate;
  return Wrong("token_use");
}

Status ReadTimes(const json::Tree::Object& object, Claims& claims) {
  claims.expires_unix_s = TRY(ReadTime(object, "exp"));
  claims.issued_unix_s = TRY(ReadTime(object, "iat"));
  claims.not_before_unix_s = TRY(ReadOptionalTime(object, "nbf"));
  const auto authenticated = TRY(ReadOptionalTime(object, "auth_time"));
  claims.authenticated_unix_s = authenticated.value_or(claims.issued_unix_s);
  const std::int64_t lifetime_s = claims.expires_unix_s - claims.issued_unix_s;
  if (lifetime_s <= 0 || lifetime_s > kLifetimeSecondsMax) return Wrong("exp");
  return Ok();
}

Status ReadPerson(const json::Tree::Object& object, Claims& claims) {
  claims.email = TRY(ReadOptionalText(object, "email"));
  claims.name = TRY(ReadOptionalText(object, "name"));
  const json::Tree* verified = FindMember(object, "email_verified");
  if (verified == nullptr) return Ok();
  const auto* is_verified = verified->As<bool>();
  if (is_verified == nullptr) return Wrong("email_verified");
  claims.is_email_verified = *is_verified;
  return Ok();
}

void WriteText(json::Writer& writer, std::string_view name, std::string_view text) {
  writer.Key(name);
  writer.String(text);
}

void WriteTime(json::Writer& writer, std::string_view name, std::int64_t seconds) {
  writer.Key(name);
  writer.Integer(seconds);
}

void WriteAccess(const Claims& claims, json::Writer& writer) {
  WriteText(writer, "client_id", claims.client);
  WriteText(writer, "scope", kScope);
  WriteText(writer, "username", claims.sub);
}

void WritePerson(const Claims& claims, json::Writer& writer) {
  WriteText(writer, "aud", claims.client);
  WriteText(writer, "cognito:username", claims.sub);
  if (claims.name) WriteText(writer, "name", *claims.name);
  if (!claims.email) return;
  WriteText(writer, "email", *claims.email);
  writer.Key("email_verified");
  writer.Bool(claims.is_email_verified);
}

}  // namespace

std::string_view TokenUseName(TokenUse use) {
  switch (use) {
    case TokenUse::kAccess:
      return "access";
    case TokenUse::kId:
      return "id";
  }
  UNREACHABLE("a use that is not in the enum");
}

Result<Claims> ReadClaims(const json::Tree::Object& object) {
  Claims claims;
  claims.issuer = TRY(ReadText(object, "iss"));
  claims.use = TRY(ReadUse(object));
  claims.client = TRY(ReadText(object, claims.use == TokenUse::kAccess ? "client_id" : "aud"));
  claims.sub = TRY(ReadText(object, "sub"));
  if (!IsSub(claims.sub)) return Wrong("sub");
  claims.groups = TRY(ReadGroups(object));
  TRY(ReadTimes(object, claims));
  if (claims.use == TokenUse::kId) TRY(ReadPerson(object, claims));
  claims.token_id = TRY(ReadOptionalText(object, "jti")).value_or("");
  return claims;
}

std::string ClaimsText(const Claims& claims) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  WriteText(writer, "sub", claims.sub);
  WriteText(writer, "iss", claims.issuer);
  WriteText(writer, "token_use", TokenUseName(claims.use));
  claims.use == TokenUse::kAccess ? WriteAccess(claims, writer) : WritePerson(claims, writer);
  if (!claims.groups.empty()) {
    writer.Key("cognito:groups");
    writer.BeginArray();
    for (const std::string& group : claims.groups)
      writer.String(group);
    writer.EndArray();
  }
  WriteTime(writer, "auth_time", claims.authenticated_unix_s);
  WriteTime(writer, "iat", claims.issued_unix_s);
  WriteTime(writer, "exp", claims.expires_unix_s);
  if (claims.not_before_unix_s) WriteTime(writer, "nbf", *claims.not_before_unix_s);
  WriteText(writer, "jti", claims.token_id);
  writer.EndObject();
  return text;
}

}  // namespace trestle::platform::identity
