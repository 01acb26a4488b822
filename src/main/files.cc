#include "main/files.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trestle {
namespace {

Error CannotRead(const std::string& file) {
  return ValidationError(
      fmt::format("cannot read {}: {}", file, std::generic_category().message(errno)));
}

Error CannotWrite(const std::string& file) {
  return ValidationError(
      fmt::format("cannot write {}: {}", file, std::generic_category().message(errno)));
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

Status WriteSecretFile(const std::string& file, std::string_view text) {
  const std::string temporary = file + ".new";
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return CannotWrite(temporary);
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> out(::fdopen(descriptor, "wb"),
                                                               std::fclose);
  const bool is_written = std::fwrite(text.data(), 1, text.size(), out.get()) == text.size() &&
                          std::fflush(out.get()) == 0 && ::fsync(descriptor) == 0;
  if (!is_written || std::rename(temporary.c_str(), file.c_str()) != 0) return CannotWrite(file);
  return Ok();
}

}  // namespace trestle
