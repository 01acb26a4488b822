#include "design/checks/key_space.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "design/syntax/template_text.h"

namespace trestle::design {
namespace {

using syntax::Placeholder;
using syntax::Transform;

void AddDate(Language& out) {
  out.AddTimes(Digits(), 4);
  for (int i = 0; i < 2; ++i) {
    out.AddText("-");
    out.AddTimes(Digits(), 2);
  }
}

void AddTimestamp(syntax::Precision precision, Language& out) {
  AddDate(out);
  out.AddText("T");
  out.AddTimes(Digits(), 2);
  for (int i = 0; i < 2; ++i) {
    out.AddText(":");
    out.AddTimes(Digits(), 2);
  }
  if (precision == syntax::Precision::kMilliseconds) {
    out.AddText(".");
    out.AddTimes(Digits(), 3);
  }
  out.AddText("Z");
}

Bytes BytesWithout(std::string_view excluded) {
  Bytes bytes = AllBytes();
  for (const char c : excluded)
    bytes.reset(static_cast<unsigned char>(c));
  return bytes;
}

// Ids and addresses have no control characters.
Bytes Visible(Bytes bytes) {
  for (std::size_t i = 0; i <= ' '; ++i)
    bytes.reset(i);
  return bytes.reset(0x7f);
}

void AddMoment(const ValueType& type, const Placeholder& placeholder, Language& out) {
  if (type.is_epoch_seconds) return out.AddTimes(Digits(), 10);
  Language date;
  AddDate(date);
  Language timestamp;
  if (HasTransform(placeholder, Transform::kHour)) {
    AddDate(timestamp);
    timestamp.AddText("T");
    timestamp.AddTimes(Digits(), 2);
  } else {
    AddTimestamp(type.precision, timestamp);
  }
  const bool is_day = HasTransform(placeholder, Transform::kDay);
  if (is_day || type.kind == TypeKind::kDate) {
    out.AddOneOf(std::array{date});
  } else if (type.kind == TypeKind::kTimestamp) {
    out.AddOneOf(std::array{timestamp});
  } else {
    out.AddOneOf(std::array{date, timestamp});
  }
}

void AddInteger(const ValueType& type, const Placeholder& placeholder, Language& out) {
  for (const syntax::Format& format : placeholder.formats) {
    if (const auto* pad = std::get_if<syntax::ZeroPad>(&format))
      return out.AddTimes(Digits(), static_cast<std::size_t>(pad->width));
  }
  Bytes bytes = Digits();
  if (type.kind == TypeKind::kNumber) bytes.set('.');
  if (!type.min || std::is_lt(*type.min <=> value::Number())) bytes.set('-');
  out.AddSome(bytes);
}

std::string TextOf(const syntax::Value& value) {
  if (const auto* text = std::get_if<syntax::Text>(&value.is)) return text->text;
  if (const auto* number = std::get_if<syntax::Number>(&value.is)) return number->digits;
  if (const auto* boolean = std::get_if<syntax::BoolValue>(&value.is))
    return boolean->value ? "true" : "false";
  return {};
}

// The texts of a template of an item. Constants, computed attributes and the discriminator are what
// they always are.
Language ItemLanguage(const Model& model, const ItemKind& kind, const Entity& entity,
                      const KeyTemplate& key_template) {
  Language out;
  for (const auto& part : key_template.parts()) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      out.AddText(*text);
      continue;
    }
    const auto& placeholder = std::get<Placeholder>(part);
    const Attribute* attribute = entity.FindAttribute(placeholder.path);
    if (attribute == nullptr) {  // only the discriminator is no attribute
      out.AddText(kind.tag);
    } else if (attribute->const_value) {
      out.AddText(TextOf(*attribute->const_value));
    } else if (attribute->computed) {
      out.AddOneOf(std::array{ItemLanguage(model, kind, entity, *attribute->computed)});
    } else {
      out.AddOneOf(std::array{LanguageOf(attribute->type, placeholder, model.table.separator)});
    }
  }
  return out;
}

Language QueryLanguage(const Model& model, const Access& access, const Query& query,
                       const KeyTemplate& key_template) {
  Language out;
  for (const auto& part : key_template.parts()) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      out.AddText(*text);
      continue;
    }
    const auto& placeholder = std::get<Placeholder>(part);
    const ValueType* type = TypeOf(access, query, placeholder.path);
    static const ValueType kAnything{.kind = TypeKind::kAny};
    out.AddOneOf(std::array{
        LanguageOf(type == nullptr ? kAnything : *type, placeholder, model.table.separator)});
  }
  return out;
}

}  // namespace

bool HasTransform(const Placeholder& placeholder, Transform transform) {
  return std::ranges::any_of(placeholder.formats, [&](const syntax::Format& it) {
    const auto* own = std::get_if<Transform>(&it);
    return own != nullptr && *own == transform;
  });
}

bool IsEscaped(const Placeholder& placeholder) {
  return HasTransform(placeholder, Transform::kEscape) ||
         HasTransform(placeholder, Transform::kCluster);
}

bool IsFreeText(TypeKind kind) {
  return kind == TypeKind::kString || kind == TypeKind::kEmail || kind == TypeKind::kUrl ||
         kind == TypeKind::kAny;
}

std::string Quoted(const KeyTemplate& key_template) {
  return fmt::format("\"{}\"",
                     syntax::TemplateText({key_template.position(), key_template.parts()}));
}

Language LanguageOf(const ValueType& type, const Placeholder& placeholder,
                    const std::string& separator) {
  Language out;
  switch (type.kind) {
    case TypeKind::kId:
      out.AddSome(Visible(BytesWithout(separator)));
      return out;
    case TypeKind::kBool: {
      std::array<Language, 2> words;
      words[0].AddText("true");
      words[1].AddText("false");
      out.AddOneOf(words);
      return out;
    }
    case TypeKind::kEnum: {
      std::vector<Language> values(type.enum_values.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i].AddText(type.enum_values[i]);
      out.AddOneOf(values);
      return out;
    }
    case TypeKind::kInt:
    case TypeKind::kNumber:
      AddInteger(type, placeholder, out);
      return out;
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kMoment:
      AddMoment(type, placeholder, out);
      return out;
    default: {
      const Bytes bytes = IsEscaped(placeholder) ? BytesWithout(separator) : AllBytes();
      out.AddSome(type.kind == TypeKind::kEmail ? Visible(bytes) : bytes);
      return out;
    }
  }
}

const ValueType* TypeOf(const Entity& entity, const Path& path) {
  static const ValueType kDiscriminator{.kind = TypeKind::kString};
  const Attribute* attribute = entity.FindAttribute(path);
  return attribute == nullptr ? &kDiscriminator : &attribute->type;
}

const ValueType* TypeOf(const Access& access, const Query& query, const Path& path) {
  if (path.parts.size() != 1) return nullptr;
  const auto parameter = std::ranges::find(access.parameters, path.parts.front(), &Parameter::name);
  if (parameter != access.parameters.end()) return &parameter->type;
  if (path.parts.front() != query.merge) return nullptr;
  for (const KindReference& result : access.results) {
    const Attribute* attribute = result.of().FindAttribute(path);
    if (attribute != nullptr) return &attribute->type;
  }
  return nullptr;
}

std::deque<StoredForm> StoredForms(const Model& model) {
  std::deque<StoredForm> forms;
  const auto add = [&](const KindReference& kind, const Index* index, const KeyForm& key,
                       const IndexForm* index_form) {
    const Entity& entity = kind.of();
    StoredForm& form = forms.emplace_back();
    form.kind = kind;
    form.entity = &entity;
    form.index = index;
    form.key = &key;
    form.index_form = index_form;
    form.partition_key = ItemLanguage(model, kind.kind(), entity, key.partition_key);
    if (key.sort_key) form.sort_key = ItemLanguage(model, kind.kind(), entity, *key.sort_key);
  };
  const auto add_all = [&](const KindReference& kind) {
    for (const KeyForm& key : kind.kind().keys)
      add(kind, nullptr, key, nullptr);
    for (const IndexForm& form : kind.kind().indexes)
      add(kind, form.index, form.key, &form);
  };
  for (const Entity& entity : model.entities)
    add_all({.entity = &entity});
  for (const Mirror& mirror : model.mirrors) {
    if (mirror.of != nullptr) add_all({.mirror = &mirror});
  }
  return forms;
}

bool CanCollide(const StoredForm& left, const StoredForm& right) {
  return left.index == right.index && HaveCommonText(left.partition_key, right.partition_key) &&
         HaveCommonText(left.sort_key, right.sort_key);
}

bool ReadRange::CanRead(const StoredForm& form) const {
  if (!HaveCommonText(partition_key, form.partition_key)) return false;
  std::vector<const Language*> all = {&form.sort_key};
  for (const Language& language : sort_key)
    all.push_back(&language);
  return HaveCommonText(all);
}

ReadRange RangeOf(const Model& model, const Access& access, const Query& query) {
  using Kind = SortKeyRange::Kind;
  const auto language = [&](const KeyTemplate& key_template) {
    return QueryLanguage(model, access, query, key_template);
  };
  ReadRange range{.partition_key = language(query.partition_key), .sort_key = {}};
  const SortKeyRange& sort_key = query.sort_key;
  const Language first = language(sort_key.first);
  switch (sort_key.kind) {
    case Kind::kAll:
      return range;
    case Kind::kIs:
      range.sort_key = {first};
      break;
    case Kind::kBegins:
      range.sort_key = {first.Extended()};
      break;
    case Kind::kBefore:
      range.sort_key = {first.Below()};
      break;
    case Kind::kAfter:
      range.sort_key = {first.Above()};
      break;
    case Kind::kBetween:
      range.sort_key = {first.AboveOrEqual(), language(*sort_key.last).BelowOrExtended()};
      break;
    case Kind::kFrom:
      range.sort_key = {first.AboveOrEqual(), language(*sort_key.last).Below()};
      break;
  }
  if (sort_key.within) range.sort_key.push_back(language(*sort_key.within).Extended());
  return range;
}

}  // namespace trestle::design
