#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "design/backend.h"
#include "design/table_settings.h"
#include "engine/database.h"
#include "main/server.h"
#include "remote/client.h"

// The commands that work on a design's table: where it is, and what its parameters are.

namespace trestle {

//   FILE [--set Name=value]... (--data DIR | --endpoint URL [--region R] | --region R)
struct DesignTableOptions {
  std::string file;
  design::ParameterValues parameters;
  std::string data_folder;  // empty: an endpoint
  std::string endpoint;     // empty: the region's own
  std::string region;
  std::vector<std::string_view> switches;  // those of the command's own that were given
  // Nothing is to be changed: a data folder that is not there is not made, but taken to be empty.
  bool is_dry = false;
};

// Reads the arguments behind the command's name. Fails with kValidation and a sentence for the
// person who typed them.
[[nodiscard]] Result<DesignTableOptions> ParseDesignTable(
    std::string_view command, std::span<const std::string_view> arguments,
    std::span<const std::string_view> switches);

// A back end and all that it runs on.
class DesignBackend {
 public:
  [[nodiscard]] static Result<std::unique_ptr<DesignBackend>> Open(
      const DesignTableOptions& options);

  [[nodiscard]] design::Backend& backend() const { return *backend_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] Random& random() { return random_; }

 private:
  DesignBackend() = default;

  SystemClock clock_;
  Random random_{SystemSeed()};
  std::unique_ptr<engine::Database> database_;  // of a folder
  std::unique_ptr<remote::Client> client_;      // of an endpoint
  std::unique_ptr<design::Backend> backend_;    // last: it uses the others
};

}  // namespace trestle
