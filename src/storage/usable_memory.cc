#include "storage/usable_memory.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <unistd.h>

namespace trestle::storage {

std::uint64_t UsableMemoryBytes(std::uint64_t machine_bytes,
                                std::span<const std::string> limit_files) {
  std::uint64_t usable_bytes = machine_bytes;
  for (const std::string& name : limit_files) {
    std::uint64_t limit_bytes = 0;
    if (std::ifstream(name) >> limit_bytes) usable_bytes = std::min(usable_bytes, limit_bytes);
  }
  return usable_bytes;
}

std::uint64_t UsableMemoryBytes() {
  // Of control groups of version 2, and of version 1.
  const std::array<std::string, 2> limit_files = {"/sys/fs/cgroup/memory.max",
                                                  "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  return UsableMemoryBytes(static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                               static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)),
                           limit_files);
}

}  // namespace trestle::storage
