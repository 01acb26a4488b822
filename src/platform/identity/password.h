#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"

// Passwords: which ones are good enough, and what is kept of them.

namespace trestle::platform::identity {

inline constexpr std::size_t kPasswordCharactersMin = 10;
inline constexpr std::size_t kPasswordCharactersMax = 128;

// What is wrong with a password that somebody chooses, as a sentence about it ("must …"); nothing
// when it is good. `email` is who it is for.
struct PasswordChoice {
  std::string_view password;
  std::string_view email;
};
[[nodiscard]] std::optional<std::string> PasswordProblem(const PasswordChoice& choice);

// Whether many people use it, or little more than a turn of it: "Passw0rd2024!" is "password".
[[nodiscard]] bool IsCommonPassword(std::string_view password);

// Makes and compares Argon2id hashes, in the text form that holds their settings:
//
//   $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>
//
// Each hash under way takes its memory and a core, so only a few are; others wait for their turn,
// and when too many wait, the answer is kUnavailable. Safe from many threads.
class PasswordHasher {
 public:
  struct Options {
    std::uint32_t memory_kib = 19456;
    std::uint32_t passes = 2;
    std::uint32_t lanes = 1;
    std::size_t at_once_max = 4;
    std::size_t waiting_max = 32;
  };

  PasswordHasher() : PasswordHasher(Options{}) {}
  explicit PasswordHasher(Options options);

  [[nodiscard]] Result<std::string> Hash(std::string_view password) EXCLUDES(mutex_);

  // Whether `hash` was made of this password, with the settings that it was made with. Without a
  // hash it takes as long as with one of today's settings, and is false.
  [[nodiscard]] Result<bool> Matches(std::string_view password,
                                     const std::optional<std::string>& hash) EXCLUDES(mutex_);

  // Whether a hash has other settings than today's, and should be made anew when there is a chance.
  [[nodiscard]] bool NeedsRehash(std::string_view hash) const;

 private:
  class Turn;
  [[nodiscard]] Status Enter() EXCLUDES(mutex_);
  void Leave() EXCLUDES(mutex_);
  [[nodiscard]] std::string Compute(std::string_view password) const;

  const Options options_;
  const std::string settings_;  // how hashes of today begin
  const std::string stand_in_;  // a hash of nothing that anybody knows

  Mutex mutex_;
  Condition has_room_;
  std::size_t running_ GUARDED_BY(mutex_) = 0;
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
};

}  // namespace trestle::platform::identity
