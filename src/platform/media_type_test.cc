#include "platform/media_type.h"

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

TEST(Accepts, FollowsTheMostExactRange) {
  for (const std::string_view accept :
       {"application/json", "*/*", "application/*", "text/html, */*;q=0.1", "APPLICATION/JSON",
        "application/json;q=0.001", "*/*;q=0, application/json", "text/html,application/json ; q=1",
        "application/json;charset=utf-8"}) {
    EXPECT_TRUE(Accepts(accept, "application/json")) << accept;
  }
  for (const std::string_view accept :
       {"", "text/html", "application/xml", "application/json;q=0", "*/*, application/json;q=0.0",
        "application/*;q=0, */*", "json", "application/jsonx", "app/*"}) {
    EXPECT_FALSE(Accepts(accept, "application/json")) << accept;
  }
}

TEST(IsMediaType, TakesUtf8Only) {
  for (const std::string_view type :
       {"application/json", "Application/JSON; charset=UTF-8", "application/json;charset=\"utf-8\"",
        "application/json; v=1"}) {
    EXPECT_TRUE(IsMediaType(type, "application/json")) << type;
  }
  for (const std::string_view type : {"", "text/plain", "application/json; charset=latin1",
                                      "application/jsonp", "application/merge-patch+json"}) {
    EXPECT_FALSE(IsMediaType(type, "application/json")) << type;
  }
}

}  // namespace
}  // namespace trestle::platform
