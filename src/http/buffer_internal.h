#pragma once

#include <atomic>
#include <cstddef>
#include <span>

namespace trestle::http {

// A number of bytes that all connections share. Safe from many threads.
class Budget {
 public:
  explicit Budget(std::size_t bytes_max) : bytes_max_(bytes_max) {}

 private:
  friend class Reservation;

  const std::size_t bytes_max_;

  std::atomic<std::size_t> used_ = 0;
};

// One connection's part of a Budget.
class Reservation {
 public:
  explicit Reservation(Budget& budget) : budget_(budget) {}
  ~Reservation() { static_cast<void>(Resize(0)); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  // False, with nothing changed, when the budget does not allow it.
  [[nodiscard]] bool Resize(std::size_t bytes);

 private:
  Budget& budget_;
  std::size_t bytes_ = 0;
};

// The bytes received on a connection that no request has consumed. It grows only when full, so
// its size follows what has really arrived. A large one has pages of its own, which the kernel
// moves when it grows: an allocator may copy, and needs the memory twice meanwhile.
class InputBuffer {
 public:
  InputBuffer() = default;
  ~InputBuffer() { Free(); }
  InputBuffer(const InputBuffer&) = delete;
  InputBuffer& operator=(const InputBuffer&) = delete;

  [[nodiscard]] char* data() { return memory_ + begin_; }
  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  // Where the next bytes go. The caller fills the front of it and says how much with Added.
  [[nodiscard]] std::span<char> Spare() { return {memory_ + end_, capacity_ - end_}; }
  void Added(std::size_t size_bytes) { end_ += size_bytes; }

  void Truncate(std::size_t size_bytes) { end_ = begin_ + size_bytes; }
  void Consume(std::size_t size_bytes);

  // Both move the bytes. Resize keeps them all; false when memory is short.
  void MoveToFront();
  [[nodiscard]] bool Resize(std::size_t capacity);
  void Release();  // of an empty buffer

 private:
  void Free();

  char* memory_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace trestle::http
