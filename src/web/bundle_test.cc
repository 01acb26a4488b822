#include "web/bundle.h"

#include <gtest/gtest.h>

namespace trestle::web {
namespace {

constexpr std::string_view kBundle =
    "/\ttext/html\t-\tabc\t0\t4\n"
    "/studio\ttext/html\tbr\tdef\t4\t2\n"
    "/studio\ttext/html\tgzip\tdef\t6\t3\n"
    "/studio\ttext/html\t-\tdef\t9\t6\n"
    "\n"
    "homeBRGZPstudio";

std::string_view Found(const Bundle& bundle, std::string_view path, std::string_view accepted) {
  const Asset* asset = bundle.Find({.path = path, .accept_encodings = accepted});
  return asset == nullptr ? "none" : asset->bytes;
}

TEST(BundleTest, FindsTheSmallestFormThatTheClientTakes) {
  const Bundle bundle = *Bundle::Parse(kBundle);
  EXPECT_EQ(Found(bundle, "/studio", "gzip, deflate, br"), "BR");
  EXPECT_EQ(Found(bundle, "/studio", "gzip"), "GZP");
  EXPECT_EQ(Found(bundle, "/studio", "gzip;q=0"), "studio");
  EXPECT_EQ(Found(bundle, "/studio", ""), "studio");
}

TEST(BundleTest, WhatIsBelowAPageIsThatPage) {
  const Bundle bundle = *Bundle::Parse(kBundle);
  EXPECT_EQ(Found(bundle, "/studio/tables/Shop", ""), "studio");
  EXPECT_EQ(Found(bundle, "/", ""), "home");
  EXPECT_EQ(Found(bundle, "/other", ""), "none");
  EXPECT_EQ(Found(bundle, "/other/studio", ""), "none");
}

TEST(BundleTest, AnEmptyOneHasNothing) {
  const Bundle bundle = *Bundle::Parse("\n");
  EXPECT_TRUE(bundle.empty());
  EXPECT_EQ(Found(bundle, "/", ""), "none");
}

TEST(BundleTest, RefusesWhatIsNone) {
  EXPECT_FALSE(Bundle::Parse("").ok());
  EXPECT_FALSE(Bundle::Parse("/\ttext/html\n\n").ok());
  EXPECT_FALSE(Bundle::Parse("/\ttext/html\t-\tabc\t0\t5\n\nhome").ok());
  EXPECT_FALSE(Bundle::Parse("/\ttext/html\t-\tabc\tx\t4\n\nhome").ok());
}

}  // namespace
}  // namespace trestle::web
