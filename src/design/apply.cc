#include "design/apply.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "design/table_plan.h"

namespace trestle::design {
namespace {

std::string KeyText(const std::string& partition_key, const std::string& sort_key) {
  if (sort_key.empty()) return fmt::format("partition key {}", partition_key);
  return fmt::format("partition key {} and sort key {}", partition_key, sort_key);
}

std::string ProjectionText(const IndexSettings& index) {
  switch (index.projection) {
    case IndexSettings::Projection::kAll:
      return "all attributes";
    case IndexSettings::Projection::kKeys:
      return "keys only";
    case IndexSettings::Projection::kInclude:
      return fmt::format("keys and {}", fmt::join(index.include, ", "));
  }
  UNREACHABLE("a projection that is not in the enum");
}

std::string_view ImagesText(StreamImages images) {
  switch (images) {
    case StreamImages::kNone:
      return "nothing";
    case StreamImages::kKeys:
      return "keys only";
    case StreamImages::kOld:
      return "old images";
    case StreamImages::kNew:
      return "new images";
    case StreamImages::kNewAndOld:
      return "new and old images";
  }
  UNREACHABLE("images that are not in the enum");
}

std::string BillingText(const std::optional<std::pair<std::int64_t, std::int64_t>>& provisioned) {
  if (!provisioned) return "on demand";
  return fmt::format("for {} read and {} write units", provisioned->first, provisioned->second);
}

std::string EncryptionText(TableSettings::Encryption encryption, const std::string& kms_key) {
  switch (encryption) {
    case TableSettings::Encryption::kAwsOwned:
      return "a key that AWS owns";
    case TableSettings::Encryption::kAwsManaged:
      return "the account's key that AWS manages";
    case TableSettings::Encryption::kKms:
      return kms_key.empty() ? "the account's key" : fmt::format("the KMS key {}", kms_key);
  }
  UNREACHABLE("a key that is not in the enum");
}

std::string Sentence(const SetBilling& step) {
  return fmt::format("Bills the table {}", BillingText(step.provisioned));
}
std::string Sentence(const SetStream& step) {
  if (step.images == StreamImages::kNone) return "Turns the stream off";
  return fmt::format("Turns the stream on, with {}", ImagesText(step.images));
}
std::string Sentence(const SetTimeToLive& step) {
  return step.is_enabled ? fmt::format("Lets items expire by {}", step.attribute)
                         : fmt::format("Lets items no longer expire by {}", step.attribute);
}
std::string Sentence(const RemoveIndex& step) {
  return fmt::format("Removes the index {}", step.name);
}
std::string Sentence(const AddIndex& step) {
  return fmt::format("Builds the index {} on {}, with {}", step.index.name,
                     KeyText(step.index.partition_key, step.index.sort_key),
                     ProjectionText(step.index));
}
std::string Sentence(const SetPointInTimeRecovery& step) {
  return fmt::format("Turns point-in-time recovery {}", step.is_enabled ? "on" : "off");
}
std::string Sentence(const SetEncryption& step) {
  return fmt::format("Encrypts the table with {}", EncryptionText(step.encryption, step.kms_key));
}

// What the back end does not have is no change of the table.
bool IsGiven(const TableStep& step, const BackendFeatures& features) {
  if (std::holds_alternative<SetPointInTimeRecovery>(step)) {
    return features.has_point_in_time_recovery;
  }
  if (std::holds_alternative<SetEncryption>(step)) return features.has_encryption_at_rest;
  return true;
}

void AddSentences(const std::vector<TableStep>& steps, const BackendFeatures& features,
                  std::vector<std::string>& sentences) {
  for (const TableStep& step : steps) {
    if (!IsGiven(step, features)) continue;
    sentences.push_back(std::visit([](const auto& it) { return Sentence(it); }, step));
  }
}

// A new table is one that has nothing but its keys, and then all the rest.
std::vector<std::string> DescribeCreation(const TableSettings& wanted,
                                          const BackendFeatures& features) {
  std::vector<std::string> sentences = {
      fmt::format("Creates the table {} with {}, billed {}", wanted.name,
                  KeyText(wanted.partition_key, wanted.sort_key), BillingText(wanted.provisioned))};
  TableSettings bare;
  bare.name = wanted.name;
  bare.partition_key = wanted.partition_key;
  bare.sort_key = wanted.sort_key;
  bare.key_types = wanted.key_types;
  bare.provisioned = wanted.provisioned;
  TableSettings without_local = wanted;
  std::erase_if(without_local.indexes, [](const IndexSettings& index) { return index.is_local; });
  for (const IndexSettings& index : wanted.indexes) {
    if (index.is_local) sentences.push_back(Sentence(AddIndex{index}));
  }
  const auto steps = PlanSteps(bare, without_local);
  CHECK(steps.ok(), "a table that has only keys can get the rest");
  AddSentences(*steps, features, sentences);
  return sentences;
}

// An index under the same name whose keys are others is another index: what reads it would find
// nothing of what was written before.
void RefuseOtherIndexKeys(const TableSettings& current, const TableSettings& wanted,
                          std::vector<std::string>& refusals) {
  for (const IndexSettings& index : wanted.indexes) {
    const auto found = std::ranges::find(current.indexes, index.name, &IndexSettings::name);
    if (found == current.indexes.end()) continue;
    const bool has_same_types = KeyTypesOf(current, {{*found}}) == KeyTypesOf(wanted, {{index}});
    if (found->partition_key == index.partition_key && found->sort_key == index.sort_key &&
        found->is_local == index.is_local && has_same_types) {
      continue;
    }
    refusals.push_back(fmt::format(
        "The index {} has {}; the design keys it otherwise. Give the new index another name, and "
        "remove the old one when nothing reads it any more",
        index.name, KeyText(found->partition_key, found->sort_key)));
  }
}

void RefuseOtherLocalIndexes(const TableSettings& current, const TableSettings& wanted,
                             std::vector<std::string>& refusals) {
  const auto refuse = [&](const TableSettings& has, const TableSettings& lacks,
                          std::string_view who) {
    for (const IndexSettings& index : has.indexes) {
      const auto found = std::ranges::find(lacks.indexes, index.name, &IndexSettings::name);
      if (!index.is_local || found != lacks.indexes.end()) continue;
      refusals.push_back(fmt::format(
          "Only {} has the local index {}, and local indexes are made together with their table",
          who, index.name));
    }
  };
  refuse(current, wanted, "the table");
  refuse(wanted, current, "the design");
}

void RefuseOtherKeys(const TableSettings& current, const TableSettings& wanted,
                     std::vector<std::string>& refusals) {
  if (current.partition_key == wanted.partition_key && current.sort_key == wanted.sort_key &&
      KeyTypesOf(current, {}) == KeyTypesOf(wanted, {})) {
    return;
  }
  refusals.push_back(fmt::format(
      "The table {} has {}; the design's has {}. A table's keys cannot change: the design needs a "
      "table of another name",
      current.name, KeyText(current.partition_key, current.sort_key),
      KeyText(wanted.partition_key, wanted.sort_key)));
}

// What the first rule that follows the stream is about; empty when there is none.
std::string RuleOfTheStream(const Model& model) {
  for (const Entity& entity : model.entities) {
    for (const Relation& relation : entity.relations) {
      if (!relation.copies.empty()) return fmt::format("copies into {}", entity.name);
      if (relation.on_delete == DeleteRule::kCascade || relation.on_delete == DeleteRule::kDetach) {
        return fmt::format("deleted parents of {}", entity.name);
      }
      const auto is_average = [](const Tally& it) { return it.kind == Derived::kAverage; };
      if (std::ranges::any_of(relation.tallies, is_average)) {
        return fmt::format("averages over {}", entity.name);
      }
      if (!model.table.time_to_live.empty() && !relation.tallies.empty()) {
        return fmt::format("expired items of {}", entity.name);
      }
    }
  }
  return {};
}

void RefuseMissingStream(const Model& model, const TableSettings& wanted,
                         std::vector<std::string>& refusals) {
  if (wanted.stream == StreamImages::kNewAndOld) return;
  const std::string rule = RuleOfTheStream(model);
  if (rule.empty()) return;
  refusals.push_back(fmt::format(
      "The design's stream has {}, but its rules about {} follow the stream and need new and old "
      "images",
      ImagesText(wanted.stream), rule));
}

}  // namespace

std::vector<std::string> NotInForce(const TableSettings& wanted, const BackendFeatures& features) {
  std::vector<std::string> sentences;
  if (wanted.point_in_time_recovery && !features.has_point_in_time_recovery) {
    sentences.emplace_back("Point-in-time recovery: this back end has none");
  }
  if (wanted.encryption != TableSettings::Encryption::kAwsOwned &&
      !features.has_encryption_at_rest) {
    sentences.push_back(fmt::format("Encryption with {}: this back end does not encrypt",
                                    EncryptionText(wanted.encryption, wanted.kms_key)));
  }
  return sentences;
}

Result<ApplyPlan> PlanApply(const Model& model, const ParameterValues& parameters,
                            Backend& backend) {
  ApplyPlan plan;
  plan.wanted = TRY(SettingsOf(model, parameters));
  RefuseMissingStream(model, plan.wanted, plan.refusals);
  auto current = backend.DescribeTable(plan.wanted.name);
  if (!current.ok()) {
    if (current.error().code() != ErrorCode::kResourceNotFound) return current.error();
    plan.changes = DescribeCreation(plan.wanted, backend.features());
    return plan;
  }

  plan.current = *std::move(current);
  RefuseOtherKeys(*plan.current, plan.wanted, plan.refusals);
  RefuseOtherIndexKeys(*plan.current, plan.wanted, plan.refusals);
  RefuseOtherLocalIndexes(*plan.current, plan.wanted, plan.refusals);
  if (!plan.refusals.empty()) return plan;
  const std::vector<TableStep> steps = TRY(PlanSteps(*plan.current, plan.wanted));
  AddSentences(steps, backend.features(), plan.changes);
  return plan;
}

Result<std::vector<std::string>> Apply(const ApplyPlan& plan, Backend& backend) {
  CHECK(plan.refusals.empty(), "a plan with refusals is not done");
  if (!plan.current) {
    TRY(backend.CreateTable(plan.wanted));
  } else if (!plan.changes.empty()) {
    TRY(backend.UpdateTable(plan.wanted));
  }
  std::vector<std::string> not_in_force = NotInForce(plan.wanted, backend.features());
  // What an endpoint has taken without a word and not done.
  const TableSettings current = TRY(backend.DescribeTable(plan.wanted.name));
  const std::vector<TableStep> missing = TRY(PlanSteps(current, plan.wanted));
  std::vector<std::string> sentences;
  AddSentences(missing, backend.features(), sentences);
  for (const std::string& sentence : sentences)
    not_in_force.push_back(fmt::format("The back end has not done this: {}", sentence));
  return not_in_force;
}

}  // namespace trestle::design
