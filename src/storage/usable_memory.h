#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace trestle::storage {

// What this process may use of a machine with so much memory: all of it, or the least that one of
// the files says. A container's limit is in such a file; one that is not there, or says "max",
// limits nothing.
[[nodiscard]] std::uint64_t UsableMemoryBytes(std::uint64_t machine_bytes,
                                              std::span<const std::string> limit_files);

// The same for this machine.
[[nodiscard]] std::uint64_t UsableMemoryBytes();

}  // namespace trestle::storage
