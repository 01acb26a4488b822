#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace trestle::platform {

inline constexpr std::int64_t kCursorLifetimeMs = 7LL * 24 * 60 * 60 * 1000;

// Makes the cursors that clients get: texts that tell them nothing, that only this server can have
// made, that fit the one question they were given for, and that end after seven days.
//
//   cursor := base64url(sealed)                  base/crypto.h
//   bytes  := 01, time u64be in Unix ms, position
//
// Safe from many threads.
class CursorSealer {
 public:
  // `key` has kSealKeyBytes. The clock must outlive it.
  CursorSealer(std::string key, const Clock& clock);

  // `question` is all that the next request must have in common with this one: the route, who
  // calls, and the arguments.
  [[nodiscard]] std::string Seal(std::string_view position, std::string_view question) const;
  // The position; else the problem `invalid-cursor`.
  [[nodiscard]] Result<std::string> Open(std::string_view cursor, std::string_view question) const;

 private:
  const std::string key_;
  const Clock& clock_;
};

}  // namespace trestle::platform
