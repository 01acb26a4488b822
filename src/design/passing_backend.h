#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/backend.h"

namespace trestle::design {

// Passes everything on, for who looks at some of it.
class PassingBackend : public Backend {
 public:
  explicit PassingBackend(Backend& inner) : inner_(inner) {}  // which must outlive it

  [[nodiscard]] BackendFeatures features() const override { return inner_.features(); }
  Result<std::optional<value::Item>> Get(const ReadItem& read) override { return inner_.Get(read); }
  Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                            std::span<const value::Item> keys,
                                            bool is_consistent) override {
    return inner_.BatchGet(table, keys, is_consistent);
  }
  Result<Page> Read(const ReadPage& read) override { return inner_.Read(read); }
  Status Write(const WriteItem& write) override { return inner_.Write(write); }
  Status Transact(std::span<const WriteItem> writes, const std::string& token) override {
    return inner_.Transact(writes, token);
  }
  Status BatchWrite(std::span<const WriteItem> writes) override {
    return inner_.BatchWrite(writes);
  }
  Result<TableSettings> DescribeTable(const std::string& table) override {
    return inner_.DescribeTable(table);
  }
  Status CreateTable(const TableSettings& settings) override {
    return inner_.CreateTable(settings);
  }
  Status UpdateTable(const TableSettings& settings) override {
    return inner_.UpdateTable(settings);
  }
  Status DeleteTable(const std::string& table) override { return inner_.DeleteTable(table); }
  Result<std::unique_ptr<ChangeReader>> Follow(const std::string& table,
                                               const std::string& position) override {
    return inner_.Follow(table, position);
  }
  Result<std::string> CurrentPosition(const std::string& table) override {
    return inner_.CurrentPosition(table);
  }

 protected:
  [[nodiscard]] Backend& inner() const { return inner_; }

 private:
  Backend& inner_;
};

}  // namespace trestle::design
