#include "studio/counting_backend.h"

#include <algorithm>

namespace trestle::studio {
namespace {

Error ReadsOnly() { return ValidationError("an access that is measured may only read"); }

}  // namespace

Result<std::optional<value::Item>> CountingBackend::Get(const design::ReadItem& read) {
  ++requests_;
  auto item = inner().Get(read);
  if (!item.ok()) return item;
  items_read_ += item->has_value() ? 1 : 0;
  return item;
}

Result<std::vector<value::Item>> CountingBackend::BatchGet(const std::string& table,
                                                           std::span<const value::Item> keys,
                                                           bool is_consistent) {
  ++requests_;
  auto items = inner().BatchGet(table, keys, is_consistent);
  if (!items.ok()) return items;
  items_read_ += items->size();
  return items;
}

Result<design::Page> CountingBackend::Read(const design::ReadPage& read) {
  ++requests_;
  auto page = inner().Read(read);
  if (!page.ok()) return page;
  items_read_ += std::max<std::uint64_t>(page->read_count, page->items.size());
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
