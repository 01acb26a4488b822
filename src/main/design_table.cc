#include "main/design_table.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "design/backend_engine.h"
#include "design/backend_remote.h"
#include "storage/rocks_store.h"

namespace trestle {
namespace {

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Status SetParameter(std::string_view text, DesignTableOptions& options) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    return ValidationError("--set must have the form Name=value");
  }
  options.parameters[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  return Ok();
}

Status SetOption(std::string_view name, std::string_view value, DesignTableOptions& options) {
  if (value.empty()) return ValidationError(fmt::format("{} must not be empty", name));
  if (name == "--set") return SetParameter(value, options);
  std::string& option = name == "--data"       ? options.data_folder
                        : name == "--endpoint" ? options.endpoint
                                               : options.region;
  option = value;
  return Ok();
}

Status CheckPlace(std::string_view command, const DesignTableOptions& options) {
  const bool has_endpoint = !options.endpoint.empty() || !options.region.empty();
  if (options.data_folder.empty() && !has_endpoint) {
    return ValidationError(fmt::format(
        "design {} needs --data DIR, --endpoint URL or --region R: where the table is", command));
  }
  if (!options.data_folder.empty() && has_endpoint) {
    return ValidationError("--data excludes --endpoint and --region");
  }
  return Ok();
}

}  // namespace

Result<DesignTableOptions> ParseDesignTable(const DesignTableCommand& command,
                                            std::span<const std::string_view> arguments) {
  constexpr std::string_view kFlags[] = {"--set", "--data", "--endpoint", "--region"};
  DesignTableOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i];
    const std::string_view name = text.substr(0, text.find('='));
    const bool is_own = Contains(command.value_flags, name);
    if (Contains(command.switches, text)) {
      options.switches.push_back(text);
    } else if (is_own || Contains(kFlags, name)) {
      const bool has_value = name.size() < text.size();
      if (!has_value && i + 1 == arguments.size()) {
        return ValidationError(fmt::format("{} needs an argument", name));
      }
      const std::string_view value = has_value ? text.substr(name.size() + 1) : arguments[++i];
      if (is_own) {
        options.values[std::string(name)] = value;
      } else {
        TRY(SetOption(name, value, options));
      }
    } else if (text.starts_with("--")) {
      return ValidationError(fmt::format("{} is not a flag of design {}", text, command.name));
    } else if (options.file.empty()) {
      options.file = text;
    } else if (command.takes_words) {
      options.words.emplace_back(text);
    } else {
      return ValidationError(fmt::format("design {} needs one FILE", command.name));
    }
  }
  if (options.file.empty()) {
    return ValidationError(fmt::format("design {} needs one FILE", command.name));
  }
  TRY(CheckPlace(command.name, options));
  return options;
}

Result<std::unique_ptr<DesignBackend>> DesignBackend::Open(const DesignTableOptions& options) {
  std::unique_ptr<DesignBackend> host(new DesignBackend);
  if (!options.data_folder.empty()) {
    const bool is_absent = !std::filesystem::exists(options.data_folder);
    auto store = TRY(storage::OpenRocksStore({.folder = options.data_folder,
                                              .in_memory = options.is_dry && is_absent,
                                              .cache_bytes = 0,
                                              .file_system = nullptr}));
    host->database_ = TRY(engine::Database::Open(
        std::move(store), {.clock = &host->clock_, .random = &host->random_}));
    host->backend_ = design::NewEngineBackend(*host->database_);
    return host;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a server may close a TLS connection while we write to it
  host->client_ = TRY(
      remote::Client::Open({.environment = remote::SystemEnvironment(),
                            .endpoint = {.endpoint = options.endpoint, .region = options.region},
                            .clock = &host->clock_,
                            .random = &host->random_}));
  host->backend_ = TRY(design::OpenRemoteBackend(*host->client_));
  return host;
}

}  // namespace trestle
