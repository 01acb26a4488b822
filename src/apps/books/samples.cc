// Sample data: a year of reading that is worth a chart.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "apps/books/books_internal.h"
#include "design/time_text.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::books {
namespace {

using design::Record;
using platform::Mount;
using platform::TextRecord;

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kHourMs = 3'600'000;

struct SampleBook {
  std::string_view title;
  std::string_view author;
  std::int64_t pages;
  std::string_view status;
  std::int64_t begun_days_ago;  // 0: not begun
  std::int64_t pages_a_day;     // on days with reading
  double rating;                // 0: none
  std::string_view price;       // in EUR; empty: not bought
  std::string_view store;
};

constexpr std::array kBooks = {
    SampleBook{"Middlemarch", "George Eliot", 904, "READ", 400, 24, 5, "14.90", "Corner Books"},
    SampleBook{"The Left Hand of Darkness", "Ursula K. Le Guin", 304, "READ", 362, 28, 4.5, "11.00",
               "Harbour Street"},
    SampleBook{"Moby-Dick", "Herman Melville", 635, "ABANDONED", 350, 15, 0, "9.50",
               "Corner Books"},
    SampleBook{"Emma", "Jane Austen", 474, "READ", 320, 31, 4, "8.90", "Corner Books"},
    SampleBook{"The Trial", "Franz Kafka", 255, "READ", 300, 22, 3.5, "7.00", "Flea market"},
    SampleBook{"Beloved", "Toni Morrison", 324, "READ", 281, 26, 5, "12.50", "Harbour Street"},
    SampleBook{"Invisible Cities", "Italo Calvino", 165, "READ", 262, 18, 4.5, "10.00",
               "Gift shop"},
    SampleBook{"A Wizard of Earthsea", "Ursula K. Le Guin", 205, "READ", 250, 40, 4, "", ""},
    SampleBook{"Things Fall Apart", "Chinua Achebe", 209, "READ", 236, 30, 4, "9.00",
               "Corner Books"},
    SampleBook{"The Master and Margarita", "Mikhail Bulgakov", 412, "READ", 221, 27, 5, "13.20",
               "Harbour Street"},
    SampleBook{"Dracula", "Bram Stoker", 418, "READ", 196, 35, 3, "", ""},
    SampleBook{"Frankenstein", "Mary Shelley", 280, "READ", 178, 33, 4, "6.50", "Flea market"},
    SampleBook{"War and Peace", "Leo Tolstoy", 1225, "PAUSED", 170, 20, 0, "19.90", "Corner Books"},
    SampleBook{"The Waves", "Virginia Woolf", 297, "READ", 128, 21, 3.5, "", ""},
    SampleBook{"Pedro Páramo", "Juan Rulfo", 124, "READ", 110, 25, 4.5, "10.90", "Harbour Street"},
    SampleBook{"The Dispossessed", "Ursula K. Le Guin", 387, "READ", 98, 29, 5, "12.50",
               "Corner Books"},
    SampleBook{"Season of Migration to the North", "Tayeb Salih", 169, "READ", 78, 24, 4, "9.90",
               "Harbour Street"},
    SampleBook{"The Makioka Sisters", "Jun'ichirō Tanizaki", 530, "READ", 66, 26, 4.5, "15.00",
               "Corner Books"},
    SampleBook{"Great Expectations", "Charles Dickens", 544, "READING", 30, 23, 0, "8.00",
               "Flea market"},
    SampleBook{"The Brothers Karamazov", "Fyodor Dostoevsky", 796, "READING", 18, 19, 0, "17.50",
               "Corner Books"},
    SampleBook{"My Ántonia", "Willa Cather", 232, "READING", 6, 28, 0, "", ""},
    SampleBook{"Ulysses", "James Joyce", 730, "SHELF", 0, 0, 0, "16.00", "Corner Books"},
    SampleBook{"The Book of Disquiet", "Fernando Pessoa", 544, "SHELF", 0, 0, 0, "14.00",
               "Harbour Street"},
    SampleBook{"Don Quixote", "Miguel de Cervantes", 982, "SHELF", 0, 0, 0, "", ""},
    SampleBook{"The Tale of Genji", "Murasaki Shikibu", 1216, "WISHLIST", 0, 0, 0, "", ""},
    SampleBook{"Kindred", "Octavia E. Butler", 287, "WISHLIST", 0, 0, 0, "", ""},
};

constexpr std::string_view kNotes[] = {
    "The opening is slower than I remembered, and better.",
    "Look up the **map** at the back before chapter 4.",
    "A sentence to keep: the sea asks nothing and answers everything.",
    "Lent it to nobody. Re-read in winter.",
};

std::string TimeText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

// Reading is uneven: some days are skipped, some have more. The same every time.
std::int64_t Unevenness(std::uint64_t& state) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<std::int64_t>(state >> 33 & 0xff);
}

Status ReadBook(const Mount& mount, const SampleBook& sample, const Record& book,
                std::uint64_t& state) {
  const design::Operation& record_page = *mount.runtime->model().FindOperation("recordPage");
  const std::int64_t now = mount.shared->clock->NowUnixMs();
  const std::int64_t last_page = sample.status == "READ"        ? sample.pages
                                 : sample.status == "ABANDONED" ? sample.pages / 5
                                                                : sample.pages * 3 / 5;
  std::int64_t page = 0;
  for (std::int64_t day = sample.begun_days_ago; day > 0 && page < last_page; --day) {
    const std::int64_t uneven = Unevenness(state);
    if (uneven < 64) continue;
    page = std::min(last_page, page + sample.pages_a_day * (uneven + 64) / 200);
    Record arguments =
        TextRecord({{"userId", *book.FindText("userId")},
                    {"bookId", *book.FindText("id")},
                    {"occurredAt", TimeText(now - day * kDayMs - uneven % 5 * kHourMs)}});
    platform::SetInteger(arguments, "page", page);
    TRY(mount.runtime->Run(record_page, arguments));
  }
  return Ok();
}

Status AddBook(const Mount& mount, const SampleBook& sample, const std::string& sub,
               std::uint64_t& state) {
  const std::int64_t now = mount.shared->clock->NowUnixMs();
  Record book = TextRecord({{"userId", sub}, {"title", sample.title}, {"status", sample.status}});
  platform::SetTexts(book, "authors", {std::string(sample.author)});
  platform::SetInteger(book, "totalPages", sample.pages);
  if (sample.rating > 0) {
    book.Set("rating",
             design::EncodeNumber(*value::Number::Parse(fmt::format("{}", sample.rating))));
  }
  if (!sample.price.empty()) {
    book.Set("price", design::EncodeNumber(*value::Number::Parse(sample.price)));
    book.SetText("currency", "EUR");
    book.SetText("store", sample.store);
    const std::int64_t days_ago = std::max<std::int64_t>(sample.begun_days_ago + 3, 12);
    book.SetText("purchaseDate", design::DateText(now - days_ago * kDayMs));
  }
  if (sample.begun_days_ago > 0) {
    book.SetText("startedAt", TimeText(now - sample.begun_days_ago * kDayMs));
  }
  if (sample.status == "READ") {
    const std::int64_t days = sample.pages / sample.pages_a_day * 3 / 2;
    book.SetText("finishedAt",
                 TimeText(now - std::max<std::int64_t>(1, sample.begun_days_ago - days) * kDayMs));
  }
  const design::TypedItem created =
      TRY(mount.runtime->Create(*mount.runtime->model().FindEntity("Book"), book));
  return ReadBook(mount, sample, created.record, state);
}

}  // namespace

Status LoadSamples(const Mount& mount, std::span<const platform::Person> people) {
  const design::Model& model = mount.runtime->model();
  std::uint64_t state = 7;
  for (const platform::Person& person : people) {
    Record reader = TextRecord(
        {{"userId", person.sub}, {"displayName", person.name}, {"defaultCurrency", "EUR"}});
    TRY(mount.runtime->Upsert(*model.FindEntity("UserMetadata"), reader));
  }
  const std::string& sub = people.front().sub;
  for (const SampleBook& sample : kBooks)
    TRY(AddBook(mount, sample, sub, state));
  const auto books =
      TRY(platform::RunWhole(*mount.runtime, "listBooks", TextRecord({{"userId", sub}})));
  for (std::size_t i = 0; i < std::size(kNotes); ++i) {
    TRY(mount.runtime->Create(*model.FindEntity("Note"),
                              TextRecord({{"userId", sub},
                                          {"bookId", platform::TextOf(books[i * 4].record, "id")},
                                          {"content", kNotes[i]}})));
  }
  return Ok();
}

}  // namespace trestle::apps::books
