#pragma once

#include <cstdio>
#include <cstdlib>

// CHECK states a fact that only a bug in this program can break. It stays on in
// every build: stopping is cheaper than writing a wrong byte to disk. Anything
// that a caller or a client can cause is an Error, never a CHECK.
#define CHECK(condition, message)                                                              \
  do {                                                                                         \
    if (!(condition)) [[unlikely]] {                                                           \
      std::fprintf(stderr, "%s:%d: CHECK(%s): %s\n", __FILE__, __LINE__, #condition, message); \
      std::abort();                                                                            \
    }                                                                                          \
  } while (false)

// The end of a switch that covers its enum.
#define UNREACHABLE(message)                                                       \
  do {                                                                             \
    std::fprintf(stderr, "%s:%d: unreachable: %s\n", __FILE__, __LINE__, message); \
    std::abort();                                                                  \
  } while (false)
