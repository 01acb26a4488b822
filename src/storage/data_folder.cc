#include "storage/data_folder.h"

#include <cerrno>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/bytes.h"

namespace trestle::storage {
namespace {

constexpr std::string_view kMarkerName = "TRESTLE";
constexpr std::string_view kSyncedName = "SYNCED";
constexpr std::string_view kMarkerOfNew = "trestle data format 1, being made\n";
constexpr std::string_view kMarker = "trestle data format 1\n";

Error FileError(std::string_view action, const std::string& file) {
  return {ErrorCode::kInternal,
          fmt::format("cannot {} {}: {}", action, file, std::generic_category().message(errno))};
}

// A folder without our marker must be empty, or it is somebody else's.
Status CheckNotForeign(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    return CorruptionError(
        fmt::format("{} is not a Trestle data folder: it holds {}, and no file {}. Choose another "
                    "folder with --data.",
                    folder, entry.path().filename().string(), kMarkerName));
  }
  if (error)
    return Error(ErrorCode::kInternal, fmt::format("cannot read {}: {}", folder, error.message()));
  return Ok();
}

Status WriteWhole(int fd, std::string_view text, const std::string& file) {
  const bool is_written =
      ::ftruncate(fd, 0) == 0 &&
      ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) &&
      ::fsync(fd) == 0;
  if (!is_written) return FileError("write", file);
  return Ok();
}

std::string ReadWhole(int fd) {
  char buffer[256];
  const ssize_t size = ::pread(fd, buffer, sizeof(buffer), 0);
  return size > 0 ? std::string(buffer, static_cast<std::size_t>(size)) : std::string();
}

Status SyncFolder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_synced = fd >= 0 && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  if (!is_synced) return FileError("sync", folder);
  return Ok();
}

}  // namespace

Result<DataFolder> DataFolder::Open(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Error(ErrorCode::kInternal, fmt::format("cannot make {}: {}", folder, error.message()));
  }
  const std::string marker = fmt::format("{}/{}", folder, kMarkerName);
  const bool has_marker = std::filesystem::exists(marker, error);
  if (!has_marker) TRY(CheckNotForeign(folder));

  const int marker_fd = ::open(marker.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (marker_fd < 0) return FileError("open", marker);
  DataFolder opened(folder, marker_fd, -1, !has_marker);
  if (::flock(marker_fd, LOCK_EX | LOCK_NB) != 0) {
    return Error(ErrorCode::kResourceInUse,
                 fmt::format("{} is in use by another process. Stop that one first, or choose "
                             "another folder with --data.",
                             folder));
  }

  const std::string text = ReadWhole(marker_fd);
  opened.is_new_ = text.empty() || text == kMarkerOfNew;
  if (text.empty()) {
    TRY(WriteWhole(marker_fd, kMarkerOfNew, marker));
    TRY(SyncFolder(folder));
  } else if (text != kMarker && text != kMarkerOfNew) {
    return CorruptionError(
        fmt::format("{} says \"{}\", which this version does not know. Open the folder with the "
                    "version that made it.",
                    marker, text.substr(0, text.find('\n'))));
  }

  const std::string synced = fmt::format("{}/{}", folder, kSyncedName);
  opened.synced_fd_ = ::open(synced.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (opened.synced_fd_ < 0) return FileError("open", synced);
  return opened;
}

DataFolder::DataFolder(std::string folder, int marker_fd, int synced_fd, bool is_new)
    : folder_(std::move(folder)), marker_fd_(marker_fd), synced_fd_(synced_fd), is_new_(is_new) {}

DataFolder::DataFolder(DataFolder&& other) noexcept
    : folder_(std::move(other.folder_)),
      marker_fd_(std::exchange(other.marker_fd_, -1)),
      synced_fd_(std::exchange(other.synced_fd_, -1)),
      is_new_(other.is_new_) {}

DataFolder::~DataFolder() {
  if (synced_fd_ >= 0) ::close(synced_fd_);
  if (marker_fd_ >= 0) ::close(marker_fd_);
}

Status DataFolder::FinishCreation() {
  if (!is_new_) return Ok();
  TRY(WriteWhole(marker_fd_, kMarker, fmt::format("{}/{}", folder_, kMarkerName)));
  is_new_ = false;
  return Ok();
}

void DataFolder::NoteSynced(std::uint64_t sequence) const {
  std::string bytes;
  AppendU64Be(bytes, sequence);
  // A note that cannot be written only makes a later check weaker; the write itself is safe.
  [[maybe_unused]] const ssize_t written = ::pwrite(synced_fd_, bytes.data(), bytes.size(), 0);
}

std::uint64_t DataFolder::FreeBytes() const {
  struct statvfs disk {};
  if (::fstatvfs(marker_fd_, &disk) != 0) return std::numeric_limits<std::uint64_t>::max();
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

Status DataFolder::CheckRecovered(std::uint64_t sequence) const {
  const std::string bytes = ReadWhole(synced_fd_);
  if (bytes.size() < 8 || ReadU64Be(bytes) <= sequence) return Ok();
  return CorruptionError(
      fmt::format("{}: its log is damaged: {} changes that were on disk are gone. Restore the "
                  "folder from a copy, or delete {}/{} to go on without them.",
                  folder_, ReadU64Be(bytes) - sequence, folder_, kSyncedName));
}

}  // namespace trestle::storage
