#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/error.h"

namespace trestle {

// A T, or the Error that says why there is none. Ignoring one is a compile error
// (-Werror=unused-result). Read the value only after ok(), or with TRY.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }
  [[nodiscard]] const Error& error() const {
    CHECK(!ok(), "error() on a Result that holds a value");
    return *std::get_if<Error>(&state_);
  }

  [[nodiscard]] const T& operator*() const& {
    CHECK(ok(), "value read from a failed Result");
    return *std::get_if<T>(&state_);
  }
  [[nodiscard]] T&& operator*() && {
    CHECK(ok(), "value read from a failed Result");
    return std::move(*std::get_if<T>(&state_));
  }
  [[nodiscard]] const T* operator->() const { return &**this; }

 private:
  std::variant<T, Error> state_;
};

// The result of work that yields nothing but may fail.
using Status = Result<std::monostate>;
inline Status Ok() { return std::monostate{}; }

}  // namespace trestle

// Yields the value, or returns the error from the enclosing function.
//
//   const Item item = TRY(ReadItem(key));
//
// A statement expression: both GCC and Clang have it; __extension__ keeps
// -Wpedantic quiet.
#define TRY(expression)                            \
  __extension__({                                  \
    auto try_result = (expression);                \
    if (!try_result.ok()) [[unlikely]] {           \
      return ::trestle::Error(try_result.error()); \
    }                                              \
    *std::move(try_result);                        \
  })
