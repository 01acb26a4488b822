#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "design/record.h"
#include "design/syntax/terms.h"

namespace trestle::design {

// A template of a key, an index key, a computed attribute or a table's name, that texts are made
// from and read back with.
class KeyTemplate {
 public:
  KeyTemplate() = default;
  // `separator` is the table's; :esc and :clust encode it.
  KeyTemplate(syntax::Template source, std::string separator);

  [[nodiscard]] const std::vector<std::variant<std::string, syntax::Placeholder>>& parts() const {
    return source_.parts;
  }
  [[nodiscard]] const syntax::Template& source() const { return source_; }
  [[nodiscard]] Position position() const { return source_.position; }
  [[nodiscard]] const std::string& separator() const { return separator_; }

  // The attributes that it is made from, in their order, none twice.
  [[nodiscard]] std::vector<std::string> Attributes() const;

  // The text for these values. kValidation names what is absent or cannot be written, such as a
  // number wider than its zeros.
  [[nodiscard]] Result<std::string> Compose(const Record& values) const;

  // The text up to the first placeholder whose value is absent, and whether that is all of it.
  struct Prefix {
    std::string text;
    bool is_whole = false;
  };
  [[nodiscard]] Result<Prefix> ComposePrefix(const Record& values) const;

  // Reads a text that Compose made: the text of each placeholder by its path, decoded as far as
  // that is possible (:fold, :lower, :day and :hour lose something). Nothing when it cannot have
  // been made by this template. A placeholder ends where the text behind it begins for the first
  // time; the checks prove for which templates that is enough (K7).
  [[nodiscard]] std::optional<std::vector<std::string>> Match(std::string_view text) const;

 private:
  syntax::Template source_;
  std::string separator_;
};

}  // namespace trestle::design
