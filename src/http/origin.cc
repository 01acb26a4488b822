#include "http/origin.h"

#include "http/message.h"

namespace trestle::http {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Four decimal numbers of which the first is 127. Anything longer would be a name, and names can
// be made to point anywhere.
bool IsLoopbackAddress(std::string_view text) {
  if (!text.starts_with("127.")) return false;
  int part_count = 1;
  int part_length = 0;
  for (const char c : text) {
    if (c == '.') {
      if (part_length == 0) return false;
      ++part_count;
      part_length = 0;
    } else if (!IsDigit(c) || ++part_length > 3) {
      return false;
    }
  }
  return part_count == 4 && part_length > 0;
}

bool EndsWithIgnoringCase(std::string_view text, std::string_view end) {
  return text.size() > end.size() && EqualsIgnoringCase(text.substr(text.size() - end.size()), end);
}

}  // namespace

bool IsLoopbackHost(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end != std::string_view::npos && host.substr(0, end + 1) == "[::1]";
  }
  const std::string_view name = host.substr(0, host.find(':'));
  return EqualsIgnoringCase(name, "localhost") || EndsWithIgnoringCase(name, ".localhost") ||
         IsLoopbackAddress(name);
}

}  // namespace trestle::http
