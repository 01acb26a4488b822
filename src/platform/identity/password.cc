#include "platform/identity/password.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <argon2.h>
#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "platform/identity/common_passwords.h"
#include "text/unicode.h"

namespace trestle::platform::identity {
namespace {

constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kHashBytes = 32;
constexpr std::size_t kHashTextBytesMax = 500;

std::size_t CountCharacters(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What people put in place of letters.
char LetterFor(char c) {
  switch (c) {
    case '0':
      return 'o';
    case '1':
    case '!':
      return 'i';
    case '3':
      return 'e';
    case '4':
    case '@':
      return 'a';
    case '5':
    case '$':
      return 's';
    case '7':
      return 't';
    default:
      return c;
  }
}

bool IsListed(std::string_view text) {
  const auto list = CommonPasswords();
  return std::ranges::binary_search(list, text);
}

// "password2024!" without what was put behind it to please a rule.
std::string_view WithoutTail(std::string_view text) {
  const auto is_tail = [](char c) {
    return IsDigit(c) || std::string_view("!?.#*$-_@").find(c) != std::string_view::npos;
  };
  while (!text.empty() && is_tail(text.back()))
    text.remove_suffix(1);
  return text;
}

// "aaaaaaaaaaaa", "abababababab", "abcabcabcabc", "passwordpassword".
bool IsRepetition(std::string_view text) {
  for (std::size_t period = 1; period <= text.size() / 2; ++period) {
    const std::string_view rest = text.substr(period);
    const bool repeats = text.starts_with(rest);
    if (!repeats) continue;
    const std::string_view unit = text.substr(0, period);
    return period <= 3 || IsListed(unit) || IsCommonPassword(unit);
  }
  return false;
}

// "1234567890", "9876543210", "abcdefghijkl".
bool IsSequence(std::string_view text) {
  if (text.size() < 2) return false;
  const auto follows = [](int step) {
    return [step](char left, char right) {
      const bool wraps =
          (left == '9' && right == '0' && step == 1) || (left == '0' && right == '9' && step == -1);
      return right - left != step && !wraps;
    };
  };
  return std::ranges::adjacent_find(text, follows(1)) == text.end() ||
         std::ranges::adjacent_find(text, follows(-1)) == text.end();
}

}  // namespace

bool IsCommonPassword(std::string_view password) {
  const std::string lower = text::Lower(password);
  if (IsListed(lower) || IsSequence(lower) || IsRepetition(lower)) return true;
  const std::string_view stem = WithoutTail(lower);
  if (stem.size() < lower.size() && (stem.empty() ? IsSequence(lower) : IsListed(stem)))
    return true;
  std::string letters(stem);
  std::ranges::transform(letters, letters.begin(), LetterFor);
  return IsListed(letters);
}

std::optional<std::string> PasswordProblem(const PasswordChoice& choice) {
  const std::string password = text::Nfc(choice.password);
  const std::size_t length = CountCharacters(password);
  if (length < kPasswordCharactersMin || length > kPasswordCharactersMax) {
    return fmt::format("must have {} to {} characters", kPasswordCharactersMin,
                       kPasswordCharactersMax);
  }
  const std::string lower = text::Lower(password);
  const std::string email = text::Lower(choice.email);
  if (!email.empty() && (lower == email || lower == email.substr(0, email.find('@')))) {
    return "must not be the e-mail address";
  }
  if (IsCommonPassword(password)) return "must not be one that many people use";
  return std::nullopt;
}

// A place among the hashes that are under way.
class PasswordHasher::Turn {
 public:
  explicit Turn(PasswordHasher& hasher) : hasher_(hasher) {}
  ~Turn() { hasher_.Leave(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  PasswordHasher& hasher_;
};

PasswordHasher::PasswordHasher(Options options)
    : options_(options),
      settings_(fmt::format("$argon2id$v={}$m={},t={},p={}$", static_cast<int>(ARGON2_VERSION_13),
                            options.memory_kib, options.passes, options.lanes)),
      stand_in_(Compute(SecureRandomBytes(kSaltBytes))) {}

Status PasswordHasher::Enter() {
  const MutexLock lock(mutex_);
  if (running_ >= options_.at_once_max && waiting_ >= options_.waiting_max) {
    return Error(ErrorCode::kUnavailable, "too many people sign in at once; try again");
  }
  ++waiting_;
  while (running_ >= options_.at_once_max)
    has_room_.Wait(mutex_);
  --waiting_;
  ++running_;
  return Ok();
}

void PasswordHasher::Leave() {
  const MutexLock lock(mutex_);
  --running_;
  has_room_.Wake();
}

std::string PasswordHasher::Compute(std::string_view password) const {
  const std::string salt = SecureRandomBytes(kSaltBytes);
  std::array<char, kHashTextBytesMax> text{};
  const int result = argon2id_hash_encoded(options_.passes, options_.memory_kib, options_.lanes,
                                           password.data(), password.size(), salt.data(),
                                           salt.size(), kHashBytes, text.data(), text.size());
  CHECK(result == ARGON2_OK, "the settings are right and there is memory");
  return text.data();
}

Result<std::string> PasswordHasher::Hash(std::string_view password) {
  TRY(Enter());
  const Turn turn(*this);
  return Compute(text::Nfc(password));
}

Result<bool> PasswordHasher::Matches(std::string_view password,
                                     const std::optional<std::string>& hash) {
  TRY(Enter());
  const Turn turn(*this);
  const std::string normal = text::Nfc(password);
  // argon2id_verify compares in constant time.
  const bool is_same = argon2id_verify((hash ? *hash : stand_in_).c_str(), normal.data(),
                                       normal.size()) == ARGON2_OK;
  return is_same && hash.has_value();
}

bool PasswordHasher::NeedsRehash(std::string_view hash) const {
  return !hash.starts_with(settings_);
}

}  // namespace trestle::platform::identity
