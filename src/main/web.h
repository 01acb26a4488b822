#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/tls.h"
#include "design/backend.h"
#include "design/maintainer.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "engine/database.h"
#include "http/server.h"
#include "platform/cursor.h"
#include "platform/design_app.h"
#include "platform/service.h"

// The web port, with a design behind each of its apps.

namespace trestle {

// Reads and checks the designs in these files. What is wrong has been printed to standard error
// when there are none.
[[nodiscard]] std::optional<std::vector<design::ResolvedDesign>> CompileDesigns(
    std::span<const std::string> files);

struct WebOptions {
  std::string bind_address;
  std::uint16_t port = 0;
  bool is_any_port_right = false;  // when that one is taken
  const TlsContext* tls = nullptr;
  std::string data_folder;  // empty: in memory
};

// How many of a process's files the web port may take for connections.
[[nodiscard]] std::size_t WebConnectionsMax();

class Web {
 public:
  // What the web port serves: designs without a line of code, and apps (apps/apps.h).
  struct Contents {
    std::vector<design::ResolvedDesign> designs;
    std::vector<const platform::App*> apps;  // these outlive the web
  };
  // Makes the designs' tables what the designs want, starts what follows their streams, and
  // serves. The database, the clock and chance must outlive it. kUnavailable when the address
  // cannot be had.
  [[nodiscard]] static Result<std::unique_ptr<Web>> Start(const WebOptions& options,
                                                          Contents contents,
                                                          engine::Database& database,
                                                          const Clock& clock, Random& random);
  ~Web();  // Stop(0)

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  // What is served and where: "/api/<name>/v1"; the designs come first.
  struct Place {
    std::string_view title;
    std::string path;
    bool is_app = false;
  };
  [[nodiscard]] std::vector<Place> places() const;

  // Answers what has been asked, then ends what follows the streams.
  void Stop(std::int64_t drain_ms);

 private:
  // One design at work.
  struct Site {
    design::ResolvedDesign design;
    std::unique_ptr<design::Runtime> runtime;
    std::unique_ptr<design::Maintainer> maintainer;   // null: nothing follows the stream
    std::unique_ptr<platform::DesignApp> design_app;  // null: `app` is not made from the design
    const platform::App* app = nullptr;
    std::unique_ptr<platform::KnownPeople> known;
  };

  Web() = default;
  [[nodiscard]] Status Open(Site& site, const Clock& clock, Random& random);
  [[nodiscard]] Status Listen(const WebOptions& options);

  std::unique_ptr<design::Backend> backend_;
  std::vector<Site> sites_;
  std::unique_ptr<platform::CursorSealer> cursors_;
  platform::Shared shared_;
  std::unique_ptr<platform::Service> service_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace trestle
