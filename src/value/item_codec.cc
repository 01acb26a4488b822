#include "value/item_codec.h"

#include "base/check.h"
#include "value/item_size.h"

namespace trestle::value {
namespace {

constexpr char kFormat = '\x01';
constexpr std::size_t kContainerHeaderBytes = 8;  // length and count
constexpr std::size_t kUsualItemBytes = 256;
constexpr std::size_t kInsertionSortMax = 16;  // attributes

char TagOf(Type type) {
  switch (type) {
    case Type::kS:
      return 'S';
    case Type::kN:
      return 'N';
    case Type::kB:
      return 'B';
    case Type::kM:
      return 'M';
    case Type::kL:
      return 'L';
    case Type::kSs:
      return 's';
    case Type::kNs:
      return 'n';
    case Type::kBs:
      return 'b';
    case Type::kNull:
      return '0';
    case Type::kBool:
      break;
  }
  UNREACHABLE("a type without a tag of its own");
}

void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out.append(text);
}

void AppendEncodedNumber(std::string& out, std::string_view encoded) {
  out.push_back(static_cast<char>(encoded.size()));
  out.append(encoded);
}

}  // namespace

void AppendString(std::string& out, std::string_view text) {
  out.push_back('S');
  AppendText(out, text);
}

void AppendBinary(std::string& out, std::string_view bytes) {
  out.push_back('B');
  AppendText(out, bytes);
}

void AppendNumber(std::string& out, const Number& number) {
  out.push_back('N');
  AppendEncodedNumber(out, number.encoded());
}

void AppendBool(std::string& out, bool boolean) { out.push_back(boolean ? 'T' : 'F'); }

void AppendNull(std::string& out) { out.push_back('0'); }

void AppendName(std::string& out, std::string_view name) { AppendText(out, name); }

std::size_t BeginContainer(std::string& out, Type type) {
  out.push_back(TagOf(type));
  out.append(kContainerHeaderBytes, '\0');
  return out.size() - kContainerHeaderBytes;
}

void EndContainer(std::string& out, std::size_t place, std::uint32_t count) {
  StoreU32Le(out.data() + place, static_cast<std::uint32_t>(out.size() - place - 4));
  StoreU32Le(out.data() + place + 4, count);
}

void AppendStringSet(std::string& out, Type type, std::vector<std::string_view> elements) {
  CHECK(type == Type::kSs || type == Type::kBs, "a set of strings or binaries");
  CHECK(!elements.empty(), "a set has an element");
  CHECK(SortedUnique(elements), "a set has no element twice");
  const std::size_t place = BeginContainer(out, type);
  for (const std::string_view element : elements)
    AppendText(out, element);
  EndContainer(out, place, static_cast<std::uint32_t>(elements.size()));
}

void AppendNumberSet(std::string& out, std::vector<Number> elements) {
  CHECK(!elements.empty(), "a set has an element");
  CHECK(SortedUnique(elements), "a set has no element twice");
  const std::size_t place = BeginContainer(out, Type::kNs);
  for (const Number& element : elements)
    AppendEncodedNumber(out, element.encoded());
  EndContainer(out, place, static_cast<std::uint32_t>(elements.size()));
}

void StoreItemHeader(std::string& bytes, std::size_t size_bytes, std::size_t count) {
  bytes[0] = kFormat;
  StoreU32Le(bytes.data() + 1, static_cast<std::uint32_t>(size_bytes));
  StoreU32Le(bytes.data() + 5, static_cast<std::uint32_t>(count));
}

// Afterwards the attributes are in order of their names, each name once with its last value.
void ItemBuilder::Sort() {
  if (attributes_.size() > kInsertionSortMax) {
    std::ranges::stable_sort(attributes_, {}, &Attribute::first);
  } else {
    // An insertion sort is as stable, needs no buffer, and is done at once with what is in order.
    for (std::size_t i = 1; i < attributes_.size(); ++i) {
      const Attribute attribute = attributes_[i];
      std::size_t place = i;
      for (; place > 0 && attribute.first < attributes_[place - 1].first; --place) {
        attributes_[place] = attributes_[place - 1];
      }
      attributes_[place] = attribute;
    }
  }

  std::size_t kept = 0;
  for (const Attribute& attribute : attributes_) {
    if (kept > 0 && attributes_[kept - 1].first == attribute.first) --kept;
    attributes_[kept++] = attribute;
  }
  attributes_.resize(kept);
}

Item ItemBuilder::Finish() {
  Sort();
  std::size_t length = kItemHeaderBytes;
  for (const auto& [name, value] : attributes_)
    length += 3 + name.size() + value.size();

  std::string bytes;
  bytes.reserve(length);
  bytes.resize(kItemHeaderBytes);
  std::size_t size_bytes = 0;
  for (const auto& [name, value] : attributes_) {
    AppendName(bytes, name);
    bytes.append(value);
    size_bytes += AttributeSizeBytes(name, ValueView(value));
  }
  StoreItemHeader(bytes, size_bytes, attributes_.size());
  return Item(std::move(bytes));
}

void ItemBuilder::AppendMapTo(std::string& out) {
  Sort();
  const std::size_t place = BeginContainer(out, Type::kM);
  for (const auto& [name, value] : attributes_) {
    AppendName(out, name);
    out.append(value);
  }
  EndContainer(out, place, static_cast<std::uint32_t>(attributes_.size()));
}

SortedItemWriter::SortedItemWriter() {
  bytes_.reserve(kUsualItemBytes);
  bytes_.resize(kItemHeaderBytes);
}

void SortedItemWriter::Add(std::string_view name, std::string_view value) {
  const std::string_view last_name(bytes_.data() + last_name_start_, last_name_length_);
  CHECK(count_ == 0 || last_name < name, "attributes come in order");
  AppendName(bytes_, name);
  last_name_start_ = bytes_.size() - name.size();
  last_name_length_ = name.size();
  bytes_.append(value);
  ++count_;
  size_bytes_ += AttributeSizeBytes(name, ValueView(value));
}

Item SortedItemWriter::Finish() && {
  StoreItemHeader(bytes_, size_bytes_, count_);
  return Item(std::move(bytes_));
}

}  // namespace trestle::value
