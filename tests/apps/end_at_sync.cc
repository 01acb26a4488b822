// Loaded before the C library's fdatasync: ends the process, as kill -9 does, in a chosen one.
//
// TRESTLE_END_FILE names a file of eight bytes, a number in the machine's order. While it is above
// zero, every fdatasync takes one off; the one that makes it zero does not return. A commit is one
// write and one fdatasync, so this is behind a chosen commit, before anybody hears of it.

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

std::atomic<std::int64_t>* MapCountdown() {
  const char* file = std::getenv("TRESTLE_END_FILE");  // NOLINT(concurrency-mt-unsafe)
  const int descriptor = file == nullptr ? -1 : open(file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  void* bytes =
      mmap(nullptr, sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return bytes == MAP_FAILED ? nullptr : static_cast<std::atomic<std::int64_t>*>(bytes);
}

}  // namespace

extern "C" int fdatasync(int descriptor) {
  static std::atomic<std::int64_t>* const countdown = MapCountdown();
  static auto* const inner = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fdatasync"));
  if (countdown != nullptr && *countdown > 0 && --*countdown == 0) raise(SIGKILL);
  return inner(descriptor);
}
