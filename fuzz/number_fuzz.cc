// Numbers from texts and from stored bytes: whatever is accepted has one form, and sums are exact.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "value/number.h"

namespace trestle::value {
namespace {

void CheckForms(const Number& number) {
  const std::string text = NumberText(number.encoded());
  const Result<Number> again = Number::Parse(text);
  CHECK(again.ok() && *again == number, "the text of a number is that number");
  std::string_view stored = number.encoded();
  const Result<Number> taken = Number::Take(stored);
  CHECK(taken.ok() && *taken == number && stored.empty(), "the bytes of a number are that number");
  const std::size_t size_bytes = NumberSizeBytes(number.encoded());
  CHECK(size_bytes >= 1 && size_bytes <= 22, "a number counts 1 to 22 bytes");
}

void CheckSums(const Number& left, const Number& right) {
  const Result<Number> sum = Add(left, right);
  if (sum.ok()) {
    CheckForms(*sum);
    const Result<Number> back = Subtract(*sum, right);
    CHECK(back.ok() && *back == left, "a + b - b is a");
    const Result<Number> swapped = Add(right, left);
    CHECK(swapped.ok() && *swapped == *sum, "a + b is b + a");
  }
  const Result<Number> difference = Subtract(left, right);
  if (difference.ok()) {
    CHECK((*difference < Number()) == (left < right), "a - b has the sign of the order");
  }
}

}  // namespace
}  // namespace trestle::value

// The input is one text, or two with a blank between them; and it is taken as stored bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using trestle::value::Number;
  const std::string_view input(reinterpret_cast<const char*>(data), size);

  std::string_view stored = input;
  if (const auto number = Number::Take(stored); number.ok()) {
    CHECK(number->encoded() == input.substr(0, input.size() - stored.size()),
          "stored bytes have one form");
    trestle::value::CheckForms(*number);
  }

  const std::size_t blank = input.find(' ');
  const auto left = Number::Parse(input.substr(0, blank));
  if (!left.ok()) return 0;
  trestle::value::CheckForms(*left);
  if (blank == std::string_view::npos) return 0;
  const auto right = Number::Parse(input.substr(blank + 1));
  if (right.ok()) trestle::value::CheckSums(*left, *right);
  return 0;
}
