#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/syntax/tree.h"

namespace trestle::design::syntax {

// Marks in the text of a statement where its line may be broken. Neither can come from a design:
// control characters in texts are escaped.
inline constexpr char kBreak = '\v';       // a blank, or a line end when the line is full
inline constexpr char kFirstBreak = '\f';  // the same, and the first to be a line end

inline constexpr std::size_t kLineLengthMax = 100;

// Writes statements as lines: indents, breaks and comments.
class LinePrinter {
 public:
  // Begins a statement: its comments and the empty lines around them.
  template <typename Content>
  void Begin(const Statement<Content>& statement) {
    AppendComments(statement.comments);
    AppendBlank(statement.blank_before);
    line_comment_ = statement.comment;
  }
  // Adds to the statement's line.
  void Add(std::string_view text) { line_ += text; }
  // Ends the statement's line, with the comment that belongs to it.
  void EndLine();

  template <typename Content, typename PrintContents>
  void AddBlock(const Block<Content>& block, PrintContents print_contents) {
    Add(line_.empty() ? "{" : " {");
    EndLine();
    ++indent_;
    print_contents(block.statements);
    AppendComments(block.end_comments);
    --indent_;
    Add("}");
    line_comment_ = block.end_comment;
  }

  void AppendComments(std::span<const Comment> comments);

  // The statement's line so far.
  [[nodiscard]] const std::string& line() const { return line_; }
  [[nodiscard]] std::string Take() && { return std::move(out_); }

 private:
  void AppendBlank(bool wanted);
  void AppendIndented(std::size_t indent, std::string_view text);

  std::string out_;
  std::string line_;
  std::string line_comment_;
  std::size_t indent_ = 0;
};

}  // namespace trestle::design::syntax
