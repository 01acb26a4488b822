#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/tls.h"
#include "http/server.h"
#include "main/mail.h"
#include "main/people.h"
#include "main/web_store.h"
#include "platform/catalogue.h"
#include "platform/host.h"
#include "platform/pages.h"
#include "studio/studio.h"

// The web port: designs and apps over the database of this process, or an endpoint.

namespace trestle {

// Reads and checks the designs in these files. What is wrong has been printed to standard error
// when there are none.
[[nodiscard]] std::optional<std::vector<platform::DesignText>> CompileDesigns(
    std::span<const std::string> files);

struct WebOptions {
  std::string bind_address;
  std::uint16_t port = 0;
  bool is_any_port_right = false;  // when that one is taken
  const TlsContext* tls = nullptr;
  std::string data_folder;  // empty: in memory
  bool has_samples = false;
  bool has_studio = false;
  std::string web_folder;      // of the pages; empty: those in the binary
  std::string issuer_url;      // where people find it; empty: where it listens
  std::string catalogue_file;  // empty: none, or that of the sample data
  std::vector<IssuerFlags> issuers;
  std::string ca_file;  // whom connections to others believe; empty: whom the system does
  platform::identity::SignUpPolicy sign_up = platform::identity::SignUpPolicy::kOpen;
  std::optional<platform::RateLimit> request_limit = platform::kRequestLimit;
  std::optional<platform::RateLimit> public_write_limit = platform::kPublicWriteLimit;
  bool requires_if_match = false;
  std::int64_t edit_window_ms = 3'600'000;
  std::vector<platform::identity::Accounts::NewAccount> admins;
  std::optional<platform::identity::SmtpOptions> smtp;  // none: mails go to a file
  std::optional<platform::OutboundOptions> outbound;    // none: nobody is told of changes
};

// How many of a process's files the web port may take for connections.
[[nodiscard]] std::size_t WebConnectionsMax();

// An address that a client on this machine can use: "http://127.0.0.1:8080".
struct ListeningPlace {
  std::string_view bind_address;
  std::uint16_t port = 0;
  bool is_tls = false;
};
[[nodiscard]] std::string AddressOf(const ListeningPlace& place);

// Listens for a service that is not there yet: until then requests are answered with 503.
class LateService final : public http::Handler {
 public:
  // Once. It must outlive the server.
  void Set(http::Handler* service) { service_ = service; }

  void Handle(const http::Request& request, http::Exchange exchange) override;
  void TickEnd(http::Loop& loop) override;
  [[nodiscard]] http::Response Refusal(int status) const override;

 private:
  std::atomic<http::Handler*> service_ = nullptr;
};

class Web {
 public:
  // What the web port serves: designs without a line of code, and apps (apps/apps.h).
  struct Contents {
    std::vector<platform::DesignText> designs;
    std::vector<const platform::App*> apps;  // these outlive the web
  };
  // Starts all of it on the store, and serves. What the store is on, the clock and chance must
  // outlive it. kUnavailable when the address cannot be had.
  [[nodiscard]] static Result<std::unique_ptr<Web>> Start(const WebOptions& options,
                                                          Contents contents, WebStore store,
                                                          const Clock& clock, Random& random);
  ~Web();  // Stop(0)

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] const platform::Host& host() const { return *host_; }
  [[nodiscard]] bool has_pages() const { return pages_ != nullptr; }
  [[nodiscard]] bool has_samples() const { return has_samples_; }

  // Answers what has been asked, then ends what works by itself.
  void Stop(std::int64_t drain_ms);

 private:
  Web() = default;
  [[nodiscard]] Status Listen(const WebOptions& options);

  WebStore store_;
  std::unique_ptr<OtherIssuers> issuers_;
  std::unique_ptr<platform::identity::MailQueue> mail_;  // null: none
  std::unique_ptr<platform::Outbound> outbound_;         // null: none
  std::unique_ptr<platform::Catalogue> catalogue_;       // null: none
  std::unique_ptr<studio::Studio> studio_;
  std::unique_ptr<platform::Pages> pages_;  // null: none
  LateService late_service_;
  std::unique_ptr<platform::Host> host_;
  std::unique_ptr<http::Server> server_;
  bool has_samples_ = false;
};

}  // namespace trestle
