#include "linearizability.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace trestle::fault {
namespace {

using State = std::optional<std::int64_t>;

// Whether the call, made now, answers what the client saw. Changes the state if so.
bool Apply(const Call& call, State& state) {
  const bool is_known = call.is_answered;
  switch (call.kind) {
    case Call::Kind::kPut:
      state = call.argument;
      return true;
    case Call::Kind::kPutIf: {
      const bool is_done = state == call.expected;
      if (is_known && is_done != call.was_done) return false;
      if (is_done) state = call.argument;
      return true;
    }
    case Call::Kind::kAdd: {
      const std::int64_t sum = state.value_or(0) + call.argument;
      if (is_known && call.answer != sum) return false;
      state = sum;
      return true;
    }
    case Call::Kind::kDelete:
      if (is_known && call.answer != state) return false;
      state.reset();
      return true;
    case Call::Kind::kGet:
      return !is_known || call.answer == state;
  }
  return false;
}

// The beginnings and ends of the calls in the order of their times, as a list from which a call
// can be taken out and put back. An unanswered call ends after everything else.
class Timeline {
 public:
  struct Event {
    std::size_t call;
    bool is_begin;
    std::size_t partner;  // of a beginning: the event of its end
    std::size_t previous;
    std::size_t next;
  };

  explicit Timeline(std::span<const Call> calls) {
    std::vector<std::pair<std::uint64_t, std::size_t>> times;  // event 2i begins call i
    times.reserve(2 * calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
      times.emplace_back(calls[i].begin, 2 * i);
      times.emplace_back(calls[i].is_answered ? calls[i].end : UINT64_MAX, 2 * i + 1);
    }
    // Of equal times beginnings come first: the calls may have overlapped.
    std::ranges::sort(times, [](const auto& left, const auto& right) {
      return std::pair(left.first, left.second % 2) < std::pair(right.first, right.second % 2);
    });
    events_.resize(times.size() + 1);  // the last one is the list's head
    std::vector<std::size_t> begins(calls.size());
    std::size_t last = head();
    for (std::size_t at = 0; at < times.size(); ++at) {
      const std::size_t call = times[at].second / 2;
      const bool is_begin = times[at].second % 2 == 0;
      events_[at] = {.call = call, .is_begin = is_begin, .partner = 0, .previous = last, .next = 0};
      if (is_begin) {
        begins[call] = at;
      } else {
        events_[begins[call]].partner = at;
      }
      events_[last].next = at;
      last = at;
    }
    events_[last].next = head();
    events_[head()].previous = last;
  }

  [[nodiscard]] std::size_t head() const { return events_.size() - 1; }
  [[nodiscard]] std::size_t first() const { return events_[head()].next; }
  [[nodiscard]] bool empty() const { return first() == head(); }
  [[nodiscard]] const Event& operator[](std::size_t at) const { return events_[at]; }

  void TakeOut(std::size_t begin) {
    Unlink(begin);
    Unlink(events_[begin].partner);
  }
  // In the reverse order of TakeOut.
  void PutBack(std::size_t begin) {
    Relink(events_[begin].partner);
    Relink(begin);
  }

 private:
  void Unlink(std::size_t at) {
    events_[events_[at].previous].next = events_[at].next;
    events_[events_[at].next].previous = events_[at].previous;
  }
  void Relink(std::size_t at) {
    events_[events_[at].previous].next = at;
    events_[events_[at].next].previous = at;
  }

  std::vector<Event> events_;
};

// Which calls have been placed, and what that made of the item: trying it twice is in vain.
class Tried {
 public:
  explicit Tried(std::size_t calls) : placed_((calls + 7) / 8, '\0') {}

  void Flip(std::size_t call) {
    placed_[call / 8] = static_cast<char>(placed_[call / 8] ^ (1 << (call % 8)));
  }
  // False when it has been tried before.
  bool Insert(const State& state) {
    return tried_.insert(placed_ + (state ? std::to_string(*state) : "-")).second;
  }

 private:
  std::string placed_;
  std::unordered_set<std::string> tried_;
};

}  // namespace

bool IsLinearizable(std::span<const Call> calls) {
  Timeline timeline(calls);
  Tried tried(calls.size());
  State state;
  std::vector<std::pair<std::size_t, State>> placed;  // a call's beginning, the state before it
  std::size_t at = timeline.first();
  while (!timeline.empty()) {
    const Timeline::Event event = timeline[at];
    if (event.is_begin) {
      State next = state;
      tried.Flip(event.call);
      if (Apply(calls[event.call], next) && tried.Insert(next)) {
        placed.emplace_back(at, std::exchange(state, next));
        timeline.TakeOut(at);
        at = timeline.first();
        continue;
      }
      tried.Flip(event.call);
      at = event.next;
      continue;
    }
    // This call ends and could not be placed before: the last placement was wrong.
    if (placed.empty()) return false;
    at = placed.back().first;
    state = placed.back().second;
    placed.pop_back();
    tried.Flip(timeline[at].call);
    timeline.PutBack(at);
    at = timeline[at].next;
  }
  return true;
}

}  // namespace trestle::fault
