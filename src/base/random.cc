#include "base/random.h"

#include <fmt/format.h>

namespace trestle {

std::uint64_t Random::Next() {
  const MutexLock lock(mutex_);
  return engine_();
}

std::string Random::Uuid() {
  const std::uint64_t high = (Next() & ~0xf000ULL) | 0x4000ULL;
  const std::uint64_t low = (Next() & ~(3ULL << 62)) | (2ULL << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffffULL);
}

std::uint64_t SystemSeed() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | device();
}

}  // namespace trestle
