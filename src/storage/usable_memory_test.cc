#include "storage/usable_memory.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace trestle::storage {
namespace {

TEST(UsableMemory, IsTheMachinesOrWhatAContainerMayUse) {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("memory-" + std::to_string(::getpid()))).string();
  std::filesystem::create_directory(folder);
  const std::array<std::string, 2> files = {folder + "/v2", folder + "/v1"};
  const auto usable = [&](const std::string& version_2, const std::string& version_1) {
    std::ofstream(files[0]) << version_2;
    std::ofstream(files[1]) << version_1;
    return UsableMemoryBytes(1000, files);
  };
  EXPECT_EQ(UsableMemoryBytes(1000, files), 1000) << "no such files";
  EXPECT_EQ(usable("max\n", ""), 1000);
  EXPECT_EQ(usable("500\n", ""), 500);
  EXPECT_EQ(usable("", "400\n"), 400);
  EXPECT_EQ(usable("500\n", "400\n"), 400);
  EXPECT_EQ(usable("", "9223372036854771712\n"), 1000) << "no limit, in version 1";
  EXPECT_EQ(usable("2000\n", ""), 1000) << "more than there is";
  std::filesystem::remove_all(folder);
  EXPECT_GT(UsableMemoryBytes(), 1U << 20U);
}

}  // namespace
}  // namespace trestle::storage
