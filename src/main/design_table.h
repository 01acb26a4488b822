#pragma once

#include <map>
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

// What a command takes beside FILE and the place of the table.
struct DesignTableCommand {
  std::string_view name;
  std::span<const std::string_view> switches = {};     // flags without a value
  std::span<const std::string_view> value_flags = {};  // and with one
  bool takes_words = false;                            // behind FILE
};

//   FILE [--set Name=value]... (--data DIR | --endpoint URL [--region R] | --region R)
struct DesignTableOptions {
  std::string file;
  std::vector<std::string> words;                          // of the command's own, as are
  std::map<std::string, std::string, std::less<>> values;  // the flags with a value
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
    const DesignTableCommand& command, std::span<const std::string_view> arguments);

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
