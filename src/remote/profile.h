#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "remote/environment.h"

// The files that the AWS command line keeps: ~/.aws/config and ~/.aws/credentials.

namespace trestle::remote {

using Profile = std::map<std::string, std::string, std::less<>>;  // settings by name
using Profiles = std::map<std::string, Profile, std::less<>>;

enum class ProfileFile : std::uint8_t {
  kConfig,       // "[default]", "[profile name]"; other sections are not profiles
  kCredentials,  // "[default]", "[name]"
};

// Lines that are no setting are passed over, and so are settings inside of settings.
[[nodiscard]] Profiles ParseProfiles(std::string_view text, ProfileFile file);

// AWS_PROFILE, or "default".
[[nodiscard]] std::string ProfileName(const Environment& environment);

// The settings of that profile from both files; where both have one, the credentials file counts.
// Empty when there is no default profile; kValidation when there is none of the name asked for.
[[nodiscard]] Result<Profile> ReadProfile(const Environment& environment);

}  // namespace trestle::remote
