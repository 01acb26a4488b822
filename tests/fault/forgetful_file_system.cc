#include "forgetful_file_system.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/check.h"

namespace trestle::fault {
namespace {

// Lines of the journal: "new FILE", "named FOLDER", "end SIZE FILE", "gone FILE".
class Journal {
 public:
  explicit Journal(const std::string& file)
      : fd_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600)) {
    CHECK(fd_ >= 0, "the journal opens");
  }
  ~Journal() { ::close(fd_); }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void Note(std::string line) const {
    line.push_back('\n');
    CHECK(::write(fd_, line.data(), line.size()) == static_cast<ssize_t>(line.size()), "noted");
  }

 private:
  int fd_;
};

class ForgetfulFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ForgetfulFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::string name,
                const Journal& journal, std::uint64_t seed)
      : FSWritableFileOwnerWrapper(std::move(file)),
        name_(std::move(name)),
        journal_(journal),
        random_(seed) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    pending_.append(data.data(), data.size());
    if (random_() % 4 != 0) return rocksdb::IOStatus::OK();
    return PassOn(random_() % (pending_.size() + 1), options, debug);
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& /*info*/,
                           rocksdb::IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  rocksdb::IOStatus Flush(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus RangeSync(std::uint64_t, std::uint64_t, const rocksdb::IOOptions&,
                              rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  // The page cache survives a kill, so a synced file need not really be on the disk.
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = PassOn(pending_.size(), options, debug);
    if (status.ok()) synced_size_ = passed_size_;
    return status;
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override {
    return Sync(options, debug);
  }
  rocksdb::IOStatus Close(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override {
    if (!pending_.empty()) {
      journal_.Note("end " + std::to_string(synced_size_) + " " + name_);
      rocksdb::IOStatus status = PassOn(pending_.size(), options, debug);
      if (!status.ok()) return status;
    }
    return FSWritableFileOwnerWrapper::Close(options, debug);
  }
  std::uint64_t GetFileSize(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return passed_size_ + pending_.size();
  }
  bool IsSyncThreadSafe() const override { return false; }

 private:
  rocksdb::IOStatus PassOn(std::size_t size, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) {
    if (size == 0) return rocksdb::IOStatus::OK();
    const rocksdb::IOStatus status =
        FSWritableFileOwnerWrapper::Append(rocksdb::Slice(pending_.data(), size), options, debug);
    if (!status.ok()) return status;
    pending_.erase(0, size);
    passed_size_ += size;
    return FSWritableFileOwnerWrapper::Flush(options, debug);
  }

  const std::string name_;
  const Journal& journal_;
  std::mt19937_64 random_;
  std::string pending_;
  std::uint64_t passed_size_ = 0;
  std::uint64_t synced_size_ = 0;
};

class ForgetfulDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  ForgetfulDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, std::string name,
                     const Journal& journal)
      : FSDirectoryWrapper(std::move(directory)), name_(std::move(name)), journal_(journal) {}

  rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    journal_.Note("named " + name_);
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus FsyncWithDirOptions(const rocksdb::IOOptions& options,
                                        rocksdb::IODebugContext* debug,
                                        const rocksdb::DirFsyncOptions&) override {
    return Fsync(options, debug);
  }

 private:
  const std::string name_;
  const Journal& journal_;
};

class ForgetfulFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  ForgetfulFileSystem(const std::string& journal, std::uint64_t seed)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), journal_(journal), random_(seed) {}

  const char* Name() const override { return "ForgetfulFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::FileOptions plain = options;
    plain.use_direct_writes = false;
    plain.use_mmap_writes = false;
    std::unique_ptr<rocksdb::FSWritableFile> file;
    const bool is_new = !std::filesystem::exists(name);
    rocksdb::IOStatus status = FileSystemWrapper::NewWritableFile(name, plain, &file, debug);
    if (!status.ok()) return status;
    if (is_new) journal_.Note("new " + name);
    *result = std::make_unique<ForgetfulFile>(std::move(file), name, journal_, Seed());
    return status;
  }

  rocksdb::IOStatus NewDirectory(const std::string& name, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    rocksdb::IOStatus status = FileSystemWrapper::NewDirectory(name, options, &directory, debug);
    if (status.ok()) {
      *result = std::make_unique<ForgetfulDirectory>(std::move(directory), name, journal_);
    }
    return status;
  }

  // A journaling file system keeps changes of a folder in order: with a rename, which is atomic,
  // all earlier names of the folder are there.
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    journal_.Note("gone " + from);
    journal_.Note("named " + std::filesystem::path(to).parent_path().string());
    return FileSystemWrapper::RenameFile(from, to, options, debug);
  }
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    journal_.Note("gone " + name);
    return FileSystemWrapper::DeleteFile(name, options, debug);
  }

 private:
  std::uint64_t Seed() {
    const std::lock_guard lock(mutex_);
    return random_();
  }

  const Journal journal_;
  std::mutex mutex_;
  std::mt19937_64 random_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewForgetfulFileSystem(std::string journal,
                                                            std::uint64_t seed) {
  return std::make_shared<ForgetfulFileSystem>(journal, seed);
}

int ForgetUnsynced(const std::string& journal) {
  std::set<std::string> unnamed;
  std::map<std::string, std::uint64_t> ends;
  std::ifstream lines(journal);
  std::string word;
  while (lines >> word) {
    std::uint64_t size = 0;
    if (word == "end") lines >> size;
    std::string name;
    lines >> std::ws;
    std::getline(lines, name);
    if (word == "new") unnamed.insert(name);
    if (word == "end") ends[name] = size;
    if (word == "gone") {
      unnamed.erase(name);
      ends.erase(name);
    }
    if (word == "named") {
      std::erase_if(unnamed, [&](const std::string& file) {
        return std::filesystem::path(file).parent_path() == std::filesystem::path(name);
      });
    }
  }
  int changed = 0;
  for (const std::string& file : unnamed)
    changed += std::filesystem::remove(file) ? 1 : 0;
  for (const auto& [file, size] : ends) {
    if (!std::filesystem::exists(file) || std::filesystem::file_size(file) <= size) continue;
    std::filesystem::resize_file(file, size);
    ++changed;
  }
  return changed;
}

}  // namespace trestle::fault
