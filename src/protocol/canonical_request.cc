#include "protocol/canonical_request.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

#include <fmt/format.h>

#include "base/crypto.h"

namespace trestle::protocol {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; }

bool EqualsIgnoringCase(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i] && Lower(left[i]) != Lower(right[i])) return false;
  }
  return true;
}

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered)
    c = Lower(c);
  return lowered;
}

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

void AppendPercentEncoded(char c, std::string& out) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += {'%', kHex[byte >> 4], kHex[byte & 15]};
}

std::string PercentEncoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded.push_back(c);
    } else {
      AppendPercentEncoded(c, encoded);
    }
  }
  return encoded;
}

// A '%' that two hexadecimal digits do not follow stands for itself.
std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte =
        text[i] == '%' && i + 2 < text.size() ? HexDecode(text.substr(i + 1, 2)) : std::nullopt;
    decoded += byte ? *byte : std::string(1, text[i]);
    if (byte) i += 2;
  }
  return decoded;
}

// The path without "." and ".." and empty segments, percent-encoded once more than it was sent:
// so every service signs it, except S3.
void AppendCanonicalPath(std::string_view path, std::string& out) {
  if (path.size() <= 1) {
    out += "/";
    return;
  }
  std::vector<std::string_view> segments;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
    begin = end + 1;
  }
  for (const std::string_view segment : segments) {
    out += "/";
    out += PercentEncoded(segment);
  }
  if (segments.empty() || path.ends_with('/')) out += "/";
}

void AppendCanonicalQuery(std::string_view query, std::string& out) {
  if (query.empty()) return;
  QueryParameters parameters = ParseQuery(query);
  std::erase_if(parameters, [](const auto& it) { return it.first == "X-Amz-Signature"; });
  for (auto& [name, value] : parameters) {
    name = PercentEncoded(name);
    value = PercentEncoded(value);
  }
  std::ranges::sort(parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) out += "&";
    out += parameters[i].first;
    out += "=";
    out += parameters[i].second;
  }
}

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Without blanks at its ends, and with one blank for each run of them.
void AppendTrimmed(std::string_view value, std::string& out) {
  const bool has_blanks = value.find(' ') != value.npos || value.find('\t') != value.npos;
  if (!has_blanks) {
    out += value;
    return;
  }
  const auto skip = [&](std::size_t at, bool blanks) {
    while (at < value.size() && IsBlank(value[at]) == blanks)
      ++at;
    return at;
  };
  std::size_t begin = skip(0, true);
  while (begin < value.size()) {
    const std::size_t end = skip(begin, false);
    out += value.substr(begin, end - begin);
    begin = skip(end, true);
    if (begin < value.size()) out += " ";
  }
}

void AppendCanonicalHeader(std::span<const HeaderView> headers, std::string_view lower_name,
                           std::string& out) {
  out += lower_name;
  out += ":";
  bool needs_comma = false;
  for (const HeaderView& header : headers) {
    if (!EqualsIgnoringCase(header.name, lower_name)) continue;
    if (needs_comma) out += ",";
    needs_comma = true;
    AppendTrimmed(header.value, out);
  }
  out += "\n";
}

// `count` digits at the front of `text`, which are removed. Nothing when there are fewer.
std::optional<int> TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

struct DateAndTime {
  std::optional<int> year, month, day, hour, minute, second;
};

std::optional<std::int64_t> UnixSeconds(const DateAndTime& it) {
  if (!it.year || !it.month || !it.day || !it.hour || !it.minute || !it.second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*it.year),
                                         std::chrono::month(static_cast<unsigned>(*it.month)),
                                         std::chrono::day(static_cast<unsigned>(*it.day))};
  if (!date.ok() || *it.hour > 23 || *it.minute > 59 || *it.second > 60) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400 + *it.hour * 3600 + *it.minute * 60 + *it.second;
}

}  // namespace

std::optional<std::string_view> FindHeader(std::span<const HeaderView> headers,
                                           std::string_view name) {
  for (const HeaderView& header : headers) {
    if (EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

QueryParameters ParseQuery(std::string_view query) {
  QueryParameters parameters;
  for (std::size_t begin = 0; begin < query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view pair = query.substr(begin, end - begin);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (!pair.empty()) {
      parameters.emplace_back(PercentDecoded(pair.substr(0, equals)),
                              PercentDecoded(pair.substr(std::min(equals + 1, pair.size()))));
    }
    begin = end + 1;
  }
  return parameters;
}

std::string CanonicalRequest(const RequestView& request, std::string_view signed_headers,
                             std::string_view body_sha256_hex) {
  std::string text;
  text.reserve(1024);
  text += request.method;
  text += "\n";
  AppendCanonicalPath(request.path, text);
  text += "\n";
  AppendCanonicalQuery(request.query, text);
  text += "\n";
  const std::string lowered = Lowered(signed_headers);
  const std::string_view names = lowered;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(';', begin), names.size());
    AppendCanonicalHeader(request.headers, names.substr(begin, end - begin), text);
    begin = end + 1;
  }
  text += "\n";
  text += names;
  text += "\n";
  text += body_sha256_hex;
  return text;
}

std::string StringToSign(std::string_view timestamp, std::string_view scope,
                         std::string_view canonical_request) {
  std::string text;
  text.reserve(192);
  text += "AWS4-HMAC-SHA256\n";
  text += timestamp;
  text += "\n";
  text += scope;
  text += "\n";
  text += HexEncode(AsBytes(Sha256(canonical_request)));
  return text;
}

std::string TimestampOf(std::int64_t unix_s) {
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_s)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()), clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

std::optional<std::int64_t> ParseTimestamp(std::string_view text) {
  DateAndTime it;
  it.year = TakeDigits(text, 4);
  it.month = TakeDigits(text, 2);
  it.day = TakeDigits(text, 2);
  if (!TakePrefix(text, "T")) return std::nullopt;
  it.hour = TakeDigits(text, 2);
  it.minute = TakeDigits(text, 2);
  it.second = TakeDigits(text, 2);
  if (text != "Z") return std::nullopt;
  return UnixSeconds(it);
}

std::optional<std::int64_t> ParseHttpDate(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::size_t comma = text.find(", ");
  if (comma == std::string_view::npos) return std::nullopt;
  text.remove_prefix(comma + 2);

  DateAndTime it;
  it.day = TakeDigits(text, 2);
  if (!TakePrefix(text, " ")) return std::nullopt;
  const auto month = std::ranges::find(kMonths, text.substr(0, 3));
  if (month == kMonths.end()) return std::nullopt;
  it.month = static_cast<int>(month - kMonths.begin()) + 1;
  text.remove_prefix(3);
  if (!TakePrefix(text, " ")) return std::nullopt;
  it.year = TakeDigits(text, 4);
  if (!TakePrefix(text, " ")) return std::nullopt;
  it.hour = TakeDigits(text, 2);
  if (!TakePrefix(text, ":")) return std::nullopt;
  it.minute = TakeDigits(text, 2);
  if (!TakePrefix(text, ":")) return std::nullopt;
  it.second = TakeDigits(text, 2);
  if (text != " GMT" && text != " +0000" && text != " -0000") return std::nullopt;
  return UnixSeconds(it);
}

}  // namespace trestle::protocol
