#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "main/flags.h"
#include "platform/identity/mail_queue.h"
#include "platform/identity/smtp_mail.h"

namespace trestle {

// How mails leave, as the flags, the file of credentials and the environment say. Errors are
// sentences.
[[nodiscard]] Result<platform::identity::SmtpOptions> SmtpOptionsOf(const ServeOptions& options);

// A queue at work before that server. The clock must outlive it.
[[nodiscard]] Result<std::unique_ptr<platform::identity::MailQueue>> OpenMail(
    platform::identity::SmtpOptions options, const Clock& clock);

// A line of a user and a password with a blank between.
struct SmtpLogin {
  std::string user;
  std::string password;
};
[[nodiscard]] Result<SmtpLogin> ParseSmtpLogin(std::string_view text);

}  // namespace trestle
