#include "design/checks/language.h"

#include <algorithm>
#include <array>
#include <set>

namespace trestle::design {
namespace {

constexpr std::size_t kByteCount = 256;

std::size_t IndexOf(char c) { return static_cast<unsigned char>(c); }

std::size_t First(const Bytes& bytes) {
  for (std::size_t i = 0; i < kByteCount; ++i) {
    if (bytes[i]) return i;
  }
  return kByteCount;
}

std::size_t Last(const Bytes& bytes) {
  for (std::size_t i = kByteCount; i-- > 0;) {
    if (bytes[i]) return i;
  }
  return 0;
}

Bytes Between(std::size_t first, std::size_t end) {
  Bytes bytes;
  for (std::size_t i = first; i < end; ++i)
    bytes.set(i);
  return bytes;
}

}  // namespace

Bytes AllBytes() { return Bytes().set(); }

Bytes Digits() { return Between('0', '9' + 1); }

Language::Language() : states_(1) { SetEnds({0}); }

std::size_t Language::AddState() {
  states_.emplace_back();
  return states_.size() - 1;
}

std::size_t Language::AddAnything() {
  const std::size_t state = AddState();
  states_[state].edges.push_back({.bytes = AllBytes(), .to = state});
  states_[state].is_end = true;
  ends_.push_back(state);
  return state;
}

void Language::SetEnds(std::vector<std::size_t> ends) {
  for (const std::size_t end : ends_)
    states_[end].is_end = false;
  for (const std::size_t end : ends)
    states_[end].is_end = true;
  ends_ = std::move(ends);
}

void Language::AddEnds(const std::vector<std::size_t>& ends) {
  std::vector<std::size_t> all = ends_;
  all.insert(all.end(), ends.begin(), ends.end());
  SetEnds(std::move(all));
}

void Language::AddText(std::string_view text) {
  // Keys have at most 2,048 bytes.
  constexpr std::size_t kTextBytesMax = 4096;
  for (const char c : text.substr(0, kTextBytesMax))
    AddTimes(Bytes().set(IndexOf(c)), 1);
}

void Language::AddTimes(const Bytes& bytes, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) {
    const std::size_t next = AddState();
    for (const std::size_t end : ends_)
      states_[end].edges.push_back({.bytes = bytes, .to = next});
    SetEnds({next});
  }
}

void Language::AddSome(const Bytes& bytes) {
  AddTimes(bytes, 1);
  const std::size_t state = ends_.front();
  states_[state].edges.push_back({.bytes = bytes, .to = state});
}

void Language::AddOneOf(std::span<const Language> languages) {
  const std::vector<std::size_t> before = ends_;
  std::vector<std::size_t> after;
  for (const Language& language : languages) {
    const std::size_t base = states_.size();
    if (language.states_.front().is_end) after.insert(after.end(), before.begin(), before.end());
    states_.insert(states_.end(), language.states_.begin(), language.states_.end());
    for (std::size_t i = base; i < states_.size(); ++i) {
      for (Edge& edge : states_[i].edges)
        edge.to += base;
      if (states_[i].is_end) after.push_back(i);
    }
    for (const std::size_t end : before) {
      for (const Edge& edge : std::vector<Edge>(states_[base].edges))
        states_[end].edges.push_back(edge);
    }
  }
  SetEnds(std::move(after));
}

Language Language::Extended() const {
  Language out = *this;
  const std::size_t anything = out.AddAnything();
  for (const std::size_t end : ends_)
    out.states_[end].edges.push_back({.bytes = AllBytes(), .to = anything});
  return out;
}

Language Language::ProperlyExtended() const {
  Language out = Extended();
  out.SetEnds({out.states_.size() - 1});
  return out;
}

Language Language::Below() const {
  Language out = *this;
  const std::size_t anything = out.AddAnything();
  std::vector<std::size_t> ends = {anything};
  for (std::size_t i = 0; i < states_.size(); ++i) {
    // A text that ends where one of these goes on sorts before it.
    if (!states_[i].edges.empty()) ends.push_back(i);
    for (const Edge& edge : states_[i].edges)
      out.states_[i].edges.push_back({.bytes = Between(0, Last(edge.bytes)), .to = anything});
  }
  out.SetEnds(std::move(ends));
  return out;
}

Language Language::BelowOrExtended() const {
  Language out = Below();
  const std::size_t anything = out.states_.size() - 1;
  for (const std::size_t end : ends_)
    out.states_[end].edges.push_back({.bytes = AllBytes(), .to = anything});
  out.AddEnds(ends_);
  return out;
}

Language Language::Above() const {
  Language out = ProperlyExtended();
  const std::size_t anything = out.states_.size() - 1;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    for (const Edge& edge : states_[i].edges) {
      out.states_[i].edges.push_back(
          {.bytes = Between(First(edge.bytes) + 1, kByteCount), .to = anything});
    }
  }
  return out;
}

Language Language::AboveOrEqual() const {
  Language out = Above();
  out.AddEnds(ends_);
  return out;
}

Language Language::ContainedBeforeEnd() const {
  Language out;
  out.states_.front().edges.push_back({.bytes = AllBytes(), .to = 0});
  out.AddOneOf(std::array{ProperlyExtended()});
  return out;
}

bool HaveCommonText(std::span<const Language* const> languages) {
  using Place = std::vector<std::size_t>;
  std::set<Place> seen;
  std::vector<Place> open = {Place(languages.size(), 0)};
  constexpr std::size_t kPlacesMax = 50'000;
  while (!open.empty()) {
    if (seen.size() > kPlacesMax) return true;
    const Place place = open.back();
    open.pop_back();
    if (!seen.insert(place).second) continue;
    bool is_end = true;
    for (std::size_t i = 0; i < languages.size(); ++i)
      is_end = is_end && languages[i]->states_[place[i]].is_end;
    if (is_end) return true;

    // Every choice of one edge of each that share a byte.
    std::vector<std::pair<Bytes, Place>> steps = {{AllBytes(), {}}};
    for (std::size_t i = 0; i < languages.size(); ++i) {
      std::vector<std::pair<Bytes, Place>> longer;
      for (const auto& [bytes, to] : steps) {
        for (const Language::Edge& edge : languages[i]->states_[place[i]].edges) {
          const Bytes common = bytes & edge.bytes;
          if (common.none()) continue;
          longer.emplace_back(common, to);
          longer.back().second.push_back(edge.to);
        }
      }
      steps = std::move(longer);
    }
    for (auto& step : steps)
      open.push_back(std::move(step.second));
  }
  return false;
}

bool HaveCommonText(const Language& left, const Language& right) {
  return HaveCommonText(std::array{&left, &right});
}

}  // namespace trestle::design
