#include "json/tail.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace trestle::json {
namespace {

constexpr char kHex[] = "0123456789abcdef";

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Four or eight bytes at once; the high bit of a byte in each term says that it is zero, or below
// 0x20.
template <typename Word>
bool AnyNeedsEscape(Word bytes) {
  constexpr Word kOnes = static_cast<Word>(0x0101010101010101);
  constexpr Word kHighs = static_cast<Word>(0x8080808080808080);
  const Word control = (bytes - kOnes * 0x20) & ~bytes;
  const Word quote = bytes ^ kOnes * '"';
  const Word backslash = bytes ^ kOnes * '\\';
  return ((control | ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash)) & kHighs) !=
         0;
}

// Sixteen bytes, which the compiler compares at once where the machine can.
using Block = unsigned char __attribute__((vector_size(16)));

bool AnyNeedsEscape(Block bytes) {
  const auto found =
      (bytes < Block{} + 0x20) | (bytes == Block{} + '"') | (bytes == Block{} + '\\');
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(found);
  return (halves[0] | halves[1]) != 0;
}

// Copies as many bytes as a Word has; whether one of them needs escaping.
template <typename Word>
bool Copy(const char* from, char* to) {
  Word bytes = {};
  std::memcpy(&bytes, from, sizeof(Word));
  std::memcpy(to, &bytes, sizeof(Word));
  return AnyNeedsEscape(bytes);
}

// The last word overlaps the one before it. `size` is that of a word at least.
template <typename Word>
bool CopyWords(const char* from, char* to, std::size_t size) {
  bool needs_escape = false;
  for (std::size_t i = 0; i + sizeof(Word) < size; i += sizeof(Word))
    needs_escape |= Copy<Word>(from + i, to + i);
  const std::size_t last = size - sizeof(Word);
  return Copy<Word>(from + last, to + last) || needs_escape;
}

// Copies the text; whether a byte of it needs escaping.
bool CopyText(std::string_view text, char* to) {
  if (text.size() >= 16) return CopyWords<Block>(text.data(), to, text.size());
  if (text.size() >= 8) return CopyWords<std::uint64_t>(text.data(), to, text.size());
  if (text.size() >= 4) return CopyWords<std::uint32_t>(text.data(), to, text.size());
  bool needs_escape = false;
  for (const char c : text) {
    *to++ = c;
    needs_escape |= NeedsEscape(c);
  }
  return needs_escape;
}

}  // namespace

void Tail::PutQuoted(std::string_view text) {
  Reserve(text.size() + 2);
  *at_ = '"';
  if (CopyText(text, at_ + 1)) [[unlikely]] {
    ++at_;
    PutEscaped(text);  // over the copy
    Put('"');
    return;
  }
  at_ += text.size() + 1;
  *at_++ = '"';
}

void Tail::PutEscaped(std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '"':
        Put("\\\"");
        break;
      case '\\':
        Put("\\\\");
        break;
      case '\b':
        Put("\\b");
        break;
      case '\f':
        Put("\\f");
        break;
      case '\n':
        Put("\\n");
        break;
      case '\r':
        Put("\\r");
        break;
      case '\t':
        Put("\\t");
        break;
      default:
        if (NeedsEscape(c)) {
          const auto byte = static_cast<unsigned char>(c);
          Put("\\u00");
          Put(kHex[byte >> 4]);
          Put(kHex[byte & 15]);
        } else {
          Put(c);
        }
    }
  }
}

void Tail::Grow(std::size_t bytes) {
  const std::size_t used = size();
  text_.resize(used + std::max(bytes, step_));
  at_ = text_.data() + used;
  end_ = text_.data() + text_.size();
}

}  // namespace trestle::json
