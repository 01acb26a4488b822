// Pictures that people upload, of every app that has them.

#include "apps/pictures.h"

#include <string>
#include <vector>

#include "apps/library_fixture.h"
#include "apps/stories_fixture.h"
#include "apps/watch_fixture.h"
#include "platform/identity/auth_app.h"
#include "platform/items.h"
#include "platform/pictures.h"

namespace trestle::apps::testing {
namespace {

const Person::Headers kPngType = {{"Content-Type", "image/png"}};

class LibraryPicturesTest : public LibraryFixture {
 protected:
  std::vector<design::TypedItem> FilesOf(const std::string& sub) {
    design::Runtime& runtime = *host().FindRuntime(platform::identity::kAuthApp.name);
    auto files =
        platform::RunWhole(runtime, "filesOfAccount", platform::TextRecord({{"owner", sub}}));
    EXPECT_TRUE(files.ok());
    return files.ok() ? *files : std::vector<design::TypedItem>();
  }
  std::size_t PartsOf(const std::string& address) {
    design::Runtime& runtime = *host().FindRuntime(platform::identity::kAuthApp.name);
    const auto parts = platform::RunWhole(runtime, "partsOfFile",
                                          platform::TextRecord({{"hash", address.substr(7)}}));
    return parts.ok() ? parts->size() : 999;
  }
};
TRESTLE_ON_EVERY_BACKEND(LibraryPicturesTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(LibraryPicturesTest);

TEST_P(LibraryPicturesTest, WhatACameraWroteIntoAPictureIsNotKept) {
  using namespace std::string_literals;
  const std::string item = AddBook("ann", AddLibrary("ann"), "Emma");
  const std::string place = "tEXtComment\0Home: 48.2082 N 16.3738 E"s;
  std::string png = Png({.width = 300, .height = 400});
  png.insert(33, BigEndian(static_cast<std::uint32_t>(place.size() - 4)) + place +
                     BigEndian(Crc32(place)));
  const Answer put = As("ann").Put(item + "/picture", png, kPngType);
  ASSERT_EQ(put.status, 200) << put.body;
  EXPECT_TRUE(See(put.At("pictureUrl")).body == Png({.width = 300, .height = 400}));
  const Answer cut = As("ann").Put(item + "/picture", png.substr(0, 80), kPngType);
  EXPECT_EQ(cut.status, 400);
  EXPECT_EQ(cut.At("errors[0].code"), "format") << cut.body;
}

TEST_P(LibraryPicturesTest, APictureIsShownAndGoesWithItsItem) {
  const std::string library = AddLibrary("ann");
  const std::string item = AddBook("ann", library, "Emma");
  EXPECT_EQ(As("ann").Get(item + "/picture").status, 404);
  const std::string png = Png({.width = 300, .height = 400, .bytes = 1'000'000});
  const Answer put = As("ann").Put(item + "/picture", png, kPngType);
  ASSERT_EQ(put.status, 200) << put.body;
  EXPECT_EQ(put.At("title"), "Emma");
  const std::string address = put.At("pictureUrl");
  ASSERT_TRUE(address.starts_with("/files/")) << address;
  EXPECT_EQ(As("ann").Get(item).Header("etag"), put.Header("etag"));

  const Answer seen = See(address);
  EXPECT_EQ(seen.status, 200);
  EXPECT_TRUE(seen.body == png);
  EXPECT_EQ(seen.Header("content-type"), "image/png");
  EXPECT_EQ(seen.Header("cache-control"), "private, max-age=31536000, immutable");
  EXPECT_EQ(seen.Header("x-content-type-options"), "nosniff");
  const Answer again = See(address, {{"If-None-Match", seen.Header("etag")}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  const Answer own = As("ann").Get(item + "/picture");
  EXPECT_TRUE(own.body == png);
  EXPECT_EQ(own.Header("cache-control"), "private, no-cache");
  EXPECT_EQ(PartsOf(address), 3U);

  EXPECT_EQ(As("ann").Delete(item).status, 204);
  Settle();
  EXPECT_EQ(See(address).status, 404);
  EXPECT_TRUE(FilesOf("ann").empty());
  EXPECT_EQ(PartsOf(address), 0U);
}

TEST_P(LibraryPicturesTest, TheLargestOneFitsAndOneMoreByteDoesNot) {
  const std::string item = AddBook("ann", AddLibrary("ann"), "Emma");
  const std::size_t most = platform::kPictureBytesMax;
  const std::string png = Png({.bytes = most});
  const Answer put = As("ann").Put(item + "/picture", png, kPngType);
  ASSERT_EQ(put.status, 200) << put.body;
  EXPECT_TRUE(See(put.At("pictureUrl")).body == png);
  const Answer large = As("ann").Put(item + "/picture", Png({.bytes = most + 1}), kPngType);
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.Code(), "too-large");
  EXPECT_EQ(large.Header("content-type"), "application/problem+json");
  EXPECT_EQ(As("ann").Get(item).At("pictureUrl"), put.At("pictureUrl"));
  // Other bodies have the limit that they had.
  const std::string summary = R"({"summary": ")" + std::string(1024 * 1024, 'x') + "\"}";
  EXPECT_EQ(As("ann").Patch(item, summary).status, 413);
}

TEST_P(LibraryPicturesTest, OnlyPicturesOfAReasonableSizeAreTaken) {
  const std::string item = AddBook("ann", AddLibrary("ann"), "Emma");
  const auto refusal = [&](const std::string& body) {
    const Answer answer = As("ann").Put(item + "/picture", body, kPngType);
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_EQ(answer.At("errors[0].pointer"), "/picture");
    return answer.At("errors[0].code");
  };
  EXPECT_EQ(refusal("<svg onload='alert(1)'/>"), "format");
  EXPECT_EQ(refusal("GIF89a........................"), "format");
  EXPECT_EQ(refusal(Png({.width = 0})), "dimensions");
  EXPECT_EQ(refusal(Png({.width = 10'001})), "dimensions");
  EXPECT_EQ(refusal(Png({.width = 10'000, .height = 10'000})), "dimensions");
  EXPECT_EQ(As("ann").Put(item + "/picture").At("errors[0].code"), "required");
  const Answer text = As("ann").Put(item + "/picture", "hello", {{"Content-Type", "text/plain"}});
  EXPECT_EQ(text.status, 415);
  EXPECT_TRUE(FilesOf("ann").empty());
}

TEST_P(LibraryPicturesTest, AnotherPictureTakesThePlaceOfTheFirst) {
  const std::string item = AddBook("ann", AddLibrary("ann"), "Emma");
  const Answer first = As("ann").Put(item + "/picture", Png({}), kPngType);
  EXPECT_EQ(As("ann").Put(item + "/picture", Png({.width = 2}), {{"If-Match", "\"7-x\""}}).status,
            412);
  const Answer second =
      As("ann").Put(item + "/picture", Png({.width = 2}),
                    {{"Content-Type", "image/png"}, {"If-Match", first.Header("etag")}});
  ASSERT_EQ(second.status, 200) << second.body;
  EXPECT_NE(first.At("pictureUrl"), second.At("pictureUrl"));
  Settle();
  EXPECT_EQ(See(first.At("pictureUrl")).status, 404);
  EXPECT_EQ(See(second.At("pictureUrl")).status, 200);
  EXPECT_EQ(FilesOf("ann").size(), 1U);
  EXPECT_EQ(As("ann").Delete(item + "/picture").status, 204);
  EXPECT_EQ(As("ann").Delete(item + "/picture").status, 404);
  EXPECT_EQ(As("ann").Get(item).At("pictureUrl"), "absent");
  Settle();
  EXPECT_TRUE(FilesOf("ann").empty());
}

TEST_P(LibraryPicturesTest, AnAddressOfOursIsGivenByAnUploadOnly) {
  const std::string library = AddLibrary("ann");
  const std::string item = AddBook("ann", library, "Emma");
  const std::string other = AddBook("bob", AddLibrary("bob"), "Persuasion");
  const std::string address = As("ann").Put(item + "/picture", Png({}), kPngType).At("pictureUrl");
  const std::string stolen = fmt::format(R"({{"pictureUrl": "{}"}})", address);
  const Answer refused = As("bob").Patch(other, stolen);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.At("errors[0].pointer"), "/pictureUrl");
  EXPECT_EQ(
      As("ann")
          .Post(library + "/books", fmt::format(R"({{"title": "x", "pictureUrl": "{}"}})", address))
          .status,
      400);
  // Another server's address is as good as ever, and the picture that it replaces goes.
  EXPECT_EQ(As("ann").Patch(item, R"({"pictureUrl": "https://example.org/a.png"})").status, 200);
  EXPECT_EQ(As("ann").Get(item + "/picture").status, 404);
  Settle();
  EXPECT_EQ(See(address).status, 404);
}

TEST_P(LibraryPicturesTest, APictureMovesWithItsItem) {
  const std::string library = AddLibrary("ann");
  const std::string other = AddLibrary("ann", "Attic");
  const std::string item = AddBook("ann", library, "Emma");
  const std::string png = Png({.bytes = 800'000});
  ASSERT_EQ(As("ann").Put(item + "/picture", png, kPngType).status, 200);
  const Answer moved =
      As("ann").Post(item + "/move", fmt::format(R"({{"libraryId": "{}"}})", IdOf(other)));
  ASSERT_EQ(moved.status, 200) << moved.body;
  Settle();
  EXPECT_TRUE(See(moved.At("pictureUrl")).body == png);
  EXPECT_EQ(FilesOf("ann").size(), 1U);
  EXPECT_EQ(As("ann").Delete(other).status, 204);
  Settle();
  EXPECT_TRUE(FilesOf("ann").empty());
}

TEST_P(LibraryPicturesTest, WhoSeesALibrarySeesItsPictures) {
  const std::string library = AddLibrary("ann");
  const std::string item = AddBook("ann", library, "Emma");
  ASSERT_EQ(As("ann").Put(item + "/picture", Png({}), kPngType).status, 200);
  const std::string bob = SignUp("bob");
  EXPECT_EQ(As(bob).Get(item + "/picture").status, 404);
  Share("ann", library, "bob@example.org");
  EXPECT_EQ(As(bob).Get(item + "/picture").status, 200);
  EXPECT_EQ(As(bob).Put(item + "/picture", Png({}), kPngType).status, 403);
  EXPECT_EQ(As(bob).Delete(item + "/picture").status, 403);
  for (const std::string_view wrong : {"/x", "/../auth/v1/me", "/%00"})
    EXPECT_EQ(See("/files" + std::string(wrong)).status, 404) << wrong;
  EXPECT_EQ(See("/files/" + std::string(64, 'a')).status, 404);
}

TEST_P(LibraryPicturesTest, TheExportNamesThemAndErasureRemovesThem) {
  const std::string item = AddBook("ann", AddLibrary("ann"), "Emma");
  const Answer put = As("ann").Put(item + "/picture", Png({.width = 7, .height = 9}), kPngType);
  LetIndexesFollow();
  const Answer exported = As("ann").Get("/export");
  ASSERT_EQ(exported.Count("pictures"), 1U) << exported.body;
  EXPECT_EQ(exported.At("pictures[0].address"), put.At("pictureUrl"));
  EXPECT_EQ(exported.At("pictures[0].mediaType"), "image/png");
  EXPECT_EQ(exported.At("pictures[0].width"), "7");
  EXPECT_EQ(exported.At("pictures[0].size"), "100");
  EXPECT_EQ(As("bob").Get("/export").Count("pictures"), 0U);
  EXPECT_EQ(As("ann").Delete("/me").status, 202);
  Settle();
  EXPECT_TRUE(FilesOf("ann").empty());
  EXPECT_EQ(See(put.At("pictureUrl")).status, 404);
}

class WatchPicturesTest : public WatchFixture {};
TRESTLE_ON_EVERY_BACKEND(WatchPicturesTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(WatchPicturesTest);

TEST_P(WatchPicturesTest, ListsTitlesAndPeopleHavePictures) {
  const Person ann = Curator("ann");
  const std::string list = AddList(ann, R"({"title": "Hidden", "isPublic": false})");
  AddMovie(ann, "metropolis", "Metropolis");
  const Answer cover = ann.Put(list + "/picture", Png({}), kPngType);
  EXPECT_TRUE(cover.At("coverImageUrl").starts_with("/files/")) << cover.body;
  EXPECT_EQ(ann.Get(list + "/picture").status, 200);
  EXPECT_EQ(As("bob").Get(list + "/picture").status, 404);
  const Answer poster = ann.Put("/movies/metropolis/picture", Png({}), kPngType);
  EXPECT_TRUE(poster.At("posterUrl").starts_with("/files/")) << poster.body;
  EXPECT_EQ(Nobody().Get("/movies/metropolis/picture").status, 200);
  EXPECT_EQ(As("bob").Put("/movies/metropolis/picture", Png({}), kPngType).status, 403);
  const Answer face = ann.Put("/me/picture", Png({}), kPngType);
  EXPECT_EQ(Nobody().Get("/users/ann").At("avatarUrl"), face.At("avatarUrl"));
  EXPECT_EQ(ann.Delete("/me/picture").status, 204);
  EXPECT_EQ(Nobody().Get("/users/ann").At("avatarUrl"), "absent");
  Settle();
  EXPECT_EQ(See(face.At("avatarUrl")).status, 404);
  // Titles stay when who added them leaves, without what else was that person's.
  EXPECT_EQ(ann.Delete("/me").status, 202);
  Settle();
  EXPECT_EQ(Nobody().Get("/movies/metropolis").At("posterUrl"), "absent");
  EXPECT_EQ(See(poster.At("posterUrl")).status, 404);
  EXPECT_EQ(See(cover.At("coverImageUrl")).status, 404);
}

class StoriesPicturesTest : public StoriesFixture {};
TRESTLE_ON_EVERY_BACKEND(StoriesPicturesTest);
TRESTLE_ALSO_WITH_LATE_INDEXES(StoriesPicturesTest);

TEST_P(StoriesPicturesTest, StoriesAndPeopleHavePictures) {
  const std::string draft = AddStory("ann", "Draft");
  const Answer cover = As("ann").Put(draft + "/picture", Png({}), kPngType);
  ASSERT_TRUE(cover.At("coverImageUrl").starts_with("/files/")) << cover.body;
  EXPECT_EQ(As("bob").Get(draft + "/picture").status, 404);
  EXPECT_EQ(As("ann").Post(draft + "/publish").status, 200);
  EXPECT_EQ(Nobody().Get(draft + "/picture").status, 200);
  EXPECT_EQ(As("bob").Put(draft + "/picture", Png({}), kPngType).status, 403);
  Settle();
  // Copies of the story come and go; its picture stays.
  EXPECT_EQ(See(cover.At("coverImageUrl")).status, 200);
  const Answer face = As("ann").Put("/me/picture", Png({}), kPngType);
  EXPECT_EQ(Nobody().Get("/users/ann").At("profilePictureUrl"), face.At("profilePictureUrl"));
  const std::string stolen =
      fmt::format(R"("ageRating": "PG", "coverImageUrl": "{}",)", cover.At("coverImageUrl"));
  EXPECT_EQ(As("bob").Post("/stories", StoryBody("Mine", stolen)).status, 400);
  // A story that somebody else has continued stays without its cover.
  AddBranch("bob", draft, RootOf("ann", draft), "On");
  EXPECT_EQ(As("ann").Delete("/me").status, 202);
  Settle();
  EXPECT_EQ(Nobody().Get(draft).At("coverImageUrl"), "absent");
  EXPECT_EQ(See(cover.At("coverImageUrl")).status, 404);
  EXPECT_EQ(See(face.At("profilePictureUrl")).status, 404);
}

}  // namespace
}  // namespace trestle::apps::testing
