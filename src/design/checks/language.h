#pragma once

#include <bitset>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace trestle::design {

using Bytes = std::bitset<256>;

// A set of texts, as an automaton: what a key template can make, or what a query reads. Two of them
// can be asked whether they have a text in common, which decides whether entities can be taken for
// each other, and which of them are in a range.
//
// It starts as the set of the empty text; each Add appends to all texts in it.
class Language {
 public:
  Language();

  void AddText(std::string_view text);
  // Any number of these bytes, at least one.
  void AddSome(const Bytes& bytes);
  void AddTimes(const Bytes& bytes, std::size_t times);
  // One of several; not none of them.
  void AddOneOf(std::span<const Language> languages);

  // Also with anything behind.
  [[nodiscard]] Language Extended() const;
  // Only with something behind.
  [[nodiscard]] Language ProperlyExtended() const;
  // What sorts before one of these texts.
  [[nodiscard]] Language Below() const;
  // Likewise, and these texts with anything behind.
  [[nodiscard]] Language BelowOrExtended() const;
  // What sorts behind one of these texts.
  [[nodiscard]] Language Above() const;
  // Likewise, and these texts themselves.
  [[nodiscard]] Language AboveOrEqual() const;
  // Anything, with one of these texts in it that does not end it.
  [[nodiscard]] Language ContainedBeforeEnd() const;

  friend bool HaveCommonText(std::span<const Language* const> languages);

 private:
  struct Edge {
    Bytes bytes;
    std::size_t to = 0;
  };
  struct State {
    std::vector<Edge> edges;
    bool is_end = false;
  };

  std::size_t AddState();
  void SetEnds(std::vector<std::size_t> ends);
  void AddEnds(const std::vector<std::size_t>& ends);
  // A state that accepts anything behind it.
  std::size_t AddAnything();

  std::vector<State> states_;      // the first is where it starts
  std::vector<std::size_t> ends_;  // those with is_end
};

// Whether one text is in all of them. Also true when that takes too long to decide.
[[nodiscard]] bool HaveCommonText(std::span<const Language* const> languages);
[[nodiscard]] bool HaveCommonText(const Language& left, const Language& right);

[[nodiscard]] Bytes AllBytes();
[[nodiscard]] Bytes Digits();

}  // namespace trestle::design
