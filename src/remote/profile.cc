#include "remote/profile.h"

#include <fmt/format.h>

namespace trestle::remote {
namespace {

constexpr std::string_view kDefault = "default";

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The profile of a section, or nothing when it is not one.
std::string SectionProfile(std::string_view section, ProfileFile file) {
  if (file == ProfileFile::kCredentials || section == kDefault) return std::string(section);
  constexpr std::string_view kStart = "profile";
  if (!section.starts_with(kStart)) return {};
  const std::string_view name = section.substr(kStart.size());
  if (name.empty() || (name.front() != ' ' && name.front() != '\t')) return {};
  return std::string(Trim(name));
}

// A comment may follow a value, behind a blank.
std::string_view WithoutComment(std::string_view value) {
  for (const std::string_view mark : {" #", " ;", "\t#", "\t;"})
    value = value.substr(0, value.find(mark));
  return Trim(value);
}

Profiles ReadProfiles(const Environment& environment, std::string_view variable,
                      std::string_view name, ProfileFile file) {
  std::string path(environment.Find(variable));
  if (path.empty() || path.starts_with("~/")) {
    const std::string_view home = environment.Find("HOME");
    path = path.empty() ? fmt::format("{}/.aws/{}", home, name)
                        : fmt::format("{}{}", home, path.substr(1));
  }
  return ParseProfiles(environment.read_file(path).value_or(""), file);
}

}  // namespace

Profiles ParseProfiles(std::string_view text, ProfileFile file) {
  Profiles profiles;
  Profile* profile = nullptr;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view content = Trim(line);
    if (content.empty() || content.front() == '#' || content.front() == ';') continue;
    if (content.front() == '[') {
      const std::string name = SectionProfile(Trim(content.substr(1, content.find(']') - 1)), file);
      profile = name.empty() ? nullptr : &profiles[name];
      continue;
    }
    const std::size_t equals = content.find('=');
    const bool is_nested = line.front() == ' ' || line.front() == '\t';
    if (profile == nullptr || equals == std::string_view::npos || is_nested) continue;
    (*profile)[std::string(Trim(content.substr(0, equals)))] =
        WithoutComment(content.substr(equals + 1));
  }
  return profiles;
}

std::string ProfileName(const Environment& environment) {
  const std::string_view name = environment.Find("AWS_PROFILE");
  return std::string(name.empty() ? kDefault : name);
}

Result<Profile> ReadProfile(const Environment& environment) {
  const std::string name = ProfileName(environment);
  Profiles credentials = ReadProfiles(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials",
                                      ProfileFile::kCredentials);
  Profiles config = ReadProfiles(environment, "AWS_CONFIG_FILE", "config", ProfileFile::kConfig);
  if (!credentials.contains(name) && !config.contains(name) && name != kDefault) {
    return ValidationError(fmt::format("The config profile ({}) could not be found", name));
  }
  Profile profile = std::move(credentials[name]);
  profile.merge(config[name]);
  return profile;
}

}  // namespace trestle::remote
