// trestle: one program, several commands.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "http/client.h"
#include "main/bench.h"
#include "main/design.h"
#include "main/failure.h"
#include "main/flags.h"
#include "main/server.h"

namespace trestle {
namespace {

constexpr std::int64_t kHealthcheckTimeoutMs = 5000;

ExitCode Help(std::span<const std::string_view>) {
  fmt::print("{}", HelpText());
  return kExitDone;
}

ExitCode PrintVersion(std::span<const std::string_view>) {
  fmt::print("Trestle {}\n", Version());
  return kExitDone;
}

ExitCode RunServe(std::span<const std::string_view> arguments) {
  const auto options = ParseServe(arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  return Serve(*options);
}

ExitCode Healthcheck(std::span<const std::string_view> arguments) {
  const auto options = ParseHealthcheck(arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  const auto response = http::Get({.address = options->address,
                                   .port = options->port,
                                   .path = "/healthz",
                                   .timeout_ms = kHealthcheckTimeoutMs});
  if (!response.ok()) {
    fmt::print(stderr, "trestle: {}.\n", response.error().message());
    return kExitFailed;
  }
  if (response->status != 200) {
    fmt::print(stderr, "trestle: the server answers {}: {}\n", response->status, response->body);
    return kExitFailed;
  }
  fmt::print("healthy\n");
  return kExitDone;
}

ExitCode RunBench(std::span<const std::string_view> arguments) {
  const auto options = ParseBench(arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  return Bench(*options);
}

struct Command {
  std::string_view name;
  ExitCode (*run)(std::span<const std::string_view> arguments);
};

constexpr Command kCommands[] = {
    {"serve", RunServe},   {"healthcheck", Healthcheck}, {"bench", RunBench},
    {"design", RunDesign}, {"version", PrintVersion},    {"help", Help},
};

// These are answered wherever they stand, as in DynamoDB Local.
constexpr Command kCommandFlags[] = {
    {"--help", Help},           {"-help", Help}, {"-h", Help}, {"--version", PrintVersion},
    {"-version", PrintVersion},
};

ExitCode Run(std::span<const std::string_view> arguments) {
  if (arguments.empty()) return WrongUsage("it needs a command; `trestle help` lists them");
  for (const Command& flag : kCommandFlags) {
    if (std::ranges::find(arguments, flag.name) != arguments.end()) return flag.run({});
  }
  const auto* command = std::ranges::find(kCommands, arguments.front(), &Command::name);
  if (command != std::end(kCommands)) return command->run(arguments.subspan(1));
  // A program that was told to start DynamoDB Local gives flags and no command.
  if (arguments.front().starts_with('-')) return RunServe(arguments);
  return WrongUsage(
      fmt::format("{} is not a command; `trestle help` lists them", arguments.front()));
}

}  // namespace
}  // namespace trestle

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  return trestle::Run(arguments);
}
