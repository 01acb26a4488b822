#include "web/bundle.h"

#include <array>
#include <charconv>
#include <optional>

namespace trestle::web {
namespace {

constexpr std::size_t kFields = 6;

std::optional<std::size_t> ToNumber(std::string_view text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::array<std::string_view, kFields>> SplitLine(std::string_view line) {
  std::array<std::string_view, kFields> fields;
  for (std::size_t i = 0; i < kFields; ++i) {
    const std::size_t tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == kFields)) return std::nullopt;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(tab == std::string_view::npos ? line.size() : tab + 1);
  }
  return fields;
}

Error NoBundle() { return {ErrorCode::kCorruption, "the pages cannot be read"}; }

// "gzip" in "br;q=1.0, gzip, *;q=0", unless it is refused.
bool Takes(std::string_view accepted, std::string_view encoding) {
  const std::size_t found = accepted.find(encoding);
  if (found == std::string_view::npos) return false;
  return !accepted.substr(found + encoding.size()).starts_with(";q=0,") &&
         accepted.substr(found + encoding.size()) != ";q=0";
}

}  // namespace

Result<Bundle> Bundle::Parse(std::string_view bytes) {
  const std::size_t end =
      bytes.starts_with('\n') ? 0 : bytes.find("\n\n") + 1;  // 0 when it is not found, too
  if (end == 0 && !bytes.starts_with('\n')) return NoBundle();
  std::string_view lines = bytes.substr(0, end);
  const std::string_view contents = bytes.substr(end + 1);

  Bundle bundle;
  while (!lines.empty()) {
    const std::size_t line_end = lines.find('\n');
    const auto fields = SplitLine(lines.substr(0, line_end));
    lines.remove_prefix(line_end + 1);
    if (!fields) return NoBundle();
    const auto& [path, media_type, encoding, hash, offset_text, length_text] = *fields;
    const auto offset = ToNumber(offset_text);
    const auto length = ToNumber(length_text);
    if (!offset || !length || *offset > contents.size() || *length > contents.size() - *offset) {
      return NoBundle();
    }
    bundle.assets_[std::string(path)].push_back(
        {.bytes = contents.substr(*offset, *length),
         .media_type = media_type,
         .encoding = encoding == "-" ? std::string_view() : encoding,
         .hash = hash});
  }
  return bundle;
}

const Asset* Bundle::Find(const Wish& wish) const {
  auto found = assets_.find(wish.path);
  if (found == assets_.end()) {
    const std::size_t slash = wish.path.find('/', 1);
    if (slash == std::string_view::npos) return nullptr;
    found = assets_.find(wish.path.substr(0, slash));
    if (found == assets_.end()) return nullptr;
  }
  for (const Asset& asset : found->second) {
    if (asset.encoding.empty() || Takes(wish.accept_encodings, asset.encoding)) return &asset;
  }
  return nullptr;
}

}  // namespace trestle::web
