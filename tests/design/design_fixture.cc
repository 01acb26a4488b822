#include "design/design_fixture.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "base/check.h"
#include "design/resolve.h"

namespace trestle::design::testing {
namespace {

std::string ReadDesign(std::string_view app) {
  std::ifstream file(fmt::format("src/apps/{}/{}.design", app, app));
  CHECK(file.good(), "a design of an application");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TableSettings SettingsOf(const Model& model, const std::string& table) {
  TableSettings settings{.name = table,
                         .partition_key = model.table.partition_key,
                         .sort_key = model.table.sort_key,
                         .stream = StreamImages::kNewAndOld,
                         .time_to_live = model.table.time_to_live};
  const auto add_key = [&](const std::string& name) {
    if (!name.empty()) settings.key_types.emplace(name, KeyType::kString);
  };
  add_key(settings.partition_key);
  add_key(settings.sort_key);
  for (const Index& index : model.table.indexes) {
    add_key(index.partition_key);
    add_key(index.sort_key);
    const bool is_keys = std::holds_alternative<syntax::ProjectKeys>(index.projection);
    settings.indexes.push_back({.name = index.name,
                                .is_local = index.is_local,
                                .partition_key = index.partition_key,
                                .sort_key = index.sort_key,
                                .projection = is_keys ? IndexSettings::Projection::kKeys
                                                      : IndexSettings::Projection::kAll});
  }
  return settings;
}

template <typename T>
std::string Words(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().message();
}

}  // namespace

Path PathOf(std::string_view text) {
  Path path;
  std::istringstream parts{std::string(text)};
  for (std::string part; std::getline(parts, part, '.');)
    path.parts.push_back(part);
  return path;
}

Changes SetOf(std::string_view attributes) {
  Changes changes;
  const value::Item item = expr::testing::ItemOf(attributes);
  for (const value::AttributeView it : item.view().attributes())
    changes.set.push_back({Path{{}, {std::string(it.name)}}, std::string(it.value.bytes())});
  return changes;
}

std::string TextOf(const std::optional<value::ValueView>& value) {
  if (!value) return "absent";
  switch (value->type()) {
    case value::Type::kS:
      return std::string(value->text());
    case value::Type::kN:
      return value::NumberText(value->number());
    case value::Type::kBool:
      return value->boolean() ? "true" : "false";
    case value::Type::kL:
      return "list of " + std::to_string(value->count());
    default:
      return std::string(TypeName(value->type()));
  }
}

void DesignFixture::Use(std::string_view app) { UseText(ReadDesign(app)); }

void DesignFixture::UseText(std::string text) {
  const std::string table = TableName("design");
  text = std::regex_replace(text, std::regex(R"re(\ntable "[^"]*")re"), "\ntable \"" + table + "\"",
                            std::regex_constants::format_first_only);
  const auto parsed = syntax::ParseDesign(text);
  CHECK(parsed.diagnostics.empty(), "a design that can be read");
  auto resolved = Resolve(parsed.design);
  for (const Diagnostic& diagnostic : resolved.diagnostics)
    EXPECT_NE(diagnostic.severity, Severity::kError) << Print(diagnostic, "design");
  model_ = std::move(resolved.model);
  CHECK(model_ != nullptr, "a design without errors");
  const Status created = backend().CreateTable(SettingsOf(*model_, table));
  ASSERT_TRUE(created.ok()) << created.error().message();
  runtime_ = std::make_unique<Runtime>(*model_, backend(),
                                       RuntimeOptions{.clock = &clock(), .random = &random()});
}

const Entity& DesignFixture::entity(std::string_view name) const {
  const Entity* found = model_->FindEntity(name);
  CHECK(found != nullptr, "an entity of the design");
  return *found;
}

const Operation& DesignFixture::operation(std::string_view name) const {
  const Operation* found = model_->FindOperation(name);
  CHECK(found != nullptr, "an operation of the design");
  return *found;
}

const Access& DesignFixture::access(std::string_view name) const {
  const Access* found = model_->FindAccess(name);
  CHECK(found != nullptr, "an access of the design");
  return *found;
}

TypedItem DesignFixture::Create(std::string_view name, std::string_view attributes) {
  auto created = runtime().Create(entity(name), RecordOf(attributes));
  EXPECT_TRUE(created.ok()) << created.error().message();
  return created.ok() ? *created : TypedItem();
}

TypedItem DesignFixture::Update(std::string_view name, std::string_view identity,
                                std::string_view set) {
  auto updated = runtime().Update(entity(name), RecordOf(identity), SetOf(set));
  EXPECT_TRUE(updated.ok()) << updated.error().message();
  return updated.ok() ? *updated : TypedItem();
}

void DesignFixture::Delete(std::string_view name, std::string_view identity) {
  const auto deleted = runtime().Delete(entity(name), RecordOf(identity));
  EXPECT_TRUE(deleted.ok()) << deleted.error().message();
}

void DesignFixture::RunOperation(std::string_view name, std::string_view arguments) {
  EXPECT_EQ(Refusal(name, arguments), "ok");
}

std::string DesignFixture::Refusal(std::string_view name, std::string_view arguments) {
  return Words(runtime().Run(operation(name), RecordOf(arguments)));
}

std::string DesignFixture::CreateRefusal(std::string_view name, std::string_view attributes) {
  return Words(runtime().Create(entity(name), RecordOf(attributes)));
}

std::string DesignFixture::UpdateRefusal(std::string_view name, std::string_view identity,
                                         std::string_view set) {
  return Words(runtime().Update(entity(name), RecordOf(identity), SetOf(set)));
}

std::string DesignFixture::DeleteRefusal(std::string_view name, std::string_view identity) {
  return Words(runtime().Delete(entity(name), RecordOf(identity)));
}

std::optional<TypedItem> DesignFixture::Get(std::string_view name, std::string_view identity) {
  auto found = runtime().Get(entity(name), RecordOf(identity));
  EXPECT_TRUE(found.ok()) << found.error().message();
  return found.ok() ? *found : std::nullopt;
}

std::string DesignFixture::At(std::string_view name, std::string_view identity,
                              std::string_view path) {
  const auto found = Get(name, identity);
  return found ? TextOf(found->record.Find(PathOf(path))) : "no item";
}

std::vector<std::string> DesignFixture::Keys() {
  std::vector<std::string> keys;
  ReadPage read{.table = runtime().table()};
  do {
    const auto page = backend().Read(read);
    EXPECT_TRUE(page.ok());
    if (!page.ok()) return keys;
    for (const value::Item& item : page->items) {
      keys.push_back(TextOf(item.Find(model_->table.partition_key)) + "|" +
                     TextOf(item.Find(model_->table.sort_key)));
    }
    read.exclusive_start_key = page->last_evaluated_key;
  } while (read.exclusive_start_key);
  std::ranges::sort(keys);
  return keys;
}

std::optional<value::Item> DesignFixture::Raw(std::string_view partition_key,
                                              std::string_view sort_key) {
  Record key;
  key.SetText(model_->table.partition_key, partition_key);
  key.SetText(model_->table.sort_key, sort_key);
  auto item =
      backend().Get({.table = runtime().table(), .key = key.ToItem(), .is_consistent = true});
  EXPECT_TRUE(item.ok());
  return item.ok() ? *item : std::nullopt;
}

}  // namespace trestle::design::testing
