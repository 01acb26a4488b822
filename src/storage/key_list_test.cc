#include "storage/key_list.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace trestle::storage {
namespace {

// Entries are texts that end with a zero.
class TextOrder final : public KeyList::Order {
 public:
  [[nodiscard]] int Compare(const char* entry, std::string_view key) const override {
    return std::string_view(entry).compare(key);
  }
};

KeyList::Key KeyOf(std::string_view text) { return {KeyList::HeadOf(text), text}; }

std::string TextOf(const KeyList::Node* node) {
  return node == nullptr ? "none" : KeyList::EntryOf(*node);
}

class KeyListTest : public ::testing::Test {
 protected:
  void Insert(std::string text) {
    texts_.push_back(std::move(text));
    list_.Insert(KeyOf(texts_.back()), texts_.back().c_str());
  }
  std::string AtOrAfter(std::string_view text) { return TextOf(list_.AtOrAfter(KeyOf(text))); }
  std::string Before(std::string_view text) { return TextOf(list_.Before(KeyOf(text))); }

  TextOrder order_;
  std::deque<std::string> texts_;
  KeyList list_{order_};
};

TEST_F(KeyListTest, AnEmptyListHasNothingAnywhere) {
  EXPECT_EQ(list_.First(), nullptr);
  EXPECT_EQ(list_.Last(), nullptr);
  EXPECT_EQ(AtOrAfter(""), "none");
  EXPECT_EQ(Before("z"), "none");
}

TEST_F(KeyListTest, FindsNeighboursOfKeysThatAreThereAndOfOthers) {
  for (const char* text : {"m", "c", "x"})
    Insert(text);
  EXPECT_EQ(TextOf(list_.First()), "c");
  EXPECT_EQ(TextOf(list_.Last()), "x");
  EXPECT_EQ(AtOrAfter("c"), "c");
  EXPECT_EQ(AtOrAfter("d"), "m");
  EXPECT_EQ(AtOrAfter("y"), "none");
  EXPECT_EQ(Before("c"), "none");
  EXPECT_EQ(Before("m"), "c");
  EXPECT_EQ(Before("n"), "m");
}

TEST_F(KeyListTest, TheOrderIsThatOfAllBytesWhereverKeysDiffer) {
  // In the first eight bytes, in the second, behind them, by length, and from byte 128 on.
  const std::string same(16, 's');
  std::vector<std::string> texts = {"a", "ab",   "abcdefgh", "abcdefgh1", "abcdefgh2",
                                    "b", "\x7f", "\x80",     "\xff"};
  for (const char* end : {"", "0", "1", "10", "\xff"})
    texts.push_back(same + end);
  for (const std::string& text : texts)
    Insert(text);

  std::ranges::sort(texts, {}, [](const std::string& text) {
    return std::vector<unsigned char>(text.begin(), text.end());
  });
  std::vector<std::string> walked;
  for (const auto* node = list_.First(); node != nullptr; node = KeyList::After(*node))
    walked.emplace_back(KeyList::EntryOf(*node));
  EXPECT_EQ(walked, texts);
}

TEST_F(KeyListTest, AgreesWithAMapOnManyKeys) {
  std::mt19937 random(7);
  std::map<std::string, bool> map;
  const auto text_of = [&](std::uint64_t number) {
    return fmt::format("{}{:x}", std::string(number % 24, 'p'), number);
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = text_of(random() % 100'000);
    if (map.emplace(text, true).second) Insert(text);
    const std::string wanted = text_of(random() % 100'000);
    const auto after = map.lower_bound(wanted);
    ASSERT_EQ(AtOrAfter(wanted), after == map.end() ? "none" : after->first);
    ASSERT_EQ(Before(wanted), after == map.begin() ? "none" : std::prev(after)->first);
  }
  ASSERT_EQ(TextOf(list_.Last()), map.rbegin()->first);
  EXPECT_GT(list_.memory_bytes(), map.size() * sizeof(void*));
}

// Short lists, many times: a walk that meets an insertion half way is rare.
TEST(KeyListThreadsTest, ReadersSeeWhatWasInsertedBeforeTheyLookedAndAllInOrder) {
  constexpr std::size_t kCount = 256;
  constexpr std::size_t kStep = 101;  // which has no divisor with kCount in common
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kCount; ++i)
    texts.push_back(fmt::format("{:016}", i * kStep % kCount));

  for (int round = 0; round < 300; ++round) {
    const TextOrder order;
    KeyList list(order);
    std::atomic<std::size_t> inserted = 0;
    const std::jthread reader([&] {
      std::size_t known = 0;
      while (known < kCount) {
        known = inserted;
        if (known > 0) {
          const KeyList::Key last = KeyOf(texts[known - 1]);
          ASSERT_EQ(TextOf(list.AtOrAfter(last)), texts[known - 1]);
        }
        std::size_t count = 0;
        KeyList::Head previous;
        for (const auto* node = list.First(); node != nullptr; node = KeyList::After(*node)) {
          ASSERT_LT(previous, KeyList::HeadOf(*node));
          previous = KeyList::HeadOf(*node);
          ++count;
        }
        ASSERT_GE(count, known);
      }
    });
    for (const std::string& text : texts) {
      list.Insert(KeyOf(text), text.c_str());
      ++inserted;
    }
  }
}

}  // namespace
}  // namespace trestle::storage
