#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "http/server.h"

namespace trestle::http {

// What a Stream and its connection share. It outlives both.
struct StreamState : std::enable_shared_from_this<StreamState> {
  enum class Stage : std::uint8_t { kOpen, kEnding, kAborting, kOver };

  StreamState(EventLoop& of, Connection* on, std::size_t bytes)
      : connection(on), loop_(of), bytes_max_(bytes) {}

  bool Write(std::string_view text) EXCLUDES(mutex_);
  void Finish(Stage how) EXCLUDES(mutex_);
  [[nodiscard]] bool IsOpen() EXCLUDES(mutex_);

  // Of the connection.
  struct Taken {
    std::string text;
    Stage stage = Stage::kOver;
  };
  [[nodiscard]] Taken Take() EXCLUDES(mutex_);
  void SetUnsent(std::size_t bytes) EXCLUDES(mutex_);
  void SetOver() EXCLUDES(mutex_);

  Connection* connection;  // used on the loop's thread only; null once it has ended

 private:
  void Post();

  EventLoop& loop_;
  const std::size_t bytes_max_;

  Mutex mutex_;
  std::string waiting_ GUARDED_BY(mutex_);  // was written, and the connection has not seen it
  std::size_t unsent_bytes_ GUARDED_BY(mutex_) = 0;  // that the connection has
  Stage stage_ GUARDED_BY(mutex_) = Stage::kOpen;
  bool is_posted_ GUARDED_BY(mutex_) = false;  // the connection will look at it
};

}  // namespace trestle::http
