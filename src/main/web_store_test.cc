#include "main/web_store.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace trestle {
namespace {

constexpr char kEndpoint[] = "https://db.example.org (eu-west-3)";

std::string NewFolder(const std::string& name) {
  std::string folder = testing::TempDir() + name;
  std::filesystem::remove_all(folder);
  return folder;
}

ErrorCode Refusal(const std::string& folder, const std::string& endpoint) {
  const auto opened = EndpointFolder::Open(folder, endpoint);
  EXPECT_FALSE(opened.ok());
  return opened.ok() ? ErrorCode::kInternal : opened.error().code();
}

TEST(EndpointFolder, IsOfOneEndpointAndOneProcess) {
  const std::string folder = NewFolder("endpoint/new");
  {
    const auto opened = EndpointFolder::Open(folder, kEndpoint);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    EXPECT_EQ(Refusal(folder, kEndpoint), ErrorCode::kResourceInUse);
  }
  EXPECT_TRUE(EndpointFolder::Open(folder, kEndpoint).ok());
  EXPECT_EQ(Refusal(folder, "https://db.example.org (eu-west-1)"), ErrorCode::kCorruption);
  EXPECT_TRUE(EndpointFolder::Open(folder, kEndpoint).ok());
}

TEST(EndpointFolder, OneOfSomebodyElseStaysAsItIs) {
  const std::string folder = NewFolder("endpoint/foreign");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/TRESTLE") << "trestle data format 1\n";
  EXPECT_EQ(Refusal(folder, kEndpoint), ErrorCode::kCorruption);
  EXPECT_FALSE(std::filesystem::exists(folder + "/ENDPOINT"));
}

}  // namespace
}  // namespace trestle
