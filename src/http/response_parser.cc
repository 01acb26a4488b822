#include "http/response_parser.h"

#include <algorithm>
#include <charconv>

#include "http/message.h"

namespace trestle::http {
namespace {

constexpr std::size_t kHeadBytesMax = 64UL * 1024;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  });
  return lower;
}

std::optional<std::size_t> ParseSize(std::string_view text, int base) {
  std::size_t size = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, size, base);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return size;
}

}  // namespace

std::optional<std::string_view> ClientResponse::Find(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

ResponseParser::State ResponseParser::Add(std::string_view bytes) {
  if (state_ != State::kReading) return state_;
  waiting_ += bytes;
  while (state_ == State::kReading && Step()) {
  }
  // What follows a response was not asked for.
  if (state_ == State::kComplete && !waiting_.empty()) keeps_alive_ = false;
  return state_;
}

ResponseParser::State ResponseParser::Close() {
  if (state_ != State::kReading) return state_;
  if (part_ != Part::kUntilClose) return Refuse("it ends too early");
  keeps_alive_ = false;
  return state_ = State::kComplete;
}

ResponseParser::State ResponseParser::Refuse(std::string_view why) {
  refusal_ = why;
  return state_ = State::kRefused;
}

// Whether there is more to do with the bytes that are there.
bool ResponseParser::Step() {
  switch (part_) {
    case Part::kHead:
      return ReadHead();
    case Part::kCounted:
      if (!TakeBody(left_)) return false;
      if (left_ == 0) state_ = State::kComplete;
      return false;
    case Part::kUntilClose:
      static_cast<void>(TakeBody(waiting_.size()));
      return false;
    case Part::kChunkSize:
      return ReadChunkSize();
    case Part::kChunk:
      return ReadChunk();
    case Part::kTrailer:
      return ReadTrailer();
  }
  return false;
}

std::optional<std::string> ResponseParser::TakeLine() {
  const std::size_t end = waiting_.find("\r\n");
  const std::size_t size = end == std::string::npos ? waiting_.size() : end + 2;
  if (head_bytes_ + size > kHeadBytesMax) {
    Refuse("its head is too long");
    return std::nullopt;
  }
  if (end == std::string::npos) return std::nullopt;
  head_bytes_ += size;
  std::string line = waiting_.substr(0, end);
  waiting_.erase(0, size);
  return line;
}

bool ResponseParser::ReadHead() {
  const std::optional<std::string> line = TakeLine();
  if (!line) return false;
  if (response_.status == 0) return ReadStatusLine(*line);
  if (!line->empty()) return ReadHeader(*line);
  if (response_.status >= 200) return ChooseFraming();
  response_ = {};
  return true;
}

bool ResponseParser::ReadStatusLine(std::string_view line) {
  constexpr std::string_view kStart = "HTTP/1.";
  constexpr std::size_t kStatusAt = 9;
  const auto status = line.size() >= kStatusAt + 3 && line.starts_with(kStart)
                          ? ParseSize(line.substr(kStatusAt, 3), 10)
                          : std::nullopt;
  if (!status || *status < 100) {
    Refuse("it does not speak HTTP");
    return false;
  }
  response_.status = static_cast<int>(*status);
  keeps_alive_ = line[kStart.size()] != '0';
  return true;
}

bool ResponseParser::ReadHeader(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || line.front() == ' ' ||
      line.front() == '\t') {
    Refuse("a header of it is malformed");
    return false;
  }
  response_.headers.emplace_back(LowerCase(line.substr(0, colon)), Trim(line.substr(colon + 1)));
  return true;
}

bool ResponseParser::ChooseFraming() {
  const auto connection = response_.Find("connection");
  if (connection && EqualsIgnoringCase(*connection, "close")) keeps_alive_ = false;
  if (!MayHaveBody(response_.status)) {
    state_ = State::kComplete;
    return false;
  }
  if (const auto encoding = response_.Find("transfer-encoding")) {
    if (!EqualsIgnoringCase(*encoding, "chunked")) {
      Refuse("its transfer encoding is not known");
      return false;
    }
    part_ = Part::kChunkSize;
    return true;
  }
  if (const auto length = response_.Find("content-length")) {
    const auto size = ParseSize(*length, 10);
    if (!size || *size > body_bytes_max_) {
      Refuse(size ? "it is too long" : "its length is malformed");
      return false;
    }
    left_ = *size;
    part_ = Part::kCounted;
    return true;
  }
  part_ = Part::kUntilClose;
  return true;
}

bool ResponseParser::TakeBody(std::size_t size_max) {
  const std::size_t size = std::min(size_max, waiting_.size());
  if (response_.body.size() + size > body_bytes_max_) {
    Refuse("it is too long");
    return false;
  }
  response_.body.append(waiting_, 0, size);
  waiting_.erase(0, size);
  left_ -= std::min(left_, size);
  return true;
}

bool ResponseParser::ReadChunkSize() {
  const std::optional<std::string> line = TakeLine();
  if (!line) return false;
  const auto size = ParseSize(Trim(std::string_view(*line).substr(0, line->find(';'))), 16);
  if (!size) {
    Refuse("a chunk of it is malformed");
    return false;
  }
  head_bytes_ = 0;
  left_ = *size;
  part_ = left_ == 0 ? Part::kTrailer : Part::kChunk;
  return true;
}

bool ResponseParser::ReadChunk() {
  if (!TakeBody(left_) || left_ > 0 || waiting_.size() < 2) return false;
  if (!waiting_.starts_with("\r\n")) {
    Refuse("a chunk of it is malformed");
    return false;
  }
  waiting_.erase(0, 2);
  part_ = Part::kChunkSize;
  return true;
}

bool ResponseParser::ReadTrailer() {
  const std::optional<std::string> line = TakeLine();
  if (!line) return false;
  if (line->empty()) state_ = State::kComplete;
  return true;
}

}  // namespace trestle::http
