#include "main/flags.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "main/files.h"

namespace trestle {
namespace {

// How long statuses such as CREATING last with --delay-transient-statuses.
constexpr std::int64_t kTransientStatusMs = 3000;

template <typename T>
std::optional<T> ParseInteger(std::string_view text) {
  T integer{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, integer);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return integer;
}

Status SetPort(std::string_view text, std::uint16_t& port) {
  const auto parsed = ParseInteger<std::uint16_t>(text);
  if (!parsed) return ValidationError("must be a number from 0 to 65535");
  port = *parsed;
  return Ok();
}

template <typename T>
Status SetCount(std::string_view text, T least, T most, T& to) {
  const auto parsed = ParseInteger<T>(text);
  if (!parsed || *parsed < least || *parsed > most) {
    return ValidationError(fmt::format("must be a number from {} to {}", least, most));
  }
  to = *parsed;
  return Ok();
}

Status SetShardRate(std::string_view text, std::uint64_t& records_per_second) {
  const auto parsed = ParseInteger<std::uint32_t>(text);
  if (!parsed || *parsed < 1) return ValidationError("must be a number of at least 1");
  records_per_second = *parsed;
  return Ok();
}

Status SetSweep(std::string_view text, std::int64_t& sweep_ms) {
  const auto parsed = ParseInteger<std::uint32_t>(text);
  if (!parsed) return ValidationError("must be a number of seconds, or 0");
  sweep_ms = std::int64_t{*parsed} * 1000;
  return Ok();
}

Status SetCache(std::string_view text, std::size_t& cache_bytes) {
  const auto parsed = ParseInteger<std::uint32_t>(text);
  if (!parsed || *parsed < 1) return ValidationError("must be a number of at least 1");
  cache_bytes = std::size_t{*parsed} * 1024 * 1024;
  return Ok();
}

Status SetDurability(std::string_view text, storage::Durability& durability) {
  if (text != "sync" && text != "relaxed") return ValidationError("must be sync or relaxed");
  durability = text == "sync" ? storage::Durability::kSync : storage::Durability::kRelaxed;
  return Ok();
}

Status SetStore(std::string_view text, bool& is_remote) {
  if (text != "embedded" && text != "dynamodb") {
    return ValidationError("must be embedded or dynamodb");
  }
  is_remote = text == "dynamodb";
  return Ok();
}

Status SetRegion(std::string_view text, std::string& region) {
  const bool is_region =
      !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      });
  if (!is_region) return ValidationError("must be a region such as us-east-1");
  region = text;
  return Ok();
}

Status SetAccountId(std::string_view text, std::string& account_id) {
  const bool is_id =
      text.size() == 12 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_id) return ValidationError("must have 12 digits");
  account_id = text;
  return Ok();
}

Status SetSignUp(std::string_view text, platform::identity::SignUpPolicy& policy) {
  using platform::identity::SignUpPolicy;
  if (text != "open" && text != "code" && text != "approval") {
    return ValidationError("must be open, code or approval");
  }
  policy = text == "open"   ? SignUpPolicy::kOpen
           : text == "code" ? SignUpPolicy::kEmailCode
                            : SignUpPolicy::kApproval;
  return Ok();
}

Status SetLogLevel(std::string_view text, log::Level& level) {
  constexpr std::pair<std::string_view, log::Level> kLevels[] = {{"info", log::Level::kInfo},
                                                                 {"warn", log::Level::kWarn},
                                                                 {"error", log::Level::kError},
                                                                 {"off", log::Level::kOff}};
  for (const auto& [name, named_level] : kLevels) {
    if (name != text) continue;
    level = named_level;
    return Ok();
  }
  return ValidationError("must be info, warn, error or off");
}

Status SetText(std::string_view text, std::string& to) {
  if (text.empty()) return ValidationError("must not be empty");
  to = text;
  return Ok();
}

Status SetList(std::string_view text, std::vector<std::string>& to) {
  while (!text.empty()) {
    const std::string_view element = text.substr(0, text.find(','));
    text.remove_prefix(std::min(element.size() + 1, text.size()));
    if (!element.empty()) to.emplace_back(element);
  }
  return Ok();
}

// A flag of a command: "--name ARGUMENT", or "--name" alone.
template <typename Options>
struct Flag {
  std::string_view name;
  std::string_view argument;  // what the help calls it; empty for a flag that takes none
  std::string_view meaning;
  Status (*set)(std::string_view value, Options& options);
  bool is_repeatable = false;  // `set` is called for each
};

// Adding a flag: its line here, its row in docs/reference/command-line.md.
constexpr Flag<ServeOptions> kServeFlags[] = {
    {"data", "DIR", "keep the data in this folder (./trestle-data)",
     [](std::string_view value, ServeOptions& it) {
       it.is_place_given = true;
       return SetText(value, it.data_folder);
     }},
    {"in-memory", "", "keep the data in memory; it is gone when the server ends",
     [](std::string_view, ServeOptions& it) -> Status {
       it.is_place_given = true;
       it.in_memory = true;
       return Ok();
     }},
    {"port", "N", "the DynamoDB API's port (8000); 0 for any that is free",
     [](std::string_view value, ServeOptions& it) { return SetPort(value, it.port); }},
    {"bind", "ADDR", "the address to listen on (127.0.0.1); others need --access-keys",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.bind_address); }},
    {"durability", "sync|relaxed", "acknowledge a write when it is on disk, or before (sync)",
     [](std::string_view value, ServeOptions& it) { return SetDurability(value, it.durability); }},
    {"access-keys", "FILE", "require signed requests, by the keys in this file",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.access_keys_file); }},
    {"tls-cert", "FILE", "serve HTTPS with this certificate chain (PEM)",
     [](std::string_view value, ServeOptions& it) {
       return SetText(value, it.tls_certificate_file);
     }},
    {"tls-key", "FILE", "the certificate's private key (PEM)",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.tls_key_file); }},
    {"store", "embedded|dynamodb", "keep the data here, or behind a DynamoDB endpoint (embedded)",
     [](std::string_view value, ServeOptions& it) { return SetStore(value, it.is_remote); }},
    {"endpoint", "URL", "the endpoint of --store dynamodb (Amazon DynamoDB in the region)",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.endpoint); }},
    {"region", "R", "the region in the ARNs (us-east-1), or that of --store dynamodb",
     [](std::string_view value, ServeOptions& it) {
       it.is_region_given = true;
       return SetRegion(value, it.region);
     }},
    {"account-id", "ID", "the account in the ARNs (000000000000)",
     [](std::string_view value, ServeOptions& it) { return SetAccountId(value, it.account_id); }},
    {"cors", "ORIGINS", "let pages of these origins call, separated by commas",
     [](std::string_view value, ServeOptions& it) { return SetList(value, it.cors_origins); }},
    {"design", "FILE", "serve this design on the web port; may be given several times",
     [](std::string_view value, ServeOptions& it) -> Status {
       if (value.empty()) return ValidationError("must not be empty");
       it.design_files.emplace_back(value);
       return Ok();
     },
     true},
    {"web-port", "N", "the port of applications, studio, designs (8080); 0: any that is free",
     [](std::string_view value, ServeOptions& it) -> Status {
       it.is_web_port_given = true;
       return SetPort(value, it.web_port);
     }},
    {"web-folder", "DIR", "serve the pages from this folder instead of the built-in ones",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.web_folder); }},
    {"delay-transient-statuses", "", "let CREATING and the like last for three seconds",
     [](std::string_view, ServeOptions& it) -> Status {
       it.transient_status_ms = kTransientStatusMs;
       return Ok();
     }},
    {"index-delay-ms", "N", "let global indexes follow their tables so much later (0)",
     [](std::string_view value, ServeOptions& it) {
       return SetCount<std::int64_t>(value, 0, 3'600'000, it.index_lag_ms.emplace());
     }},
    {"shard-rate", "N", "split a stream's shard that gets more records a second (1000)",
     [](std::string_view value, ServeOptions& it) {
       return SetShardRate(value, it.shard_records_per_second);
     }},
    {"ttl-sweep-seconds", "N", "how often to look for expired items (1); 0 for never",
     [](std::string_view value, ServeOptions& it) { return SetSweep(value, it.ttl_sweep_ms); }},
    {"threads", "N", "the number of threads that serve connections (one per core)",
     [](std::string_view value, ServeOptions& it) {
       return SetCount(value, 1U, 256U, it.loop_count);
     }},
    {"cache-mb", "N", "memory for reading data again, in MB (a quarter of what there is)",
     [](std::string_view value, ServeOptions& it) { return SetCache(value, it.cache_bytes); }},
    {"log-level", "LEVEL", "info, warn, error or off (info)",
     [](std::string_view value, ServeOptions& it) { return SetLogLevel(value, it.log_level); }},
    {"apps", "LIST", "start only these applications, separated by commas (all)",
     [](std::string_view value, ServeOptions& it) -> Status {
       it.apps.emplace();
       return SetList(value, *it.apps);
     }},
    {"sample-data", "", "load sample data into the applications, once",
     [](std::string_view, ServeOptions& it) -> Status {
       it.has_samples = true;
       return Ok();
     }},
    {"catalogue", "FILE", "look codes and titles of books and films up in this table (none)",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.catalogue_file); }},
    {"sign-up", "open|code|approval", "what a sign-up needs: nothing, an e-mailed code, an admin",
     [](std::string_view value, ServeOptions& it) { return SetSignUp(value, it.sign_up); }},
    {"admins", "FILE", "make accounts for these administrators (e-mail and password a line)",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.admins_file); }},
    {"request-limit", "N", "requests a second of one client, four times that at once (100); 0: any",
     [](std::string_view value, ServeOptions& it) {
       return SetCount<std::int64_t>(value, 0, 1'000'000, it.request_limit);
     }},
    {"public-write-limit", "N", "what one person may post for everybody in an hour (60); 0: any",
     [](std::string_view value, ServeOptions& it) {
       return SetCount<std::int64_t>(value, 0, 1'000'000, it.public_write_limit);
     }},
    {"require-if-match", "", "refuse changes that do not say which version they are of",
     [](std::string_view, ServeOptions& it) -> Status {
       it.requires_if_match = true;
       return Ok();
     }},
    {"edit-window", "MINUTES", "how long chapters may be changed (60); 0: until they are continued",
     [](std::string_view value, ServeOptions& it) {
       return SetCount<std::int64_t>(value, 0, 5'256'000, it.edit_window_minutes);
     }},
    {"smtp-server", "HOST:PORT", "send mails through this server (they go to a file)",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.smtp_server); }},
    {"smtp-login", "FILE", "its user and password, with a blank between",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.smtp_login_file); }},
    {"mail-from", "ADDRESS", "whom mails are from",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.mail_from); }},
    {"outbound-url", "URL", "send every change of the applications' items there, as events",
     [](std::string_view value, ServeOptions& it) { return SetText(value, it.outbound_url); }},
    {"outbound-secret", "FILE", "what these events are signed with",
     [](std::string_view value, ServeOptions& it) {
       return SetText(value, it.outbound_secret_file);
     }},
    {"issuer-url", "URL", "where people find the web port; names this server in its tokens",
     [](std::string_view value, ServeOptions& it) {
       while (value.ends_with('/'))
         value.remove_suffix(1);
       return SetText(value, it.issuer_url);
     }},
    {"issuer", "URL", "believe tokens of this pool too (as Cognito's); may be repeated",
     [](std::string_view value, ServeOptions& it) {
       while (value.ends_with('/'))
         value.remove_suffix(1);
       return SetText(value, it.issuers.emplace_back());
     },
     true},
    {"client-id", "IDS", "whom the tokens of --issuer may be for, separated by commas; one each",
     [](std::string_view value, ServeOptions& it) {
       return SetList(value, it.issuer_clients.emplace_back());
     },
     true},
    {"no-apps", "", "start no applications; designs are still served",
     [](std::string_view, ServeOptions& it) -> Status {
       it.has_apps = false;
       return Ok();
     }},
    {"config", "FILE", "read flags from this file, as lines of the form key = value",
     [](std::string_view, ServeOptions&) -> Status { return Ok(); }},
};

constexpr Flag<HealthcheckOptions> kHealthcheckFlags[] = {
    {"port", "N", "the DynamoDB API's port (8000)",
     [](std::string_view value, HealthcheckOptions& it) { return SetPort(value, it.port); }},
    {"bind", "ADDR", "the address that the server listens on (127.0.0.1)",
     [](std::string_view value, HealthcheckOptions& it) { return SetText(value, it.address); }},
};

constexpr Flag<BenchOptions> kBenchFlags[] = {
    {"data", "DIR", "measure on disk, in a new folder below this one (in memory)",
     [](std::string_view value, BenchOptions& it) { return SetText(value, it.data_folder); }},
    {"durability", "sync|relaxed", "as of serve (sync)",
     [](std::string_view value, BenchOptions& it) { return SetDurability(value, it.durability); }},
    {"items", "N", "how many items the table has (100000)",
     [](std::string_view value, BenchOptions& it) {
       return SetCount<std::uint64_t>(value, 100, 100'000'000, it.item_count);
     }},
    {"seconds", "N", "how long each kind of request is sent (3)",
     [](std::string_view value, BenchOptions& it) {
       return SetCount(value, 1U, 3600U, it.seconds);
     }},
    {"connections", "N", "how many connections send at once (64)",
     [](std::string_view value, BenchOptions& it) {
       return SetCount(value, 1U, 1000U, it.connection_count);
     }},
};

// DynamoDB Local's flags, with one dash, and ours that mean the same. One without such a flag
// changes nothing here: the data is always shared, and nothing is ever reported home.
struct LocalFlag {
  std::string_view name;
  std::string_view argument;
  std::string_view same_as;
};
constexpr LocalFlag kLocalFlags[] = {
    {"port", "N", "port"},
    {"inMemory", "", "in-memory"},
    {"dbPath", "DIR", "data"},
    {"cors", "ORIGINS", "cors"},
    {"delayTransientStatuses", "", "delay-transient-statuses"},
    {"sharedDb", "", ""},
    {"disableTelemetry", "", ""},
    {"optimizeDbBeforeStartup", "", ""},
};

// What flags were given, by name; several values of one that may be repeated.
using Assignments = std::map<std::string, std::vector<std::string>, std::less<>>;

template <typename Options>
const Flag<Options>* Find(std::span<const Flag<Options>> flags, std::string_view name) {
  const auto found = std::ranges::find(flags, name, &Flag<Options>::name);
  return found == flags.end() ? nullptr : &*found;
}

Error UnknownFlag(std::string_view flag) {
  return ValidationError(fmt::format("{} is not a flag; `trestle help` lists them", flag));
}

Status Assign(std::string_view flag, std::string_view name, std::string_view value,
              bool is_repeatable, Assignments& given) {
  std::vector<std::string>& values = given[std::string(name)];
  values.emplace_back(value);
  if (values.size() == 1 || is_repeatable) return Ok();
  return ValidationError(fmt::format("{} is given twice", flag));
}

// Takes the argument of `flag` from the front of `rest`.
Result<std::string_view> TakeArgument(std::string_view flag, std::string_view argument,
                                      std::span<const std::string_view>& rest) {
  if (rest.empty()) return ValidationError(fmt::format("{} needs {}", flag, argument));
  const std::string_view value = rest.front();
  rest = rest.subspan(1);
  return value;
}

// "--name", "--name VALUE" or "--name=VALUE".
template <typename Options>
Status ReadFlag(std::span<const Flag<Options>> flags, std::string_view text,
                std::span<const std::string_view>& rest, Assignments& given) {
  const std::size_t equals = text.find('=');
  const std::string_view flag_text = text.substr(0, equals);
  const auto* flag = flag_text.starts_with("--") ? Find(flags, flag_text.substr(2)) : nullptr;
  if (flag == nullptr) return UnknownFlag(flag_text);
  if (flag->argument.empty()) {
    if (equals == std::string_view::npos) return Assign(flag_text, flag->name, "", false, given);
    return ValidationError(fmt::format("{} takes no value", flag_text));
  }
  const std::string_view value = equals == std::string_view::npos
                                     ? TRY(TakeArgument(flag_text, flag->argument, rest))
                                     : text.substr(equals + 1);
  return Assign(flag_text, flag->name, value, flag->is_repeatable, given);
}

// DynamoDB Local keeps a file in the folder of -dbPath, next to whatever else is there; ours is a
// folder of its own, so it goes inside.
std::string LocalValue(const LocalFlag& flag, std::string_view value) {
  if (flag.name != "dbPath") return std::string(value);
  return fmt::format("{}{}trestle-data", value, value.ends_with('/') ? "" : "/");
}

Status ReadLocalFlag(const LocalFlag& flag, std::span<const std::string_view>& rest,
                     Assignments& given) {
  const std::string text = fmt::format("-{}", flag.name);
  const std::string_view value =
      flag.argument.empty() ? std::string_view() : TRY(TakeArgument(text, flag.argument, rest));
  if (flag.same_as.empty()) return Ok();
  return Assign(text, flag.same_as, LocalValue(flag, value), false, given);
}

Result<Assignments> ReadServeArguments(std::span<const std::string_view> arguments) {
  Assignments given;
  bool is_local = false;
  while (!arguments.empty()) {
    const std::string_view text = arguments.front();
    arguments = arguments.subspan(1);
    const auto* local = text.starts_with('-')
                            ? std::ranges::find(kLocalFlags, text.substr(1), &LocalFlag::name)
                            : std::end(kLocalFlags);
    if (local != std::end(kLocalFlags)) {
      is_local = true;
      TRY(ReadLocalFlag(*local, arguments, given));
    } else {
      TRY(ReadFlag<ServeOptions>(kServeFlags, text, arguments, given));
    }
  }
  // Who starts it as DynamoDB Local expects a database without tables.
  if (is_local && !given.contains("apps")) given["no-apps"] = {""};
  return given;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// A flag without an argument is on or off in a file.
Result<bool> ParseSwitch(std::string_view value) {
  if (value == "true" || value == "yes") return true;
  if (value == "false" || value == "no") return false;
  return ValidationError("must be true or false");
}

Status ReadConfigLine(std::string_view line, Assignments& given) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return ValidationError("must have the form key = value");
  const std::string_view name = Trimmed(line.substr(0, equals));
  const std::string_view value = Trimmed(line.substr(equals + 1));
  const auto* flag = Find<ServeOptions>(kServeFlags, name);
  if (flag == nullptr || name == "config") return UnknownFlag(fmt::format("--{}", name));
  if (!flag->argument.empty()) return Assign(name, name, value, flag->is_repeatable, given);

  const auto is_on = ParseSwitch(value);
  if (!is_on.ok()) return ValidationError(fmt::format("{} {}", name, is_on.error().message()));
  return *is_on ? Assign(name, name, "", false, given) : Ok();
}

Result<Assignments> ReadConfig(const std::string& file) {
  const std::string text = TRY(ReadTextFile(file));
  Assignments given;
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line = Trimmed(line);
    if (line.empty() || line.starts_with('#')) continue;
    const Status status = ReadConfigLine(line, given);
    if (!status.ok()) {
      return ValidationError(fmt::format("{} line {}: {}", file, number, status.error().message()));
    }
  }
  return given;
}

Status CheckStore(const Assignments& given) {
  if (!given.contains("data") || !given.contains("in-memory")) return Ok();
  return ValidationError("--data and --in-memory exclude each other");
}

// Adds what the file says and the command line does not. Where the data goes is one choice.
Status AddConfig(const std::string& file, Assignments& given) {
  Assignments config = TRY(ReadConfig(file));
  TRY(CheckStore(config));
  if (given.contains("data") || given.contains("in-memory")) {
    config.erase("data");
    config.erase("in-memory");
  }
  given.merge(config);
  return Ok();
}

template <typename Options>
Result<Options> Apply(std::span<const Flag<Options>> flags, const Assignments& given) {
  Options options;
  for (const auto& [name, values] : given) {
    for (const std::string& value : values) {
      const Status status = Find(flags, name)->set(value, options);
      if (!status.ok()) {
        return ValidationError(fmt::format("--{} {}", name, status.error().message()));
      }
    }
  }
  return options;
}

template <typename Options>
Result<Options> ParseFlags(std::span<const Flag<Options>> flags,
                           std::span<const std::string_view> arguments) {
  Assignments given;
  while (!arguments.empty()) {
    const std::string_view text = arguments.front();
    arguments = arguments.subspan(1);
    TRY(ReadFlag<Options>(flags, text, arguments, given));
  }
  return Apply<Options>(flags, given);
}

Status CheckPlace(const ServeOptions& options) {
  if (!options.is_remote && !options.endpoint.empty()) {
    return ValidationError("--endpoint needs --store dynamodb");
  }
  if (!options.is_remote) return Ok();
  if (!options.access_keys_file.empty()) {
    return ValidationError(
        "--access-keys is for the DynamoDB API, which --store dynamodb does not serve");
  }
  if (!options.has_apps && options.design_files.empty()) {
    return ValidationError(
        "--store dynamodb serves applications and designs: leave --no-apps out, or give --design "
        "FILE");
  }
  return Ok();
}

Status CheckIssuers(const ServeOptions& options) {
  const std::string_view url = options.issuer_url;
  const bool is_web = url.starts_with("http://") || url.starts_with("https://");
  if (!url.empty() && (!is_web || url.find_first_of(" ?#") != std::string_view::npos)) {
    return ValidationError("--issuer-url is an address such as https://trestle.example.org");
  }
  const bool has_empty =
      std::ranges::any_of(options.issuer_clients, [](const auto& ids) { return ids.empty(); });
  if (options.issuers.size() == options.issuer_clients.size() && !has_empty) return Ok();
  return ValidationError("each --issuer needs a --client-id, in the same order");
}

Status CheckServe(const ServeOptions& options) {
  TRY(CheckPlace(options));
  TRY(CheckIssuers(options));
  if (options.outbound_url.empty() != options.outbound_secret_file.empty()) {
    return ValidationError("--outbound-url and --outbound-secret need each other");
  }
  if (options.smtp_server.empty() != options.mail_from.empty()) {
    return ValidationError("--smtp-server and --mail-from need each other");
  }
  if (options.tls_certificate_file.empty() != options.tls_key_file.empty()) {
    return ValidationError("--tls-cert and --tls-key need each other");
  }
  if (!IsLoopback(options.bind_address) && options.access_keys_file.empty() && !options.is_remote) {
    return ValidationError(fmt::format(
        "--bind {} would let everyone on the network read and change the data; give --access-keys "
        "FILE to require signed requests, or bind a loopback address such as 127.0.0.1",
        options.bind_address));
  }
  if (options.apps && !options.has_apps) {
    return ValidationError("--apps and --no-apps contradict each other");
  }
  if (!options.design_files.empty() && !IsLoopback(options.bind_address)) {
    return ValidationError(fmt::format(
        "--design serves everybody who can reach it, so --bind must be a loopback address such as "
        "127.0.0.1, not {}",
        options.bind_address));
  }
  return Ok();
}

template <typename Options>
void AppendFlags(std::span<const Flag<Options>> flags, std::string& out) {
  for (const Flag<Options>& flag : flags) {
    const std::string left = fmt::format("--{} {}", flag.name, flag.argument);
    out += fmt::format("  {:<28}{}\n", left, flag.meaning);
  }
}

}  // namespace

Result<ServeOptions> ParseServe(std::span<const std::string_view> arguments) {
  Assignments given = TRY(ReadServeArguments(arguments));
  TRY(CheckStore(given));
  const auto config = given.find("config");
  if (config != given.end()) TRY(AddConfig(std::string(config->second.front()), given));
  ServeOptions options = TRY(Apply<ServeOptions>(kServeFlags, given));
  TRY(CheckServe(options));
  return options;
}

Result<HealthcheckOptions> ParseHealthcheck(std::span<const std::string_view> arguments) {
  return ParseFlags<HealthcheckOptions>(kHealthcheckFlags, arguments);
}

Result<BenchOptions> ParseBench(std::span<const std::string_view> arguments) {
  return ParseFlags<BenchOptions>(kBenchFlags, arguments);
}

std::string HelpText() {
  std::string text =
      "Trestle, a DynamoDB-compatible database.\n"
      "\n"
      "  trestle serve [FLAG...]       start the database\n"
      "  trestle healthcheck [FLAG...] ask a running one whether it is well\n"
      "  trestle bench [FLAG...]       measure it on this machine\n"
      "  trestle design adopt FILE --from TABLE --map FILE\n"
      "                 --data DIR | --endpoint URL [--region R] | --region R\n"
      "                                bring a table of another shape into a design's table\n"
      "  trestle design apply FILE [--set NAME=VALUE]... [--plan]\n"
      "                 --data DIR | --endpoint URL [--region R] | --region R\n"
      "                                make the design's table, or only say how\n"
      "  trestle design check FILE [--backend alternator]\n"
      "                                print what is wrong with a design\n"
      "  trestle design cost FILE      print what its patterns cost\n"
      "  trestle design diagram FILE   print a picture of it, as SVG\n"
      "  trestle design diff OLD NEW   print what a new version asks of the table\n"
      "  trestle design export --cdk|--cloudformation|--cpp|--typescript|--workbench FILE\n"
      "                                print it in the form of another tool\n"
      "  trestle design explain FILE [ACCESS] [--set NAME=VALUE]...\n"
      "                                print the requests that access patterns become\n"
      "  trestle design run FILE NAME [ENTITY] [NAME=VALUE]... [--limit N] [--cursor TEXT]\n"
      "                 [--descending] --data DIR | --endpoint URL [--region R] | --region R\n"
      "                                run an access pattern or an operation, or create, get,\n"
      "                                update or delete an item\n"
      "  trestle design verify FILE [--repair]\n"
      "                 --data DIR | --endpoint URL [--region R] | --region R\n"
      "                                hold a table against its design, and mend it\n"
      "  trestle design format [--check] FILE\n"
      "                                print a design in its canonical form, or only check it\n"
      "  trestle design to-json FILE   print a design as JSON\n"
      "  trestle design from-json FILE print a design that is JSON as text\n"
      "  trestle design import --workbench FILE\n"
      "                                print a model of NoSQL Workbench as a design\n"
      "  trestle version               print the version\n"
      "  trestle help                  print this\n"
      "\n"
      "Flags of serve:\n";
  AppendFlags<ServeOptions>(kServeFlags, text);
  text += "\nFlags of healthcheck:\n";
  AppendFlags<HealthcheckOptions>(kHealthcheckFlags, text);
  text += "\nFlags of bench:\n";
  AppendFlags<BenchOptions>(kBenchFlags, text);
  text += "\nDynamoDB Local's flags, with `serve` or without a command:\n";
  for (const LocalFlag& flag : kLocalFlags) {
    const std::string left = fmt::format("-{} {}", flag.name, flag.argument);
    text += fmt::format("  {:<28}{}{}\n", left, flag.same_as.empty() ? "changes nothing" : "--",
                        flag.same_as);
  }
  return text +
         "\n"
         "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the data folder is in use, 4 the data\n"
         "folder is damaged or not Trestle's, 5 the address is in use.\n";
}

bool IsLoopback(std::string_view address) {
  if (address == "localhost" || address == "::1") return true;
  return address.starts_with("127.") &&
         address.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace trestle
