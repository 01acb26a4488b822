#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "http/server.h"
#include "json/json.h"
#include "platform/app.h"

namespace trestle::platform {

// Something that pages which are open shall know of.
struct LiveEvent {
  std::string_view app;
  std::string_view audience;  // the sub of somebody, or a topic
  std::string_view type;      // one word
  std::string_view data;      // JSON
};

// Who wants to know.
struct LiveSubscription {
  std::string app;
  std::string sub;
  std::vector<std::string> topics;              // beside what is for `sub`
  std::optional<std::string> last_event_id;     // what the header of this name says
  std::optional<std::int64_t> expires_unix_ms;  // when the token does
};

// Tells events to all that listen, as Server-Sent Events:
//
//   id: 1763217000000001
//   event: note-changed
//   data: {"id":"…"}
//
// Ids of one app grow, also over a restart. Who comes back with the last one it has seen gets what
// it missed; `ready` then says that it has all, or `reset` that too much was missed, or that the
// server was started since: what is shown must be read again. Nothing is stored.
//
// Safe from many threads.
class LiveHub {
 public:
  struct Options {
    std::size_t streams_max = 1000;
    std::size_t streams_per_principal_max = 8;
    std::int64_t heartbeat_ms = 25'000;
    // Kept for who comes back, of each app.
    std::size_t kept_events_max = 1000;
    std::size_t kept_bytes_max = 1024UL * 1024;
    // More data than this is left out ({}): who cares for the event reads it.
    std::size_t data_bytes_max = 32UL * 1024;
  };

  // The clock must outlive it, and it the servers whose streams join it.
  LiveHub(const Options& options, const Clock& clock);
  ~LiveHub();  // Stop
  LiveHub(const LiveHub&) = delete;
  LiveHub& operator=(const LiveHub&) = delete;

  // The event's id.
  std::uint64_t Publish(const LiveEvent& event) EXCLUDES(mutex_);

  // A place for a stream, to be taken with Join within a minute: rate-limited when somebody has too
  // many, unavailable when all together have.
  using Place = std::uint64_t;
  [[nodiscard]] Result<Place> Reserve(LiveSubscription subscription) EXCLUDES(mutex_);
  void Join(Place place, http::Stream stream) EXCLUDES(mutex_);

  // Writes a heartbeat to who got nothing for a while, and ends streams whose token has expired.
  // A thread of its own does it every second.
  void Beat() EXCLUDES(mutex_);

  // Ends all streams; nobody joins any more. One thread calls it.
  void Stop() EXCLUDES(mutex_);

  [[nodiscard]] std::size_t stream_count() const EXCLUDES(mutex_);

 private:
  struct Kept {
    std::uint64_t id;
    std::string audience;
    std::string text;
  };
  struct Channel {
    std::deque<Kept> kept;
    std::size_t kept_bytes = 0;
    std::uint64_t last_id = 0;
    std::uint64_t forgotten_id = 0;  // none up to this one is kept
  };
  struct Listener {
    Place place;
    LiveSubscription subscription;
    std::optional<http::Stream> stream;  // none until it has joined
    std::int64_t written_ns;             // when it was written to, or made
  };

  [[nodiscard]] Channel& ChannelOf(std::string_view app) REQUIRES(mutex_);
  void Keep(Channel& channel, Kept event) REQUIRES(mutex_);
  // What a listener gets first.
  [[nodiscard]] static std::string Welcome(const Channel& channel,
                                           const LiveSubscription& subscription);
  [[nodiscard]] bool IsOver(const Listener& listener) const;
  void Work() EXCLUDES(mutex_);

  const Options options_;
  const Clock& clock_;

  mutable Mutex mutex_;
  Condition stopped_;
  bool is_stopped_ GUARDED_BY(mutex_) = false;
  std::map<std::string, Channel, std::less<>> channels_ GUARDED_BY(mutex_);
  std::list<Listener> listeners_ GUARDED_BY(mutex_);
  Place last_place_ GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

// What happens to the caller. An app whose pages stay current has this route; one with topics has a
// handler of its own.
[[nodiscard]] Status ShowLive(Call& call, json::Writer& reply);
inline constexpr std::string_view kEventStream = "text/event-stream";
inline constexpr Route kLiveRoute = {.method = "GET",
                                     .path = "/live",
                                     .access = Access::kSignedIn,
                                     .handle = ShowLive,
                                     .summary = "What happens, as Server-Sent Events",
                                     .gives = kEventStream};

}  // namespace trestle::platform
