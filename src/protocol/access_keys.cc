#include "protocol/access_keys.h"

#include <cstddef>

#include <fmt/format.h>

namespace trestle::protocol {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Takes the next word of `line`; empty when there is none.
std::string_view TakeWord(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace

Result<AccessKeys> ParseAccessKeys(std::string_view text) {
  AccessKeys keys;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));

    const std::string_view id = TakeWord(line);
    if (id.empty() || id.starts_with('#')) continue;
    const std::string_view secret = TakeWord(line);
    if (secret.empty() || !TakeWord(line).empty()) {
      return ValidationError(fmt::format(
          "line {} must hold an access key id and its secret, and nothing else", number));
    }
    if (id.find('/') != std::string_view::npos) {
      return ValidationError(fmt::format("line {}: an access key id has no slash in it", number));
    }
    if (!keys.emplace(id, secret).second) {
      return ValidationError(fmt::format("line {} repeats an access key id", number));
    }
  }
  if (keys.empty()) return ValidationError("it holds no access key");
  return keys;
}

}  // namespace trestle::protocol
