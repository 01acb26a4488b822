#include "apps/books/tables.h"

#include <gtest/gtest.h>

#include "platform/values.h"

namespace trestle::apps::books {
namespace {

using platform::IntegerOf;
using platform::NumberOf;
using platform::TextOf;

TEST(BookTableTest, ReadsItsOwnColumns) {
  const auto table = ReadBookTable(
      "Title,authors,status,rating,totalPages,price,currency,purchaseDate\n"
      "Emma,Jane Austen; Somebody,READING,4.5,474,12.50,EUR,2026-01-10\n");
  ASSERT_TRUE(table.ok()) << table.error().message();
  ASSERT_EQ(table->books.size(), 1U);
  const design::Record& book = *table->books[0];
  EXPECT_EQ(TextOf(book, "title"), "Emma");
  EXPECT_EQ(platform::TextsOf(book, "authors"),
            (std::vector<std::string>{"Jane Austen", "Somebody"}));
  EXPECT_EQ(TextOf(book, "status"), "READING");
  EXPECT_EQ(NumberOf(book, "rating"), 4.5);
  EXPECT_EQ(IntegerOf(book, "totalPages"), 474);
  EXPECT_EQ(NumberOf(book, "price"), 12.5);
  EXPECT_EQ(TextOf(book, "purchaseDate"), "2026-01-10");
  EXPECT_FALSE(book.Find("currentPage"));
}

TEST(BookTableTest, ReadsThoseOfOtherTrackers) {
  const auto table = ReadBookTable(
      "Book Id,Title,Author,Author l-f,Additional Authors,My Rating,Number of Pages,Date Read,"
      "Date Added,Exclusive Shelf\r\n"
      "7,\"Good Omens\",Terry Pratchett,\"Pratchett, Terry\",\"Neil Gaiman, Terry Pratchett\",5,"
      "288,2024/03/05,2023/12/01,read\r\n"
      "8,Emma,Jane Austen,,,0,,,,to-read\r\n"
      "9,Ulysses,James Joyce,,,x,,,,read\r\n"
      "10,Walden,Thoreau,,,3.26,,,,somewhere\r\n");
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table->ignored, (std::vector<std::string>{"Book Id", "Author l-f"}));
  ASSERT_EQ(table->books.size(), 4U);
  const design::Record& read = *table->books[0];
  EXPECT_EQ(platform::TextsOf(read, "authors"),
            (std::vector<std::string>{"Terry Pratchett", "Neil Gaiman"}));
  EXPECT_EQ(TextOf(read, "finishedAt"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(TextOf(read, "createdAt"), "2023-12-01T00:00:00.000Z");
  EXPECT_EQ(IntegerOf(read, "currentPage"), 288);
  const design::Record& wanted = *table->books[1];
  EXPECT_EQ(TextOf(wanted, "status"), "WISHLIST");
  EXPECT_FALSE(wanted.Find("rating"));
  ASSERT_FALSE(table->books[2].ok());
  EXPECT_EQ(table->books[2].error().message(), "my rating must be a number");
  ASSERT_FALSE(table->books[3].ok());
  EXPECT_EQ(table->books[3].error().message(), "exclusive shelf is no state of a book");
}

TEST(BookTableTest, RefusesWhatIsNoTableOfBooks) {
  EXPECT_FALSE(ReadBookTable("").ok());
  EXPECT_FALSE(ReadBookTable("author,pages\nx,1\n").ok());
  EXPECT_FALSE(ReadBookTable("title\n\"never closed").ok());
}

}  // namespace
}  // namespace trestle::apps::books
