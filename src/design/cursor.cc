#include "design/cursor.h"

#include <cstdint>
#include <utility>

#include "base/bytes.h"
#include "base/crypto.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kScopeBytes = 16;
constexpr std::size_t kPlacesMax = 1000;

enum class PlaceTag : std::uint8_t { kStart, kAfter, kEnd };

void AppendBytes(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out += bytes;
}

std::optional<std::string_view> TakeBytes(std::string_view& from) {
  std::uint64_t length = 0;
  if (!TakeVarint(from, length) || length > from.size()) return std::nullopt;
  const std::string_view bytes = from.substr(0, length);
  from.remove_prefix(length);
  return bytes;
}

std::optional<CursorPlace> TakePlace(std::string_view& from) {
  if (from.empty()) return std::nullopt;
  const auto tag = static_cast<PlaceTag>(from.front());
  from.remove_prefix(1);
  if (tag == PlaceTag::kStart) return CursorPlace{};
  if (tag == PlaceTag::kEnd) return CursorPlace{.is_at_end = true};
  if (tag != PlaceTag::kAfter) return std::nullopt;
  const auto item = TakeBytes(from);
  if (!item || !value::CheckItem(*item).ok()) return std::nullopt;
  return CursorPlace{.after = value::Item(std::string(*item))};
}

std::optional<Cursor> Decode(std::string_view text, std::string_view scope) {
  const auto decoded = Base64UrlDecode(text);
  if (!decoded) return std::nullopt;
  std::string_view bytes = *decoded;
  if (bytes.size() < 1 + kScopeBytes || bytes.front() != kFormat) return std::nullopt;
  if (bytes.substr(1, kScopeBytes) != scope) return std::nullopt;
  bytes.remove_prefix(1 + kScopeBytes);

  Cursor cursor;
  std::uint64_t count = 0;
  if (!TakeVarint(bytes, count) || count > kPlacesMax) return std::nullopt;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto place = TakePlace(bytes);
    if (!place) return std::nullopt;
    cursor.places.push_back(*std::move(place));
  }
  const auto order = TakeBytes(bytes);
  if (!order || !bytes.empty()) return std::nullopt;
  cursor.order = *order;
  return cursor;
}

}  // namespace

std::string CursorScope(const Access& access, const Record& arguments, bool is_descending) {
  std::string named;
  AppendBytes(named, access.name);
  named += is_descending ? '-' : '+';
  for (const auto& [name, value] : arguments.attributes()) {
    AppendBytes(named, name);
    AppendBytes(named, value);
  }
  return std::string(AsBytes(Sha256(named)).substr(0, kScopeBytes));
}

std::string EncodeCursor(const Cursor& cursor, std::string_view scope) {
  std::string bytes{kFormat};
  bytes += scope;
  AppendVarint(bytes, cursor.places.size());
  for (const CursorPlace& place : cursor.places) {
    const PlaceTag tag = place.is_at_end ? PlaceTag::kEnd
                         : place.after   ? PlaceTag::kAfter
                                         : PlaceTag::kStart;
    bytes += static_cast<char>(tag);
    if (tag == PlaceTag::kAfter) AppendBytes(bytes, place.after->bytes());
  }
  AppendBytes(bytes, cursor.order);
  return Base64UrlEncode(bytes);
}

Result<Cursor> DecodeCursor(std::string_view text, std::string_view scope) {
  auto cursor = Decode(text, scope);
  if (!cursor) {
    return ValidationError("The cursor is not one of this access pattern with these arguments");
  }
  return *std::move(cursor);
}

}  // namespace trestle::design
