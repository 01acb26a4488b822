#include "platform/csv.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "text/unicode.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<std::vector<CsvRow>> ParseCsv(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<CsvRow> rows;
  CsvRow row;
  std::string field;
  bool is_quoted = false;
  const auto end_row = [&] {
    row.push_back(std::exchange(field, {}));
    const bool is_empty = row.size() == 1 && row.front().empty();
    if (!is_empty) rows.push_back(std::move(row));
    row.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_last = i + 1 == text.size();
    if (is_quoted) {
      if (c != '"') {
        field.push_back(c);
      } else if (!is_last && text[i + 1] == '"') {
        field.push_back(c);
        ++i;
      } else {
        is_quoted = false;
      }
    } else if (c == '"' && field.empty()) {
      is_quoted = true;
    } else if (c == ',') {
      row.push_back(std::exchange(field, {}));
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field.push_back(c);
    }
  }
  if (is_quoted) return ValidationError(fmt::format("row {} has an open quote", rows.size() + 1));
  end_row();
  return rows;
}

std::string CsvField(std::string_view text) {
  std::string field(text);
  const bool is_formula =
      !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
  if (is_formula) field.insert(0, "'");
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted.push_back(c);
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::vector<std::string> SplitList(std::string_view field) {
  std::vector<std::string> parts;
  while (!field.empty()) {
    const std::string_view part = field.substr(0, field.find(';'));
    field.remove_prefix(std::min(part.size() + 1, field.size()));
    const std::string_view trimmed = text::Trim(part);
    if (!trimmed.empty()) parts.emplace_back(trimmed);
  }
  return parts;
}

}  // namespace trestle::platform
