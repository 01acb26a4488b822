#include "embed/value_codec.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "value/item_codec.h"
#include "value/item_size.h"
#include "value/number.h"

namespace trestle::embed {
namespace {

trestle::Error InvalidParameters(std::string_view why) {
  return ValidationError(fmt::format("One or more parameter values were invalid: {}", why));
}

Status CheckName(std::string_view name) {
  if (name.size() > kAttributeNameBytesMax) {
    return InvalidParameters("Attribute name is too large, must be less than 65536 bytes");
  }
  return CheckUtf8(name);
}

// `levels` is how many lists and maps are around the value.
Status AppendValueWithin(const AttributeValue& value, std::size_t levels, std::string& out);

Status AppendMap(const Item& members, std::size_t levels, std::string& out) {
  const std::size_t place = value::BeginContainer(out, value::Type::kM);
  for (const auto& [name, member] : members) {
    TRY(CheckName(name));
    value::AppendName(out, name);
    TRY(AppendValueWithin(member, levels, out));
  }
  value::EndContainer(out, place, static_cast<std::uint32_t>(members.size()));
  return Ok();
}

Status AppendList(const std::vector<AttributeValue>& elements, std::size_t levels,
                  std::string& out) {
  const std::size_t place = value::BeginContainer(out, value::Type::kL);
  for (const AttributeValue& element : elements)
    TRY(AppendValueWithin(element, levels, out));
  value::EndContainer(out, place, static_cast<std::uint32_t>(elements.size()));
  return Ok();
}

Status CheckDepth(std::size_t levels) {
  if (levels < kDocumentDepthMax) return Ok();
  return ValidationError(std::string(value::kTooDeepText));
}

// The double space in the texts of empty sets is the service's.
Status AppendStringSet(const std::vector<std::string>& texts, std::string& out) {
  if (texts.empty()) return InvalidParameters("An string set  may not be empty");
  for (const std::string& text : texts)
    TRY(CheckUtf8(text));
  std::vector<std::string_view> elements(texts.begin(), texts.end());
  if (!value::SortedUnique(elements)) {
    return InvalidParameters(
        fmt::format("Input collection [{}] contains duplicates.", fmt::join(texts, ", ")));
  }
  value::AppendStringSet(out, value::Type::kSs, std::move(elements));
  return Ok();
}

Status AppendNumberSet(const std::vector<std::string>& texts, std::string& out) {
  if (texts.empty()) return InvalidParameters("An number set  may not be empty");
  std::vector<value::Number> elements;
  elements.reserve(texts.size());
  for (const std::string& text : texts)
    elements.push_back(TRY(value::Number::Parse(text)));
  if (!value::SortedUnique(elements)) {
    return ValidationError("Input collection contains duplicates");
  }
  value::AppendNumberSet(out, std::move(elements));
  return Ok();
}

Status AppendBinarySet(const std::vector<std::string>& binaries, std::string& out) {
  if (binaries.empty()) return InvalidParameters("Binary sets should not be empty");
  std::vector<std::string_view> elements(binaries.begin(), binaries.end());
  if (!value::SortedUnique(elements)) {
    std::vector<std::string> texts;
    texts.reserve(binaries.size());
    for (const std::string& binary : binaries)
      texts.push_back(Base64Encode(binary));
    // The missing space is the service's.
    return InvalidParameters(fmt::format("Input collection [{}]of type BS contains duplicates.",
                                         fmt::join(texts, ", ")));
  }
  value::AppendStringSet(out, value::Type::kBs, std::move(elements));
  return Ok();
}

Status AppendValueWithin(const AttributeValue& value, std::size_t levels, std::string& out) {
  TRY(CheckDepth(levels));
  switch (value.type()) {
    case AttributeType::kS:
      TRY(CheckUtf8(*value.AsString()));
      value::AppendString(out, *value.AsString());
      return Ok();
    case AttributeType::kN:
      value::AppendNumber(out, TRY(value::Number::Parse(*value.AsNumber())));
      return Ok();
    case AttributeType::kB:
      value::AppendBinary(out, *value.AsBinary());
      return Ok();
    case AttributeType::kBool:
      value::AppendBool(out, *value.AsBool());
      return Ok();
    case AttributeType::kNull:
      value::AppendNull(out);
      return Ok();
    case AttributeType::kM:
      return AppendMap(*value.AsMap(), levels + 1, out);
    case AttributeType::kL:
      return AppendList(*value.AsList(), levels + 1, out);
    case AttributeType::kSs:
      return AppendStringSet(*value.AsStringSet(), out);
    case AttributeType::kNs:
      return AppendNumberSet(*value.AsNumberSet(), out);
    case AttributeType::kBs:
      return AppendBinarySet(*value.AsBinarySet(), out);
  }
  UNREACHABLE("a type that is not in the enum");
}

Item DecodeAttributes(value::AttributeRange attributes);

std::vector<AttributeValue> DecodeElements(value::ValueView list);

std::vector<std::string> DecodeSet(value::ValueView set) {
  std::vector<std::string> elements;
  elements.reserve(set.count());
  std::string_view rest = set.contents();
  while (!rest.empty()) {
    const std::string_view element = value::TakeElement(rest, set.type());
    elements.push_back(set.type() == value::Type::kNs ? value::NumberText(element)
                                                      : std::string(element));
  }
  return elements;
}

AttributeValue DecodeValue(value::ValueView value) {
  switch (value.type()) {
    case value::Type::kS:
      return AttributeValue::String(std::string(value.text()));
    case value::Type::kN:
      return AttributeValue::Number(value::NumberText(value.number()));
    case value::Type::kB:
      return AttributeValue::Binary(std::string(value.text()));
    case value::Type::kBool:
      return AttributeValue::Bool(value.boolean());
    case value::Type::kNull:
      return AttributeValue::Null();
    case value::Type::kM:
      return AttributeValue::Map(DecodeAttributes(value::AttributeRange(value.contents())));
    case value::Type::kL:
      return AttributeValue::List(DecodeElements(value));
    case value::Type::kSs:
      return AttributeValue::StringSet(DecodeSet(value));
    case value::Type::kNs:
      return AttributeValue::NumberSet(DecodeSet(value));
    case value::Type::kBs:
      return AttributeValue::BinarySet(DecodeSet(value));
  }
  UNREACHABLE("a type that is not in the enum");
}

std::vector<AttributeValue> DecodeElements(value::ValueView list) {
  std::vector<AttributeValue> elements;
  elements.reserve(list.count());
  std::string_view rest = list.contents();
  while (!rest.empty())
    elements.push_back(DecodeValue(value::TakeValue(rest)));
  return elements;
}

Item DecodeAttributes(value::AttributeRange attributes) {
  Item item;
  // They come in order, so each belongs at the end.
  for (const value::AttributeView attribute : attributes) {
    item.emplace_hint(item.end(), attribute.name, DecodeValue(attribute.value));
  }
  return item;
}

}  // namespace

Status CheckUtf8(std::string_view text) {
  if (IsUtf8(text)) return Ok();
  return InvalidParameters("Strings and attribute names must be UTF-8");
}

Status AppendValue(const AttributeValue& value, std::string& out) {
  return AppendValueWithin(value, 0, out);
}

trestle::Result<value::Item> EncodeItem(const Item& item) {
  // A std::map has its names in order of their bytes, as the encoded item has.
  value::SortedItemWriter writer;
  std::string encoded;
  for (const auto& [name, value] : item) {
    TRY(CheckName(name));
    encoded.clear();
    TRY(AppendValueWithin(value, 0, encoded));
    writer.Add(name, encoded);
  }
  return std::move(writer).Finish();
}

Item DecodeItem(value::ItemView item) { return DecodeAttributes(item.attributes()); }

}  // namespace trestle::embed
