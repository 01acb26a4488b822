#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

// Enums of the tree that the language writes as one word each. An enum gets its words by a function
// WordsOf beside it, in the order of its values:
//
//   enum class Order { kAscending, kDescending };
//   constexpr auto WordsOf(Order) { return Words("asc", "desc"); }

namespace trestle::design::syntax {

template <typename... Texts>
constexpr std::array<std::string_view, sizeof...(Texts)> Words(Texts... texts) {
  return {texts...};
}

template <typename Enum>
concept HasWords = requires(Enum value) {
  WordsOf(value);
};

template <HasWords Enum>
[[nodiscard]] constexpr std::string_view WordOf(Enum value) {
  return WordsOf(value)[static_cast<std::size_t>(value)];
}

template <HasWords Enum>
[[nodiscard]] constexpr std::optional<Enum> FromWord(std::string_view word) {
  constexpr auto kWords = WordsOf(Enum{});
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace trestle::design::syntax
