#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "design/resolve_internal.h"
#include "design/syntax/template_text.h"

// The table and its settings.

namespace trestle::design {
namespace {

void CheckParameters(const Resolving& in, const syntax::Template& source) {
  std::vector<std::string> candidates;
  candidates.reserve(in.model.parameters.size());
  for (const DesignParameter& parameter : in.model.parameters)
    candidates.push_back(parameter.name);
  for (const auto& part : source.parts) {
    const auto* placeholder = std::get_if<syntax::Placeholder>(&part);
    if (placeholder == nullptr) continue;
    const std::string name = syntax::PathText(placeholder->path);
    if (std::ranges::find(candidates, name) != candidates.end()) continue;
    AddUnknown(in.diagnostics, "K1", placeholder->path.position, name, "a param of the design",
               candidates);
  }
}

struct Settings {
  const Resolving& in;
  Position position;
  Table& table;

  void operator()(const syntax::TableKey& key) const {
    table.partition_key = key.partition_key.text;
    table.sort_key = key.sort_key ? key.sort_key->text : "";
    if (table.partition_key == table.sort_key) {
      AddError(in.diagnostics, "N2", key.sort_key->position,
               fmt::format("`{}` is both keys of the table", table.sort_key));
    }
  }
  void operator()(const syntax::Discriminate& by) const {
    table.discriminator = by.attribute ? by.attribute->text : "";
  }
  void operator()(const syntax::Timestamps& timestamps) const {
    table.precision = timestamps.precision;
  }
  void operator()(const syntax::OnDemandBilling& billing) const { table.billing = billing; }
  void operator()(const syntax::ProvisionedBilling& billing) const { table.billing = billing; }
  void operator()(const syntax::PointInTimeRecovery& recovery) const {
    table.point_in_time_recovery = recovery.setting == syntax::Switch::kOn;
  }
  void operator()(const syntax::ServiceEncryption& encryption) const {
    table.encryption = encryption;
  }
  void operator()(const syntax::KmsEncryption& encryption) const {
    if (encryption.key) CheckParameters(in, *encryption.key);
    table.encryption = encryption;
  }
  void operator()(const syntax::TimeToLive& ttl) const {
    table.time_to_live = ttl.attribute ? ttl.attribute->text : "";
  }
  void operator()(const syntax::Stream& stream) const { table.stream = stream.view; }
  void operator()(const syntax::Separator& separator) const {
    if (separator.text.text.empty()) {
      AddError(in.diagnostics, "N5", separator.text.position, "a separator is not empty");
      return;
    }
    table.separator = separator.text.text;
  }
  void operator()(const syntax::Lock& lock) const { table.lock = lock.attribute.text; }
  void operator()(const syntax::TableIndex& declared) const {
    const bool is_known = std::ranges::any_of(
        table.indexes, [&](const Index& it) { return it.name == declared.name.text; });
    if (is_known) {
      AddError(in.diagnostics, "N2", declared.name.position,
               fmt::format("`{}` is declared a second time", declared.name.text));
      return;
    }
    Index& index = table.indexes.emplace_back();
    index.name = declared.name.text;
    index.position = declared.name.position;
    index.partition_key = declared.key.partition_key.text;
    index.sort_key = declared.key.sort_key ? declared.key.sort_key->text : "";
    index.is_local = declared.local;
    index.projection = declared.projection;
  }
};

void CheckLocalIndexes(const Resolving& in) {
  for (const Index& index : in.model.table.indexes) {
    if (!index.is_local || index.partition_key == in.model.table.partition_key) continue;
    AddError(in.diagnostics, "N3", index.position,
             fmt::format("the local index `{}` must have the table's partition key `{}`",
                         index.name, in.model.table.partition_key),
             fmt::format("index {} ({}, {}) local", index.name, in.model.table.partition_key,
                         index.sort_key.empty() ? "sortKey" : index.sort_key));
  }
}

// A setting of one kind stands once; indexes may be many.
void CheckRepeatedSettings(const Resolving& in, const syntax::Table& table) {
  std::array<bool, std::variant_size_v<syntax::TableSetting>> seen{};
  for (const auto& setting : table.settings.statements) {
    if (std::holds_alternative<syntax::TableIndex>(setting.content)) continue;
    bool& is_seen = seen[setting.content.index()];
    if (is_seen)
      AddError(in.diagnostics, "N2", setting.position, "this setting is given a second time");
    is_seen = true;
  }
}

}  // namespace

bool ResolveTable(const Resolving& in) {
  const auto statements = StatementsOf<syntax::Table>(in.tree);
  if (statements.empty()) {
    AddError(in.diagnostics, "N4", in.tree.header.position, "the design has no table",
             fmt::format("table \"{}\" {{ key pk, sk }}", in.model.name));
    return false;
  }
  for (std::size_t i = 1; i < statements.size(); ++i)
    AddError(in.diagnostics, "N2", statements[i]->position, "a design has one table");

  const auto& tree = std::get<syntax::Table>(statements.front()->content);
  Table& table = in.model.table;
  table.position = statements.front()->position;
  for (const auto& setting : tree.settings.statements)
    std::visit(Settings{in, setting.position, table}, setting.content);
  CheckRepeatedSettings(in, tree);
  CheckParameters(in, tree.name);
  table.name = KeyTemplate(tree.name, table.separator);
  if (table.partition_key.empty()) {
    AddError(in.diagnostics, "N4", table.position, "the table has no key", "key pk, sk");
    return false;
  }
  CheckLocalIndexes(in);
  return true;
}

}  // namespace trestle::design
