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
  std::vector<std::string_view> names{model_.table.partition_key, model_.table.sort_key};
  if (query_.index != nullptr) {
    names.push_back(query_.index->partition_key);
    names.push_back(query_.index->sort_key);
  }
  value::ItemBuilder key;
  for (const std::string_view name : names) {
    const auto value = name.empty() ? std::nullopt : item.Find(name);
    if (value) key.Add(name, value->bytes());
  }
  return key.Finish();
}

Status MergedReader::Fill(std::size_t read, std::uint32_t wanted) {
  Source& source = sources_[read];
  while (source.buffer.empty() && !source.is_drained) {
    if (budget_ == 0) {
      is_budget_spent_ = true;
      return Ok();
    }
    ReadPage& page = plan_[read].page;
    page.exclusive_start_key = source.next;
    page.limit =
        std::min(budget_, DropsItems(query_) ? std::max(wanted, kFilteredReadMin) : wanted);
    Page answer = TRY(backend_.Read(page));
    read_units_ += answer.read_units;
    const bool is_last = !answer.last_evaluated_key;
    budget_ -=
        is_last ? std::min<std::uint32_t>(budget_, static_cast<std::uint32_t>(answer.items.size()))
                : *page.limit;

    const std::string& excluded = plan_[read].excluded_sort_key;
    const auto is_excluded = [&](const value::Item& item) {
      const auto sort_key = item.Find(SortKeyName(model_, query_));
      return sort_key && sort_key->bytes() == excluded;
    };
    for (value::Item& item : answer.items) {
      if (!excluded.empty() && is_excluded(item)) continue;
      source.buffer.push_back(std::move(item));
    }
    source.is_drained = is_last;
    source.next = std::move(answer.last_evaluated_key);
  }
  return Ok();
}

std::string_view MergedReader::OrderOf(std::size_t read) const {
  const auto key = sources_[read].buffer.front().Find(SortKeyName(model_, query_));
  if (!key) return {};
  // Numbers compare as their bytes do.
  std::string_view order = key->type() == Type::kN ? key->number() : key->text();
  const std::string& prefix = plan_[read].order_prefix;
  if (order.starts_with(prefix)) order.remove_prefix(prefix.size());
  return order;
}

bool MergedReader::ComesBefore(std::size_t left, std::size_t right) const {
  const std::string_view left_order = OrderOf(left);
  const std::string_view right_order = OrderOf(right);
  return plan_[left].page.is_forward ? left_order < right_order : right_order < left_order;
}

Result<std::optional<MergedReader::Pulled>> MergedReader::Next(std::uint32_t wanted) {
  std::optional<std::size_t> first;
  for (std::size_t read = 0; read < sources_.size(); ++read) {
    TRY(Fill(read, std::max(wanted, 1U)));
    // What comes next is not known while one of the reads cannot go on.
    if (is_budget_spent_) return std::optional<Pulled>();
    if (sources_[read].buffer.empty()) continue;
    if (!first || ComesBefore(read, *first)) first = read;
  }
  if (!first) return std::optional<Pulled>();

  Source& source = sources_[*first];
  Pulled pulled{.read = *first, .item = std::move(source.buffer.front())};
  source.buffer.pop_front();
  return std::optional(std::move(pulled));
}

std::vector<CursorPlace> MergedReader::WithEnds(std::vector<CursorPlace> places) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Source& source = sources_[i];
    if (!source.buffer.empty()) continue;
    places[i].is_at_end = source.is_drained;
    // Behind what a filter has dropped too.
    if (source.next) places[i].after = source.next;
  }
  return places;
}

}  // namespace trestle::design
