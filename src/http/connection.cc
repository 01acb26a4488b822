#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/check.h"
#include "http/connection_internal.h"

namespace trestle::http {
namespace {

constexpr std::size_t kFirstCapacity = 4096;
constexpr std::size_t kReadBytesMin = 1024;  // less room than this is not worth a system call
constexpr std::size_t kSmallBufferBytes = 64UL * 1024;  // what a connection may keep for ever
constexpr std::size_t kLargeBodyBytes = 16UL * 1024;    // moved instead of copied
constexpr std::size_t kOutputBytesMax = 256UL * 1024;
constexpr int kRequestsPerTurn = 32;
constexpr std::int64_t kIdleReleaseMs = 5'000;
constexpr std::int64_t kIdleWhenFullMs = 1'000;
constexpr std::int64_t kLingerWhenDrainingMs = 250;
constexpr std::size_t kDiscardBytesAtOnce = 1024UL * 1024;
constexpr std::size_t kDiscardBytesMax = 64UL * 1024 * 1024;

ParserLimits LimitsOf(const ServerOptions& options) {
  return {.header_bytes_max = options.header_bytes_max,
          .header_count_max = options.header_count_max,
          .body_bytes_max = options.body_bytes_max};
}

ssize_t SendBoth(int socket, std::string_view head, std::string_view body) {
  std::array<iovec, 2> parts = {iovec{const_cast<char*>(head.data()), head.size()},
                                iovec{const_cast<char*>(body.data()), body.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  return ::sendmsg(socket, &message, MSG_NOSIGNAL);
}

}  // namespace

Connection::Connection(EventLoop& loop, UniqueFd socket, std::string peer,
                       std::unique_ptr<TlsStream> tls)
    : loop_(loop),
      peer_(std::move(peer)),
      socket_(std::move(socket)),
      tls_(std::move(tls)),
      parser_(LimitsOf(loop.shared().options)),
      in_reservation_(loop.shared().buffered),
      chunked_reservation_(loop.shared().chunked),
      out_reservation_(loop.shared().buffered),
      is_handshaking_(tls_ != nullptr),
      wait_started_ms_(loop.now_ms()) {
  interest_ = EPOLLIN;
  loop_.Watch(socket_.get(), *this, interest_);
}

void Connection::OnEvents(std::uint32_t events) {
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) return Close();
  if (is_lingering_) return Discard();
  if (is_handshaking_ && !ShakeHands()) return;
  // What a TLS session waits for on the socket need not be what we want from the session.
  if ((events & EPOLLIN) != 0 || tls_ != nullptr) Receive();
  const bool has_only_read = tls_ == nullptr && socket_.get() >= 0 && unsent_bytes() == 0;
  return has_only_read ? loop_.AnswerLater(*this) : Advance();
}

void Connection::Answer() {
  if (socket_.get() < 0 || is_lingering_) return;  // since it read
  static_cast<void>(ProcessRequests());
  if (unsent_bytes() > kLargeBodyBytes) Advance();  // a large one does not wait in memory
}

void Connection::Resume() {
  if (socket_.get() < 0 || is_lingering_) return;
  if (tls_ != nullptr && !is_handshaking_) Receive();
  Advance();
}

bool Connection::ShakeHands() {
  switch (tls_->Handshake().outcome) {
    case TlsOutcome::kDone:
      is_handshaking_ = false;
      return true;
    case TlsOutcome::kWantRead:
      SetInterest(EPOLLIN);
      return false;
    case TlsOutcome::kWantWrite:
      SetInterest(EPOLLOUT);
      return false;
    case TlsOutcome::kClosed:
    case TlsOutcome::kError:
      Close();
      return false;
  }
  UNREACHABLE("an outcome that is not in the enum");
}

// One read. The epoll is level-triggered, so what is left is reported again.
void Connection::Receive() {
  if (is_eof_ || is_closing_ || socket_.get() < 0 || !MakeRoom()) return;
  const std::span<char> room = in_.Spare();
  std::size_t received = 0;
  if (tls_ != nullptr) {
    const TlsResult result = tls_->Read(room);
    tls_wants_write_ = result.outcome == TlsOutcome::kWantWrite;
    if (result.outcome == TlsOutcome::kError) return Close();
    is_eof_ = result.outcome == TlsOutcome::kClosed;
    received = result.bytes;
    // The session may hold bytes that the socket no longer has, and so does not report.
    if (tls_->HasPending()) loop_.Queue(*this);
  } else {
    const ssize_t result = ::recv(socket_.get(), room.data(), room.size(), 0);
    if (result < 0 && errno != EAGAIN && errno != EINTR) return Close();
    is_eof_ = result == 0;
    received = result > 0 ? static_cast<std::size_t>(result) : 0;
  }
  in_.Added(received);
  wait_bytes_ += received;
  loop_.counters().received_bytes.Add(received);
}

bool Connection::MakeRoom() {
  if (in_.Spare().size() >= kReadBytesMin) return true;
  if (IsInputHeld() &&
      in_.capacity() > 0) {  // the handler looks into these bytes: they must stay where they are
    is_read_blocked_ = in_.Spare().empty();
    return !is_read_blocked_;
  }
  in_.MoveToFront();
  if (in_.Spare().size() >= kReadBytesMin) return true;
  const std::size_t capacity = NextCapacity();
  if (capacity > in_.capacity() && (!ReserveInput(capacity) || !in_.Resize(capacity))) {
    Refuse(503);
    return false;
  }
  return true;
}

std::size_t Connection::NextCapacity() const {
  const std::size_t doubled = std::max(kFirstCapacity, 2 * in_.capacity());
  if (parser_.state() != RequestParser::State::kBody) return doubled;
  const std::size_t longest_bytes =
      parser_.head_bytes() + loop_.shared().options.body_bytes_max + kFirstCapacity;
  return std::min(doubled, parser_.expected_bytes().value_or(longest_bytes));
}

bool Connection::ReserveInput(std::size_t capacity) {
  const std::size_t bytes = capacity > kSmallBufferBytes ? capacity : 0;
  const bool is_chunked = parser_.state() == RequestParser::State::kBody && parser_.is_chunked();
  return in_reservation_.Resize(bytes) && chunked_reservation_.Resize(is_chunked ? bytes : 0);
}

// Does whatever can be done without waiting.
void Connection::Advance() {
  if (socket_.get() < 0) return;
  while (true) {
    const bool was_full = ProcessRequests();
    if (!Flush()) return;
    if (!was_full || unsent_bytes() > 0) break;
  }
  if (stream_ != nullptr) stream_->SetUnsent(unsent_bytes());
  if (is_eof_ && !is_pending_ && !is_queued && unsent_bytes() == 0) return Close();
  UpdateInterest();
  UpdateWait();
}

// Answers the requests in the buffer. True when it stopped because too much waits to be sent.
bool Connection::ProcessRequests() {
  is_processing_ = true;
  int requests_left = kRequestsPerTurn;
  while (!IsInputHeld() && !is_closing_ && !in_.empty()) {
    if (requests_left-- == 0) {
      loop_.Queue(*this);
      break;
    }
    std::size_t size_bytes = in_.size();
    const RequestParser::State state = parser_.Parse(in_.data(), size_bytes);
    in_.Truncate(size_bytes);
    if (state == RequestParser::State::kComplete) {
      HandleRequest();
      continue;
    }
    if (state == RequestParser::State::kRefused) Refuse(parser_.refusal_status());
    if (state == RequestParser::State::kBody) AskForBody();
    break;
  }
  is_processing_ = false;
  return IsOutputFull();
}

void Connection::HandleRequest() {
  is_pending_ = true;
  is_fresh_ = false;
  has_asked_for_body_ = false;
  wait_ = Wait::kHandler;
  loop_.counters().requests.Add(1);
  parser_.request().peer = peer_;
  loop_.shared().handler.Handle(parser_.request(), Exchange(*this));
}

void Connection::AskForBody() {
  if (!parser_.expects_continue() || has_asked_for_body_) return;
  has_asked_for_body_ = true;
  // A client that has begun its body no longer waits for this.
  if (in_.size() == parser_.head_bytes()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
}

// Answers a request that the handler does not see. The rest of the input is never read as a
// request: nobody knows where the next one would begin.
void Connection::Refuse(int status) {
  if (stream_ != nullptr) return Close();  // another answer is under way
  is_closing_ = true;
  loop_.counters().refused_requests.Add(1);
  const Response response = loop_.shared().handler.Refusal(status);
  AppendHead({.status = status,
              .date_line = loop_.date_line(),
              .content_type = response.content_type,
              .body_bytes = response.body.size(),
              .connection = "close"},
             out_);
  for (const auto& [name, value] : response.headers)
    AppendHeader(name, value, out_);
  out_ += "\r\n";
  out_ += response.body;
}

void Connection::Reply(Response&& response) {
  if (!BeginReply({.status = response.status,
                   .content_type = response.content_type,
                   .body = {},
                   .headers = {},
                   .close = response.close},
                  response.body.size())) {
    return;
  }
  for (const auto& [name, value] : response.headers)
    AppendHeader(name, value, out_);
  out_ += "\r\n";
  if (SendsBody(response.status)) {
    if (response.body.size() >= kLargeBodyBytes) {
      out_body_ = std::move(response.body);
    } else {
      out_ += response.body;
    }
  }
  EndReply();
}

void Connection::Reply(const ResponseView& response) {
  if (!BeginReply(response, response.body.size())) return;
  for (const Header& header : response.headers)
    AppendHeader(header.name, header.value, out_);
  out_ += "\r\n";
  if (SendsBody(response.status)) out_ += response.body;
  EndReply();
}

// Writes the head, except for the response's own headers. False when nobody waits for it.
bool Connection::BeginReply(const ResponseView& response, std::optional<std::size_t> body_bytes) {
  CHECK(is_pending_, "a reply without a request");
  if (socket_.get() < 0) {
    is_pending_ = false;
    loop_.Queue(*this);  // which removes it
    return false;
  }
  const Request& request = parser_.request();
  is_closing_ = !request.keep_alive || response.close || loop_.is_draining();
  const std::string_view kept = request.minor_version == 0 ? "keep-alive" : "";
  AppendHead({.status = response.status,
              .date_line = loop_.date_line(),
              .content_type = response.content_type,
              .body_bytes = body_bytes,
              .connection = is_closing_ ? "close" : kept},
             out_);
  return true;
}

bool Connection::SendsBody(int status) const {
  return MayHaveBody(status) && parser_.request().method != "HEAD";
}

void Connection::EndReply() {
  is_pending_ = false;
  in_.Consume(parser_.consumed_bytes());
  parser_.Reset();
  if (in_.capacity() > kSmallBufferBytes) {
    if (in_.empty()) {
      in_.Release();
    } else {
      static_cast<void>(in_.Resize(std::max(kFirstCapacity, in_.size())));
    }
    static_cast<void>(ReserveInput(in_.capacity()));
  }
  if (!is_processing_) loop_.Queue(*this);
}

// Sends what it can. False when that ended the conversation.
bool Connection::Flush() {
  while (unsent_bytes() > 0 && SendSome()) {
  }
  if (socket_.get() < 0) return false;
  const std::size_t kept_bytes = out_.capacity() + out_body_.capacity();
  if (unsent_bytes() > 0) {
    if (out_reservation_.Resize(kept_bytes > kSmallBufferBytes ? kept_bytes : 0)) return true;
    Close();
    return false;
  }

  out_sent_ = 0;
  out_.clear();
  if (kept_bytes > kSmallBufferBytes) out_ = std::string();
  if (!out_body_.empty()) out_body_ = std::string();
  static_cast<void>(out_reservation_.Resize(0));
  if (!is_closing_) return true;
  BeginLinger();
  return false;
}

// One write. False when the socket takes no more, or is closed.
bool Connection::SendSome() {
  const std::string_view head = std::string_view(out_).substr(std::min(out_sent_, out_.size()));
  const std::size_t body_sent = out_sent_ - std::min(out_sent_, out_.size());
  const std::string_view body = std::string_view(out_body_).substr(body_sent);
  std::size_t sent = 0;
  if (tls_ != nullptr) {
    const TlsResult result = tls_->Write(head.empty() ? body : head);
    if (result.outcome == TlsOutcome::kClosed || result.outcome == TlsOutcome::kError) Close();
    if (result.outcome != TlsOutcome::kDone) return false;
    sent = result.bytes;
  } else {
    const ssize_t result = body.empty()
                               ? ::send(socket_.get(), head.data(), head.size(), MSG_NOSIGNAL)
                               : SendBoth(socket_.get(), head, body);
    if (result < 0) {
      if (errno != EAGAIN && errno != EINTR) Close();
      return errno == EINTR;
    }
    sent = static_cast<std::size_t>(result);
  }
  out_sent_ += sent;
  wait_bytes_ += sent;
  loop_.counters().sent_bytes.Add(sent);
  return true;
}

bool Connection::IsOutputFull() const {
  return !out_body_.empty() || unsent_bytes() > kOutputBytesMax;
}

void Connection::UpdateInterest() {
  if (is_read_blocked_ && !IsInputHeld()) {
    is_read_blocked_ = false;
    if (tls_ != nullptr) loop_.Queue(*this);
  }
  std::uint32_t events = 0;
  if (!is_eof_ && !is_read_blocked_ && !is_closing_) events |= EPOLLIN;
  if (unsent_bytes() > 0 || tls_wants_write_) events |= EPOLLOUT;
  SetInterest(events);
}

void Connection::SetInterest(std::uint32_t events) {
  if (events == interest_) return;
  interest_ = events;
  loop_.Rewatch(socket_.get(), *this, events);
}

void Connection::UpdateWait() {
  Wait wait = in_.empty() && !is_fresh_ ? Wait::kIdle : Wait::kHead;
  if (parser_.state() == RequestParser::State::kBody) wait = Wait::kBody;
  if (is_pending_) wait = Wait::kHandler;
  if (stream_ != nullptr) wait = Wait::kStream;
  if (unsent_bytes() > 0) wait = Wait::kWrite;
  if (wait == wait_) return;
  wait_ = wait;
  wait_started_ms_ = loop_.now_ms();
  wait_bytes_ = 0;
}

std::int64_t Connection::AllowedMs() const {
  const ServerOptions& options = loop_.shared().options;
  const std::int64_t for_bytes_ms =
      static_cast<std::int64_t>(wait_bytes_) * 1000 / options.bytes_per_second_min;
  switch (wait_) {
    case Wait::kIdle:
      return loop_.shared().is_full ? std::min(options.idle_timeout_ms, kIdleWhenFullMs)
                                    : options.idle_timeout_ms;
    case Wait::kHead:
      return options.header_timeout_ms;
    case Wait::kBody:
      return options.body_timeout_ms + for_bytes_ms;
    case Wait::kHandler:
      return INT64_MAX;
    case Wait::kStream:
      return options.idle_timeout_ms;
    case Wait::kWrite:
      return options.write_timeout_ms + for_bytes_ms;
    case Wait::kLinger:
      return loop_.is_draining() ? std::min(options.linger_timeout_ms, kLingerWhenDrainingMs)
                                 : options.linger_timeout_ms;
  }
  UNREACHABLE("a wait that is not in the enum");
}

void Connection::OnTimer() {
  if (socket_.get() < 0) return;
  const std::int64_t waited_ms = loop_.now_ms() - wait_started_ms_;
  if (waited_ms > AllowedMs()) return TimeOut();
  if (wait_ == Wait::kIdle && waited_ms > kIdleReleaseMs && in_.empty()) {
    in_.Release();
    out_ = std::string();
  }
}

void Connection::TimeOut() {
  const bool has_begun = (wait_ == Wait::kHead || wait_ == Wait::kBody) && !in_.empty();
  if (!has_begun) return Close();
  Refuse(408);
  Advance();
}

void Connection::CloseIfIdle() {
  const bool is_idle = wait_ == Wait::kIdle || (wait_ == Wait::kHead && in_.empty());
  if (socket_.get() >= 0 && is_idle) BeginLinger();
}

// To close a socket that holds unread bytes resets the connection, and the client may lose the
// response that is on its way. So we end our half only, and read on until the client has ended its.
void Connection::BeginLinger() {
  if (is_eof_) return Close();
  if (tls_ != nullptr) tls_->SendClose();
  ::shutdown(socket_.get(), SHUT_WR);
  is_lingering_ = true;
  in_.Truncate(0);
  in_.Release();
  static_cast<void>(ReserveInput(0));
  wait_ = Wait::kLinger;
  wait_started_ms_ = loop_.now_ms();
  wait_bytes_ = 0;
  SetInterest(EPOLLIN);
}

void Connection::Discard() {
  // With MSG_TRUNC a TCP socket drops the bytes without copying them anywhere.
  const ssize_t result = ::recv(socket_.get(), nullptr, kDiscardBytesAtOnce, MSG_TRUNC);
  if (result < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (result > 0) wait_bytes_ += static_cast<std::size_t>(result);
  if (result <= 0 || wait_bytes_ > kDiscardBytesMax) Close();
}

void Connection::Close() {
  if (socket_.get() < 0) return;
  tls_.reset();
  loop_.Unwatch(socket_.get());
  socket_.Close();
  LoseStream();
  out_ = out_body_ = std::string();
  out_sent_ = 0;
  static_cast<void>(out_reservation_.Resize(0));
  loop_.OnClosed();
}

Exchange& Exchange::operator=(Exchange&& other) noexcept {
  if (this != &other) {
    Drop();
    connection_ = std::exchange(other.connection_, nullptr);
  }
  return *this;
}

void Exchange::Reply(Response response) {
  CHECK(connection_ != nullptr, "a second reply to one request");
  CHECK(loop().IsCurrentThread(), "a reply from outside of the request's loop");
  std::exchange(connection_, nullptr)->Reply(std::move(response));
}

void Exchange::Reply(const ResponseView& response) {
  CHECK(connection_ != nullptr, "a second reply to one request");
  CHECK(loop().IsCurrentThread(), "a reply from outside of the request's loop");
  std::exchange(connection_, nullptr)->Reply(response);
}

Stream Exchange::ReplyInPieces(const Response& head) {
  CHECK(connection_ != nullptr, "a second reply to one request");
  CHECK(loop().IsCurrentThread(), "a reply from outside of the request's loop");
  return Stream(std::exchange(connection_, nullptr)->ReplyInPieces(head));
}

Loop& Exchange::loop() const {
  CHECK(connection_ != nullptr, "the exchange has ended");
  return connection_->loop();
}

void Exchange::Drop() noexcept {
  if (connection_ == nullptr) return;
  Connection* const connection = std::exchange(connection_, nullptr);
  const auto reply = [connection] { connection->Reply(ResponseView{.status = 500}); };
  if (connection->loop().IsCurrentThread()) {
    reply();
  } else {
    connection->loop().Post(reply);
  }
}

}  // namespace trestle::http
