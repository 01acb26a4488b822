#include "platform/search/vocabulary.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "platform/search/edit_distance.h"

namespace trestle::platform::search {
namespace {

constexpr std::size_t kEntriesMax = 1'000'000;  // about 60 MB

std::u32string LettersOf(std::string_view term) {
  std::u32string letters;
  while (!term.empty())
    letters += TakeCodePoint(term);
  return letters;
}

std::uint64_t LetterSet(std::u32string_view letters) {
  std::uint64_t set = 0;
  for (const char32_t letter : letters)
    set |= std::uint64_t{1} << (letter % 64);
  return set;
}

// Whether there are more bits than so many.
bool HasMoreBits(std::uint64_t set, unsigned count) {
  for (; set != 0 && count > 0; --count)
    set &= set - 1;
  return set != 0;
}

std::string TextOf(std::u32string_view letters) {
  std::string text;
  for (const char32_t letter : letters)
    AppendCodePoint(text, letter);
  return text;
}

}  // namespace

void Vocabulary::Words::Add(std::string_view term) {
  const std::u32string added = LettersOf(term);
  entries.push_back({.letter_set = LetterSet(added),
                     .start = static_cast<std::uint32_t>(letters.size()),
                     .length = static_cast<std::uint32_t>(added.size())});
  letters += added;
}

Result<std::vector<NearWord>> Vocabulary::FindNear(std::int64_t partition, std::string_view term,
                                                   unsigned distance_max, const Load& load) {
  const std::u32string typed = LettersOf(term);
  const std::uint64_t typed_set = LetterSet(typed);
  const MutexLock lock(mutex_);
  auto found = partitions_.find(partition);
  if (found == partitions_.end()) {
    Words loaded;
    TRY(load(partition, [&loaded](std::string_view word) { loaded.Add(word); }));
    entries_ += loaded.entries.size();
    MakeRoom();
    found = partitions_.emplace(partition, std::move(loaded)).first;
  }
  Words& words = found->second;
  words.used = ++calls_;
  std::vector<NearWord> near;
  for (const Entry& entry : words.entries) {
    // One mistake changes at most one letter of each set; most words are ruled out here.
    if (HasMoreBits(entry.letter_set & ~typed_set, distance_max) ||
        HasMoreBits(typed_set & ~entry.letter_set, distance_max)) {
      continue;
    }
    const std::u32string_view word(&words.letters[entry.start], entry.length);
    const unsigned distance = EditDistance(typed, word, distance_max);
    if (distance == 0 || distance > distance_max) continue;
    near.push_back({.term = TextOf(word), .distance = distance});
  }
  return near;
}

void Vocabulary::MakeRoom() {
  while (entries_ > kEntriesMax && !partitions_.empty()) {
    const auto oldest = std::ranges::min_element(
        partitions_, {}, [](const auto& partition) { return partition.second.used; });
    entries_ -= oldest->second.entries.size();
    partitions_.erase(oldest);
  }
}

void Vocabulary::Add(std::int64_t partition, std::string_view term) {
  const MutexLock lock(mutex_);
  const auto found = partitions_.find(partition);
  if (found == partitions_.end()) return;
  found->second.Add(term);
  ++entries_;
}

void Vocabulary::Clear() {
  const MutexLock lock(mutex_);
  partitions_.clear();
  entries_ = 0;
}

}  // namespace trestle::platform::search
