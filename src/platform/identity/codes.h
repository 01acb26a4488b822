#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/result.h"
#include "design/runtime.h"

namespace trestle::platform::identity {

enum class CodePurpose : std::uint8_t { kConfirm, kReset, kEmail };

inline constexpr std::int64_t kCodeLifetimeMs = 15LL * 60 * 1000;
inline constexpr std::int64_t kCodePauseMs = 60'000;
inline constexpr std::int64_t kCodeTriesMax = 5;

// Codes of six digits that are sent to an e-mail address and typed in again. Kept are keyed hashes
// of them: without the key, a million tries would find a code. Safe from many threads.
class Codes {
 public:
  // Both outlive it. The run time is that of platform.design; `secret` is kept with the data.
  Codes(design::Runtime& runtime, const Clock& clock, std::string_view secret);

  struct Request {
    std::string sub;
    CodePurpose purpose = CodePurpose::kConfirm;
    std::string new_email = {};  // of kEmail: the address that the code is sent to
  };
  // A new code, which replaces the one before. Nothing when that is less than a minute old and for
  // the same address: nobody's letter box is filled from here.
  [[nodiscard]] Result<std::optional<std::string>> Make(const Request& request);

  // Uses a code up. Whatever is wrong with it, the error is the one of WrongCode.
  [[nodiscard]] Status Take(const Request& request, std::string_view code);

  // The same for who uses it up in a transaction of its own, with the condition that nobody else
  // has. The code is kept then: the problem `conflict` says of a right one that it was used before.
  struct Right {
    std::string new_email;
    design::WriteItem use_up;
  };
  [[nodiscard]] Result<Right> Check(const Request& request, std::string_view code);
  [[nodiscard]] Result<bool> IsUsed(const Request& request);

 private:
  [[nodiscard]] std::string HashOf(const Request& request, std::string_view code) const;

  design::Runtime& runtime_;
  const Clock& clock_;
  const design::Entity& entity_;
  const HmacSha256 key_;
};

// What is said of a code that is wrong, too old, tried too often, or of nobody's account.
[[nodiscard]] Error WrongCode();

}  // namespace trestle::platform::identity
