#include "studio/counting_backend.h"

#include <algorithm>

#include "engine/capacity.h"

namespace trestle::studio {
namespace {

Error ReadsOnly() { return ValidationError("an access that is measured may only read"); }

double UnitsOf(std::uint64_t size_bytes, bool is_consistent) {
  return engine::ReadUnits(
      size_bytes, is_consistent ? engine::Consistency::kStrong : engine::Consistency::kEventual);
}

}  // namespace

Result<std::optional<value::Item>> CountingBackend::Get(const design::ReadItem& read) {
  ++requests_;
  auto item = inner().Get(read);
  if (!item.ok()) return item;
  items_read_ += item->has_value() ? 1 : 0;
  read_units_ += UnitsOf(*item ? (*item)->view().size_bytes() : 0, read.is_consistent);
  return item;
}

Result<std::vector<value::Item>> CountingBackend::BatchGet(const std::string& table,
                                                           std::span<const value::Item> keys,
                                                           bool is_consistent) {
  ++requests_;
  auto items = inner().BatchGet(table, keys, is_consistent);
  if (!items.ok()) return items;
  items_read_ += items->size();
  for (const value::Item& item : *items)
    read_units_ += UnitsOf(item.view().size_bytes(), is_consistent);
  return items;
}

Result<design::Page> CountingBackend::Read(const design::ReadPage& read) {
  ++requests_;
  auto page = inner().Read(read);
  if (!page.ok()) return page;
  items_read_ += std::max<std::uint64_t>(page->read_count, page->items.size());
  read_units_ += page->read_units;
  return page;
}

Status CountingBackend::Write(const design::WriteItem& /*write*/) { return ReadsOnly(); }

Status CountingBackend::Transact(std::span<const design::WriteItem> /*writes*/,
                                 const std::string& /*token*/) {
  return ReadsOnly();
}

Status CountingBackend::BatchWrite(std::span<const design::WriteItem> /*writes*/) {
  return ReadsOnly();
}

Status CountingBackend::CreateTable(const design::TableSettings& /*settings*/) {
  return ReadsOnly();
}

Status CountingBackend::UpdateTable(const design::TableSettings& /*settings*/) {
  return ReadsOnly();
}

Status CountingBackend::DeleteTable(const std::string& /*table*/) { return ReadsOnly(); }

}  // namespace trestle::studio
