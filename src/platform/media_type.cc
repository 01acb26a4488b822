#include "platform/media_type.h"

#include <algorithm>
#include <optional>

#include "http/message.h"

namespace trestle::platform {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t'))
    text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t'))
    text.remove_suffix(1);
  return text;
}

// Takes what stands before the next `divider`.
std::string_view TakeUntil(char divider, std::string_view& text) {
  const std::string_view part = text.substr(0, text.find(divider));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return Trimmed(part);
}

// The value of the parameter `name` behind a media type, without quotes.
std::optional<std::string_view> FindParameter(std::string_view parameters, std::string_view name) {
  while (!parameters.empty()) {
    std::string_view parameter = TakeUntil(';', parameters);
    if (!http::EqualsIgnoringCase(TakeUntil('=', parameter), name)) continue;
    std::string_view value = Trimmed(parameter);
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
      value = value.substr(1, value.size() - 2);
    }
    return value;
  }
  return std::nullopt;
}

// How exactly a range names a type: 3 the type itself, 2 its first half, 1 anything, 0 not at all.
int Exactness(std::string_view range, std::string_view type) {
  if (http::EqualsIgnoringCase(range, type)) return 3;
  if (range == "*/*") return 1;
  if (!range.ends_with("/*")) return 0;
  const std::string_view half = range.substr(0, range.size() - 1);
  return http::EqualsIgnoringCase(half, type.substr(0, half.size())) ? 2 : 0;
}

// A weight of 0, 0.0 and so on says "not this".
bool IsZero(std::string_view weight) {
  return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

bool Accepts(std::string_view accept, std::string_view type) {
  int best = 0;
  bool is_accepted = false;
  while (!accept.empty()) {
    std::string_view parameters = TakeUntil(',', accept);
    const std::string_view range = TakeUntil(';', parameters);
    const int exactness = Exactness(range, type);
    if (exactness <= best) continue;
    best = exactness;
    const auto weight = FindParameter(parameters, "q");
    is_accepted = !weight || !IsZero(*weight);
  }
  return is_accepted;
}

bool IsMediaType(std::string_view content_type, std::string_view type) {
  if (!http::EqualsIgnoringCase(TakeUntil(';', content_type), type)) return false;
  const auto charset = FindParameter(content_type, "charset");
  return !charset || http::EqualsIgnoringCase(*charset, "utf-8");
}

}  // namespace trestle::platform
