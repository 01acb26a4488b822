#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"

namespace trestle::text {

// A regular expression over characters, in ICU's syntax, which is close to Perl's. Safe from many
// threads, and cheap to copy.
class Regex {
 public:
  // `^` and `$` are the ends of the whole text.
  [[nodiscard]] static Result<Regex> Parse(std::string_view pattern);

  // Whether some part of the text matches. A text that takes too long to decide does not.
  [[nodiscard]] bool Finds(std::string_view text) const;

 private:
  struct Program;
  explicit Regex(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;
};

}  // namespace trestle::text
