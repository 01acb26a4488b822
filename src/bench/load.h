#pragma once

#include <cstddef>

#include "base/result.h"
#include "bench/requests.h"

namespace trestle::bench {

struct LoadOptions {
  Kind kind = Kind::kGet;
  Workload workload;
  int pid = 0;  // of the server, whose CPU time is counted; 0: not counted
  std::size_t connection_count = 64;
  double seconds = 5;
  std::size_t ring = 300'000;  // requests made ahead; a longer run sends them again
};

struct LoadFigures {
  std::size_t request_count = 0;
  std::size_t error_count = 0;
  double per_second = 0;
  double p50_us = 0;
  double p99_us = 0;
  double server_cpu_us = 0;  // per request, all threads
  double reply_bytes = 0;    // per reply, head included
};

// How much one kind of request costs a server on this machine, with a number of connections that
// each wait for the reply before they send again. Has its own sockets, which do less than those of
// http/: it must not be slower than the server. The first error reply goes to stderr. Fails when
// the server closes a connection.
[[nodiscard]] Result<LoadFigures> RunLoad(const LoadOptions& options);

}  // namespace trestle::bench
