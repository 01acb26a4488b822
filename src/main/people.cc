#include "main/people.h"

#include <utility>

#include <fmt/format.h>

namespace trestle {

using platform::identity::Accounts;

Result<std::unique_ptr<OtherIssuers>> OtherIssuers::Open(std::span<const IssuerFlags> flags,
                                                         const std::string& ca_file,
                                                         const Clock& clock) {
  std::unique_ptr<OtherIssuers> others(new OtherIssuers);
  if (flags.empty()) return others;
  others->tls_ = TRY(TlsClientContext::Open(ca_file));
  for (const IssuerFlags& flag : flags) {
    auto fetch = platform::identity::FetchKeysFrom(
        fmt::format("{}/.well-known/jwks.json", flag.url), others->tls_.get());
    if (!fetch.ok()) {
      return ValidationError(fmt::format("--issuer {}: {}", flag.url, fetch.error().message()));
    }
    others->keys_.push_back(
        std::make_unique<platform::identity::RemoteKeys>(*std::move(fetch), clock));
    others->issuers_.push_back(
        {.name = flag.url, .client_ids = flag.client_ids, .keys = others->keys_.back().get()});
  }
  return others;
}

Result<std::vector<Accounts::NewAccount>> ParseAdmins(std::string_view text) {
  std::vector<Accounts::NewAccount> admins;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t blank = line.find(' ');
    const std::string_view email = line.substr(0, blank);
    const std::size_t at = email.find('@');
    if (blank == std::string_view::npos || blank + 1 == line.size() || at == 0 ||
        at == std::string_view::npos) {
      return ValidationError(
          fmt::format("line {} must be an e-mail address, a blank and a password", number));
    }
    admins.push_back({.email = std::string(email),
                      .password = std::string(line.substr(blank + 1)),
                      .name = std::string(email.substr(0, at)),
                      .groups = {"admin"}});
  }
  if (admins.empty()) return ValidationError("names nobody");
  return admins;
}

}  // namespace trestle
