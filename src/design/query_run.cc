#include "design/query_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "design/arguments.h"
#include "design/condition.h"
#include "design/fuzzy_match.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "value/item_codec.h"
#include "value/key_codec.h"

namespace trestle::design {
namespace {

using value::Type;

constexpr std::uint32_t kPageLimit = 100;
constexpr std::uint32_t kPageLimitMax = 10'000;

// An item of the page, and the bytes that it is put in order by where that is done after reading.
struct Found {
  TypedItem typed;
  std::string order = {};
};

// A page while it is made.
class QueryRun {
 public:
  QueryRun(const QueryPlace& place, const Access& access, const Query& query,
           const Record& arguments)
      : place_(place),
        access_(access),
        query_(query),
        arguments_(arguments),
        likely_(access.results.size() == 1 && AreAllTagged(place.model) ? &access.results.front()
                                                                        : nullptr) {}

  Result<TypedPage> Run(const PageOptions& options);

 private:
  using Pulled = MergedReader::Pulled;

  [[nodiscard]] Status ReadOrder(const PageOptions& options);
  void ReadNames(const PageOptions& options);
  [[nodiscard]] bool IsOrderedAfterReading() const { return query_.sort || query_.match; }
  [[nodiscard]] Result<TypedPage> ReadInKeyOrder(MergedReader& reader,
                                                 std::vector<CursorPlace> places,
                                                 std::uint32_t limit);
  [[nodiscard]] Result<TypedPage> ReadAndOrder(MergedReader& reader, std::uint32_t limit,
                                               const std::string& after);
  // The whole items behind what an index gave, in the same order; none where there is none any
  // more.
  [[nodiscard]] Result<std::vector<std::optional<value::Item>>> Hydrate(
      const std::vector<Pulled>& pulled) const;
  [[nodiscard]] bool IsOfKind(const KindReference& kind) const;
  [[nodiscard]] bool IsResult(const value::Item& item) const;
  // The item as a result; nothing when it is none.
  [[nodiscard]] std::optional<TypedItem> Accept(std::optional<value::Item> item) const;
  // Nothing when it does not match. `key` is of KeyOrder.
  [[nodiscard]] std::optional<std::string> OrderOf(const Record& record,
                                                   std::string_view key) const;
  [[nodiscard]] std::string KeyOrder(value::ItemView item) const;
  [[nodiscard]] std::string EncodeNext(std::vector<CursorPlace> places, std::string order) const {
    return EncodeCursor({.places = std::move(places), .order = std::move(order)}, scope_);
  }

  const QueryPlace& place_;
  const Access& access_;
  const Query& query_;
  const Record& arguments_;
  const KindReference* likely_;  // what nearly all items are; null: not known
  bool is_descending_ = false;
  std::string scope_;
  std::vector<std::string> names_;  // of the attributes that are read; none: all
};

Status QueryRun::ReadOrder(const PageOptions& options) {
  const bool has_order = query_.order != syntax::Order::kEither;
  is_descending_ = has_order ? query_.order == syntax::Order::kDescending
                             : options.is_descending.value_or(false);
  if (has_order && options.is_descending.value_or(is_descending_) != is_descending_)
    return ValidationError(fmt::format("{} has one order only", access_.name));
  return Ok();
}

// What is asked for, and what that, the filter and the order are made from.
void QueryRun::ReadNames(const PageOptions& options) {
  names_ = options.attributes;
  if (names_.empty()) return;
  if (query_.filter) AppendAttributes(*query_.filter, names_);
  if (query_.sort) names_.push_back(query_.sort->parts.front());
  if (query_.match) names_.push_back(query_.match->attribute.parts.front());
  const std::set<std::string> wanted(names_.begin(), names_.end());
  for (const KindReference& kind : access_.results) {
    const Entity& entity = kind.of();
    for (const Attribute& attribute : entity.attributes) {
      if (!wanted.contains(attribute.name)) continue;
      if (!attribute.was.empty()) names_.push_back(attribute.was);
      if (attribute.computed) {
        std::ranges::copy(attribute.computed->Attributes(), std::back_inserter(names_));
      }
      if (attribute.derived != Derived::kAverage) continue;
      const Path path{{}, {attribute.name}};
      names_.push_back(SumOfAverage(path).parts.front());
      names_.push_back(CountOfAverage(path).parts.front());
    }
  }
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

Result<TypedPage> QueryRun::Run(const PageOptions& options) {
  TRY(ReadOrder(options));
  ReadNames(options);
  const auto own_limit =
      query_.limit
          ? static_cast<std::uint32_t>(std::min<std::int64_t>(*query_.limit, kPageLimitMax))
          : kPageLimit;
  const std::uint32_t limit = options.limit.value_or(own_limit);
  if (limit == 0 || limit > kPageLimitMax)
    return ValidationError(fmt::format("The limit must be from 1 to {}", kPageLimitMax));

  scope_ = CursorScope(access_, arguments_, is_descending_);
  Cursor cursor;
  if (!options.cursor.empty()) cursor = TRY(DecodeCursor(options.cursor, scope_));
  QueryPlan plan =
      TRY(PlanQuery(place_.model, access_, query_,
                    {.table = place_.table,
                     .arguments = arguments_,
                     .now_unix_ms = place_.now_unix_ms,
                     .is_descending = is_descending_,
                     .attributes = query_.hydrate ? std::vector<std::string>() : names_}));
  cursor.places.resize(plan.size());
  MergedReader reader(place_.model, place_.backend, query_, std::move(plan), cursor.places,
                      options.read_budget);
  if (IsOrderedAfterReading()) return ReadAndOrder(reader, limit, cursor.order);
  return ReadInKeyOrder(reader, std::move(cursor.places), limit);
}

// One item more than the page holds is looked for, so that a last page is known to be the last.
Result<TypedPage> QueryRun::ReadInKeyOrder(MergedReader& reader, std::vector<CursorPlace> places,
                                           std::uint32_t limit) {
  TypedPage page;
  while (true) {
    const auto wanted = static_cast<std::uint32_t>(limit + 1 - page.items.size());
    std::vector<Pulled> pulled = TRY(reader.Next(wanted));
    const bool is_end = pulled.size() < wanted;

    std::vector<std::optional<value::Item>> whole;
    if (query_.hydrate) whole = TRY(Hydrate(pulled));
    // A next page begins behind the last item of each read, or behind the one before it when that
    // is the one too many.
    std::vector<bool> may_be_last(pulled.size());
    std::vector<int> later(places.size());
    for (std::size_t i = pulled.size(); i-- > 0;)
      may_be_last[i] = ++later[pulled[i].read] <= 2;

    page.items.reserve(std::min<std::size_t>(limit, page.items.size() + pulled.size()));
    for (std::size_t i = 0; i < pulled.size(); ++i) {
      value::Item& item = pulled[i].item;
      const bool is_there = !query_.hydrate || whole[i];
      if (page.items.size() == limit && is_there && IsResult(query_.hydrate ? *whole[i] : item)) {
        page.cursor = EncodeNext(std::move(places), {});
        return page;
      }
      auto start_key = may_be_last[i] ? std::optional(reader.StartKey(item.view())) : std::nullopt;
      auto typed = Accept(query_.hydrate ? std::move(whole[i]) : std::move(item));
      if (start_key) places[pulled[i].read].after = std::move(start_key);
      if (typed) page.items.push_back(*std::move(typed));
    }
    if (!is_end) continue;
    if (reader.is_budget_spent()) page.cursor = EncodeNext(reader.WithEnds(std::move(places)), {});
    return page;
  }
}

// The page behind `after` of all there is.
Result<TypedPage> QueryRun::ReadAndOrder(MergedReader& reader, std::uint32_t limit,
                                         const std::string& after) {
  std::vector<Pulled> pulled = TRY(reader.Next(kPageLimitMax));
  for (std::size_t more = pulled.size(); more == kPageLimitMax;) {
    std::vector<Pulled> next = TRY(reader.Next(kPageLimitMax));
    more = next.size();
    std::ranges::move(next, std::back_inserter(pulled));
  }
  if (reader.is_budget_spent()) {
    return Error(ErrorCode::kLimitExceeded,
                 fmt::format("{} would have to read more items than allowed to put them in order",
                             access_.name));
  }

  std::vector<Found> found;
  std::vector<std::optional<value::Item>> whole;
  if (query_.hydrate) whole = TRY(Hydrate(pulled));
  for (std::size_t i = 0; i < pulled.size(); ++i) {
    const std::string key = KeyOrder(pulled[i].item.view());
    auto typed = Accept(query_.hydrate ? std::move(whole[i]) : std::move(pulled[i].item));
    auto order = typed ? OrderOf(typed->record, key) : std::nullopt;
    if (!order) continue;
    if (!after.empty() && (is_descending_ ? *order >= after : *order <= after)) continue;
    found.push_back({*std::move(typed), *std::move(order)});
  }
  std::ranges::sort(found, [&](const Found& left, const Found& right) {
    return is_descending_ ? right.order < left.order : left.order < right.order;
  });

  TypedPage page;
  if (found.size() > limit) {
    page.cursor = EncodeNext({}, found[limit - 1].order);
    found.resize(limit);
  }
  for (Found& it : found)
    page.items.push_back(std::move(it.typed));
  return page;
}

Result<std::vector<std::optional<value::Item>>> QueryRun::Hydrate(
    const std::vector<Pulled>& pulled) const {
  const auto key_of = [&](value::ItemView item) { return KeyPart(place_.model, item); };
  std::vector<value::Item> keys;
  std::set<std::string> seen;
  for (const Pulled& it : pulled) {
    value::Item key = key_of(it.item.view());
    if (seen.insert(key.bytes()).second) keys.push_back(std::move(key));
  }
  std::vector<value::Item> read;
  if (!keys.empty()) read = TRY(place_.backend.BatchGet(place_.table, keys, query_.is_consistent));
  std::map<std::string, value::Item> whole;
  for (value::Item& item : read) {
    std::string key = std::move(key_of(item.view())).bytes();
    whole.insert_or_assign(std::move(key), std::move(item));
  }
  std::vector<std::optional<value::Item>> items;
  items.reserve(pulled.size());
  for (const Pulled& it : pulled) {
    const auto found = whole.find(key_of(it.item.view()).bytes());
    items.push_back(found == whole.end() ? std::nullopt : std::optional(found->second));
  }
  return items;
}

bool QueryRun::IsOfKind(const KindReference& kind) const {
  const auto& kinds = query_.only.empty() ? access_.results : query_.only;
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool QueryRun::IsResult(const value::Item& item) const {
  if (query_.filter) return Accept(item).has_value();
  const auto kind = FindKind(place_.model, item.view());
  return kind && IsOfKind(*kind);
}

std::optional<TypedItem> QueryRun::Accept(std::optional<value::Item> item) const {
  auto typed = item ? Recognise(place_.model, *std::move(item), names_, likely_) : std::nullopt;
  if (!typed || !IsOfKind(typed->kind)) return std::nullopt;
  if (!query_.filter) return typed;
  const ConditionScope scope{
      .attributes = typed->kind.of().attributes,
      .sources = {.now_unix_ms = place_.now_unix_ms,
                  .parameters = access_.parameters,
                  .arguments = &arguments_},
  };
  if (!Evaluate(*query_.filter, typed->record, scope)) return std::nullopt;
  return typed;
}

// Values of one type in their order, then those that are absent, in both directions; equal ones by
// their keys.
std::optional<std::string> QueryRun::OrderOf(const Record& record, std::string_view key) const {
  std::string order;
  if (query_.match) {
    const auto text = record.Find(query_.match->attribute);
    const auto typed = arguments_.FindText(query_.match->parameter.text);
    if (!text || text->type() != Type::kS || !typed) return std::nullopt;
    const auto distance = FuzzyDistance(text->text(), *typed);
    if (!distance) return std::nullopt;
    order += static_cast<char>(std::min(*distance, 127U));
  }
  const auto value =
      query_.match ? record.Find(query_.match->attribute) : record.Find(*query_.sort);
  if (!value) {
    order += is_descending_ ? '0' : '9';
  } else if (value->type() == Type::kBool) {
    order += value->boolean() ? "12" : "11";
  } else if (value->type() == Type::kS || value->type() == Type::kN || value->type() == Type::kB) {
    order += TypeName(value->type());
    value::AppendKeyComponent(order, *value);
  }
  return order.append(key);
}

std::string QueryRun::KeyOrder(value::ItemView item) const {
  std::string order;
  const Table& table = place_.model.table;
  for (const std::string* name : {&table.partition_key, &table.sort_key}) {
    const auto key = name->empty() ? std::nullopt : item.Find(*name);
    if (key) value::AppendKeyComponent(order, *key);
  }
  return order;
}

}  // namespace

Result<TypedPage> RunQuery(const QueryPlace& place, const Access& access, const Query& query,
                           const Record& arguments, const PageOptions& options) {
  return QueryRun(place, access, query, arguments).Run(options);
}

}  // namespace trestle::design
