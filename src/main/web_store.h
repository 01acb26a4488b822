#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "design/backend.h"
#include "engine/database.h"
#include "platform/samples.h"
#include "remote/client.h"
#include "wire/local_call.h"

namespace trestle {

// Where the data is that the web port works on: the database of this process, or an endpoint.
struct WebStore {
  std::unique_ptr<remote::Client> client;  // of an endpoint
  std::unique_ptr<design::Backend> backend;
  // An operation of DynamoDB, in its own words. Fails when nobody answers.
  std::function<Result<wire::LocalReply>(const wire::LocalRequest& request)> call;
  std::function<Status()> is_ready;  // does not wait
  std::int64_t index_lag_ms = 0;     // how late global indexes may be
};

// The database must outlive it.
[[nodiscard]] WebStore StoreOfDatabase(engine::Database& database, wire::LocalCaller caller);

// Fails when the endpoint does not answer, or does not know the caller. Clock and chance must
// outlive it.
[[nodiscard]] Result<WebStore> StoreOfEndpoint(const remote::EndpointOptions& options,
                                               const Clock& clock, Random& random);

// Clock and chance must outlive it.
[[nodiscard]] Result<platform::ScratchBackend> OpenScratch(const Clock& clock, Random& random);

// "https://dynamodb.eu-west-1.amazonaws.com (eu-west-1)".
[[nodiscard]] std::string NameOf(const remote::Endpoint& endpoint);

// The folder of a server whose data is behind an endpoint: keys, search indexes and mails. Its file
// ENDPOINT says behind which one, because an index knows positions in the streams there.
class EndpointFolder {
 public:
  // Makes the folder if it is absent, and locks it: kResourceInUse when another process has it,
  // kCorruption when it belongs to other data.
  [[nodiscard]] static Result<EndpointFolder> Open(const std::string& folder,
                                                   const std::string& endpoint);
  ~EndpointFolder();
  EndpointFolder(EndpointFolder&& other) noexcept;
  EndpointFolder& operator=(EndpointFolder&&) = delete;
  EndpointFolder(const EndpointFolder&) = delete;
  EndpointFolder& operator=(const EndpointFolder&) = delete;

 private:
  explicit EndpointFolder(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace trestle
