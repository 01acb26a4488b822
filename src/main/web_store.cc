#include "main/web_store.h"

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "design/backend_engine.h"
#include "design/backend_remote.h"
#include "http/client.h"
#include "main/files.h"
#include "protocol/error_names.h"
#include "storage/rocks_store.h"
#include "wire/error_reply.h"

namespace trestle {
namespace {

constexpr std::string_view kEndpointFile = "ENDPOINT";
constexpr std::int64_t kIndexLagMs = 60'000;  // most are not a second behind their table

// "DynamoDB_20120810.GetItem" without what stands before the name; empty: another service.
std::string_view OperationOf(std::string_view target, std::string_view service) {
  constexpr std::string_view kVersion = "_20120810.";
  if (!target.starts_with(service)) return {};
  target.remove_prefix(service.size());
  return target.starts_with(kVersion) ? target.substr(kVersion.size()) : std::string_view();
}

Result<wire::LocalReply> CallEndpoint(remote::Client& client, const wire::LocalRequest& request) {
  remote::Call call{.operation = OperationOf(request.target, "DynamoDB"), .body = request.body};
  if (call.operation.empty()) {
    call.service = remote::Service::kStreams;
    call.operation = OperationOf(request.target, "DynamoDBStreams");
  }
  if (call.operation.empty()) {
    wire::LocalReply reply = {.status = 400, .body = {}};
    wire::AppendErrorBody(protocol::kUnknownOperation, "", reply.body);
    return reply;
  }
  http::ClientResponse response = TRY(client.Forward(call));
  return wire::LocalReply{.status = response.status, .body = std::move(response.body)};
}

Error FolderError(std::string_view action, const std::string& file) {
  return {ErrorCode::kInternal,
          fmt::format("cannot {} {}: {}", action, file, std::generic_category().message(errno))};
}

// Whether the folder may become that of an endpoint: it is empty.
Status CheckIsEmpty(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    return CorruptionError(
        fmt::format("{} is not a folder of --store dynamodb: it holds {}, and no file {}. Choose "
                    "another folder with --data.",
                    folder, entry.path().filename().string(), kEndpointFile));
  }
  if (error) {
    return Error(ErrorCode::kInternal, fmt::format("cannot read {}: {}", folder, error.message()));
  }
  return Ok();
}

}  // namespace

WebStore StoreOfDatabase(engine::Database& database, wire::LocalCaller caller) {
  WebStore store;
  store.backend = design::NewEngineBackend(database);
  store.call = [&database, caller = std::move(caller)](
                   const wire::LocalRequest& request) -> Result<wire::LocalReply> {
    return wire::CallLocally(database, caller, request);
  };
  store.is_ready = [&database]() -> Status {
    if (database.IsWritable()) return Ok();
    return Error(ErrorCode::kUnavailable, "the database cannot write");
  };
  return store;
}

Result<WebStore> StoreOfEndpoint(const remote::EndpointOptions& options, const Clock& clock,
                                 Random& random) {
  WebStore store;
  store.client = TRY(remote::Client::Open({.environment = remote::SystemEnvironment(),
                                           .endpoint = options,
                                           .clock = &clock,
                                           .random = &random}));
  store.backend = TRY(design::OpenRemoteBackend(*store.client));
  store.call = [client = store.client.get()](const wire::LocalRequest& request) {
    return CallEndpoint(*client, request);
  };
  store.is_ready = [] { return Ok(); };
  store.index_lag_ms = kIndexLagMs;
  return store;
}

Result<platform::ScratchBackend> OpenScratch(const Clock& clock, Random& random) {
  constexpr std::size_t kCacheBytes = std::size_t{8} << 20U;
  auto store = TRY(storage::OpenRocksStore(
      {.folder = {}, .in_memory = true, .cache_bytes = kCacheBytes, .file_system = nullptr}));
  std::shared_ptr<engine::Database> database =
      TRY(engine::Database::Open(std::move(store), {.clock = &clock, .random = &random}));
  auto backend = design::NewEngineBackend(*database);
  return platform::ScratchBackend{.owner = std::move(database), .backend = std::move(backend)};
}

std::string NameOf(const remote::Endpoint& endpoint) {
  const http::Origin& origin = endpoint.dynamodb.origin;
  return fmt::format("{}://{} ({})", origin.is_tls ? "https" : "http", http::HostText(origin),
                     endpoint.region);
}

Result<EndpointFolder> EndpointFolder::Open(const std::string& folder,
                                            const std::string& endpoint) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Error(ErrorCode::kInternal, fmt::format("cannot make {}: {}", folder, error.message()));
  }
  const std::string file = (std::filesystem::path(folder) / kEndpointFile).string();
  if (!std::filesystem::exists(file)) TRY(CheckIsEmpty(folder));
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return FolderError("open", file);
  EndpointFolder opened(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Error(ErrorCode::kResourceInUse,
                 fmt::format("{} is in use by another process. Stop that one first, or choose "
                             "another folder with --data.",
                             folder));
  }
  const std::string text = TRY(ReadTextFile(file));
  const std::string wanted = endpoint + "\n";
  if (text == wanted) return opened;
  if (!text.empty()) {
    return CorruptionError(
        fmt::format("{} belongs to {}, not to {}. Choose another folder with --data.", folder,
                    text.substr(0, text.find('\n')), endpoint));
  }
  const bool is_written = ::pwrite(descriptor, wanted.data(), wanted.size(), 0) ==
                              static_cast<ssize_t>(wanted.size()) &&
                          ::fsync(descriptor) == 0;
  if (!is_written) return FolderError("write", file);
  return opened;
}

EndpointFolder::EndpointFolder(EndpointFolder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

EndpointFolder::~EndpointFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace trestle
