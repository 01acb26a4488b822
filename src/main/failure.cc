#include "main/failure.h"

#include <cstdio>

#include <fmt/format.h>

namespace trestle {
namespace {

void Say(std::string_view sentence) {
  if (sentence.ends_with('.')) sentence.remove_suffix(1);
  fmt::print(stderr, "trestle: {}.\n", sentence);
}

}  // namespace

ExitCode WrongUsage(std::string_view sentence) {
  Say(sentence);
  return kExitUsage;
}

ExitCode Fail(const Error& error) {
  const ErrorDetails* details = error.details();
  if (details == nullptr || details->fields.empty()) {
    Say(error.message());
  } else {
    for (const FieldFailure& failure : details->fields)
      Say(fmt::format("{} {}", failure.field, failure.message));
  }
  return ExitCodeOfOpen(error.code());
}

}  // namespace trestle
