#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "platform/identity/mail.h"

namespace trestle::platform::identity {

struct SmtpOptions {
  std::string host;
  std::uint16_t port = 587;
  std::string from;  // an address
  std::string user;  // empty: the server does not ask
  std::string password;
  std::string ca_file;             // whom to believe; empty: whom the system does
  std::int64_t timeout_ms = 8000;  // for all of one mail
};

// Gives each mail to a server, over a connection of its own. TLS is required: from the start on
// port 465, else by STARTTLS. A server on this machine may do without. Sending waits; MailQueue
// does it for who cannot.
class SmtpMail final : public MailSender {
 public:
  // kValidation for a sender that is no address. The clock must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<SmtpMail>> Open(SmtpOptions options,
                                                              const Clock& clock);

  // kValidation: the server will never take it. kUnavailable: it may, later.
  [[nodiscard]] Status Send(const Mail& mail) override;

 private:
  SmtpMail(SmtpOptions options, const Clock& clock);

  const SmtpOptions options_;
  const Clock& clock_;
  const std::string url_;
  const bool must_encrypt_;
};

// A mail as it is sent (RFC 5322): plain text in UTF-8, as base64. `id` is unique.
struct Envelope {
  std::string_view from;
  std::string_view id;
  std::int64_t now_unix_ms = 0;
};
[[nodiscard]] std::string MessageText(const Mail& mail, const Envelope& envelope);

}  // namespace trestle::platform::identity
