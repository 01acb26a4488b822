#include "remote/environment.h"

#include <fstream>
#include <iterator>

#include <unistd.h>

namespace trestle::remote {
namespace {

std::optional<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

std::string_view Environment::Find(std::string_view variable) const {
  const auto found = variables.find(variable);
  return found == variables.end() ? std::string_view() : std::string_view(found->second);
}

Environment SystemEnvironment() {
  Environment environment;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    environment.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  environment.read_file = ReadFile;
  return environment;
}

}  // namespace trestle::remote
