#include "main/files.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

namespace trestle {
namespace {

Error CannotRead(const std::string& file) {
  return ValidationError(
      fmt::format("cannot read {}: {}", file, std::generic_category().message(errno)));
}

}  // namespace

Result<std::string> ReadTextFile(const std::string& file) {
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> in(std::fopen(file.c_str(), "rbe"),
                                                              std::fclose);
  if (in == nullptr) return CannotRead(file);
  std::string text;
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof(buffer), in.get())) {
    text.append(buffer, size);
  }
  if (std::ferror(in.get()) != 0) return CannotRead(file);
  return text;
}

Result<std::string> ReadSecretFile(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return CannotRead(file);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return ValidationError(fmt::format(
        "{} holds secrets, and others than its owner may use it; run: chmod 600 {}", file, file));
  }
  return ReadTextFile(file);
}

}  // namespace trestle
