#include "platform/live.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "platform/call.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kJoinNs = 60'000 * kNsPerMs;
constexpr std::string_view kHeartbeat = ":\n\n";

// A line break in the data would end it.
std::string EventText(std::uint64_t id, std::string_view type, std::string_view data) {
  std::string text = fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, type, data);
  std::replace(text.begin(), text.end() - 2, '\r', ' ');
  return text;
}

bool IsFor(std::string_view audience, const LiveSubscription& subscription) {
  return audience == subscription.sub ||
         std::ranges::find(subscription.topics, audience) != subscription.topics.end();
}

}  // namespace

LiveHub::LiveHub(const Options& options, const Clock& clock)
    : options_(options), clock_(clock), thread_([this] { Work(); }) {}

LiveHub::~LiveHub() { Stop(); }

// Ids begin with the time in microseconds, so that those of one run are behind those of the last.
LiveHub::Channel& LiveHub::ChannelOf(std::string_view app) {
  const auto found = channels_.find(app);
  if (found != channels_.end()) return found->second;
  Channel& channel = channels_[std::string(app)];
  channel.last_id = static_cast<std::uint64_t>(clock_.NowUnixMs()) * 1000;
  channel.forgotten_id = channel.last_id;
  return channel;
}

void LiveHub::Keep(Channel& channel, Kept event) {
  channel.kept_bytes += event.text.size();
  channel.kept.push_back(std::move(event));
  while (channel.kept.size() > options_.kept_events_max ||
         channel.kept_bytes > options_.kept_bytes_max) {
    channel.kept_bytes -= channel.kept.front().text.size();
    channel.forgotten_id = channel.kept.front().id;
    channel.kept.pop_front();
  }
}

std::uint64_t LiveHub::Publish(const LiveEvent& event) {
  const std::string_view data = event.data.size() > options_.data_bytes_max ? "{}" : event.data;
  const std::int64_t now_ns = clock_.SteadyNs();
  const MutexLock lock(mutex_);
  Channel& channel = ChannelOf(event.app);
  const std::uint64_t id = ++channel.last_id;
  std::string text = EventText(id, event.type, data);
  for (Listener& listener : listeners_) {
    const LiveSubscription& wants = listener.subscription;
    if (!listener.stream || wants.app != event.app || !IsFor(event.audience, wants)) continue;
    listener.stream->Write(text);
    listener.written_ns = now_ns;
  }
  Keep(channel, {.id = id, .audience = std::string(event.audience), .text = std::move(text)});
  return id;
}

Result<LiveHub::Place> LiveHub::Reserve(LiveSubscription subscription) {
  const MutexLock lock(mutex_);
  listeners_.remove_if([this](const Listener& listener) { return IsOver(listener); });
  if (is_stopped_) return ProblemError("unavailable", "the server is about to end");
  if (listeners_.size() >= options_.streams_max) {
    return ProblemError("unavailable", "too many pages listen; try again later");
  }
  const auto own = std::ranges::count(listeners_, subscription.sub,
                                      [](const Listener& it) { return it.subscription.sub; });
  if (static_cast<std::size_t>(own) >= options_.streams_per_principal_max) {
    return ProblemError("rate-limited", fmt::format("{} pages of yours listen already", own));
  }
  listeners_.push_back({.place = ++last_place_,
                        .subscription = std::move(subscription),
                        .stream = std::nullopt,
                        .written_ns = clock_.SteadyNs()});
  return last_place_;
}

std::string LiveHub::Welcome(const Channel& channel, const LiveSubscription& subscription) {
  if (!subscription.last_event_id) return EventText(channel.last_id, "ready", "{}");
  const std::string& text = *subscription.last_event_id;
  std::uint64_t last_id = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), last_id);
  const bool is_known = failure == std::errc() && end == text.data() + text.size() &&
                        last_id >= channel.forgotten_id && last_id <= channel.last_id;
  if (!is_known) return EventText(channel.last_id, "reset", "{}");
  std::string missed;
  for (const Kept& event : channel.kept)
    if (event.id > last_id && IsFor(event.audience, subscription)) missed += event.text;
  return missed + EventText(channel.last_id, "ready", "{}");
}

void LiveHub::Join(Place place, http::Stream stream) {
  const std::int64_t now_ns = clock_.SteadyNs();
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(listeners_, place, &Listener::place);
  if (found == listeners_.end()) return;  // the stream, which is dropped, ends
  stream.Write(Welcome(ChannelOf(found->subscription.app), found->subscription));
  found->stream = std::move(stream);
  found->written_ns = now_ns;
}

bool LiveHub::IsOver(const Listener& listener) const {
  const auto& expires = listener.subscription.expires_unix_ms;
  if (expires && *expires <= clock_.NowUnixMs()) return true;
  if (!listener.stream) return clock_.SteadyNs() - listener.written_ns > kJoinNs;
  return !listener.stream->is_open();
}

void LiveHub::Beat() {
  const std::int64_t now_ns = clock_.SteadyNs();
  const MutexLock lock(mutex_);
  listeners_.remove_if([this](const Listener& listener) { return IsOver(listener); });
  for (Listener& listener : listeners_) {
    const bool is_due = now_ns - listener.written_ns >= options_.heartbeat_ms * kNsPerMs;
    if (!listener.stream || !is_due) continue;
    listener.stream->Write(kHeartbeat);
    listener.written_ns = now_ns;
  }
}

void LiveHub::Work() {
  while (true) {
    {
      const MutexLock lock(mutex_);
      if (!is_stopped_) stopped_.WaitFor(mutex_, std::chrono::seconds(1));
      if (is_stopped_) return;
    }
    Beat();
  }
}

void LiveHub::Stop() {
  std::list<Listener> ended;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    ended.swap(listeners_);
  }
  stopped_.WakeAll();
  if (thread_.joinable()) thread_.join();
}

Status ShowLive(Call& call, json::Writer& /*reply*/) {
  call.SubscribeTo({});
  return Ok();
}

std::size_t LiveHub::stream_count() const {
  const MutexLock lock(mutex_);
  return listeners_.size();
}

}  // namespace trestle::platform
