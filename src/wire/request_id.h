#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trestle::wire {

// Makes request ids of 52 characters, as the service's have. One thread at a time.
class RequestIds {
 public:
  explicit RequestIds(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::array<char, 52> Next() {
    constexpr std::string_view kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    std::array<char, 52> id;
    for (std::size_t i = 0; i < id.size();) {
      std::uint64_t bits = Mix();
      for (const std::size_t end = std::min(i + 12, id.size()); i < end; ++i, bits >>= 5)
        id[i] = kAlphabet[bits & 31];
    }
    return id;
  }

 private:
  std::uint64_t Mix() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }

  std::uint64_t state_;
};

}  // namespace trestle::wire
