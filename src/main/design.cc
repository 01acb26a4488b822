#include "main/design.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "design/diagnostic.h"
#include "design/syntax/json_twin.h"
#include "design/syntax/parser.h"
#include "design/syntax/printer.h"
#include "main/files.h"

namespace trestle {
namespace {

using design::syntax::ParsedDesign;

ExitCode WrongUsage(std::string_view sentence) {
  fmt::print(stderr, "trestle: {}.\n", sentence);
  return kExitUsage;
}

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

struct DesignCommand {
  std::string_view name;
  std::string_view flag;  // that it takes
  ExitCode (*run)(const std::string& file, std::string_view text);
};

// A command is given here for each flag that it may have. Adding one: its line here, in the help
// and in docs/reference/command-line.md.
constexpr DesignCommand kDesignCommands[] = {
    {"format", "", FormatText},
    {"format", "--check", CheckFormat},
    {"to-json", "", PrintJson},
    {"from-json", "", PrintFromJson},
};

}  // namespace

ExitCode RunDesign(std::span<const std::string_view> arguments) {
  if (arguments.empty()) {
    return WrongUsage("design needs a command: format, to-json or from-json");
  }
  const std::string_view name = arguments.front();
  if (std::ranges::find(kDesignCommands, name, &DesignCommand::name) == std::end(kDesignCommands)) {
    return WrongUsage(
        fmt::format("{} is not a command of design; `trestle help` lists them", name));
  }

  std::string_view flag;
  std::vector<std::string> files;
  for (const std::string_view argument : arguments.subspan(1)) {
    if (argument.starts_with("--") && flag.empty()) {
      flag = argument;
    } else {
      files.emplace_back(argument);
    }
  }
  const auto* const command = std::ranges::find_if(
      kDesignCommands, [&](const DesignCommand& it) { return it.name == name && it.flag == flag; });
  if (command == std::end(kDesignCommands)) {
    return WrongUsage(fmt::format("{} is not a flag of design {}", flag, name));
  }
  if (files.size() != 1) return WrongUsage(fmt::format("design {} needs one FILE", name));

  const auto text = ReadTextFile(files.front());
  if (!text.ok()) return WrongUsage(text.error().message());
  return command->run(files.front(), *text);
}

}  // namespace trestle
