#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "design/backend.h"

namespace trestle::apps::testing {

// A back end that passes everything on, and counts what apps must not do: Scan.
class WatchingBackend final : public design::Backend {
 public:
  explicit WatchingBackend(design::Backend& inner) : inner_(inner) {}

  [[nodiscard]] std::uint64_t scans() const { return scans_; }

  [[nodiscard]] design::BackendFeatures features() const override { return inner_.features(); }
  Result<std::optional<value::Item>> Get(const design::ReadItem& read) override {
    return inner_.Get(read);
  }
  Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                            std::span<const value::Item> keys,
                                            bool is_consistent) override {
    return inner_.BatchGet(table, keys, is_consistent);
  }
  Result<design::Page> Read(const design::ReadPage& read) override {
    if (read.key_condition.empty()) ++scans_;
    return inner_.Read(read);
  }
  Status Write(const design::WriteItem& write) override { return inner_.Write(write); }
  Status Transact(std::span<const design::WriteItem> writes, const std::string& token) override {
    return inner_.Transact(writes, token);
  }
  Status BatchWrite(std::span<const design::WriteItem> writes) override {
    return inner_.BatchWrite(writes);
  }
  Result<design::TableSettings> DescribeTable(const std::string& table) override {
    return inner_.DescribeTable(table);
  }
  Status CreateTable(const design::TableSettings& settings) override {
    return inner_.CreateTable(settings);
  }
  Status UpdateTable(const design::TableSettings& settings) override {
    return inner_.UpdateTable(settings);
  }
  Status DeleteTable(const std::string& table) override { return inner_.DeleteTable(table); }
  Result<std::unique_ptr<design::ChangeReader>> Follow(const std::string& table,
                                                       const std::string& position) override {
    return inner_.Follow(table, position);
  }
  Result<std::string> CurrentPosition(const std::string& table) override {
    return inner_.CurrentPosition(table);
  }

 private:
  design::Backend& inner_;
  std::atomic<std::uint64_t> scans_ = 0;
};

}  // namespace trestle::apps::testing
