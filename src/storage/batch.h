#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/check.h"

namespace trestle::storage {

// Changes that are committed together. Later ones win over earlier ones of the same key.
class Batch {
 public:
  void Put(std::string_view key, std::string_view value) {
    AppendSized(key);
    AppendVarint(changes_, value.size() + 1);
    changes_.append(value);
    ++count_;
  }
  void Delete(std::string_view key) {
    AppendSized(key);
    AppendVarint(changes_, 0);
    ++count_;
  }
  void Clear() {
    changes_.clear();
    count_ = 0;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t size_bytes() const { return changes_.size(); }

  // Calls put(key, value) or remove(key) for each change in order.
  template <typename PutFunction, typename RemoveFunction>
  void ForEach(PutFunction put, RemoveFunction remove) const {
    std::string_view rest = changes_;
    while (!rest.empty()) {
      const std::string_view key = TakeBytes(rest, TakeSize(rest));
      const std::uint64_t size = TakeSize(rest);
      if (size == 0) {
        remove(key);
      } else {
        put(key, TakeBytes(rest, size - 1));
      }
    }
  }

 private:
  void AppendSized(std::string_view bytes) {
    AppendVarint(changes_, bytes.size());
    changes_.append(bytes);
  }
  static std::uint64_t TakeSize(std::string_view& rest) {
    std::uint64_t size = 0;
    CHECK(TakeVarint(rest, size), "a batch reads back what was put into it");
    return size;
  }
  static std::string_view TakeBytes(std::string_view& rest, std::uint64_t size) {
    const std::string_view bytes = rest.substr(0, size);
    rest.remove_prefix(size);
    return bytes;
  }

  // (key size, key, 0 | 1 + value size, value)*, sizes as varints.
  std::string changes_;
  std::size_t count_ = 0;
};

}  // namespace trestle::storage
