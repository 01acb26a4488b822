// Random trees survive being printed and parsed, and being written and read as JSON. Every struct
// of the tree takes part, because the trees are made from the list of all fields.

#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "design/syntax/json_twin.h"
#include "design/syntax/parser.h"
#include "design/syntax/parser_internal.h"
#include "design/syntax/printer.h"
#include "design/syntax/tree_fields_internal.h"

namespace trestle::design::syntax {
namespace {

constexpr unsigned kTrees = 1000;

// Fills each kind of field; the visitor of tree_fields_internal.h.
class TreeMaker {
 public:
  explicit TreeMaker(unsigned seed) : random_(seed) {}

  template <typename T>
  void Must(std::string_view, T& field) {
    Make(field);
  }
  template <typename T>
  void Must(std::string_view, std::vector<T>& field) {
    MakeElements(field, 1 + Below(2));
  }
  template <typename T>
  void Several(std::string_view, std::vector<T>& field) {
    MakeElements(field, 2 + Below(2));
  }
  template <typename T>
  void May(std::string_view, std::optional<T>& field) {
    if (depth_ < kDepthMax && Below(2) == 0) Make(field.emplace());
  }
  template <typename T>
  void May(std::string_view, std::vector<T>& field) {
    if (depth_ < kDepthMax) MakeElements(field, Below(4));
  }
  void May(std::string_view, bool& field) { field = Below(2) == 0; }
  void May(std::string_view, std::string& field) {
    if (Below(3) == 0) Make(field);
  }

  Design MakeDesign() {
    Design design;
    VisitFields(design.header.content, *this);
    VisitAround(design.header, *this);
    MakeElements(design.declarations.statements, 1 + Below(4));
    May("", design.declarations.end_comments);
    TrimBlank(design.header);
    return design;
  }

 private:
  static constexpr int kDepthMax = 10;

  std::size_t Below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }
  template <std::size_t kSize>
  std::string OneOf(const std::string_view (&choices)[kSize]) {
    return std::string(choices[Below(kSize)]);
  }

  std::string SomeName() {
    return OneOf({"a", "Order", "type", "key", "index", "when", "stats", "_x9", "order", "by"});
  }
  void Make(std::string& it) {
    it = OneOf({"x", "a comment", "// twice", "  indented", "Straße \" \\ é", "`", "{"});
  }
  void Make(bool& it) { it = Below(2) == 0; }
  void Make(Count& it) { it = static_cast<Count>(Below(2) == 0 ? Below(10) : kCountMax); }
  void Make(Name& it) { it.text = SomeName(); }
  void Make(Path& it) { it.parts.assign(1 + Below(2), SomeName()); }
  void Make(Text& it) { it.text = OneOf({"", "x", "a\"b\\c", "\n\t\x01\x7f", "é{}", "//"}); }
  void Make(Number& it) { it.digits = OneOf({"0", "-1", "12", "0.5", "-3.25"}); }
  void Make(Template& it) {
    for (std::size_t i = Below(4); i > 0; --i) {
      const bool is_text = it.parts.empty() || std::holds_alternative<Placeholder>(it.parts.back());
      if (is_text && Below(2) == 0) {
        it.parts.emplace_back(OneOf({"#", "USER#", "{", "}}", "\"\\", "\v\f", "é"}));
      } else {
        it.parts.emplace_back(SomePlaceholder());
      }
    }
  }
  Placeholder SomePlaceholder() {
    Placeholder placeholder;
    Make(placeholder.path);
    if (Below(3) == 0) placeholder.formats.emplace_back(ZeroPad{5});
    if (Below(3) == 0) placeholder.formats.emplace_back(Transform::kFold);
    return placeholder;
  }
  void Make(PatternModifier& it) { it.regex = OneOf({"a", "^[0-9]{1,3}$", "a\\/b", "\\\\"}); }
  void Make(Value& it) { Make(it.is); }
  void Make(Condition& it) { Make(it.is); }
  void Make(Type& it) { Make(it.is); }
  void Make(Modifier& it) { Make(it.is); }
  template <HasWords Enum>
  void Make(Enum& it) {
    it = static_cast<Enum>(Below(WordsOf(Enum{}).size()));
  }
  template <typename T>
  void Make(Box<T>& it) {
    Make(*it);
  }
  template <typename... Alternatives>
  void Make(std::variant<Alternatives...>& it) {
    // The first alternative contains no further ones.
    const std::size_t chosen = depth_ < kDepthMax ? Below(sizeof...(Alternatives)) : 0;
    std::size_t i = 0;
    static_cast<void>(
        ((i++ == chosen && (Make(it.template emplace<Alternatives>()), true)) || ...));
  }
  template <typename Content>
  void Make(Statement<Content>& it) {
    Make(it.content);
    VisitAround(it, *this);
  }
  void Make(Parameter& it) {
    VisitFields(it, *this);
    if (it.type && EndCommentOf(*it.type) != nullptr) it.type.reset();  // no maps here
  }
  template <typename Node>
  void Make(Node& it) {
    ++depth_;
    VisitFields(it, *this);
    --depth_;
    if constexpr (requires { it.attributes.statements; }) TrimFirst(it.attributes);
    if constexpr (requires { it.members.statements; }) TrimFirst(it.members);
    if constexpr (requires { it.rules.statements; }) TrimFirst(it.rules);
    if constexpr (requires { it.settings.statements; }) TrimFirst(it.settings);
    if constexpr (requires { it.steps.statements; }) TrimFirst(it.steps);
    if constexpr (requires { it.assumptions.statements; }) TrimFirst(it.assumptions);
  }
  template <typename T>
  void MakeElements(std::vector<T>& elements, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      Make(elements.emplace_back());
  }

  // Empty lines at the beginning of a block mean nothing, so trees have none.
  template <typename Content>
  static void TrimBlank(Statement<Content>& first) {
    (first.comments.empty() ? first.blank_before : first.comments.front().blank_before) = false;
  }
  template <typename Content>
  static void TrimFirst(Block<Content>& block) {
    if (!block.statements.empty()) {
      TrimBlank(block.statements.front());
    } else if (!block.end_comments.empty()) {
      block.end_comments.front().blank_before = false;
    }
  }

  std::mt19937 random_;
  int depth_ = 0;
};

TEST(RandomTree, IsTheSameAfterPrintingAndParsing) {
  for (unsigned seed = 0; seed < kTrees; ++seed) {
    const Design design = TreeMaker(seed).MakeDesign();
    const std::string text = PrintDesign(design);
    const ParsedDesign parsed = ParseDesign(text);
    ASSERT_TRUE(parsed.diagnostics.empty()) << "seed " << seed << "\n"
                                            << Print(parsed.diagnostics.front(), "f") << "\n"
                                            << text;
    // The twin holds all of a tree but its positions, so equal twins are equal trees.
    ASSERT_EQ(ToJson(parsed.design), ToJson(design)) << "seed " << seed << "\n" << text;
    ASSERT_EQ(PrintDesign(parsed.design), text) << "seed " << seed;
  }
}

TEST(RandomTree, IsTheSameAfterTheJsonTwin) {
  for (unsigned seed = 0; seed < kTrees; ++seed) {
    const Design design = TreeMaker(seed).MakeDesign();
    const std::string json = ToJson(design);
    const ParsedDesign read = FromJson(json);
    ASSERT_TRUE(read.diagnostics.empty()) << "seed " << seed << "\n"
                                          << Print(read.diagnostics.front(), "f") << "\n"
                                          << json;
    ASSERT_EQ(ToJson(read.design), json) << "seed " << seed;
  }
}

}  // namespace
}  // namespace trestle::design::syntax
