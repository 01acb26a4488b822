#include "main/bench.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/load.h"

namespace trestle {
namespace {

// Requests are made before the clock starts; a faster server gets them again.
constexpr std::size_t kRequestsAheadPerSecond = 30'000;

Error Failed(std::string message) { return {ErrorCode::kInternal, std::move(message)}; }

// A folder below another that is removed with everything in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& below)
      : path_((below / "trestle-bench-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (is_made()) std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] bool is_made() const { return !path_.empty(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The server that a signal to us must end, so that the measurement fails and cleans up; 0: none.
volatile std::sig_atomic_t server_to_end = 0;

void EndServer(int /*signal*/) {
  if (server_to_end != 0) ::kill(server_to_end, SIGTERM);
}

// This program, serving in a process of its own, so that its CPU time can be told from ours.
class ServerProcess {
 public:
  ~ServerProcess() {
    server_to_end = 0;
    if (pid_ != 0) {
      ::kill(pid_, SIGTERM);
      ::waitpid(pid_, nullptr, 0);
    }
    if (output_ != nullptr) std::fclose(output_);
  }
  ServerProcess() = default;
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  [[nodiscard]] Status Start(std::vector<std::string> arguments) {
    int pipe_fds[2];
    if (::pipe(pipe_fds) != 0) return Failed("it cannot make a pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe_fds[0]);
    posix_spawn_file_actions_addclose(&actions, pipe_fds[1]);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int failed =
        ::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_fds[1]);
    output_ = ::fdopen(pipe_fds[0], "r");
    if (failed != 0) {
      pid_ = 0;
      return Failed("it cannot start a server");
    }
    server_to_end = pid_;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      std::signal(signal, EndServer);
    return ReadPort();
  }

  [[nodiscard]] int pid() const { return pid_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  // From the line that says where the server can be reached.
  [[nodiscard]] Status ReadPort() {
    char line[512];
    while (std::fgets(line, sizeof(line), output_) != nullptr) {
      const std::string_view text = line;
      if (!text.starts_with("DynamoDB API")) continue;
      const std::size_t colon = text.rfind(':');
      std::from_chars(text.data() + colon + 1, text.data() + text.size(), port_);
      return Ok();
    }
    return Failed("its server did not start");
  }

  int pid_ = 0;
  std::FILE* output_ = nullptr;
  std::uint16_t port_ = 0;
};

std::vector<std::string> ServeArguments(const BenchOptions& options,
                                        const TemporaryFolder& folder) {
  const std::string keys_file = folder.path() + "/keys";
  std::vector<std::string> arguments = {"trestle",     "serve",         "--port",
                                        "0",           "--access-keys", keys_file,
                                        "--log-level", "error",         "--durability"};
  arguments.emplace_back(options.durability == storage::Durability::kSync ? "sync" : "relaxed");
  if (options.data_folder.empty()) {
    arguments.emplace_back("--in-memory");
  } else {
    arguments.insert(arguments.end(), {"--data", folder.path() + "/data"});
  }
  return arguments;
}

Status WriteKeys(const TemporaryFolder& folder) {
  const std::string file = folder.path() + "/keys";
  std::ofstream(file) << bench::kAccessKeyId << " " << bench::kSecretAccessKey << "\n";
  std::error_code error;
  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
  if (error) return Failed(fmt::format("it cannot write {}", file));
  return Ok();
}

struct Step {
  bench::Kind kind;
  const char* label;  // null: preparation, not printed
};
constexpr Step kSteps[] = {
    {bench::Kind::kCreate, nullptr},
    {bench::Kind::kFill, "BatchWriteItem, 25 new items"},
    {bench::Kind::kSweep, nullptr},
    {bench::Kind::kTouch, nullptr},
    {bench::Kind::kGet, "GetItem"},
    {bench::Kind::kQuery, "Query, 20 items"},
    {bench::Kind::kPut, "PutItem, over an item"},
    {bench::Kind::kUpdate, "UpdateItem, ADD with a condition"},
};

Status RunSteps(const BenchOptions& options, const ServerProcess& server) {
  fmt::print("{:<34}{:>12}{:>10}{:>10}{:>16}\n", "request", "per second", "p50 us", "p99 us",
             "server CPU us");
  for (const Step& step : kSteps) {
    const bench::LoadFigures it =
        TRY(bench::RunLoad({.kind = step.kind,
                            .workload = {.item_count = options.item_count, .port = server.port()},
                            .pid = server.pid(),
                            .connection_count = options.connection_count,
                            .seconds = static_cast<double>(options.seconds),
                            .ring = std::size_t{options.seconds} * kRequestsAheadPerSecond}));
    if (it.error_count > 0) return Failed("the server refused a request");
    if (step.label == nullptr) continue;
    fmt::print("{:<34}{:>12.0f}{:>10.0f}{:>10.0f}{:>16.1f}\n", step.label, it.per_second, it.p50_us,
               it.p99_us, it.server_cpu_us);
    std::fflush(stdout);
  }
  return Ok();
}

Status RunBench(const BenchOptions& options) {
  const std::string below = options.data_folder.empty()
                                ? std::filesystem::temp_directory_path().string()
                                : options.data_folder;
  const TemporaryFolder folder(below);
  if (!folder.is_made()) return Failed(fmt::format("it cannot make a folder in {}", below));
  TRY(WriteKeys(folder));
  ServerProcess server;
  TRY(server.Start(ServeArguments(options, folder)));
  fmt::print("Trestle {}: {} items of about 300 bytes, {}, {} connections, signed requests\n\n",
             Version(), options.item_count,
             options.data_folder.empty() ? "in memory"
             : options.durability == storage::Durability::kSync
                 ? "each write on disk before its reply"
                 : "on disk, durability relaxed",
             options.connection_count);
  return RunSteps(options, server);
}

}  // namespace

ExitCode Bench(const BenchOptions& options) {
  const Status status = RunBench(options);
  if (status.ok()) return kExitDone;
  fmt::print(stderr, "trestle: {}.\n", status.error().message());
  return kExitFailed;
}

}  // namespace trestle
