#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// The names by which tables, indexes and streams are known outside of their account.
//
//   table   arn:aws:dynamodb:<region>:<account id>:table/<table>
//   index   <table>/index/<index>
//   stream  <table>/stream/<label>       the label is the time it was enabled

namespace trestle::protocol {

// Where this server says its resources are.
struct ArnScope {
  std::string_view region;
  std::string_view account_id;
};

[[nodiscard]] std::string TableArn(const ArnScope& scope, std::string_view table);
[[nodiscard]] std::string IndexArn(const ArnScope& scope, std::string_view table,
                                   std::string_view index);
[[nodiscard]] std::string StreamArn(const ArnScope& scope, std::string_view table,
                                    std::string_view label);

// An ARN taken apart; looks into its text. At most one of `index` and `stream_label` is set.
struct ArnView {
  std::string_view region;
  std::string_view account_id;
  std::string_view table;
  std::string_view index;
  std::string_view stream_label;
};

// Nothing when `text` is not the ARN of a table, an index or a stream.
[[nodiscard]] std::optional<ArnView> ParseArn(std::string_view text);

// The table that a TableName means: itself, or what the table ARN in its place names, whatever
// its region. Fails with kValidation for another kind of ARN, with kAccessDenied for a table of
// another account. A plain name is not judged here. The result looks into `name_or_arn`.
[[nodiscard]] Result<std::string_view> TableNameOf(std::string_view name_or_arn,
                                                   std::string_view account_id);

// 3 to 255 of a-z, A-Z, 0-9, '_', '-' and '.'.
[[nodiscard]] bool IsTableName(std::string_view name);

}  // namespace trestle::protocol
