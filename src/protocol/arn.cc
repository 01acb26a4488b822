#include "protocol/arn.h"

#include <algorithm>

#include <fmt/format.h>

namespace trestle::protocol {
namespace {

// Takes what is before the next `separator`, and the separator. Nothing when there is none.
std::optional<std::string_view> TakeUntil(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end + 1);
  return taken;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

bool IsRegionCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

Error InvalidTableArn(std::string_view arn) {
  return ValidationError(
      fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", arn));
}

}  // namespace

std::string TableArn(const ArnScope& scope, std::string_view table) {
  return fmt::format("arn:aws:dynamodb:{}:{}:table/{}", scope.region, scope.account_id, table);
}

std::string IndexArn(const ArnScope& scope, std::string_view table, std::string_view index) {
  return fmt::format("{}/index/{}", TableArn(scope, table), index);
}

std::string StreamArn(const ArnScope& scope, std::string_view table, std::string_view label) {
  return fmt::format("{}/stream/{}", TableArn(scope, table), label);
}

std::optional<ArnView> ParseArn(std::string_view text) {
  if (!TakePrefix(text, "arn:aws:dynamodb:")) return std::nullopt;
  const auto region = TakeUntil(text, ':');
  const auto account_id = TakeUntil(text, ':');
  if (!region || !std::ranges::all_of(*region, IsRegionCharacter)) return std::nullopt;
  if (!account_id || !std::ranges::all_of(*account_id, IsDigit)) return std::nullopt;
  if (region->empty() || account_id->empty() || !TakePrefix(text, "table/")) return std::nullopt;

  ArnView arn{.region = *region, .account_id = *account_id, .table = text};
  if (const auto table = TakeUntil(text, '/')) {
    arn.table = *table;
    if (TakePrefix(text, "index/")) {
      arn.index = text;
      if (!IsTableName(arn.index)) return std::nullopt;
    } else if (TakePrefix(text, "stream/") && !text.empty()) {
      arn.stream_label = text;
    } else {
      return std::nullopt;
    }
  }
  if (!IsTableName(arn.table)) return std::nullopt;
  return arn;
}

Result<std::string_view> TableNameOf(std::string_view name_or_arn, std::string_view account_id) {
  if (!name_or_arn.starts_with("arn:")) return name_or_arn;
  const auto arn = ParseArn(name_or_arn);
  if (!arn || !arn->index.empty() || !arn->stream_label.empty()) {
    return InvalidTableArn(name_or_arn);
  }
  if (arn->account_id != account_id) {
    return Error(ErrorCode::kAccessDenied,
                 fmt::format("User: arn:aws:iam::{}:root is not authorized to access resource: {}",
                             account_id, name_or_arn));
  }
  return arn->table;
}

bool IsTableName(std::string_view name) {
  return name.size() >= 3 && name.size() <= 255 && std::ranges::all_of(name, IsNameCharacter);
}

}  // namespace trestle::protocol
