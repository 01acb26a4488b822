#include "main/mail.h"

#include <utility>

#include <fmt/format.h>

#include "http/client.h"
#include "main/files.h"
#include "remote/environment.h"

namespace trestle {

using platform::identity::MailQueue;
using platform::identity::SmtpMail;
using platform::identity::SmtpOptions;

namespace {

constexpr std::string_view kSubmissionPort = ":587";

Result<http::Origin> ServerOf(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos && text.find(']', colon) == text.npos;
  auto url = http::ParseUrl(fmt::format("http://{}{}", text, has_port ? "" : kSubmissionPort));
  if (url.ok() && url->target == "/") return url->origin;
  return ValidationError("--smtp-server must have the form host:port");
}

}  // namespace

Result<SmtpLogin> ParseSmtpLogin(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const std::size_t blank = line.find(' ');
  if (blank == 0 || blank == std::string_view::npos || blank + 1 == line.size()) {
    return ValidationError("its first line must be a user, a blank and a password");
  }
  return SmtpLogin{.user = std::string(line.substr(0, blank)),
                   .password = std::string(line.substr(blank + 1))};
}

Result<SmtpOptions> SmtpOptionsOf(const ServeOptions& options) {
  http::Origin server = TRY(ServerOf(options.smtp_server));
  const remote::Environment environment = remote::SystemEnvironment();
  SmtpOptions smtp{.host = std::move(server.host),
                   .port = server.port,
                   .from = options.mail_from,
                   .user = std::string(environment.Find("TRESTLE_SMTP_USER")),
                   .password = std::string(environment.Find("TRESTLE_SMTP_PASSWORD")),
                   .ca_file = std::string(environment.Find("AWS_CA_BUNDLE"))};
  if (options.smtp_login_file.empty()) return smtp;
  const std::string text = TRY(ReadSecretFile(options.smtp_login_file));
  const auto login = ParseSmtpLogin(text);
  if (!login.ok()) {
    return ValidationError(fmt::format("{}: {}", options.smtp_login_file, login.error().message()));
  }
  smtp.user = login->user;
  smtp.password = login->password;
  return smtp;
}

Result<std::unique_ptr<MailQueue>> OpenMail(SmtpOptions options, const Clock& clock) {
  auto sender = TRY(SmtpMail::Open(std::move(options), clock));
  auto queue = std::make_unique<MailQueue>(std::move(sender), clock, MailQueue::Options{});
  queue->Start();
  return queue;
}

}  // namespace trestle
