#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/limits.h"
#include "http/message.h"

namespace trestle::http {

struct ParserLimits {
  std::size_t header_bytes_max = 64UL * 1024;
  std::size_t header_count_max = 200;
  std::size_t body_bytes_max = kRequestBodyBytesMax;
};

// Reads requests from the bytes of a connection (RFC 9112), strictly: what two servers could
// understand in two ways is refused. Pure: the result depends on the bytes alone, not on how they
// were cut into pieces.
class RequestParser {
 public:
  enum class State : std::uint8_t {
    kHead,      // more bytes are needed to end the headers
    kBody,      // the headers are whole, the body is not
    kComplete,  // request() and consumed_bytes() tell
    kRefused,   // answer refusal_status() and close: what follows cannot be trusted
  };

  explicit RequestParser(const ParserLimits& limits) : limits_(limits) {}

  // Looks at everything received since the end of the last request: `size` bytes at `data`. More
  // bytes may have been added since the last call and all may have moved. Chunks are joined in
  // place, so `size` may shrink.
  State Parse(char* data, std::size_t& size);

  // To be called after kComplete, once the request is no longer needed.
  void Reset();

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] Request& request() { return request_; }
  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] std::size_t consumed_bytes() const { return consumed_; }
  [[nodiscard]] int refusal_status() const { return refusal_status_; }

  // In kBody: how the rest arrives.
  [[nodiscard]] bool expects_continue() const { return expects_continue_; }
  [[nodiscard]] bool is_chunked() const { return chunked_; }
  [[nodiscard]] std::size_t head_bytes() const { return head_bytes_; }
  // The size of the whole request, if it is known before its end.
  [[nodiscard]] std::optional<std::size_t> expected_bytes() const;

 private:
  enum class ChunkPart : std::uint8_t { kSize, kData, kDataEnd, kTrailer };

  [[nodiscard]] bool Refuse(int status);
  [[nodiscard]] bool FindHeadEnd(const char* data, std::size_t size);
  [[nodiscard]] bool ParseHead(std::string_view head);
  [[nodiscard]] bool ParseRequestLine(std::string_view line);
  [[nodiscard]] bool ParseTarget(std::string_view target);
  [[nodiscard]] bool TakeHeader(const Header& header);
  [[nodiscard]] bool CheckFraming();
  [[nodiscard]] bool DecodeChunks(char* data, std::size_t& size);
  [[nodiscard]] bool TakeChunkSize(std::string_view line);
  [[nodiscard]] bool TakeTrailer(std::string_view line);
  [[nodiscard]] std::optional<std::string_view> TakeLine(const char* data, std::size_t size,
                                                         std::size_t line_bytes_max);

  const ParserLimits limits_;
  Request request_;
  State state_ = State::kHead;
  int refusal_status_ = 0;
  std::size_t consumed_ = 0;

  std::size_t request_start_ = 0;  // after the empty lines that may come before
  std::size_t line_start_ = 0;     // of the line whose end is being looked for
  std::size_t scanned_ = 0;        // no line ends in [line_start_, scanned_)
  std::size_t head_bytes_ = 0;     // including the empty lines before and after

  bool expects_continue_ = false;
  bool has_host_ = false;
  bool has_length_ = false;
  bool chunked_ = false;
  std::size_t content_length_ = 0;

  ChunkPart chunk_part_ = ChunkPart::kSize;
  std::size_t raw_ = 0;            // where the part that is not yet decoded begins
  std::size_t decoded_ = 0;        // body bytes, which stand right after the head
  std::size_t chunk_left_ = 0;     // of the chunk that is being read
  std::size_t framing_bytes_ = 0;  // extensions and trailers so far
};

}  // namespace trestle::http
