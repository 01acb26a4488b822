#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace trestle::json {

// The end of a text that grows, for what writes many small pieces: room is made for `step` bytes at
// a time, so that a piece is a plain copy. Nobody else uses the text meanwhile; it has its length
// again when the Tail goes.
//
//   Tail tail(text, 512);
//   tail.Put("{\"S\":");
//   tail.PutQuoted(value);
//   tail.Put("}");
class Tail {
 public:
  Tail(std::string& text, std::size_t step)
      : text_(text), step_(step), at_(text.data() + text.size()), end_(at_) {}
  ~Tail() { text_.resize(size()); }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  void Put(char c) {
    Reserve(1);
    *at_++ = c;
  }
  void Put(std::string_view bytes) {
    Reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  // A literal's length is known here, which makes it a few instructions.
  template <std::size_t Size>
  void Put(const char (&literal)[Size]) {
    Reserve(Size - 1);
    std::memcpy(at_, literal, Size - 1);
    at_ += Size - 1;
  }
  // As AppendQuoted does.
  void PutQuoted(std::string_view text);

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - text_.data()); }
  void Reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      Grow(bytes);
  }
  void Grow(std::size_t bytes);
  void PutEscaped(std::string_view text);

  std::string& text_;
  const std::size_t step_;
  char* at_;
  char* end_;  // of the room behind `at_`
};

}  // namespace trestle::json
