#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace trestle::wire {

// Replaces `out` with what `compressed` holds. Fails with kSerialization when it is not one gzip
// member, or would be longer than `size_bytes_max`; nothing that long is ever allocated.
[[nodiscard]] Status Gunzip(std::string_view compressed, std::size_t size_bytes_max,
                            std::string& out);

// Replaces `out` with `text` compressed. False when that would not be shorter.
[[nodiscard]] bool Gzip(std::string_view text, std::string& out);

}  // namespace trestle::wire
