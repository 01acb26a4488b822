#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/tls.h"
#include "http/buffer_internal.h"
#include "http/event_loop_internal.h"
#include "http/request_parser.h"
#include "http/stream_internal.h"

namespace trestle::http {

// One client. Requests are answered strictly in order: while one waits for its response the next
// ones stay in the buffer, and once that is full, in the socket.
//
// A connection whose socket was closed lives on until its Exchange is gone, because the handler
// may still look into the request.
class Connection {
 public:
  Connection(EventLoop& loop, UniqueFd socket, std::string peer, std::unique_ptr<TlsStream> tls);

  // Each of these four may end the connection; the loop then asks IsFinished.
  void OnEvents(std::uint32_t events);
  void Answer();  // after AnswerLater; Resume sends it
  void Resume();  // after Queue, too
  void OnTimer();

  // From Exchange.
  void Reply(Response&& response);
  void Reply(const ResponseView& response);
  [[nodiscard]] std::shared_ptr<StreamState> ReplyInPieces(const Response& head);
  [[nodiscard]] EventLoop& loop() { return loop_; }

  // Of the stream that the connection has, if any (stream.cc).
  void SendPieces();
  void EndStream();   // as complete
  void LoseStream();  // nobody reads it any more

  // During a drain: ends the connection if nothing was asked on it.
  void CloseIfIdle();

  [[nodiscard]] bool IsFinished() const { return socket_.get() < 0 && !is_pending_ && !is_queued; }

  // The loop's own notes.
  bool is_queued = false;
  std::size_t slot = 0;

 private:
  // What the connection waits for, which decides how long it may.
  enum class Wait : std::uint8_t { kIdle, kHead, kBody, kHandler, kStream, kWrite, kLinger };

  [[nodiscard]] bool ShakeHands();
  void Receive();
  [[nodiscard]] bool MakeRoom();
  [[nodiscard]] std::size_t NextCapacity() const;
  [[nodiscard]] bool ReserveInput(std::size_t capacity);

  void Advance();
  [[nodiscard]] bool ProcessRequests();
  void HandleRequest();
  void AskForBody();
  void Refuse(int status);
  [[nodiscard]] bool BeginReply(const ResponseView& response,
                                std::optional<std::size_t> body_bytes);
  void AppendPiece(std::string_view text);
  [[nodiscard]] bool SendsBody(int status) const;
  void EndReply();

  [[nodiscard]] bool Flush();
  [[nodiscard]] bool SendSome();
  [[nodiscard]] std::size_t unsent_bytes() const {
    return out_.size() + out_body_.size() - out_sent_;
  }
  [[nodiscard]] bool IsOutputFull() const;
  // Whether the bytes that were read wait for a response before them.
  [[nodiscard]] bool IsInputHeld() const {
    return is_pending_ || stream_ != nullptr || IsOutputFull();
  }

  void UpdateInterest();
  void SetInterest(std::uint32_t events);
  void UpdateWait();
  [[nodiscard]] std::int64_t AllowedMs() const;
  void TimeOut();
  void BeginLinger();
  void Discard();
  void Close();

  EventLoop& loop_;
  const std::string peer_;
  UniqueFd socket_;
  std::unique_ptr<TlsStream> tls_;

  RequestParser parser_;
  InputBuffer in_;
  std::string out_;       // heads and small bodies, then:
  std::string out_body_;  // at most one large body, moved in
  std::size_t out_sent_ = 0;
  Reservation in_reservation_;
  Reservation chunked_reservation_;
  Reservation out_reservation_;
  std::shared_ptr<StreamState> stream_;  // while a response is sent in pieces

  std::uint32_t interest_ = 0;
  bool is_handshaking_;
  bool is_fresh_ = true;  // has asked nothing yet
  bool tls_wants_write_ = false;
  bool is_pending_ = false;       // an Exchange is out
  bool is_processing_ = false;    // inside ProcessRequests
  bool is_read_blocked_ = false;  // bytes wait in the socket, and there is no room
  bool is_eof_ = false;           // the client will send no more
  bool is_closing_ = false;       // what is in out_ is the last we say
  bool is_lingering_ = false;
  bool has_asked_for_body_ = false;
  bool is_chunked_ = false;    // of the stream: its pieces are chunks
  bool closes_after_ = false;  // of the stream

  Wait wait_ = Wait::kHead;
  std::int64_t wait_started_ms_;
  std::uint64_t wait_bytes_ = 0;  // moved during this wait
};

}  // namespace trestle::http
