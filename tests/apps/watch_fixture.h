#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"

namespace trestle::apps::testing {

class WatchFixture : public AppFixture {
 protected:
  WatchFixture() { Use(Watch()); }

  [[nodiscard]] Person Admin() const { return As("eve", "admin"); }

  // Somebody who may make lists.
  Person Curator(std::string_view sub) {
    const Person person = As(sub);
    EXPECT_EQ(person.Get("/me").status, 200);
    const Answer approved =
        Admin().Post(fmt::format("/admin/users/{}/curator", sub), R"({"status": "approved"})");
    EXPECT_EQ(approved.status, 200) << approved.body;
    return person;
  }

  // Its path.
  static std::string AddList(const Person& person, std::string_view body) {
    const Answer answer = person.Post("/watchlists", body);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/watchlists/" + answer.At("watchlistId");
  }

  static void AddMovie(const Person& person, std::string_view id, std::string_view title) {
    const Answer answer = person.Post(
        "/movies", fmt::format(R"({{"movieId": "{}", "title": "{}", "runtime": 100}})", id, title));
    EXPECT_EQ(answer.status, 201) << answer.body;
  }

  static Answer AddItem(const Person& person, const std::string& list, std::string_view id) {
    return person.Post(list + "/items",
                       fmt::format(R"({{"contentType": "MOVIE", "contentId": "{}"}})", id));
  }

  // The ids of a list's items in their order.
  static std::string Order(const Person& person, const std::string& list) {
    const Answer items = person.Get(list + "/items?limit=100");
    std::string order;
    for (std::size_t i = 0; i < items.Count("items"); ++i)
      order += (i == 0 ? "" : " ") + items.At(fmt::format("items[{}].contentId", i));
    return order;
  }

  // Puts an item into the table as somebody else might have written it.
  void PutRaw(std::initializer_list<std::pair<std::string_view, std::string_view>> texts,
              const design::Record& others = {}) {
    design::Record record = others;
    for (const auto& [name, text] : texts)
      record.SetText(name, text);
    const Status put = runtime().backend().Write(
        {.kind = design::ActionKind::kPut, .table = runtime().table(), .item = record.ToItem()});
    ASSERT_TRUE(put.ok());
  }
};

}  // namespace trestle::apps::testing
