#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <rocksdb/file_system.h>

namespace trestle::fault {

// The real file system, except that bytes reach a file only when it is synced, and a new file's
// name only when its folder is. A process that is killed on it leaves what a power cut would leave.
// Now and then some unsynced bytes do reach the file, as an operating system may decide, so that
// the last record is torn.
//
// What is not durable yet although the files show it is noted in `journal`; ForgetUnsynced
// takes it back after the kill.
[[nodiscard]] std::shared_ptr<rocksdb::FileSystem> NewForgetfulFileSystem(std::string journal,
                                                                          std::uint64_t seed);

// Removes files whose names were not synced, and the unsynced ends of closed files. Returns how
// many files it changed.
int ForgetUnsynced(const std::string& journal);

}  // namespace trestle::fault
