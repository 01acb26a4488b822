#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/app_fixture.h"
#include "apps/apps.h"

namespace trestle::apps::testing {

inline constexpr std::int64_t kHourMs = 3600LL * 1000;
inline constexpr std::int64_t kDayMs = 24 * kHourMs;

// The Story Hub with stories and branches in it.
class StoriesFixture : public AppFixture {
 protected:
  StoriesFixture() { Use(Stories()); }

  static std::string StoryBody(std::string_view title, std::string_view more = {}) {
    return fmt::format(R"({{"title": "{}", "synopsis": "{}", "genre": "Fantasy", {}
                            "firstChapter": {{"title": "Opening", "content": "{}"}}}})",
                       title, std::string(60, 's'), more.empty() ? R"("ageRating": "PG",)" : more,
                       std::string(500, 'c'));
  }

  // Its path.
  std::string AddStory(std::string_view sub, std::string_view title, std::string_view more = {}) {
    const Answer answer = As(sub).Post("/stories", StoryBody(title, more));
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/stories/" + answer.At("storyId");
  }
  std::string Publish(std::string_view sub, std::string_view title, std::string_view more = {}) {
    const std::string path = AddStory(sub, title, more);
    EXPECT_EQ(As(sub).Post(path + "/publish").status, 200);
    return path;
  }
  std::string RootOf(std::string_view sub, const std::string& story) {
    return story + "/chapters/" + As(sub).Get(story).At("rootNodeId");
  }
  static std::string BranchBody(std::string_view title) {
    return fmt::format(R"({{"title": "{}", "content": "{}"}})", title, std::string(500, 'b'));
  }
  // Its path.
  std::string AddBranch(std::string_view sub, const std::string& story, const std::string& parent,
                        std::string_view title) {
    const Answer answer = As(sub).Post(parent + "/branches", BranchBody(title));
    EXPECT_EQ(answer.status, 201) << answer.body;
    return story + "/chapters/" + answer.At("nodeId");
  }
  static std::string IdOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }
  static std::string All(const Answer& answer, std::string_view member) {
    std::string all;
    for (std::size_t i = 0; i < answer.Count("items"); ++i)
      all += answer.At(fmt::format("items[{}].{}", i, member)) + " ";
    return all;
  }
  std::string NotificationTypes(std::string_view sub) {
    return All(As(sub).Get("/me/notifications"), "type");
  }
};

}  // namespace trestle::apps::testing
