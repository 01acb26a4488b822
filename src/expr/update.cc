#include "expr/update.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "expr/ast.h"
#include "expr/bind.h"
#include "expr/fingerprint.h"
#include "expr/parser.h"
#include "value/document.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::expr {
namespace {

using value::DocumentPath;
using value::ItemView;
using value::Type;
using value::ValueView;

Error MissingAttribute() {
  return ValidationError(
      "The provided expression refers to an attribute that does not exist in the item");
}

Error InvalidPath() {
  return ValidationError(
      "The document path provided in the update expression is invalid for update");
}

Error WrongType() {
  return ValidationError("An operand in the update expression has an incorrect data type");
}

// What ADD and DELETE change must be of the constant's type, or absent.
Status CheckChangedType(const UpdateClauses& clauses, std::optional<ValueView> old,
                        const std::string& constant) {
  if (!old || old->type() == ValueView(constant).type()) return Ok();
  if (!clauses.is_attribute_updates) return WrongType();
  return ValidationError("Type mismatch for attribute to update");
}

// The bytes are of a stored value, so they are a number.
value::Number NumberOf(ValueView value) {
  std::string_view bytes = value.number();
  return *value::Number::Take(bytes);
}

Result<std::string> AddNumbers(ValueView left, ValueView right) {
  std::string sum;
  value::AppendNumber(sum, TRY(value::Add(NumberOf(left), NumberOf(right))));
  return sum;
}

Result<std::string> SubtractNumbers(ValueView left, ValueView right) {
  std::string difference;
  value::AppendNumber(difference, TRY(value::Subtract(NumberOf(left), NumberOf(right))));
  return difference;
}

std::string AppendLists(ValueView left, ValueView right) {
  std::string list;
  list.reserve(left.bytes().size() + right.bytes().size());
  const std::size_t place = value::BeginContainer(list, Type::kL);
  list += left.contents();
  list += right.contents();
  value::EndContainer(list, place, left.count() + right.count());
  return list;
}

std::vector<std::string_view> ElementsOf(ValueView set) {
  std::vector<std::string_view> elements;
  elements.reserve(set.count());
  std::string_view rest = set.contents();
  while (!rest.empty())
    elements.push_back(value::TakeElement(rest, set.type()));
  return elements;
}

// A set's elements are in order in its bytes, so `elements` are.
std::string SetOf(Type type, const std::vector<std::string_view>& elements) {
  std::string set;
  const std::size_t place = value::BeginContainer(set, type);
  for (const std::string_view element : elements) {
    if (type == Type::kNs) {
      set.push_back(static_cast<char>(element.size()));
    } else {
      AppendVarint(set, element.size());
    }
    set += element;
  }
  value::EndContainer(set, place, static_cast<std::uint32_t>(elements.size()));
  return set;
}

std::string Union(ValueView left, ValueView right) {
  std::vector<std::string_view> elements;
  std::ranges::set_union(ElementsOf(left), ElementsOf(right), std::back_inserter(elements));
  return SetOf(left.type(), elements);
}

// The set without the elements of `removed`; empty bytes when nothing is left.
std::string Difference(ValueView set, ValueView removed) {
  std::vector<std::string_view> elements;
  std::ranges::set_difference(ElementsOf(set), ElementsOf(removed), std::back_inserter(elements));
  return elements.empty() ? std::string() : SetOf(set.type(), elements);
}

// Computes the right-hand side of one SET action from the old item. A step that fails fails the
// action only if its result is used: if_not_exists does not look at its second operand when the
// first one exists.
class Calculator {
 public:
  explicit Calculator(const std::optional<ItemView>& old_item) : old_item_(old_item) {}

  Result<std::string> Calculate(std::span<const UpdateStep> steps);

 private:
  // A value somewhere else, a value made here, or why there is none.
  struct Slot {
    std::string_view view;
    std::string made;
    std::optional<Error> error;

    [[nodiscard]] ValueView value() const { return ValueView(made.empty() ? view : made); }
  };

  Slot Read(const DocumentPath& path) const;
  static Slot Combine(UpdateStep::Kind kind, const Slot& first, const Slot& second);
  static Slot Failed(Error error) { return {.view = {}, .made = {}, .error = std::move(error)}; }

  const std::optional<ItemView>& old_item_;
  std::vector<Slot> slots_;
};

Result<std::string> Calculator::Calculate(std::span<const UpdateStep> steps) {
  if (steps.size() == 1 && steps[0].kind == UpdateStep::Kind::kValue) return steps[0].value;
  for (const UpdateStep& step : steps) {
    switch (step.kind) {
      case UpdateStep::Kind::kPath:
        slots_.push_back(Read(step.path));
        break;
      case UpdateStep::Kind::kValue:
        slots_.push_back({.view = step.value, .made = {}, .error = {}});
        break;
      default: {
        Slot second = std::move(slots_.back());
        slots_.pop_back();
        Slot& first = slots_.back();
        if (step.kind == UpdateStep::Kind::kIfNotExists) {
          if (first.error) first = std::move(second);
        } else {
          first = Combine(step.kind, first, second);
        }
        break;
      }
    }
  }
  CHECK(slots_.size() == 1, "one value remains");
  Slot& result = slots_.front();
  if (result.error) return *result.error;
  return result.made.empty() ? std::string(result.view) : std::move(result.made);
}

Calculator::Slot Calculator::Read(const DocumentPath& path) const {
  const std::optional<ValueView> found =
      old_item_ ? value::Resolve(*old_item_, path) : std::nullopt;
  if (!found) return Failed(MissingAttribute());
  return {.view = found->bytes(), .made = {}, .error = {}};
}

Calculator::Slot Calculator::Combine(UpdateStep::Kind kind, const Slot& first, const Slot& second) {
  if (first.error) return Failed(*first.error);
  if (second.error) return Failed(*second.error);
  const Type type = kind == UpdateStep::Kind::kListAppend ? Type::kL : Type::kN;
  const ValueView left = first.value();
  const ValueView right = second.value();
  if (left.type() != type || right.type() != type) return Failed(WrongType());
  if (kind == UpdateStep::Kind::kListAppend) {
    return {.view = {}, .made = AppendLists(left, right), .error = {}};
  }
  Result<std::string> made =
      kind == UpdateStep::Kind::kPlus ? AddNumbers(left, right) : SubtractNumbers(left, right);
  if (!made.ok()) return Failed(made.error());
  return {.view = {}, .made = *std::move(made), .error = {}};
}

Status Put(value::Document& document, const DocumentPath& target, std::string value) {
  if (!document.Set(target, std::move(value))) return InvalidPath();
  return Ok();
}

Status Set(value::Document& document, const DocumentPath& target, Result<std::string> value) {
  return Put(document, target, TRY(std::move(value)));
}

Status Remove(value::Document& document, const DocumentPath& target) {
  if (!document.Remove(target)) return InvalidPath();
  return Ok();
}

// ADD: a number is added to a number, a set joins a set of its type, and what is not there
// begins as the constant. Only AttributeUpdates add lists.
Status Add(value::Document& document, const DocumentPath& target, std::optional<ValueView> old,
           const std::string& constant) {
  if (!old) return Put(document, target, constant);
  const ValueView added(constant);
  if (added.type() == Type::kN) return Put(document, target, TRY(AddNumbers(*old, added)));
  if (added.type() == Type::kL) return Put(document, target, AppendLists(*old, added));
  return Put(document, target, Union(*old, added));
}

// DELETE: a set loses elements, and disappears with the last one.
Status Delete(value::Document& document, const DocumentPath& target, std::optional<ValueView> old,
              const std::string& constant) {
  if (!old) return Remove(document, target);
  std::string rest = Difference(*old, ValueView(constant));
  if (rest.empty()) return Remove(document, target);
  return Put(document, target, std::move(rest));
}

}  // namespace

Result<Update> Update::Parse(std::string_view text, Placeholders& placeholders) {
  const UpdateSyntaxView syntax = TRY(ParseUpdate(text));
  return Update(TRY(BindUpdate("UpdateExpression", syntax, placeholders)));
}

Update::Update(UpdateClauses clauses)
    : clauses_(std::make_shared<const UpdateClauses>(std::move(clauses))) {}

bool Update::is_attribute_updates() const { return !empty() && clauses_->is_attribute_updates; }

bool Update::CreatesItem() const {
  if (empty()) return true;
  return std::ranges::any_of(clauses_->actions, [](const BoundAction& action) {
    return action.action == UpdateAction::kSet || action.action == UpdateAction::kAdd;
  });
}

Result<value::Item> Update::Apply(const std::optional<ItemView>& old_item, ItemView base) const {
  value::Document document(base);
  const std::size_t action_count = empty() ? 0 : clauses_->actions.size();
  for (std::size_t i = 0; i < action_count; ++i) {
    const BoundAction& action = clauses_->actions[i];
    const DocumentPath& target = clauses_->targets[i];
    const auto steps = std::span(clauses_->steps).subspan(action.first_step, action.step_count);
    const auto old = [&] {
      return old_item ? value::Resolve(*old_item, target) : std::optional<ValueView>();
    };
    switch (action.action) {
      case UpdateAction::kSet:
        TRY(Set(document, target, Calculator(old_item).Calculate(steps)));
        break;
      case UpdateAction::kRemove:
        TRY(Remove(document, target));
        break;
      case UpdateAction::kAdd:
        TRY(CheckChangedType(*clauses_, old(), steps[0].value));
        TRY(Add(document, target, old(), steps[0].value));
        break;
      case UpdateAction::kDelete:
        TRY(CheckChangedType(*clauses_, old(), steps[0].value));
        TRY(Delete(document, target, old(), steps[0].value));
        break;
    }
  }
  return document.Finish();
}

const std::vector<DocumentPath>& Update::targets() const {
  static const std::vector<DocumentPath> kNone;
  return empty() ? kNone : clauses_->targets;
}

std::string Update::Fingerprint() const {
  FingerprintWriter writer;
  if (empty()) return writer.Finish();
  for (std::size_t i = 0; i < clauses_->actions.size(); ++i) {
    writer.AddNumber(static_cast<std::uint64_t>(clauses_->actions[i].action));
    writer.AddNumber(clauses_->actions[i].step_count);
    writer.AddPath(clauses_->targets[i]);
  }
  for (const UpdateStep& step : clauses_->steps) {
    writer.AddNumber(static_cast<std::uint64_t>(step.kind));
    writer.AddPath(step.path);
    writer.AddBytes(step.value);
  }
  return writer.Finish();
}

}  // namespace trestle::expr
