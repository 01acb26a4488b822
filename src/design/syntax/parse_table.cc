#include <optional>
#include <string>

#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

Result<TableKey> ReadKeyNames(TokenReader& reader) {
  TableKey key;
  key.partition_key = TRY(ReadName(reader, "the name of the partition key"));
  if (reader.TakeSign(",")) key.sort_key = TRY(ReadName(reader, "the name of the sort key"));
  return key;
}

Result<Discriminate> ReadDiscriminate(TokenReader& reader) {
  Discriminate setting;
  TRY(reader.ExpectWord("by"));
  if (reader.TakeWord("key")) return setting;
  TRY(reader.ExpectWord("attribute"));
  setting.attribute = TRY(ReadName(reader, "the name of an attribute"));
  return setting;
}

Result<Timestamps> ReadTimestamps(TokenReader& reader) {
  return Timestamps{TRY(ReadWord<Precision>(reader, "a precision"))};
}

Result<TableSetting> ReadBilling(TokenReader& reader) {
  if (reader.TakeWord("on_demand")) return TableSetting(OnDemandBilling{});
  if (!reader.TakeWord("provisioned")) {
    constexpr auto kModes = Words("on_demand", "provisioned");
    return reader.UnknownWord("a way of billing", kModes);
  }
  ProvisionedBilling billing;
  billing.read_units = TRY(ReadCount(reader, "the read units"));
  TRY(reader.ExpectWord("read"));
  billing.write_units = TRY(ReadCount(reader, "the write units"));
  TRY(reader.ExpectWord("write"));
  return TableSetting(billing);
}

Result<PointInTimeRecovery> ReadPointInTimeRecovery(TokenReader& reader) {
  return PointInTimeRecovery{TRY(ReadWord<Switch>(reader, "a setting of pitr"))};
}

Result<TableSetting> ReadEncryption(TokenReader& reader) {
  if (const auto key = FromWord<ServiceKey>(reader.current().text)) {
    reader.Take();
    return TableSetting(ServiceEncryption{*key});
  }
  if (!reader.TakeWord("kms")) {
    constexpr auto kKeys = Words("aws_owned", "aws_managed", "kms");
    return reader.UnknownWord("a way of encryption", kKeys);
  }
  KmsEncryption encryption;
  if (reader.At(TokenKind::kText)) encryption.key = TRY(ReadTemplate(reader));
  return TableSetting(std::move(encryption));
}

Result<TimeToLive> ReadTimeToLive(TokenReader& reader) {
  TimeToLive setting;
  if (reader.TakeWord("off")) return setting;
  setting.attribute = TRY(ReadName(reader, "the name of an attribute, or `off`"));
  return setting;
}

Result<Stream> ReadStream(TokenReader& reader) {
  return Stream{TRY(ReadWord<StreamView>(reader, "a view of a stream"))};
}

Result<Separator> ReadSeparator(TokenReader& reader) {
  return Separator{TRY(ReadText(reader, "a separator in quotes"))};
}

Result<Lock> ReadLock(TokenReader& reader) {
  return Lock{TRY(ReadName(reader, "the name of an attribute"))};
}

Result<Projection> ReadProjection(TokenReader& reader) {
  if (reader.TakeWord("all")) return Projection(ProjectAll{});
  if (reader.TakeWord("keys")) return Projection(ProjectKeys{});
  if (reader.TakeWord("include")) {
    return Projection(ProjectInclude{TRY(ReadNamesInParentheses(reader))});
  }
  constexpr auto kProjections = Words("all", "keys", "include");
  return reader.UnknownWord("a projection", kProjections);
}

Result<TableIndex> ReadIndex(TokenReader& reader) {
  TableIndex index;
  index.name = TRY(ReadName(reader, "the name of the index"));
  TRY(reader.ExpectSign("("));
  index.key = TRY(ReadKeyNames(reader));
  TRY(reader.ExpectSign(")"));
  index.local = reader.TakeWord("local");
  TRY(reader.ExpectWord("project"));
  index.projection = TRY(ReadProjection(reader));
  return index;
}

constexpr Form<TableSetting> kSettings[] = {
    {"key", Into<TableSetting, ReadKeyNames>},
    {"discriminate", Into<TableSetting, ReadDiscriminate>},
    {"timestamps", Into<TableSetting, ReadTimestamps>},
    {"billing", ReadBilling},
    {"pitr", Into<TableSetting, ReadPointInTimeRecovery>},
    {"encryption", ReadEncryption},
    {"ttl", Into<TableSetting, ReadTimeToLive>},
    {"stream", Into<TableSetting, ReadStream>},
    {"separator", Into<TableSetting, ReadSeparator>},
    {"lock", Into<TableSetting, ReadLock>},
    {"index", Into<TableSetting, ReadIndex>},
};

Result<TableSetting> ReadSetting(TokenReader& reader) {
  return ReadForm(reader, "a setting of a table", kSettings);
}

Status ReadHeader(TokenReader& reader, Table& table) {
  table.name = TRY(ReadTemplate(reader));
  return Ok();
}

}  // namespace

Result<Table> ReadTable(TokenReader& reader) {
  Table table;
  const Status header = ReadHeader(reader, table);
  table.settings = TRY(ReadBody<TableSetting>(reader, header, ReadSetting));
  return table;
}

}  // namespace trestle::design::syntax
