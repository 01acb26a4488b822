#include <cstring>

#include "base/check.h"
#include "http/buffer_internal.h"

namespace trestle::http {

bool Reservation::Resize(std::size_t bytes) {
  if (bytes > bytes_) {
    const std::size_t more = bytes - bytes_;
    if (budget_.used_.fetch_add(more) + more > budget_.bytes_max_) {
      budget_.used_.fetch_sub(more);
      return false;
    }
  } else if (bytes < bytes_) {
    budget_.used_.fetch_sub(bytes_ - bytes);
  }
  bytes_ = bytes;
  return true;
}

void InputBuffer::Consume(std::size_t size_bytes) {
  CHECK(size_bytes <= size(), "consumed more than was received");
  begin_ += size_bytes;
  if (begin_ == end_) begin_ = end_ = 0;
}

void InputBuffer::MoveToFront() {
  if (begin_ == 0) return;
  std::memmove(memory_.get(), data(), size());
  end_ -= begin_;
  begin_ = 0;
}

bool InputBuffer::Resize(std::size_t capacity) {
  MoveToFront();
  CHECK(capacity >= end_, "a buffer cannot shrink below what it holds");
  void* const memory = std::realloc(memory_.get(), capacity);
  if (memory == nullptr) return false;
  static_cast<void>(memory_.release());
  memory_.reset(static_cast<char*>(memory));
  capacity_ = capacity;
  return true;
}

void InputBuffer::Release() {
  CHECK(empty(), "released bytes that were not consumed");
  memory_.reset();
  capacity_ = begin_ = end_ = 0;
}

}  // namespace trestle::http
