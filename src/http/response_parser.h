#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trestle::http {

struct ClientResponse {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  // The value of the first header of this name, which is in lower case.
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view name) const;
};

// Reads one response from the bytes of a connection (RFC 9112). Interim responses are passed over.
// Pure: the result depends on the bytes alone, not on how they were cut into pieces.
class ResponseParser {
 public:
  enum class State : std::uint8_t { kReading, kComplete, kRefused };

  explicit ResponseParser(std::size_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  // Takes the next bytes. Once it is not kReading, it stays so.
  State Add(std::string_view bytes);
  // The server has closed the connection. Some responses end with that; others are refused.
  State Close();

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] ClientResponse& response() { return response_; }
  // Of kComplete: whether another request may follow on the connection.
  [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }
  // Of kRefused: what was wrong, for people.
  [[nodiscard]] std::string_view refusal() const { return refusal_; }

 private:
  enum class Part : std::uint8_t { kHead, kCounted, kUntilClose, kChunkSize, kChunk, kTrailer };

  State Refuse(std::string_view why);
  [[nodiscard]] bool Step();
  [[nodiscard]] bool ReadHead();
  [[nodiscard]] bool ReadStatusLine(std::string_view line);
  [[nodiscard]] bool ReadHeader(std::string_view line);
  [[nodiscard]] bool ChooseFraming();
  [[nodiscard]] bool TakeBody(std::size_t size_max);
  [[nodiscard]] bool ReadChunkSize();
  [[nodiscard]] bool ReadChunk();
  [[nodiscard]] bool ReadTrailer();
  // A line without its end, once all of it is there.
  [[nodiscard]] std::optional<std::string> TakeLine();

  const std::size_t body_bytes_max_;
  State state_ = State::kReading;
  Part part_ = Part::kHead;
  ClientResponse response_;
  bool keeps_alive_ = false;
  std::string_view refusal_;
  std::string waiting_;         // received and not yet understood
  std::size_t left_ = 0;        // of a counted body or of a chunk
  std::size_t head_bytes_ = 0;  // of heads and trailers so far
};

}  // namespace trestle::http
