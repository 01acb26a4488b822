#include "json/tree.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"

namespace trestle::json {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads from the front of a text that is well-formed UTF-8.
class TreeReader {
 public:
  explicit TreeReader(std::string_view text) : text_(text) {}

  Result<Tree> ReadDocument() {
    Tree tree = TRY(ReadValue(1));
    SkipBlanks();
    if (at_ != text_.size()) return Wrong("nothing may follow the document");
    return tree;
  }

 private:
  Error Wrong(std::string_view sentence) const {
    return SerializationError(fmt::format("{} (at byte {})", sentence, at_ + 1));
  }

  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Result<Tree> ReadValue(std::size_t depth) {
    SkipBlanks();
    if (++value_count_ > kTreeValuesMax) return Wrong("the document has too many values");
    switch (Peek()) {
      case '{':
        return ReadObject(depth);
      case '[':
        return ReadArray(depth);
      case '"': {
        std::string text = TRY(ReadString());
        return Tree{std::move(text)};
      }
      default:
        break;
    }
    if (Take("true")) return Tree{true};
    if (Take("false")) return Tree{false};
    if (Take("null")) return Tree{Tree::Null{}};
    return ReadNumber();
  }

  Result<Tree> ReadArray(std::size_t depth) {
    if (depth > kTreeDepthMax) return Wrong("the document nests too deeply");
    ++at_;
    Tree::Array elements;
    SkipBlanks();
    if (Take("]")) return Tree{std::move(elements)};
    do {
      Tree element = TRY(ReadValue(depth + 1));
      elements.push_back(std::move(element));
      SkipBlanks();
    } while (Take(","));
    if (!Take("]")) return Wrong("a comma or ] is expected");
    return Tree{std::move(elements)};
  }

  Result<Tree> ReadObject(std::size_t depth) {
    if (depth > kTreeDepthMax) return Wrong("the document nests too deeply");
    ++at_;
    Tree::Object members;
    SkipBlanks();
    if (Take("}")) return Tree{std::move(members)};
    do {
      SkipBlanks();
      if (Peek() != '"') return Wrong("a name in double quotes is expected");
      std::string name = TRY(ReadString());
      SkipBlanks();
      if (!Take(":")) return Wrong("a colon is expected");
      Tree value = TRY(ReadValue(depth + 1));
      members.push_back({std::move(name), std::move(value)});
      SkipBlanks();
    } while (Take(","));
    if (!Take("}")) return Wrong("a comma or } is expected");
    TRY(CheckNames(members));
    return Tree{std::move(members)};
  }

  Status CheckNames(const Tree::Object& members) const {
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const Member& member : members)
      names.emplace_back(member.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return Ok();
    return Wrong(fmt::format("the name \"{}\" stands twice in one object", *twice));
  }

  Result<std::string> ReadString() {
    ++at_;
    std::string text;
    while (true) {
      const std::size_t end = text_.find_first_of("\"\\", at_);
      if (end == std::string_view::npos) return Wrong("a string does not end");
      const std::string_view plain = text_.substr(at_, end - at_);
      if (std::ranges::any_of(plain, [](char c) { return static_cast<std::uint8_t>(c) < 0x20; })) {
        return Wrong("a string holds a control character that is not escaped");
      }
      text += plain;
      at_ = end + 1;
      if (text_[end] == '"') return text;
      TRY(ReadEscape(text));
    }
  }

  Status ReadEscape(std::string& text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = Peek();
    if (letter == 'u') return ReadUnicodeEscape(text);
    const std::size_t index = kLetters.find(letter);
    if (index == std::string_view::npos) return Wrong("a string holds an unknown escape");
    text.push_back(kMeanings[index]);
    ++at_;
    return Ok();
  }

  // A surrogate is half of a character: it stands first of two, or not at all.
  Status ReadUnicodeEscape(std::string& text) {
    const auto first = ReadCodeUnit();
    if (!first || (*first >= 0xdc00 && *first < 0xe000)) return WrongEscape();
    if (*first < 0xd800 || *first >= 0xe000) {
      AppendCodePoint(text, *first);
      return Ok();
    }
    if (!Take("\\")) return WrongEscape();
    const auto second = ReadCodeUnit();
    if (!second || *second < 0xdc00 || *second >= 0xe000) return WrongEscape();
    AppendCodePoint(text, 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00));
    return Ok();
  }

  Error WrongEscape() const { return Wrong("a string holds an escape that is no character"); }

  // "u00e9"
  std::optional<std::uint32_t> ReadCodeUnit() {
    constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
    if (!Take("u") || text_.size() - at_ < 4) return std::nullopt;
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; ++i) {
      const std::size_t digit = kDigits.find(text_[at_++]);
      if (digit == std::string_view::npos) return std::nullopt;
      unit = unit << 4 | static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return unit;
  }

  Result<Tree> ReadNumber() {
    const std::size_t start = at_;
    Take("-");
    const bool starts_with_zero = Peek() == '0';
    const std::size_t digits_start = at_;
    bool is_number = SkipDigits() && !(starts_with_zero && at_ - digits_start > 1);
    if (is_number && Take(".")) is_number = SkipDigits();
    if (is_number && (Take("e") || Take("E"))) {
      if (!Take("+")) Take("-");
      is_number = SkipDigits();
    }
    if (!is_number) {
      at_ = start;
      return Wrong(at_ == text_.size() ? "the document ends too early" : "a value is expected");
    }
    return Tree{Tree::Number{std::string(text_.substr(start, at_ - start))}};
  }

  bool SkipDigits() {
    const std::size_t start = at_;
    while (IsDigit(Peek()))
      ++at_;
    return at_ > start;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t value_count_ = 0;
};

}  // namespace

Result<Tree> ParseTree(std::string_view text) {
  if (!IsUtf8(text)) return SerializationError("the document is not UTF-8");
  return TreeReader(text).ReadDocument();
}

}  // namespace trestle::json
