// The reading half of query_run.h; what is made of the items is in query_run.cc.

#include <algorithm>
#include <utility>

#include "design/query_run.h"
#include "value/item_codec.h"
#include "value/key_codec.h"

namespace trestle::design {
namespace {

using value::Type;

// A read that drops much of what it reads asks for more at a time.
constexpr std::uint32_t kFilteredReadMin = 100;

bool DropsItems(const Query& query) { return query.filter || !query.only.empty(); }

}  // namespace

MergedReader::MergedReader(const Model& model, Backend& backend, const Query& query, QueryPlan plan,
                           const std::vector<CursorPlace>& places, std::uint32_t read_budget)
    : model_(model),
      backend_(backend),
      query_(query),
      plan_(std::move(plan)),
      budget_(read_budget) {
  sources_.resize(plan_.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    sources_[i].is_drained = places[i].is_at_end;
    sources_[i].next = places[i].after;
  }
}

value::Item MergedReader::StartKey(value::ItemView item) const {
  const Table& table = model_.table;
  value::SortedItemWriter key;
  for (const value::AttributeView attribute : item.attributes()) {
    const std::string_view name = attribute.name;
    const bool is_key = name == table.partition_key || name == table.sort_key ||
                        (query_.index != nullptr &&
                         (name == query_.index->partition_key || name == query_.index->sort_key));
    if (is_key) key.Add(name, attribute.value.bytes());
  }
  return std::move(key).Finish();
}

Status MergedReader::Fill(std::size_t read, std::uint32_t wanted) {
  Source& source = sources_[read];
  while (source.IsEmpty() && !source.is_drained) {
    if (budget_ == 0) {
      is_budget_spent_ = true;
      return Ok();
    }
    ReadPage& page = plan_[read].page;
    page.exclusive_start_key = source.next;
    page.limit =
        std::min(budget_, DropsItems(query_) ? std::max(wanted, kFilteredReadMin) : wanted);
    Page answer = TRY(backend_.Read(page));
    const bool is_last = !answer.last_evaluated_key;
    budget_ -=
        is_last ? std::min<std::uint32_t>(budget_, static_cast<std::uint32_t>(answer.items.size()))
                : *page.limit;

    const std::string& excluded = plan_[read].excluded_sort_key;
    const auto is_excluded = [&](const value::Item& item) {
      const auto sort_key = item.Find(SortKeyName(model_, query_));
      return sort_key && sort_key->bytes() == excluded;
    };
    if (!excluded.empty()) std::erase_if(answer.items, is_excluded);
    source.buffer = std::move(answer.items);
    source.returned = 0;
    source.is_drained = is_last;
    source.next = std::move(answer.last_evaluated_key);
  }
  return Ok();
}

std::string_view MergedReader::OrderOf(std::size_t read) {
  const auto key = sources_[read].front().Find(SortKeyName(model_, query_));
  if (!key) return {};
  // Numbers compare as their bytes do.
  std::string_view order = key->type() == Type::kN ? key->number() : key->text();
  const std::string& prefix = plan_[read].order_prefix;
  if (order.starts_with(prefix)) order.remove_prefix(prefix.size());
  return order;
}

bool MergedReader::ComesBefore(std::size_t left, std::size_t right) {
  const std::string_view left_order = OrderOf(left);
  const std::string_view right_order = OrderOf(right);
  return plan_[left].page.is_forward ? left_order < right_order : right_order < left_order;
}

Result<std::optional<std::size_t>> MergedReader::FindNext(std::uint32_t wanted) {
  std::optional<std::size_t> first;
  for (std::size_t read = 0; read < sources_.size(); ++read) {
    TRY(Fill(read, wanted));
    // What comes next is not known while one of the reads cannot go on.
    if (is_budget_spent_) return std::optional<std::size_t>();
    if (sources_[read].IsEmpty()) continue;
    if (!first || ComesBefore(read, *first)) first = read;
  }
  return first;
}

Result<std::vector<MergedReader::Pulled>> MergedReader::Next(std::uint32_t wanted) {
  std::vector<Pulled> pulled;
  while (pulled.size() < wanted) {
    const auto first = TRY(FindNext(wanted - static_cast<std::uint32_t>(pulled.size())));
    if (!first) break;
    Source& source = sources_[*first];
    if (pulled.empty()) pulled.reserve(std::min<std::size_t>(wanted, source.buffer.size()));
    do {
      pulled.push_back({.read = *first, .item = std::move(source.front())});
      ++source.returned;
    } while (sources_.size() == 1 && !source.IsEmpty() && pulled.size() < wanted);
  }
  return pulled;
}

std::vector<CursorPlace> MergedReader::WithEnds(std::vector<CursorPlace> places) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Source& source = sources_[i];
    if (!source.IsEmpty()) continue;
    places[i].is_at_end = source.is_drained;
    // Behind what a filter has dropped too.
    if (source.next) places[i].after = source.next;
  }
  return places;
}

}  // namespace trestle::design
