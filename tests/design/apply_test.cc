// What `trestle design apply` makes of tables, on every back end: the five designs with the
// settings of their seeds, then changes that are done, and changes that are refused.

#include "design/apply.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "design/backend_fixture.h"
#include "design/resolve.h"

namespace trestle::design {
namespace {

std::string ReadDesign(std::string_view name) {
  std::ifstream file(fmt::format("src/apps/{}/{}.design", name, name));
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

class ApplyTest : public testing::BackendFixture {
 protected:
  // A design whose table has this name on the back end.
  [[nodiscard]] std::unique_ptr<const Model> Compile(std::string text) {
    ResolvedDesign design = design::Compile(text);
    for (const Diagnostic& diagnostic : design.diagnostics) {
      EXPECT_NE(diagnostic.severity, Severity::kError) << Print(diagnostic, "test.design");
    }
    return std::move(design.model);
  }

  // "table ... {" with these settings, around one entity.
  [[nodiscard]] std::unique_ptr<const Model> Things(std::string_view settings,
                                                    std::string_view entity = "") {
    return Compile(
        fmt::format("design Things version 1\n"
                    "table \"{}\" {{\n{}\n}}\n"
                    "entity Thing {{\n"
                    "  key pk \"THING#{{id}}\" sk \"THING\"\n"
                    "  id : id\n{}\n"
                    "}}\n",
                    table_, settings, entity));
  }

  [[nodiscard]] ApplyPlan Plan(const Model& model, const ParameterValues& parameters = {}) {
    auto plan = PlanApply(model, parameters, backend());
    EXPECT_TRUE(plan.ok()) << plan.error().message();
    return plan.ok() ? *std::move(plan) : ApplyPlan();
  }

  // What is not in force afterwards. A second time there is nothing to do.
  std::vector<std::string> MustApply(const Model& model, const ParameterValues& parameters = {}) {
    const ApplyPlan plan = Plan(model, parameters);
    EXPECT_EQ(plan.refusals, std::vector<std::string>());
    auto done = Apply(plan, backend());
    EXPECT_TRUE(done.ok()) << done.error().message();
    EXPECT_EQ(Plan(model, parameters).changes, std::vector<std::string>());
    return done.ok() ? *done : std::vector<std::string>();
  }

  [[nodiscard]] TableSettings Describe(const std::string& table) {
    auto settings = backend().DescribeTable(table);
    EXPECT_TRUE(settings.ok()) << settings.error().message();
    TableSettings found = settings.ok() ? *std::move(settings) : TableSettings();
    std::ranges::sort(found.indexes, {}, &IndexSettings::name);
    return found;
  }

  std::string table_ = TableName("things");
};

TRESTLE_ON_EVERY_BACKEND(ApplyTest);

struct Seed {
  std::string_view design;
  std::string table;
  std::string partition_key;
  std::string sort_key;
  std::vector<IndexSettings> indexes;
  std::string time_to_live;
  bool point_in_time_recovery = false;
  bool is_encrypted = false;
};

IndexSettings IndexOf(std::string name, std::string partition_key, std::string sort_key,
                      IndexSettings::Projection projection = IndexSettings::Projection::kAll) {
  return {.name = std::move(name),
          .partition_key = std::move(partition_key),
          .sort_key = std::move(sort_key),
          .projection = projection};
}

std::vector<Seed> Seeds() {
  return {
      {"books", "BookTrackerTable", "pk", "sk", {IndexOf("GSI1", "gsi1pk", "gsi1sk")}, ""},
      {"library",
       "MediaLibrary",
       "PK",
       "SK",
       {IndexOf("GSI1", "GSI1PK", "GSI1SK"), IndexOf("GSI2", "GSI2PK", "GSI2SK")},
       ""},
      {"watch",
       "WorthWatch",
       "PK",
       "SK",
       {IndexOf("GSI1", "email", ""), IndexOf("GSI2", "curatorId", "createdAt"),
        IndexOf("GSI3", "isPublicStr", "createdAt"),
        IndexOf("GSI4", "entityType", "createdAt", IndexSettings::Projection::kKeys)},
       "expiresAt",
       true,
       true},
      {"stories",
       "nlmonorepo-tsh-datatable-test",
       "PK",
       "SK",
       {IndexOf("GSI1", "GSI1PK", "GSI1SK")},
       "expiresAt",
       true,
       true},
      {"notes", "NotesApp", "PK", "SK", {}, ""},
  };
}

TEST_P(ApplyTest, TheFiveDesignsGetTheSettingsOfTheirSeeds) {
  if (!has_fixed_clock()) GTEST_SKIP() << "the names of these tables are not ours to use there";
  for (const Seed& seed : Seeds()) {
    const auto model = Compile(ReadDesign(seed.design));
    ASSERT_NE(model, nullptr) << seed.design;
    ParameterValues parameters;
    if (seed.design == "stories") parameters = {{"Stage", "test"}};
    const std::vector<std::string> not_in_force = MustApply(*model, parameters);

    const TableSettings found = Describe(seed.table);
    EXPECT_EQ(found.partition_key, seed.partition_key);
    EXPECT_EQ(found.sort_key, seed.sort_key);
    EXPECT_EQ(found.indexes, seed.indexes) << seed.design;
    EXPECT_EQ(found.provisioned, std::nullopt);
    EXPECT_EQ(found.stream, StreamImages::kNewAndOld);
    EXPECT_EQ(found.time_to_live, seed.time_to_live);
    for (const auto& [attribute, type] : found.key_types)
      EXPECT_EQ(type, KeyType::kString) << attribute;

    // What these back ends have not is named, and nothing else.
    EXPECT_FALSE(found.point_in_time_recovery);
    const auto names = [&](std::string_view words) {
      return std::ranges::any_of(not_in_force, [&](const std::string& sentence) {
        return sentence.find(words) != std::string::npos;
      });
    };
    EXPECT_EQ(names("Point-in-time recovery:"), seed.point_in_time_recovery);
    EXPECT_EQ(names("Encryption with"), seed.is_encrypted);
    EXPECT_EQ(not_in_force.size(),
              static_cast<std::size_t>(seed.point_in_time_recovery + seed.is_encrypted));
  }
}

TEST_P(ApplyTest, APlanSaysWhatACreationDoesAndDoesNothing) {
  const auto model = Things(
      "  key pk, sk\n  billing provisioned 5 read 6 write\n  stream new\n  ttl endsAt\n"
      "  index GSI1 (kind) project include (title)\n",
      "  kind : string(1..10)\n  title : string(1..10)\n  endsAt : timestamp(s)?\n"
      "  index GSI1 direct\n");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(Plan(*model).changes,
            (std::vector<std::string>{
                fmt::format("Creates the table {} with partition key pk and sort key sk, billed "
                            "for 5 read and 6 write units",
                            table_),
                "Turns the stream on, with new images",
                "Builds the index GSI1 on partition key kind, with keys and title",
                "Lets items expire by endsAt"}));
  EXPECT_FALSE(backend().DescribeTable(table_).ok());
}

TEST_P(ApplyTest, AnIndexOnANumberIsOneOfNumbers) {
  const auto model = Things("  key pk, sk\n  index byRank (rank, at) project all\n",
                            "  rank : int(0..99)\n  at : timestamp(ms)\n  index byRank direct\n");
  ASSERT_NE(model, nullptr);
  MustApply(*model);
  const TableSettings found = Describe(table_);
  EXPECT_EQ(found.key_types.at("rank"), KeyType::kNumber);
  EXPECT_EQ(found.key_types.at("at"), KeyType::kString);
}

TEST_P(ApplyTest, ChangesWhatATableCanChange) {
  const auto first = Things("  key pk, sk\n  index GSI1 (a) project all\n");
  MustApply(*first);
  const auto second =
      Things("  key pk, sk\n  stream new_and_old\n  ttl endsAt\n  index GSI2 (b, c) project keys\n",
             "  endsAt : timestamp(s)?\n");
  EXPECT_EQ(Plan(*second).changes,
            (std::vector<std::string>{
                "Turns the stream on, with new and old images", "Removes the index GSI1",
                "Builds the index GSI2 on partition key b and sort key c, with keys only",
                "Lets items expire by endsAt"}));
  MustApply(*second);
  const TableSettings found = Describe(table_);
  ASSERT_EQ(found.indexes.size(), 1u);
  EXPECT_EQ(found.indexes[0].name, "GSI2");
  EXPECT_EQ(found.time_to_live, "endsAt");
}

TEST_P(ApplyTest, RefusesWhatWouldStrandItems) {
  const auto first = Things("  key pk, sk\n  index GSI1 (a, b) project all\n");
  MustApply(*first);
  const auto keys =
      Compile(fmt::format("design Things version 1\ntable \"{}\" {{\n  key id\n}}\n"
                          "entity Thing {{\n  key pk \"THING#{{name}}\"\n  name : id\n}}\n",
                          table_));
  ASSERT_NE(keys, nullptr);
  const ApplyPlan other_keys = Plan(*keys);
  ASSERT_EQ(other_keys.refusals.size(), 1u);
  EXPECT_NE(other_keys.refusals[0].find("A table's keys cannot change"), std::string::npos);
  EXPECT_TRUE(other_keys.changes.empty());

  const ApplyPlan other_index = Plan(*Things("  key pk, sk\n  index GSI1 (a) project all\n"));
  ASSERT_EQ(other_index.refusals.size(), 1u);
  EXPECT_NE(other_index.refusals[0].find("Give the new index another name"), std::string::npos);

  const ApplyPlan local = Plan(*Things(
      "  key pk, sk\n  index GSI1 (a, b) project all\n  index LSI1 (pk, c) local project all\n"));
  ASSERT_EQ(local.refusals.size(), 1u);
  EXPECT_NE(local.refusals[0].find("local index LSI1"), std::string::npos);
}

TEST_P(ApplyTest, RefusesToLeaveRulesWithoutTheirStream) {
  const auto model = Compile(fmt::format(
      "design Things version 1\ntable \"{}\" {{\n  key pk, sk\n  stream new\n}}\n"
      "entity Parent {{\n  key pk \"P#{{id}}\" sk \"P\"\n  id : id\n}}\n"
      "entity Child {{\n  key pk \"P#{{id}}\" sk \"C#{{child}}\"\n  id : id\n  child : id\n"
      "  belongs_to Parent by (id) {{\n    on_delete cascade\n    through childrenOf\n  }}\n}}\n"
      "access childrenOf(id) -> Child* = query table pk \"P#{{id}}\" sk begins \"C#\"\n",
      table_));
  ASSERT_NE(model, nullptr);
  const ApplyPlan plan = Plan(*model);
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(
      plan.refusals[0],
      "The design's stream has new images, but its rules about deleted parents of Child follow "
      "the stream and need new and old images");
}

TEST_P(ApplyTest, ParametersAreTheDesignsOwn) {
  const auto model = Compile(ReadDesign("stories"));
  ASSERT_NE(model, nullptr);
  const auto unknown = PlanApply(*model, {{"Stags", "x"}}, backend());
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message(), "The design has no parameter Stags");
  const auto name = PlanApply(*model, {{"Stage", "a b"}}, backend());
  ASSERT_FALSE(name.ok());
  EXPECT_EQ(name.error().code(), ErrorCode::kValidation);

  const auto settings = SettingsOf(*model, {{"Stage", "prod"}, {"KmsKey", "alias/x"}});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->name, "nlmonorepo-tsh-datatable-prod");
  EXPECT_EQ(settings->encryption, TableSettings::Encryption::kKms);
  EXPECT_EQ(settings->kms_key, "alias/x");
  EXPECT_TRUE(settings->point_in_time_recovery);
}

}  // namespace
}  // namespace trestle::design
