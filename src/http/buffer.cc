#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

#include "base/check.h"
#include "http/buffer_internal.h"

namespace trestle::http {
namespace {

bool HasPages(std::size_t capacity) { return capacity >= 128UL * 1024; }

// Null when memory is short.
char* Allocate(std::size_t capacity) {
  if (!HasPages(capacity)) return static_cast<char*>(std::malloc(capacity));
  void* const pages =
      ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<char*>(pages);
}

}  // namespace

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
  std::memmove(memory_, data(), size());
  end_ -= begin_;
  begin_ = 0;
}

bool InputBuffer::Resize(std::size_t capacity) {
  MoveToFront();
  CHECK(capacity >= end_, "a buffer cannot shrink below what it holds");
  if (HasPages(capacity_) && HasPages(capacity)) {
    void* const pages = ::mremap(memory_, capacity_, capacity, MREMAP_MAYMOVE);
    if (pages == MAP_FAILED) return false;
    memory_ = static_cast<char*>(pages);
  } else {
    char* const memory = Allocate(capacity);
    if (memory == nullptr) return false;
    if (end_ > 0) std::memcpy(memory, memory_, end_);
    Free();
    memory_ = memory;
  }
  capacity_ = capacity;
  return true;
}

void InputBuffer::Release() {
  CHECK(empty(), "released bytes that were not consumed");
  Free();
  memory_ = nullptr;
  capacity_ = begin_ = end_ = 0;
}

void InputBuffer::Free() {
  if (HasPages(capacity_)) {
    ::munmap(memory_, capacity_);
  } else {
    std::free(memory_);
  }
}

}  // namespace trestle::http
