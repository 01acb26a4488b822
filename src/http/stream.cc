// Answers in pieces. Writers leave text in the stream's state; the connection takes what has come
// together until its loop gets to it, as one chunk.

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "http/connection_internal.h"
#include "http/event_loop_internal.h"
#include "http/stream_internal.h"

namespace trestle::http {

bool StreamState::Write(std::string_view text) {
  bool must_post = false;
  bool is_taken = false;
  {
    const MutexLock lock(mutex_);
    if (stage_ != Stage::kOpen) return false;
    is_taken = waiting_.size() + unsent_bytes_ + text.size() <= bytes_max_;
    if (is_taken) {
      waiting_ += text;
    } else {
      stage_ = Stage::kAborting;
    }
    must_post = !std::exchange(is_posted_, true);
  }
  if (must_post) Post();
  return is_taken;
}

void StreamState::Finish(Stage how) {
  {
    const MutexLock lock(mutex_);
    if (stage_ != Stage::kOpen) return;
    stage_ = how;
    if (std::exchange(is_posted_, true)) return;
  }
  Post();
}

void StreamState::Post() {
  loop_.Post([state = shared_from_this()] {
    if (state->connection != nullptr) state->connection->SendPieces();
  });
}

bool StreamState::IsOpen() {
  const MutexLock lock(mutex_);
  return stage_ == Stage::kOpen;
}

StreamState::Taken StreamState::Take() {
  const MutexLock lock(mutex_);
  is_posted_ = false;
  unsent_bytes_ += waiting_.size();
  return {.text = std::exchange(waiting_, {}), .stage = stage_};
}

void StreamState::SetUnsent(std::size_t bytes) {
  const MutexLock lock(mutex_);
  unsent_bytes_ = bytes;
}

void StreamState::SetOver() {
  const MutexLock lock(mutex_);
  stage_ = Stage::kOver;
  waiting_ = std::string();
}

std::shared_ptr<StreamState> Connection::ReplyInPieces(const Response& head) {
  auto state = std::make_shared<StreamState>(loop_, this, loop_.shared().options.stream_bytes_max);
  is_chunked_ = parser_.request().minor_version > 0;
  if (!BeginReply({.status = head.status,
                   .content_type = head.content_type,
                   .body = {},
                   .headers = {},
                   .close = head.close || !is_chunked_},
                  std::nullopt)) {
    state->SetOver();
    return state;
  }
  for (const auto& [name, value] : head.headers)
    AppendHeader(name, value, out_);
  const bool sends_body = SendsBody(head.status);
  if (is_chunked_ && MayHaveBody(head.status)) AppendHeader("Transfer-Encoding", "chunked", out_);
  out_ += "\r\n";
  if (sends_body) {
    AppendPiece(head.body);
    // What is read meanwhile waits, so the connection must not end before the stream.
    closes_after_ = std::exchange(is_closing_, false);
    stream_ = state;
  } else {
    state->SetOver();
  }
  EndReply();
  return state;
}

void Connection::AppendPiece(std::string_view text) {
  if (text.empty()) return;  // an empty chunk is the last one
  if (out_sent_ > 0) out_.erase(0, std::exchange(out_sent_, 0));
  if (!is_chunked_) {
    out_ += text;
    return;
  }
  fmt::format_to(std::back_inserter(out_), "{:x}\r\n", text.size());
  out_ += text;
  out_ += "\r\n";
}

void Connection::SendPieces() {
  const StreamState::Taken taken = stream_->Take();
  AppendPiece(taken.text);
  wait_started_ms_ = wait_ == Wait::kStream ? loop_.now_ms() : wait_started_ms_;
  if (taken.stage == StreamState::Stage::kAborting) Close();
  if (taken.stage == StreamState::Stage::kEnding) EndStream();
  loop_.Queue(*this);
}

void Connection::EndStream() {
  if (stream_ == nullptr) return;
  AppendPiece(stream_->Take().text);
  if (is_chunked_) out_ += "0\r\n\r\n";
  is_closing_ = closes_after_ || loop_.is_draining();
  LoseStream();
  loop_.Queue(*this);
}

void Connection::LoseStream() {
  if (stream_ == nullptr) return;
  stream_->connection = nullptr;
  stream_->SetOver();
  stream_.reset();
}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this != &other) {
    End();
    state_ = std::move(other.state_);
  }
  return *this;
}

bool Stream::Write(std::string_view text) { return state_ != nullptr && state_->Write(text); }

void Stream::End() {
  if (state_ != nullptr) state_->Finish(StreamState::Stage::kEnding);
}

void Stream::Abort() {
  if (state_ != nullptr) state_->Finish(StreamState::Stage::kAborting);
}

bool Stream::is_open() const { return state_ != nullptr && state_->IsOpen(); }

}  // namespace trestle::http
