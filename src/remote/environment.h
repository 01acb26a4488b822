#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace trestle::remote {

// What a program is told by its surroundings; passed in, so that a test can say it.
struct Environment {
  std::map<std::string, std::string, std::less<>> variables;
  // The text of a file; nothing when it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> read_file;

  // The value of a variable; empty when it is absent, which means the same.
  [[nodiscard]] std::string_view Find(std::string_view variable) const;
};

// Of this process, as it is now.
[[nodiscard]] Environment SystemEnvironment();

}  // namespace trestle::remote
