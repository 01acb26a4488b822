#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "design/runtime.h"

namespace trestle::platform::identity {

inline constexpr std::int64_t kSessionLifetimeMs = 30LL * 24 * 60 * 60 * 1000;
inline constexpr std::int64_t kRefreshGraceMs = 10'000;

// Who stays signed in: a family of refresh tokens for each sign-in, of which one is valid. With
// each use it is replaced. One that comes again after that was stolen, from the client or by it:
// the family ends.
//
//   token := <sub> . <family> . base64url(256 random bits)
//
// Only a hash of the random part is kept. Safe from many threads.
class Sessions {
 public:
  // Both outlive it. The run time is that of platform.design.
  Sessions(design::Runtime& runtime, const Clock& clock);

  struct Session {
    std::string sub;
    std::string family;
    std::int64_t started_unix_ms = 0;
    std::int64_t ends_unix_ms = 0;
    // Its new token; none when the client has got that already: two tabs of a browser may send the
    // same token at once, and the later answer must not undo the earlier one.
    std::optional<std::string> token = {};
  };

  [[nodiscard]] Result<Session> Start(const std::string& sub);
  // The problem `unauthenticated` for a token that is not, or no more, valid.
  [[nodiscard]] Result<Session> Continue(std::string_view token);
  // Does nothing for a token that is not valid.
  [[nodiscard]] Status End(std::string_view token);
  // All of them but one family, which may be empty.
  struct EndOptions {
    std::string_view except_family;
  };
  [[nodiscard]] Status EndAll(const std::string& sub, const EndOptions& options);

  // The family of a token that is valid for `sub`; empty when it is not.
  [[nodiscard]] Result<std::string> FamilyOf(std::string_view token, std::string_view sub);

 private:
  struct Parts {
    std::string sub;
    std::string family;
    std::string hash;
  };
  [[nodiscard]] static std::optional<Parts> Parse(std::string_view token);
  [[nodiscard]] Result<std::optional<design::TypedItem>> Find(const Parts& parts);
  // Nothing when somebody else was faster.
  [[nodiscard]] Result<std::optional<Session>> Replace(const Parts& parts,
                                                       const design::TypedItem& item);
  [[nodiscard]] Status Delete(const design::Record& identity);

  design::Runtime& runtime_;
  const Clock& clock_;
  const design::Entity& entity_;
};

}  // namespace trestle::platform::identity
