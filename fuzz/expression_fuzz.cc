// Any bytes, parsed as every kind of expression: nothing fails but with an error, what is accepted
// can be applied to an item, and makes well-formed items.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::expr {
namespace {

using Texts = Placeholders::Entries;

std::string String(std::string_view text) {
  std::string out;
  value::AppendString(out, text);
  return out;
}

std::string Number(std::int64_t integer) {
  std::string out;
  value::AppendNumber(out, value::Number::FromInteger(integer));
  return out;
}

std::string StringSet(std::vector<std::string_view> elements) {
  std::string out;
  value::AppendStringSet(out, value::Type::kSs, std::move(elements));
  return out;
}

std::string List(std::string_view first, std::string_view second) {
  std::string out;
  const std::size_t place = value::BeginContainer(out, value::Type::kL);
  out.append(first).append(second);
  value::EndContainer(out, place, 2);
  return out;
}

std::string Map(std::string_view name, std::string_view value) {
  std::string out;
  value::ItemBuilder builder;
  builder.Add(name, value);
  builder.AppendMapTo(out);
  return out;
}

Placeholders SamplePlaceholders() {
  std::string flag;
  value::AppendBool(flag, true);
  return {Texts{{"#a", "a"}, {"#m", "m"}}, Texts{{":s", String("x")},
                                                 {":t", String("S")},
                                                 {":n", Number(1)},
                                                 {":l", List(Number(1), String("y"))},
                                                 {":m", Map("k", Number(2))},
                                                 {":e", StringSet({"p", "q"})},
                                                 {":f", flag}}};
}

value::Item SampleItem() {
  const std::string a = String("xyz");
  const std::string n = Number(5);
  const std::string e = StringSet({"p"});
  const std::string l = List(Map("k", Number(1)), List(Number(2), Number(3)));
  const std::string m = Map("k", Map("k", List(a, n)));
  value::ItemBuilder builder;
  for (const auto& [name, value] : {std::pair<const char*, const std::string*>{"a", &a},
                                    {"n", &n},
                                    {"e", &e},
                                    {"l", &l},
                                    {"m", &m}}) {
    builder.Add(name, *value);
  }
  return builder.Finish();
}

void CheckWellFormed(const value::Item& item) {
  CHECK(value::CheckItem(item.bytes()).ok(), "an expression makes well-formed items");
}

void TryCondition(std::string_view text, value::ItemView item) {
  Placeholders placeholders = SamplePlaceholders();
  const auto condition = Condition::Parse(ConditionKind::kFilter, text, placeholders);
  if (!condition.ok()) return;
  static_cast<void>(condition->Matches(item));
  static_cast<void>(condition->Matches(std::nullopt));
  CHECK(!condition->Fingerprint().empty(), "a condition has tests");
  // A condition and its opposite never agree. One more NOT may be one operator too many.
  Placeholders again = SamplePlaceholders();
  const std::string opposite_text = "NOT (" + std::string(text) + ")";
  const auto opposite = Condition::Parse(ConditionKind::kFilter, opposite_text, again);
  if (!opposite.ok()) return;
  CHECK(opposite->Matches(item) != condition->Matches(item), "NOT turns the answer around");
}

void TryUpdate(std::string_view text, value::ItemView item) {
  Placeholders placeholders = SamplePlaceholders();
  const auto update = Update::Parse(text, placeholders);
  if (!update.ok()) return;
  CHECK(!update->targets().empty(), "an update has actions");
  if (const auto updated = update->Apply(item, item); updated.ok()) CheckWellFormed(*updated);
  const value::Item bare;
  if (const auto made = update->Apply(std::nullopt, bare.view()); made.ok()) {
    CheckWellFormed(*made);
  }
}

void TryProjection(std::string_view text, value::ItemView item) {
  Placeholders placeholders = SamplePlaceholders();
  const auto projection = Projection::Parse(text, placeholders);
  if (projection.ok()) CheckWellFormed(projection->Apply(item));
}

}  // namespace
}  // namespace trestle::expr

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const trestle::value::Item item = trestle::expr::SampleItem();
  trestle::expr::TryCondition(text, item.view());
  trestle::expr::TryUpdate(text, item.view());
  trestle::expr::TryProjection(text, item.view());
  trestle::expr::Placeholders placeholders = trestle::expr::SamplePlaceholders();
  static_cast<void>(trestle::expr::KeyCondition::Parse(text, placeholders));
  return 0;
}
