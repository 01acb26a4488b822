#include "remote/credentials.h"

#include <utility>

#include <fmt/format.h>

#include "remote/credential_sources_internal.h"
#include "remote/profile.h"

namespace trestle::remote {
namespace {

// Asked for again this long before they expire, so that no request is under way with old ones.
constexpr std::int64_t kRefreshMs = 5 * 60 * 1000;

Result<Credentials> FindCredentials(const CredentialOptions& options) {
  if (auto found = TRY(FromVariables(options.environment))) return *std::move(found);
  if (auto found = TRY(FromProfile(options.environment))) return *std::move(found);
  if (auto found = TRY(FromContainer(options))) return *std::move(found);
  if (auto found = TRY(FromInstance(options))) return *std::move(found);
  return Error(ErrorCode::kAccessDenied,
               "No AWS credentials were found: not in AWS_ACCESS_KEY_ID and "
               "AWS_SECRET_ACCESS_KEY, nor in a profile, nor from a container or an instance");
}

}  // namespace

Result<std::optional<Credentials>> FromVariables(const Environment& environment) {
  const std::string_view id = environment.Find("AWS_ACCESS_KEY_ID");
  const std::string_view secret = environment.Find("AWS_SECRET_ACCESS_KEY");
  if (id.empty() && secret.empty()) return std::optional<Credentials>();
  if (id.empty() || secret.empty()) {
    return Error(ErrorCode::kAccessDenied,
                 "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together");
  }
  return std::optional(
      Credentials{.access_key_id = std::string(id),
                  .secret_access_key = std::string(secret),
                  .session_token = std::string(environment.Find("AWS_SESSION_TOKEN"))});
}

Result<std::optional<Credentials>> FromProfile(const Environment& environment) {
  Profile profile = TRY(ReadProfile(environment));
  const std::string& id = profile["aws_access_key_id"];
  const std::string& secret = profile["aws_secret_access_key"];
  if (!id.empty() && !secret.empty()) {
    return std::optional(Credentials{.access_key_id = id,
                                     .secret_access_key = secret,
                                     .session_token = profile["aws_session_token"]});
  }
  for (const std::string_view other :
       {"role_arn", "credential_process", "sso_session", "sso_start_url"}) {
    if (!profile.contains(other)) continue;
    return Error(ErrorCode::kAccessDenied,
                 fmt::format("The profile {} has {}, which is not followed here: put the "
                             "credentials it leads to into the environment",
                             ProfileName(environment), other));
  }
  return std::optional<Credentials>();
}

Result<Credentials> CredentialChain::Get() {
  std::optional<Credentials> known;
  {
    const MutexLock lock(mutex_);
    known = known_;
  }
  const std::int64_t now_unix_ms = options_.clock->NowUnixMs();
  if (known && (!known->expires_unix_ms || now_unix_ms < *known->expires_unix_ms - kRefreshMs)) {
    return *std::move(known);
  }
  Result<Credentials> found = FindCredentials(options_);
  if (!found.ok()) {
    // The old ones may still do, and next time the source may answer.
    if (known && now_unix_ms < *known->expires_unix_ms) return *std::move(known);
    return found;
  }
  const MutexLock lock(mutex_);
  known_ = *found;
  return found;
}

void CredentialChain::Forget() {
  const MutexLock lock(mutex_);
  known_.reset();
}

}  // namespace trestle::remote
