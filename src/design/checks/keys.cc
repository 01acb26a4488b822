#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/checks/checks_internal.h"
#include "design/syntax/template_text.h"

// K2 to K5 and K12: the parts that keys are made from, one by one.

namespace trestle::design {
namespace {

using syntax::PathText;
using syntax::Placeholder;

// "{Title:esc}", as it should be written.
std::string With(const Placeholder& placeholder, std::string_view format) {
  return fmt::format("{{{}:{}}}", PathText(placeholder.path), format);
}

bool IsNumber(TypeKind kind) { return kind == TypeKind::kInt || kind == TypeKind::kNumber; }

// Whether a text with a separator in it is a key that another form makes.
const StoredForm* TakenFor(const Checking& in, const StoredForm& form,
                           const KeyTemplate& key_template, const Placeholder& placeholder,
                           bool is_sort_key) {
  if (!is_sort_key) return nullptr;
  // What the template makes when the text is escaped, and when it is not.
  Language escaped;
  Language plain;
  for (const auto& part : key_template.parts()) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      escaped.AddText(*text);
      plain.AddText(*text);
      continue;
    }
    const auto& each = std::get<Placeholder>(part);
    const ValueType& type = *TypeOf(*form.entity, each.path);
    Placeholder changed = each;
    if (&each == &placeholder) changed.formats.emplace_back(syntax::Transform::kEscape);
    escaped.AddOneOf(std::array{LanguageOf(type, changed, in.model.table.separator)});
    plain.AddOneOf(std::array{LanguageOf(type, each, in.model.table.separator)});
  }
  for (const StoredForm& other : in.forms) {
    if (&other == &form || other.index != form.index) continue;
    if (!HaveCommonText(other.partition_key, form.partition_key)) continue;
    if (HaveCommonText(plain, other.sort_key) && !HaveCommonText(escaped, other.sort_key))
      return &other;
  }
  return nullptr;
}

void CheckFreeText(const Checking& in, const StoredForm& form, const KeyTemplate& key_template,
                   const Placeholder& placeholder, bool is_last, bool is_sort_key) {
  const ValueType& type = *TypeOf(*form.entity, placeholder.path);
  if (!IsFreeText(type.kind) || IsEscaped(placeholder)) return;
  const std::string name = PathText(placeholder.path);
  if (!is_last) {
    AddError(in.diagnostics, "K2", placeholder.path.position,
             fmt::format("`{}` is free text before other parts: one with `{}` in it can be taken "
                         "for another key",
                         name, in.model.table.separator),
             With(placeholder, "esc"));
    return;
  }
  const StoredForm* other = TakenFor(in, form, key_template, placeholder, is_sort_key);
  if (other == nullptr) return;
  AddError(
      in.diagnostics, "K2", placeholder.path.position,
      fmt::format("a `{}` with `{}` in it can be taken for {} of {}", name,
                  in.model.table.separator, Quoted(*other->key->sort_key), other->kind.kind().name),
      With(placeholder, "esc"));
}

std::int64_t DigitsOf(std::int64_t number) {
  return static_cast<std::int64_t>(fmt::format("{}", number).size());
}

void CheckPad(const Checking& in, const ValueType& type, const Placeholder& placeholder,
              std::int64_t width) {
  const std::string name = PathText(placeholder.path);
  const auto max = IntegerOf(type.max);
  const auto min = IntegerOf(type.min);
  if (type.kind == TypeKind::kNumber) {
    AddError(in.diagnostics, "K3", placeholder.path.position,
             fmt::format("`{}` is padded but need not be a whole number", name),
             fmt::format("{} : int", name));
  } else if (!min || *min < 0) {
    AddError(
        in.diagnostics, "K3", placeholder.path.position,
        fmt::format("`{}` is padded but may be negative", name),
        fmt::format("{} : int(0..{})", name, std::string(static_cast<std::size_t>(width), '9')));
  } else if (!max || DigitsOf(*max) > width) {
    AddError(in.diagnostics, "K3", placeholder.path.position,
             fmt::format("`{}` can be wider than {} digits", name, width),
             max ? With(placeholder, fmt::format("0{}", DigitsOf(*max)))
                 : fmt::format("{} : int(0..{})", name,
                               std::string(static_cast<std::size_t>(width), '9')));
  }
}

void CheckNumber(const Checking& in, const StoredForm& form, const Placeholder& placeholder,
                 bool is_sort_key) {
  const ValueType& type = *TypeOf(*form.entity, placeholder.path);
  const bool is_direct = form.index_form != nullptr && form.index_form->is_direct;
  if (!IsNumber(type.kind) || is_direct) return;
  for (const syntax::Format& format : placeholder.formats) {
    if (const auto* pad = std::get_if<syntax::ZeroPad>(&format))
      return CheckPad(in, type, placeholder, pad->width);
  }
  if (!is_sort_key) return;
  const auto max = IntegerOf(type.max);
  AddWarning(in.diagnostics, "K3", placeholder.path.position,
             fmt::format("`{}` is a number without zeroes in front, so 10 sorts before 2",
                         PathText(placeholder.path)),
             With(placeholder, fmt::format("0{}", max ? DigitsOf(*max) : 5)));
}

// Types whose values are no text.
bool CanBeWritten(TypeKind kind) {
  switch (kind) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kBinary:
    case TypeKind::kAny:
      return false;
    default:
      return true;
  }
}

void CheckKeyType(const Checking& in, const StoredForm& form, const Placeholder& placeholder) {
  const TypeKind kind = TypeOf(*form.entity, placeholder.path)->kind;
  const std::string name = PathText(placeholder.path);
  if (form.index_form != nullptr && form.index_form->is_direct) {
    if (kind == TypeKind::kBinary || (kind != TypeKind::kBool && CanBeWritten(kind))) return;
    AddError(
        in.diagnostics, "K12", placeholder.path.position,
        fmt::format("{} is keyed on `{}`, which is no text, number or binary", form.index->name,
                    name),
        fmt::format("{}Text : string computed \"{{{}}}\", and key the index on it", name, name));
    return;
  }
  if (CanBeWritten(kind)) return;
  AddError(
      in.diagnostics, "K12", placeholder.path.position,
      fmt::format("`{}` cannot be part of a key: it is no text, number, time or boolean", name));
}

void CheckPresence(const Checking& in, const StoredForm& form, const Placeholder& placeholder) {
  const bool is_direct = form.index_form != nullptr && form.index_form->is_direct;
  if (is_direct || IsPresentIn(form, placeholder.path)) return;
  const std::string name = PathText(placeholder.path);
  if (form.index == nullptr) {
    AddError(in.diagnostics, "K4", placeholder.path.position,
             fmt::format("an item without `{}` has no key", name),
             fmt::format("when {}, and a second key without it", name));
  } else {
    AddWarning(in.diagnostics, "K4", placeholder.path.position,
               fmt::format("an item without `{}` is not in {}", name, form.index->name),
               fmt::format("when {}", name));
  }
}

void CheckLength(const Checking& in, const StoredForm& form, const KeyTemplate& key_template,
                 bool is_sort_key) {
  const auto limit =
      static_cast<std::int64_t>(is_sort_key ? kSortKeyBytesMax : kPartitionKeyBytesMax);
  std::int64_t sum = 0;
  std::pair<std::int64_t, const Placeholder*> longest = {0, nullptr};
  for (const auto& part : key_template.parts()) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      sum += static_cast<std::int64_t>(text->size());
      continue;
    }
    const auto& placeholder = std::get<Placeholder>(part);
    const ValueType& type = *TypeOf(*form.entity, placeholder.path);
    if (!CanBeWritten(type.kind)) return;  // K12 says more
    const Attribute* attribute = form.entity->FindAttribute(placeholder.path);
    if (attribute != nullptr && attribute->computed) continue;
    auto bytes = TextBytesMax(type);
    for (const syntax::Format& format : placeholder.formats) {
      if (const auto* pad = std::get_if<syntax::ZeroPad>(&format)) bytes = pad->width;
    }
    if (!bytes) {
      AddError(in.diagnostics, "K5", placeholder.path.position,
               fmt::format("`{}` has no limit, and a {} key has at most {} bytes",
                           PathText(placeholder.path), is_sort_key ? "sort" : "partition",
                           Thousands(limit)),
               fmt::format("{} : string(1..100)", PathText(placeholder.path)));
      return;
    }
    sum += *bytes;
    if (*bytes > longest.first) longest = {*bytes, &placeholder};
  }
  if (sum <= limit || longest.second == nullptr) return;
  const std::int64_t room = std::max<std::int64_t>((limit - (sum - longest.first)) / 4, 1);
  AddError(in.diagnostics, "K5", longest.second->path.position,
           fmt::format("the key can be {} bytes long, and a {} key has at most {}", Thousands(sum),
                       is_sort_key ? "sort" : "partition", Thousands(limit)),
           fmt::format("{} : string(1..{})", PathText(longest.second->path), room));
}

// Some key must hold whatever an item is.
void CheckLastKey(const Checking& in, const ItemKind& kind) {
  if (kind.keys.empty() || !kind.keys.back().when) return;
  AddError(in.diagnostics, "K4", kind.keys.back().when->position,
           fmt::format("an item of {} for which no condition holds has no key", kind.name),
           "key ... without `when`, behind the others");
}

}  // namespace

void CheckKeyParts(const Checking& in) {
  for (const StoredForm& form : in.forms) {
    ForEachTemplate(form, [&](const KeyTemplate& key_template, bool is_sort_key) {
      const auto& parts = key_template.parts();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto* placeholder = std::get_if<Placeholder>(&parts[i]);
        if (placeholder == nullptr) continue;
        CheckFreeText(in, form, key_template, *placeholder, i + 1 == parts.size(), is_sort_key);
        CheckNumber(in, form, *placeholder, is_sort_key);
        CheckKeyType(in, form, *placeholder);
        CheckPresence(in, form, *placeholder);
      }
      if (form.index_form == nullptr || !form.index_form->is_direct)
        CheckLength(in, form, key_template, is_sort_key);
    });
  }
  for (const Entity& entity : in.model.entities)
    CheckLastKey(in, entity);
}

}  // namespace trestle::design
