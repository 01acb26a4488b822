#include "main/design_data.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "design/adopt.h"
#include "design/explain.h"
#include "design/maintainer.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "design/table_settings.h"
#include "design/values.h"
#include "design/verify.h"
#include "json/json.h"
#include "main/design_model.h"
#include "main/design_table.h"
#include "main/failure.h"
#include "main/files.h"
#include "platform/json_record.h"

namespace trestle {
namespace {

using platform::Fields;
using platform::NameStyle;

constexpr std::chrono::minutes kMaintenanceWait{10};

// "name=value", with the value read as `fields` say.
Status SetFromText(std::string_view text, const Fields& fields, design::Record& record) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos)
    return ValidationError(fmt::format("{} must have the form name=value", text));
  const std::string_view name = text.substr(0, equals);
  const platform::Field* field = fields.Find(name);
  if (field == nullptr) return ValidationError(fmt::format("{} is not known here", name));
  auto value = platform::ValueFromText(text.substr(equals + 1), *field->type);
  if (!value.ok()) return ValidationError(fmt::format("{} {}", name, value.error().message()));
  record.Set(name, *std::move(value));
  return Ok();
}

Result<design::Record> RecordFromWords(std::span<const std::string> words, const Fields& fields) {
  design::Record record;
  for (const std::string& word : words)
    TRY(SetFromText(word, fields, record));
  return record;
}

void WriteItem(const design::TypedItem& item, json::Writer& writer) {
  const auto& attributes = item.kind.of().attributes;
  writer.BeginObject();
  writer.Key("kind");
  writer.String(item.kind.kind().name);
  if (item.version) {
    writer.Key("version");
    writer.Integer(*item.version);
  }
  writer.Key("attributes");
  writer.BeginObject();
  platform::WriteMembers(item.record, Fields(attributes, NameStyle::kAsWritten), writer);
  writer.EndObject();
  writer.EndObject();
}

void PrintItems(const std::vector<design::TypedItem>& items, const std::string& cursor) {
  std::string json;
  json::Writer writer(json);
  writer.BeginObject();
  writer.Key("items");
  writer.BeginArray();
  for (const design::TypedItem& item : items)
    WriteItem(item, writer);
  writer.EndArray();
  if (!cursor.empty()) {
    writer.Key("cursor");
    writer.String(cursor);
  }
  writer.EndObject();
  fmt::print("{}\n", json);
}

// A design on its table.
struct Host {
  std::unique_ptr<const design::Model> model;
  std::unique_ptr<DesignBackend> place;
  std::unique_ptr<design::Runtime> runtime;
};

Result<Host> OpenHost(const DesignTableOptions& options,
                      std::unique_ptr<const design::Model> model) {
  Host host{.model = std::move(model)};
  host.place = TRY(DesignBackend::Open(options));
  const design::TableSettings wanted = TRY(design::SettingsOf(*host.model, options.parameters));
  TRY(host.place->backend().DescribeTable(wanted.name));
  host.runtime =
      std::make_unique<design::Runtime>(*host.model, host.place->backend(),
                                        design::RuntimeOptions{.clock = &host.place->clock(),
                                                               .random = &host.place->random(),
                                                               .parameters = options.parameters});
  return host;
}

// In a data folder nobody else follows the stream.
Status Maintain(Host& host) {
  design::Maintainer maintainer(*host.runtime, {});
  TRY(maintainer.Start());
  if (maintainer.Drained(kMaintenanceWait)) return Ok();
  return Error(ErrorCode::kUnavailable, "what follows from the table's stream is not done yet");
}

struct Outcome {
  std::vector<design::TypedItem> items;
  std::string cursor = {};
  bool has_written = false;
};

Outcome OneItem(design::TypedItem item, bool has_written) {
  Outcome outcome{.items = {}, .has_written = has_written};
  outcome.items.push_back(std::move(item));
  return outcome;
}

// create, get, update or delete of an entity.
Result<Outcome> RunOnItem(design::Runtime& runtime, std::string_view action,
                          std::span<const std::string> words) {
  if (words.empty()) return ValidationError(fmt::format("{} needs an entity", action));
  const design::Entity* entity = runtime.model().FindEntity(words.front());
  if (entity == nullptr)
    return ValidationError(fmt::format("{} is no entity of the design", words.front()));
  const Fields fields(entity->attributes, NameStyle::kAsWritten);
  const design::Record given = TRY(RecordFromWords(words.subspan(1), fields));
  if (action == "create") return OneItem(TRY(runtime.Create(*entity, given)), true);

  design::Record identity;
  design::Changes changes;
  for (const auto& [name, value] : given.attributes()) {
    const bool is_identity = std::ranges::find(entity->identity, name) != entity->identity.end();
    if (is_identity) {
      identity.Set(name, value);
    } else {
      changes.set.push_back({design::Path{{}, {std::string(name)}}, std::string(value)});
    }
  }
  if (action == "update") return OneItem(TRY(runtime.Update(*entity, identity, changes)), true);
  if (!changes.set.empty()) {
    return ValidationError(fmt::format("{} is no part of what names a {}",
                                       changes.set.front().path.parts.front(), entity->name));
  }
  if (action == "delete") return OneItem(TRY(runtime.Delete(*entity, identity)), true);
  auto found = TRY(runtime.Get(*entity, identity));
  return found ? OneItem(*std::move(found), false) : Outcome{};
}

Result<design::PageOptions> PageOptionsOf(const DesignTableOptions& options) {
  design::PageOptions page;
  const auto limit = options.values.find("--limit");
  if (limit != options.values.end()) {
    const std::string& digits = limit->second;
    if (digits.empty() || digits.size() > 6 ||
        digits.find_first_not_of("0123456789") != digits.npos)
      return ValidationError("--limit must be a whole number");
    page.limit = static_cast<std::uint32_t>(std::stoul(digits));
  }
  const auto cursor = options.values.find("--cursor");
  if (cursor != options.values.end()) page.cursor = cursor->second;
  if (!options.switches.empty()) page.is_descending = true;
  return page;
}

Result<Outcome> RunByName(design::Runtime& runtime, const DesignTableOptions& options) {
  const std::string& name = options.words.front();
  const std::span<const std::string> words = std::span(options.words).subspan(1);
  for (const std::string_view action : {"create", "get", "update", "delete"})
    if (name == action) return RunOnItem(runtime, action, words);
  if (const design::Access* access = runtime.model().FindAccess(name)) {
    const bool is_create = std::holds_alternative<design::Create>(access->action);
    const bool is_update = std::holds_alternative<design::Update>(access->action);
    const bool is_delete = std::holds_alternative<design::Delete>(access->action);
    // A create or an update takes any attribute.
    const design::Entity* entity = access->results.front().entity;
    const Fields fields = (is_create || is_update) && entity != nullptr
                              ? Fields(entity->attributes, NameStyle::kAsWritten)
                              : Fields(access->parameters, NameStyle::kAsWritten);
    const design::Record given = TRY(RecordFromWords(words, fields));
    const design::PageOptions page_options = TRY(PageOptionsOf(options));
    design::TypedPage page = TRY(runtime.Run(*access, given, page_options));
    return Outcome{.items = std::move(page.items),
                   .cursor = std::move(page.cursor),
                   .has_written = is_create || is_update || is_delete};
  }
  if (const design::Operation* operation = runtime.model().FindOperation(name)) {
    const Fields fields(operation->parameters, NameStyle::kAsWritten);
    const design::Record given = TRY(RecordFromWords(words, fields));
    return Outcome{.items = TRY(runtime.Run(*operation, given)), .has_written = true};
  }
  return ValidationError(fmt::format("the design has no access pattern and no operation {}", name));
}

void PrintExplained(const design::Access& access, const design::ExplainedAccess& explained) {
  fmt::print("{}\n", access.name);
  for (const design::ExplainedRequest& request : explained.requests)
    fmt::print("\n{} {}\n\n{}\n", request.operation, request.json, request.command);
  if (!explained.remark.empty()) fmt::print("\n// {}\n", explained.remark);
}

struct ExplainOptions {
  std::string file;
  std::string access;
  std::vector<std::string> set;
};

Result<ExplainOptions> ParseExplain(std::span<const std::string_view> arguments) {
  ExplainOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i];
    if (text == "--set") {
      if (i + 1 == arguments.size()) return ValidationError("--set needs an argument");
      options.set.emplace_back(arguments[++i]);
    } else if (text.starts_with("--set=")) {
      options.set.emplace_back(text.substr(6));
    } else if (text.starts_with("--")) {
      return ValidationError(fmt::format("{} is not a flag of design explain", text));
    } else if (options.file.empty()) {
      options.file = text;
    } else if (options.access.empty()) {
      options.access = text;
    } else {
      return ValidationError("design explain needs one FILE and at most one ACCESS");
    }
  }
  if (options.file.empty()) return ValidationError("design explain needs one FILE");
  return options;
}

// What --set gives is a parameter of the design, or an argument of those accesses that have it.
Status ExplainAll(const design::Model& model, const ExplainOptions& options) {
  design::ParameterValues parameters;
  std::vector<std::string> words;
  for (const std::string& set : options.set) {
    const std::string name = set.substr(0, set.find('='));
    const bool is_parameter =
        std::ranges::find(model.parameters, name, &design::DesignParameter::name) !=
        model.parameters.end();
    if (is_parameter && set.size() > name.size()) {
      parameters[name] = set.substr(name.size() + 1);
    } else {
      words.push_back(set);
    }
  }
  const design::TableSettings settings = TRY(design::SettingsOf(model, parameters));
  bool is_first = true;
  for (const design::Access& access : model.accesses) {
    if (!options.access.empty() && access.name != options.access) continue;
    const Fields fields(access.parameters, NameStyle::kAsWritten);
    design::Record given;
    for (const std::string& word : words) {
      const bool is_of_it = fields.Find(word.substr(0, word.find('='))) != nullptr;
      if (is_of_it || !options.access.empty()) TRY(SetFromText(word, fields, given));
    }
    const auto explained = TRY(design::Explain(model, access, settings.name, given));
    if (!std::exchange(is_first, false)) fmt::print("\n");
    PrintExplained(access, explained);
  }
  return Ok();
}

}  // namespace

ExitCode ExplainDesign(std::span<const std::string_view> arguments) {
  const auto options = ParseExplain(arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  const auto model = ReadModel(options->file);
  if (!model.ok()) return WrongUsage(model.error().message());
  if (*model == nullptr) return kExitFailed;
  if (!options->access.empty() && (*model)->FindAccess(options->access) == nullptr) {
    return WrongUsage(fmt::format("the design has no access pattern {}", options->access));
  }
  const Status explained = ExplainAll(**model, *options);
  return explained.ok() ? kExitDone : Fail(explained.error());
}

ExitCode RunOnDesign(std::span<const std::string_view> arguments) {
  constexpr std::string_view kSwitches[] = {"--descending"};
  constexpr std::string_view kValueFlags[] = {"--limit", "--cursor"};
  const auto options = ParseDesignTable(
      {.name = "run", .switches = kSwitches, .value_flags = kValueFlags, .takes_words = true},
      arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  if (options->words.empty()) {
    return WrongUsage(
        "design run needs an access pattern, an operation, or create, get, update "
        "or delete with an entity");
  }
  auto model = ReadModel(options->file);
  if (!model.ok()) return WrongUsage(model.error().message());
  if (*model == nullptr) return kExitFailed;
  auto host = OpenHost(*options, *std::move(model));
  if (!host.ok()) return Fail(host.error());
  Host here = *std::move(host);
  const auto outcome = RunByName(*here.runtime, *options);
  if (!outcome.ok()) return Fail(outcome.error());
  if (outcome->has_written && !options->data_folder.empty()) {
    const Status maintained = Maintain(here);
    if (!maintained.ok()) return Fail(maintained.error());
  }
  PrintItems(outcome->items, outcome->cursor);
  return kExitDone;
}

ExitCode VerifyDesign(std::span<const std::string_view> arguments) {
  constexpr std::string_view kSwitches[] = {"--repair"};
  const auto options = ParseDesignTable({.name = "verify", .switches = kSwitches}, arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  auto model = ReadModel(options->file);
  if (!model.ok()) return WrongUsage(model.error().message());
  if (*model == nullptr) return kExitFailed;
  auto host = OpenHost(*options, *std::move(model));
  if (!host.ok()) return Fail(host.error());
  Host here = *std::move(host);
  const bool repair = !options->switches.empty();
  if (repair && !options->data_folder.empty()) {
    const Status maintained = Maintain(here);
    if (!maintained.ok()) return Fail(maintained.error());
  }
  const auto report = design::Verify(
      *here.runtime, {.repair = repair, .report = [](const design::Drift& drift) {
                        fmt::print("{}: {}{}\n", design::DriftName(drift.kind), drift.sentence,
                                   drift.is_mended ? " (mended)" : "");
                      }});
  if (!report.ok()) return Fail(report.error());
  fmt::print("{} items, {} drifts, {} mended\n", report->items, report->drifts, report->mended);
  return report->drifts == report->mended ? kExitDone : kExitFailed;
}

ExitCode AdoptTable(std::span<const std::string_view> arguments) {
  constexpr std::string_view kValueFlags[] = {"--from", "--map"};
  const auto options = ParseDesignTable({.name = "adopt", .value_flags = kValueFlags}, arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  const auto from = options->values.find("--from");
  const auto map_file = options->values.find("--map");
  if (from == options->values.end() || map_file == options->values.end())
    return WrongUsage("design adopt needs --from TABLE and --map FILE");
  auto model = ReadModel(options->file);
  if (!model.ok()) return WrongUsage(model.error().message());
  if (*model == nullptr) return kExitFailed;
  const auto text = ReadTextFile(map_file->second);
  if (!text.ok()) return WrongUsage(text.error().message());
  const auto map = design::ParseAdoptMap(**model, *text);
  if (!map.ok()) return WrongUsage(fmt::format("{}: {}", map_file->second, map.error().message()));

  auto host = OpenHost(*options, *std::move(model));
  if (!host.ok()) return Fail(host.error());
  Host here = *std::move(host);
  const auto report = design::Adopt(
      *here.runtime, *map,
      {.from = from->second, .report = [](const std::string& item, const std::string& why) {
         fmt::print("{}: {}\n", item, why);
       }});
  if (!report.ok()) return Fail(report.error());
  fmt::print("{} items read, {} changes followed, {} without a rule, {} refused, {} differ\n",
             report->read, report->followed, report->unmapped, report->refused, report->differing);
  return report->refused == 0 && report->differing == 0 ? kExitDone : kExitFailed;
}

}  // namespace trestle
