#include "main/design.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "design/apply.h"
#include "design/cost.h"
#include "design/diagnostic.h"
#include "design/diagram.h"
#include "design/evolution.h"
#include "design/exports/exports.h"
#include "design/resolve.h"
#include "design/syntax/json_twin.h"
#include "design/syntax/parser.h"
#include "design/syntax/printer.h"
#include "main/design_data.h"
#include "main/design_model.h"
#include "main/design_table.h"
#include "main/failure.h"
#include "main/files.h"

namespace trestle {
namespace {

using design::syntax::ParsedDesign;

// Reads `file` with `parse`. What is wrong has been printed when there is no design.
std::optional<ParsedDesign> ReadDesign(const std::string& file, std::string_view text,
                                       ParsedDesign (*parse)(std::string_view)) {
  ParsedDesign parsed = parse(text);
  for (const design::Diagnostic& diagnostic : parsed.diagnostics)
    fmt::print(stderr, "{}\n", design::Print(diagnostic, file));
  if (!parsed.diagnostics.empty()) return std::nullopt;
  return parsed;
}

// The canonical text; with --check only whether the file has it already.
ExitCode Format(const std::string& file, std::string_view text, bool check) {
  const auto parsed = ReadDesign(file, text, design::syntax::ParseDesign);
  if (!parsed) return kExitFailed;
  const std::string canonical = PrintDesign(parsed->design);
  if (!check) {
    fmt::print("{}", canonical);
    return kExitDone;
  }
  if (canonical == text) return kExitDone;
  fmt::print(stderr, "{}: not in canonical form; `trestle design format` prints it\n", file);
  return kExitFailed;
}

ExitCode FormatText(const std::string& file, std::string_view text) {
  return Format(file, text, false);
}

ExitCode CheckFormat(const std::string& file, std::string_view text) {
  return Format(file, text, true);
}

ExitCode PrintJson(const std::string& file, std::string_view text) {
  const auto parsed = ReadDesign(file, text, design::syntax::ParseDesign);
  if (!parsed) return kExitFailed;
  fmt::print("{}\n", ToJson(parsed->design));
  return kExitDone;
}

ExitCode PrintFromJson(const std::string& file, std::string_view text) {
  const auto parsed = ReadDesign(file, text, design::syntax::FromJson);
  if (!parsed) return kExitFailed;
  fmt::print("{}", PrintDesign(parsed->design));
  return kExitDone;
}

void PrintList(std::FILE* out, std::string_view title, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  fmt::print(out, "{}\n", title);
  for (const std::string& sentence : sentences)
    fmt::print(out, "  {}.\n", sentence);
}

// Makes the table what the design wants; with --plan only says how.
ExitCode ApplyDesign(const design::Model& model, const DesignTableOptions& options) {
  const auto host = DesignBackend::Open(options);
  if (!host.ok()) return Fail(host.error());
  design::Backend& backend = (*host)->backend();
  const auto plan = design::PlanApply(model, options.parameters, backend);
  if (!plan.ok()) return Fail(plan.error());
  if (!plan->refusals.empty()) {
    PrintList(stderr,
              fmt::format("Table {} cannot become what the design wants:", plan->wanted.name),
              plan->refusals);
    return kExitFailed;
  }

  if (plan->changes.empty()) {
    fmt::print("Table {} is as the design wants it.\n", plan->wanted.name);
  } else {
    PrintList(stdout,
              fmt::format("{} {}:", options.is_dry ? "Plan for table" : "Table", plan->wanted.name),
              plan->changes);
    std::fflush(stdout);  // building an index may take long
  }
  if (options.is_dry) {
    PrintList(stdout, "Not in force:", design::NotInForce(plan->wanted, backend.features()));
    return kExitDone;
  }
  const auto not_in_force = design::Apply(*plan, backend);
  if (!not_in_force.ok()) return Fail(not_in_force.error());
  PrintList(stdout, "Not in force:", *not_in_force);
  if (!plan->changes.empty()) fmt::print("Done.\n");
  return kExitDone;
}

ExitCode RunApply(std::span<const std::string_view> arguments) {
  constexpr std::string_view kSwitches[] = {"--plan"};
  auto options = ParseDesignTable({.name = "apply", .switches = kSwitches}, arguments);
  if (!options.ok()) return WrongUsage(options.error().message());
  const auto model = ReadModel(options->file);
  if (!model.ok()) return WrongUsage(model.error().message());
  if (*model == nullptr) return kExitFailed;
  DesignTableOptions target = *std::move(options);
  target.is_dry = !target.switches.empty();
  return ApplyDesign(**model, target);
}

ExitCode CheckFor(design::Target target, const std::string& file, std::string_view text) {
  const design::ResolvedDesign design = design::Compile(text, target);
  for (const design::Diagnostic& diagnostic : design.diagnostics)
    fmt::print(stderr, "{}\n", design::Print(diagnostic, file));
  return design.model != nullptr ? kExitDone : kExitFailed;
}

ExitCode Check(const std::string& file, std::string_view text) {
  return CheckFor(design::Target::kDynamoDb, file, text);
}

ExitCode CheckForAlternator(const std::string& file, std::string_view text) {
  return CheckFor(design::Target::kAlternator, file, text);
}

ExitCode PrintCost(const std::string& file, std::string_view text) {
  const auto model = CompileModel(file, text);
  if (!model) return kExitFailed;
  fmt::print("{}", design::PrintCosts(design::Costs(*model)));
  return kExitDone;
}

// The design in another tool's form.
template <Result<std::string> (*kExport)(const design::Model& model)>
ExitCode PrintExport(const std::string& file, std::string_view text) {
  const auto model = CompileModel(file, text);
  if (!model) return kExitFailed;
  const auto exported = kExport(*model);
  if (!exported.ok()) return WrongUsage(exported.error().message());
  fmt::print("{}", *exported);
  return kExitDone;
}

template <std::string (*kExport)(const design::Model& model)>
ExitCode PrintExport(const std::string& file, std::string_view text) {
  const auto model = CompileModel(file, text);
  if (!model) return kExitFailed;
  fmt::print("{}", kExport(*model));
  return kExitDone;
}

ExitCode PrintImport(const std::string& file, std::string_view text) {
  const auto design = design::FromWorkbench(text);
  if (!design.ok()) {
    fmt::print(stderr, "trestle: {}: {}.\n", file, design.error().message());
    return kExitFailed;
  }
  fmt::print("{}", *design);
  return kExitDone;
}

// design diff OLD NEW: a line for each change, the hardest first.
ExitCode PrintDifference(std::span<const std::string_view> files) {
  if (files.size() != 2) return WrongUsage("design diff needs two files, OLD and NEW");
  std::unique_ptr<const design::Model> models[2];
  for (std::size_t i = 0; i < 2; ++i) {
    auto model = ReadModel(std::string(files[i]));
    if (!model.ok()) return WrongUsage(model.error().message());
    models[i] = *std::move(model);
    if (!models[i]) return kExitFailed;
  }
  for (const design::DesignChange& change : design::Compare(*models[0], *models[1])) {
    const std::string place =
        change.position.line == 0
            ? ""
            : fmt::format("{}:{}: ", change.position.line, change.position.column);
    fmt::print("{}{}: {}\n", place, design::Word(change.kind), change.sentence);
  }
  return kExitDone;
}

struct DesignCommand {
  std::string_view name;
  std::string_view flag;  // that it takes
  ExitCode (*run)(const std::string& file, std::string_view text);
};

// A command is given here for each flag that it may have. Adding one: its line here, in the help
// and in docs/reference/command-line.md.
constexpr DesignCommand kDesignCommands[] = {
    {"check", "", Check},
    {"check", "--backend alternator", CheckForAlternator},
    {"check", "--backend dynamodb", Check},
    {"cost", "", PrintCost},
    {"diagram", "", PrintExport<design::DrawDiagram>},
    {"export", "--cdk", PrintExport<design::ToCdk>},
    {"export", "--cloudformation", PrintExport<design::ToCloudFormation>},
    {"export", "--cpp", PrintExport<design::ToCpp>},
    {"export", "--typescript", PrintExport<design::ToTypeScript>},
    {"export", "--workbench", PrintExport<design::ToWorkbench>},
    {"format", "", FormatText},
    {"format", "--check", CheckFormat},
    {"to-json", "", PrintJson},
    {"from-json", "", PrintFromJson},
    {"import", "--workbench", PrintImport},
};

}  // namespace

ExitCode RunDesign(std::span<const std::string_view> arguments) {
  if (arguments.empty()) {
    return WrongUsage("design needs a command; `trestle help` lists them");
  }
  const std::string_view name = arguments.front();
  if (name == "adopt") return AdoptTable(arguments.subspan(1));
  if (name == "apply") return RunApply(arguments.subspan(1));
  if (name == "diff") return PrintDifference(arguments.subspan(1));
  if (name == "explain") return ExplainDesign(arguments.subspan(1));
  if (name == "run") return RunOnDesign(arguments.subspan(1));
  if (name == "verify") return VerifyDesign(arguments.subspan(1));
  if (std::ranges::find(kDesignCommands, name, &DesignCommand::name) == std::end(kDesignCommands)) {
    return WrongUsage(
        fmt::format("{} is not a command of design; `trestle help` lists them", name));
  }

  std::string flag;
  std::vector<std::string> files;
  for (const std::string_view argument : arguments.subspan(1)) {
    if (argument.starts_with("--") && flag.empty()) {
      flag = argument;
    } else if (flag == "--backend") {
      flag += fmt::format(" {}", argument);
    } else {
      files.emplace_back(argument);
    }
  }
  const auto* const command = std::ranges::find_if(
      kDesignCommands, [&](const DesignCommand& it) { return it.name == name && it.flag == flag; });
  if (command == std::end(kDesignCommands)) {
    return WrongUsage(flag.empty() ? fmt::format("design {} needs a flag that says to what", name)
                                   : fmt::format("{} is not a flag of design {}", flag, name));
  }
  if (files.size() != 1) return WrongUsage(fmt::format("design {} needs one FILE", name));

  const auto text = ReadTextFile(files.front());
  if (!text.ok()) return WrongUsage(text.error().message());
  return command->run(files.front(), *text);
}

}  // namespace trestle
