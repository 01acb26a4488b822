// How much one kind of request costs a server: its CPU time per request, throughput, p50 and p99,
// with a number of connections that each wait for the reply before they send again.
//
//   bench_load KIND --port N [--pid N] [--items N] [--first N] [--text-bytes N]
//              [--connections N] [--seconds N] [--ring N]
//
// Prints one line of JSON. `--pid` is the process whose CPU time is counted, all its threads.
// `--ring` is how many requests are made ahead; a longer run sends them again.

#include "bench/load.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace trestle::bench {
namespace {

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr NamedKind kKinds[] = {
    {"create", Kind::kCreate},        {"fill", Kind::kFill},         {"sweep", Kind::kSweep},
    {"touch", Kind::kTouch},          {"get", Kind::kGet},           {"put", Kind::kPut},
    {"update", Kind::kUpdate},        {"query", Kind::kQuery},       {"static", Kind::kStatic},
    {"redis-fill", Kind::kRedisFill}, {"redis-get", Kind::kRedisGet}};

[[noreturn]] void Fail(std::string_view sentence) {
  fmt::print(stderr, "bench_load: {}\n", sentence);
  std::_Exit(1);
}

LoadOptions ParseOptions(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) Fail("KIND, then flags with a value each");
  LoadOptions options;
  const auto* kind = std::ranges::find(kKinds, std::string_view(argv[1]), &NamedKind::name);
  if (kind == std::end(kKinds)) Fail(fmt::format("{} is not a kind", argv[1]));
  options.kind = kind->kind;
  for (int i = 2; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    const auto number = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--port")
      options.workload.port = static_cast<std::uint16_t>(number);
    else if (flag == "--pid")
      options.pid = static_cast<int>(number);
    else if (flag == "--items")
      options.workload.item_count = number;
    else if (flag == "--first")
      options.workload.first_item = number;
    else if (flag == "--text-bytes")
      options.workload.text_bytes = number;
    else if (flag == "--connections")
      options.connection_count = number;
    else if (flag == "--seconds")
      options.seconds = static_cast<double>(number);
    else if (flag == "--ring")
      options.ring = number;
    else
      Fail(fmt::format("{} is not a flag", flag));
  }
  return options;
}

void Print(const LoadFigures& it) {
  fmt::print(R"({{"requests":{},"errors":{},"per_second":{:.0f},"p50_us":{:.1f},"p99_us":{:.1f},)"
             R"("server_cpu_us":{:.3f},"reply_bytes":{:.0f}}})"
             "\n",
             it.request_count, it.error_count, it.per_second, it.p50_us, it.p99_us,
             it.server_cpu_us, it.reply_bytes);
}

}  // namespace
}  // namespace trestle::bench

int main(int argc, char** argv) {
  const auto figures = trestle::bench::RunLoad(trestle::bench::ParseOptions(argc, argv));
  if (!figures.ok()) trestle::bench::Fail(figures.error().message());
  trestle::bench::Print(*figures);
}
