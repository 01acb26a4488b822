#include <fmt/format.h>

#include "design/syntax/printer_internal.h"

namespace trestle::design::syntax {
namespace {

std::string PrintKeyNames(const TableKey& it) {
  return it.partition_key.text + (it.sort_key ? ", " + it.sort_key->text : "");
}

struct ProjectionPrinter {
  std::string operator()(const ProjectAll&) const { return "all"; }
  std::string operator()(const ProjectKeys&) const { return "keys"; }
  std::string operator()(const ProjectInclude& it) const {
    return fmt::format("include ({})", PrintNames(it.attributes));
  }
};

struct SettingPrinter {
  std::string operator()(const TableKey& it) const { return "key " + PrintKeyNames(it); }
  std::string operator()(const Discriminate& it) const {
    return it.attribute ? "discriminate by attribute " + it.attribute->text : "discriminate by key";
  }
  std::string operator()(const Timestamps& it) const {
    return fmt::format("timestamps {}", WordOf(it.precision));
  }
  std::string operator()(const OnDemandBilling&) const { return "billing on_demand"; }
  std::string operator()(const ProvisionedBilling& it) const {
    return fmt::format("billing provisioned {} read {} write", it.read_units, it.write_units);
  }
  std::string operator()(const PointInTimeRecovery& it) const {
    return fmt::format("pitr {}", WordOf(it.setting));
  }
  std::string operator()(const ServiceEncryption& it) const {
    return fmt::format("encryption {}", WordOf(it.key));
  }
  std::string operator()(const KmsEncryption& it) const {
    return it.key ? "encryption kms " + Print(*it.key) : "encryption kms";
  }
  std::string operator()(const TimeToLive& it) const {
    return "ttl " + (it.attribute ? it.attribute->text : "off");
  }
  std::string operator()(const Stream& it) const {
    return fmt::format("stream {}", WordOf(it.view));
  }
  std::string operator()(const Separator& it) const { return "separator " + Print(it.text); }
  std::string operator()(const Lock& it) const { return "lock " + it.attribute.text; }
  std::string operator()(const TableIndex& it) const {
    return fmt::format("index {} ({}){} project {}", it.name.text, PrintKeyNames(it.key),
                       it.local ? " local" : "", std::visit(ProjectionPrinter{}, it.projection));
  }
};

}  // namespace

void PrintStatement(LinePrinter& out, const Table& it) {
  out.Add("table " + Print(it.name));
  out.AddBlock(it.settings, [&](const auto& settings) {
    PrintStatements<TableSetting>(out, settings, [&](const TableSetting& setting) {
      out.Add(std::visit(SettingPrinter{}, setting));
    });
  });
}

}  // namespace trestle::design::syntax
