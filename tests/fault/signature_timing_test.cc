// Whether the time of a refusal tells how much of a signature was right, or whether a key exists.
//
//   signature_timing_test [SAMPLES]
//
// Two kinds of requests are refused in random order, and Welch's t says whether their times
// differ. A difference shows in every try, a busy machine only in some. The control compares
// bytes until the first that differs, and must be found out.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "protocol/sigv4.h"

namespace trestle::fault {
namespace {

constexpr double kLimit = 4.5;
constexpr int kTries = 5;
constexpr double kUnknownKeyNsMax = 50;
constexpr std::int64_t kTimeMs = 1769903999'000;
constexpr std::string_view kRight =
    "5b3cc60b23d2dbe27a5a8bd0bac5c740c5bca1309675d994e3c8272193177c08";

// The mean of the lower nine tenths, and its variance: interrupts are no part of the question.
struct Distribution {
  explicit Distribution(std::vector<double> samples) {
    std::ranges::sort(samples);
    samples.resize(samples.size() * 9 / 10);
    count = static_cast<double>(samples.size());
    for (const double sample : samples)
      mean += sample / count;
    for (const double sample : samples)
      variance += (sample - mean) * (sample - mean) / (count - 1);
  }
  double count = 0;
  double mean = 0;
  double variance = 0;
};

double WelchT(const Distribution& left, const Distribution& right) {
  return std::abs(left.mean - right.mean) /
         std::sqrt(left.variance / left.count + right.variance / right.count);
}

// What is measured: the same code on the same memory, which is made one of two kinds before.
struct Subject {
  std::function<void(int kind)> prepare;
  std::function<void()> run;
};

struct Verdict {
  double t;
  double difference_ns;
};

Verdict Measure(const Subject& subject, int samples, std::mt19937_64& random) {
  std::array<std::vector<double>, 2> times;
  for (int i = 0; i < samples * 2; ++i) {
    const int kind = static_cast<int>(random() % 2);
    subject.prepare(kind);
    const auto start = std::chrono::steady_clock::now();
    subject.run();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    times[static_cast<std::size_t>(kind)].push_back(time.count());
  }
  const Distribution first(std::move(times[0]));
  const Distribution second(std::move(times[1]));
  return {WelchT(first, second), std::abs(first.mean - second.mean)};
}

// The smallest t of several tries.
Verdict Smallest(const char* name, const Subject& subject, int samples, std::mt19937_64& random) {
  Verdict smallest = Measure(subject, samples, random);
  for (int i = 1; i < kTries && smallest.t >= kLimit; ++i) {
    const Verdict next = Measure(subject, samples, random);
    if (next.t < smallest.t) smallest = next;
  }
  std::printf("%s: t = %.2f, %.1f ns apart\n", name, smallest.t, smallest.difference_ns);
  return smallest;
}

std::string WithWrongByte(std::size_t position) {
  std::string signature(kRight);
  signature[position] = signature[position] == '0' ? '1' : '0';
  return signature;
}

// A request of sigv4_test.cc, signed by botocore; its id and signature can be written over.
class SignedRequest {
 public:
  explicit SignedRequest(const protocol::SignatureVerifier& verifier) : verifier_(verifier) {
    headers_ = {{"Host", "127.0.0.1:8000"},
                {"X-Amz-Target", "DynamoDB_20120810.PutItem"},
                {"Content-Type", "application/x-amz-json-1.0"},
                {"X-Amz-Date", "20260131T235959Z"},
                {"Authorization", authorization_}};
  }
  SignedRequest(const SignedRequest&) = delete;
  SignedRequest& operator=(const SignedRequest&) = delete;

  void Write(std::string_view id, std::string_view signature) {
    std::ranges::copy(id, authorization_.begin() + kIdAt);
    std::ranges::copy(signature, authorization_.end() - 64);
  }

  [[nodiscard]] bool Passes() const {
    return !verifier_.Verify({.method = "POST",
                              .path = "/",
                              .query = "",
                              .headers = headers_,
                              .body = R"({"TableName":"abc"})"});
  }

 private:
  static constexpr std::ptrdiff_t kIdAt = 28;

  const protocol::SignatureVerifier& verifier_;
  std::string authorization_ =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" +
      std::string(kRight);
  std::vector<protocol::HeaderView> headers_;
};

bool EqualUntilTheFirstDifference(std::string_view left, std::string_view right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    const volatile char a = left[i];
    if (a != right[i]) return false;
  }
  return true;
}

int Run(int samples) {
  const FixedClock clock(kTimeMs);
  const protocol::SignatureVerifier verifier(
      {.keys = protocol::AccessKeys{{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}},
       .region = "us-east-1",
       .clock = &clock});
  SignedRequest request(verifier);
  CHECK(request.Passes(), "the right signature passes");
  const std::array<std::string, 2> wrong = {WithWrongByte(0), WithWrongByte(63)};
  const auto refuse = [&] { CHECK(!request.Passes(), "a wrong signature is refused"); };
  const Subject first_wrong_byte = {
      [&](int kind) { request.Write("AKIDEXAMPLE", wrong[static_cast<std::size_t>(kind)]); },
      refuse};
  const Subject unknown_key = {
      [&](int kind) { request.Write(kind == 0 ? "AKIDEXAMPLE" : "AKIDUNKNOWN", wrong[0]); },
      refuse};

  std::string given = wrong[0];
  const auto comparison = [&](bool (*equal)(std::string_view, std::string_view)) {
    return Subject{
        [&](int kind) { std::ranges::copy(wrong[static_cast<std::size_t>(kind)], given.begin()); },
        [&given, equal] {
          for (int i = 0; i < 100; ++i)
            CHECK(!equal(kRight, given), "they differ");
        }};
  };

  std::mt19937_64 random(1);
  const bool is_good =
      Smallest("comparison", comparison(ConstantTimeEqual), samples, random).t < kLimit &&
      Smallest("first wrong byte", first_wrong_byte, samples, random).t < kLimit &&
      // The reply says in words that a key is unknown; its time should not say it much sooner.
      Smallest("unknown key", unknown_key, samples, random).difference_ns < kUnknownKeyNsMax &&
      Smallest("control", comparison(EqualUntilTheFirstDifference), samples, random).t >= kLimit;
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace trestle::fault

int main(int argc, char** argv) {
  return trestle::fault::Run(argc > 1 ? std::stoi(argv[1]) : 100'000);
}
