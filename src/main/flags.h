#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "platform/identity/accounts.h"
#include "storage/store.h"

// The command line: what it may say, what it means, and how the help explains it.

namespace trestle {

// What `trestle serve` was asked to do.
struct ServeOptions {
  std::string data_folder = "trestle-data";
  bool in_memory = false;
  std::string bind_address = "127.0.0.1";
  std::uint16_t port = 8000;
  unsigned loop_count = 0;      // 0: one per core
  std::size_t cache_bytes = 0;  // 0: a quarter of the memory
  storage::Durability durability = storage::Durability::kSync;
  bool is_remote = false;  // --store dynamodb
  std::string endpoint;    // of that; empty: the surroundings', else the region's own
  std::string region = "us-east-1";
  bool is_region_given = false;
  std::string account_id = "000000000000";
  std::string access_keys_file;  // empty: signatures are not enforced
  std::string tls_certificate_file;
  std::string tls_key_file;
  std::vector<std::string> cors_origins;
  std::vector<std::string> design_files;
  std::uint16_t web_port = 8080;
  bool is_web_port_given = false;                // else any other will do when it is taken
  std::optional<std::vector<std::string>> apps;  // none: all
  bool has_apps = true;
  bool is_place_given = false;  // --data or --in-memory; without them there is sample data
  bool has_samples = false;
  std::string web_folder;      // empty: the pages in the binary
  std::string issuer_url;      // of the web port, as people use it; empty: where it listens
  std::string catalogue_file;  // empty: none, or that of the sample data
  // Pools elsewhere; each has its client ids at the same place.
  std::vector<std::string> issuers;
  std::vector<std::vector<std::string>> issuer_clients;
  platform::identity::SignUpPolicy sign_up = platform::identity::SignUpPolicy::kOpen;
  std::string admins_file;               // empty: none
  std::int64_t request_limit = 100;      // a second, of one client; 0: none
  std::int64_t public_write_limit = 60;  // an hour, of one person; 0: none
  bool requires_if_match = false;
  std::int64_t edit_window_minutes = 60;  // of chapters; 0: until somebody has continued them
  std::string smtp_server;                // empty: mails go to a file
  std::string smtp_login_file;
  std::string mail_from;
  std::string outbound_url;  // empty: nobody is told of changes
  std::string outbound_secret_file;
  std::int64_t transient_status_ms = 0;
  std::optional<std::int64_t> index_lag_ms;  // none: as the store says
  std::uint64_t shard_records_per_second = 1000;
  std::int64_t ttl_sweep_ms = 1000;  // 0: items never expire
  log::Level log_level = log::Level::kInfo;
};

struct HealthcheckOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8000;
};

struct BenchOptions {
  std::string data_folder;  // empty: in memory
  storage::Durability durability = storage::Durability::kSync;
  std::uint64_t item_count = 100'000;
  unsigned seconds = 3;  // for each kind of request
  unsigned connection_count = 64;
};

// Each reads the arguments behind the command's name. Fails with kValidation and a sentence for
// the person who typed them.
//
// ParseServe takes DynamoDB Local's flags too, and what it finds in the file of --config, which
// the command line overrides.
[[nodiscard]] Result<ServeOptions> ParseServe(std::span<const std::string_view> arguments);
[[nodiscard]] Result<HealthcheckOptions> ParseHealthcheck(
    std::span<const std::string_view> arguments);

[[nodiscard]] Result<BenchOptions> ParseBench(std::span<const std::string_view> arguments);

// Every command and every flag.
[[nodiscard]] std::string HelpText();

// Whether only this machine can reach an address.
[[nodiscard]] bool IsLoopback(std::string_view address);

}  // namespace trestle
