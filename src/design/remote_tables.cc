#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "design/remote_tables_internal.h"

namespace trestle::design {
namespace {

// The service's words, in the order of the enums.
constexpr std::array<std::string_view, 3> kTypeNames = {"S", "N", "B"};
constexpr std::array<std::string_view, 3> kProjectionNames = {"ALL", "KEYS_ONLY", "INCLUDE"};
constexpr std::array<std::string_view, 5> kViewNames = {"", "KEYS_ONLY", "OLD_IMAGE", "NEW_IMAGE",
                                                        "NEW_AND_OLD_IMAGES"};

template <typename Enum, std::size_t kSize>
std::string WordOf(const std::array<std::string_view, kSize>& words, Enum value) {
  return std::string(words.at(static_cast<std::size_t>(value)));
}

// The first of the enum for a word that is not known.
template <typename Enum, std::size_t kSize>
Enum ValueOf(const std::array<std::string_view, kSize>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  return found == words.end() ? Enum{} : static_cast<Enum>(found - words.begin());
}

std::optional<remote::Throughput> ThroughputOf(
    const std::optional<std::pair<std::int64_t, std::int64_t>>& provisioned) {
  if (!provisioned) return std::nullopt;
  return remote::Throughput{.read_units = provisioned->first, .write_units = provisioned->second};
}

std::map<std::string, std::string> TypesOf(const std::map<std::string, KeyType>& types) {
  std::map<std::string, std::string> words;
  for (const auto& [attribute, type] : types)
    words.emplace(attribute, WordOf(kTypeNames, type));
  return words;
}

remote::IndexDescription DescriptionOf(const IndexSettings& index) {
  return {.name = index.name,
          .is_local = index.is_local,
          .keys = {.partition_key = index.partition_key, .sort_key = index.sort_key},
          .projection_type = WordOf(kProjectionNames, index.projection),
          .non_key_attributes = index.include,
          .status = {}};
}

IndexSettings SettingsOf(const remote::IndexDescription& index) {
  return {.name = index.name,
          .is_local = index.is_local,
          .partition_key = index.keys.partition_key,
          .sort_key = index.keys.sort_key,
          .projection = ValueOf<IndexSettings::Projection>(kProjectionNames, index.projection_type),
          .include = index.non_key_attributes,
          .is_active = index.status.empty() || index.status == "ACTIVE"};
}

// The service's own key needs no word; the account's key is what "KMS" means without one.
std::string SseTypeOf(TableSettings::Encryption encryption) {
  return encryption == TableSettings::Encryption::kAwsOwned ? "" : "KMS";
}

Status Start(remote::Client& client, const TableSettings& settings, const SetBilling& step) {
  return remote::UpdateTable(client, settings.name,
                             remote::BillingUpdate{.provisioned = ThroughputOf(step.provisioned),
                                                   .indexes = step.indexes});
}

Status Start(remote::Client& client, const TableSettings& settings, const SetStream& step) {
  return remote::UpdateTable(client, settings.name,
                             remote::StreamUpdate{WordOf(kViewNames, step.images)});
}

Status Start(remote::Client& client, const TableSettings& settings, const SetTimeToLive& step) {
  return remote::UpdateTimeToLive(client, settings.name, step.attribute, step.is_enabled);
}

Status Start(remote::Client& client, const TableSettings& settings, const RemoveIndex& step) {
  return remote::UpdateTable(client, settings.name, remote::IndexDeletion{step.name});
}

Status Start(remote::Client& client, const TableSettings& settings, const AddIndex& step) {
  return remote::UpdateTable(
      client, settings.name,
      remote::IndexCreation{.index = DescriptionOf(step.index),
                            .attribute_types = TypesOf(KeyTypesOf(settings, {{step.index}})),
                            .provisioned = ThroughputOf(settings.provisioned)});
}

Status Start(remote::Client& client, const TableSettings& settings,
             const SetPointInTimeRecovery& step) {
  return remote::UpdatePointInTimeRecovery(client, settings.name, step.is_enabled);
}

Status Start(remote::Client& client, const TableSettings& settings, const SetEncryption& step) {
  return remote::UpdateTable(
      client, settings.name,
      remote::EncryptionUpdate{.sse_type = SseTypeOf(step.encryption), .kms_key = step.kms_key});
}

}  // namespace

TableSettings SettingsOf(const remote::TableDescription& table) {
  TableSettings settings;
  settings.name = table.name;
  settings.partition_key = table.keys.partition_key;
  settings.sort_key = table.keys.sort_key;
  for (const auto& [attribute, type] : table.attribute_types)
    settings.key_types.emplace(attribute, ValueOf<KeyType>(kTypeNames, type));
  settings.is_active = table.status == "ACTIVE";
  for (const remote::IndexDescription& index : table.indexes) {
    settings.indexes.push_back(SettingsOf(index));
    settings.is_active = settings.is_active && settings.indexes.back().is_active;
  }
  if (table.provisioned) {
    settings.provisioned = {table.provisioned->read_units, table.provisioned->write_units};
  }
  settings.stream = ValueOf<StreamImages>(kViewNames, table.stream_view_type);
  if (!table.sse_type.empty()) settings.encryption = TableSettings::Encryption::kKms;
  settings.kms_key = table.kms_key;
  return settings;
}

remote::TableDescription DescriptionOf(const TableSettings& settings) {
  remote::TableDescription table;
  table.name = settings.name;
  table.keys = {.partition_key = settings.partition_key, .sort_key = settings.sort_key};
  table.attribute_types = TypesOf(KeyTypesOf(settings, settings.indexes));
  for (const IndexSettings& index : settings.indexes)
    table.indexes.push_back(DescriptionOf(index));
  table.provisioned = ThroughputOf(settings.provisioned);
  table.stream_view_type = WordOf(kViewNames, settings.stream);
  table.sse_type = SseTypeOf(settings.encryption);
  table.kms_key = settings.kms_key;
  return table;
}

Status StartStep(remote::Client& client, const TableSettings& settings, const TableStep& step) {
  return std::visit([&](const auto& it) { return Start(client, settings, it); }, step);
}

}  // namespace trestle::design
