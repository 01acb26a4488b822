#include "http/request_parser.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"

namespace trestle::http {
namespace {

constexpr std::size_t kMethodBytesMax = 32;
constexpr std::size_t kChunkLineBytesMax = 256;
constexpr std::size_t kTrailerLineBytesMax = 4096;
constexpr std::size_t kChunkSizeDigitsMax = 16;
constexpr std::uint64_t kOnes = 0x0101010101010101;  // 1 in each byte
constexpr std::uint64_t kHighBits = 0x8080808080808080;

constexpr std::array<bool, 256> MakeTokenTable() {
  std::array<bool, 256> table{};
  for (unsigned c = '0'; c <= '9'; ++c)
    table[c] = true;
  for (unsigned c = 'a'; c <= 'z'; ++c)
    table[c] = table[c - 32] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr std::array<bool, 256> kIsTokenByte = MakeTokenTable();

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return kIsTokenByte[static_cast<unsigned char>(c)];
  });
}

// A header's value: no control characters except the tab.
bool IsFieldText(std::string_view text) {
  const auto is_forbidden = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
  };
  // Eight bytes at a time; the exact test is only needed where a byte is below 0x20 or 0x7f.
  while (text.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    const std::uint64_t delete_as_zero = word ^ (kOnes * 0x7f);
    const std::uint64_t suspects = ((word - kOnes * 0x20) & ~word & kHighBits) |
                                   ((delete_as_zero - kOnes) & ~delete_as_zero & kHighBits);
    if (suspects != 0 && std::ranges::any_of(text.substr(0, 8), is_forbidden)) return false;
    text.remove_prefix(8);
  }
  return std::ranges::none_of(text, is_forbidden);
}

std::string_view TrimBlanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

// The token check also refuses a continuation line and a blank before the colon.
std::optional<Header> SplitHeader(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const Header header = {line.substr(0, colon), TrimBlanks(line.substr(colon + 1))};
  if (!IsToken(header.name) || !IsFieldText(header.value)) return std::nullopt;
  return header;
}

bool ListContains(std::string_view list, std::string_view token) {
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (EqualsIgnoringCase(TrimBlanks(list.substr(0, comma)), token)) return true;
    if (comma == list.size()) return false;
    list.remove_prefix(comma + 1);
  }
}

// Decimal digits only, so neither sign nor list. A number too large to hold becomes the largest.
std::optional<std::size_t> ParseLength(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  std::size_t length = 0;
  for (const char c : text) {
    if (length > (SIZE_MAX - 9) / 10) return SIZE_MAX;
    length = length * 10 + static_cast<std::size_t>(c - '0');
  }
  return length;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

RequestParser::State RequestParser::Parse(char* data, std::size_t& size) {
  bool views_are_valid = false;
  if (state_ == State::kHead) {
    if (!FindHeadEnd(data, size)) return state_;
    if (!ParseHead({data + request_start_, head_bytes_ - request_start_})) return state_;
    if (!CheckFraming()) return state_;
    views_are_valid = true;
    state_ = State::kBody;
    raw_ = head_bytes_;
  }
  if (state_ != State::kBody) return state_;

  if (chunked_) {
    if (!DecodeChunks(data, size)) return state_;
    consumed_ = raw_;
  } else {
    if (size - head_bytes_ < content_length_) return state_;
    decoded_ = content_length_;
    consumed_ = head_bytes_ + content_length_;
  }
  // The bytes may have moved since the headers were read; reading them again is simpler than
  // mending the views, and only bodies that come in pieces pay for it.
  if (!views_are_valid) {
    const bool same = ParseHead({data + request_start_, head_bytes_ - request_start_});
    CHECK(same, "the head changed while the body was read");
  }
  request_.body = {data + head_bytes_, decoded_};
  state_ = State::kComplete;
  return state_;
}

void RequestParser::Reset() {
  state_ = State::kHead;
  consumed_ = request_start_ = line_start_ = scanned_ = head_bytes_ = 0;
  chunk_part_ = ChunkPart::kSize;
  raw_ = decoded_ = chunk_left_ = framing_bytes_ = 0;
}

std::optional<std::size_t> RequestParser::expected_bytes() const {
  if (chunked_) return std::nullopt;
  return head_bytes_ + content_length_;
}

bool RequestParser::Refuse(int status) {
  refusal_status_ = status;
  state_ = State::kRefused;
  return false;
}

// Every line must end with CR LF. Empty lines before the request are skipped (RFC 9112, 2.2).
bool RequestParser::FindHeadEnd(const char* data, std::size_t size) {
  const std::size_t window = std::min(size, limits_.header_bytes_max);
  while (true) {
    const void* const found =
        scanned_ < window ? std::memchr(data + scanned_, '\n', window - scanned_) : nullptr;
    if (found == nullptr) {
      scanned_ = window;
      return size >= limits_.header_bytes_max ? Refuse(431) : false;
    }
    const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - data);
    if (end == line_start_ || data[end - 1] != '\r') return Refuse(400);

    const bool is_empty = end - line_start_ == 1;
    const bool is_first = line_start_ == request_start_;
    line_start_ = scanned_ = end + 1;
    if (!is_empty) continue;
    if (is_first) {
      request_start_ = line_start_;
      continue;
    }
    head_bytes_ = line_start_;
    return true;
  }
}

bool RequestParser::ParseHead(std::string_view head) {
  expects_continue_ = has_host_ = has_length_ = chunked_ = false;
  content_length_ = 0;
  request_.headers.clear();

  const auto take_line = [&head] {
    const std::size_t end = head.find('\n');  // FindHeadEnd has seen it, and the CR before it
    const std::string_view line = head.substr(0, end - 1);
    head.remove_prefix(end + 1);
    return line;
  };
  if (!ParseRequestLine(take_line())) return false;
  for (std::string_view line = take_line(); !line.empty(); line = take_line()) {
    const std::optional<Header> header = SplitHeader(line);
    if (!header) return Refuse(400);
    if (request_.headers.size() == limits_.header_count_max) return Refuse(431);
    request_.headers.push_back(*header);
    if (!TakeHeader(*header)) return false;
  }
  return true;
}

bool RequestParser::ParseRequestLine(std::string_view line) {
  const std::size_t method_end = line.find(' ');
  const std::size_t target_end = line.rfind(' ');
  if (method_end == std::string_view::npos || target_end == method_end) return Refuse(400);
  request_.method = line.substr(0, method_end);
  if (request_.method.size() > kMethodBytesMax || !IsToken(request_.method)) return Refuse(400);

  const std::string_view version = line.substr(target_end + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (version.size() != 8 || !version.starts_with("HTTP/") || !is_digit(version[5]) ||
      version[6] != '.' || !is_digit(version[7])) {
    return Refuse(400);
  }
  if (version[5] != '1') return Refuse(505);
  request_.minor_version = version[7] == '0' ? 0 : 1;
  request_.keep_alive = request_.minor_version == 1;
  return ParseTarget(line.substr(method_end + 1, target_end - method_end - 1));
}

bool RequestParser::ParseTarget(std::string_view target) {
  const auto is_allowed = [](char c) { return c > 0x20 && c < 0x7f && c != '#'; };
  if (target.empty() || !std::ranges::all_of(target, is_allowed)) return Refuse(400);
  request_.target = target;
  request_.query = {};
  if (target == "*") {
    request_.path = target;
    return request_.method == "OPTIONS" ? true : Refuse(400);
  }

  if (target.front() != '/') {
    const std::size_t scheme_end = target.find("://");
    if (scheme_end == std::string_view::npos) return Refuse(400);
    const std::string_view scheme = target.substr(0, scheme_end);
    if (!EqualsIgnoringCase(scheme, "http") && !EqualsIgnoringCase(scheme, "https")) {
      return Refuse(400);
    }
    target.remove_prefix(scheme_end + 3);
    const std::size_t authority_end = std::min(target.find_first_of("/?"), target.size());
    if (authority_end == 0) return Refuse(400);
    target.remove_prefix(authority_end);
  }
  const std::size_t path_end = std::min(target.find('?'), target.size());
  request_.path = path_end == 0 ? std::string_view("/") : target.substr(0, path_end);
  if (path_end < target.size()) request_.query = target.substr(path_end + 1);
  return true;
}

// The headers that decide where this request ends and what becomes of the connection.
bool RequestParser::TakeHeader(const Header& header) {
  switch (header.name.size()) {
    case 4:
      if (!EqualsIgnoringCase(header.name, "host")) return true;
      if (has_host_) return Refuse(400);
      has_host_ = true;
      return true;
    case 6:
      if (!EqualsIgnoringCase(header.name, "expect")) return true;
      if (!EqualsIgnoringCase(header.value, "100-continue")) return Refuse(417);
      expects_continue_ = request_.minor_version == 1;
      return true;
    case 10:
      if (!EqualsIgnoringCase(header.name, "connection")) return true;
      if (ListContains(header.value, "close")) {
        request_.keep_alive = false;
      } else if (request_.minor_version == 0 && ListContains(header.value, "keep-alive")) {
        request_.keep_alive = true;
      }
      return true;
    case 14: {
      if (!EqualsIgnoringCase(header.name, "content-length")) return true;
      const std::optional<std::size_t> length = ParseLength(header.value);
      if (!length || has_length_) return Refuse(400);
      has_length_ = true;
      content_length_ = *length;
      return true;
    }
    case 17:
      if (!EqualsIgnoringCase(header.name, "transfer-encoding")) return true;
      if (chunked_ || request_.minor_version == 0) return Refuse(400);
      if (!EqualsIgnoringCase(header.value, "chunked")) return Refuse(501);
      chunked_ = true;
      return true;
    default:
      return true;
  }
}

bool RequestParser::CheckFraming() {
  if (chunked_ && has_length_) return Refuse(400);
  if (!has_host_ && request_.minor_version == 1) return Refuse(400);
  if (content_length_ > limits_.body_bytes_max) return Refuse(413);
  return true;
}

// Moves each chunk's bytes down to the end of the body so far. True when the last chunk and the
// trailers have been seen.
//
//   data: head | decoded body | (free) | raw, not yet decoded
bool RequestParser::DecodeChunks(char* data, std::size_t& size) {
  bool needs_more = false;
  while (!needs_more) {
    switch (chunk_part_) {
      case ChunkPart::kSize: {
        const auto line = TakeLine(data, size, kChunkLineBytesMax);
        if (line && !TakeChunkSize(*line)) return false;
        needs_more = !line;
        break;
      }
      case ChunkPart::kData: {
        const std::size_t count = std::min(chunk_left_, size - raw_);
        std::memmove(data + head_bytes_ + decoded_, data + raw_, count);
        raw_ += count;
        decoded_ += count;
        chunk_left_ -= count;
        needs_more = chunk_left_ > 0;
        if (!needs_more) chunk_part_ = ChunkPart::kDataEnd;
        break;
      }
      case ChunkPart::kDataEnd:
        if (!std::string_view("\r\n").starts_with(
                {data + raw_, std::min<std::size_t>(size - raw_, 2)})) {
          return Refuse(400);
        }
        needs_more = size - raw_ < 2;
        if (needs_more) break;
        raw_ += 2;
        chunk_part_ = ChunkPart::kSize;
        break;
      case ChunkPart::kTrailer: {
        const auto line = TakeLine(data, size, kTrailerLineBytesMax);
        if (line && line->empty()) return true;
        if (line && !TakeTrailer(*line)) return false;
        needs_more = !line;
        break;
      }
    }
    if (state_ == State::kRefused) return false;
  }
  const std::size_t body_end = head_bytes_ + decoded_;
  std::memmove(data + body_end, data + raw_, size - raw_);
  size -= raw_ - body_end;
  raw_ = body_end;
  return false;
}

// The line at raw_, without its CR LF, and moves past it. Nothing when it has not arrived, or
// when it is refused for its length or for ending without CR.
std::optional<std::string_view> RequestParser::TakeLine(const char* data, std::size_t size,
                                                        std::size_t line_bytes_max) {
  const std::size_t window = std::min(size - raw_, line_bytes_max);
  const std::string_view bytes(data + raw_, window);
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) {
    if (window == line_bytes_max) static_cast<void>(Refuse(400));
    return std::nullopt;
  }
  if (end == 0 || bytes[end - 1] != '\r') {
    static_cast<void>(Refuse(400));
    return std::nullopt;
  }
  raw_ += end + 1;
  return bytes.substr(0, end - 1);
}

bool RequestParser::TakeChunkSize(std::string_view line) {
  std::size_t digit_count = 0;
  std::uint64_t chunk_bytes = 0;
  while (digit_count < line.size() && HexDigit(line[digit_count]) >= 0) {
    if (digit_count == kChunkSizeDigitsMax) return Refuse(400);
    chunk_bytes = chunk_bytes << 4 | static_cast<std::uint64_t>(HexDigit(line[digit_count]));
    ++digit_count;
  }
  const std::string_view extension = line.substr(digit_count);
  if (digit_count == 0 || (!extension.empty() && extension.front() != ';')) return Refuse(400);
  framing_bytes_ += extension.size();
  if (!IsFieldText(extension) || framing_bytes_ > limits_.header_bytes_max) return Refuse(400);

  if (chunk_bytes > limits_.body_bytes_max - decoded_) return Refuse(413);
  chunk_left_ = chunk_bytes;
  chunk_part_ = chunk_bytes == 0 ? ChunkPart::kTrailer : ChunkPart::kData;
  return true;
}

// Trailers are read past: nothing here uses them, and merging them would change signed headers.
bool RequestParser::TakeTrailer(std::string_view line) {
  framing_bytes_ += line.size();
  if (framing_bytes_ > limits_.header_bytes_max) return Refuse(431);
  return SplitHeader(line).has_value() ? true : Refuse(400);
}

}  // namespace trestle::http
