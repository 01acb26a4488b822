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

inline constexpr std::int64_t kSessionLifetimeMs = 30LL * 24 * 60 * 60 * 1000;
inline constexpr std::int64_t kRefreshGraceMs = 10'000;

// Who stays signed in: a family of refresh tokens for each sign-in, of which one is valid. With
// each use it is replaced. One that comes again more than ten seconds after that was stolen, from
// the client or by it: the family ends. Before, the client has not got the answer: two tabs of a
// browser have asked at once, or somebody went on to another page meanwhile.
//
//   token := <sub> . <family> . base64url(256 bits)
//
// The first token's bits are random, those of each other one follow from the one before and a
// secret of ours. So who has to send the answer again sends the same token, and only a hash of the
// bits is kept. Safe from many threads.
class Sessions {
 public:
  // The first two outlive it. The run time is that of platform.design; the secret is kept with the
  // data.
  Sessions(design::Runtime& runtime, const Clock& clock, std::string_view secret);

  struct Session {
    std::string sub;
    std::string family;
    std::int64_t started_unix_ms = 0;
    std::int64_t ends_unix_ms = 0;
    // Its new token; none when it is sent again and our secret was another one then.
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
    std::string secret;
    std::string hash;
  };
  [[nodiscard]] static std::optional<Parts> Parse(std::string_view token);
  // The bits of the token that replaces this one.
  [[nodiscard]] std::string Successor(const Parts& parts) const;
  [[nodiscard]] Result<std::optional<design::TypedItem>> Find(const Parts& parts);
  // Nothing when somebody else was faster.
  [[nodiscard]] Result<std::optional<Session>> Replace(const Parts& parts,
                                                       const design::TypedItem& item);
  [[nodiscard]] Status Delete(const design::Record& identity);

  design::Runtime& runtime_;
  const Clock& clock_;
  const design::Entity& entity_;
  const HmacSha256 successors_;
};

}  // namespace trestle::platform::identity
