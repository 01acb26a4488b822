#include "platform/identity/smtp_mail.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <utility>

#include <curl/curl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/crypto.h"
#include "http/origin.h"

namespace trestle::platform::identity {
namespace {

constexpr std::uint16_t kTlsPort = 465;
constexpr std::size_t kBodyLineBytes = 76;
constexpr std::size_t kWordBytes = 45;  // of UTF-8 in one encoded word, which has 75 at most
constexpr std::size_t kIdBytes = 16;
constexpr long kPermanentMin = 500;

struct FreeHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// An address must not be able to say more to the server than itself.
bool IsAddress(std::string_view text) {
  const std::size_t at = text.find('@');
  return at != 0 && at != std::string_view::npos && at + 1 < text.size() &&
         std::ranges::all_of(text, [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte > 0x20 && byte != 0x7f && c != '<' && c != '>' && c != ',' && c != '"';
         });
}

bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// The end of the characters that fit.
std::size_t CutAt(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text.size();
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return end;
}

// A header's text: as it is, or as encoded words (RFC 2047), one a line.
std::string HeaderText(std::string_view text) {
  if (IsPlain(text) && text.size() <= kBodyLineBytes) return std::string(text);
  std::string words;
  while (!text.empty()) {
    const std::size_t end = std::max<std::size_t>(1, CutAt(text, kWordBytes));
    words += fmt::format("{}=?UTF-8?B?{}?=", words.empty() ? "" : "\r\n ",
                         Base64Encode(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return words;
}

// What curl reads from.
struct Source {
  std::string_view rest;
};

std::size_t Read(char* to, std::size_t size, std::size_t count, void* from) {
  Source& source = *static_cast<Source*>(from);
  const std::size_t taken = std::min(size * count, source.rest.size());
  std::memcpy(to, source.rest.data(), taken);
  source.rest.remove_prefix(taken);
  return taken;
}

template <typename T>
void Set(CURL* handle, CURLoption option, T value) {
  curl_easy_setopt(handle, option, value);
}

Status ToStatus(CURL* handle, CURLcode code) {
  if (code == CURLE_OK) return Ok();
  long answer = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer);
  std::string reason = curl_easy_strerror(code);
  if (answer != 0) reason += fmt::format(" (the mail server's answer was {})", answer);
  // A sign-in that is refused is the operator's mistake, not the mail's.
  const bool is_final = answer >= kPermanentMin && code != CURLE_LOGIN_DENIED;
  return Error(is_final ? ErrorCode::kValidation : ErrorCode::kUnavailable, std::move(reason));
}

// As an address has it, an IPv6 number in brackets.
std::string HostOf(const SmtpOptions& options) {
  const bool is_name = options.host.find(':') == std::string::npos;
  return is_name ? options.host : fmt::format("[{}]", options.host);
}

// The path is what the server is greeted with.
std::string UrlOf(const SmtpOptions& options) {
  return fmt::format("{}://{}:{}/trestle", options.port == kTlsPort ? "smtps" : "smtp",
                     HostOf(options), options.port);
}

}  // namespace

std::string MessageText(const Mail& mail, const Envelope& envelope) {
  const auto seconds = static_cast<std::time_t>(envelope.now_unix_ms / 1000);
  std::string text = fmt::format(
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\nFrom: <{}>\r\nTo: <{}>\r\nMessage-ID: <{}@{}>\r\n"
      "Subject: {}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
      "Content-Transfer-Encoding: base64\r\nAuto-Submitted: auto-generated\r\n\r\n",
      fmt::gmtime(seconds), envelope.from, mail.to, envelope.id,
      envelope.from.substr(envelope.from.find('@') + 1), HeaderText(mail.subject));
  const std::string body = Base64Encode(mail.text);
  for (std::size_t begin = 0; begin < body.size(); begin += kBodyLineBytes)
    text += body.substr(begin, kBodyLineBytes) + "\r\n";
  return text;
}

SmtpMail::SmtpMail(SmtpOptions options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      url_(UrlOf(options_)),
      must_encrypt_(!http::IsLoopbackHost(HostOf(options_))) {}

Result<std::unique_ptr<SmtpMail>> SmtpMail::Open(SmtpOptions options, const Clock& clock) {
  if (!IsAddress(options.from)) {
    return ValidationError(fmt::format("{} is not an e-mail address", options.from));
  }
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return Error(ErrorCode::kInternal, "the library that sends mails cannot be used");
  }
  return std::unique_ptr<SmtpMail>(new SmtpMail(std::move(options), clock));
}

Status SmtpMail::Send(const Mail& mail) {
  if (!IsAddress(mail.to)) return ValidationError("the mail's address is none");
  const std::unique_ptr<CURL, FreeHandle> handle(curl_easy_init());
  if (handle == nullptr) return Error(ErrorCode::kUnavailable, "memory is short");
  const std::string id = HexEncode(SecureRandomBytes(kIdBytes));
  const std::string text =
      MessageText(mail, {.from = options_.from, .id = id, .now_unix_ms = clock_.NowUnixMs()});
  const std::string from = fmt::format("<{}>", options_.from);
  const std::unique_ptr<curl_slist, FreeList> to(
      curl_slist_append(nullptr, fmt::format("<{}>", mail.to).c_str()));
  Source source{.rest = text};

  CURL* const curl = handle.get();
  Set(curl, CURLOPT_URL, url_.c_str());
  Set(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  Set(curl, CURLOPT_PROXY, "");  // whatever the environment says
  Set(curl, CURLOPT_NOSIGNAL, 1L);
  Set(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout_ms));
  Set(curl, CURLOPT_USE_SSL, static_cast<long>(must_encrypt_ ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  if (!options_.ca_file.empty()) Set(curl, CURLOPT_CAINFO, options_.ca_file.c_str());
  if (!options_.user.empty()) {
    Set(curl, CURLOPT_USERNAME, options_.user.c_str());
    Set(curl, CURLOPT_PASSWORD, options_.password.c_str());
  }
  Set(curl, CURLOPT_MAIL_FROM, from.c_str());
  Set(curl, CURLOPT_MAIL_RCPT, to.get());
  Set(curl, CURLOPT_UPLOAD, 1L);
  Set(curl, CURLOPT_READFUNCTION, &Read);
  Set(curl, CURLOPT_READDATA, &source);
  return ToStatus(curl, curl_easy_perform(curl));
}

}  // namespace trestle::platform::identity
