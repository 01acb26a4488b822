#include "apps/library/csv.h"

#include "text/unicode.h"

namespace trestle::apps::library {
namespace {

// Takes a field that begins with a quote; nothing is left when its other quote is missing.
bool TakeQuoted(std::string_view& rest, std::string& field) {
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '"') {
      field.push_back(c);
    } else if (rest.starts_with('"')) {
      field.push_back('"');
      rest.remove_prefix(1);
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace

Result<std::vector<std::vector<std::string>>> ParseCsv(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line;
  while (!text.empty()) {
    std::string field;
    if (text.front() == '"' && !TakeQuoted(text, field)) {
      return Error(ErrorCode::kValidation, "a quote is opened and not closed");
    }
    const std::string_view plain = text.substr(0, text.find_first_of(",\n"));
    field += plain.ends_with('\r') ? plain.substr(0, plain.size() - 1) : plain;
    text.remove_prefix(plain.size());
    const bool ends_line = text.empty() || text.front() == '\n';
    if (!text.empty()) text.remove_prefix(1);
    line.push_back(std::move(field));
    if (!ends_line && !text.empty()) continue;
    if (!ends_line) line.emplace_back();  // a comma at the very end
    if (line.size() > 1 || !line.front().empty()) lines.push_back(std::move(line));
    line.clear();
  }
  return lines;
}

std::vector<std::string> SplitList(std::string_view field) {
  std::vector<std::string> parts;
  while (!field.empty()) {
    const std::string_view part = field.substr(0, field.find(';'));
    field.remove_prefix(part.size() == field.size() ? part.size() : part.size() + 1);
    const std::string_view trimmed = text::Trim(part);
    if (!trimmed.empty()) parts.emplace_back(trimmed);
  }
  return parts;
}

}  // namespace trestle::apps::library
