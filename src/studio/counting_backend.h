#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/passing_backend.h"

namespace trestle::studio {

// A back end that lets reads through to another and counts them. Writes are refused: nobody who
// looks at what an access costs shall change anything. One thread.
class CountingBackend final : public design::PassingBackend {
 public:
  using PassingBackend::PassingBackend;

  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t items_read() const { return items_read_; }

  [[nodiscard]] Result<std::optional<value::Item>> Get(const design::ReadItem& read) override;
  [[nodiscard]] Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                                          std::span<const value::Item> keys,
                                                          bool is_consistent) override;
  [[nodiscard]] Result<design::Page> Read(const design::ReadPage& read) override;
  [[nodiscard]] Status Write(const design::WriteItem& write) override;
  [[nodiscard]] Status Transact(std::span<const design::WriteItem> writes,
                                const std::string& token) override;
  [[nodiscard]] Status BatchWrite(std::span<const design::WriteItem> writes) override;
  [[nodiscard]] Status CreateTable(const design::TableSettings& settings) override;
  [[nodiscard]] Status UpdateTable(const design::TableSettings& settings) override;
  [[nodiscard]] Status DeleteTable(const std::string& table) override;

 private:
  std::uint64_t requests_ = 0;
  std::uint64_t items_read_ = 0;
};

}  // namespace trestle::studio
