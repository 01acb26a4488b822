#include "engine/schema.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "base/check.h"
#include "base/limits.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::engine {
namespace {

// The catalogue row of a table, with the attribute names of docs/formats/catalogue.md. A field
// that has its default is left out, so a field added later is read from an old row as its default.
// A name is never used again for something else.

// A key attribute is one text: the letter of its type, then its name.
std::string TextOf(const KeyAttribute& attribute) {
  return std::string(value::TypeName(attribute.type)) + attribute.name;
}

std::vector<std::string> TextsOf(const std::vector<KeyAttribute>& attributes) {
  std::vector<std::string> texts;
  texts.reserve(attributes.size());
  for (const KeyAttribute& attribute : attributes)
    texts.push_back(TextOf(attribute));
  return texts;
}

std::optional<KeyAttribute> KeyAttributeOf(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const std::string name(text.substr(1));
  switch (text.front()) {
    case 'S':
      return KeyAttribute{.name = name, .type = value::Type::kS};
    case 'N':
      return KeyAttribute{.name = name, .type = value::Type::kN};
    case 'B':
      return KeyAttribute{.name = name, .type = value::Type::kB};
    default:
      return std::nullopt;
  }
}

class FieldWriter {
 public:
  void Integer(std::string_view name, std::int64_t integer, std::int64_t otherwise = 0) {
    if (integer != otherwise) Optional(name, integer);
  }
  void Optional(std::string_view name, std::optional<std::int64_t> integer) {
    if (integer) value::AppendNumber(Add(name), value::Number::FromInteger(*integer));
  }
  template <typename E>
  void Enum(std::string_view name, E enumerator) {
    Integer(name, static_cast<std::int64_t>(enumerator));
  }
  void Bool(std::string_view name, bool boolean) {
    if (boolean) value::AppendBool(Add(name), boolean);
  }
  void Text(std::string_view name, std::string_view text) {
    if (!text.empty()) value::AppendString(Add(name), text);
  }
  void Binary(std::string_view name, std::string_view bytes) {
    if (!bytes.empty()) value::AppendBinary(Add(name), bytes);
  }
  void Texts(std::string_view name, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    std::string& out = Add(name);
    const std::size_t place = value::BeginContainer(out, value::Type::kL);
    for (const std::string& text : texts)
      value::AppendString(out, text);
    value::EndContainer(out, place, static_cast<std::uint32_t>(texts.size()));
  }
  void Map(std::string_view name, const FieldWriter& fields) { fields.AppendMapTo(Add(name)); }
  void Maps(std::string_view name, const std::vector<FieldWriter>& maps) {
    if (maps.empty()) return;
    std::string& out = Add(name);
    const std::size_t place = value::BeginContainer(out, value::Type::kL);
    for (const FieldWriter& fields : maps)
      fields.AppendMapTo(out);
    value::EndContainer(out, place, static_cast<std::uint32_t>(maps.size()));
  }

  void AppendMapTo(std::string& out) const { Builder().AppendMapTo(out); }
  [[nodiscard]] value::Item ToItem() const { return Builder().Finish(); }

 private:
  std::string& Add(std::string_view name) {
    fields_.emplace_back(name, std::string());
    return fields_.back().second;
  }
  [[nodiscard]] value::ItemBuilder Builder() const {
    value::ItemBuilder builder;
    for (const auto& [name, encoded] : fields_)
      builder.Add(name, encoded);
    return builder;
  }

  std::vector<std::pair<std::string, std::string>> fields_;
};

// Reads the fields of an item or a map that CheckItem has accepted. A field that is not what it
// should be gives its default and makes `is_damaged` true.
class FieldReader {
 public:
  FieldReader(value::AttributeRange attributes, bool& is_damaged) : is_damaged_(is_damaged) {
    for (const value::AttributeView attribute : attributes) {
      fields_.emplace(attribute.name, attribute.value);
    }
  }

  [[nodiscard]] std::int64_t Integer(std::string_view name, std::int64_t otherwise = 0) const {
    return Optional(name).value_or(otherwise);
  }
  [[nodiscard]] std::optional<std::int64_t> Optional(std::string_view name) const {
    const auto field = Find(name, value::Type::kN);
    if (!field) return std::nullopt;
    const std::string text = value::NumberText(field->number());
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (error != std::errc() || end != text.data() + text.size()) is_damaged_ = true;
    return integer;
  }
  template <typename E>
  [[nodiscard]] E Enum(std::string_view name, E last) const {
    const std::int64_t integer = Integer(name);
    if (integer >= 0 && integer <= static_cast<std::int64_t>(last)) return static_cast<E>(integer);
    is_damaged_ = true;
    return E{};
  }
  template <typename Id>
  [[nodiscard]] Id ReadId(std::string_view name) const {
    return Enum(name, static_cast<Id>(std::numeric_limits<std::uint32_t>::max()));
  }
  [[nodiscard]] bool Bool(std::string_view name) const {
    const auto field = Find(name, value::Type::kBool);
    return field && field->boolean();
  }
  [[nodiscard]] std::string Text(std::string_view name) const {
    const auto field = Find(name, value::Type::kS);
    return field ? std::string(field->text()) : std::string();
  }
  [[nodiscard]] std::string Binary(std::string_view name) const {
    const auto field = Find(name, value::Type::kB);
    return field ? std::string(field->text()) : std::string();
  }
  [[nodiscard]] std::vector<std::string> Texts(std::string_view name) const {
    std::vector<std::string> texts;
    for (const value::ValueView element : Elements(name, value::Type::kS)) {
      texts.emplace_back(element.text());
    }
    return texts;
  }
  [[nodiscard]] std::optional<KeyAttribute> Key(std::string_view name) const {
    const auto field = Find(name, value::Type::kS);
    return field ? Checked(KeyAttributeOf(field->text())) : std::nullopt;
  }
  [[nodiscard]] std::vector<KeyAttribute> Keys(std::string_view name) const {
    std::vector<KeyAttribute> keys;
    for (const value::ValueView element : Elements(name, value::Type::kS)) {
      if (auto key = Checked(KeyAttributeOf(element.text()))) keys.push_back(*std::move(key));
    }
    return keys;
  }
  [[nodiscard]] std::optional<FieldReader> Map(std::string_view name) const {
    const auto field = Find(name, value::Type::kM);
    if (!field) return std::nullopt;
    return FieldReader(value::AttributeRange(field->contents()), is_damaged_);
  }
  [[nodiscard]] std::vector<FieldReader> Maps(std::string_view name) const {
    std::vector<FieldReader> maps;
    for (const value::ValueView element : Elements(name, value::Type::kM)) {
      maps.push_back(FieldReader(value::AttributeRange(element.contents()), is_damaged_));
    }
    return maps;
  }

 private:
  [[nodiscard]] std::optional<value::ValueView> Find(std::string_view name,
                                                     value::Type type) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) return std::nullopt;
    if (found->second.type() == type) return found->second;
    is_damaged_ = true;
    return std::nullopt;
  }
  [[nodiscard]] std::vector<value::ValueView> Elements(std::string_view name,
                                                       value::Type type) const {
    std::vector<value::ValueView> elements;
    const auto field = Find(name, value::Type::kL);
    if (!field) return elements;
    std::string_view rest = field->contents();
    while (!rest.empty()) {
      const value::ValueView element = value::TakeValue(rest);
      if (element.type() == type) {
        elements.push_back(element);
      } else {
        is_damaged_ = true;
      }
    }
    return elements;
  }

  [[nodiscard]] std::optional<KeyAttribute> Checked(std::optional<KeyAttribute> key) const {
    if (!key) is_damaged_ = true;
    return key;
  }

  std::map<std::string_view, value::ValueView> fields_;
  bool& is_damaged_;
};

void WriteThroughput(FieldWriter& fields, const ProvisionedThroughput& throughput) {
  fields.Integer("rcu", throughput.read_capacity_units);
  fields.Integer("wcu", throughput.write_capacity_units);
  fields.Integer("inc", throughput.last_increase_unix_ms);
  fields.Integer("dec", throughput.last_decrease_unix_ms);
  fields.Integer("decs", throughput.decreases_today);
}

ProvisionedThroughput ReadThroughput(const FieldReader& fields) {
  return {.read_capacity_units = fields.Integer("rcu"),
          .write_capacity_units = fields.Integer("wcu"),
          .last_increase_unix_ms = fields.Integer("inc"),
          .last_decrease_unix_ms = fields.Integer("dec"),
          .decreases_today = fields.Integer("decs")};
}

void WriteOptionalThroughput(FieldWriter& fields,
                             const std::optional<OnDemandThroughput>& on_demand,
                             const std::optional<WarmThroughput>& warm) {
  if (on_demand) {
    FieldWriter units;
    units.Optional("r", on_demand->max_read_request_units);
    units.Optional("w", on_demand->max_write_request_units);
    fields.Map("odt", units);
  }
  if (warm) {
    FieldWriter units;
    units.Optional("r", warm->read_units_per_second);
    units.Optional("w", warm->write_units_per_second);
    fields.Map("warm", units);
  }
}

std::optional<OnDemandThroughput> ReadOnDemand(const FieldReader& fields) {
  const auto units = fields.Map("odt");
  if (!units) return std::nullopt;
  return OnDemandThroughput{.max_read_request_units = units->Optional("r"),
                            .max_write_request_units = units->Optional("w")};
}

std::optional<WarmThroughput> ReadWarm(const FieldReader& fields) {
  const auto units = fields.Map("warm");
  if (!units) return std::nullopt;
  return WarmThroughput{.read_units_per_second = units->Integer("r"),
                        .write_units_per_second = units->Integer("w")};
}

FieldWriter WriteIndex(const IndexSchema& index) {
  FieldWriter fields;
  fields.Enum("id", index.id);
  fields.Text("name", index.name);
  fields.Bool("local", !index.is_global);
  fields.Texts("hash", TextsOf(index.partition));
  fields.Texts("range", TextsOf(index.sort));
  fields.Enum("proj", index.projection);
  fields.Texts("incl", index.non_key_attributes);
  fields.Integer("st", static_cast<std::int64_t>(index.status),
                 static_cast<std::int64_t>(IndexStatus::kActive));
  fields.Integer("until", index.status_until_unix_ms);
  fields.Bool("fill", index.is_backfilling);
  fields.Binary("next", index.backfill_next_row);
  WriteThroughput(fields, index.throughput);
  WriteOptionalThroughput(fields, index.on_demand, index.warm);
  return fields;
}

// A status that is left out is ACTIVE, though that is not the enum's first.
template <typename Status>
Status ReadStatus(const FieldReader& fields) {
  const std::int64_t active = static_cast<std::int64_t>(Status::kActive);
  return fields.Integer("st", active) == active ? Status::kActive
                                                : fields.Enum("st", Status::kDeleting);
}

IndexSchema ReadIndex(const FieldReader& fields) {
  return {.id = fields.ReadId<IndexId>("id"),
          .name = fields.Text("name"),
          .is_global = !fields.Bool("local"),
          .partition = fields.Keys("hash"),
          .sort = fields.Keys("range"),
          .projection = fields.Enum("proj", ProjectionType::kInclude),
          .non_key_attributes = fields.Texts("incl"),
          .status = ReadStatus<IndexStatus>(fields),
          .status_until_unix_ms = fields.Integer("until"),
          .is_backfilling = fields.Bool("fill"),
          .backfill_next_row = fields.Binary("next"),
          .throughput = ReadThroughput(fields),
          .on_demand = ReadOnDemand(fields),
          .warm = ReadWarm(fields)};
}

FieldWriter WriteStream(const StreamSchema& stream) {
  FieldWriter fields;
  fields.Enum("id", stream.id);
  fields.Enum("view", stream.view_type);
  fields.Integer("made", stream.created_unix_ms);
  fields.Bool("on", stream.is_enabled);
  return fields;
}

StreamSchema ReadStream(const FieldReader& fields) {
  return {.id = fields.ReadId<StreamId>("id"),
          .view_type = fields.Enum("view", StreamViewType::kNewAndOldImages),
          .created_unix_ms = fields.Integer("made"),
          .is_enabled = fields.Bool("on")};
}

FieldWriter WriteTimeToLive(const TimeToLive& time_to_live) {
  FieldWriter fields;
  fields.Text("attr", time_to_live.attribute);
  fields.Bool("on", time_to_live.is_enabled);
  fields.Integer("until", time_to_live.status_until_unix_ms);
  fields.Enum("id", time_to_live.id);
  fields.Bool("fill", time_to_live.is_backfilling);
  fields.Binary("next", time_to_live.backfill_next_row);
  return fields;
}

TimeToLive ReadTimeToLive(const FieldReader& fields) {
  return {.attribute = fields.Text("attr"),
          .is_enabled = fields.Bool("on"),
          .status_until_unix_ms = fields.Integer("until"),
          .id = fields.ReadId<ExpiryId>("id"),
          .is_backfilling = fields.Bool("fill"),
          .backfill_next_row = fields.Binary("next")};
}

void WriteTags(FieldWriter& fields, const TableSchema& schema) {
  std::vector<FieldWriter> tags;
  for (const auto& [key, value] : schema.tags) {
    FieldWriter& tag = tags.emplace_back();
    tag.Text("k", key);
    tag.Text("v", value);
  }
  fields.Maps("tags", tags);
}

// What every table has, and what the rest of the engine takes for granted.
bool IsSound(const TableSchema& schema) {
  const bool indexes_are_sound = std::ranges::all_of(schema.indexes, [](const IndexSchema& index) {
    const std::size_t keys_max = index.is_global ? kIndexKeyAttributesMax : 1;
    return !index.name.empty() && !index.partition.empty() && index.partition.size() <= keys_max &&
           index.sort.size() <= keys_max && (index.is_global || !index.sort.empty());
  });
  return indexes_are_sound && !schema.name.empty() && !schema.partition.name.empty();
}

}  // namespace

bool IndexSchema::IsKeyAttribute(std::string_view attribute) const {
  const auto has_name = [attribute](const KeyAttribute& key) { return key.name == attribute; };
  return std::ranges::any_of(partition, has_name) || std::ranges::any_of(sort, has_name);
}

const IndexSchema* TableSchema::FindIndex(std::string_view index_name) const {
  const auto found = std::ranges::find(indexes, index_name, &IndexSchema::name);
  return found == indexes.end() ? nullptr : &*found;
}

bool TableSchema::HasLocalIndexes() const {
  return std::ranges::any_of(indexes, [](const IndexSchema& index) { return !index.is_global; });
}

value::Item EncodeSchema(const TableSchema& schema) {
  CHECK(IsSound(schema), "a table without a name or a key");
  FieldWriter fields;
  fields.Enum("id", schema.id);
  fields.Text("uuid", schema.uuid);
  fields.Text("name", schema.name);
  fields.Text("hash", TextOf(schema.partition));
  if (schema.sort) fields.Text("range", TextOf(*schema.sort));
  fields.Texts("attrs", TextsOf(schema.attribute_definitions));
  std::vector<FieldWriter> indexes;
  for (const IndexSchema& index : schema.indexes)
    indexes.push_back(WriteIndex(index));
  fields.Maps("idx", indexes);

  fields.Integer("st", static_cast<std::int64_t>(schema.status),
                 static_cast<std::int64_t>(TableStatus::kActive));
  fields.Integer("until", schema.status_until_unix_ms);
  fields.Integer("made", schema.created_unix_ms);

  fields.Enum("bill", schema.billing_mode);
  fields.Bool("bsum", schema.has_billing_summary);
  fields.Integer("bmade", schema.billing_changed_unix_ms);
  WriteThroughput(fields, schema.throughput);
  WriteOptionalThroughput(fields, schema.on_demand, schema.warm);
  // STANDARD said aloud is described, unlike STANDARD by default.
  if (schema.table_class) fields.Optional("class", static_cast<std::int64_t>(*schema.table_class));
  fields.Integer("cmade", schema.table_class_changed_unix_ms);
  fields.Bool("prot", schema.deletion_protection);
  if (schema.sse_kms_key) {
    FieldWriter sse;
    sse.Text("key", *schema.sse_kms_key);
    fields.Map("sse", sse);
  }
  if (schema.stream) fields.Map("stream", WriteStream(*schema.stream));
  if (schema.time_to_live) fields.Map("ttl", WriteTimeToLive(*schema.time_to_live));
  WriteTags(fields, schema);
  return fields.ToItem();
}

Result<TableSchema> DecodeSchema(std::string_view bytes) {
  TRY(value::CheckItem(bytes));
  bool is_damaged = false;
  const FieldReader fields(value::ItemView(bytes).attributes(), is_damaged);

  TableSchema schema;
  schema.id = fields.ReadId<TableId>("id");
  schema.uuid = fields.Text("uuid");
  schema.name = fields.Text("name");
  schema.partition = fields.Key("hash").value_or(KeyAttribute());
  schema.sort = fields.Key("range");
  schema.attribute_definitions = fields.Keys("attrs");
  for (const FieldReader& index : fields.Maps("idx"))
    schema.indexes.push_back(ReadIndex(index));

  schema.status = ReadStatus<TableStatus>(fields);
  schema.status_until_unix_ms = fields.Integer("until");
  schema.created_unix_ms = fields.Integer("made");

  schema.billing_mode = fields.Enum("bill", BillingMode::kPayPerRequest);
  schema.has_billing_summary = fields.Bool("bsum");
  schema.billing_changed_unix_ms = fields.Integer("bmade");
  schema.throughput = ReadThroughput(fields);
  schema.on_demand = ReadOnDemand(fields);
  schema.warm = ReadWarm(fields);
  if (fields.Optional("class")) {
    schema.table_class = fields.Enum("class", TableClass::kStandardInfrequentAccess);
  }
  schema.table_class_changed_unix_ms = fields.Integer("cmade");
  schema.deletion_protection = fields.Bool("prot");
  if (const auto sse = fields.Map("sse")) schema.sse_kms_key = sse->Text("key");
  if (const auto stream = fields.Map("stream")) schema.stream = ReadStream(*stream);
  if (const auto ttl = fields.Map("ttl")) schema.time_to_live = ReadTimeToLive(*ttl);
  for (const FieldReader& tag : fields.Maps("tags")) {
    schema.tags.emplace_back(tag.Text("k"), tag.Text("v"));
  }

  if (is_damaged || !IsSound(schema)) {
    return CorruptionError("The catalogue row of a table is damaged");
  }
  return schema;
}

}  // namespace trestle::engine
