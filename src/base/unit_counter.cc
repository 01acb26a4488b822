#include "base/unit_counter.h"

namespace trestle {
namespace {

thread_local UnitCounter* innermost = nullptr;

}  // namespace

UnitCounter::UnitCounter() : outer_(innermost) { innermost = this; }

UnitCounter::~UnitCounter() {
  innermost = outer_;
  Add(units_);
}

bool UnitCounter::IsCounting() { return innermost != nullptr; }

void UnitCounter::Add(const Units& units) {
  if (innermost == nullptr) return;
  innermost->units_.read += units.read;
  innermost->units_.write += units.write;
}

}  // namespace trestle
