#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/backend.h"

namespace trestle::studio {

// A back end that lets reads through to another and counts them. Writes are refused: nobody who
// looks at what an access costs shall change anything. One thread.
class CountingBackend final : public design::Backend {
 public:
  explicit CountingBackend(design::Backend& inner) : inner_(inner) {}

  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t items_read() const { return items_read_; }
  [[nodiscard]] double read_units() const { return read_units_; }

  [[nodiscard]] design::BackendFeatures features() const override { return inner_.features(); }
  [[nodiscard]] Result<std::optional<value::Item>> Get(const design::ReadItem& read) override;
  [[nodiscard]] Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                                          std::span<const value::Item> keys,
                                                          bool is_consistent) override;
  [[nodiscard]] Result<design::Page> Read(const design::ReadPage& read) override;
  [[nodiscard]] Status Write(const design::WriteItem& write) override;
  [[nodiscard]] Status Transact(std::span<const design::WriteItem> writes,
                                const std::string& token) override;
  [[nodiscard]] Status BatchWrite(std::span<const design::WriteItem> writes) override;
  [[nodiscard]] Result<design::TableSettings> DescribeTable(const std::string& table) override;
  [[nodiscard]] Status CreateTable(const design::TableSettings& settings) override;
  [[nodiscard]] Status UpdateTable(const design::TableSettings& settings) override;
  [[nodiscard]] Status DeleteTable(const std::string& table) override;
  [[nodiscard]] Result<std::unique_ptr<design::ChangeReader>> Follow(
      const std::string& table, const std::string& position) override;
  [[nodiscard]] Result<std::string> CurrentPosition(const std::string& table) override;

 private:
  design::Backend& inner_;
  std::uint64_t requests_ = 0;
  std::uint64_t items_read_ = 0;
  double read_units_ = 0;
};

}  // namespace trestle::studio
