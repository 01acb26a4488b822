#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "design/resolve.h"

// Designs with a mistake that the checks must find, and without it. `wrong` is a design in which
// @K1@ stands before every place at which K1 must be reported; `cured` is one of which none of
// these codes is said.

namespace trestle::design {

struct Trap {
  std::string_view name;
  std::string_view wrong;
  std::string_view cured;
};

inline void PrintTo(const Trap& trap, std::ostream* out) { *out << trap.name; }

struct Marked {
  std::string text;  // without the marks
  struct Mark {
    std::string code;
    Position position;
  };
  std::vector<Mark> marks;
};

inline Marked ReadMarks(std::string_view source) {
  Marked marked;
  Position position{.line = 1, .column = 1};
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '@') {
      const std::size_t end = source.find('@', i + 1);
      marked.marks.push_back({std::string(source.substr(i + 1, end - i - 1)), position});
      i = end;
      continue;
    }
    marked.text += source[i];
    position = source[i] == '\n' ? Position{.line = position.line + 1, .column = 1}
                                 : Position{.line = position.line, .column = position.column + 1};
  }
  return marked;
}

inline std::string PrintAll(const Diagnostics& diagnostics) {
  std::string lines;
  for (const Diagnostic& diagnostic : diagnostics)
    lines += Print(diagnostic, "trap") + "\n";
  return lines;
}

inline bool IsReported(const Diagnostics& diagnostics, const Marked::Mark& mark) {
  for (const Diagnostic& it : diagnostics) {
    if (it.code == mark.code && it.position.line == mark.position.line &&
        it.position.column == mark.position.column && !it.message.empty()) {
      return true;
    }
  }
  return false;
}

// As every trap of a table is tested.
inline void TestTrap(const Trap& trap) {
  const Marked wrong = ReadMarks(trap.wrong);
  ASSERT_FALSE(wrong.marks.empty());
  const Diagnostics said = Compile(wrong.text).diagnostics;
  for (const Marked::Mark& mark : wrong.marks) {
    EXPECT_TRUE(IsReported(said, mark)) << mark.code << " at " << mark.position.line << ":"
                                        << mark.position.column << " is not in\n"
                                        << PrintAll(said);
  }
  const Diagnostics of_cured = Compile(trap.cured).diagnostics;
  for (const Diagnostic& it : of_cured) {
    EXPECT_FALSE(it.code.starts_with('S') || it.code.starts_with('N') || it.code == "K1")
        << "the cured design means nothing:\n"
        << PrintAll(of_cured);
    for (const Marked::Mark& mark : wrong.marks)
      EXPECT_NE(it.code, mark.code) << PrintAll(of_cured);
  }
}

}  // namespace trestle::design
