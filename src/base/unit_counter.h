#pragma once

namespace trestle {

// Read and write units, as DynamoDB counts them.
struct Units {
  double read = 0;
  double write = 0;
};

// Counts what the requests of its thread consume while it lives, wherever they are made: nobody in
// between has to pass it on. One that lives inside another one's life is counted by both.
class UnitCounter {
 public:
  UnitCounter();
  UnitCounter(const UnitCounter&) = delete;
  UnitCounter& operator=(const UnitCounter&) = delete;
  ~UnitCounter();

  [[nodiscard]] const Units& units() const { return units_; }

  // For who makes requests: whether somebody wants to know, and what one has consumed.
  [[nodiscard]] static bool IsCounting();
  static void Add(const Units& units);

 private:
  UnitCounter* const outer_;
  Units units_;
};

}  // namespace trestle
