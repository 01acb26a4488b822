#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"

namespace trestle::apps::testing {

class LibraryFixture : public AppFixture {
 protected:
  LibraryFixture() { Use(Library()); }

  // Its path.
  std::string AddLibrary(std::string_view sub, std::string_view name = "Home") {
    const Answer answer =
        As(sub).Post("/libraries", fmt::format(R"({{"libraryName": "{}"}})", name));
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/libraries/" + answer.At("id");
  }
  std::string AddCollection(std::string_view sub, const std::string& library,
                            std::string_view name) {
    const Answer answer =
        As(sub).Post(library + "/collections", fmt::format(R"({{"name": "{}"}})", name));
    EXPECT_EQ(answer.status, 201) << answer.body;
    return library + "/collections/" + answer.At("id");
  }
  std::string AddBook(std::string_view sub, const std::string& library, std::string_view title,
                      std::string_view collection = {}) {
    const std::string in =
        collection.empty() ? "" : fmt::format(R"(, "collectionId": "{}")", IdOf(collection));
    const Answer answer =
        As(sub).Post(library + "/books", fmt::format(R"({{"title": "{}"{}}})", title, in));
    EXPECT_EQ(answer.status, 201) << answer.body;
    return library + "/items/" + answer.At("id");
  }
  // The sub of somebody who has an account.
  std::string SignUp(const std::string& name) {
    const auto account = host().accounts()->SignUp(
        {.email = name + "@example.org", .password = "correct horse 7", .name = name});
    EXPECT_TRUE(account.ok());
    return std::string(*account->record.FindText("sub"));
  }
  void Share(std::string_view sub, const std::string& library, std::string_view email) {
    const Answer answer =
        As(sub).Post(library + "/shares", fmt::format(R"({{"email": "{}"}})", email));
    EXPECT_EQ(answer.status, 201) << answer.body;
  }
  static std::string IdOf(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
  }
  // The texts at one place of all items.
  static std::string All(const Answer& answer, std::string_view place) {
    std::string all;
    for (std::size_t i = 0; i < answer.Count("items"); ++i)
      all += answer.At(fmt::format("items[{}].{}", i, place)) + "|";
    return all;
  }
};

}  // namespace trestle::apps::testing
