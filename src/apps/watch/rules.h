#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What WorthWatch makes of texts: pure functions.

namespace trestle::apps::watch {

// Tags in lower case, trimmed, none twice (without regard to accents), in their order.
[[nodiscard]] std::vector<std::string> NormalisedTags(std::span<const std::string> tags);
// Genres and names of people: trimmed, none twice, in their order.
[[nodiscard]] std::vector<std::string> NormalisedNames(std::span<const std::string> names);

// A name of 3 to 30 characters out of what is known of somebody: the name, else what the e-mail
// address begins with.
struct KnownNames {
  std::string_view name;
  std::string_view email;
};
[[nodiscard]] std::string UsernameOf(const KnownNames& known);

// What a comment is called in addresses: when it was written and by whom.
struct CommentName {
  std::string created_at;
  std::string user_id;

  friend bool operator==(const CommentName&, const CommentName&) = default;
};
[[nodiscard]] std::string TokenOf(const CommentName& comment);
// Nothing when it is no token.
[[nodiscard]] std::optional<CommentName> ReadToken(std::string_view token);

// The quarter of an hour that a moment is in, as its beginning.
[[nodiscard]] std::int64_t QuarterOf(std::int64_t unix_ms);

}  // namespace trestle::apps::watch
