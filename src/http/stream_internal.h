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
      : loop(of), bytes_max(bytes), connection(on) {}

  bool Write(std::string_view text) EXCLUDES(mutex);
  void Finish(Stage how) EXCLUDES(mutex);
  [[nodiscard]] bool IsOpen() EXCLUDES(mutex);

  // Of the connection.
  struct Taken {
    std::string text;
    Stage stage = Stage::kOver;
  };
  [[nodiscard]] Taken Take() EXCLUDES(mutex);
  void SetUnsent(std::size_t bytes) EXCLUDES(mutex);
  void SetOver() EXCLUDES(mutex);

  EventLoop& loop;
  const std::size_t bytes_max;
  Connection* connection;  // used on the loop's thread only; null once it has ended

 private:
  void Post();

  Mutex mutex;
  std::string waiting GUARDED_BY(mutex);  // was written, and the connection has not seen it
  std::size_t unsent_bytes GUARDED_BY(mutex) = 0;  // that the connection has
  Stage stage GUARDED_BY(mutex) = Stage::kOpen;
  bool is_posted GUARDED_BY(mutex) = false;  // the connection will look at it
};

}  // namespace trestle::http
